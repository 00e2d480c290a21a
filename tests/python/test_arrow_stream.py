"""Arrow C streams made with ctypes: all memory is released once, and invalid data raises."""

import ctypes
import struct

import numpy as np
import pytest

from accrete._core import ArrowFrame, Table

POINTER, INT64 = ctypes.c_void_p, ctypes.c_int64
RELEASE = ctypes.CFUNCTYPE(None, POINTER)
NEXT = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER)
ERROR = ctypes.CFUNCTYPE(POINTER, POINTER)


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", INT64),
    ("n_children", INT64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE),
    ("private_data", POINTER),
]
Array._fields_ = [
    ("length", INT64),
    ("null_count", INT64),
    ("offset", INT64),
    ("n_buffers", INT64),
    ("n_children", INT64),
    ("buffers", ctypes.POINTER(POINTER)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE),
    ("private_data", POINTER),
]


class Stream(ctypes.Structure):
    _fields_ = [("get_schema", NEXT), ("get_next", NEXT), ("last_error", ERROR), ("release", RELEASE), ("own", POINTER)]


def column(length, *buffers, offset=0, **more):
    """An array; buffers are bytes, or None for a missing one."""
    array = Array(length=length, null_count=-1, offset=offset, n_buffers=len(buffers), **more)
    array.owned = [None if data is None else ctypes.create_string_buffer(data, len(data) + 8) for data in buffers]
    array.buffers = (POINTER * max(1, len(buffers)))(*[data and ctypes.addressof(data) for data in array.owned])
    return array


class Producer:
    """A stream of one column with a chunk per array; ``open`` counts structs that are not released."""

    def __init__(self, kind, *chunks, dictionary=None, rows=None, error=None, columns=1):
        self.open, self.columns, self.owned = 0, columns, []
        self.error = error and ctypes.create_string_buffer(error)
        child = Schema(format=kind, name=b"v")
        if dictionary:
            child.dictionary = ctypes.pointer(Schema(format=dictionary))
        self.schema = Schema(format=b"+s", n_children=1, children=self._list(Schema, child))
        self.chunks = [self._chunk(chunk, chunk.length if rows is None else rows) for chunk in chunks]

    def _list(self, kind, child):
        self.owned.append(child)
        return (ctypes.POINTER(kind) * 1)(ctypes.pointer(child))

    def _chunk(self, child, rows):
        chunk = column(rows, None)
        chunk.n_children, chunk.children = self.columns, self._list(Array, child)
        return chunk

    def _export(self, value, to):
        def release(address):
            self.open -= 1
            type(value).from_address(address).release = RELEASE()

        self.owned.append(RELEASE(release))
        value.release = self.owned[-1]
        ctypes.memmove(to, ctypes.addressof(value), ctypes.sizeof(value))
        self.open += 1

    def _next(self, _, to):
        if self.chunks:
            self._export(self.chunks.pop(0), to)
            return 0
        ctypes.memset(to, 0, ctypes.sizeof(Array))
        return 5 if self.error else 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.stream = Stream(
            NEXT(lambda _, to: self._export(self.schema, to) or 0),
            NEXT(self._next),
            ERROR(lambda _: self.error and ctypes.addressof(self.error)),
        )
        address = ctypes.create_string_buffer(ctypes.sizeof(Stream))
        self._export(self.stream, ctypes.addressof(address))
        self.owned.append(address)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [POINTER, ctypes.c_char_p, POINTER]
        return new(ctypes.addressof(address), b"arrow_array_stream", None)


def read(producer, kind=""):
    """The table. Checks that everything is released, also after errors."""
    try:
        table = Table("X")
        table.add_arrow(ArrowFrame(producer), ["v"], [kind])
        return table
    finally:
        assert producer.open == 0


def doubles(*values, **more):
    return column(len(values), None, np.array(values, dtype=np.float64).tobytes(), **more)


def texts(*values, validity=None):
    offsets = np.cumsum([0, *map(len, values)]).astype(np.int32)
    return column(len(values), validity, offsets.tobytes(), b"".join(values))


def test_reads_and_releases_valid_streams():
    assert read(Producer(b"g", doubles(1.0, 2.0), doubles(3.0))).rows == 3
    assert read(Producer(b"g")).rows == 0
    assert read(Producer(b"u", texts(b"a", b"", b"b"))).text_columns == ["v"]
    assert read(Producer(b"u", texts(b"1", b"x", validity=b"\x01"))).text_columns == []  # x is null
    assert read(Producer(b"u", column(0, None, None, None))).rows == 0
    assert read(Producer(b"u", column(2, None, bytes(12), None))).rows == 2  # all texts are empty
    assert read(Producer(b"n", column(3))).rows == 3


def test_ignores_cells_outside_the_slice():
    cells = doubles(9e99, 1.0, 2.0, 9e99, offset=1)
    cells.length = 2
    assert read(Producer(b"g", cells)).first_infinity() is None


def test_reports_errors_of_the_stream():
    with pytest.raises(ValueError, match="the Arrow stream failed: no more disk"):
        read(Producer(b"g", doubles(1.0), error=b"no more disk"))
    with pytest.raises(ValueError, match="capsule|Capsule"):
        ArrowFrame(type("Odd", (), {"__arrow_c_stream__": lambda self: 3})())
    with pytest.raises(AttributeError):
        ArrowFrame(3)


def view(size, which=0, offset=0):
    return struct.pack("<i4sii", size, b"long", which, offset)


LONG = b"long enough to lie outside"
INVALID = {
    "negative length": (b"g", [column(-1, None, b"")], {}),
    "negative length of the chunk": (b"g", [doubles(1.0)], {"rows": -1}),
    "negative offset": (b"g", [doubles(1.0, offset=-1)], {}),
    "huge offset": (b"g", [doubles(1.0, offset=2**62)], {}),
    "fewer rows than the chunk": (b"g", [doubles(1.0)], {"rows": 2}),
    "wrong number of columns": (b"g", [doubles(1.0)], {"columns": 0}),
    "no values": (b"g", [column(1, None, None)], {}),
    "no buffers": (b"g", [column(1)], {}),
    "no bits": (b"b", [column(1, None)], {}),
    "decreasing offsets": (b"u", [column(1, None, struct.pack("<ii", 3, 1), b"abc")], {}),
    "negative offsets": (b"U", [column(1, None, struct.pack("<qq", -3, 1), b"abc")], {}),
    "no bytes": (b"u", [column(1, None, struct.pack("<ii", 0, 3), None)], {}),
    "not UTF-8": (b"u", [texts(b"\xff\xfe")], {}),
    "view with a negative length": (b"vu", [column(1, None, view(-1), b"", bytes(8))], {}),
    "view into a missing buffer": (b"vu", [column(1, None, view(20, which=1), LONG, struct.pack("<q", 26))], {}),
    "view past the end": (b"vu", [column(1, None, view(20, offset=10), LONG, struct.pack("<q", 26))], {}),
    "view without sizes": (b"vu", [column(1, None, view(20))], {}),
    "index outside the dictionary": (b"c", [column(1, None, b"\x02")], {"dictionary": b"u", "entries": texts(b"a")}),
    "negative index": (b"c", [column(1, None, b"\xff")], {"dictionary": b"u", "entries": texts(b"a")}),
    "no dictionary": (b"c", [column(1, None, b"\x00")], {"dictionary": b"u"}),
    "indices that are not integers": (b"g", [doubles(0.0)], {"dictionary": b"u", "entries": texts(b"a")}),
    "unknown type": (b"?!", [doubles(0.0)], {}),
    "no type": (None, [doubles(0.0)], {}),
    "malformed decimal": (b"d:5", [doubles(0.0)], {}),
}


@pytest.mark.parametrize("case", INVALID)
def test_rejects_invalid_data(case):
    kind, chunks, more = INVALID[case]
    more = dict(more)
    entries = more.pop("entries", None)
    if entries is not None:
        chunks[0].dictionary = ctypes.pointer(entries)
    with pytest.raises(ValueError, match="X: .*(invalid|holds)"):
        read(Producer(kind, *chunks, **more))
