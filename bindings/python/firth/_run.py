"""Threads, random seed, memory and progress: what every long call takes."""

from __future__ import annotations

import os
import re
from typing import Optional, Union

from . import _firth
from ._errors import UsageError
from ._progress import ProgressOption, _Bar, callback_for

MemoryOption = Union[None, int, str]
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def memory_bytes(memory: MemoryOption) -> int:
    """A limit as bytes; 0 = none.

    >>> memory_bytes("512M")
    536870912
    """
    if memory is None:
        return 0
    if isinstance(memory, int) and memory >= 0:
        return memory
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", str(memory).strip(), re.IGNORECASE)
    if not match:
        raise UsageError(f"memory cannot be {memory!r}; give bytes, or a text such as '512M' or '8G'", field="memory")
    return int(float(match.group(1)) * _UNITS[match.group(2).upper()])


class Run:
    """The options of one call; closes its progress bar at the end."""

    def __init__(
        self,
        threads: int = 0,
        seed: int = 1,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
        temp_folder: "Optional[Union[str, os.PathLike[str]]]" = None,
    ) -> None:
        if threads < 0:
            raise UsageError(f"threads cannot be {threads}; 0 = all cores", field="threads")
        self._callback = callback_for(progress)
        self._core = _firth.Run(threads, seed, memory_bytes(memory), temp_folder, self._callback)

    def __enter__(self) -> _firth.Run:
        return self._core

    def __exit__(self, *_: object) -> None:
        if isinstance(self._callback, _Bar):
            self._callback.close()
