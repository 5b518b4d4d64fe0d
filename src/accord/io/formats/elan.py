"""ELAN: tiers with annotations between time slots, or on annotations of another tier. Times are in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import xml_of, xml_text
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, number
from accord.io.reading import Reading

_UNITS = {"milliseconds": 0.001, "seconds": 1.0}
_LONGEST = 15  # digits of a time
_DEEPEST = 50  # tiers on tiers
_EXTENT = "accord.extent"  # a property of a file that accord wrote: ELAN has no place for the length of a recording
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
    return Tiers(file, tiers, _extent(root, file), about=about or None)


def _extent(root: Any, file: File) -> Span | None:
    said = next((one.text or "" for one in root.iterfind("HEADER/PROPERTY") if one.get("NAME") == _EXTENT), None)
    if said is None:
        return None
    try:
        begin, end = map(float, said.split())
    except ValueError:
        raise DataError(f"{file.name}: {_EXTENT} is {quoted(said)}, not two times in seconds") from None
    return begin, end


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
    for at, tier in enumerate(root.findall("TIER")):
        for one in tier.iter("REF_ANNOTATION"):
            parts.setdefault((above[str(one.get("ANNOTATION_ID"))], at), []).append(str(one.get("ANNOTATION_ID")))
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


# -- writing ---------------------------------------------------------------------------------------------------------

_XSI = "http://www.w3.org/2001/XMLSchema-instance"


def write(material: Material) -> Draft:
    """A file per annotator and document, a tier per variable."""
    material.needs_units()
    material.needs_labels()
    material.needs_lengths()
    material.needs_no_overlap()
    material.needs_one_line()
    for doc, who, _, mark in material.all_marks():
        if any(at < 0 or abs(round(at * 1000) / 1000 - at) > 1e-9 for at in mark[:2]):
            raise DataError(
                f"ELAN counts whole milliseconds from 0, and {mark.start:.10g}–{mark.end:.10g} of {quoted(who)} in "
                f"{quoted(doc)} is finer, or before; --decimals 3 rounds, textgrid holds it"
            )
    draft = Draft(dict(FOLDERS), texts=False)
    file_names(material, draft)
    for doc, who, marks in material.versions():
        begin, end, given = material.extents[doc]
        content = _document(marks, (begin, end) if given else None)
        draft.add(f"{draft.annotators[who]}/{draft.docs[doc]}.eaf", content)
    return draft


def _document(marks: dict[str, list[Mark]], extent: Span | None) -> bytes:
    from lxml import etree

    def inside(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
        element = etree.SubElement(parent, tag, attributes)
        element.text = xml_text(text) if text is not None else None
        return element

    root = etree.Element("ANNOTATION_DOCUMENT", {
        "AUTHOR": "", "DATE": "1970-01-01T00:00:00+00:00", "FORMAT": "3.0", "VERSION": "3.0",
        f"{{{_XSI}}}noNamespaceSchemaLocation": "http://www.mpi.nl/tools/elan/EAFv3.0.xsd",
    }, nsmap={"xsi": _XSI})  # fmt: skip
    header = inside(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    many = sum(map(len, marks.values()))
    inside(header, "PROPERTY", str(many), NAME="lastUsedAnnotationId")
    if extent is not None:
        inside(header, "PROPERTY", " ".join(map(number, extent)), NAME=_EXTENT)
    order = inside(root, "TIME_ORDER")
    times = sorted({round(at * 1000) for found in marks.values() for mark in found for at in mark[:2]})
    slots = {at: f"ts{k}" for k, at in enumerate(times, 1)}
    for at, slot in slots.items():
        inside(order, "TIME_SLOT", TIME_SLOT_ID=slot, TIME_VALUE=str(at))
    key = 0
    for variable, found in marks.items():
        tier = inside(root, "TIER", LINGUISTIC_TYPE_REF="default-lt", TIER_ID=xml_text(variable))
        for mark in found:
            key += 1
            start, end = (slots[round(at * 1000)] for at in mark[:2])
            one = inside(inside(tier, "ANNOTATION"), "ALIGNABLE_ANNOTATION", ANNOTATION_ID=f"a{key}",
                         TIME_SLOT_REF1=start, TIME_SLOT_REF2=end)  # fmt: skip
            inside(one, "ANNOTATION_VALUE", mark.label)
    inside(root, "LINGUISTIC_TYPE", GRAPHIC_REFERENCES="false", LINGUISTIC_TYPE_ID="default-lt", TIME_ALIGNABLE="true")
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return made
