"""Two columns of labels, as `kappa(first, second)` takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io import read
from accord.data.model.data import Data
from accord.data.model.labels import is_missing, plain

_FOR_ROWS = ("layout", "item", "annotator", "label", "by", "keep")  # two columns leave nothing to say here
_SORTS: dict[type, str] = {int: "numbers", float: "numbers", str: "text", bool: "True and False"}
_ROW = (list, tuple, np.ndarray, Mapping)


def two_columns(first: Any, second: Any, name: str, reading: Mapping[str, Any]) -> Data:
    """The labels of two annotators, one label per item each."""
    for key in _FOR_ROWS:
        if key in reading:
            raise SpecError(
                "option-not-for-data", f"{key}: two columns of labels are not read from a table; leave it out"
            )
    a, b = _column(first, name), _column(second, name)
    if len(a) != len(b):
        raise DataError(
            "uneven-rows", f"{name}(first, second): {len(a):,} and {len(b):,} labels; both give one per item"
        )
    if len(sorts := {_sort(a), _sort(b)} - {""}) > 1 and "numbers" in sorts:
        raise DataError(
            "invalid-label",
            f"{name}(first, second): one gives {' and the other '.join(sorted(sorts))}; labels of different types are "
            "different labels: make them alike",
        )
    if _kind(a) == _kind(b) and _kind(a) in {"i", "u", "f"}:
        return read(np.column_stack([a, b]), **reading)  # the short way
    columns = {"A1": a, "A2": b}
    return read(columns, **{**reading, "layout": "wide", "label": tuple(columns)})


def _column(given: Any, name: str) -> Any:
    """Labels in a row: a list, an array, a Series."""
    if isinstance(given, str | bytes | os.PathLike):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes the labels of two annotators, not {quoted(given)}; "
            f"for several files write {name}([first, second])",
        )
    if isinstance(given, np.ma.MaskedArray):
        given = given.tolist()  # what is masked is None
    shape = getattr(given, "shape", None)
    if hasattr(given, "digest") or isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes two columns of labels, not {quoted(type(given).__name__)}",
        )
    if shape is None:
        given = _numbers(list(given))
        shape = getattr(given, "shape", None)
    if (shape is not None and len(shape) != 1) or (shape is None and any(isinstance(x, _ROW) for x in given)):
        raise DataError(
            "invalid-python-data",
            f"{name}(first, second) takes a column of labels from each; a whole table is the only argument",
        )
    return given


def _kind(column: Any) -> str:
    return str(column.dtype.kind) if isinstance(column, np.ndarray) else ""


def _sort(column: Any) -> str:
    """What all labels of a column are, where they are of one sort."""
    if _kind(column) in {"i", "u", "f"}:
        return "numbers"
    there = (x for x in column if not is_missing(x))
    found = {_SORTS.get(bool if isinstance(x, bool | np.bool_) else type(plain(x)), "") for x in there}
    return found.pop() if len(found) == 1 else ""


def _numbers(given: list[Any]) -> Any:
    """A list of numbers of one kind as an array: the labels are the same, and read much faster."""
    kinds = set(map(type, given))
    made = np.array(given) if kinds in ({int}, {float}) else None
    return made if made is not None and made.dtype.kind in "if" else given


def check_not_one_column(data: Any, name: str) -> None:
    """The labels of one annotator alone are the first half of a call that scikit-learn has taught."""
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
            f"this is one column of labels, and agreement needs two annotators at least: {name}(first, second), "
            "or rows with a label per annotator",
        )


def _could_be_paths(data: list[Any] | tuple[Any, ...]) -> bool:
    if not all(isinstance(x, str | os.PathLike) for x in data):
        return False
    return len(data) == 1 or any("." in os.fspath(x) or x == "-" or os.path.exists(x) for x in data)
