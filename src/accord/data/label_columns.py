"""Two columns of labels as input: `kappa(first, second)`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io import read
from accord.data.model.data import Data
from accord.data.model.labels import is_missing, plain

_FOR_ROWS = ("layout", "item", "annotator", "label", "by", "keep")  # options that do not apply to two columns
_SORTS: dict[type, str] = {int: "numbers", float: "numbers", str: "text", bool: "True and False"}
_ROW = (list, tuple, np.ndarray, Mapping)


def two_columns(first: Any, second: Any, name: str, reading: Mapping[str, Any]) -> Data:
    """Return the data of two annotators from one column of labels each."""
    for key in _FOR_ROWS:
        if key in reading:
            raise SpecError(
                "option-not-for-data", f"{key} is for tables and does not apply to two columns of labels; remove it"
            )
    a, b = _column(first, name), _column(second, name)
    if len(a) != len(b):
        raise DataError(
            "uneven-rows",
            f"{name}(first, second): {len(a):,} and {len(b):,} labels; give one label per item in both, None for "
            "missing",
        )
    if len(sorts := {_sort(a), _sort(b)} - {""}) > 1 and "numbers" in sorts:
        raise DataError(
            "invalid-label",
            f"{name}(first, second): labels of one are {' and of the other '.join(sorted(sorts))}; labels of different "
            "types never agree, so convert one of the columns",
        )
    if _kind(a) == _kind(b) and _kind(a) in {"i", "u", "f"}:
        return read(np.column_stack([a, b]), **reading)  # faster
    columns = {"A1": a, "A2": b}
    return read(columns, **{**reading, "layout": "wide", "label": tuple(columns)})


def _column(given: Any, name: str) -> Any:
    """Return a column of labels: a list, an array or a Series."""
    if isinstance(given, str | bytes | os.PathLike):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes the labels of two annotators, not {quoted(given)}; "
            f"for several files use {name}([first, second])",
        )
    if isinstance(given, np.ma.MaskedArray):
        given = given.tolist()  # masked labels become None
    shape = getattr(given, "shape", None)
    if hasattr(given, "digest") or isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes two columns of labels, not {quoted(type(given).__name__)}; give lists, "
            "arrays "
            "or Series",
        )
    if shape is None:
        given = _numbers(list(given))
        shape = getattr(given, "shape", None)
    if (shape is not None and len(shape) != 1) or (shape is None and any(isinstance(x, _ROW) for x in given)):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes one column of labels per annotator; for a whole table use {name}(table)",
        )
    return given


def _kind(column: Any) -> str:
    return str(column.dtype.kind) if isinstance(column, np.ndarray) else ""


def _sort(column: Any) -> str:
    """Return the type of the labels in words; empty if they have several types."""
    if _kind(column) in {"i", "u", "f"}:
        return "numbers"
    there = (x for x in column if not is_missing(x))
    found = {_SORTS.get(bool if isinstance(x, bool | np.bool_) else type(plain(x)), "") for x in there}
    return found.pop() if len(found) == 1 else ""


def _numbers(given: list[Any]) -> Any:
    """Convert a list of numbers of one type to an array, which is read much faster."""
    kinds = set(map(type, given))
    made = np.array(given) if kinds in ({int}, {float}) else None
    return made if made is not None and made.dtype.kind in "if" else given


def check_not_one_column(data: Any, name: str) -> None:
    """Refuse a single column of labels: users of scikit-learn expect two separate arguments."""
    shape = getattr(data, "shape", None)
    if shape is not None:
        alone = len(shape) == 1
    elif isinstance(data, list | tuple) and data:
        alone = not any(isinstance(x, _ROW) for x in data) and not _could_be_paths(data)
    else:
        alone = False
    if alone:
        raise DataError(
            "invalid-label",
            f"this is one column of labels, but agreement needs at least two annotators; use {name}(first, second), "
            "or rows with a label per annotator",
        )


def _could_be_paths(data: list[Any] | tuple[Any, ...]) -> bool:
    if not all(isinstance(x, str | os.PathLike) for x in data):
        return False
    return len(data) == 1 or any("." in os.fspath(x) or x == "-" or os.path.exists(x) for x in data)
