"""What is left in: --only, --annotators, --merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from accord.errors import SpecError, UnknownName, quoted
from accord.io.columns import Column
from accord.io.reading import Reading
from accord.model.labels import Codes, counts_of, label_name
from accord.model.ratings import Feature, Ratings, merge_labels


def chosen(
    label: Column, features: Mapping[str, Feature], annotators: Sequence[str], annotator: Codes, how: Reading
) -> tuple[Column, list[str]]:
    """Labels that are not asked for become none; and what that left, in words."""
    notes: list[str] = []
    codes = label.codes

    def keep(option: str, mask: np.ndarray) -> None:
        nonlocal codes
        before = int((codes >= 0).sum())
        codes = np.where(mask, codes, np.asarray(-1, dtype=codes.dtype))
        notes.append(f"{option}: {int((codes >= 0).sum()):,} of {before:,} labels kept")

    for column, values in how.filters.items():
        if column:
            names, where = features[column].names, features[column].codes
        else:
            used = counts_of(label.codes, len(label.names)) > 0
            names = tuple(label_name(lab) if u else "" for lab, u in zip(label.names, used, strict=True))
            where = label.codes
        for value in values:
            if value not in names:
                raise UnknownName(f"value of {column}" if column else "label", value, [n for n in names if n])
        keep("--only", np.isin(where, [k for k, name in enumerate(names) if name in values]))
    if how.annotators:
        for name in how.annotators:
            if name not in annotators:
                raise UnknownName("annotator", name, annotators)
        wanted = np.array([name in how.annotators for name in annotators])
        keep("--annotators", wanted[annotator])
    return Column(codes, label.names), notes


def merged(ratings: Ratings, how: Reading) -> Ratings:
    """Labels taken as one, one --merge after the other."""
    for text in how.merge:
        names, sign, target = text.rpartition("=")
        if not sign or not names or not target:
            raise SpecError(f"--merge {quoted(text)}: write the labels, then what they become: a,b=c")
        ratings = merge_labels(ratings, dict.fromkeys(names.split(","), target))
    return ratings
