"""ELAN, the tool for annotating recordings of speech, sign language and behaviour.

Files: .eaf. Annotators have a file each, or are the ANNOTATOR of a tier, or the tiers (see tiers.py).
Keeps: annotations with a value as units, in seconds; each tier is a variable. An annotation that refers to another has
the same time.
Skips and counts: annotations without a value or without a time, references between annotations, unknown elements.
Reference: ELAN Annotation Format (EAF) 3.0, Max Planck Institute for Psycholinguistics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from pathlib import PurePosixPath
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import add_element, each_counted, one_line, xml_bytes, xml_of, xml_text
from accord.data.io.formats.tiers import Tier, Tiers, read_tiers
from accord.data.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, number
from accord.data.io.reading import Reading

_UNITS = {"milliseconds": 0.001, "seconds": 1.0}
_LONGEST = 15  # digits of a time
_ELEMENTS = frozenset((
    "LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE", "CONSTRAINT",
    "CONTROLLED_VOCABULARY", "LEXICON_REF", "EXTERNAL_REF", "REF_LINK_SET",
))  # fmt: skip
_TIER = frozenset(("TIER_ID", "PARTICIPANT", "ANNOTATOR", "LINGUISTIC_TYPE_REF", "DEFAULT_LOCALE", "PARENT_REF",
                   "EXT_REF", "LANG_REF"))  # fmt: skip
_ANNOTATION = frozenset((
    "ANNOTATION_ID", "TIME_SLOT_REF1", "TIME_SLOT_REF2", "ANNOTATION_REF", "PREVIOUS_ANNOTATION", "SVG_REF", "EXT_REF",
    "LANG_REF", "CVE_REF",
))  # fmt: skip
_EXTENT = "accord.extent"  # accord writes this property because ELAN has no field for the length of a recording
Span = tuple[float, float]


def recognises(file: File) -> bool:
    return "<ANNOTATION_DOCUMENT" in file.beginning[:2000]


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    return read_tiers(each_counted(_tiers, mine, export, run), export, how)


def _tiers(file: File, export: Export) -> Tiers:
    root = xml_of(file)
    header = root.find("HEADER")
    said = header.get("TIME_UNITS", "milliseconds") if header is not None else "milliseconds"
    if said not in _UNITS:
        raise DataError(
            "invalid-record",
            f"{file.name}: TIME_UNITS is {quoted(said)}, but accord reads milliseconds and seconds; save it in ELAN",
        )
    spans = _spans(root, _slots(root, _UNITS[said], file), file, export)
    tiers = []
    _pass_elements(export, root)
    for element in root.findall("TIER"):
        facts = (element.get(name) for name in ("ANNOTATOR", "PARTICIPANT", "PARENT_REF"))
        tier = Tier(str(element.get("TIER_ID")), *facts)
        for one in element.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            key, text = str(one.get("ANNOTATION_ID")), one_line(one.findtext("ANNOTATION_VALUE"))
            if key not in spans:
                continue  # without a time, and counted above
            if text:
                tier.marked.append((*spans[key], text, f"{file.name}:{one.sourceline}"))
            else:
                export.leave("annotations without a value", f"{key} in {file.name}")
        tiers.append(tier)
    media = root.find("HEADER/MEDIA_DESCRIPTOR")
    lay = str(media.get("MEDIA_URL", "")) if media is not None else ""
    name = PurePosixPath(lay.replace("\\", "/")).stem  # annotators may link the audio or the video of one recording
    return Tiers(file, tiers, _extent(root, file), about=name or None, lay=lay.rpartition(".")[0] or None)


def _pass_elements(export: Export, root: Any) -> None:
    """Count references between annotations, and unknown elements and attributes."""
    unused = export.unused
    unused.add_children("elements", root, _ELEMENTS)
    for links in root.iterfind("REF_LINK_SET"):
        for link in links.iterchildren("*"):
            unused.add("references between annotations", link.get("REF_TYPE") or link.tag)
    for tier in root.iterfind("TIER"):
        unused.add_attributes("attributes of tiers", tier, _TIER)
        unused.add_children("elements of tiers", tier, ("ANNOTATION",))
        for one in tier.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            unused.add_attributes("attributes of annotations", one, _ANNOTATION)
            unused.add_children("elements of annotations", one, ("ANNOTATION_VALUE",))


def _extent(root: Any, file: File) -> Span | None:
    said = next((one.text or "" for one in root.iterfind("HEADER/PROPERTY") if one.get("NAME") == _EXTENT), None)
    if said is None:
        return None
    try:
        begin, end = map(float, said.split())
    except ValueError:
        raise DataError(
            "invalid-record", f"{file.name}: {_EXTENT} is {quoted(said)}; expected two times in seconds, e.g. 0 60.5"
        ) from None
    return begin, end


def _slots(root: Any, unit: float, file: File) -> dict[str, float]:
    """Return the time of each slot. Slots without a time are interpolated between their neighbours."""
    times: dict[str, float] = {}
    order = list(root.iterfind("TIME_ORDER/TIME_SLOT"))
    for slot in order:
        value = slot.get("TIME_VALUE")
        if value is not None:
            try:
                if len(value) > _LONGEST:
                    raise ValueError
                times[str(slot.get("TIME_SLOT_ID"))] = round(int(value) * unit, 6)
            except ValueError:
                raise DataError(
                    "invalid-record",
                    f"{file.name}:{slot.sourceline}: TIME_VALUE {quoted(value, 30)} is not a valid time; "
                    "expected a whole number",
                ) from None
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
    """Spread slots without a time evenly between slots with a time."""
    known = [k for k, name in enumerate(chain) if name in times]
    for first, last in pairwise(known):
        low, high = times[chain[first]], times[chain[last]]
        for k in range(first + 1, last):
            times[chain[k]] = round(low + (high - low) * (k - first) / (last - first), 6)


def _spans(root: Any, slots: dict[str, float], file: File, export: Export) -> dict[str, Span]:
    """Return start and end of each annotation. Annotations that refer to another share its time."""
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
        export.leave(
            "annotations that refer to an annotation without a time", f"{keys[0]} on {parent} in {file.name}", len(keys)
        )
    return spans


def _parts(tier: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the annotations of a tier in order, by the annotation that they refer to and divide."""
    found: dict[str, list[str]] = {}
    before: dict[str, str] = {}  # the preceding annotation
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


# -- writing ---------------------------------------------------------------------------------------------------------

_XSI = "http://www.w3.org/2001/XMLSchema-instance"


def write(material: Material) -> Draft:
    """Write a file per annotator and document, with a tier per variable."""
    material.needs_tiers()
    for doc, annotator, _, mark in material.all_marks():
        if any(at < 0 or abs(round(at * 1000) / 1000 - at) > 1e-9 for at in mark[:2]):
            raise DataError(
                "not-representable",
                f"ELAN stores whole milliseconds from 0, but not {mark.start:.10g}–{mark.end:.10g} of "
                f"{quoted(annotator)} in {quoted(doc)}; round with --decimals 3, or use --to textgrid",
            )
    draft = Draft(dict(FOLDERS), texts=False)
    file_names(material, draft)
    for doc, annotator, marks in material.versions():
        begin, end, given = material.extents[doc]
        content = _document(marks, (begin, end) if given else None)
        draft.add(f"{draft.annotators[annotator]}/{draft.docs[doc]}.eaf", content)
    return draft


def _document(marks: dict[str, list[Mark]], extent: Span | None) -> bytes:
    from lxml import etree

    root = etree.Element("ANNOTATION_DOCUMENT", {
        "AUTHOR": "", "DATE": "1970-01-01T00:00:00+00:00", "FORMAT": "3.0", "VERSION": "3.0",
        f"{{{_XSI}}}noNamespaceSchemaLocation": "http://www.mpi.nl/tools/elan/EAFv3.0.xsd",
    }, nsmap={"xsi": _XSI})  # fmt: skip
    header = add_element(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    add_element(header, "PROPERTY", str(sum(map(len, marks.values()))), NAME="lastUsedAnnotationId")
    if extent is not None:
        add_element(header, "PROPERTY", " ".join(map(number, extent)), NAME=_EXTENT)
    order = add_element(root, "TIME_ORDER")
    times = sorted({round(at * 1000) for found in marks.values() for mark in found for at in mark[:2]})
    slots = {at: f"ts{k}" for k, at in enumerate(times, 1)}
    for at, slot in slots.items():
        add_element(order, "TIME_SLOT", TIME_SLOT_ID=slot, TIME_VALUE=str(at))
    keys = (f"a{key}" for key in count(1))
    for variable, found in marks.items():
        tier = add_element(root, "TIER", LINGUISTIC_TYPE_REF="default-lt", TIER_ID=xml_text(variable))
        for mark in found:
            start, end = (slots[round(at * 1000)] for at in mark[:2])
            aligned = {"ANNOTATION_ID": next(keys), "TIME_SLOT_REF1": start, "TIME_SLOT_REF2": end}
            one = add_element(add_element(tier, "ANNOTATION"), "ALIGNABLE_ANNOTATION", **aligned)
            add_element(one, "ANNOTATION_VALUE", mark.label)
    kind = {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": "default-lt", "TIME_ALIGNABLE": "true"}
    add_element(root, "LINGUISTIC_TYPE", **kind)
    return xml_bytes(root)
