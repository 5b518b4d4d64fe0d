"""Files and tables → model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, SpecError, UnknownName
from accord.io.ratings import Reading, read_ratings
from accord.io.sources import Source, in_folder, in_memory, open_file, standard_input
from accord.model.ratings import Ratings


def read(data: Any, **options: Any) -> Ratings:
    """A path, a folder, a table or rows of labels → Ratings.

    Options: layout, item, annotator, label, by, missing, keep_empty, fold, sets, categories, repeats, only, annotators,
    merge, encoding, delimiter, sheet (see docs/data.md).
    """
    found = read_all(data, **options)
    if len(found) > 1:
        raise DataError(f"several label columns: {', '.join(found)}; choose one with label=…, or use read_all")
    return next(iter(found.values()))


def read_all(data: Any, **options: Any) -> dict[str, Ratings]:
    """The same for a table with several label columns: Ratings by column name."""
    for key in options:
        if key not in Reading.__dataclass_fields__:
            raise UnknownName("option", key, Reading.__dataclass_fields__)
    how = Reading(**{key: _as_tuple(key, value) for key, value in options.items()})
    if isinstance(data, str | os.PathLike):
        data = [data]
    if _is_paths(data):
        return read_ratings([s for path in data for s in _sources(path, how)], how)
    if _is_rows(data):
        return {"label": _from_rows(data, how)}
    return read_ratings([in_memory(data)], how)


def _sources(path: str | os.PathLike[str], how: Reading) -> list[Source]:
    if str(path) == "-":
        return [standard_input(encoding=how.encoding, delimiter=how.delimiter)]
    place = Path(path)
    files = in_folder(place) if place.is_dir() else [place]
    return [open_file(f, encoding=how.encoding, delimiter=how.delimiter, sheet=how.sheet) for f in files]


def _is_paths(data: Any) -> bool:
    return isinstance(data, list | tuple) and len(data) > 0 and all(isinstance(p, str | os.PathLike) for p in data)


def _is_rows(data: Any) -> bool:
    return isinstance(data, np.ndarray | list | tuple)


def _from_rows(rows: Any, how: Reading) -> Ratings:
    array = rows if isinstance(rows, np.ndarray) else None
    if array is not None and array.ndim != 2:
        raise DataError(f"an array of ratings has two dimensions, items × annotators; this one has {array.ndim}")
    if how.item or how.annotator or how.by or how.label:
        raise SpecError("rows of labels have no named columns: give a dict or a table for item, annotator, label, by")
    plain = Reading(missing=how.missing, fold=how.fold, sets=how.sets, only=how.only, annotators=how.annotators,
                    merge=how.merge, categories=how.categories, repeats=how.repeats)  # fmt: skip
    if how.layout in {"counts", "confusion"}:
        table = np.asarray(rows)
        names = how.categories or tuple(range(1, table.shape[1] + 1))
        if how.layout == "counts":
            return Ratings.from_counts(table, names)
        return Ratings.from_confusion(table, names)
    if array is not None and array.dtype.kind in "iuf" and plain == Reading(categories=how.categories):
        return Ratings.from_rows(array, categories=how.categories)
    lists: Sequence[Sequence[object]] = array.tolist() if array is not None else rows
    if not lists:
        raise DataError("there are no rows")
    width = max(len(row) for row in lists)
    for i, row in enumerate(lists):
        if len(row) != width:
            raise DataError(f"row {i + 1} has {len(row)} labels, others have {width}")
    columns = {f"A{g + 1}": [row[g] for row in lists] for g in range(width)}
    wide = Reading(**{**plain.__dict__, "layout": "wide", "label": tuple(columns)})
    return read_ratings([in_memory(columns)], wide)["label"]


def _as_tuple(key: str, value: Any) -> Any:
    several = {"label", "by", "missing", "fold", "only", "annotators", "merge", "categories"}
    if key not in several or value is None:
        return value
    if isinstance(value, str):
        return tuple(value.split(",")) if key in {"annotators", "categories"} else (value,)
    return tuple(value)


__all__ = ["Reading", "read", "read_all"]
