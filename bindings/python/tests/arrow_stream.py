"""Arrow C streams for tests, made by ctypes as the specification says."""

from __future__ import annotations

import ctypes
import struct
from typing import Any, List, Optional


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)), ("release", RELEASE_SCHEMA), ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE_ARRAY), ("private_data", ctypes.c_void_p),
]
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR), ("release", RELEASE_STREAM),
    ("private_data", ctypes.c_void_p),
]
NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
NEW_CAPSULE.restype = ctypes.py_object
NEW_CAPSULE.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def buffers_of(format_: str, values: List[Optional[str]]) -> List[bytes]:
    """Bits of what is there, then offsets and bytes, or views and bytes."""
    valid = bytearray((len(values) + 7) // 8 or 1)
    for row, value in enumerate(values):
        if value is not None:
            valid[row // 8] |= 1 << row % 8
    encoded = [(value or "").encode() for value in values]
    data = b"".join(encoded)
    starts = [0]
    for item in encoded:
        starts.append(starts[-1] + len(item))
    if format_ == "vu":
        views = b"".join(
            struct.pack("<i12s", len(item), item) if len(item) <= 12
            else struct.pack("<i4sii", len(item), item[:4], 0, starts[row])
            for row, item in enumerate(encoded))
        return [bytes(valid), views, data, struct.pack("<q", len(data))]
    return [bytes(valid), struct.pack(f"<{len(starts)}{'q' if format_ == 'U' else 'i'}", *starts), data]


class Column:
    """A column in batches of 100 rows, alone or as the second column of a table."""

    def __init__(self, values: List[Optional[str]], format_: str, table: bool = False) -> None:
        self.batches = [values[i:i + 100] for i in range(0, len(values), 100)]
        self.format, self.table = format_, table
        self.kept: List[Any] = []  # what the stream points to
        self.released = False

    def keep(self, value: Any) -> Any:
        self.kept.append(value)
        return value

    def capsule(self) -> Any:
        stream = self.keep(Stream(
            self.keep(GET_SCHEMA(self.get_schema)), self.keep(GET_NEXT(self.get_next)),
            self.keep(LAST_ERROR(lambda _: None)), self.keep(RELEASE_STREAM(self.release)), None))
        return NEW_CAPSULE(ctypes.addressof(stream), self.keep(ctypes.c_char_p(b"arrow_array_stream")), None)

    def release(self, stream: Any) -> None:
        self.released = True
        stream[0].release = RELEASE_STREAM()

    def get_schema(self, _: Any, out: Any) -> int:
        done = self.keep(RELEASE_SCHEMA(lambda schema: setattr(schema[0], "release", RELEASE_SCHEMA())))
        column = self.keep(Schema(self.format.encode(), b"text", None, 2, 0, None, None, done, None))
        if self.table:
            other = self.keep(Schema(b"l", b"n", None, 2, 0, None, None, done, None))
            children = self.keep((ctypes.POINTER(Schema) * 2)(ctypes.pointer(other), ctypes.pointer(column)))
            column = self.keep(Schema(b"+s", b"", None, 0, 2, children, None, done, None))
        ctypes.memmove(out, ctypes.byref(column), ctypes.sizeof(Schema))
        return 0

    def array(self, values: List[Optional[str]], done: Any) -> Array:
        parts = [self.keep(ctypes.create_string_buffer(part, max(len(part), 1))) for part in buffers_of(self.format, values)]
        buffers = self.keep((ctypes.c_void_p * len(parts))(*map(ctypes.addressof, parts)))
        return Array(len(values), values.count(None), 0, len(parts), 0, buffers, None, None, done, None)

    def get_next(self, _: Any, out: Any) -> int:
        done = self.keep(RELEASE_ARRAY(lambda array: setattr(array[0], "release", RELEASE_ARRAY())))
        if not self.batches:
            batch = Array()
        else:
            values = self.batches.pop(0)
            batch = self.array(values, done)
            if self.table:
                other = self.keep(Array(len(values), 0, 0, 0, 0, None, None, None, done, None))
                children = self.keep((ctypes.POINTER(Array) * 2)(ctypes.pointer(other), ctypes.pointer(self.keep(batch))))
                batch = Array(len(values), 0, 0, 1, 2, self.keep((ctypes.c_void_p * 1)(None)), children, None, done, None)
        ctypes.memmove(out, ctypes.byref(batch), ctypes.sizeof(Array))
        return 0
