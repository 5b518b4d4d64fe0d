"""Tiers of time-aligned files: who their annotators are, and which variable a tier is.

Annotators are named by the tiers themselves (ELAN), by files and folders whose names give a grid, or they are the
tiers: that is taken only where these mark the same stretches with the same labels, as annotators do and speakers do
not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.naming import named
from accord.io.reading import Reading
from accord.model.data import some

Marked = tuple[float, float, str, str]  # start, end, label, place
_SAME = 0.5  # of the time marked by the shorter of two tiers: annotators of the same thing share more
_APART = 0.1  # speakers who take turns share less
_LAYER = re.compile(
    r"word|phon|gloss|syll|tone|pos\b|morph|lemma|utter|sentence|transcri|transl|notes?\b|comment", re.IGNORECASE
)


@dataclass
class Tier:
    """A tier: what it is called, who made it, whose speech it is, and its stretches."""

    name: str
    annotator: str | None = None
    participant: str | None = None
    marked: list[Marked] = field(default_factory=list)


@dataclass
class Tiers:
    """The tiers of a file, how long what it is about lasts, and by what that is known."""

    file: File
    tiers: list[Tier]
    extent: tuple[float, float] | None = None
    about: str | None = None  # the recording


def read_tiers(given: Sequence[Tiers], export: Export, how: Reading) -> Export:
    tiers = [tier for one in given for tier in one.tiers]
    by_tier = {tier.annotator for tier in tiers} - {None, ""}
    if how.annotators_in is None and len(by_tier) > 1:
        return _annotated(given, export, how)
    names = named([one.file.parts for one in given], how, [one.about for one in given])
    people = {who for _, who in names.keys}
    if how.annotators_in != "tiers" and (how.annotators_in is not None or len(people) > 1):
        export.notes.extend([names.said] if names.said else [])
        return _by_files(given, export, names.keys)
    if how.annotators_in == "tiers" or _are_annotators(tiers, given):
        export.notes.append(
            f"tiers are annotators: {some(list(dict.fromkeys(tier.name for tier in tiers if tier.marked)), 8)}"
            + ("" if how.annotators_in else "; they mark the same stretches (else --annotators-in files)")
        )
        return _by_tiers(given, export)
    if len(tiers) > 1:
        export.notes.append("each file is by one annotator, tiers are variables (else --annotators-in tiers)")
    return _by_files(given, export, names.keys)


def _annotated(given: Sequence[Tiers], export: Export, how: Reading) -> Export:
    """Tiers that say who made them: what their name has beside that is the variable."""
    names = named([one.file.parts for one in given], how, [one.about for one in given])
    docs = [doc for doc, _ in names.keys] if len({doc for doc, _ in names.keys}) > 1 else [o.file.stem for o in given]
    for one, doc in zip(given, docs, strict=True):
        for tier in one.tiers:
            if tier.annotator:
                variable = tier.name.replace(tier.annotator, "").strip("_-@ .:") or "label"
                _add(export, one, tier, doc, tier.annotator, variable)
            else:
                export.leave("tiers that do not say who annotated", f"{tier.name} in {one.file.name}")
    return export


def _by_files(given: Sequence[Tiers], export: Export, keys: Sequence[tuple[str, str]]) -> Export:
    for one, (doc, annotator) in zip(given, keys, strict=True):
        export.saw(doc, annotator)
        for tier in one.tiers:
            _add(export, one, tier, doc, annotator, tier.name)
    return export


def _by_tiers(given: Sequence[Tiers], export: Export) -> Export:
    for one in given:
        for tier in one.tiers:
            export.saw(one.file.stem, tier.name)
            _add(export, one, tier, one.file.stem, tier.name, "label")
    return export


def _add(export: Export, one: Tiers, tier: Tier, doc: str, annotator: str, variable: str) -> None:
    if one.extent is not None:
        export.document(doc, extent=one.extent)
    export.saw(doc, annotator)
    for start, end, label, place in tier.marked:
        if end > start:
            export.unit(variable, doc, annotator, start, end, label, place=place)
        else:
            export.leave("points in time, which have no length", f"{label} at {place}")


def _are_annotators(tiers: Sequence[Tier], given: Sequence[Tiers]) -> bool:
    """Whether tiers mark the same stretches with the same labels; where that is not clear, it is asked."""
    if any(tier.participant or _LAYER.search(tier.name) for tier in tiers):
        return False
    shares = [
        share
        for one in given
        for a, b in combinations([tier for tier in one.tiers if any(m[1] > m[0] for m in tier.marked)], 2)
        if (share := _shared(a, b)) is not None
    ]
    if not shares:
        return False
    if min(shares) >= _SAME:
        return True
    if sorted(shares)[len(shares) // 2] > _APART:
        names = ", ".join(quoted(tier.name) for tier in given[0].tiers[:6])
        raise DataError(
            f"{given[0].file.name}: are the tiers ({names}) annotators, or variables of one annotator? "
            "say --annotators-in tiers or --annotators-in files"
        )
    return False


def _shared(a: Tier, b: Tier) -> float | None:
    """The time that both mark with the same label, as a share of what the one that marks less does."""
    labels = {m[2] for m in a.marked} & {m[2] for m in b.marked}
    if not labels:
        return 0.0
    both = 0.0
    right = [m for m in b.marked if m[2] in labels]
    at = 0
    for start, end, label, _ in sorted(m for m in a.marked if m[2] in labels):
        while at < len(right) and right[at][1] <= start:
            at += 1
        k = at
        while k < len(right) and right[k][0] < end:
            if right[k][2] == label:
                both += max(0.0, min(end, right[k][1]) - max(start, right[k][0]))
            k += 1
    less = min(sum(m[1] - m[0] for m in tier.marked) for tier in (a, b))
    return both / less if less else None
