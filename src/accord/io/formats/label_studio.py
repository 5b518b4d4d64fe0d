"""Label Studio: its JSON (tasks with annotations and their results), JSON-MIN and CSV (a row per annotation).

Regions of texts, recordings and time series are units; choices, ratings, numbers and taxonomies of a whole task are
labels of items, those of a region are labels of units. Each control of the labelling interface is a variable.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.errors import DataError, counted, quoted
from accord.io.formats.documents import Documents, named_by, plain_value, text_of
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.offsets import code_points, counted_as, utf16, utf16_places
from accord.io.formats.parsing import first_json, json_of, json_rows
from accord.io.formats.writing import Draft, Mark, Material, names_of_label, renamed, shortened
from accord.io.reading import Reading

_ROW = {"annotation_id", "annotator", "lead_time"}  # of JSON-MIN and CSV
_ABOUT_ROW = _ROW | {"id", "created_at", "updated_at", "agreement", "meta", "inner_id", "file_upload", "project"}
_WHOLE = ("choices", "rating", "number", "taxonomy", "selected", "datetime")  # what answers about a task or region say
_PICTURES = ("x", "points", "rle", "sequence", "format", "vertices")


def recognises(file: File) -> bool:
    if file.suffix in {".json", ".jsonl", ".ndjson"}:
        first = first_json(file)
        if not isinstance(first, Mapping):
            beginning = file.beginning
            return first is None and '"annotations"' in beginning and '"result"' in beginning and '"data"' in beginning
        return _is_task(first) or set(first) >= _ROW
    header = file.beginning.split("\n", 1)[0].strip()
    return (
        file.suffix in {".csv", ".tsv"} and {cell.strip('"') for cell in header.replace("\t", ",").split(",")} >= _ROW
    )


def _is_task(first: Mapping[str, Any]) -> bool:
    for name in ("annotations", "completions", "predictions"):
        inside = first.get(name)
        if isinstance(inside, list) and inside and isinstance(inside[0], Mapping) and "result" in inside[0]:
            return True
    return isinstance(first.get("data"), Mapping) and isinstance(first.get("annotations"), list)


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    reader = _Reader(export)
    for file in mine:
        if file.suffix in {".csv", ".tsv"}:
            reader.rows(list(_csv_rows(file, how)))
        elif isinstance(first := first_json(file), Mapping) and not _is_task(first):
            reader.rows(list(json_rows(file, how.encoding)))
        else:
            reader.tasks(list(_tasks(file, how)))
    reader.finish()
    return export


def _tasks(file: File, how: Reading) -> Iterator[tuple[str, dict[str, Any]]]:
    if file.beginning.lstrip().startswith("{") and file.suffix == ".json":
        task = json_of(file, how.encoding)
        yield file.name, task
    else:
        yield from json_rows(file, how.encoding)


def _csv_rows(file: File, how: Reading) -> Iterator[tuple[str, dict[str, Any]]]:
    text = file.text(how.encoding)
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ","
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter)
    try:
        for row in reader:
            yield f"{file.name}:{reader.line_num}", {key: _cell(value) for key, value in row.items() if key is not None}
    except csv.Error as error:
        raise DataError(f"{file.name}:{reader.line_num}: {error}") from None


def _cell(value: Any) -> Any:
    """Answers stand in cells as JSON; a single choice is plain."""
    if isinstance(value, str) and value[:1] in "[{" and value:
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


@dataclass
class _Answer:
    """What one annotation says in one control."""

    control: str
    value: Mapping[str, Any]
    region: Mapping[str, Any] | None  # the stretch that it is about, if any
    place: str


class _Reader:
    def __init__(self, export: Export) -> None:
        self.export = export
        self.documents = Documents()
        self.models: list[tuple[str, str, dict[str, Any], Mapping[str, Any]]] = []  # predictions, if nothing else is
        self.people = 0
        self.unnamed = 0
        self.seen: Counter[str] = Counter()  # texts of the file at hand
        self.in_texts: set[str] = set()  # the fields in which something is marked
        self.empty: list[tuple[str, Mapping[str, Any]]] = []  # documents, and their data, in which nothing is

    # -- JSON ----------------------------------------------------------------------------------------------------

    def tasks(self, tasks: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self.seen.clear()
        for place, task in tasks:
            data = task.get("data") if isinstance(task.get("data"), Mapping) else {}
            doc = self._document(data or {}, plain_value(task.get("id")) or plain_value(task.get("inner_id")), place)
            done = task.get("annotations", task.get("completions")) or []
            for number, one in enumerate(_objects(done, place, "annotations"), 1):
                where = f"{place}, annotation {number}"
                if one.get("was_cancelled") or one.get("skipped"):
                    self.export.leave("cancelled annotations", where)
                    continue
                self.people += 1
                self._annotation(doc, self._who(one, number), data or {}, one, where)
            for one in _objects(task.get("predictions") or [], place, "predictions"):
                self.models.append((place, doc, dict(data or {}), one))
            if task.get("drafts"):
                self.export.leave("drafts", place, len(task["drafts"]))

    def _document(self, data: Mapping[str, Any], number: str | None, place: str) -> str:
        """Tasks of several files with the same text are one document; within a file, tasks are told apart."""
        text = text_of(data) or (json.dumps(data, sort_keys=True, default=str) if data else f"{place} {number}")
        self.seen[text] += 1
        return self.documents.name((text, self.seen[text]), named_by(data) or number or place)

    def _who(self, one: Mapping[str, Any], number: int) -> str:
        by = one.get("completed_by", one.get("created_username"))
        if isinstance(by, Mapping):
            full = " ".join(str(by[key]) for key in ("first_name", "last_name") if by.get(key))
            by = by.get("email") or by.get("username") or full or by.get("id")
        name = plain_value(by)
        if name is None:
            self.unnamed += 1
        return name or f"annotator {number}"

    def _annotation(self, doc: str, who: str, data: Mapping[str, Any], one: Mapping[str, Any], place: str) -> None:
        self.export.saw(doc, who)
        results = _objects(one.get("result") or [], place, "result")
        regions = {r["id"]: r["value"] for r in results if r.get("id") and _stretch(r.get("value"))}
        answers = []
        for result in results:
            value = result.get("value")
            if not isinstance(value, Mapping):
                kind = "relations" if result.get("type") == "relation" else "results without a value"
                self.export.leave(kind, place)
                continue
            region = value if _stretch(value) else regions.get(result.get("id") or result.get("parentID"))
            control = str(result.get("from_name") or result.get("type") or "label")
            answers.append(_Answer(control, value, region, f"{place}, {result.get('id', control)}"))
            if isinstance(result.get("original_length"), int | float):
                self.export.document(doc, extent=(0.0, float(result["original_length"])))
        names = {str(r.get("to_name")) for r in results if _stretch(r.get("value")) and _in_text(r["value"])}
        self.in_texts |= names
        if not results:
            self.empty.append((doc, data))
        text = next((data[name] for name in names if isinstance(data.get(name), str)), None)
        self._take(doc, who, answers, text if text is not None else text_of(data) if names else None)

    # -- JSON-MIN, CSV -------------------------------------------------------------------------------------------

    def rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
        answers = _answer_fields([row for _, row in rows])
        self.seen.clear()
        docs: dict[str, str] = {}  # a task has a row for each annotation
        for place, row in rows:
            data = {key: value for key, value in row.items() if key not in answers and key not in _ABOUT_ROW}
            task = plain_value(row.get("id")) or place
            doc = docs[task] if task in docs else docs.setdefault(task, self._document(data, task, place))
            self.people += 1
            who = plain_value(row.get("annotator")) or self._who({}, 1)
            self.export.saw(doc, who)
            said = [answer for name in answers for answer in _answers_in(name, row.get(name), place)]
            in_text = any(answer.region is not None and _in_text(answer.region) for answer in said)
            self._take(doc, who, said, text_of(data) if in_text else None)

    # -- both ----------------------------------------------------------------------------------------------------

    def _take(self, doc: str, who: str, answers: Sequence[_Answer], text: str | None) -> None:
        place = None
        if text is not None:
            self.export.document(doc, text)
            spans = [(*_ends(a.region), a.region.get("text")) for a in answers if a.region and _in_text(a.region)]
            place = counted_as(text, spans, (utf16, code_points))
        for answer in answers:
            self._answer(doc, who, answer, place)

    def _answer(self, doc: str, who: str, answer: _Answer, place: Any) -> None:
        labels = _labels(answer.value)
        if labels is None:
            self.export.leave(_kind(answer.value), answer.place)
        elif answer.region is None:
            self.export.label(answer.control, doc, who, labels, place=answer.place)
        else:
            start, end = _ends(answer.region)
            surface = answer.region.get("text")
            if place is not None and _in_text(answer.region):
                start, end = (found if (found := place(at)) is not None else at for at in (start, end))
            else:
                surface = None
            for label in labels if isinstance(labels, list) else [labels]:
                self.export.unit(
                    answer.control, doc, who, start, end, label, place=answer.place,
                    surface=surface if isinstance(surface, str) else None,
                )  # fmt: skip

    def finish(self) -> None:
        if self.models and not self.people:
            self.export.notes.append("there are predictions alone: each version of a model is an annotator")
            for place, doc, data, one in self.models:
                self._annotation(doc, str(one.get("model_version") or "model"), data, one, place)
        elif self.models:
            self.export.leave("predictions of models", self.models[0][0], len(self.models))
        if self.unnamed:
            self.export.notes.append(
                f"{counted(self.unnamed, 'annotation')} without a name of its annotator: numbered within each task"
            )
        for doc, fields in self.empty:
            said = next((fields[name] for name in sorted(self.in_texts) if isinstance(fields.get(name), str)), None)
            self.export.document(doc, said)
        for rows in self.export.labels.values():
            _as_sets(rows.columns["label"])


def _objects(given: Any, place: str, what: str) -> list[Mapping[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise DataError(f"{place}: {quoted(what)} is no list of objects")
    return given


def _stretch(value: Any) -> bool:
    """Whether a value says where something begins and ends: on one line, not on a picture."""
    return isinstance(value, Mapping) and {"start", "end"} <= set(value) and _ends(value) != (None, None)


def _ends(value: Mapping[str, Any]) -> Any:
    """Offsets in the whole text where there are any: in web pages start and end may be within an element."""
    whole = value.get("globalOffsets")
    found = whole if isinstance(whole, Mapping) else value
    sides: tuple[Any, Any] = (found.get("start"), found.get("end"))
    try:
        numbers = [float(side) for side in sides]
    except (TypeError, ValueError):
        return None, None
    return tuple(int(number) if number.is_integer() else number for number in numbers)


def _in_text(region: Any) -> bool:
    return isinstance(region.get("text"), str) or "globalOffsets" in region


def _labels(value: Mapping[str, Any]) -> Any:
    """A label, or several; None where a value is something else, or about a part of a picture."""
    if any(key in value for key in _PICTURES):
        return None
    for name in (*_WHOLE, *(key for key in value if str(key).endswith("labels"))):
        said = value.get(name)
        if isinstance(said, list):
            flat = ["/".join(map(str, one)) if isinstance(one, list) else str(one) for one in said]
            return flat[0] if len(flat) == 1 else flat
        if isinstance(said, str | int | float):
            return said
    return None


def _kind(value: Mapping[str, Any]) -> str:
    if any(key in value for key in _PICTURES):
        return "regions of pictures"
    return "free texts" if "text" in value else "regions without a label" if "start" in value else "other results"


def _as_sets(labels: list[object]) -> None:
    """Where several choices are allowed, every answer is a set."""
    if any(isinstance(label, list) for label in labels):
        labels[:] = [label if isinstance(label, list) or label is None else [label] for label in labels]


def _answers_in(name: str, said: Any, place: str) -> list[_Answer]:
    """The answers in a field of a row."""
    if said is None or said == "":
        return []
    if isinstance(said, list) and all(isinstance(one, Mapping) for one in said):
        return [_Answer(name, one, one if _stretch(one) else None, place) for one in said]
    if isinstance(said, Mapping):
        return [_Answer(name, said, said if _stretch(said) else None, place)]
    return [_Answer(name, {"choices": said}, None, place)]


def _answer_fields(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Fields that annotators filled: lists of regions, choices, or what differs between annotations of one task."""
    names = dict.fromkeys(key for row in rows for key in row if key not in _ABOUT_ROW)
    return [name for name in names if _is_answer(name, rows)]


def _is_answer(name: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    values = [(row.get("id"), row.get(name)) for row in rows if row.get(name) not in (None, "")]
    if any(isinstance(value, list | Mapping) for _, value in values):
        said = [one for _, value in values for one in (value if isinstance(value, list) else [value])]
        return any(isinstance(one, str) or (isinstance(one, Mapping) and _labels(one) is not None) for one in said)
    by_task: dict[Any, set[str]] = {}
    for task, value in values:
        by_task.setdefault(task, set()).add(str(value))
    if any(len(found) > 1 for found in by_task.values()):
        return True
    distinct = {str(value) for _, value in values}
    return name.lower() not in {"text", "image", "audio", "video", "html", "url"} and 2 * len(distinct) <= len(by_task)


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """A task for each document or item, an annotation for each annotator, a result for each unit or label."""
    material.needs_labels()
    if material.texts:
        material.needs_texts()
    done: dict[str, dict[str, list[dict[str, Any]]]] = {}  # by document or item, and annotator
    for doc, who, marks in material.versions():
        region = _region_in_text(material.texts[doc]) if doc in material.texts else _region_in_time(material, doc)
        done.setdefault(doc, {})[who] = [
            {"from_name": name, "type": "labels", **region(mark)} for name, found in marks.items() for mark in found
        ]
    for name in material.labels:
        for item, who, label in material.answers(name):
            result = {"from_name": name, "to_name": "text", "type": "choices"}
            done.setdefault(item, {}).setdefault(who, []).append(result | {"value": {"choices": names_of_label(label)}})
    draft = Draft(notes=["annotators are written as their email: Label Studio imports those that it has users for"])
    draft.docs = renamed(done, shortened, "document", draft)
    tasks = [_task(k, draft.docs[name], by, material.texts.get(name)) for k, (name, by) in enumerate(done.items(), 1)]
    draft.add("", json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")
    return draft


def _task(key: int, name: str, by: Mapping[str, list[dict[str, Any]]], text: str | None) -> dict[str, Any]:
    annotations = [
        {"completed_by": {"email": who}, "result": [{"id": f"r{n}", **one} for n, one in enumerate(results, 1)]}
        for who, results in by.items()
    ]
    data = {"doc_id": name, "text": text} if text is not None else {"doc_id": name, "audio": name}
    return {"id": key, "data": data, "annotations": annotations}


def _region_in_text(text: str) -> Callable[[Mark], dict[str, Any]]:
    """Offsets count as JavaScript does."""
    before = utf16_places(text)

    def region(mark: Mark) -> dict[str, Any]:
        start, end = int(mark.start), int(mark.end)
        place = {"start": before[start], "end": before[end], "text": text[start:end]}
        return {"to_name": "text", "value": place | {"labels": [mark.label]}}

    return region


def _region_in_time(material: Material, doc: str) -> Callable[[Mark], dict[str, Any]]:
    begin, end, given = material.extents[doc]
    known = {"original_length": end} if given and begin == 0 else {}

    def region(mark: Mark) -> dict[str, Any]:
        return {"to_name": "audio", "value": {"start": mark.start, "end": mark.end, "labels": [mark.label]}, **known}

    return region
