"""Tiers of time-aligned files: their annotators and variables.

Tiers name the annotator (ELAN), or names of files and folders form a grid of documents and annotators, or tiers are the
annotators. Tiers may also be speakers, hands or layers. Their content does not decide this: two simultaneous speakers,
or two hands in one gesture, mark the same stretches. Tiers are annotators only if their names show it (coder1, coder2)
or the user states it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import POINTS, Export
from accord.data.io.formats.files import File
from accord.data.io.formats.spans import join_spans
from accord.data.io.naming import Key, Named, called_annotators, named
from accord.data.io.reading import Reading
from accord.data.model.data import some

Marked = tuple[float, float, str, str]  # start, end, label, place
_APART = 0.1  # share of the time of the shorter tier; annotators of the same recording share more
_DEFAULT = "default"  # the tier that ELAN adds to every file
# Users, experts and judges may be speakers. Coders and annotators are not.
_ANNOTATOR = re.compile(
    r"(?:(?P<before>.+?)[\W_]+)?(?P<who>(?:annot?|annotator|coder|rater|labell?er)[\W_]?(?:\d+|[a-z]))"
    r"(?:[\W_]+(?P<after>.+))?",
    re.IGNORECASE,
)
_LAYER = re.compile(
    r"word|phon|gloss|syll|tone|pos\b|morph|lemma|utter|sentence|transcri|transl|text|norm|orth|notes?\b|comment",
    re.IGNORECASE,
)


@dataclass
class Tier:
    """A tier: its name, annotator, participant, parent tier and marked stretches."""

    name: str
    annotator: str | None = None
    participant: str | None = None
    above: str | None = None  # the tier that it depends on
    marked: list[Marked] = field(default_factory=list)


@dataclass
class Tiers:
    """The tiers of a file, and its recording: extent, name and folder."""

    file: File
    tiers: list[Tier]
    extent: tuple[float, float] | None = None
    about: str | None = None  # the name of the recording
    lay: str | None = None  # its folder; recordings in several folders may have the same name


def read_tiers(given: Sequence[Tiers], export: Export, how: Reading) -> Export:
    for one in given:
        one.tiers = [tier for tier in one.tiers if tier.marked or tier.name != _DEFAULT]
    lengths = [one.extent[1] - one.extent[0] if one.extent else None for one in given]
    about = [one.about for one in given]
    places = {(one.about, one.lay) for one in given}
    names = named([one.file.parts for one in given], how, about, lengths, proves=len(places) == len(set(about)))
    tiers = [tier for one in given for tier in one.tiers]
    if how.annotators_in is None and how.names is None and len({tier.annotator for tier in tiers} - {None, ""}) > 1:
        return _annotated(given, export, names)
    people = list(dict.fromkeys(annotator for _, annotator in names.keys))
    if how.annotators_in != "tiers" and (how.annotators_in is not None or len(people) > 1):
        if how.annotators_in is None and how.names is None and not called_annotators(people):
            _refuse_apart(given, names)
        export.note(names.said)
        return _by_files(given, export, names.keys)
    if how.annotators_in == "tiers":
        return _by_tiers(given, export, names, _tier_names(tiers))
    if not any(tier.participant for tier in tiers) and (found := _named_annotators(tiers)) is not None:
        return _by_tiers(given, export, names, found)
    _ask(given)
    if len(given) > 1:
        export.note(names.said)
    if max((len(one.tiers) for one in given), default=0) > 1:
        export.notes.append(
            "each file is by one annotator, and tiers are variables; if tiers are annotators, use --annotators-in tiers"
        )
    return _by_files(given, export, names.keys)


def _annotated(given: Sequence[Tiers], export: Export, names: Named) -> Export:
    """Read tiers that name their annotator. The rest of the tier's name is the variable."""
    grid = len({annotator for _, annotator in names.keys}) > 1
    docs = [doc for doc, _ in names.keys] if grid else _recordings(given)
    made: dict[tuple[str, str, str], str] = {}
    for one, doc in zip(given, docs, strict=True):
        for tier in one.tiers:
            if not tier.annotator:
                export.leave("tiers without an annotator", f"{tier.name} in {one.file.name}")
                continue
            key = (doc, tier.annotator, _without(tier.name, tier.annotator))
            before = made.setdefault(key, f"{tier.name} in {one.file.name}")
            if before != f"{tier.name} in {one.file.name}":
                raise DataError(
                    "format-ambiguous",
                    f"{one.file.name}: tier {quoted(tier.name)} of {quoted(tier.annotator)} occurs twice, also as "
                    f"{before}; use --annotators-in files, or name the annotators with --names",
                )
            _add(export, one, tier, *key)
    return export


def _recordings(given: Sequence[Tiers]) -> list[str]:
    """Return the document of each file. Files about one recording share a document; others use the file name."""
    stems = [one.file.stem for one in given]
    whole = ["/".join((*one.file.folder, one.file.stem)) for one in given]
    plain = stems if len(set(stems)) == len(stems) else whole
    lay = [(one.about, one.lay) for one in given]
    return [
        one.about if one.about and lay.count((one.about, one.lay)) > 1 else name
        for one, name in zip(given, plain, strict=True)
    ]


def _without(name: str, annotator: str) -> str:
    """Return the name of a tier without its annotator at the start or end: gaze_Ana becomes gaze."""
    said = re.escape(annotator)
    rest = re.sub(rf"(?:^{said}(?:[\W_]+|$))|(?:(?:^|[\W_]+){said}$)", "", name, count=1)
    return rest or "label"


def _by_files(given: Sequence[Tiers], export: Export, keys: Sequence[Key]) -> Export:
    for one, (doc, annotator) in zip(given, keys, strict=True):
        export.saw(doc, annotator)
        if one.extent is not None:
            export.document(doc, extent=one.extent)
        for tier in one.tiers:
            _add(export, one, tier, doc, annotator, tier.name)
    return export


def _by_tiers(given: Sequence[Tiers], export: Export, names: Named, roles: dict[str, Key]) -> Export:
    """Read tiers as annotators. `roles` maps the name of a tier to variable and annotator."""
    people = list(dict.fromkeys(annotator for _, annotator in roles.values()))
    export.notes.append(f"tiers are annotators: {some(people, 8)}; if this is wrong, use --annotators-in files")
    several = len({name for _, name in names.keys}) > 1  # here, names that look like a grid are documents
    docs = ["/".join((*one.file.folder, one.file.stem)) for one in given] if several else [d for d, _ in names.keys]
    for one, doc in zip(given, docs, strict=True):
        for tier in one.tiers:
            variable, annotator = roles[tier.name]
            _add(export, one, tier, doc, annotator, variable)
    return export


def _tier_names(tiers: Sequence[Tier]) -> dict[str, Key]:
    """Return variable and annotator of each tier: gaze_Ana, gaze_Ben. Without them, each tier is an annotator."""
    found = _named_annotators(tiers)
    if found is not None:
        return found
    names = list(dict.fromkeys(tier.name for tier in tiers))
    grid = named([(f"{name}.x",) for name in names], Reading(annotators_in="files"))
    if len({variable for variable, _ in grid.keys}) > 1:
        return dict(zip(names, grid.keys, strict=True))
    return {name: ("label", name) for name in names}


def _named_annotators(tiers: Sequence[Tier]) -> dict[str, Key] | None:
    """Return variable and annotator of each tier if all names are like coder1 or gaze_coder2, else None."""
    found = {tier.name: _ANNOTATOR.fullmatch(tier.name.strip()) for tier in tiers}
    keys = {name: (one["before"] or one["after"] or "label", one["who"]) for name, one in found.items() if one}
    return keys if len(keys) == len(found) and len({annotator for _, annotator in keys.values()}) > 1 else None


def _add(export: Export, one: Tiers, tier: Tier, doc: str, annotator: str, variable: str) -> None:
    if one.extent is not None:
        export.document(doc, extent=one.extent)
    export.saw(doc, annotator)
    for start, end, label, place in tier.marked:
        if end < start:
            raise DataError(
                "end-before-start",
                f"{place}: {quoted(label, 40)} ends at {end:g}, before it starts at {start:g}; correct the times",
            )
        if end > start:
            export.unit(variable, doc, annotator, start, end, label, place=place)
        else:
            export.leave(POINTS, f"{label} at {place}")


def _refuse_apart(given: Sequence[Tiers], names: Named) -> None:
    """Raise if only names suggest annotators of one recording, and the files mark different times."""
    by_doc: dict[str, list[Tiers]] = {}
    for one, (doc, _) in zip(given, names.keys, strict=True):
        by_doc.setdefault(doc, []).append(one)
    shares = [
        share
        for files in by_doc.values()
        for first, second in combinations(files, 2)
        if first.about is None or first.about != second.about
        for share in _shares((_bare(a), _bare(b)) for a in first.tiers for b in second.tiers if a.name == b.name)
    ]
    if shares and sorted(shares)[len(shares) // 2] <= _APART:
        people = list(dict.fromkeys(annotator for _, annotator in names.keys))
        raise DataError(
            "format-ambiguous",
            f"{given[0].file.name}: these files may be by annotators of the same recording ({some(people, 6)}), "
            "but they mark almost no time in common; if they are, use --annotators-in files, "
            "--annotators-in folders or --names",
        )


def _bare(tier: Tier) -> Tier:
    """Return the tier without its labels."""
    return Tier(tier.name, marked=[(start, end, "", place) for start, end, _, place in tier.marked])


def _ask(given: Sequence[Tiers]) -> None:
    """Raise if tiers mark the same stretches with the same labels, because they may be annotators."""
    open_ones = [
        [tier for tier in one.tiers if not (tier.participant or tier.above or _LAYER.search(tier.name))]
        for one in given
    ]
    shares = list(_shares(pair for tiers in open_ones for pair in combinations(tiers, 2)))
    if shares and sorted(shares)[len(shares) // 2] > _APART:
        names = ", ".join(quoted(tier.name) for tier in given[0].tiers[:6])
        raise DataError(
            "format-ambiguous",
            f"{given[0].file.name}: the tiers ({names}) may be annotators, or speakers and variables of one annotator; "
            "use --annotators-in tiers or --annotators-in files",
        )


def _shares(pairs: Iterable[tuple[Tier, Tier]]) -> Iterator[float]:
    return (share for a, b in pairs if (share := _shared(a, b)) is not None)


def _shared(a: Tier, b: Tier) -> float | None:
    """Return the time with the same label in both tiers, as a share of the marked time of the shorter tier."""
    less = min(sum(m[1] - m[0] for m in tier.marked) for tier in (a, b))
    if less <= 0:
        return None
    both = 0.0
    labels = {m[2] for m in a.marked} & {m[2] for m in b.marked}
    for label in labels:
        first, second = (join_spans([m[:2] for m in tier.marked if m[2] == label]) for tier in (a, b))
        at = 0
        for start, end in first:
            while at < len(second) and second[at][1] <= start:
                at += 1
            k = at
            while k < len(second) and second[k][0] < end:
                both += min(end, second[k][1]) - max(start, second[k][0])
                k += 1
    return both / less
