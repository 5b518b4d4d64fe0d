"""Repeated labels: an annotator labels the same item twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from accord.core.errors import DataError, counted, quoted
from accord.data.model.data import Fact
from accord.data.model.ratings import CHUNK, Feature, Ratings

WHAT, WHO = "item", "annotator"  # further columns of trials: the original item and annotator
_TRIAL = "trial "
_NUMBERED = re.compile(r"(.*?[^\s_.-])[\s_.-]+(?:t|trial|round)?[\s_]?([0-9]+)", re.IGNORECASE)

Repeats = Literal["error", "first", "last", "trials"]


def settle_repeats(ratings: Ratings, repeats: Repeats, apart: Sequence[str] = ()) -> Ratings:
    """Apply the user's choice for items that an annotator labelled twice; by default, raise DataError.

    `apart`: columns by which data are scored separately. The same item under another value of these is another item.
    """
    if not _repeated(ratings):
        return ratings
    if apart and repeats == "error":
        return settle_repeats(_kept_apart(ratings, apart), repeats)
    r = len(ratings.annotators)
    key = ratings.item * np.int64(r) + ratings.annotator
    order = np.argsort(key, kind="stable")
    again = key[order[1:]] == key[order[:-1]]
    if repeats == "error":
        # Report the pair whose second row is first in the data.
        second = order[1:][again]
        at = int(np.argmin(second))
        first = int(order[:-1][again][at])
        who = quoted(ratings.annotators[ratings.annotator[first]])
        places = f"{ratings.place(first)} and {ratings.place(int(second[at]))}"
        twice = f"{who} labels item {quoted(ratings.items[int(ratings.item[first])])} twice"
        if len(np.unique(ratings.annotator)) < 2:
            raise DataError(
                "repeated-label",
                f"{places}: {twice}, and there is no other annotator; use --repeats trials to compare the repetitions "
                "with each other",
            )
        raise DataError(
            "repeated-label",
            f"{places}: {twice}; use --repeats first, --repeats last, or --repeats trials to compare an annotator's "
            "repetitions with each other",
        )
    starts = np.concatenate([[True], ~again])
    if repeats == "trials":
        group = np.cumsum(starts) - 1
        first_of_group = np.flatnonzero(starts)
        trial = np.arange(len(order)) - first_of_group[group]
        rows, cols = np.empty((2, len(order)), dtype=np.int32)
        rows[order], cols[order] = group, trial
        pairs = [
            (ratings.items[int(ratings.item[k])], ratings.annotators[ratings.annotator[k]])
            for k in order[first_of_group]
        ]
        names = [f"{item} by {who}" for item, who in pairs]
        if len(set(names)) < len(names):  # ambiguous: "x by y" by "z", and "x" by "y by z"
            names = [f"{quoted(item)} by {quoted(who)}" for item, who in pairs]
        known = {
            WHAT: Feature(ratings.item, tuple(str(name) for name in ratings.items)),
            WHO: Feature(ratings.annotator, ratings.annotators),
        }
        return replace(
            ratings,
            item=rows,
            annotator=cols,
            items=names,
            features={**ratings.features, **known},
            annotators=tuple(f"{_TRIAL}{t + 1}" for t in range(int(trial.max()) + 1)),
            notes=(
                *ratings.notes,
                Fact("trials: accord compares the repeated labels of each annotator with each other"),
            ),
        )
    chosen = starts if repeats == "first" else np.concatenate([~again, [True]])
    kept = np.zeros(len(key), dtype=bool)
    kept[order[chosen]] = True
    left_out = counted(len(key) - int(kept.sum()), "repeated label")
    note = Fact(f"{left_out} left out (accord keeps the {repeats} label of each item and annotator)")
    return replace(ratings.keep(kept), notes=(*ratings.notes, note))


def are_trials(ratings: Ratings) -> bool:
    """Return whether the annotators are trials of the same people, as made by `settle_repeats`."""
    return {WHAT, WHO} <= set(ratings.features) and all(a.startswith(_TRIAL) for a in ratings.annotators)


def numbered(annotators: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Group annotator names by person: Ana_1, Ana_2, Ben → Ana: (Ana_1, Ana_2), Ben: (Ben)."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name in annotators:
        parts = _NUMBERED.fullmatch(name)
        who, number = (parts[1], int(parts[2])) if parts else (name, 0)
        found.setdefault(who, []).append((number, name))
    return {who: tuple(name for _, name in sorted(names)) for who, names in found.items()}


def _repeated(ratings: Ratings) -> bool:
    """Return whether an annotator labels an item twice."""
    r = len(ratings.annotators)
    if len(ratings.items) * r > 2**30:
        key = np.sort(ratings.item * np.int64(r) + ratings.annotator)
        return bool((key[1:] == key[:-1]).any())
    seen = np.zeros(len(ratings.items) * r, dtype=bool)
    for at in range(0, len(ratings), CHUNK):
        part = slice(at, at + CHUNK)
        seen[ratings.item[part] * np.int64(r) + ratings.annotator[part]] = True
    return int(np.count_nonzero(seen)) < len(ratings)


def _kept_apart(ratings: Ratings, columns: Sequence[str]) -> Ratings:
    """Make items distinct by further columns: item numbers may restart in every document or round."""
    key = ratings.item.astype(np.int64)
    for name in columns:
        key = key * (len(ratings.features[name].names) + 1) + ratings.features[name].codes
    distinct, first, item = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(distinct), dtype=np.int32)
    rank[order] = np.arange(len(distinct), dtype=np.int32)

    def name_of(entry: int) -> str:
        values = (ratings.features[c].name(entry) for c in columns)
        return f"{ratings.items[int(ratings.item[entry])]} ({', '.join(values)})"

    note = Fact(f"accord treats the same item name in another {' or '.join(columns)} as another item")
    names = [name_of(int(first[k])) for k in order]
    return replace(ratings, item=rank[item], items=names, notes=(*ratings.notes, note))
