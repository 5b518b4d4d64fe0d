"""Prodigy, the annotation tool of Explosion.

Files: .jsonl, a task with its answer on each line. Annotators are sessions (`_annotator_id`, `_session_id`), or files
if tasks have no session.
Keeps: spans as units (variable `spans`); choices (variable `accept`) and yes/no questions (a variable for each label)
as labels of items.
Skips and counts: ignored and rejected tasks, relations, free texts, regions of images, further fields of tasks.
Reference: Prodigy documentation, "Annotation interfaces" (https://prodi.gy/docs/api-interfaces).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Documents, Export, named_by, plain_value
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import fields_of, json_rows, objects_of, watched
from accord.data.io.formats.writing import Draft, Material, names_of_label, renamed, shortened
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, plain_name

SPANS, CHOICE = "spans", "accept"
_SEVERAL = object()  # marks choices of which several are allowed
_TIME = re.compile(r"\d{4}-\d\d-\d\d[_ T]\d\d-\d\d-\d\d")  # the name of an unnamed session
_SPAN_FIELDS = ("spans", "audio_spans")
_TASK = frozenset((
    "text", "html", "image", "audio", "video", "tokens", "meta", "answer", "options", "accept", "label", "labels",
    "config", "spans", "audio_spans", "relations", "user_input", "text_input", "path", "width", "height", "priority",
    "sound", "key",
))  # fmt: skip
_SPAN = frozenset((
    "start", "end", "label", "text", "token_start", "token_end", "source", "pattern", "input_hash", "color", "type",
    "points", "x", "y", "width", "height", "center", "score", "answer",
))  # fmt: skip
_BINARY = ("ner", "classification", "html", "text", "image", "pos", "dep")  # interfaces with yes/no questions


def recognises(file: File) -> bool:
    if file.suffix not in {".jsonl", ".json", ".ndjson"}:
        return False
    first = file.first_value
    if not isinstance(first, Mapping):
        return False
    spans = first.get("spans")
    bare = isinstance(first.get("text"), str) and isinstance(spans, list) and all(map(_is_span, spans))
    return "_task_hash" in first or bare


def _is_span(span: Any) -> bool:
    return isinstance(span, Mapping) and {"start", "end"} <= set(span)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    rows = [[*json_rows(file, how.encoding)] for file in watched(mine, run)]
    sessions = {name for some in rows for _, row in some if (name := _session(row))}
    export = Export()
    shared, keys = _dataset(sessions), [""] * len(mine)
    if not all(_session(row) for some in rows for _, row in some):
        docs = [frozenset(_content(row) for _, row in some) for some in rows]
        keys = export.name_annotators(mine, how, docs)
        if any(
            _TIME.search(str(row.get("_session_id") or row.get("_annotator_id"))) for some in rows for _, row in some
        ):
            export.notes.append(
                "sessions without a name are identified by time, so accord uses the files as annotators"
            )
    documents = Documents()
    for some, of_file in zip(rows, keys, strict=True):
        seen: Counter[tuple[str, str]] = Counter()
        for place, row in some:
            annotator = (_session(row) or "").removeprefix(shared) or of_file
            content = _content(row)
            seen[annotator, content] += 1
            again = 1 if row.get("_input_hash") is not None else seen[annotator, content]
            wanted = named_by(fields_of(row.get("meta"))) or plain_value(row.get("id"))
            doc = documents.name((content, again), wanted or content[:40])
            _take(export, doc, annotator, row, place)
    _settle_choices(export)
    return export


def _content(row: Mapping[str, Any]) -> str:
    """Return the content of a task, which identifies it."""
    known = (plain_value(row.get(name)) for name in ("_input_hash", "text", "html", "image", "audio", "video"))
    return next((one for one in known if one), json.dumps(row.get("meta"), sort_keys=True, default=str))


def _session(row: Mapping[str, Any]) -> str | None:
    """Return the annotator of a task. Unnamed sessions have a time as name, which identifies no annotator."""
    known = [plain_value(row.get(name)) for name in ("_annotator_id", "_session_id")]
    if "_task_hash" not in row:  # not written by Prodigy
        known += [plain_value(value) for key, value in row.items() if plain_name(str(key)) in ANNOTATOR]
    return next((name for name in known if name and not _TIME.search(name)), None)


def _dataset(sessions: set[str]) -> str:
    """Return the common prefix of sessions with names of the form DATASET-NAME."""
    before = {name.rpartition("-")[0] for name in sessions}
    return f"{before.pop()}-" if len(sessions) > 1 and len(before) == 1 and before != {""} else ""


def _take(export: Export, doc: str, annotator: str, row: Mapping[str, Any], place: str) -> None:
    answer = row.get("answer", "accept")
    if answer not in ("accept", "reject"):
        export.leave("ignored tasks" if answer == "ignore" else "tasks without an answer", place)
        return
    _pass_keys(export, row)
    options, label, view = row.get("options"), plain_value(row.get("label")), row.get("_view_id")
    if isinstance(options, list) and "accept" in row:
        _choice(export, doc, annotator, row, place)
    elif view in _BINARY or (view is None and "answer" in row and label is not None):
        asked = label or next((str(s["label"]) for s in objects_of(row.get("spans")) if s.get("label")), "answer")
        item = doc if label else f"{doc}: {_asked(row)}"
        export.label(asked, item, annotator, str(answer), place=place)
    elif answer == "reject":
        export.leave("rejected tasks", place)
    else:
        _marked(export, doc, annotator, row, place)
        if label is not None:
            export.label("label", doc, annotator, label, place=place)
    for name in ("relations", "user_input", "text_input"):
        if given := row.get(name):
            export.leave(name.replace("_", " "), place, len(given) if isinstance(given, list) else 1)


def _pass_keys(export: Export, row: Mapping[str, Any]) -> None:
    """Count further fields of a task and its spans. Prodigy marks its own fields with an underscore."""
    people = {str(key) for key in row if plain_name(str(key)) in ANNOTATOR}
    own = {str(key) for key in row if str(key).startswith("_")}
    export.unused.add_keys("fields of tasks", row, _TASK | people | own)
    for span in (one for name in _SPAN_FIELDS for one in objects_of(row.get(name))):
        export.unused.add_keys("keys of spans", span, _SPAN)


def _asked(row: Mapping[str, Any]) -> str:
    """Return the spans of a yes/no question as text."""
    return ", ".join(
        f"{span.get('start')}–{span.get('end')} {span.get('label', '')}" for span in objects_of(row.get("spans"))
    )


def _choice(export: Export, doc: str, annotator: str, row: Mapping[str, Any], place: str) -> None:
    accepted = row["accept"]
    if row.get("answer") == "reject":
        export.leave("rejected tasks", place)
    elif accepted is not None:
        chosen = [str(one) for one in (accepted if isinstance(accepted, list) else [accepted])]
        several = fields_of(row.get("config")).get("choice_style") == "multiple"
        export.label(CHOICE, doc, annotator, [*chosen, *([_SEVERAL] if several else [])], place=place)


def _settle_choices(export: Export) -> None:
    """Make sets of choices if a task allows several. Else skip tasks without a choice."""
    rows = export.labels.get(CHOICE)
    if rows is None:
        return
    lists: list[Any] = rows.columns["label"]
    several = any(len(chosen) > 1 or _SEVERAL in chosen for chosen in lists)
    if several:
        lists[:] = [[one for one in chosen if one is not _SEVERAL] for chosen in lists]
        return
    for chosen, place in zip(lists, rows.places, strict=True):
        if not chosen:
            export.leave("tasks without a choice", place)
    lists[:] = [chosen[0] if chosen else None for chosen in lists]


def _marked(export: Export, doc: str, annotator: str, row: Mapping[str, Any], place: str) -> None:
    text = row.get("text")
    if isinstance(text, str):
        export.document(doc, text)
    export.saw(doc, annotator)
    for span in (one for name in _SPAN_FIELDS for one in objects_of(row.get(name))):
        start, end = span.get("start"), span.get("end")
        if "points" in span or "x" in span:
            export.leave("regions of images", place)
        elif not isinstance(start, int | float) or not isinstance(end, int | float):
            raise DataError(
                "invalid-record",
                f"{place}: start or end of a span is missing or not a number; "
                'expected {"start": 0, "end": 4, "label": "…"}',
            )
        else:
            surface = span.get("text") if isinstance(text, str) else None
            export.span(SPANS, doc, annotator, start, end, span.get("label"), place=place, surface=surface)


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a task per document or item and annotator: spans of texts or recordings, and choices."""
    draft = Draft()
    people = sorted(
        {*material.annotators, *(annotator for name in material.labels for _, annotator, _ in material.answers(name))}
    )
    shared = _dataset(set(people))  # readers interpret the prefix as the name of the dataset
    draft.annotators = renamed(people, lambda name: name.removeprefix(shared), "annotator", draft)
    lines: list[str] = []
    if material.units:
        variable = material.only_one(material.units, " of units")
        draft.variables[variable] = SPANS
        draft.docs = renamed(material.looked, shortened, "document", draft)
        lines += _tasks_of_spans(material, variable, draft.docs)
    if material.labels:
        variable = material.only_one(material.labels, " of items")
        draft.variables[variable] = "accept"
        lines += _tasks_of_choices(material, variable)
    draft.add("", "".join(lines))
    return draft


def _tasks_of_spans(material: Material, variable: str, names: Mapping[str, str]) -> list[str]:
    in_texts = bool(material.texts)
    if in_texts:
        material.needs_texts()
    lines = []
    for doc, annotator, marks in material.versions():
        spans = [
            {"start": mark.start, "end": mark.end} | ({} if mark.label is None else {"label": mark.label})
            for mark in marks[variable]
        ]
        task: dict[str, Any] = {"text": material.texts[doc], "spans": spans} if in_texts else {"audio": names[doc]}
        if not in_texts:
            task["audio_spans"] = spans
        lines.append(_task(names[doc], annotator, task, "spans_manual" if in_texts else "audio_manual"))
    return lines


def _tasks_of_choices(material: Material, variable: str) -> list[str]:
    data = material.labels[variable]
    several = any(isinstance(label, frozenset) for label in data.categories)
    names = sorted({name for label in data.categories for name in names_of_label(label)})
    lines = []
    for item, annotator, label in material.answers(variable):
        task = {
            "text": item,
            "options": [{"id": name, "text": name} for name in names],
            "accept": names_of_label(label),
            "config": {"choice_style": "multiple" if several else "single"},
        }
        lines.append(_task(item, annotator, task, "choice"))
    return lines


def _task(name: str, annotator: str, task: dict[str, Any], view: str) -> str:
    about = {"meta": {"doc_id": name}, "_input_hash": _hash(name, task.get("text")), "_task_hash": _hash(view, name)}
    about |= {"_view_id": view, "answer": "accept", "_annotator_id": annotator, "_session_id": annotator}
    return json.dumps(task | about, ensure_ascii=False) + "\n"


def _hash(*parts: object) -> int:
    """Return a deterministic hash in the form that Prodigy writes."""
    made = hashlib.blake2b(json.dumps(parts).encode(), digest_size=4).digest()
    return int.from_bytes(made, "big", signed=True)
