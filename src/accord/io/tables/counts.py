"""Counts per item and category, and confusion matrices → Ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from accord.errors import DataError, SpecError, quoted
from accord.io.reading import Reading
from accord.io.tables.choices import merged
from accord.io.tables.columns import Column
from accord.io.tables.roles import Roles, resolve
from accord.io.tables.sources import Source
from accord.model.labels import Label, arrange, label_name
from accord.model.ratings import Ratings


def read_counts(source: Source, how: Reading) -> Ratings:
    """The table that `--layout counts` or `--layout confusion` says it is."""
    check_options(how)
    ratings = _counted(source, how)
    if how.annotators:
        ratings = ratings.only_annotators(how.annotators)
    return merged(ratings, how)


def check_options(how: Reading) -> None:
    """Counts have no rows per label: what works on such rows cannot be asked for."""
    given = {"--label": how.label, "--missing": how.missing, "--fold": how.fold, "--by COLUMN": how.by,
             "keep": how.keep, "--only": how.only, "--sets": how.sets, "--annotator": how.annotator}  # fmt: skip
    if how.layout == "counts":
        given["--annotators"] = how.annotators
    for name, value in given.items():
        if value:
            raise SpecError(f"{name} does not work with --layout {how.layout}: it needs the labels themselves")


def _counted(source: Source, how: Reading) -> Ratings:
    assert how.layout is not None  # noqa: S101
    first = how.layout == "counts" and first_is_distinct(source) and not _numbers_only(source, source.header[0])
    roles = resolve(source.header, source.name, layout=how.layout, item=how.item, distinct_first=first)
    columns, _ = source.load(list(source.header))
    counts = np.stack([_numbers(source, name, columns[name]) for name in roles.labels], axis=1)
    names = [label_name(columns[roles.item].names[int(c)]) for c in columns[roles.item].codes] if roles.item else None
    if how.layout == "counts":
        return _items(counts, roles.labels, names, how)
    assert names is not None  # noqa: S101
    return _confusion(source, counts, names, roles.labels, how)


def _numbers(source: Source, name: str, column: Column) -> np.ndarray:
    numbers = np.array([_count(lab) for lab in column.names] + [0.0])[column.codes]
    bad = np.flatnonzero(np.isnan(numbers) | (numbers < 0) | (numbers % 1 != 0))
    if len(bad):
        cell = label_name(column.names[int(column.codes[bad[0]])])
        raise DataError(f"{source.place(int(bad[0]))}: {quoted(cell)} (column {quoted(name)}) is not a count")
    return numbers


def _order(labels: Sequence[str], how: Reading) -> tuple[str, ...]:
    """As declared; numbers by their size; words as they stand."""
    if how.categories is not None:
        declared = tuple(label_name(lab) for lab in how.categories)
        for label in labels:
            if label not in declared:
                raise DataError(f"label {quoted(label)} is not among the declared categories: declare it, too")
        return declared
    arranged = arrange(labels)
    return arranged.names if arranged.numeric else tuple(labels)


def _items(counts: np.ndarray, labels: Sequence[str], names: Sequence[str] | None, how: Reading) -> Ratings:
    order = _order(labels, how)
    table = np.zeros((len(counts), len(order)))
    table[:, [order.index(label) for label in labels]] = counts
    return Ratings.from_counts(table, order, names)


def _confusion(
    source: Source, counts: np.ndarray, names: Sequence[str], labels: Sequence[str], how: Reading
) -> Ratings:
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{source.name}: two rows of the confusion matrix are called {quoted(name)}")
    if not set(names) & set(labels):
        raise DataError(
            f"{source.name}: rows and columns of a confusion matrix name the same categories; "
            f"here rows are {quoted(names[0])} …, columns {quoted(labels[0])} …"
        )
    order = _order(tuple(dict.fromkeys([*names, *labels])), how)
    square = np.zeros((len(order), len(order)))
    square[np.ix_([order.index(n) for n in names], [order.index(n) for n in labels])] = counts
    corner = [part.strip() for part in re.split(r"[\\/|]", source.header[0])]
    annotators = (corner[0], corner[1]) if len(corner) == 2 and all(corner) else ("rows", "columns")
    return Ratings.from_confusion(square, order, annotators)


def _numbers_only(source: Source, column: str) -> bool:
    return all(not np.isnan(_count(lab)) for lab in source.load([column])[0][column].names)


def _count(label: Label) -> float:
    if label == "":
        return 0.0
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")


def looks_counted(roles: Roles, item: Column, cells: Column, n: int) -> str | None:
    """A wide table of small numbers may be counts that were meant differently: say so."""
    if len(cells.names) > 1000 or n > 100_000 or n < 2:
        return None
    numbers = np.array([_count(lab) for lab in cells.names] + [0.0])[cells.codes].reshape(n, -1)
    if np.isnan(numbers).any() or (numbers % 1 != 0).any() or (numbers < 0).any():
        return None
    if n == len(roles.labels) and {label_name(lab) for lab in item.names} == set(roles.labels):
        return "rows and columns have the same names: if this is a confusion matrix, say --layout confusion"
    total = numbers.sum(axis=1)
    if (numbers == 0).any() and total[0] > 1 and (total == total[0]).all():
        return "every row adds up to the same: if these are counts per category, say --layout counts"
    return None


def first_is_distinct(source: Source) -> bool:
    """A first column that never repeats and shares no value with the next one identifies the rows."""
    first, *rest = source.header
    columns, _ = source.load([first, *rest[:1]])
    column = columns[first]
    if len(column.names) < len(column.codes) or len(column.codes) < 2:
        return False
    others = {label_name(lab) for c in rest[:1] for lab in columns[c].names}
    return not others.intersection(label_name(column.names[i]) for i in range(min(len(column.names), 1000)))
