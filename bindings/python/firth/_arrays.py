"""A look at arrays from the extension."""

from __future__ import annotations

from typing import Any, TypeVar

Array = TypeVar("Array", bound=Any)


def checked(array: Array) -> Array:
    """The array. An extension that was built with pybind11 before 2.12 makes wrong ones under NumPy 2: ImportError."""
    if array.size > 1 and 0 in array.strides:
        raise ImportError("firth was built with a pybind11 that does not know NumPy 2; build it with pybind11 2.12 or later")
    return array
