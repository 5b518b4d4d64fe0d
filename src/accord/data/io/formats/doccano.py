"""doccano, the text annotation tool.

Files: JSON or JSON lines; a file per annotator. The reader skips the files of all annotators that an export contains.
Keeps: spans `[start, end, label]` as units; labels of the whole text as labels of items. Fields are variables.
Skips and counts: relations, comments, further fields, records without a text, spans without a label.
Reference: doccano documentation, "Export formats".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Documents, Export, plain_value
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import json_rows, watched
from accord.data.io.formats.writing import Draft, Material, file_name, names_of_label, renamed
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, plain_name

_ANSWERS = ("label", "labels", "entities", "cats", "annotations", "column_label")
_TEXTS = ("text", "data", "column_data", "filename")
_RECORD = frozenset((*_ANSWERS, *_TEXTS, "meta", "relations", "upload_name", "uploadname", "annotation_approver",
                     "is_confirmed"))  # fmt: skip
_SPAN = frozenset(("label", "user", "start_offset", "end_offset", "prob", "manual", "document", "example"))
_ALL = ("all", "unknown")  # files of an export that are not by one annotator


def recognises(file: File) -> bool:
    if file.suffix not in {".jsonl", ".json", ".ndjson"}:
        return False
    first = file.first_value
    if not isinstance(first, Mapping) or any(plain_name(str(key)).removesuffix("s") in ANNOTATOR for key in first):
        return False  # the records name annotators, so they are not from doccano
    text = any(isinstance(first.get(name), str) for name in _TEXTS)
    answers = [first[name] for name in _ANSWERS if name in first]
    return text and bool(answers) and all(isinstance(one, list) and all(map(_is_answer, one)) for one in answers)


def _is_answer(one: Any) -> bool:
    """Whether a value is a label, a span, or an annotation with its user, as older versions write it."""
    if isinstance(one, list):
        return len(one) == 3 and all(isinstance(at, int) for at in one[:2])
    if isinstance(one, Mapping):
        return "start_offset" in one or ("label" in one and "user" in one)
    return isinstance(one, str)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    people = [file for file in mine if file.stem.lower() not in _ALL] or list(mine)
    rows = [[*json_rows(file, how.encoding)] for file in watched(people, run)]
    docs = [frozenset(text for _, row in some if (text := _text(row))) for some in rows]
    export = Export()
    keys = export.name_annotators(people, how, docs)
    for file in mine:
        if file not in people:
            export.leave("files of all annotators together", file.name)
    documents = Documents()
    for some, annotator in zip(rows, keys, strict=True):
        seen: Counter[str] = Counter()
        for place, row in some:
            text = _text(row)
            if text is None:
                export.leave("records without a text", place)
                continue
            seen[text] += 1
            doc = documents.name((text, seen[text]), plain_value(row.get("id")) or text[:40])
            export.document(doc, text)
            _take(export, doc, annotator, row, place)
    _as_sets(export)
    return export


def _text(row: Mapping[str, Any]) -> str | None:
    return next((row[name] for name in _TEXTS if isinstance(row.get(name), str)), None)


def _take(export: Export, doc: str, annotator: str, row: Mapping[str, Any], place: str) -> None:
    if isinstance(row.get("relations"), list) and row["relations"]:
        export.leave("relations", place, len(row["relations"]))
    rest = {key: value for key, value in row.items() if str(key).lower() not in _RECORD}
    export.unused.add_keys("fields", rest, ())
    for name in _ANSWERS:
        said = row.get(name)
        if said is None:
            continue
        if not isinstance(said, list) or not all(map(_is_answer, said)):
            raise DataError(
                "invalid-record",
                f"{place}: {quoted(name)} is not a list of labels or spans; "
                'expected ["label", …] or [[start, end, "label"], …]',
            )
        spans = [one for one in said if not isinstance(one, str)]
        if spans or (name == "entities"):
            if not any(isinstance(one, Mapping) and "user" in one for one in spans):
                export.saw(doc, annotator)
            for one in spans:
                if isinstance(one, Mapping):
                    export.unused.add_keys("keys of spans", one, _SPAN)
                _span(export, doc, annotator, name, one, place)
        else:
            export.label(name, doc, annotator, list(said), place=place)
            if not said:
                export.saw(doc, annotator)


def _span(export: Export, doc: str, annotator: str, name: str, one: Any, place: str) -> None:
    if isinstance(one, list):
        start, end, label = one
    elif "start_offset" in one:
        start, end, label = one["start_offset"], one.get("end_offset"), one.get("label")
        annotator = plain_value(one.get("user")) or annotator
    else:
        export.label(name, doc, plain_value(one.get("user")) or annotator, [str(one["label"])], place=place)
        return
    if not isinstance(start, int) or not isinstance(end, int):
        raise DataError(
            "invalid-record", f'{place}: start or end of a span is not a whole number; expected [start, end, "label"]'
        )
    export.span(name, doc, annotator, start, end, label, place=place)


def _as_sets(export: Export) -> None:
    """Replace lists by their only label if no list has several. Drop empty lists of records with spans."""
    export.drop_empty_answers()
    for rows in export.labels.values():
        lists: list[Any] = rows.columns["label"]
        if all(len(label) <= 1 for label in lists):
            lists[:] = [label[0] if label else None for label in lists]


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a file per annotator, with spans or with labels of whole texts."""
    draft = Draft({"names": "{annotator}"})
    variable = material.only_one([*material.units, *material.labels])
    draft.variables[variable] = "label"
    lines: dict[str, list[str]]
    if material.units:
        material.needs_texts()
        material.needs_labels()
        draft.annotators = renamed(material.annotators, file_name, "annotator", draft)
        lines = {annotator: [] for annotator in material.annotators}
        for doc, annotator, marks in material.versions():
            spans = [[*mark] for mark in marks[variable]]
            lines[annotator].append(_line(doc, material.texts[doc], spans))
    else:
        answers = list(material.answers(variable))
        lines = {annotator: [] for annotator in sorted({annotator for _, annotator, _ in answers})}
        draft.annotators = renamed(lines, file_name, "annotator", draft)
        for item, annotator, label in answers:
            lines[annotator].append(_line(item, item, names_of_label(label)))
        draft.notes.append("doccano has no names of items, so they are written as texts")
    for annotator, found in lines.items():
        draft.add(f"{draft.annotators[annotator]}.jsonl", "".join(found))
    return draft


def _line(name: str, text: str, label: list[Any]) -> str:
    return json.dumps({"id": name, "text": text, "label": label}, ensure_ascii=False) + "\n"
