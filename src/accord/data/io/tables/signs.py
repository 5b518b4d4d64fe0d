"""Signs that a table was not meant as it was read: said, never decided."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from accord.core.errors import DataError, counted, quoted
from accord.data.model.labels import as_number, label_name
from accord.data.model.ratings import Ratings

_FEW_SHARED = 0.05  # of the items
_ENOUGH = 20  # items that show it
_MANY_LABELS = 1000
_A_FEW = 7  # items: fewer do not show what the first line is
_MOSTLY = 0.9
_MOST_COMPARED = 100_000  # items whose names are compared
_FOR_NOTHING = {-1, -7, -8, -9, -77, -88, -99, -999, -9999, 8, 9, 77, 88, 97, 98, 99, 777, 888, 998, 999, 9998, 9999}
_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}")  # of a file: d1.txt


def signs_of(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """What a colleague would ask about; `cells`: where labels could have stood."""
    if not ratings.identified or not len(ratings):
        return ()
    found = (
        _alone(ratings, cells),
        _alike(ratings),
        _empty(ratings, cells),
        _apart(ratings),
        _like_text(ratings),
        _like_names(ratings),
        _first_row(ratings, cells),
        _codes_for_nothing(ratings),
    )
    return tuple(note for notes in found for note in notes)


def _alike(ratings: Ratings) -> tuple[str, ...]:
    """Annotators whose names differ by case or blanks alone."""
    groups: dict[str, list[str]] = {}
    for name in ratings.present:
        groups.setdefault(" ".join(name.split()).casefold(), []).append(name)
    return tuple(
        f"annotators {', '.join(map(quoted, names))} differ by case or blanks alone: are they one person?"
        for names in groups.values()
        if len(names) > 1
    )


def _empty(ratings: Ratings, cells: int) -> tuple[str, ...]:
    missing = 1 - len(ratings) / cells if cells else 0.0
    if missing < _MOSTLY or cells < _ENOUGH:
        return ()
    return (f"{missing:.0%} of the labels are missing: are all of these columns annotators?",)


def _apart(ratings: Ratings) -> tuple[str, ...]:
    """Annotators without a common item."""
    notes = []
    if ratings.n_items >= _ENOUGH and ratings.n_pairable < _FEW_SHARED * ratings.n_items:
        how = f" {same[0]} and {same[1]} may be the same" if (same := _called_otherwise(ratings)) else ""
        few = f"only {ratings.n_pairable:,} of {ratings.n_items:,} items have two labels"
        notes.append(f"{few}: do annotators call items alike?{how}")
    together = (ratings.sizes > 1)[ratings.item]
    shared = np.bincount(ratings.annotator[together], minlength=len(ratings.annotators)) > 0
    alone = np.flatnonzero(ratings.took_part & ~shared)
    if len(alone) and shared.any():
        names = ", ".join(quoted(ratings.annotators[a]) for a in alone[:3]) + (" …" if len(alone) > 3 else "")
        notes.append(f"{counted(len(alone), 'annotator')} without any item in common with others: {names}")
    return tuple(notes)


def refuse_other_names(ratings: Ratings) -> None:
    """Items that only their spelling keeps apart: 001 and 1, d1 and d1.txt."""
    if ratings.n_pairable or not ratings.identified or not (same := _called_otherwise(ratings)):
        return
    raise DataError(
        f"no two annotators labelled the same item, but {same[0]} and {same[1]} may be the same: write items "
        "alike in all"
    )


def _called_otherwise(ratings: Ratings) -> tuple[str, str] | None:
    return (
        named_otherwise([label_name(name) for name in ratings.items]) if len(ratings.items) <= _MOST_COMPARED else None
    )


def named_otherwise(items: Iterable[str]) -> tuple[str, str] | None:
    """Two names of what may be one item, where half of the items have such names."""
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(items):
        known.setdefault(_bare(name), []).append(name)
    again = [names for names in known.values() if len(names) > 1]
    if not again or 2 * len(again) < len(known):
        return None
    return quoted(again[0][0]), quoted(again[0][1])


def _bare(name: str) -> str:
    """What is left of an identifier without folders, endings, zeros, case and blanks."""
    plain = re.sub(r"\s+", "", name).casefold().replace("\\", "/").rpartition("/")[2]
    number = as_number(plain)
    if number.is_integer():
        return str(int(number))
    return re.sub(r"\d+", lambda digits: digits[0].lstrip("0") or "0", _ENDING.sub("", plain))


def _alone(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """One label, and nothing in most places: the empty cell may be the other one."""
    if len(ratings.categories) != 1 or len(ratings) > _MOSTLY * cells or cells < _ENOUGH:
        return ()
    return (f"{quoted(ratings.categories.names[0])} is the only label: if an empty cell says something, --keep-empty",)


def _like_text(ratings: Ratings) -> tuple[str, ...]:
    """Thousands of words that hardly come again are texts, or identifiers."""
    if len(ratings.categories) < _MANY_LABELS or ratings.categories.numeric:
        return ()
    pairs = np.unique(ratings.annotator.astype(np.int64) * len(ratings.categories) + ratings.label)
    different = np.bincount(pairs // len(ratings.categories), minlength=len(ratings.annotators))
    most = int(different.argmax())
    if different[most] < _MANY_LABELS or 2 * different[most] < ratings.labels_per_annotator[most]:
        return ()
    return (f"{quoted(ratings.annotators[most])} gave {different[most]:,} different labels: are these labels?",)


def _like_names(ratings: Ratings) -> tuple[str, ...]:
    """Labels that are names of annotators: a column was taken for another."""
    if len(ratings.categories) > _MANY_LABELS:
        return ()
    words = [name for name in ratings.categories.names if math.isnan(as_number(name)) and len(name) > 1]
    known = set(ratings.annotators)
    if len(words) < 2 or sum(name in known for name in words) < _MOSTLY * len(words):
        return ()
    return (f"the labels are names of annotators ({quoted(words[0])} …): is the column of labels the right one?",)


def _first_row(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """A label that a column is called by: of few rows, the first may have been taken for names."""
    called = [name for name in ratings.present if name in ratings.categories.names]
    if not cells or not called or ratings.n_items >= _A_FEW:
        return ()
    return (f"{quoted(called[0])} is the name of a column, and a label: if the first line is a row, say --no-header",)


def _codes_for_nothing(ratings: Ratings) -> tuple[str, ...]:
    """99, 999 or -9 far from all other numbers: what surveys write where there is no answer."""
    if not ratings.categories.numeric:
        return ()
    used = ratings.marginals
    values = np.asarray(ratings.categories.values, dtype=np.float64)
    like = np.isin(values, list(_FOR_NOTHING)) & (used > 0)
    others = values[~like & (used > 0)]
    if not like.any() or len(np.unique(others)) < 2:
        return ()
    low, high = float(others.min()), float(others.max())
    apart = (values > max(high + 2 * (high - low), 2 * high)) | ((values < 0) & (low >= 0))
    apart &= (values != -1) | (low >= 1)  # -1, 0, 1 are a scale
    found = np.flatnonzero(like & apart)
    if not len(found):
        return ()
    names = [quoted(ratings.categories.names[int(k)]) for k in found]
    times = int(used[found].sum())
    said = " ".join(f"--missing {name}" for name in names)
    return (
        f"{counted(times, 'label')} {', '.join(names)}, and all others from {low:g} to {high:g}: "
        f"if that means missing, say {said}",
    )
