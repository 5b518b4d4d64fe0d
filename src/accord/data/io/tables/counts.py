"""Counts per item and category, and confusion matrices: read them if declared, refuse tables that look like them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import apply_merge
from accord.data.io.tables.columns import Column, cells_of
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.evidence import Profile, interval_alpha, nominal_alpha
from accord.data.io.tables.header import as_finite
from accord.data.io.tables.roles import (
    ITEM,
    calls_an_annotator,
    calls_codes,
    in_full,
    is_called,
    is_category,
    is_code,
    is_document,
    is_no_name,
    is_person,
    is_variable,
    listed,
    may_be_code,
    plain_name,
)
from accord.data.io.tables.sources import Source
from accord.data.io.tables.variables import forms_a_grid, of_named_annotators
from accord.data.model.labels import Label, arrange, label_name
from accord.data.model.ratings import Ratings

TOTAL = ("total", "totals", "sum", "sums", "summe", "gesamt", "insgesamt", "somme", "totale", "suma", "totaal",
         "grand_total", "row_total", "column_total", "margin", "∑", "σ")  # fmt: skip
_SUMMARIES = ("mean", "average", "avg", "median", "sd", "kappa", "cohen", "cohens", "fleiss", "alpha", "krippendorff",
              "krippendorffs", "agreement", "percent", "percentage", "total", "sum", "mittelwert", "summe",
              "übereinstimmung")  # fmt: skip
_LONGEST_LIST = 1_000  # characters of categories in a message
_LARGEST_COUNT = 2.0**53  # beyond this, floats skip whole numbers
_SUMMED = ("row", "rows", "col", "cols", "column", "columns", "grand", "overall", "of")


def read_counts(source: Source, how: Reading) -> Ratings:
    """Read a table that the user declared as `--layout counts` or `--layout confusion`."""
    check_options(how)
    ratings = _counted(source, how)
    if how.annotators:
        ratings = ratings.only_annotators(how.annotators)
    return apply_merge(ratings, how)


def check_options(how: Reading) -> None:
    """Refuse options that need single labels, which counts do not have."""
    given = {"--missing": how.missing, "--fold": how.fold, "--by COLUMN": how.by, "keep": how.keep,
             "--only": how.only, "--sets": how.sets, "--annotator": how.annotator}  # fmt: skip
    given |= {"--annotators": how.annotators} if how.layout == "counts" else {"--label": how.label}
    for name, value in given.items():
        if value:
            raise SpecError(
                "option-not-for-data",
                f"{name} does not apply to --layout {how.layout}, because counts contain no single labels; leave it "
                "out, or read a table with one row per label",
            )


def _counted(source: Source, how: Reading) -> Ratings:
    assert how.layout is not None
    source, bare = _with_header_or_not(source, how)
    columns, _ = source.load(list(source.header))
    if bare:
        text = not all(not np.isnan(as_count(lab)) for lab in columns[source.header[0]].names)
        item = source.header[0] if text else None
        labels = source.header[1:] if text else source.header
    else:
        first = (
            how.layout == "counts"
            and (source.header[0] not in how.label if how.label else True)
            and first_is_distinct(source)
            and not _numbers_only(source, source.header[0])
        )
        named = how.layout == "confusion" or is_called(source.header[0], ITEM) or first
        item = how.item or (source.header[0] if named else None)
        if item is not None and item not in source.header:
            raise UnknownName("item column", item, source.header)
        labels = how.label or tuple(name for name in source.header if name != item)
        for label in labels:
            if label not in source.header:
                raise UnknownName("column of votes", label, source.header)
    if not labels:
        raise DataError(
            "column-missing",
            f"{source.name}: {quoted(source.header[0])} is the only column; a table of counts has one column per "
            "category. If cells are separated by another sign, use --delimiter SIGN",
        )
    counts = np.stack([_numbers(source, name, columns[name]) for name in labels], axis=1)
    names = cells_of(columns[item]) if item is not None else None
    labels = without_votes(labels)
    if not bare:
        return _made(source, counts, names, labels, how)
    if how.layout == "confusion":
        if counts.shape[0] != counts.shape[1]:
            shape = " × ".join(map(str, counts.shape))
            raise DataError(
                "layout-unclear",
                f"{source.name}: a confusion matrix without a header row must be square, but this one is {shape}; add "
                "a header row with the categories, or use --layout counts if the rows are items",
            )
        names = list(_numbered(names, len(counts), how))
    labels = tuple(names) if how.layout == "confusion" and names else _numbered(None, counts.shape[1], how)
    note = f"the table has no header row: the categories are named {listed(labels)}"
    return _made(source, counts, names, labels, how).with_notes(note)


def _made(
    source: Source, counts: np.ndarray, names: list[str] | None, labels: tuple[str, ...], how: Reading
) -> Ratings:
    counts, names, labels, notes = _without_totals(source.name, counts, names, labels)
    if how.layout == "counts":
        return _items(counts, labels, names, how).with_notes(*notes)
    assert names is not None
    return _confusion(source, counts, names, labels, how).with_notes(*notes)


def _with_header_or_not(source: Source, how: Reading) -> tuple[Source, bool]:
    """Return the table and whether it lacks a header row, because its first line contains counts."""
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
                "header-row",
                f"{source.name}:1: the first row may be data or names of categories ({listed(source.header)}); use "
                f'--no-header if it is data, or --categories "{",".join(source.header[-len(known) :])}" if these are '
                "names",
            )
    return (source.without_header(), True) if bare else (source, False)


def _numbered(names: Sequence[str] | None, size: int, how: Reading) -> tuple[str, ...]:
    """Name categories without a header row: as declared, like the rows, or by number."""
    if names is not None:
        return tuple(names)
    if how.categories is not None and len(how.categories) == size:
        return tuple(label_name(lab) for lab in how.categories)
    return tuple(str(k + 1) for k in range(size))


def _without_totals(
    where: str, counts: np.ndarray, names: list[str] | None, labels: tuple[str, ...]
) -> tuple[np.ndarray, list[str] | None, tuple[str, ...], list[str]]:
    """Leave out rows and columns of totals. Their name shows it, or they are nameless and the sums of the others."""
    notes = []
    last = names[-1] if names else ""
    row = len(counts) > 2 and bool((counts[-1] == counts[:-1].sum(axis=0)).all()) and counts[-1].sum() > 0
    column = len(labels) > 2 and bool((counts[:, -1] == counts[:, :-1].sum(axis=1)).all()) and counts[:, -1].sum() > 0
    for side, name, summed in (("row", last, row), ("column", labels[-1], column)):
        if is_total(name) and not summed and name:
            raise DataError(
                "invalid-counts",
                f"{where}: the {side} {quoted(name)} is not the sum of the others; correct it, delete it, or rename "
                "it if it is no total",
            )
    if row and column and names and not is_no_name(last) and not (is_total(last) or is_total(labels[-1])):
        raise DataError(
            "invalid-counts",
            f"{where}: the last row ({quoted(last)}) and the last column are the sums of the others; rename them to "
            "Total, or delete them",
        )
    # If the name of one margin marks it as a total, the other margin is one too if it adds up.
    margins = row and column and (is_total(last) or is_total(labels[-1]))
    if column and (margins or is_total(labels[-1]) or is_no_name(labels[-1])):
        notes.append(f"column {quoted(labels[-1])} is left out because it is a total")
        counts, labels = counts[:, :-1], labels[:-1]
    if row and names and (margins or is_total(last) or is_no_name(last)):
        notes.append(f"row {quoted(last)} is left out because it is a total")
        counts, names = counts[:-1], names[:-1]
    return counts, names, labels, notes


def is_total(name: str) -> bool:
    """Whether a name means total: Total, Row total, col. sums."""
    words = [word.strip(".:()") for word in plain_name(name).split("_") if word]
    return plain_name(name) in TOTAL or (
        any(word in TOTAL for word in words) and all(word in TOTAL or word in _SUMMED for word in words)
    )


def is_summary(name: str) -> bool:
    """Whether a row below the items summarises them: Total, Mean, Kappa: or Percent agreement, Total yes."""
    plain = re.sub(r"['’]s\b|[:%()=]", " ", name.lower())
    words = plain.split()
    return is_total(name.rstrip(": ")) or (bool(words) and words[0] in _SUMMARIES)


def _numbers(source: Source, name: str, column: Column) -> np.ndarray:
    numbers = np.array([as_count(lab) for lab in column.names] + [0.0])[column.codes]
    bad = np.flatnonzero(~are_counts(numbers))
    if len(bad):
        cell = label_name(column.names[int(column.codes[bad[0]])])
        raise DataError(
            "invalid-counts",
            f"{source.place(int(bad[0]))}: {quoted(cell)} (column {quoted(name)}) is not a count; write a whole "
            "number of at least 0, or use --item COLUMN if this column names the items",
        )
    return numbers


def are_counts(numbers: np.ndarray) -> np.ndarray:
    return (numbers >= 0) & (numbers <= _LARGEST_COUNT) & (np.floor(numbers) == numbers)


def _order(labels: Sequence[str], how: Reading) -> tuple[str, ...]:
    """Return the labels as declared; otherwise numbers by size, and words in the order of the table."""
    if how.categories is not None:
        declared = tuple(label_name(lab) for lab in how.categories)
        missing = [label for label in labels if label not in declared]
        if missing:
            every = ",".join((*declared, *missing))
            raise DataError(
                "undeclared-category",
                f"label {quoted(missing[0])} is not among the declared categories; use --categories "
                f"{quoted(every, _LONGEST_LIST)}",
            )
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
        raise DataError(
            "file-empty", f"{source.name}: the confusion matrix has no rows; write one row per category of counts"
        )
    if "" in names:
        place = source.place(list(names).index(""))
        raise DataError(
            "invalid-counts",
            f"{place}: the row has no name; write its category into the first column of the confusion matrix",
        )
    for name, times in Counter(names).items():
        if times > 1:
            raise DataError(
                "invalid-counts",
                f"{source.name}: the confusion matrix has two rows with the name {quoted(name)}; rename one, or add "
                "them up",
            )
    if not set(names) & set(labels):
        raise DataError(
            "invalid-counts",
            f"{source.name}: the rows ({quoted(names[0])} …) and the columns ({quoted(labels[0])} …) share no "
            "category; a confusion matrix has the same categories in both. Use --layout counts if the rows are items",
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
    """Return a count: 0 for an empty cell, NaN if it is not a number."""
    if isinstance(label, str) and not label:
        return 0.0
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):  # an integer of 400 digits
        return float("nan")


def _share(label: Label) -> float:
    """Return a count or percentage."""
    return as_count(label.strip().rstrip("%").replace(",", ".") if isinstance(label, str) else label)


def refuse_confusion(header: Sequence[str], columns: Mapping[str, Column], where: str) -> None:
    """Refuse numbers in rows and columns of the same names, because they are rarely labels."""
    first, *rest = header
    if len(columns[first].names) > len(header):
        return
    rows = {label_name(lab) for lab in columns[first].names}
    categories = {name for name in rest if not is_total(name)}
    if len(categories) < 2 or {name for name in rows if not is_total(name)} != categories:
        return
    if all(not np.isnan(_share(lab)) for name in rest for lab in columns[name].names):
        raise DataError(
            "layout-unclear",
            f"{where}: rows and columns have the same names; use --layout confusion if the cells count pairs of "
            "labels, or --layout wide if rows are items and columns annotators",
        )


def first_is_distinct(source: Source) -> bool:
    """Whether the first column names the rows: its values never repeat, and the next column has none of them."""
    first, *rest = source.header
    columns, _ = source.load([first, *rest[:1]])
    column = columns[first]
    if len(column.names) < len(column.codes) or len(column.codes) < 2:
        return False
    others = {label_name(lab) for c in rest[:1] for lab in columns[c].names}
    return not others.intersection(label_name(column.names[i]) for i in range(min(len(column.names), 1000)))


# -- Columns of votes beside other columns --

_VOTES = re.compile(
    r"(?:n|no|num|number)?[ _.\-]*(?:of[ _])?votes?[ _.\-:]+(?:for[ _])?(?P<after>.+)|(?P<before>.+?)[ _.\-:]+votes?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:n|num|count|number)[ _.\-](?:of[ _])?(?P<after>.+)|(?P<before>.+?)[ _.\-](?:counts?|n)", re.IGNORECASE
)
_VOTERS = ("num_votes", "n_votes", "votes", "total_votes", "num_annotators", "n_annotators", "annotators", "num_raters",
           "n_raters", "raters", "num_users", "n_users", "num_workers", "n_workers",
           "num_coders", "n_coders", "judgments", "n_judgments", "num_judgments", "num_labels", "n_labels")  # fmt: skip
_TOTALS = (*TOTAL, "count", "n", *_VOTERS)
_FEWEST = 6  # rows that show a pattern


@dataclass(frozen=True)
class Votes:
    """Columns of votes per category, why they are votes, and the columns that follow from them with role and reason."""

    columns: tuple[str, ...]
    reason: str
    beside: tuple[tuple[str, str, str], ...] = ()


def find_votes_in(columns: Sequence[Profile]) -> Votes | None:
    """Return the columns of votes, if their names, a total or the most frequent category show that they are."""
    counted = {p.name: n for p in columns if p.n and not p.counts_up and (n := _counts(p.column)) is not None}
    counted = {name: np.nan_to_num(n) for name, n in counted.items() if len(n) >= 2}
    named = tuple(name for name in counted if _VOTES.fullmatch(name) and not is_called(name, _TOTALS))
    if len(named) > 1 and np.stack([counted[name] for name in named]).max() > 0:
        return Votes(named, "their names", _follows(columns, counted, named))
    if len(columns[0].column.codes) < _FEWEST:
        return None
    totals = [name for name in counted if is_called(name, _TOTALS) and counted[name].max() >= 2]
    for total in totals:
        group = _adding_up(counted, total)
        if group is None or any(map(calls_an_annotator, group)) or sum(map(is_person, group)) >= _SOME * len(group):
            continue  # Ana, Ben, Total: points of annotators
        beside = _follows(columns, counted, group)
        # Codes of a document add up, too. A name or the most frequent category shows that annotators voted.
        if (
            is_called(total, _VOTERS)
            or any(role == "covariate" for _, role, _ in beside)
            or all(map(is_category, group))
        ):
            return Votes(group, f"their sum is column {quoted(total)}", beside)
    return None


def _adding_up(counted: Mapping[str, NDArray[np.float64]], total: str) -> tuple[str, ...] | None:
    """Return neighbouring columns of counts whose sum is the total in every row."""
    names = [name for name in counted if name != total]
    for size in range(len(names), 1, -1):
        for start in range(len(names) - size + 1):
            group = names[start : start + size]
            numbers = np.stack([counted[name] for name in group])
            if (
                (numbers.sum(axis=0) == counted[total]).all()
                and (numbers == 0).any()
                and (numbers > 0).any(axis=1).all()
            ):
                return tuple(group)
    return None


def _follows(
    columns: Sequence[Profile], counted: Mapping[str, NDArray[np.float64]], group: Sequence[str]
) -> tuple[tuple[str, str, str], ...]:
    """Return the columns that follow from the votes: their sum, and the category with most votes."""
    numbers = np.stack([counted[name] for name in group])
    total, largest = numbers.sum(axis=0), numbers.argmax(axis=0)
    clear = (numbers == numbers.max(axis=0)).sum(axis=0) == 1
    found = []
    for profile in columns:
        if profile.name in group:
            continue
        if profile.name in counted and (counted[profile.name] == total).all():
            found.append((profile.name, "total", "sum of the votes"))
        elif 1 < profile.distinct <= len(group) and clear.sum() >= _FEWEST:
            pairs = set(zip(profile.column.codes[clear].tolist(), largest[clear].tolist(), strict=True))
            if len(pairs) == len({code for code, _ in pairs}) == len({k for _, k in pairs}):
                found.append((profile.name, "covariate", "the category with most votes"))
    return tuple(found)


def calls_a_number(name: str) -> bool:
    """Whether a name means a number of labels or things: count_hate, n_votes, like_count."""
    return is_called(name, _TOTALS) or bool(
        _VOTES.fullmatch(name)
        or re.fullmatch(r"(?:n|num|counts?|number)[ _.\-](?:of[ _])?[a-z].*|.+[ _.\-]counts?", name, re.IGNORECASE)
    )


def without_votes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the categories of columns of votes: votes_no and votes_1 become no and 1."""
    matches = [_VOTES.fullmatch(name) or _COUNTED.fullmatch(name) for name in names]
    if len(names) < 2 or not all(matches):
        return names
    short = tuple(match["after"] or match["before"] for match in matches if match)
    return short if len(set(short)) == len(names) else names


# -- Ratings or counts --
#
# A matrix of documents and codes looks like annotators who give 0, 1 and 2. Four signs decide, in this order. Sums: the
# same number of raters per item. Names: coder1 and Ana are annotators, Code A and positive are not. Agreement:
# annotators of the same items agree. Exclusion: counts of a fixed number of raters exclude each other. If no sign is
# clear, accord reads the columns as annotators.

_MOST_LABELS, _MOST_ROWS = 1000, 100_000  # largest table that is examined
_ENOUGH, _A_FEW = 10, 3  # rows with equal sums that are no coincidence; with three or more columns
_AGREE, _HARDLY, _SLIGHTLY = 0.4, 0.1, 0.2  # chance-corrected
_AN_IDENTIFIER = re.compile(r"_(?:ids?|num|number|idx|index)$")  # writer_id, batch_num; but not votes_no
_LARGEST = 1e12  # larger numbers are not counts
_LARGE = 3  # at least this large: a count, if most cells are 0
_ERRORS = 3.5  # standard errors that are no coincidence
_SOME = 1 / 3  # share of names that decides for the others


def refuse_counts(item: str | None, columns: Sequence[Profile], beside: Sequence[Profile], where: str) -> None:
    """Refuse columns that look like counts by their sums, names or agreement.

    `beside` are the columns that are not read as annotators, for example a total.
    """
    counted = [
        (profile.name, n)
        for profile in columns
        if not _AN_IDENTIFIER.search(plain_name(profile.name)) and (n := _counts(profile.column)) is not None
    ]
    if len(counted) < max(2, len(columns) / 2) or all(calls_an_annotator(name) for name, _ in counted):
        return
    names, table = [name for name, _ in counted], np.stack([numbers for _, numbers in counted], axis=1)
    if len(table) < 2 or len(table) > _MOST_ROWS:
        return
    grid = forms_a_grid(names)  # variables hardly agree either
    if of_named_annotators(names):
        return  # coder1_pos, coder1_neg, coder2_pos, coder2_neg
    if summed := _sum_of_votes(columns, beside):
        total, names = summed
        raise DataError(
            "layout-unclear",
            f"{where}: {listed(names)} add up to {quoted(total)}, so they may be votes; use --layout counts"
            f"{_naming(names, [*columns, *beside])} if these are counts per category",
        )
    why = _by_sums(table, names) or _by_names(table, names, item)
    if why := why or (None if grid or all(map(is_variable, names)) else _by_columns(table, names, beside)):
        raise DataError(
            "layout-unclear",
            f"{where}: {why}; use --layout counts{_naming(names, [*columns, *beside])} if these are counts per "
            "category, or --layout wide if each column is an annotator",
        )


def _sum_of_votes(columns: Sequence[Profile], beside: Sequence[Profile]) -> tuple[str, list[str]] | None:
    """Return a column with the number of annotators and the columns of counts that add up to it."""
    every = {p.name: np.nan_to_num(n) for p in (*columns, *beside) if p.n and (n := _counts(p.column)) is not None}
    for total in [name for name in every if is_called(name, _VOTERS)]:
        group = _adding_up(every, total) if np.ptp(every[total]) > 0 or every[total].max() > 1 else None
        if group is not None:
            return total, list(group)
    return None


def _naming(names: Sequence[str], columns: Sequence[Profile]) -> str:
    """Return the options that name the columns of counts, if there are others beside them."""
    if len(names) == len(columns):
        return ""
    return "".join(f" --label {in_full(name)}" for name in names)


def note_equal_sums(cells: Column, n: int) -> str | None:
    """Return a note if all rows have the same sum."""
    numbers = _counts(cells)
    if numbers is None or n < 2 or n > _MOST_ROWS or not _add_up(numbers.reshape(n, -1)):
        return None
    return "every row has the same sum; if these are counts per category, use --layout counts"


def _counts(cells: Column) -> NDArray[np.float64] | None:
    """Return whole numbers, NaN for empty cells; None if a cell is anything else."""
    if len(cells.names) > _MOST_LABELS:
        return None
    known = np.array([as_count(lab) for lab in cells.names] + [0.0])
    if not are_counts(known).all() or known.max() > _LARGEST:
        return None
    nothing = cells.is_empty()
    return known[cells.codes] if nothing is None else np.where(nothing, np.nan, known[cells.codes])


def _add_up(numbers: NDArray[np.float64]) -> bool:
    """Whether all rows have the same sum, and some cells are 0."""
    total = np.nansum(numbers, axis=1)
    return bool((np.nan_to_num(numbers) == 0).any() and total[0] >= 2 and (total == total[0]).all())


def _by_sums(numbers: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """Whether the number of raters per item is constant. Two columns may have equal sums by coincidence."""
    n, columns = numbers.shape
    shown = n >= _ENOUGH or (n >= _A_FEW and columns > 2) or all(map(is_category, names))
    return f"every row has the sum {np.nansum(numbers[0]):g}" if shown and _add_up(numbers) else None


def _by_names(numbers: NDArray[np.float64], names: Sequence[str], item: str | None) -> str | None:
    """Whether names are categories, codes or documents. Code 1 and Code 2 may also be two annotators."""
    categories = [name for name in names if is_category(name)]
    if len(categories) == len(names) or (len(categories) > 1 and 2 * len(categories) >= len(names)):
        return f"the columns have names of categories ({listed(categories)})"
    if item is not None and calls_codes(item) and 2 * sum(map(is_document, names)) >= len(names):
        return f"the columns have names of documents ({listed(names)}), and the rows are codes"
    sure = 2 * sum(map(is_code, names)) >= len(names)
    zeros = bool((np.nan_to_num(numbers) == 0).any())
    if sure or (zeros and 2 * sum(map(may_be_code, names)) >= len(names) and _agreement_of_labels(numbers) < _AGREE):
        return f"the columns have names of codes ({listed(names)})"
    return None


def _by_columns(numbers: NDArray[np.float64], names: Sequence[str], beside: Sequence[Profile]) -> str | None:
    """Whether columns exclude each other, or hardly agree and do not have names of annotators."""
    if not (numbers == 0).any() or len(numbers) < _A_FEW:
        return None
    if _exclude_each_other(numbers):
        return f"the columns exclude each other, as categories do ({listed(names)})"
    if sum(map(is_person, names)) >= _SOME * len(names):
        return None
    total = np.nansum(numbers, axis=1)
    if summed := next((p.name for p in beside if is_total(p.name) and _is_sum(p.column, total)), None):
        return f"column {quoted(summed)} is the sum of the others ({listed(names)})"
    if len(names) > 2 and _agreement(numbers) < _least(numbers):  # two columns are mostly two annotators: only a note
        return f"the columns contain small numbers and hardly agree ({listed(names)})"
    return None


def _is_sum(column: Column, total: NDArray[np.float64]) -> bool:
    numbers = _counts(column)
    return numbers is not None and bool((numbers == total).all())


def _least(numbers: NDArray[np.float64]) -> float:
    """Return the least agreement expected of annotators; more if most cells are 0 and others are large."""
    if 2 * int((numbers == 0).sum()) > int(np.isfinite(numbers).sum()) and np.nanmax(numbers) >= _LARGE:
        return _SLIGHTLY
    return _HARDLY if len(numbers) >= _ENOUGH else 0.0


def _agreement(numbers: NDArray[np.float64]) -> float:
    """Return α of the columns as labels or as numbers, the larger of both. It only guides the guess."""
    if len(np.unique(numbers[np.isfinite(numbers)])) < 2:
        return 1.0  # all cells are equal
    return max(_agreement_of_labels(numbers), interval_alpha(numbers))


def _agreement_of_labels(numbers: NDArray[np.float64]) -> float:
    codes = np.where(np.isnan(numbers), -1, np.nan_to_num(numbers)).astype(np.int64)
    known, small = np.unique(codes, return_inverse=True)
    return nominal_alpha(small.reshape(codes.shape) - int(known[0] == -1), len(known))


def _exclude_each_other(numbers: NDArray[np.float64]) -> bool:
    """Whether columns correlate negatively beyond chance: if one is large, the others are small."""
    if np.isnan(numbers).any() or np.nanmax(numbers) < 2:
        return False  # few annotators may differ as much on 0 and 1
    spread = numbers.std(axis=0) > 0
    if spread.sum() < 2:
        return False
    varied = numbers[:, spread].T
    pairs = [np.corrcoef(a, b)[0, 1] for a, b in combinations(varied, 2)]
    return bool(np.mean(pairs) < -_ERRORS / np.sqrt(len(numbers) * len(pairs)))
