"""Custom distances and weights: a CSV file, rows, or pairs of labels."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats
from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.opening import read_text
from accord.data.model.labels import Categories, Label, label_name, plain
from accord.measures.distances.spaces import Directed, Distance, DistanceTable, Space, check_file_name

# Arguments: values, labels, the source for messages, and the meaning of the numbers.
Check: TypeAlias = Callable[[Floats, tuple[str, ...], str, str], None]


@dataclass(frozen=True, repr=False)
class Matrix(Distance):
    """Custom distances from a CSV file, or from `labels` and `rows`. Without labels, rows follow the category order."""

    file: str = ""
    labels: tuple[object, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    name: ClassVar[str] = "matrix"
    up_to_one: ClassVar[bool] = True  # used unchanged
    summary: ClassVar[str] = 'any matrix from a CSV: matrix("costs.csv"), labels in the first row and column'
    meaning: ClassVar[str] = "distances"

    def __post_init__(self) -> None:
        if self.file:
            check_file_name(self.name, self.file)
        if bool(self.file) == bool(self.rows):
            raise SpecError(
                "option-missing", f'{self.name}: give either a file, {self.name}("file.csv"), or labels and rows'
            )

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(categories, _symmetric)

    def space_of_two(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        table = self._table(categories)
        return table if _uneven(table.matrix) is None else Directed(table.matrix, table.largest)

    def _table(self, categories: Categories, *checks: Check) -> DistanceTable:
        return self.table(lambda: self._chosen(categories, *checks), len(categories))

    def _chosen(self, categories: Categories, *checks: Check) -> Floats:
        """Return the checked matrix for the categories of the data."""
        if self.file:
            labels, values = read_matrix(self.file)
        else:
            try:
                values = np.array(self.rows, dtype=np.float64)
            except (TypeError, ValueError):
                raise SpecError(
                    "matrix-invalid", "a matrix of labels must be square and contain numbers only"
                ) from None
            names = self.labels or categories.labels
            labels = tuple(label_name(label) for label in names)
        where = self.file or "the matrix"
        q = len(labels)
        if values.shape != (q, q):
            raise SpecError(
                "matrix-invalid",
                f"{where} is {' × '.join(map(str, values.shape))}, but there are {q} labels: give {q} × {q} numbers",
            )
        for check in (_sound, *checks):
            check(values, labels, where, self.meaning)
        for label in categories.names:
            if label not in labels:
                raise DataError(
                    "matrix-invalid",
                    f"label {quoted(label)} has no row in {where}; add a row and a column, "
                    f"or use --missing {quoted(label)}",
                )
        at = [labels.index(name) for name in categories.names]
        return values[np.ix_(at, at)]


@dataclass(frozen=True, repr=False)
class WeightMatrix(Matrix):
    name: ClassVar[str] = "matrix"
    summary: ClassVar[str] = 'agreement weights from a CSV: matrix("weights.csv"), 1 on the diagonal'
    meaning: ClassVar[str] = "weights"

    def _table(self, categories: Categories, *checks: Check) -> DistanceTable:
        # Weights are used unchanged, even if none of them is 0.
        table = self.table(lambda: 1.0 - self._chosen(categories, *checks), len(categories))
        return DistanceTable(table.matrix, largest=1.0)


def from_pairs(given: Mapping[object, object], matrix: type[Matrix]) -> Distance:
    """Return the matrix of {("a", "b"): 0.5, …}; the reverse pairs and the diagonal are filled in."""
    pairs: dict[tuple[Label, Label], float] = {}
    for pair, value in given.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(value, int | float):
            raise SpecError("matrix-invalid", 'keys must be pairs of labels; write {("a", "b"): 0.5, …}')
        pairs[plain(pair[0]), plain(pair[1])] = float(value)
    labels = list(dict.fromkeys(label for pair in pairs for label in pair))
    same = 1.0 if matrix is WeightMatrix else 0.0
    rows = []
    for a in labels:
        row = []
        for b in labels:
            value = same if a == b else pairs.get((a, b), pairs.get((b, a)))
            if value is None:
                raise SpecError("matrix-invalid", f"there is no value for the pair {quoted(a)}, {quoted(b)}; add it")
            row.append(float(value))
        rows.append(tuple(row))
    return matrix(labels=tuple(labels), rows=tuple(rows))


def _uneven(values: Floats) -> tuple[int, int] | None:
    """Return the first two labels with different values in the two directions."""
    uneven = ~np.isclose(values, values.T, rtol=0, atol=1e-12)
    if not uneven.any():
        return None
    i, j = np.argwhere(uneven)[0]
    return int(i), int(j)


def _symmetric(values: Floats, labels: tuple[str, ...], where: str, meaning: str) -> None:  # noqa: ARG001
    found = _uneven(values)
    if found is not None:
        i, j = found
        raise DataError(
            "matrix-invalid",
            f"{where}: the values for {quoted(labels[i])} and {quoted(labels[j])} are {values[i, j]:g} and "
            f"{values[j, i]:g}; make the matrix symmetric (only kappa with two annotators accepts two values)",
        )


def _sound(values: Floats, labels: tuple[str, ...], where: str, meaning: str) -> None:
    def cell(bad: NDArray[np.bool_]) -> str:
        i, j = np.argwhere(bad)[0]
        return f"{where}: {quoted(labels[i])} and {quoted(labels[j])}"

    if not (np.abs(values) < 1e100).all():
        raise DataError(
            "matrix-invalid",
            f"{cell(~(np.abs(values) < 1e100))}: the number is too large to compute with; give one below 1e100",
        )
    diagonal = 1.0 if meaning == "weights" else 0.0
    off = np.diag(values) != diagonal
    if off.any():
        label = labels[int(np.argmax(off))]
        raise DataError(
            "matrix-invalid",
            f"{where}: {quoted(label)} with itself must be {diagonal:g} in a matrix of {meaning}; correct the diagonal",
        )
    bad = (values < 0) | (values > 1) if meaning == "weights" else values < 0
    if bad.any():
        raise DataError(
            "matrix-invalid",
            f"{cell(bad)}: {meaning} must {'lie between 0 and 1' if meaning == 'weights' else 'not be negative'}",
        )


def read_cells(path: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty lines of a small CSV file, with their line numbers."""
    text = read_text(Path(path))
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ";" if ";" in text.split("\n", 1)[0] else ","
    reader = csv.reader(text.splitlines(), delimiter=delimiter)
    return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]


def read_matrix(path: str) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Read a square table with labels in the first row and the first column."""
    rows = read_cells(path)
    if len(rows) < 2:
        raise DataError(
            "matrix-invalid",
            f"{path}: the file has no labels; write them in the first row and in the first column",
        )
    labels = tuple(rows[0][1][1:])
    if len(set(labels)) != len(labels):
        raise DataError("matrix-invalid", f"{path}:1: a label occurs twice in the first row; delete one of its columns")
    if len(rows) - 1 != len(labels):
        raise DataError(
            "matrix-invalid",
            f"{path}: {len(rows) - 1} rows but {len(labels)} columns; make the matrix square",
        )
    values = np.empty((len(labels), len(labels)))
    seen = set()
    for line, row in rows[1:]:
        if len(row) != len(labels) + 1:
            raise DataError(
                "matrix-invalid",
                f"{path}:{line}: {len(row) - 1} numbers for {len(labels)} labels; give one number per label",
            )
        if row[0] not in labels or row[0] in seen:
            raise DataError(
                "matrix-invalid",
                f"{path}:{line}: row {quoted(row[0])} is not a column, or occurs twice; give one row per column",
            )
        seen.add(row[0])
        for k, cell in enumerate(row[1:]):
            try:
                number = float(cell)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise DataError(
                    "matrix-invalid",
                    f"{path}:{line}: {quoted(cell)} (column {quoted(labels[k])}) is not a number; correct it",
                )
            values[labels.index(row[0]), k] = number
    return labels, values
