"""Distances and weights that the user gives: a CSV file, rows, or pairs of labels."""

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

# Of values and labels, where they stand, and what they are.
Check: TypeAlias = Callable[[Floats, tuple[str, ...], str, str], None]


@dataclass(frozen=True, repr=False)
class Matrix(Distance):
    """Any distances, from a CSV file or from `labels` and `rows`. Without labels, rows are in the categories' order."""

    file: str = ""
    labels: tuple[object, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    name: ClassVar[str] = "matrix"
    up_to_one: ClassVar[bool] = True  # taken as it is given
    summary: ClassVar[str] = 'any matrix from a CSV: matrix("costs.csv"), labels in the first row and column'
    meaning: ClassVar[str] = "distances"

    def __post_init__(self) -> None:
        if self.file:
            check_file_name(self.name, self.file)
        if bool(self.file) == bool(self.rows):
            raise SpecError(
                "option-missing", f'{self.name}: name a file, {self.name}("file.csv"), or give labels and rows'
            )

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(categories, _symmetric)

    def space_of_two(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        table = self._table(categories)
        return table if _uneven(table.matrix) is None else Directed(table.matrix, table.largest)

    def _table(self, categories: Categories, *checks: Check) -> DistanceTable:
        return self.table(lambda: self._chosen(categories, *checks), len(categories))

    def _chosen(self, categories: Categories, *checks: Check) -> Floats:
        """The matrix over the categories of the data, checked."""
        if self.file:
            labels, values = read_matrix(self.file)
        else:
            try:
                values = np.array(self.rows, dtype=np.float64)
            except (TypeError, ValueError):
                raise SpecError(
                    "matrix-invalid", "a matrix of labels is square, and all its cells are numbers"
                ) from None
            names = self.labels or categories.labels
            labels = tuple(label_name(label) for label in names)
        where = self.file or "the matrix"
        q = len(labels)
        if values.shape != (q, q):
            raise SpecError(
                "matrix-invalid",
                f"{where} is {' × '.join(map(str, values.shape))}, but there are {q} labels: it must be {q} × {q}",
            )
        for check in (_sound, *checks):
            check(values, labels, where, self.meaning)
        for label in categories.names:
            if label not in labels:
                raise DataError(
                    "matrix-invalid", f"label {quoted(label)} has no row in {where}: add one, or leave the label out"
                )
        at = [labels.index(name) for name in categories.names]
        return values[np.ix_(at, at)]


@dataclass(frozen=True, repr=False)
class WeightMatrix(Matrix):
    name: ClassVar[str] = "matrix"
    summary: ClassVar[str] = 'agreement weights from a CSV: matrix("weights.csv"), 1 on the diagonal'
    meaning: ClassVar[str] = "weights"

    def _table(self, categories: Categories, *checks: Check) -> DistanceTable:
        # Weights are taken as they are, also where none of them is 0.
        table = self.table(lambda: 1.0 - self._chosen(categories, *checks), len(categories))
        return DistanceTable(table.matrix, largest=1.0)


def from_pairs(given: Mapping[object, object], matrix: type[Matrix]) -> Distance:
    """{("a", "b"): 0.5, …}: the other direction and the diagonal follow."""
    pairs: dict[tuple[Label, Label], float] = {}
    for pair, value in given.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(value, int | float):
            raise SpecError("matrix-invalid", 'pairs of labels are written {("a", "b"): 0.5, …}')
        pairs[plain(pair[0]), plain(pair[1])] = float(value)
    labels = list(dict.fromkeys(label for pair in pairs for label in pair))
    same = 1.0 if matrix is WeightMatrix else 0.0
    rows = []
    for a in labels:
        row = []
        for b in labels:
            value = same if a == b else pairs.get((a, b), pairs.get((b, a)))
            if value is None:
                raise SpecError("matrix-invalid", f"no value for the pair {quoted(a)}, {quoted(b)}")
            row.append(float(value))
        rows.append(tuple(row))
    return matrix(labels=tuple(labels), rows=tuple(rows))


def _uneven(values: Floats) -> tuple[int, int] | None:
    """The first two labels that are not as far apart one way as the other."""
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
            f"{where}: {quoted(labels[i])} and {quoted(labels[j])}: {values[i, j]:g} one way, {values[j, i]:g} the "
            "other; the matrix must be symmetric, for nobody's label comes first here (only kappa of two annotators "
            "has a first and a second)",
        )


def _sound(values: Floats, labels: tuple[str, ...], where: str, meaning: str) -> None:
    def cell(bad: NDArray[np.bool_]) -> str:
        i, j = np.argwhere(bad)[0]
        return f"{where}: {quoted(labels[i])} and {quoted(labels[j])}"

    if not (np.abs(values) < 1e100).all():
        raise DataError(
            "matrix-invalid", f"{cell(~(np.abs(values) < 1e100))}: such a large number cannot be reckoned with"
        )
    diagonal = 1.0 if meaning == "weights" else 0.0
    off = np.diag(values) != diagonal
    if off.any():
        label = labels[int(np.argmax(off))]
        raise DataError(
            "matrix-invalid", f"{where}: {quoted(label)} with itself must be {diagonal:g}: {meaning} are expected here"
        )
    bad = (values < 0) | (values > 1) if meaning == "weights" else values < 0
    if bad.any():
        raise DataError(
            "matrix-invalid",
            f"{cell(bad)}: {meaning} {'lie between 0 and 1' if meaning == 'weights' else 'are not negative'}",
        )


def read_cells(path: str) -> list[tuple[int, list[str]]]:
    """The filled lines of a small CSV file, with their numbers."""
    text = read_text(Path(path))
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ";" if ";" in text.split("\n", 1)[0] else ","
    reader = csv.reader(text.splitlines(), delimiter=delimiter)
    return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]


def read_matrix(path: str) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """A square table: labels in the first row and in the first column, numbers inside."""
    rows = read_cells(path)
    if len(rows) < 2:
        raise DataError(
            "matrix-invalid",
            f"{path}: a matrix has its labels in the first row and in the first column; this file has none",
        )
    labels = tuple(rows[0][1][1:])
    if len(set(labels)) != len(labels):
        raise DataError("matrix-invalid", f"{path}:1: a label occurs twice")
    if len(rows) - 1 != len(labels):
        raise DataError(
            "matrix-invalid", f"{path}: {len(rows) - 1} rows but {len(labels)} columns: a matrix of labels is square"
        )
    values = np.empty((len(labels), len(labels)))
    seen = set()
    for line, row in rows[1:]:
        if len(row) != len(labels) + 1:
            raise DataError(
                "matrix-invalid", f"{path}:{line}: {len(row) - 1} numbers, the first row names {len(labels)} labels"
            )
        if row[0] not in labels or row[0] in seen:
            raise DataError(
                "matrix-invalid", f"{path}:{line}: row {quoted(row[0])} is not one of the columns, or stands here twice"
            )
        seen.add(row[0])
        for k, cell in enumerate(row[1:]):
            try:
                number = float(cell)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise DataError(
                    "matrix-invalid", f"{path}:{line}: {quoted(cell)} (column {quoted(labels[k])}) is not a number"
                )
            values[labels.index(row[0]), k] = number
    return labels, values
