"""Label Studio, the annotation tool for any kind of data.

Files: its JSON (tasks with annotations and their results), JSON-MIN and CSV (a row per annotation). The users who
completed annotations are the annotators.
Keeps: regions of texts, recordings and time series as units; choices, ratings, numbers and taxonomies of a whole task
as labels of items, those of a region as labels of units. Each control of the labelling interface is a variable.
Skips and counts: regions of images or without a label, free texts, relations, drafts, cancelled annotations, notes on
regions, further fields; predictions, unless the file contains nothing else.
Reference: Label Studio documentation, "Label Studio JSON format of annotated tasks".
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.export import Documents, Export, named_by, plain_value, text_of
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import fields_of, json_of, json_rows, watched
from accord.data.io.formats.spans import fitting_offsets, or_as_given, utf16, utf16_places
from accord.data.io.formats.writing import Draft, Mark, Material, names_of_label, renamed, shortened
from accord.data.io.reading import Reading

_ROW = {"annotation_id", "annotator", "lead_time"}  # of JSON-MIN and CSV
_ABOUT_ROW = _ROW | {"id", "created_at", "updated_at", "agreement", "meta", "inner_id", "file_upload", "project"}
_WHOLE = (
    "choices",
    "rating",
    "number",
    "taxonomy",
    "selected",
    "datetime",
)  # fields with answers about a task or region
_ADDRESS = re.compile(r"[a-z0-9]+://\S*\Z|data:|/\S+\Z", re.IGNORECASE)  # an address or path, not a text
_OBJECTS = {"text", "image", "audio", "video", "html", "url"}  # usual names of what is annotated
_TASK = frozenset((
    "data", "annotations", "completions", "predictions", "drafts", "inner_id", "project", "file_upload", "meta",
    "total_annotations", "cancelled_annotations", "total_predictions", "comment_count", "unresolved_comment_count",
    "last_comment_updated_at", "updated_by", "comment_authors", "is_labeled", "overlap", "allow_skip", "agreement",
    "storage_filename", "precomputed_agreement", "annotators", "annotators_count", "reviewers", "reviewers_count",
    "predictions_score", "predictions_model_versions", "avg_lead_time", "completed_at", "annotations_ids",
    "predictions_results", "annotations_results", "draft_exists", "state",
))  # fmt: skip
_ANNOTATION = frozenset((
    "completed_by", "created_username", "result", "was_cancelled", "skipped", "ground_truth", "draft_created_at",
    "lead_time", "prediction", "result_count", "unique_id", "import_id", "last_action", "bulk_created", "task",
    "project", "updated_by", "parent_prediction", "parent_annotation", "last_created_by", "created_ago", "honeypot",
    "model_version", "score", "cluster", "neighbors", "mislabeling", "completed_by_id", "state", "model", "model_run",
))  # fmt: skip
_RESULT = frozenset((
    "from_name", "to_name", "type", "value", "origin", "original_length", "original_width", "original_height",
    "image_rotation", "parentID", "readonly", "hidden", "locked", "direction", "from_id", "to_id", "item_index",
    "interactiontype", "order", "score", "source",
))  # fmt: skip
_PLACED = frozenset((
    "start", "end", "startOffset", "endOffset", "globalOffsets", "text", "ranges", "sequence", "channel", "instant",
    "format", "duration", "framesCount", "x", "y", "width", "height", "rotation", "points", "closed", "rle", "vertices",
    "radiusX", "radiusY", "original_length", "videoLength",
))  # fmt: skip
_FEW_TASKS, _NEARLY_ALL, _WORDS_OF_A_TEXT = 5, 0.9, 4
_PICTURES = ("x", "points", "rle", "sequence", "format", "vertices")


def recognises(file: File) -> bool:
    if file.suffix in {".json", ".jsonl", ".ndjson"}:
        first = file.first_value
        return isinstance(first, Mapping) and (_is_task(first) or set(first) >= _ROW)
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


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    reader = _Reader(export)
    for file in watched(mine, run):
        reader.file, reader.by_file = file, how.annotators_in == "files" and len(mine) > 1
        if file.suffix in {".csv", ".tsv"}:
            reader.rows(_with_annotators(file, _csv_rows(file, how)))
        elif isinstance(first := file.first_value, Mapping) and not _is_task(first):
            reader.rows(_with_annotators(file, json_rows(file, how.encoding)))
        else:
            reader.tasks(list(_tasks(file, how)))
    reader.finish()
    return export


def _with_annotators(file: File, rows: Iterable[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    found = list(rows)
    if not any("annotator" in row for _, row in found):
        raise DataError(
            "export-not-usable",
            f"{file.name}: this Label Studio export names no annotators; export it as JSON",
        )
    return found


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
        raise DataError(
            "invalid-record",
            f"{file.name}:{reader.line_num}: not a valid CSV row: {error}; export it again from Label Studio",
        ) from error


def _cell(value: Any) -> Any:
    """Parse an answer in a cell: JSON, or Python literals in some versions. A single choice is plain text."""
    if isinstance(value, str) and value.startswith(("[", "{")):
        for parse in (json.loads, ast.literal_eval):
            try:
                return parse(value)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
    return value


@dataclass
class _Answer:
    """The answer of one annotation in one control."""

    control: str
    value: Mapping[str, Any]
    region: Mapping[str, Any] | None  # the region that the answer refers to, if any
    place: str
    about: str = ""  # the object of the labelling interface: a text, a recording
    timed: bool = False  # the result has the length of a recording


@dataclass
class _Stretch:
    """Start and end of a region, and its text if it has one."""

    start: float
    end: float
    surface: str | None = None


def _users_of(task: Mapping[str, Any]) -> list[object]:
    done = task.get("annotations", task.get("completions"))
    return [fields_of(one).get("completed_by") for one in done] if isinstance(done, list) else []


class _Users:
    """Users who are known by a number only. Two installations give the same numbers to different people."""

    def __init__(self) -> None:
        self.read: dict[tuple[str, str], tuple[str, Any]] = {}  # file and regions, by document and user
        self.annotations: dict[str, tuple[str, Any]] = {}  # file and regions, by the number of an annotation
        self.files_of: dict[str, set[str]] = {}  # by user
        self.apart: tuple[str, str] | None = None  # two files of different installations

    def has_read(self, doc: str, who: str, one: Mapping[str, Any], file: File) -> bool:
        """Return whether another file has the same annotation. Refuse another one of the same document and number."""
        if not who.isdecimal():
            return False
        self.files_of.setdefault(who, set()).add(file.name)
        regions = one.get("result")
        number = plain_value(one.get("id"))
        if number is not None:
            before, other = self.annotations.setdefault(number, (file.name, regions))
            if before != file.name and other != regions:
                self.apart = (before, file.name)
        before, other = self.read.setdefault((doc, who), (file.name, regions))
        if before == file.name:
            return False
        if regions and regions == other:
            return True
        raise DataError(
            "format-ambiguous",
            f"{file.name}: user {who} annotated {quoted(doc, 40)} differently in {before}; Label Studio numbers users "
            "in each installation, so these may be two people: use --annotators-in files if they are, or give one file",
        )

    @property
    def note(self) -> str:
        again = [who for who, files in self.files_of.items() if len(files) > 1]
        if self.apart is None or not again:
            return ""
        first, second = self.apart
        return (
            f"{first} and {second} are exports of two installations, so user {again[0]} may be different people; "
            "use --annotators-in files if they are"
        )


class _Reader:
    file: File
    by_file: bool = False  # whether users of different files are different people
    alone: bool = False  # whether the file has one user

    def __init__(self, export: Export) -> None:
        self.export = export
        self.documents = Documents()
        self.users = _Users()
        self.models: list[
            tuple[str, str, dict[str, Any], Mapping[str, Any]]
        ] = []  # predictions, used if there are no annotations
        self.people = 0
        self.unnamed = 0
        self.seen: Counter[str] = Counter()  # texts of the current file
        self.objects: list[str] = []  # objects with regions, if a task has several; each is a document
        self.data: dict[str, Mapping[str, Any]] = {}  # of each task, by document

    # -- JSON ----------------------------------------------------------------------------------------------------

    def tasks(self, tasks: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self.seen.clear()
        marked = dict.fromkeys(name for place, task in tasks for name in _marked_objects(task, place))
        self.objects = list(marked) if len(marked) > 1 else []
        self.alone = len({str(by) for _, task in tasks for by in _users_of(task)}) == 1
        for place, task in tasks:
            data = fields_of(task.get("data"))
            self.export.unused.add_keys("keys of tasks", task, _TASK)
            doc = self._document(data, plain_value(task.get("id")) or plain_value(task.get("inner_id")), place)
            done = task.get("annotations", task.get("completions")) or []
            for number, one in enumerate(_objects(done, place, "annotations"), 1):
                where = f"{place}, annotation {number}"
                if one.get("was_cancelled") or one.get("skipped"):
                    self.export.leave("cancelled annotations", where)
                    continue
                who = self._who(one, number)
                if self.users.has_read(doc, who, one, self.file):
                    self.export.leave("annotations that another file contains, too", where)
                    continue
                self.people += 1
                self._annotation(doc, who, data, one, where)
            for one in _objects(task.get("predictions") or [], place, "predictions"):
                self.models.append((place, doc, dict(data), one))
            if isinstance(task.get("drafts"), list) and task["drafts"]:
                self.export.leave("drafts", place, len(task["drafts"]))

    def _document(self, data: Mapping[str, Any], number: str | None, place: str) -> str:
        """Return the document of a task. Tasks of different files with the same text are one document."""
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
        name = name or f"annotator {number}"
        return self._in_file(name)

    def _in_file(self, name: str) -> str:
        """Return the name of a user, or that of the file if the user declares that each file is an annotator."""
        return name if not self.by_file else self.file.stem if self.alone else f"{self.file.stem} {name}"

    def _annotation(
        self, doc: str, annotator: str, data: Mapping[str, Any], one: Mapping[str, Any], place: str
    ) -> None:
        for name in self.objects or [""]:
            self.export.saw(_part(doc, name), annotator)
        self.export.unused.add_keys("keys of annotations", one, _ANNOTATION)
        results = _objects(one.get("result") or [], place, "result")
        regions = {str(r["id"]): r["value"] for r in results if r.get("id") and _is_region(r.get("value"))}
        answers = []
        for result in results:
            value = result.get("value")
            if not isinstance(value, Mapping):
                kind = "relations" if result.get("type") == "relation" else "results without a value"
                self.export.leave(kind, place)
                continue
            region = value if _is_region(value) else regions.get(str(result.get("id") or result.get("parentID")))
            control = str(result.get("from_name") or result.get("type") or "label")
            length = result.get("original_length")
            about = str(result.get("to_name") or "") if self.objects else ""
            self._pass_keys(result, value)
            answers.append(
                _Answer(control, value, region, f"{place}, {result.get('id', control)}", about, length is not None)
            )
            if isinstance(length, int | float) and length > 0:
                self.export.document(_part(doc, about), extent=(0.0, float(length)))
        self._take(doc, annotator, answers, data)

    def _pass_keys(self, result: Mapping[str, Any], value: Mapping[str, Any]) -> None:
        """Count the keys of a result that are neither its position nor its labels; `meta` has notes on a region."""
        unused = self.export.unused
        unused.add_keys("keys of results", {k: v for k, v in result.items() if k.lower() != "meta"}, _RESULT)
        unused.add_keys("notes on results", fields_of(result.get("meta")), ())
        unused.add_keys("keys of values", value, _PLACED | {str(_label_key(value))})

    # -- JSON-MIN, CSV -------------------------------------------------------------------------------------------

    def rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
        answers = _answer_fields([row for _, row in rows])
        self.alone = len({str(row.get("annotator")) for _, row in rows}) == 1
        self.seen.clear()
        docs: dict[str, str] = {}  # a task has a row for each annotation
        for place, row in rows:
            data = {key: value for key, value in row.items() if key not in answers and key not in _ABOUT_ROW}
            task = plain_value(row.get("id")) or place
            doc = docs[task] if task in docs else docs.setdefault(task, self._document(data, task, place))
            user = plain_value(row.get("annotator"))
            annotator = self._in_file(user) if user else self._who({}, 1)
            one = {"id": row.get("annotation_id"), "result": [row.get(name) for name in answers]}
            if user and self.users.has_read(doc, annotator, one, self.file):
                self.export.leave("annotations that another file contains, too", place)
                continue
            self.people += 1
            self.export.saw(doc, annotator)
            said = [answer for name in answers for answer in _answers_in(name, row.get(name), place)]
            self._take(doc, annotator, said, data)

    # -- both ----------------------------------------------------------------------------------------------------

    def _take(self, doc: str, annotator: str, answers: Sequence[_Answer], data: Mapping[str, Any]) -> None:
        by_object: dict[str, list[_Answer]] = {}
        for answer in answers:
            by_object.setdefault(answer.about if answer.region is not None else "", []).append(answer)
        self.data.setdefault(doc, data)
        for about, some in by_object.items():
            where = _Places(some, data, about)
            if where.text is not None:
                self.export.document(_part(doc, about), where.text)
            for answer in some:
                self._answer(doc, annotator, answer, where)

    def _answer(self, doc: str, annotator: str, answer: _Answer, where: _Places) -> None:
        labels = _labels(answer.value)
        if labels is None or labels == []:
            self.export.leave(_kind(answer.value), answer.place)
        elif answer.region is None:
            self.export.label(answer.control, doc, annotator, labels, place=answer.place)
        else:
            found = where.stretches(answer)
            if isinstance(found, str):
                self.export.leave(found, answer.place)
                return
            for stretch in found:
                for label in labels if isinstance(labels, list) else [labels]:
                    self.export.unit(
                        answer.control, _part(doc, answer.about), annotator, stretch.start, stretch.end, label,
                        place=answer.place, surface=stretch.surface,
                    )  # fmt: skip

    def finish(self) -> None:
        if self.models and not self.people:
            self.export.notes.append("the file contains only predictions: each version of a model is one annotator")
            for place, doc, data, one in self.models:
                self._annotation(doc, str(one.get("model_version") or "model"), data, one, place)
        elif self.models:
            self.export.leave("predictions of models", self.models[0][0], len(self.models))
        self.export.note(self.users.note)
        if self.unnamed:
            self.export.notes.append(
                f"{counted(self.unnamed, 'annotation')} without an annotator; accord numbers them within each task"
            )
        for rows in self.export.labels.values():
            labels = rows.columns["label"]
            if any(isinstance(label, list) for label in labels):  # with several choices, each answer is a set
                labels[:] = [label if isinstance(label, list) or label is None else [label] for label in labels]
        self._lay_out_the_empty()

    def _lay_out_the_empty(self) -> None:
        """Add the texts of documents without regions, if other documents have texts."""
        for doc, data in self.data.items() if self.export.texts else ():
            text = text_of(data)
            if doc in self.export.looked and text is not None and not _ADDRESS.match(text):
                self.export.document(doc, text)


def _objects(given: Any, place: str, what: str) -> list[Mapping[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise DataError(
            "invalid-record", f"{place}: {quoted(what)} is not a list of objects; export it again from Label Studio"
        )
    return given


def _part(doc: str, about: str) -> str:
    return f"{doc}/{about}" if about else doc


def _marked_objects(task: Mapping[str, Any], place: str) -> Iterator[str]:
    """Yield the objects that contain regions of a task."""
    for one in _objects(task.get("annotations", task.get("completions")) or [], place, "annotations"):
        for result in _objects(one.get("result") or [], place, "result"):
            if _is_region(result.get("value")) and result.get("to_name"):
                yield str(result["to_name"])


def _is_region(value: Any) -> bool:
    """Whether a value has a start and an end on one axis. Regions of images do not."""
    if not isinstance(value, Mapping) or any(key in value for key in _PICTURES):
        return False
    return {"start", "end"} <= set(value) or isinstance(value.get("ranges"), list)


def _numbers(value: Mapping[str, Any]) -> tuple[float, float] | None:
    try:
        start, end = (float(value.get(side)) for side in ("start", "end"))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if not isfinite(start) or not isfinite(end):
        return None
    return (int(start), int(end)) if start.is_integer() and end.is_integer() else (start, end)


class _Places:
    """Positions of the regions of an annotation: in a text, dialogue, web page, recording or video."""

    def __init__(self, answers: Sequence[_Answer], data: Mapping[str, Any], about: str) -> None:
        regions = {id(answer.region): answer for answer in answers if answer.region is not None}
        self.turns: list[str] = []
        self.text: str | None = None
        self.place: Callable[[int], int] = int
        spans = [
            (*ends, region.get("text") if isinstance(region.get("text"), str) else None)
            for answer in regions.values()
            if _is_textual(answer) and (region := _whole(answer.region)) and (ends := _numbers(region))
        ]
        if any(_in_turns(answer.region) for answer in regions.values()):
            self.turns = _turns(data, about)
            self.text = "\n".join(self.turns) if self.turns else None
        elif spans:
            self._find_text(spans, data, about, any("globalOffsets" in (a.region or {}) for a in regions.values()))

    def _find_text(
        self, spans: list[tuple[Any, Any, str | None]], data: Mapping[str, Any], about: str, page: bool
    ) -> None:
        """Find the field of the task that matches the regions. Offsets of a web page count its visible text."""
        named = data.get(about)
        first = named if isinstance(named, str) else text_of(data)
        fields = dict.fromkeys([first, *(one for one in data.values() if isinstance(one, str))])
        texts = [text for text in fields if text is not None and not _ADDRESS.match(text)]
        fitting = next((text for text in texts if fitting_offsets(text, spans)), None)
        self.text = fitting if fitting is not None or page else next(iter(texts), None)
        if self.text is not None:
            self.place = or_as_given(fitting_offsets(self.text, spans) or utf16(self.text))

    def stretches(self, answer: _Answer) -> list[_Stretch] | str:
        """Return the stretches of an answer, or the reason why it is skipped."""
        region = answer.region or {}
        if isinstance(region.get("ranges"), list):  # frames count from 1, and the last one is included
            frames = [_numbers(one) if isinstance(one, Mapping) else None for one in region["ranges"]]
            known = [_Stretch(ends[0] - 1, ends[1]) for ends in frames if ends]
            return known if len(known) == len(frames) else "ranges without valid frames"
        if _in_turns(region):
            return self._in_dialogue(region)
        whole = _whole(region)
        ends = _numbers(whole) if whole else None
        if ends is None:
            return "regions of web pages without offsets in the whole text"
        if self.text is None or not _is_textual(answer):
            return [_Stretch(*ends)]
        start, end = (self.place(int(at)) for at in ends)
        surface = region.get("text")
        return [_Stretch(start, end, surface if isinstance(surface, str) else None)]

    def _in_dialogue(self, region: Mapping[str, Any]) -> list[_Stretch] | str:
        """Return the stretch of a region in a dialogue: start and end are turns, and offsets count within them."""
        if not self.turns:
            return "regions of dialogues whose text is not in the file"
        ends = []
        for side in ("start", "end"):
            turn, within = int(region[side]), region.get(f"{side}Offset")
            inside = utf16(self.turns[turn])(within) if isinstance(within, int) and turn < len(self.turns) else None
            if inside is None:
                return "regions outside the text of their dialogue"
            ends.append(sum(len(text) + 1 for text in self.turns[:turn]) + inside)
        surface = region.get("text")
        same = region["start"] == region["end"] and isinstance(surface, str)
        return [_Stretch(ends[0], ends[1], str(surface) if same else None)]


def _whole(region: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return offsets in the whole text, or None if a web page gives them only within an element."""
    if region is None:
        return None
    within = region.get("globalOffsets")
    found = {**region, **within} if isinstance(within, Mapping) else region
    return found if isinstance(within, Mapping) or "startOffset" not in region else None


def _in_turns(region: Mapping[str, Any] | None) -> bool:
    """Whether a region is in a dialogue: start and end are numbers of turns."""
    return (
        region is not None
        and "startOffset" in region
        and all(str(region.get(side)).isdecimal() for side in ("start", "end"))
    )


def _turns(data: Mapping[str, Any], about: str) -> list[str]:
    """Return the texts of a dialogue, which is a list of objects in the task."""
    fields = [data.get(about), *data.values()]
    said = (one for one in fields if isinstance(one, list) and one and all(isinstance(turn, Mapping) for turn in one))
    texts = [text_of(turn) or "" for turn in next(said, [])]
    return texts if any(texts) else []


def _is_textual(answer: _Answer) -> bool:
    """Whether a region is in a text, not in a recording or time series."""
    region = answer.region or {}
    whole = _whole(region)
    ends = _numbers(whole) if whole else None
    if ends is None or not all(isinstance(at, int) for at in ends):
        return False
    if isinstance(region.get("text"), str) or "globalOffsets" in region:
        return True
    return not answer.timed and not any(key in region for key in ("channel", "instant", "timeserieslabels", "ranges"))


def _labels(value: Mapping[str, Any]) -> Any:
    """Return one label or several, or None if the value has none or is a region of an image."""
    if any(key in value for key in _PICTURES):
        return None
    name = _label_key(value)
    said = value[name] if name is not None else None
    if isinstance(said, list):
        flat = ["/".join(map(str, one)) if isinstance(one, list) else str(one) for one in said]
        return flat[0] if len(flat) == 1 else flat
    return said


def _label_key(value: Mapping[str, Any]) -> str | None:
    """Return the key of a value that contains its labels."""
    keys = (*_WHOLE, *(key for key in value if str(key).endswith("labels")))
    return next((key for key in keys if isinstance(value.get(key), list | str | int | float)), None)


def _kind(value: Mapping[str, Any]) -> str:
    if any(key in value for key in _PICTURES):
        return "regions of images"
    if _is_region(value) and not isinstance(value.get("text"), list):
        return "regions without a label"
    return "free texts" if "text" in value else "answers that are empty or of an unsupported kind"


def _answers_in(name: str, said: Any, place: str) -> list[_Answer]:
    """Return the answers in a field of a row."""
    if said is None or said == "":
        return []
    if isinstance(said, list) and all(isinstance(one, Mapping) for one in said):
        return [_Answer(name, one, one if _is_region(one) else None, place) for one in said]
    if isinstance(said, Mapping):
        return [_Answer(name, said, said if _is_region(said) else None, place)]
    return [_Answer(name, {"choices": said}, None, place)]


def _answer_fields(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return fields with answers: lists of regions, choices, or values that differ between annotations of a task."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    tail = ["annotator", "annotation_id", "created_at", "updated_at", "lead_time"]
    at = names.index("annotator")
    sure: list[str] = []
    if (
        "id" in names[:at] and names[at : at + len(tail)] == tail
    ):  # Label Studio writes data, id, answers, annotator and times, in this order
        first = names.index("id")
        between, names = names[first + 1 : at], names[at + len(tail) :]
        sure = [name for name in between if not _tells_of_task(name, rows, data_first=first > 0)]
    return [*sure, *(name for name in names if name not in _ABOUT_ROW and _is_answer(name, rows))]


def _is_answer(name: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    values = [(plain_value(row.get("id")), row.get(name)) for row in rows if row.get(name) not in (None, "")]
    if any(isinstance(value, list | Mapping) for _, value in values):
        said = [one for _, value in values for one in (value if isinstance(value, list) else [value])]
        return any(isinstance(one, str) or (isinstance(one, Mapping) and _labels(one) is not None) for one in said)
    by_task: dict[Any, set[str]] = {}
    for task, value in values:
        by_task.setdefault(task, set()).add(str(value))
    if any(len(found) > 1 for found in by_task.values()):
        return True
    distinct = {str(value) for _, value in values}
    return name.lower() not in _OBJECTS and 2 * len(distinct) <= len(by_task)


def _tells_of_task(name: str, rows: Sequence[Mapping[str, Any]], *, data_first: bool) -> bool:
    """Whether a field is data of the task: the same in all its annotations, and a text or seldom the same in others.

    Some tools write the columns in another order than Label Studio, with data after the id. A label on which all
    annotators agree has fewer values than there are tasks. With data before the id, only texts are data.
    """
    values = [(plain_value(row.get("id")), row.get(name)) for row in rows if row.get(name) not in (None, "")]
    if not values or any(isinstance(value, list | Mapping) for _, value in values):
        return False
    by_task: dict[Any, list[str]] = {}
    for task, value in values:
        by_task.setdefault(task, []).append(str(value))
    if any(len(set(found)) > 1 for found in by_task.values()):
        return False
    if name.lower() in _OBJECTS:
        return True
    distinct = {found[0] for found in by_task.values()}
    if len(by_task) == len(values) or len(by_task) < _FEW_TASKS:
        return False  # a task with one annotation shows nothing
    words = sum(len(value.split()) for value in distinct)
    return (not data_first and len(distinct) >= _NEARLY_ALL * len(by_task)) or (
        2 * len(distinct) > len(by_task) and words >= _WORDS_OF_A_TEXT * len(distinct)
    )


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a task per document or item, an annotation per annotator, and a result per unit or label."""
    material.needs_labels()
    if material.texts:
        material.needs_texts()
    done: dict[str, dict[str, list[dict[str, Any]]]] = {}  # by document or item, and annotator
    for doc, annotator, marks in material.versions():
        region = _region_in_text(material.texts[doc]) if doc in material.texts else _region_in_time(material, doc)
        done.setdefault(doc, {})[annotator] = [
            {"from_name": name, "type": "labels", **region(mark)} for name, found in marks.items() for mark in found
        ]
    for name in material.labels:
        for item, annotator, label in material.answers(name):
            result = {"from_name": name, "to_name": "text", "type": "choices"}
            done.setdefault(item, {}).setdefault(annotator, []).append(
                result | {"value": {"choices": names_of_label(label)}}
            )
    draft = Draft(
        notes=["annotators are written as email addresses; Label Studio matches them with its users on import"]
    )
    draft.docs = renamed(done, shortened, "document", draft)
    tasks = [_task(k, draft.docs[name], by, material.texts.get(name)) for k, (name, by) in enumerate(done.items(), 1)]
    draft.add("", json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")
    return draft


def _task(key: int, name: str, by: Mapping[str, list[dict[str, Any]]], text: str | None) -> dict[str, Any]:
    annotations = [
        {"completed_by": {"email": annotator}, "result": [{"id": f"r{n}", **one} for n, one in enumerate(results, 1)]}
        for annotator, results in by.items()
    ]
    data = {"doc_id": name, "text": text} if text is not None else {"doc_id": name, "audio": name}
    return {"id": key, "data": data, "annotations": annotations}


def _region_in_text(text: str) -> Callable[[Mark], dict[str, Any]]:
    """Return a function that makes regions with UTF-16 offsets, as JavaScript counts."""
    before = utf16_places(text)

    def region(mark: Mark) -> dict[str, Any]:
        start, end = int(mark.start), int(mark.end)
        place = {"start": before[start], "end": before[end], "text": text[start:end]}
        return {"to_name": "text", "value": place | {"labels": [mark.label]}}

    return region


def _region_in_time(material: Material, doc: str) -> Callable[[Mark], dict[str, Any]]:
    begin, end, given = material.extents[doc]
    known = {"original_length": end if given and begin == 0 else 0}  # its presence marks start and end as times

    def region(mark: Mark) -> dict[str, Any]:
        return {"to_name": "audio", "value": {"start": mark.start, "end": mark.end, "labels": [mark.label]}, **known}

    return region
