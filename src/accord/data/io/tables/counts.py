"""Counts per item and category, and confusion matrices → Ratings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.choices import merged
from accord.data.io.tables.columns import Column
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.headerless import as_finite
from accord.data.io.tables.roles import is_no_name, listed, plain_name, resolve
from accord.data.io.tables.sources import Source
from accord.data.model.labels import Label, arrange, label_name
from accord.data.model.ratings import Ratings

TOTAL = ("total", "totals", "sum", "sums", "summe", "gesamt", "insgesamt", "somme", "totale", "suma", "totaal",
         "grand_total", "row_total", "column_total", "margin", "∑", "σ")  # fmt: skip
_SUMMARIES = ("mean", "average", "avg", "median", "sd", "kappa", "cohen", "cohens", "fleiss", "alpha", "krippendorff",
              "krippendorffs", "agreement", "percent", "percentage", "total", "sum", "mittelwert", "summe",
              "übereinstimmung")  # fmt: skip
_LARGEST_COUNT = 2.0**53  # beyond, floating point does not count by ones
_SUMMED = ("row", "rows", "col", "cols", "column", "columns", "grand", "overall", "of")


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
    source, bare = _with_header_or_not(source, how)
    columns, _ = source.load(list(source.header))
    if bare:
        text = not all(not np.isnan(as_count(lab)) for lab in columns[source.header[0]].names)
        item = source.header[0] if text else None
        labels = source.header[1:] if text else source.header
    else:
        first = how.layout == "counts" and first_is_distinct(source) and not _numbers_only(source, source.header[0])
        roles = resolve(source.header, source.name, layout=how.layout, item=how.item, distinct_first=first)
        item, labels = roles.item, roles.labels
    if not labels:
        raise DataError(f"{source.name}: there is no column of counts beside {quoted(source.header[0])}")
    counts = np.stack([_numbers(source, name, columns[name]) for name in labels], axis=1)
    names = _names_of(columns[item]) if item else None
    if not bare:
        return _made(source, counts, names, labels, how)
    if how.layout == "confusion":
        if counts.shape[0] != counts.shape[1]:
            shape = " × ".join(map(str, counts.shape))
            raise DataError(f"{source.name}: a confusion matrix is square; without a header, this one is {shape}")
        names = list(_numbered(names, len(counts), how))
    labels = tuple(names) if how.layout == "confusion" and names else _numbered(None, counts.shape[1], how)
    note = f"there is no header: categories are {listed(labels)}"
    return _made(source, counts, names, labels, how).with_notes(note)


def _names_of(column: Column) -> list[str]:
    """Of rows; a cell that is nothing names none."""
    return [label_name(column.names[code]) if code >= 0 else "" for code in column.codes.tolist()]


def _made(
    source: Source, counts: np.ndarray, names: list[str] | None, labels: tuple[str, ...], how: Reading
) -> Ratings:
    counts, names, labels, notes = _without_totals(source.name, counts, names, labels)
    if how.layout == "counts":
        return _items(counts, labels, names, how).with_notes(*notes)
    assert names is not None  # noqa: S101
    return _confusion(source, counts, names, labels, how).with_notes(*notes)


def _with_header_or_not(source: Source, how: Reading) -> tuple[Source, bool]:
    """The table, and whether it has no header: its first line is counts, where a header would name categories."""
    if not isinstance(source, DelimitedTable):
        return source, False
    if source.named is not None:
        return source, True
    numbers = [as_finite(name) for name in source.header]
    known = [n for n in (numbers if numbers[0] is not None else numbers[1:]) if n is not None]
    if len(known) < len(numbers) - 1 or len(known) < 2 or (how.layout == "counts" and numbers[0] is None):
        return source, False
    columns = source.load(source.header)[0]
    if how.layout == "confusion":
        bare = len(columns[source.header[0]].codes) + 1 == len(known)
    else:
        bare = not all(a < b for a, b in pairwise(known))
        table = np.stack([_numbers(source, name, columns[name]) for name in source.header[-len(known) :]], axis=1)
        if not bare and how.categories is None and (table.sum(axis=1) == sum(known)).all():
            raise DataError(
                f"{source.name}:1: is this a row already, or what the categories are called ({listed(source.header)})? "
                "Say --no-header if it is a row, --categories if they are names"
            )
    return (source.without_header(), True) if bare else (source, False)


def _numbered(names: Sequence[str] | None, size: int, how: Reading) -> tuple[str, ...]:
    """Categories where no header names them: as declared, as the rows are called, or by number."""
    if names is not None:
        return tuple(names)
    if how.categories is not None and len(how.categories) == size:
        return tuple(label_name(lab) for lab in how.categories)
    return tuple(str(k + 1) for k in range(size))


def _without_totals(
    where: str, counts: np.ndarray, names: list[str] | None, labels: tuple[str, ...]
) -> tuple[np.ndarray, list[str] | None, tuple[str, ...], list[str]]:
    """Rows and columns of totals left out: they are called so, or are nameless, and are the sums of the others."""
    notes = []
    last = names[-1] if names else ""
    row = len(counts) > 2 and bool((counts[-1] == counts[:-1].sum(axis=0)).all()) and counts[-1].sum() > 0
    column = len(labels) > 2 and bool((counts[:, -1] == counts[:, :-1].sum(axis=1)).all()) and counts[:, -1].sum() > 0
    for side, name, summed in (("row", last, row), ("column", labels[-1], column)):
        if is_total(name) and not summed and name:
            raise DataError(
                f"{where}: the {side} {quoted(name)} is not the sum of the others: put it right, or take it out"
            )
    if row and column and names and not is_no_name(last) and not (is_total(last) or is_total(labels[-1])):
        raise DataError(
            f"{where}: the last row ({quoted(last)}) and the last column are the sums of the others: "
            "call them Total, or take them out"
        )
    # Where one margin is a total by its name, the other that adds up is one, too.
    margins = row and column and (is_total(last) or is_total(labels[-1]))
    if column and (margins or is_total(labels[-1]) or is_no_name(labels[-1])):
        notes.append(f"the column {quoted(labels[-1])} is a total: left out")
        counts, labels = counts[:, :-1], labels[:-1]
    if row and names and (margins or is_total(last) or is_no_name(last)):
        notes.append(f"the row {quoted(last)} is a total: left out")
        counts, names = counts[:-1], names[:-1]
    return counts, names, labels, notes


def is_total(name: str) -> bool:
    """Total, Row total, col. sums: words for a sum, and for what is summed."""
    words = [word.strip(".:()") for word in plain_name(name).split("_") if word]
    return plain_name(name) in TOTAL or (
        any(word in TOTAL for word in words) and all(word in TOTAL or word in _SUMMED for word in words)
    )


def is_summary(name: str) -> bool:
    """A row below the items that is called Total, Mean, Kappa: or Percent agreement."""
    plain = re.sub(r"['’]s\b|[:%()=]", " ", name.lower())
    return is_total(name.rstrip(": ")) or (bool(plain.split()) and all(word in _SUMMARIES for word in plain.split()))


def _numbers(source: Source, name: str, column: Column) -> np.ndarray:
    numbers = np.array([as_count(lab) for lab in column.names] + [0.0])[column.codes]
    bad = np.flatnonzero(~are_counts(numbers))
    if len(bad):
        cell = label_name(column.names[int(column.codes[bad[0]])])
        raise DataError(f"{source.place(int(bad[0]))}: {quoted(cell)} (column {quoted(name)}) is not a count")
    return numbers


def are_counts(numbers: np.ndarray) -> np.ndarray:
    return (numbers >= 0) & (numbers <= _LARGEST_COUNT) & (np.floor(numbers) == numbers)


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
    if not names:
        raise DataError(f"{source.name}: the confusion matrix has no rows")
    if "" in names:
        place = source.place(list(names).index(""))
        raise DataError(f"{place}: a row of a confusion matrix is a category, and this one has no name")
    for name, times in Counter(names).items():
        if times > 1:
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
    return all(not np.isnan(as_count(lab)) for lab in source.load([column])[0][column].names)


def as_count(label: Label) -> float:
    """Nothing is 0; NaN where it is no number."""
    if isinstance(label, str) and not label:
        return 0.0
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):  # of 400 digits: more than anybody counts
        return float("nan")


def _share(label: Label) -> float:
    """A count, or a percentage."""
    return as_count(label.strip().rstrip("%").replace(",", ".") if isinstance(label, str) else label)


def refuse_confusion(header: Sequence[str], columns: Mapping[str, Column], where: str) -> None:
    """Numbers whose rows and columns have the same names are rarely labels of annotators: who knows must say it."""
    first, *rest = header
    if len(columns[first].names) > len(header):
        return
    rows = {label_name(lab) for lab in columns[first].names}
    categories = {name for name in rest if not is_total(name)}
    if len(categories) < 2 or {name for name in rows if not is_total(name)} != categories:
        return
    if all(not np.isnan(_share(lab)) for name in rest for lab in columns[name].names):
        raise DataError(
            f"{where}: rows and columns have the same names: say --layout confusion if these are numbers of pairs of "
            "labels, or --layout wide if columns are annotators, and rows items"
        )


def first_is_distinct(source: Source) -> bool:
    """A first column that never repeats and shares no value with the next one identifies the rows."""
    first, *rest = source.header
    columns, _ = source.load([first, *rest[:1]])
    column = columns[first]
    if len(column.names) < len(column.codes) or len(column.codes) < 2:
        return False
    others = {label_name(lab) for c in rest[:1] for lab in columns[c].names}
    return not others.intersection(label_name(column.names[i]) for i in range(min(len(column.names), 1000)))
