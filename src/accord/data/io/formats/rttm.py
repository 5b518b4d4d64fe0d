"""RTTM and STM of NIST: speakers and their times.

Files: .rttm and .stm, a file per annotator; each line names the recording. A .uem in the same folder lists the
annotated parts of recordings. A .uem with the name of an .rttm lists the recordings that its annotator saw.
Keeps: stretches as units, in seconds; the label is the speaker. Other RTTM types with a name are further variables.
Skips and counts: lines that are not speech, stretches marked as ignored or without a label, points, transcripts,
subtypes, confidence, comments.
Reference: NIST, The 2009 Rich Transcription Meeting Recognition Evaluation Plan, appendix A.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import POINTS, Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each_counted, lines_of, seconds_of
from accord.data.io.formats.writing import Draft, Material, file_name, renamed, underlined
from accord.data.io.reading import Reading

_COMMENT = ";"  # the standard requires two, but files often have one
_GAP = "inter_segment_gap"  # the "speaker" of a stretch without a transcript
_STM = re.compile(r"\S+\s+\S+\s+\S+\s+\d+(\.\d+)?\s+\d+(\.\d+)?\s")
_LABEL = {
    "SPEAKER": 7,
    "SEGMENT": 7,
    "NON-SPEECH": 6,
    "NON-LEX": 6,
    "FILLER": 6,
    "SU": 6,
    "LEXEME": 5,
}  # the field with the label
_FIELDS = {"orthography": 5, "subtype": 6, "speaker": 7, "confidence": 8, "lookahead": 9}
_OTHERS = ("SPKR-INFO", "NOSCORE", "NO_RT_METADATA", "EDIT", "IP", "CB", "A/P")
_RTTM = re.compile(rf"({'|'.join([*_LABEL, *_OTHERS])})\s+\S+\s")
Row = tuple[str, str, float, float, str, str]  # variable, recording, start, end, label, place


def recognises(file: File) -> bool:
    lines = [line for line in file.beginning.split("\n") if line.strip() and not line.startswith(_COMMENT)]
    if not lines:
        return file.suffix in {".rttm", ".stm"}
    return _RTTM.match(lines[0]) is not None or (file.suffix == ".stm" and _STM.match(lines[0]) is not None)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    rows = each_counted(partial(_rows, how=how), mine, export, run)
    docs = [frozenset(row[1] for row in some) for some in rows]
    people = export.name_annotators(mine, how, docs)
    by_place = {(file.folder, file.stem): annotator for file, annotator in zip(mine, people, strict=True)}
    for file in files:
        if file.suffix == ".uem":
            _extents(file, export, how, by_place.get((file.folder, file.stem)))
    told = {(file.folder, file.stem) for file in files if file.suffix == ".uem"}
    known = frozenset().union(*docs)
    speakers: dict[str, set[str]] = {}
    for file, some, annotator in zip(mine, rows, people, strict=True):
        silent = not some and (file.folder, file.stem) not in told
        if silent and (empty := _recording(file, known)) is not None:
            export.saw(empty, annotator)
        elif silent:
            export.leave("files without stretches and with an unknown recording", file.name)
        for variable, doc, start, end, label, place in some:
            export.unit(variable, doc, annotator, start, end, label, place=place)
            speakers.setdefault(annotator, set()).add(label)
    if len(speakers) > 1 and len(set().union(*speakers.values())) == sum(map(len, speakers.values())):
        export.notes.append(
            "no label occurs in two files; accord compares the names of speakers literally, "
            "so use the same names in all files"
        )
    return export


def _recording(file: File, known: frozenset[str]) -> str | None:
    """Return the recording of a file without speech from its name: rec1.rttm, rec1_Ana.rttm."""
    return max((doc for doc in known if file.stem == doc or file.stem.startswith(f"{doc}_")), key=len, default=None)


def _rows(file: File, export: Export, how: Reading) -> list[Row]:
    found: list[Row] = []
    for place, line in lines_of(file, how.encoding):
        cells = line.split()
        if line.startswith(_COMMENT):
            export.unused.add("lines", "comments", harmless=True)
            continue
        row = _stm(line, place, export) if file.suffix == ".stm" else _rttm(cells, place, export)
        if row is None:
            continue
        if row[3] < row[2]:
            raise DataError(
                "invalid-record", f"{place}: the duration {row[3] - row[2]:g} s is negative; correct the times"
            )
        if row[3] == row[2]:
            export.leave(POINTS, place)
        else:
            found.append(row)
    return found


def _rttm(cells: Sequence[str], place: str, export: Export) -> Row | None:
    kind = cells[0]
    if kind not in _LABEL:
        if kind not in _OTHERS:
            raise DataError(
                "invalid-record", f"{place}: {quoted(kind, 40)} is not an RTTM type; expected a type like SPEAKER"
            )
        export.leave("lines that are not speech", f"{kind} at {place}")
        return None
    if not 8 <= len(cells) <= 10:
        raise DataError(
            "invalid-record", f"{place}: the line has {len(cells)} fields; expected 9 or 10, so replace blanks in names"
        )
    start, length = seconds_of(cells[3], place), seconds_of(cells[4], place)
    label = cells[_LABEL[kind]]
    for name, k in _FIELDS.items():
        if k < len(cells) and k != _LABEL[kind] and cells[k] != "<NA>":
            export.unused.add(f"fields of {kind}", name)
    if label == "<NA>":
        export.leave("stretches without a label", place)
        return None
    variable = "speaker" if kind == "SPEAKER" else kind.lower()
    return variable, cells[1], start, round(start + length, 6), label, place


def _stm(line: str, place: str, export: Export) -> Row | None:
    cells = line.split(maxsplit=5)
    if len(cells) < 5:
        raise DataError(
            "invalid-record",
            f"{place}: the line has {len(cells)} fields; expected recording, channel, speaker, start and end",
        )
    words = cells[5] if len(cells) > 5 else ""
    if words.lower().endswith("ignore_time_segment_in_scoring") or cells[2].lower() == _GAP:
        export.leave("stretches marked as ignored", place)
        return None
    export.unused.add("fields", "transcript", bool(words), harmless=True)
    return "speaker", cells[0], seconds_of(cells[3], place), seconds_of(cells[4], place), cells[2], place


def _extents(file: File, export: Export, how: Reading, annotator: str | None) -> None:
    for place, line in lines_of(file, how.encoding):
        cells = line.split()
        if line.startswith(_COMMENT):
            continue
        if len(cells) != 4:
            raise DataError(
                "invalid-record",
                f"{place}: the line has {len(cells)} fields; expected recording, channel, start and end",
            )
        export.document(cells[0], extent=(seconds_of(cells[2], place), seconds_of(cells[3], place)))
        if annotator is not None:
            export.saw(cells[0], annotator)


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write two files per annotator: .rttm, and .uem with the recordings that the annotator saw."""
    material.needs_units()
    material.needs_labels()
    material.needs_lengths()
    variable = material.only_one(material.units)
    draft = Draft({"names": "{annotator}"}, texts=False, variables={variable: "speaker"})
    draft.annotators = renamed(material.annotators, file_name, "annotator", draft)
    draft.docs = renamed(material.looked, underlined, "document", draft)
    labels = draft.labels[variable] = renamed(material.label_names, underlined, "label", draft)
    if "<NA>" in labels.values():
        raise DataError(
            "not-representable",
            "<NA> means no speaker in RTTM, but a label has this name; rename it with --merge",
        )
    lines: dict[str, list[str]] = {annotator: [] for annotator in material.annotators}
    parts: dict[str, list[str]] = {annotator: [] for annotator in material.annotators}
    for doc, annotator, marks in material.versions():
        begin, end, _ = material.extents[doc]
        parts[annotator].append(f"{draft.docs[doc]} 1 {_time(begin, doc)} {_time(end, doc)}\n")
        for mark in marks[variable]:
            start, length = _time(mark.start, doc), _time(round(mark.end, 6) - round(mark.start, 6), doc)
            label = labels[mark.label or ""]
            lines[annotator].append(f"SPEAKER {draft.docs[doc]} 1 {start} {length} <NA> <NA> {label} <NA> <NA>\n")
    for annotator, name in draft.annotators.items():
        draft.add(f"{name}.rttm", "".join(lines[annotator]))
        draft.add(f"{name}.uem", "".join(parts[annotator]))
    return draft


def _time(value: float, doc: str) -> str:
    if abs(round(value, 6) - value) > 1e-9:
        raise DataError(
            "not-representable",
            f"RTTM stores whole microseconds, and {value!r} in {quoted(doc)} is more precise; "
            "round with --decimals 6, or use --to textgrid",
        )
    return f"{value:.6f}".rstrip("0").rstrip(".")
