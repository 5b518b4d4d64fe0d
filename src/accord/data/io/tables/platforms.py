"""Exports of crowdsourcing platforms and labelling tools that have one row per judgment.

The names of columns reveal the platform, the item and the annotator. The other columns are answers, the content of the
items, or metadata of the platform. `PLATFORMS` lists the names; `read_judgments` also examines the values: a question
has answers that repeat, and that are not determined by the annotator (or, unless the name shows that the column is a
question, by the item).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.core.errors import DataError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, by_rows, cells_of, encode_column
from accord.data.io.tables.header import NOTHING
from accord.data.io.tables.roles import in_full
from accord.data.io.tables.sources import Source, View
from accord.data.model.data import Fact, some
from accord.data.model.labels import as_number, label_name


@dataclass(frozen=True)
class Platform:
    """A platform: columns that reveal it, and columns by role."""

    name: str
    marks: re.Pattern[str]
    enough: int  # number of marks that reveal the platform
    item: tuple[str, ...]  # columns that name the item, the best first
    annotator: tuple[str, ...]
    helpers: re.Pattern[str]  # columns that are neither answers nor content
    answers: re.Pattern[str] | None = None  # columns of answers; None: their values show them
    content: re.Pattern[str] | None = None  # columns with the content of items
    records: re.Pattern[str] | None = None  # columns with answers as JSON
    rejected: Mapping[str, frozenset[str]] = field(default_factory=dict)  # values of a column that mark rejected rows


def _names(*names: str) -> re.Pattern[str]:
    return re.compile("|".join(names))


_OF_MTURK = ("HITId", "HITTypeId", "HITGroupId", "Title", "Description", "Keywords", "Reward", "CreationTime",
             "MaxAssignments", "RequesterAnnotation", "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds",
             "Expiration", "NumberOfSimilarHITs", "LifetimeInSeconds", "AssignmentId", "WorkerId", "AssignmentStatus",
             "AcceptTime", "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback",
             "WorkTimeInSeconds", "LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate", "Approve",
             "Reject")  # fmt: skip
PLATFORMS = (
    Platform(
        "Amazon Mechanical Turk",
        _names("HITId", "HITTypeId", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime",
               "WorkTimeInSeconds", r"Input\..+", r"Answer\..+"),
        3,
        ("HITId",),
        ("WorkerId",),
        _names(*_OF_MTURK),
        _names(r"Answer\..+"),
        _names(r"Input\..+"),
        _names(r"Answer\.taskAnswers"),
        {"AssignmentStatus": frozenset({"Rejected"})},
    ),
    Platform(  # R writes X_unit_id for _unit_id
        "Appen (CrowdFlower)",
        _names("X?_unit_id", "X?_worker_id"),
        2,
        ("_unit_id", "X_unit_id"),
        ("_worker_id", "X_worker_id"),
        _names("X?_[a-z].*", ".*_gold(?:_reason)?", "orig__?golden"),
        rejected={"_tainted": frozenset({"true", "TRUE"}), "X_tainted": frozenset({"true", "TRUE"})},
    ),
    Platform(
        "Toloka",
        _names("INPUT[:.].+", "OUTPUT[:.].+", "GOLDEN[:.].+", "HINT[:.].+", "ASSIGNMENT[:.].+", "HIT[:.].+"),
        2,
        ("ASSIGNMENT:task_id", "TASK:id", "HIT:task_id", "ASSIGNMENT.task_id"),
        ("ASSIGNMENT:worker_id", "HIT:worker_id", "ASSIGNMENT:user_id", "ASSIGNMENT.worker_id"),
        _names("(?:GOLDEN|HINT|ASSIGNMENT|HIT|TASK|ACCEPT|DOC)[:.].+"),
        _names("OUTPUT[:.].+"),
        _names("INPUT[:.].+"),
        rejected={"ASSIGNMENT:status": frozenset({"REJECTED"})},
    ),
    Platform(
        "Labelbox",
        _names("DataRow ID", "Labeled Data", "Created By", "External ID", "Seconds to Label", "View Label"),
        3,
        ("DataRow ID", "External ID", "Labeled Data"),
        ("Created By",),
        _names("ID", "DataRow ID", "Labeled Data", "Created By", "Project Name", "Created At", "Updated At",
               "Seconds to (?:Label|Review|Create)", "External ID", "Agreement", "Is Benchmark",
               "Benchmark (?:ID|Agreement|Reference ID)", "Dataset Name", "Reviews", "View Label",
               "Has Open Issues", "Skipped"),
        _names("Label"),
        records=_names("Label"),
    ),
    Platform(
        "Prodigy",
        _names("_input_hash", "_task_hash", "_session_id", "_annotator_id", "_view_id"),
        3,
        ("_input_hash", "_task_hash"),
        ("_annotator_id", "_session_id"),
        _names("_.+", "meta", "options", "config", "html", "tokens", "spans", "answer"),
        _names("accept", "label"),
    ),
)  # fmt: skip

# Parts of names of columns with remarks and bookkeeping, which MTurk and others save beside the answers.
_REMARKS = {"click", "clicks", "comment", "comments", "feedback", "suggestion", "suggestions", "useragent", "browser",
            "timestamp", "surveycode", "keystrokes"}  # fmt: skip
_TIMES = {"time", "times", "duration", "seconds", "elapsed", "ms"}  # may also be an answer, if it has few values
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_RECORD = re.compile(r"\s*[\[{]\s*[\[{\"]")
_MARKS = {"true": 1, "on": 1, "1": 1, "checked": 1, "false": 0, "off": 0, "0": 0, "": -1}
_CHANCE = 0.01  # probability up to which constant answers are no coincidence
_FEW, _MANY = 3, 10  # cells needed to recognise texts with several words, and other cells that never repeat
_SELDOM = 0.8  # share of different values from which on a column has texts or identifiers
_LONGEST = 1 << 20  # characters of JSON in a cell
_MOST_WAYS = 3  # columns that a message names with an option


@dataclass
class Judgments(View):
    """An export with one row per judgment: the columns of items, annotators and answers are known."""

    item: str
    annotator: str
    labels: tuple[str, ...]
    hidden: frozenset[str] = frozenset()
    added: Mapping[str, Column] = field(default_factory=dict)  # answers from several columns, or from JSON
    own_notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.source.notes, *self.own_notes)

    @property
    def header(self) -> tuple[str, ...]:
        return (*(name for name in self.source.header if name not in self.hidden), *self.added)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        if any(name in self.added for name in cells):
            every, _ = self.load([*wanted, *cells])
            row_by_row = by_rows([np.array(cells_of(every[name]), dtype=str) for name in cells])
            return {name: every[name] for name in wanted}, row_by_row
        loaded, inside = self.source.load([name for name in wanted if name not in self.added], cells)
        return {name: self.added[name] if name in self.added else loaded[name] for name in wanted}, inside


def platform_of(header: Sequence[str]) -> Platform | None:
    """Return the platform whose columns these are, if they also name the annotator."""
    for platform in PLATFORMS:
        marks = [name for name in header if platform.marks.fullmatch(name)]
        if len(marks) >= platform.enough and _first(platform.annotator, header):
            return platform
    return None


def _first(names: Sequence[str], header: Sequence[str]) -> str | None:
    return next((name for name in names if name in header), None)


def read_judgments(source: Source, platform: Platform, how: Reading) -> Judgments:
    """Find the item, the annotator and the answers. Options that name columns take precedence."""
    header = source.header
    columns = source.load(header)[0]
    annotator = how.annotator or _first(platform.annotator, header) or ""
    item = how.item or _item_of(source, platform, columns, annotator)
    said = {how.doc, item, annotator, *how.label, *how.needed}
    table = _Table(source.name, columns, item, annotator)
    added = dict(table.records_in([name for name in header if platform.records and platform.records.fullmatch(name)]))
    table.columns |= added
    known = tuple(added) or tuple(name for name in header if platform.answers and platform.answers.fullmatch(name))
    rest = [name for name in header if not platform.helpers.fullmatch(name) and name not in {item, annotator}]
    content = [name for name in rest if platform.content and platform.content.fullmatch(name)]
    gold = [name for name in rest if f"{name}_gold" in header]
    joined, notes = table.choices_in(known or [name for name in rest if name not in content])
    parts = {part for group in joined.values() for part in group}
    table.columns |= {name: table.join(group) for name, group in joined.items()}
    sure = [name for name in (*known, *gold) if name not in parts]
    unsure = [] if known else [name for name in rest if name not in {*parts, *content, *gold}]
    labels, aside = table.questions([*sure, *joined], unsure)
    labels = how.label or labels
    if not labels:
        possible = [*sure, *unsure] or rest
        ways = " or ".join(f"--label {in_full(name)}" for name in possible[:_MOST_WAYS]) or "--label COLUMN"
        raise DataError(
            "export-not-usable",
            f"{source.name}: this is an export of {platform.name}, but the values do not show which column is the "
            f"question; use {ways} (columns: {some(possible or header, 8)})",
        )
    hidden = [name for name in header if platform.helpers.fullmatch(name) and name not in said]
    notes += _rejected(platform, columns, source.name, how)
    if shown := [f"{name} ({why})" for name, why in aside.items() if name not in said]:
        notes.append(Fact(f"{source.name}: columns not read as answers: {some(shown, 6)} (use --label to score one)"))
    if hidden:
        notes.append(Fact(f"{source.name}: columns of {platform.name} left out: {some(hidden, 4, told=True)}"))
    out = frozenset({*hidden, *parts} - said)
    added = {name: table.columns[name] for name in (*added, *joined)}
    return Judgments(source, item, annotator, tuple(labels), out, added, tuple(notes))


def _item_of(source: Source, platform: Platform, columns: Mapping[str, Column], annotator: str) -> str:
    """Return the column of items: the identifier of the platform, or the content if each row has its own identifier."""
    named = _first(platform.item, source.header)
    content = [name for name in columns if platform.content and platform.content.fullmatch(name)]
    candidates = [*([named] if named else []), *content]
    shared = next((name for name in candidates if _is_shared(columns[name], columns[annotator])), None)
    if shared is not None or named is not None:
        return shared or named or ""
    rest = [name for name in columns if name != annotator and not platform.helpers.fullmatch(name)]
    rest = [name for name in rest if not (platform.answers and platform.answers.fullmatch(name))]
    likely = [name for name in rest if _is_shared(columns[name], columns[annotator])]
    ways = " or ".join(f"--item {in_full(name)}" for name in likely[:_MOST_WAYS]) or "--item COLUMN"
    raise DataError(
        "export-not-usable",
        f"{source.name}: this is an export of {platform.name} without the column {quoted(platform.item[0])}; use "
        f"{ways} (columns: {some(source.header, 8)})",
    )


def _is_shared(item: Column, annotator: Column) -> bool:
    """Whether a value occurs with two annotators."""
    pairs = np.unique(np.stack([item.codes, annotator.codes], axis=1)[item.codes >= 0], axis=0)
    return bool(len(pairs)) and int(np.unique(pairs[:, 0], return_counts=True)[1].max()) > 1


def _rejected(platform: Platform, columns: Mapping[str, Column], where: str, how: Reading) -> list[str]:
    """Return notes on rows that the platform marks as rejected. They are read unless the user selects others."""
    notes = []
    for name, values in platform.rejected.items():
        if name not in columns or name in how.filters:
            continue
        cells = cells_of(columns[name])
        number = sum(cell in values for cell in cells)
        others = list(dict.fromkeys(cell for cell in cells if cell and cell not in values))
        if number and others:
            kept = quoted(f"{name}={','.join(others)}")
            notes.append(f"{where}: {counted(number, 'row')} marked as rejected; leave them out with --only {kept}")
    return notes


@dataclass
class _Table:
    """The columns of an export while accord examines their values."""

    name: str
    columns: dict[str, Column]
    item: str
    annotator: str

    def records_in(self, names: Sequence[str]) -> Iterator[tuple[str, Column]]:
        """Yield a column for each answer in JSON: [{"tone": {"label": "x"}}] has the answer x to tone."""
        for name in names:
            rows = [_answers_in(cell) for cell in cells_of(self.columns[name])]
            for key in dict.fromkeys(key for row in rows for key in row):
                yield (
                    (key if key not in self.columns else f"{name}.{key}"),
                    encode_column(np.array([row.get(key, "") for row in rows], dtype=str)),
                )

    def choices_in(self, names: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
        """Return columns such as q.yes and q.no, of which one is true in each row, by question; and notes on them."""
        groups: dict[str, list[str]] = {}
        for name in names:
            question, dot, choice = name.rpartition(".")
            if dot and choice and question not in {"", "Answer"} and self._marks(name) is not None:
                groups.setdefault(question, []).append(name)
        joined: dict[str, list[str]] = {}
        notes: list[str] = []
        for question, group in groups.items():
            marks = np.array([self._marks(name) for name in group])
            filled = (marks >= 0).any(axis=0)
            if (
                len(group) > 1
                and question not in self.columns
                and filled.any()
                and (((marks > 0).sum(axis=0)[filled] == 1).all())
            ):
                joined[question] = group
                notes.append(Fact(f"{self.name}: {some(group, 4)} are read as one variable, {question}: one is true in "
                                  "each row"))  # fmt: skip
        return joined, notes

    def _marks(self, name: str) -> np.ndarray | None:
        """Return 1, 0 and -1 for true, false and empty cells; None if there are other cells."""
        column = self.columns[name]
        values = [_MARKS.get(label_name(cell).strip().lower()) for cell in column.names]
        if None in values or set(values) == {-1}:
            return None
        return np.array([*values, -1], dtype=np.int8)[column.codes]

    def join(self, group: Sequence[str]) -> Column:
        """Return the choice of each row as one column."""
        marks = np.array([self._marks(name) for name in group])
        choices = [name.rpartition(".")[2] for name in group]
        chosen = np.where((marks > 0).any(axis=0), marks.argmax(axis=0), len(choices))
        return encode_column(np.array([*choices, ""], dtype=str)[chosen])

    def questions(self, sure: Sequence[str], unsure: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
        """Return the columns of questions, and why others are none. `sure`: the name shows that there is a question."""
        aside: dict[str, str] = {}
        for name in (*sure, *unsure):
            if why := self._no_answers(name):
                aside[name] = why
        left = [name for name in (*sure, *unsure) if name not in aside]
        varying = [name for name in left if name in sure or not self._same_within(name, self.item)]
        if varying or len(left) > 1:
            aside |= dict.fromkeys([name for name in left if name not in varying], "the same for each item")
            left = varying
        constant = [name for name in left if self._distinct(name) < 2]
        if len(constant) < len(left):
            aside |= dict.fromkeys(constant, "the same in each row")
        return tuple(name for name in left if name not in aside), aside

    def _no_answers(self, name: str) -> str | None:
        """Return why a column contains no answers that can be compared; None if it may."""
        column = self.columns[name]
        texts = [label_name(cell).strip() for cell in column.names]
        nothing = [-1, *(k for k, cell in enumerate(texts) if cell.lower() in NOTHING)]
        n = int((~np.isin(column.codes, nothing)).sum())
        cells = [cell for cell in texts if cell.lower() not in NOTHING]
        words = {word.lower() for word in _WORDS.findall(name)}
        numbers = all(not np.isnan(as_number(cell)) for cell in cells)
        sentences = 2 * sum(cell.count(" ") > 1 for cell in cells) > len(cells)
        seldom = (n >= _MANY and len(cells) > _SELDOM * n) or (sentences and _FEW <= n == len(cells))
        reasons = {
            "empty": not cells,
            "JSON": any(map(_RECORD.match, cells)),
            "remarks": words & _REMARKS or words >= {"user", "agent"},
            "durations": numbers and words & _TIMES and len(cells) > _MANY,
            "text": seldom and sentences,
            "all different": seldom and not numbers,
            "the same for each annotator": self._same_within(name, self.annotator, by_chance=_CHANCE),
        }
        return next((why for why, holds in reasons.items() if holds), None)

    def _distinct(self, name: str) -> int:
        return len({label_name(cell).strip() for cell in self.columns[name].names} - {""})

    def _same_within(self, name: str, group: str, by_chance: float = 1.0) -> bool:
        """Whether a column has one value within each group, and the probability of that is at most `by_chance`."""
        column, groups = self.columns[name], self.columns[group]
        filled = (column.codes >= 0) & (groups.codes >= 0)
        if column.empty is not None:
            filled &= column.codes != column.empty
        codes, by = column.codes[filled], groups.codes[filled]
        pairs = len(np.unique(np.stack([by, codes], axis=1), axis=0))
        number = len(np.unique(by))
        if pairs > number:
            return False
        if by_chance >= 1:
            return True
        shares = np.unique(codes, return_counts=True)[1] / max(len(codes), 1)
        return len(shares) > 1 and float((shares**2).sum()) ** (len(codes) - number) <= by_chance


def _answers_in(cell: str) -> dict[str, str]:
    """Return the answers in a cell of JSON by question; {} if there are none."""
    if len(cell) > _LONGEST or not _RECORD.match(cell):
        return {}
    try:
        value = json.loads(cell)
        records = value if isinstance(value, list) else [value]
        return {key: text for one in records if isinstance(one, Mapping) for key, text in _plain_answers(one)}
    except (ValueError, RecursionError):
        return {}


def _plain_answers(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for question, answer in record.items():
        if question == "classifications" and isinstance(answer, list):  # Labelbox
            for entry in answer:
                if isinstance(entry, Mapping):
                    yield from _classified(entry)
        elif isinstance(answer, Mapping) and answer and all(isinstance(value, bool) for value in answer.values()):
            yield from ((f"{question}.{choice}", str(value).lower()) for choice, value in answer.items())
        elif (text := _as_text(answer)) is not None:
            yield question, text


def _classified(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name = entry.get("title") or entry.get("name") or entry.get("value")
    answer = entry.get("answers") or entry.get("answer")
    text = _as_text(answer)
    if isinstance(name, str) and text is not None:
        yield name, text


def _as_text(answer: object) -> str | None:
    """Return an answer as a label: a word, a number, or a list of them; None if it is something else."""
    if isinstance(answer, Mapping):
        named = map(_as_text, map(answer.get, ("label", "labels", "title", "name", "value")))
        return next(filter(None, named), None)
    if isinstance(answer, bool):
        return str(answer).lower()
    if isinstance(answer, str | int | float):
        return str(answer)
    if isinstance(answer, list) and answer:
        parts = [_as_text(part) for part in answer]
        return None if None in parts else json.dumps(sorted(part for part in parts if part), ensure_ascii=False)
    return None
