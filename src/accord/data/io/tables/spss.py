"""SPSS files. Value labels become the labels, in their order. Declared missing values are missing."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.core.errors import DataError, counted, first_words, quoted
from accord.data.io.tables.sources import MemorySource
from accord.data.model.data import Data, Fact, OneLabel
from accord.data.model.labels import Categories
from accord.data.model.measurement import Measurement

_HEAD = 84  # bytes; the last 16 give the compression and the number of cases
_ZLIB = 2  # a compression method
_NO_ROOM = "Unable to allocate memory"  # the library's message for a block of more than 16 MB
_DENSEST = 1_032  # maximal expansion of zlib per byte
_LEVELS = {"nominal": "nominal", "ordinal": "ordinal", "scale": "interval"}  # measure levels of SPSS


@dataclass
class SpssSource(MemorySource):
    """A table with columns that declare their labels."""

    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # labels by column, in the order of codes


def read_spss(path: Path, name: str) -> SpssSource:
    """Read a .sav file."""
    try:
        import pyreadstat
    except ImportError:
        raise DataError(
            "missing-package",
            f"{name}: accord needs pyreadstat to read SPSS files; run pip install 'accord[spss]' (in a checkout: pip "
            "install '.[spss]')",
        ) from None
    _refuse_more_than_it_holds(path, name)
    try:
        read: tuple[Any, Any] = pyreadstat.read_sav(str(path), user_missing=True, output_format="dict")
    except MemoryError:
        raise
    except Exception as error:  # the library raises many exceptions for damaged files
        said = first_words(error)
        if _NO_ROOM in said:
            said = "a length in it is far too large"
        raise DataError(
            "file-damaged", f"{name}: the file cannot be read as an SPSS file ({said}); export it again, or as CSV"
        ) from error
    columns, about = read
    if not columns or not len(next(iter(columns.values()))):
        raise DataError("file-empty", f"{name}: the SPSS file contains no rows; export the data again")
    made: dict[str, list[object]] = {}
    orders: dict[str, tuple[str, ...]] = {}
    plain: list[str] = []
    missing = 0
    for column, values in columns.items():
        absent = _user_missing(about.missing_ranges.get(column, ()))
        kept = [None if value is None or value != value or absent(value) else value for value in values]  # noqa: PLR0124
        missing += sum(map(absent, values))
        labels = {code: text for code, text in about.variable_value_labels.get(column, {}).items() if not absent(code)}
        used = {value for value in kept if value not in {None, ""}}
        if labels and used <= labels.keys() and len(set(labels.values())) == len(labels):
            orders[column] = tuple(labels[code] for code in sorted(labels))
            kept = [labels.get(value) for value in kept]
        elif labels and used:
            plain.append(column)
        made[column] = kept
    levels = {
        column: Measurement(_LEVELS[stated], "file", f"measure level {stated} in {Path(name).name}")
        for column, stated in about.variable_measure.items()
        if stated in _LEVELS
    }
    notes = _notes(name, orders, plain, missing)
    return SpssSource(made, name, is_file=True, notes=notes, levels=levels, orders=orders)


def _refuse_more_than_it_holds(path: Path, name: str) -> None:
    """Refuse a file that states more cases than fit: a case takes at least 8 bytes, or 1 compressed."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if len(head) < _HEAD or not head.startswith(b"$FL"):
        return  # the library reports the error
    order = "<" if struct.unpack("<i", head[64:68])[0] in {2, 3} else ">"
    compression, _, cases = struct.unpack(f"{order}3i", head[72:_HEAD])
    size = path.stat().st_size
    if cases * (1 if compression else 8) > size * (_DENSEST if compression == _ZLIB else 1):
        raise DataError(
            "file-damaged",
            f"{name}: the file states {cases:,} rows, but {size:,} bytes cannot contain them, so it is damaged; "
            "export it again",
        )


def _notes(name: str, orders: Mapping[str, Any], plain: Sequence[str], missing: int) -> tuple[str, ...]:
    notes: list[str] = []
    if orders:
        shown = _some(list(orders))
        notes.append(Fact(f"{name}: value labels are used as labels, in the order of their codes: {shown}"))
    if plain:
        notes.append(f"{name}: values are kept as numbers because not every value has its own label: {_some(plain)}")
    if missing:
        notes.append(Fact(f"{name}: {counted(missing, 'value')} declared missing in the file (user-missing values)"))
    return tuple(notes)


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(quoted, names[:5])) + (f" … ({len(names):,})" if len(names) > 5 else "")


def _user_missing(ranges: Sequence[Mapping[str, Any]]) -> Any:
    """Return a function that tests whether a value is in a range of declared missing values."""

    def absent(value: object) -> bool:
        return any(isinstance(value, type(one["lo"])) and one["lo"] <= value <= one["hi"] for one in ranges)

    return absent


def order_labels(sources: Sequence[object], found: Mapping[str, Data]) -> dict[str, Data]:
    """Return the data of SPSS files with the categories that the files declare."""
    tables = [source.orders for source in sources if isinstance(source, SpssSource) and source.orders]
    if not tables:
        return dict(found)
    columns = {column for orders in tables for column in orders}
    orders = {column: {mine[column] for mine in tables if column in mine} for column in columns}
    return {name: _ordered(data, orders) for name, data in found.items()}


def _ordered(data: Data, orders: Mapping[str, set[tuple[str, ...]]]) -> Data:
    """Return the data with the value labels of its column, or of its annotators' columns, as declared categories."""
    if not isinstance(data, OneLabel):
        return data
    known = [data.variable] if data.variable in orders else [a for a in data.annotators if a in orders] or [*orders]
    used = set(data.categories.labels)
    fitting = {order for column in known for order in orders[column] if used <= set(order)}
    if len(fitting) == 1:
        return data.recoded(Categories(fitting.pop(), declared=True))
    if used & {label for column in known for order in orders[column] for label in order}:
        return data.with_notes(
            "columns have different value labels; give the order of the categories with --categories A,B,C"
        )
    return data
