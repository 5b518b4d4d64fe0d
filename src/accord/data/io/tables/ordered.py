"""Ordered factors in Parquet files and Arrow tables: which columns are ordered, and how."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.tables.columns import panics_unheard, polars

_SCHEMA, _FIELDS, _NAME, _DICTIONARY, _IS_ORDERED = 2, 1, 0, 4, 2  # places in Arrow's tables (Schema.fbs, Message.fbs)


def with_orders(frame: Any, given: Any) -> Any:
    """A Polars frame whose ordered factors are enumerations; it forgets their order itself. `given`: file or table."""
    if isinstance(given, Path):
        with panics_unheard():
            metadata = polars().read_parquet_metadata(given)
        names = ordered_in(metadata, given)
        given = _factors(given, names) if names else None
    else:
        names = [field.name for field in given.schema if getattr(field.type, "ordered", False)]
    pl = polars()
    for name in names:
        levels = given.column(name).unify_dictionaries().chunk(0).dictionary.to_pylist()
        if all(isinstance(level, str) for level in levels):
            frame = frame.with_columns(pl.col(name).cast(pl.String).cast(pl.Enum(levels)))
        elif levels != sorted(levels):  # numbers that are not in their order
            raise DataError(
                f"column {quoted(name)} is a factor of numbers in an order of its own: make its levels words"
            )
    return frame


def _factors(path: Path, names: list[str]) -> Any:
    try:
        from pyarrow.parquet import read_table  # type: ignore[import-untyped]
    except ImportError:
        raise DataError(
            f"{path}: column {quoted(names[0])} is an ordered factor, and its order is read with pyarrow: install it, "
            "or save the column as text and say --categories"
        ) from None
    return read_table(path, columns=names)


def ordered_in(metadata: Mapping[str, str], path: object) -> list[str]:
    """The columns of a Parquet file that are ordered, by the Arrow schema that is kept in it."""
    kept = metadata.get("ARROW:schema")
    try:
        return list(_ordered_fields(base64.b64decode(kept))) if kept else []
    except (ValueError, IndexError, struct.error) as error:
        raise DataError(f"{path}: the Arrow schema in this Parquet file is damaged; write the file again") from error


def _ordered_fields(message: bytes) -> Iterator[str]:
    """Names of ordered fields in a schema message, a FlatBuffer: tables of offsets to offsets."""
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

    schema = followed(number("<I", 0), _SCHEMA)
    fields = followed(schema, _FIELDS) if schema is not None else None
    if fields is None:
        return
    for k in range(number("<I", fields)):
        at = fields + 4 + 4 * k
        field = at + number("<I", at)
        dictionary = followed(field, _DICTIONARY)
        flag = place(dictionary, _IS_ORDERED) if dictionary is not None else None
        name = followed(field, _NAME)
        if flag is not None and buffer[flag] and name is not None:
            yield buffer[name + 4 : name + 4 + number("<I", name)].decode()
