"""Small files beside the data: a matrix of distances or weights, a hierarchy of labels."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import DataError, quoted
from accord.data.io.opening import read_text

_DEEPEST = 200  # levels of a hierarchy


def _rows(path: str) -> list[tuple[int, list[str]]]:
    text = read_text(Path(path))
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ";" if ";" in text.split("\n", 1)[0] else ","
    reader = csv.reader(text.splitlines(), delimiter=delimiter)
    return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]


def read_matrix(path: str) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """A square table: labels in the first row and in the first column, numbers inside."""
    rows = _rows(path)
    if len(rows) < 2:
        raise DataError(f"{path}: a matrix has its labels in the first row and in the first column; this file has none")
    labels = tuple(rows[0][1][1:])
    if len(set(labels)) != len(labels):
        raise DataError(f"{path}:1: a label occurs twice")
    if len(rows) - 1 != len(labels):
        raise DataError(f"{path}: {len(rows) - 1} rows but {len(labels)} columns: a matrix of labels is square")
    values = np.empty((len(labels), len(labels)))
    seen = set()
    for line, row in rows[1:]:
        if len(row) != len(labels) + 1:
            raise DataError(f"{path}:{line}: {len(row) - 1} numbers, the first row names {len(labels)} labels")
        if row[0] not in labels or row[0] in seen:
            raise DataError(f"{path}:{line}: row {quoted(row[0])} is not one of the columns, or stands here twice")
        seen.add(row[0])
        for k, cell in enumerate(row[1:]):
            try:
                number = float(cell)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise DataError(f"{path}:{line}: {quoted(cell)} (column {quoted(labels[k])}) is not a number")
            values[labels.index(row[0]), k] = number
    return labels, values


def read_parents(path: str) -> dict[str, str]:
    """A hierarchy: columns `label,parent`; a label without parent is at the top."""
    rows = _rows(path)
    if not rows or [cell.lower() for cell in rows[0][1][:2]] != ["label", "parent"]:
        raise DataError(f"{path}:1: a hierarchy has the columns label,parent")
    parents: dict[str, str] = {}
    for line, row in rows[1:]:
        label, parent = row[0], row[1] if len(row) > 1 else ""
        if not label:
            raise DataError(f"{path}:{line}: the label is empty")
        if label in parents:
            raise DataError(f"{path}:{line}: {quoted(label)} has two parents; a hierarchy is a tree")
        parents[label] = parent
    for parent in list(parents.values()):
        if parent:
            parents.setdefault(parent, "")
    for label in parents:
        node, steps = label, 0
        while parents[node]:
            node, steps = parents[node], steps + 1
            if steps > min(len(parents), _DEEPEST):
                raise DataError(f"{path}: {quoted(label)} is its own ancestor, or more than {_DEEPEST} levels deep")
    return parents
