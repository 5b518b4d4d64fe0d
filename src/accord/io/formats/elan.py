"""ELAN: tiers with annotations between time slots, or on annotations of another tier. Times are in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import xml_of
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.reading import Reading

_UNITS = {"milliseconds": 0.001, "seconds": 1.0}
_LONGEST = 15  # digits of a time
_DEEPEST = 50  # tiers on tiers
Span = tuple[float, float]


def recognises(file: File) -> bool:
    return "<ANNOTATION_DOCUMENT" in file.beginning[:2000]


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    return read_tiers([_tiers(file, export) for file in mine], export, how)


def _tiers(file: File, export: Export) -> Tiers:
    root = xml_of(file)
    header = root.find("HEADER")
    unit = _UNITS.get(header.get("TIME_UNITS", "milliseconds") if header is not None else "milliseconds")
    if unit is None:
        raise DataError(f"{file.name}: times are in {header.get('TIME_UNITS')}; accord reads milliseconds and seconds")
    slots = _slots(root, unit, file.name)
    spans, texts = _spans(root, slots, file, export)
    tiers = []
    for element in root.findall("TIER"):
        tier = Tier(str(element.get("TIER_ID")), element.get("ANNOTATOR"), element.get("PARTICIPANT"))
        for one in element.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            key = str(one.get("ANNOTATION_ID"))
            if texts[key] and key in spans:
                tier.marked.append((*spans[key], texts[key], f"{file.name}:{one.sourceline}"))
            elif not texts[key]:
                export.leave("annotations without a value", f"{key} in {file.name}")
        tiers.append(tier)
    media = root.find("HEADER/MEDIA_DESCRIPTOR")
    about = str(media.get("MEDIA_URL", "")).rpartition("/")[2] if media is not None else None
    return Tiers(file, tiers, about=about or None)


def _slots(root: Any, unit: float, place: str) -> dict[str, float]:
    """When each slot is; one without a time stands between its neighbours."""
    names = [slot.get("TIME_SLOT_ID") for slot in root.iterfind("TIME_ORDER/TIME_SLOT")]
    raw = [slot.get("TIME_VALUE") for slot in root.iterfind("TIME_ORDER/TIME_SLOT")]
    beyond = next((value for value in raw if value is not None and len(value) > _LONGEST), None)
    if beyond is not None:
        raise DataError(f"{place}: a time slot is at {quoted(beyond, 30)}, which is no time")
    times = [int(value) * unit if value is not None and value.isdecimal() else None for value in raw]
    known = [k for k, time in enumerate(times) if time is not None]
    for k, time in enumerate(times):
        if time is None and known:
            first = max((j for j in known if j < k), default=known[0])
            last = min((j for j in known if j > k), default=known[-1])
            low, high = float(times[first] or 0), float(times[last] or 0)
            times[k] = low + (high - low) * ((k - first) / (last - first) if first < k < last else 0)
    return {name: round(time, 6) for name, time in zip(names, times, strict=True) if time is not None}


def _spans(root: Any, slots: dict[str, float], file: File, export: Export) -> tuple[dict[str, Span], dict[str, str]]:
    """Where each annotation is, those on others by what they are on, and what it says."""
    spans: dict[str, Span] = {}
    texts: dict[str, str] = {}
    above: dict[str, str] = {}
    for one in root.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
        key = str(one.get("ANNOTATION_ID"))
        texts[key] = " ".join((one.findtext("ANNOTATION_VALUE") or "").split())
        if one.tag == "REF_ANNOTATION":
            above[key] = str(one.get("ANNOTATION_REF"))
            continue
        start, end = (slots.get(str(one.get(f"TIME_SLOT_REF{k}"))) for k in (1, 2))
        if start is None or end is None:
            export.leave("annotations without a time", f"{key} in {file.name}")
        else:
            spans[key] = (start, end)
    parts: dict[tuple[str, int], list[str]] = {}  # parts of one annotation in one tier share its time
    for number, tier in enumerate(root.findall("TIER")):
        for one in tier.iter("REF_ANNOTATION"):
            parts.setdefault((above[str(one.get("ANNOTATION_ID"))], number), []).append(str(one.get("ANNOTATION_ID")))
    for _ in range(_DEEPEST):
        placed = False
        for (parent, _), keys in parts.items():
            if parent in spans and keys[0] not in spans:
                (start, end), many = spans[parent], len(keys)
                for k, key in enumerate(keys):
                    spans[key] = (start + (end - start) * k / many, start + (end - start) * (k + 1) / many)
                placed = True
        if not placed:
            break
    return spans, texts
