"""What is left in: --only, --annotators, --merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes
from accord.core.errors import SpecError, UnknownName, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.model.corpus import Corpus
from accord.data.model.data import Choice
from accord.data.model.labels import counts_of, label_name, merge_labels
from accord.data.model.ratings import Feature, Ratings


def choices(
    label: Column, features: Mapping[str, Feature], annotators: Sequence[str], annotator: Codes, how: Reading
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Each option that leaves something out, and the entries it keeps."""
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
        yield "--only", np.isin(where, [k for k, name in enumerate(names) if name in values])
    if how.annotators:
        for name in how.annotators:
            if name not in annotators:
                raise UnknownName("annotator", name, annotators)
        wanted = np.array([name in how.annotators for name in annotators])
        yield "--annotators", wanted[annotator]


def chosen(
    label: Column,
    features: Mapping[str, Feature],
    annotators: Sequence[str],
    annotator: Codes,
    how: Reading,
    times: NDArray[np.int64] | None = None,
) -> tuple[Column, list[str]]:
    """Labels that are not asked for become none; and what that left, in words. `times`: for how many each stands."""

    def left(codes: Codes) -> int:
        return int((codes >= 0).sum() if times is None else times[codes >= 0].sum())

    notes: list[str] = []
    codes = label.codes
    for option, mask in choices(label, features, annotators, annotator, how):
        before = left(codes)
        codes = np.where(mask, codes, np.asarray(-1, dtype=codes.dtype))
        notes.append(Choice(f"{option}: {left(codes):,} of {before:,} labels kept"))
    return Column(codes, label.names, label.order), notes


D = TypeVar("D", Ratings, Corpus)


def merged(data: D, how: Reading) -> D:
    """Labels taken as one, one --merge after the other."""
    for text in how.merge:
        names, sign, target = text.rpartition("=")
        if not sign or not names or not target:
            raise SpecError(f"--merge {quoted(text)}: write the labels, then what they become: a,b=c")
        table, categories = merge_labels(data.categories, dict.fromkeys(names.split(","), target))
        data = replace(data, label=table[data.label], categories=categories)
    return data
