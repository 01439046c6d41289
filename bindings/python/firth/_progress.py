"""Progress: a callback of the user's, or a bar of tqdm where someone is looking."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, NamedTuple, Optional, Union

_DELAY_SECONDS = 1.0


class Progress(NamedTuple):
    """The progress of a call."""

    stage: str
    """What is being done, e.g. "counting"."""
    unit: str
    """What `done` and `total` count."""
    done: int
    total: int
    """0 = not known."""
    note: str
    """A short status such as "AMI 1.5301"."""


ProgressOption = Union[None, bool, Callable[[Progress], object]]
Callback = Callable[[str, str, int, int, str], None]


def _someone_is_looking() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


class _Bar:
    """A bar of tqdm for calls that take longer than a second. tqdm is imported then, not before."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, unit: str, done: int, total: int, note: str) -> None:
        if time.monotonic() - self._start < _DELAY_SECONDS:
            return
        if self._bar is None or stage != self._stage:
            self._open(stage, unit, total)
        self._bar.n = done
        self._bar.set_postfix_str(note, refresh=False)
        self._bar.refresh()

    def _open(self, stage: str, unit: str, total: int) -> None:
        from tqdm.auto import tqdm

        self.close()
        self._stage = stage
        self._bar = tqdm(desc=stage, unit=" " + unit, total=total or None, unit_scale=True, leave=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _has_tqdm() -> bool:
    import importlib.util

    return importlib.util.find_spec("tqdm") is not None


def callback_for(progress: ProgressOption) -> Optional[Callback]:
    """What the extension calls, or None.

    None shows a bar if tqdm is installed and standard error is a terminal or a notebook; True always (and needs tqdm);
    False never.
    """
    if callable(progress):
        report = progress
        return lambda stage, unit, done, total, note: _ignore(report(Progress(stage, unit, done, total, note)))
    if progress is True or (progress is None and _someone_is_looking() and _has_tqdm()):
        return _Bar()
    return None


def _ignore(_: object) -> None:
    pass
