"""Columns that were made from those of annotators, whatever they are called: whether two agree, a mean, a sum."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import DataError, quoted
from accord.data.io.tables.counts import agreement_of
from accord.data.io.tables.evidence import Seen, coded_together
from accord.data.io.tables.names import is_person, is_variable
from accord.data.io.tables.roles import listed
from accord.data.model.labels import label_name

_MOST_COLUMNS, _MOST_ROWS = 8, 100_000  # of a table that is looked at
_A_FEW = 6  # rows: fewer show no pattern
_TWICE = 2  # what happens once may be an accident
_ROUNDED = 0.0051  # a mean of two digits
_ENOUGH = 10  # rows that show how far columns agree
_DISPUTED = 6  # items on which a third of several like the others would once have been alone
_HARDLY, _AGREE = 0.2, 0.4  # beyond chance
_ENTRY = re.compile(r".+--[12]")


def made_from_others(columns: Sequence[Seen], where: str) -> dict[str, str]:
    """Columns that tell nothing but what two others hold; which of three it is must be said, if names do not tell."""
    if not _looked_at(columns):
        return {}
    codes, _ = coded_together([one.column for one in columns])
    numbers = [one.calculable for one in columns]
    made: dict[str, tuple[str, set[str]]] = {}
    for c, one in enumerate(columns):
        for a, b in combinations([k for k in range(len(columns)) if k != c], 2):
            pair = numbers[a], numbers[b], numbers[c]
            what = _whether_equal(codes[a], codes[b], codes[c]) or (
                _computed(*pair) if all(x is not None for x in pair) else None  # type: ignore[arg-type]
            )
            if what is not None:
                names = columns[a].name, columns[b].name
                made[one.name] = f"{what} {names[0]} and {names[1]}", {one.name, *names}
                break
    if len(columns) - len(made) < 2:
        sure = {name: found for name, found in made.items() if not is_person(name)}
        if not sure or len(columns) - len(sure) < 2:
            name, (what, _) = next(reversed(made.items()))
            raise DataError(
                f"{where}: column {quoted(name)} {what} in every row: name the columns of annotators with --label, "
                "or say --annotators-in columns if all are"
            )
        made = sure
    return {name: what for name, (what, _) in made.items()}


def refuse_double_entry(item: Seen | None, where: str) -> None:
    """1--1 and 1--2, as REDCap calls two entries of one record."""
    names = [label_name(name) for name in islice(item.column.names, _MOST_ROWS)] if item else []
    if item and len(names) > 1 and all(_ENTRY.fullmatch(name) for name in names):
        raise DataError(
            f"{where}: {quoted(names[0])} in column {quoted(item.name)} is one of two entries of a record, as REDCap "
            "writes them: write the record and who entered it into columns of their own, item and annotator"
        )


def refuse_variables(columns: Sequence[Seen], where: str) -> None:
    """tone and frame are nobody's names: one annotator's answers to two questions."""
    names = [one.name for one in columns]
    if len(names) > 1 and all(map(is_variable, names)):
        raise DataError(
            f"{where}: columns are called as variables ({listed(names)}): say --annotator, --item and --label if a row "
            "is what one annotator says, or --annotators-in columns if each column is an annotator"
        )


def doubts(columns: Sequence[Seen]) -> Iterator[str]:
    """What a colleague would ask about columns that nobody is called by, and that are taken as annotators."""
    if len(columns) < 2 or len(columns) > _MOST_COLUMNS or not _ENOUGH <= len(columns[0].column.codes) <= _MOST_ROWS:
        return
    strange = [k for k, one in enumerate(columns) if not is_person(one.name)]
    names = [one.name for one in columns]
    if 3 * len(strange) > 2 * len(columns):
        if agreement_of(columns) < _HARDLY:
            yield (
                f"{listed(names)} hardly agree: if these are variables or counts, not annotators, say --label or "
                "--layout counts"
            )
        return
    codes, _ = coded_together([one.column for one in columns])
    for c in strange:
        others = [one for k, one in enumerate(columns) if k != c]
        if len(others) < 2:
            continue
        alone = max(agreement_of([columns[c], other]) for other in others)
        if alone < _HARDLY and agreement_of(others) >= _AGREE:
            yield f"{names[c]} hardly agrees with others, who agree: no annotator? Name those that are with --label"
        elif _settles(np.delete(codes, c, axis=0), codes[c]):
            yield (
                f"{names[c]} never differs from what all others agree on: if it was settled from theirs, name the "
                "annotators with --label"
            )


def _looked_at(columns: Sequence[Seen]) -> bool:
    return 3 <= len(columns) <= _MOST_COLUMNS and _A_FEW <= len(columns[0].column.codes) <= _MOST_ROWS


def _whether_equal(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]) -> str | None:
    """One value where two are equal, whichever label that is, and another where they are not."""
    if (np.stack([a, b, c]) < 0).any():
        return None
    same = a == b
    if same.sum() < _TWICE or (~same).sum() < _TWICE or len(np.unique(c)) != 2:
        return None
    if len(np.unique(c[same])) != 1 or len(np.unique(c[~same])) != 1:
        return None
    agreed, times = np.unique(a[same], return_counts=True)
    return "says whether they are equal:" if len(agreed) > 1 and times.min() >= _TWICE else None


def _computed(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> str | None:
    """A mean, a sum or a difference of two that are not mostly equal or 0."""
    differ, both = np.abs(a - b) > 2 * _ROUNDED, (a != 0) & (b != 0)
    if differ.sum() < _TWICE or both.sum() < _TWICE:
        return None
    ways = {"is the mean of": (a + b) / 2, "is the sum of": a + b, "is the difference of": np.abs(a - b)}
    return next((what for what, value in ways.items() if (np.abs(np.abs(c) - value) < _ROUNDED).all()), None)


def _settles(others: NDArray[np.int64], one: NDArray[np.int64]) -> bool:
    """Whether a column is what all others agree on, always, and one of their labels where they do not."""
    if (others < 0).any():
        return False
    agreed = (others == others[0]).all(axis=0)
    disputed = ~agreed & (one >= 0)
    if agreed.sum() < _DISPUTED or disputed.sum() < _DISPUTED or (~agreed).sum() > disputed.sum():
        return False
    if (one[agreed] < 0).all():
        return True  # who saw only what others disagreed on
    return bool((one[agreed] == others[0][agreed]).all() and (others == one).any(axis=0)[disputed].all())
