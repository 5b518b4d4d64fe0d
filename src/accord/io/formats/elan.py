"""ELAN: tiers with annotations between time slots, or on annotations of another tier. Times are in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import xml_of
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.reading import Reading

_UNITS = {"milliseconds": 0.001, "seconds": 1.0}
_LONGEST = 15  # digits of a time
Span = tuple[float, float]


def recognises(file: File) -> bool:
    return "<ANNOTATION_DOCUMENT" in file.beginning[:2000]


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    return read_tiers([_tiers(file, export) for file in mine], export, how)


def _tiers(file: File, export: Export) -> Tiers:
    root = xml_of(file)
    header = root.find("HEADER")
    said = header.get("TIME_UNITS", "milliseconds") if header is not None else "milliseconds"
    if said not in _UNITS:
        raise DataError(f"{file.name}: times are in {quoted(said)}; accord reads milliseconds and seconds")
    spans = _spans(root, _slots(root, _UNITS[said], file), file, export)
    tiers = []
    for element in root.findall("TIER"):
        facts = (element.get(name) for name in ("ANNOTATOR", "PARTICIPANT", "PARENT_REF"))
        tier = Tier(str(element.get("TIER_ID")), *facts)
        for one in _annotations(element):
            key, text = str(one.get("ANNOTATION_ID")), " ".join((one.findtext("ANNOTATION_VALUE") or "").split())
            if key not in spans:
                continue  # counted where it has no time
            if text:
                tier.marked.append((*spans[key], text, f"{file.name}:{one.sourceline}"))
            else:
                export.leave("annotations without a value", f"{key} in {file.name}")
        tiers.append(tier)
    media = root.find("HEADER/MEDIA_DESCRIPTOR")
    lay = str(media.get("MEDIA_URL", "")) if media is not None else ""
    name = PurePosixPath(lay.replace("\\", "/")).stem  # of one recording, some take the sound and some the picture
    return Tiers(file, tiers, about=name or None, lay=lay.rpartition(".")[0] or None)


def _annotations(element: Any) -> Iterator[Any]:
    found: Iterator[Any] = element.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION")
    return found


def _slots(root: Any, unit: float, file: File) -> dict[str, float]:
    """When each slot is. One without a time divides, with its like, the stretch in which its annotations follow."""
    times: dict[str, float] = {}
    order = list(root.iterfind("TIME_ORDER/TIME_SLOT"))
    for slot in order:
        value = slot.get("TIME_VALUE")
        if value is not None:
            if len(value) > _LONGEST:
                raise DataError(f"{file.name}:{slot.sourceline}: {quoted(value, 30)} is no time")
            try:
                times[str(slot.get("TIME_SLOT_ID"))] = round(int(value) * unit, 6)
            except ValueError:
                raise DataError(f"{file.name}:{slot.sourceline}: {quoted(value)} is no time") from None
    for tier in root.findall("TIER"):
        ends = [_ends(one) for one in tier.iter("ALIGNABLE_ANNOTATION")]
        chain: list[str] = []
        for k, (start, end) in enumerate(ends):
            chain = [*chain, end] if chain and chain[-1] == start else [start, end]
            if k + 1 == len(ends) or ends[k + 1][0] != end or end in times:
                _divide(chain, times)
                chain = []
    _divide([str(slot.get("TIME_SLOT_ID")) for slot in order], times)
    return times


def _ends(annotation: Any) -> tuple[str, str]:
    return str(annotation.get("TIME_SLOT_REF1")), str(annotation.get("TIME_SLOT_REF2"))


def _divide(chain: Sequence[str], times: dict[str, float]) -> None:
    """Slots without a time stand evenly between those that have one."""
    known = [k for k, name in enumerate(chain) if name in times]
    for first, last in pairwise(known):
        low, high = times[chain[first]], times[chain[last]]
        for k in range(first + 1, last):
            times[chain[k]] = round(low + (high - low) * (k - first) / (last - first), 6)


def _spans(root: Any, slots: dict[str, float], file: File, export: Export) -> dict[str, Span]:
    """Where each annotation is, those on others by what they are on."""
    spans: dict[str, Span] = {}
    for one in root.iter("ALIGNABLE_ANNOTATION"):
        start, end = (slots.get(name) for name in _ends(one))
        if start is None or end is None:
            export.leave("annotations without a time", f"{one.get('ANNOTATION_ID')} in {file.name}")
        else:
            spans[str(one.get("ANNOTATION_ID"))] = (start, end)
    waiting = [parts for tier in root.findall("TIER") for parts in _parts(tier)]
    placed = True
    while placed and waiting:
        placed, later = False, []
        for parent, keys in waiting:
            if parent in spans:
                (start, end), many = spans[parent], len(keys)
                steps = [round(start + (end - start) * k / many, 6) for k in range(many + 1)]
                spans.update(zip(keys, pairwise(steps), strict=True))
                placed = True
            else:
                later.append((parent, keys))
        waiting = later
    for parent, keys in waiting:
        export.leave("annotations on one that has no time", f"{keys[0]} on {parent} in {file.name}", len(keys))
    return spans


def _parts(tier: Any) -> Iterator[tuple[str, list[str]]]:
    """Annotations of a tier by the one that they are on, whose time they share, in their order."""
    found: dict[str, list[str]] = {}
    before: dict[str, str] = {}  # the one that stands before
    for one in tier.iter("REF_ANNOTATION"):
        key = str(one.get("ANNOTATION_ID"))
        found.setdefault(str(one.get("ANNOTATION_REF")), []).append(key)
        if one.get("PREVIOUS_ANNOTATION"):
            before[key] = str(one.get("PREVIOUS_ANNOTATION"))
    for parent, keys in found.items():
        after = {before[key]: key for key in keys if key in before}
        first = [key for key in keys if key not in before]
        ordered = first[:1]
        while ordered and ordered[-1] in after and len(ordered) < len(keys):
            ordered.append(after[ordered[-1]])
        yield parent, ordered if len(ordered) == len(keys) else keys
