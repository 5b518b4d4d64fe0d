"""Parquet files: a check before Polars reads them, and the order of their factors.

Polars trusts the sizes in a file. If a damaged file states that a page has 10¹⁸ values, Polars allocates memory for
them, and the operating system kills the process. `refuse_impossible` therefore reads the footer, which lists rows,
columns and positions, and the header of each page. It refuses numbers that contradict each other or the file size. It
does not unpack pages.
"""

from __future__ import annotations

import base64
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final

from accord.core.errors import DataError, counted, first_words, quoted
from accord.data.io.tables.columns import panics_unheard, polars


def read_parquet(source: Any, name: str) -> Any:
    """Read a Parquet file, or its bytes, as a Polars frame."""
    pl = polars()
    refuse_impossible(source, name)
    try:
        with panics_unheard():
            return pl.read_parquet(source, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise DataError(
            "file-damaged",
            f"{name}: the file cannot be read as Parquet ({first_words(error)}); write it again, or save the table as "
            "CSV",
        ) from error


# -- Ordered factors, in files and in Arrow tables --

# Indices of fields in Arrow's tables (Schema.fbs, Message.fbs).
_SCHEMA_AT, _FIELDS, _NAME, _DICTIONARY_AT, _IS_ORDERED = 2, 1, 0, 4, 2


def with_orders(frame: Any, given: Any) -> tuple[Any, list[str]]:
    """Return the frame with ordered factors as enumerations, and their names.

    Polars drops the order, so it is read from `given`.
    """
    if isinstance(given, Path):
        with panics_unheard():
            metadata = polars().read_parquet_metadata(given)
        names = ordered_in(metadata, given)
        given = _factors(given, names) if names else None
    else:
        names = [field.name for field in given.schema if getattr(field.type, "ordered", False)]
    pl = polars()
    for name in names:
        column = given.column(name)
        if not hasattr(column.type, "ordered"):  # numbers, whose levels pyarrow does not restore
            continue
        levels = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
        if all(isinstance(level, str) for level in levels):
            frame = frame.with_columns(pl.col(name).cast(pl.String).cast(pl.Enum(levels)))
        elif levels != sorted(levels):  # numbers in another order
            raise DataError(
                "invalid-label",
                f"column {quoted(name)} is a factor of numbers in an order other than ascending; convert its levels to "
                "words",
            )
    return frame, list(names)


def _factors(path: Path, names: list[str]) -> Any:
    try:
        from pyarrow.parquet import read_table  # type: ignore[import-untyped]
    except ImportError:
        raise DataError(
            "missing-package",
            f"{path}: column {quoted(names[0])} is an ordered factor, and accord needs pyarrow to read its order; run "
            "pip install pyarrow, or save the column as text and use --categories with the levels",
        ) from None
    return read_table(path, columns=names)


def ordered_in(metadata: Mapping[str, str], path: object) -> list[str]:
    """Return the ordered columns of a Parquet file according to its Arrow schema."""
    kept = metadata.get("ARROW:schema")
    try:
        return list(_ordered_fields(base64.b64decode(kept))) if kept else []
    except (ValueError, IndexError, struct.error) as error:
        raise DataError(
            "file-damaged",
            f"{path}: the Arrow schema in the Parquet file is damaged; write the file again, or save the table as CSV",
        ) from error


def _ordered_fields(message: bytes) -> Iterator[str]:
    """Yield the names of ordered fields in a schema message, a FlatBuffer of offsets to offsets."""
    buffer = message[8:] if message[:4] == b"\xff\xff\xff\xff" else message[4:]

    def number(form: str, at: int) -> int:
        return int(struct.unpack_from(form, buffer, at)[0])

    def place(table: int, field: int) -> int | None:
        layout = table - number("<i", table)
        entry = 4 + 2 * field
        offset = number("<H", layout + entry) if entry < number("<H", layout) else 0
        return table + offset if offset else None

    def followed(table: int, field: int) -> int | None:
        at = place(table, field)
        return at + number("<I", at) if at is not None else None

    schema = followed(number("<I", 0), _SCHEMA_AT)
    fields = followed(schema, _FIELDS) if schema is not None else None
    if fields is None:
        return
    for k in range(number("<I", fields)):
        at = fields + 4 + 4 * k
        field = at + number("<I", at)
        dictionary = followed(field, _DICTIONARY_AT)
        flag = place(dictionary, _IS_ORDERED) if dictionary is not None else None
        name = followed(field, _NAME)
        if flag is not None and buffer[flag] and name is not None:
            yield buffer[name + 4 : name + 4 + number("<I", name)].decode()


# -- Checks of the metadata --

_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"
_TAIL = 8  # bytes: the length of the footer and the magic number
_WINDOW = 512  # bytes: usual size of a page header
_LONGEST_HEAD = 64 << 20
_DEEPEST = 40  # nesting of structures; the format has ten levels
_DEEPEST_SCHEMA = 200  # levels; a thousand overflow the stack of Polars
_MANY_VALUES = 100_000_000  # values that any file may have, because a constant column needs few bytes
_USUAL_WIDTH = 16  # bytes of a value in memory; a wider value counts as several
_VALUES_PER_BYTE = 10_000  # limit for more values; a row group needs at least 100 bytes per column
_SMALL_PAGE = 16 << 20  # unpacked bytes that any page may have
# Maximal expansion per byte by codec: none, Snappy, gzip, LZO, Brotli, LZ4, Zstandard, LZ4 without a frame.
_DENSEST = (1, 32, 1_100, 1_100, 100_000, 256, 33_000, 256)

# Types of Thrift's compact protocol.
_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT, _UUID = range(14)
_WIDTHS = {_TRUE: 1, _FALSE: 1, _BYTE: 1, _DOUBLE: 8, _UUID: 16}  # bytes
_LONGEST_NUMBER = 63  # bits
_LETTERS = {"h": _I16, "i": _I32, "l": _I64, "b": _BINARY, "t": _TRUE, "[": _LIST, "{": _STRUCT}

_Struct = dict[str, Any]
# A structure by field number: the type, the name if accord uses it, and the fields of inner structures.
_Known = Mapping[int, tuple[int, str, Any]]


def _fields(kinds: str, names: Mapping[int, str], inside: Mapping[int, _Known] | None = None) -> _Known:
    """Describe fields 1, 2, … by one letter each.

    h, i, l: numbers of 16, 32, 64 bits; b: bytes; t: boolean; [: list; {: structure.
    """
    return {
        number: (_LETTERS[letter], names.get(number, ""), (inside or {}).get(number))
        for number, letter in enumerate(kinds, 1)
    }


# As in parquet.thrift. Unknown fields are newer and are skipped.
_STATISTICS = _fields("bbllbbttl", {})
_SCHEMA = _fields("iiibiiiii{", {1: "type", 2: "width", 3: "repetition", 4: "name", 5: "children"})
_COLUMN = _fields(
    "i[[illl[lll{[li{{",
    {4: "codec", 5: "values", 7: "packed", 9: "data_at", 11: "dictionary_at"},
    {12: _STATISTICS},
)
_CHUNK = _fields("bl{lili{b", {3: "column", 8: "encrypted"}, {3: _COLUMN, 8: {}})
_GROUP = _fields("[ll[llh", {1: "columns", 3: "rows"}, {1: _CHUNK})
_FILE = _fields("i[l[[b[{b", {2: "schema", 3: "rows", 4: "groups"}, {2: _SCHEMA, 4: _GROUP})
_PAGE = _fields(
    "iiii{{{{",
    {1: "type", 2: "unpacked", 3: "packed", 5: "data", 7: "dictionary", 8: "data2"},
    {
        5: _fields("iiii{", {1: "values"}, {5: _STATISTICS}),
        7: _fields("iit", {1: "values"}),
        8: _fields("iiiiiit{", {1: "values", 2: "nulls", 3: "rows", 5: "levels", 6: "repeats"}, {8: _STATISTICS}),
    },
)
_HEADS: Final = {0: "data", 2: "dictionary", 3: "data2"}  # by page type; 1 is an index, which accord ignores
_DICTIONARY: Final = 2
_DATA2: Final = 3
_FIXED_WIDTH: Final = 7  # type of values with a fixed number of bytes
_REPEATED: Final = 2  # repetition of a field: any number of times


class _NotThrift(Exception):  # noqa: N818 - internal
    """The bytes are not a structure of the compact protocol, or too few."""


class _Impossible(Exception):  # noqa: N818 - internal
    """The metadata contradict themselves or the file size."""


class _Encrypted(Exception):  # noqa: N818 - internal
    """A column is encrypted."""


def refuse_impossible(source: Path | BytesIO, name: str, *, pages: bool = True) -> None:
    """Refuse a Parquet file with impossible metadata. `pages`: also check page headers."""
    if isinstance(source, BytesIO):
        _refuse(source, name, pages)
        source.seek(0)
        return
    try:
        with source.open("rb", buffering=0) as file:
            _refuse(file, name, pages)
    except OSError:
        return  # reading it later reports the reason


def _refuse(file: IO[bytes], name: str, pages: bool) -> None:
    size = file.seek(0, os.SEEK_END)
    footer = _footer(file, size, name)
    if footer is None:
        return
    try:
        about, _ = _structure(footer, 0, _FILE)
        chunks = list(_chunks(about, size - len(footer) - _TAIL))
        if pages:
            for chunk in chunks:
                _walk(file, chunk)
    except _NotThrift:
        raise _damaged(name, "its metadata cannot be read") from None
    except _Encrypted as found:
        raise _encrypted(name, str(found)) from None
    except _Impossible as found:
        raise _damaged(name, f"its metadata state that {found}") from None


def _encrypted(name: str, what: str) -> DataError:
    return DataError(
        "file-damaged", f"{name}: the Parquet file cannot be read because {what}; write it without encryption"
    )


def _damaged(name: str, what: str) -> DataError:
    return DataError("file-damaged", f"{name}: the Parquet file is damaged, because {what}; write it again")


def _footer(file: IO[bytes], size: int, name: str) -> bytes | None:
    """Return the footer, or None if the file does not end like Parquet. Polars reports that."""
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    if tail[4:] == _ENCRYPTED:
        raise _encrypted(name, "it is encrypted")
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC:
        return None
    if length > size - _TAIL:
        raise _damaged(name, f"its metadata state a footer of {length:,} bytes, but the file has {size:,}")
    file.seek(size - _TAIL - length)
    return file.read(length)


@dataclass(frozen=True)
class _Chunk:
    """The pages of a column in a row group."""

    column: str
    start: int
    end: int
    values: int
    densest: int


def _chunks(about: _Struct, room: int) -> Iterator[_Chunk]:
    """Yield the chunks of all columns and row groups. `room`: bytes before the footer."""
    leaves = list(_leaves(about.get("schema") or []))
    groups = about.get("groups") or []
    rows, left = about.get("rows", -1), room
    values = 0
    in_groups = [group.get("rows", -1) for group in groups]
    if rows != sum(in_groups) or min(in_groups, default=0) < 0:
        raise _Impossible(f"it has {counted(rows, 'row')}, but its row groups have {sum(in_groups):,}")
    for number, group in enumerate(groups, 1):
        columns = group.get("columns") or []
        if len(columns) != len(leaves):
            raise _Impossible(f"row group {number} has {counted(len(columns), 'column')} instead of {len(leaves):,}")
        for chunk, leaf in zip(columns, leaves, strict=True):
            made = _chunk(chunk, leaf.name, room)
            values += made.values * leaf.weight
            left -= made.end - made.start
            if made.values < group["rows"] or (made.values > group["rows"] and not leaf.nested):
                raise _Impossible(f"column {leaf.name} has {made.values:,} values on {group['rows']:,} rows")
            yield made
    if left < 0:  # shared pages would be read repeatedly
        raise _Impossible(f"its columns need {room - left:,} bytes, but it has {room:,}")
    if max(values, rows) > max(_MANY_VALUES, _VALUES_PER_BYTE * room):
        raise _Impossible(f"{room:,} bytes contain {max(values, rows):,} values")


@dataclass(frozen=True)
class _Leaf:
    """A column: its name, whether a row may have several values, and the weight of a value in units of usual width."""

    name: str
    nested: bool
    weight: int


def _leaves(schema: list[_Struct]) -> Iterator[_Leaf]:
    """Yield all columns. The schema is a tree, listed from the top down."""
    levels: list[list[int]] = [[1, 0]]  # remaining children, and whether the level is repeated
    for element in schema:
        while levels and not levels[-1][0]:
            levels.pop()
        if not levels or len(levels) > _DEEPEST_SCHEMA:
            raise _Impossible(f"its columns are nested {_DEEPEST_SCHEMA} deep" if levels else "it has fewer columns")
        levels[-1][0] -= 1
        top = len(levels) == 1
        nested = levels[-1][1] or (element.get("repetition") == _REPEATED and not top)
        if "type" in element and not top:
            name = quoted(element.get("name", b"").decode("utf-8", "replace"))
            width = element.get("width", 0) if element["type"] == _FIXED_WIDTH else 0
            if width < 0:
                raise _Impossible(f"a value of column {name} has {width:,} bytes")
            yield _Leaf(name, bool(nested), max(1, width // _USUAL_WIDTH))
        else:
            children = element.get("children", 0)
            if children < 0:
                raise _Impossible(f"a column has {children:,} parts")
            levels.append([children, int(nested)])
    if any(more for more, _ in levels):
        raise _Impossible("it has more columns than it lists")


def _chunk(about: _Struct, name: str, room: int) -> _Chunk:
    if "encrypted" in about:
        raise _Encrypted(f"column {name} is encrypted")
    column = about.get("column") or {}
    if not {"codec", "values", "packed", "data_at"} <= column.keys():
        raise _Impossible(f"column {name} has no position")
    start = column["data_at"]
    if 0 < column.get("dictionary_at", 0) < start:  # some writers store 0 for no dictionary
        start = column["dictionary_at"]
    length, values, codec = column["packed"], column["values"], column["codec"]
    if start < 0 or length < 0 or start + length > room:
        raise _Impossible(f"column {name} has {length:,} bytes from position {start:,}, but the file has {room:,}")
    if not 0 <= codec < len(_DENSEST):
        raise _Impossible(f"column {name} is compressed by method {codec}, which does not exist")
    return _Chunk(name, start, start + length, values, _DENSEST[codec])


def _walk(file: IO[bytes], chunk: _Chunk) -> None:
    """Check the page headers of a chunk."""
    at, left = chunk.start, chunk.values
    while left > 0:
        if at >= chunk.end:
            missing = f"but its pages lack {left:,} of them"
            raise _Impossible(f"column {chunk.column} has {counted(chunk.values, 'value')}, {missing}")
        page, at = _head(file, at, chunk.end)
        unpacked, packed = page.get("unpacked", -1), page.get("packed", -1)
        if packed < 0 or packed > chunk.end - at:
            raise _Impossible(f"a page of column {chunk.column} has {packed:,} bytes, but {chunk.end - at:,} are left")
        if unpacked < 0 or unpacked > max(_SMALL_PAGE, chunk.densest * packed):
            raise _Impossible(f"a page of column {chunk.column} unpacks from {packed:,} bytes to {unpacked:,}")
        kind = page.get("type", -1)
        inside = page.get(_HEADS.get(kind, ""), {})
        values = inside.get("values", -1)
        if kind == _DICTIONARY:
            if not 0 <= values <= 8 * unpacked:
                raise _Impossible(f"a page of column {chunk.column} has {values:,} values in {unpacked:,} bytes")
        elif kind in _HEADS:
            if not 0 <= values <= left:
                raise _Impossible(f"a page of column {chunk.column} has {values:,} values of {chunk.values:,}")
            if kind == _DATA2:
                _refuse_levels(inside, min(packed, unpacked), chunk)
            left -= values
        at += packed


def _refuse_levels(head: _Struct, size: int, chunk: _Chunk) -> None:
    levels, repeats = head.get("levels", -1), head.get("repeats", -1)
    values, rows, nulls = head["values"], head.get("rows", -1), head.get("nulls", -1)
    if levels < 0 or repeats < 0 or levels + repeats > size:
        raise _Impossible(
            f"a page of column {chunk.column} has levels of {levels + repeats:,} bytes, but it has only {size:,}"
        )
    if not (0 <= rows <= values and 0 <= nulls <= values):
        raise _Impossible(
            f"a page of column {chunk.column} has {rows:,} rows and {nulls:,} missing values, but {values:,} values"
        )


def _head(file: IO[bytes], at: int, end: int) -> tuple[_Struct, int]:
    """Return the header of a page and the position after it."""
    window = _WINDOW  # it contains the minimum and maximum and may be longer
    while True:
        file.seek(at)
        data = file.read(min(window, end - at))
        try:
            page, length = _structure(data, 0, _PAGE)
        except _NotThrift:
            if len(data) < window or window > _LONGEST_HEAD:
                raise
            window *= 16
        else:
            return page, at + length


def _structure(  # noqa: PLR0912 - inlined for speed
    data: bytes, at: int, known: _Known, depth: int = 0
) -> tuple[_Struct, int]:
    """Return the named fields of a structure and the position after it."""
    if depth > _DEEPEST:
        raise _NotThrift
    found: _Struct = {}
    number = seen = 0
    try:
        while head := data[at]:
            at += 1
            kind = head & 15
            if head > 15:
                number += head >> 4
            else:
                number, at = _signed(data, at)
            if number in known:
                wanted, name, inside = known[number]
                if seen >> number & 1 or (kind != wanted and not (kind == _FALSE and wanted == _TRUE)):
                    raise _NotThrift  # a field twice or of another type: readers treat it differently
                seen |= 1 << number
            else:
                name, inside = "", None
            if _I16 <= kind <= _I64 or kind == _BINARY:
                value = data[at]
                at += 1
                if value > 127:
                    value, at = _unsigned(data, at - 1)
                if kind == _BINARY:
                    at += value
                    if name:
                        found[name] = data[at - value : at]
                elif name:
                    found[name] = (value >> 1) ^ -(value & 1)
            elif kind == _STRUCT:
                one, at = _structure(data, at, inside or {}, depth + 1)
                if name:
                    found[name] = one
            elif inside is not None:
                found[name], at = _structures(data, at, inside, depth)
            elif kind > _FALSE:
                at = _past(data, at, kind, depth)
    except IndexError:
        raise _NotThrift from None
    return found, at + 1


def _structures(data: bytes, at: int, known: _Known, depth: int) -> tuple[list[_Struct], int]:
    kind, length, at = _listed(data, at)
    if kind != _STRUCT and length:
        raise _NotThrift
    found = []
    for _ in range(length):
        one, at = _structure(data, at, known, depth + 1)
        found.append(one)
    return found, at


def _past(data: bytes, at: int, kind: int, depth: int) -> int:
    """Return the position after a value of this type. A boolean takes one byte, as in lists."""
    if depth > _DEEPEST:
        raise _NotThrift
    if kind in _WIDTHS:
        return at + _WIDTHS[kind]
    if _I16 <= kind <= _I64:
        return _unsigned(data, at)[1]
    if kind == _BINARY:
        length, at = _unsigned(data, at)
        return at + length
    if kind == _STRUCT:
        return _structure(data, at, {}, depth + 1)[1]
    if kind in {_LIST, _SET}:
        kind, length, at = _listed(data, at)
        kinds: tuple[int, ...] = (kind,)
    elif kind == _MAP:
        length, at = _unsigned(data, at)
        kinds = (data[at] >> 4, data[at] & 15) if length else ()
        at += bool(length)
    else:
        raise _NotThrift
    if length > len(data) - at:  # each entry takes at least one byte
        raise _NotThrift
    for _ in range(length):
        for one in kinds:
            at = _past(data, at, one, depth + 1)
    return at


def _listed(data: bytes, at: int) -> tuple[int, int, int]:
    """Return the type of list entries, their number, and the position of the first."""
    head = data[at]
    length, at = (head >> 4, at + 1) if head < 0xF0 else _unsigned(data, at + 1)
    if length > len(data) - at:  # each entry takes at least one byte
        raise _NotThrift
    return head & 15, length, at


def _signed(data: bytes, at: int) -> tuple[int, int]:
    """Decode a zigzag number: the last bit is the sign."""
    value, at = _unsigned(data, at)
    return (value >> 1) ^ -(value & 1), at


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    """Decode a varint: seven bits per byte; the eighth bit is set if more follow."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > _LONGEST_NUMBER:
            raise _NotThrift
