"""Classifications of Zooniverse, and what panoptes_aggregation extracts from them.

The export has a row per volunteer and subject, with the answers as JSON in the column annotations.

Each task is a variable. Answers to questions, dropdowns, sliders and surveys are labels of the subject. Drawings, marks
in texts and transcriptions are skipped, with a note; a table that contains nothing else is refused.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from accord.core.errors import DataError, counted, quoted
from accord.data.io.tables.columns import cells_of
from accord.data.io.tables.fields import Field
from accord.data.io.tables.nested import as_sets
from accord.data.io.tables.sources import MemorySource, Source
from accord.data.model.data import Fact, some

_COLUMNS = ("classification_id", "workflow_id", "annotations", "subject_ids")
_ANNOTATOR = ("user_name", "user_id", "user_ip")
_FEATURES = ("workflow_id", "workflow_name", "workflow_version", "created_at", "gold_standard", "expert")
_NOT_LOGGED_IN = "not-logged-in"
_EXTRACTS = ("classification_id", "subject_id", "task", "extractor")
_REDUCTIONS = ("subject_id", "task", "reducer")
_DATA = "data."  # the prefix of columns of results
_NO_ANSWER = ("data.aggregation_version", "data.gold_standard")
_DEEPEST = 4  # combined tasks in combined tasks
_SKIPPED = object()  # a drawing, a mark or a transcription


def are_classifications(header: Sequence[str]) -> bool:
    return any(set(columns) <= set(header) for columns in (_COLUMNS, _EXTRACTS, _REDUCTIONS))


def read_classifications(source: Source) -> MemorySource:
    """Return a row per classification, with a column per task."""
    if not set(_COLUMNS) <= set(source.header):
        return _read_results(source)
    wanted = [name for name in (*_COLUMNS, *_ANNOTATOR, *_FEATURES) if name in source.header]
    columns = {name: cells_of(column) for name, column in source.load(list(dict.fromkeys(wanted)))[0].items()}
    who = next((columns[name] for name in _ANNOTATOR if name in columns), None)
    if who is None:
        raise DataError(
            "column-missing",
            f"{source.name}: this is a table of classifications of Zooniverse without the column user_name, so the "
            "annotators are unknown; export it with user_name",
        )
    several = len(set(columns["workflow_id"])) > 1
    answers = [
        _answers_of(cell, f"{workflow} " if several else "", source.place(row))
        for row, (cell, workflow) in enumerate(zip(columns["annotations"], columns["workflow_id"], strict=True))
    ]
    drawn = {task for given in answers for task, value in given.items() if value is _SKIPPED}
    tasks = list(dict.fromkeys(task for given in answers for task in given if task not in drawn))
    labels = {task: [given.get(task) for given in answers] for task in tasks}
    texts = {task for task in tasks if Field((task,), labels[task]).is_text}
    labels = {task: as_sets(values) for task, values in labels.items() if task not in texts}
    if not tasks and not drawn:
        raise DataError(
            "export-not-usable",
            f"{source.name}: this is a table of classifications of Zooniverse without any answers; export it again",
        )
    if not labels:
        raise DataError(
            "export-not-usable",
            f"{source.name}: this is a table of classifications of Zooniverse, and its tasks "
            f"({some(sorted(drawn | texts), 4)}) are drawings, marks or texts, which accord does not compare; give a "
            "workflow with questions, or write units as a table with the columns doc,annotator,start,end,label",
        )
    notes: list[str] = [Fact(f"{source.name}: read as classifications of Zooniverse; each task is a variable")]
    if drawn | texts:
        notes.append(
            f"{source.name}: tasks with drawings, marks or texts are skipped: {some(sorted(drawn | texts), 4)}"
        )
    unknown = sum(name.startswith(_NOT_LOGGED_IN) for name in who)
    if unknown:
        notes.append(
            f"{source.name}: {counted(unknown, 'classification')} by volunteers who were not logged in; each of their "
            "IP addresses counts as one annotator"
        )
    if several:
        notes.append(f"{source.name}: each workflow has its own tasks: {some(sorted(set(columns['workflow_id'])), 4)}")
    features = {name: columns[name] for name in _FEATURES if name in columns and name not in labels}
    return MemorySource(
        {"item": columns["subject_ids"], "annotator": who, **labels, **features},
        source.name,
        is_file=source.is_file,
        notes=(*source.notes, *notes),
        places=tuple(source.place(row) for row in range(len(who))),
        labels=tuple(labels),
        item="item",
        annotator="annotator",
    )


def _answers_of(cell: str, before: str, place: str) -> dict[str, Any]:
    """Return the answers of a classification by task."""
    try:
        tasks = json.loads(cell) if cell else []
    except (ValueError, RecursionError):
        tasks = None
    if not isinstance(tasks, list) or not all(isinstance(task, Mapping) and "task" in task for task in tasks):
        raise DataError(
            "invalid-record",
            f"{place} (column annotations): {quoted(cell, 40)} is not a list of tasks; export the table again",
        )
    answers: dict[str, Any] = {}
    given: dict[str, list[Any]] = defaultdict(list)
    for task, value in _flat(tasks):
        given[f"{before}{task}"].append(value)
    for task, values in given.items():
        filled = [value for value in values if value is not None]
        answers |= _answers_to(task, filled[-1] if filled else None)  # the last: a volunteer may change the answer
    return answers


def _flat(tasks: Sequence[Any], depth: int = 0) -> list[tuple[str, Any]]:
    """Return task and value, also of combined tasks."""
    found: list[tuple[str, Any]] = []
    for task in tasks:
        value = task.get("value")
        inner = isinstance(value, list) and value and all(isinstance(v, Mapping) and "task" in v for v in value)
        if inner and depth < _DEEPEST:
            found += _flat(value, depth + 1)
        else:
            found.append((str(task["task"]), value))
    return found


def _answers_to(task: str, value: Any) -> dict[str, Any]:
    """Return the labels of a task: the answer, and the answers to further questions of a survey."""
    if value is None or isinstance(value, str | int | float):
        return {task: str(value) if isinstance(value, bool) else value}
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        return {task: _SKIPPED}
    if all(isinstance(one, str | int | float) for one in value):
        return {task: [str(one) for one in value]}
    if all(isinstance(one, Mapping) and "choice" in one for one in value):
        return _answers_to_survey(task, value)
    if all(isinstance(one, Mapping) and "value" in one and "option" in one for one in value):
        chosen = [str(one["value"]) for one in value if one["value"] is not None]
        return {task: chosen[0] if len(value) == 1 and chosen else chosen or None}
    return {task: _SKIPPED}


def _answers_to_survey(task: str, value: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the choices, and the answers about each choice."""
    choices = Counter(str(one["choice"]) for one in value)
    answers: dict[str, Any] = {task: list(choices) if len(choices) > 1 else next(iter(choices), None)}
    if len(value) == 1 and isinstance(value[0].get("answers"), Mapping):
        for question, answer in value[0]["answers"].items():
            listed = isinstance(answer, list)
            answers[f"{task}.{question}"] = [str(one) for one in answer] if listed else str(answer)
    return answers


# -- Results of panoptes_aggregation --


def _read_results(source: Source) -> MemorySource:
    """Return the answers in extracts, or the votes in reductions: a column data.ANSWER per answer, with a number."""
    columns = {name: cells_of(column) for name, column in source.load(source.header)[0].items()}
    extracts = set(_EXTRACTS) <= set(source.header)
    kinds = set(columns["extractor" if extracts else "reducer"])
    answers = [name for name in source.header if name.startswith(_DATA) and name not in _NO_ANSWER]
    filled = {cell for name in answers for cell in columns[name] if cell}
    survey = extracts and kinds == {"survey_extractor"} and "data.choice" in answers
    questions = kinds in ({"question_extractor"}, {"question_reducer"}) and all(map(_is_number, filled))
    who = next((columns[name] for name in _ANNOTATOR if name in columns), None)
    if not (survey or questions) or (extracts and who is None):
        raise DataError(
            "export-not-usable",
            f"{source.name}: this is a table of panoptes_aggregation ({some(sorted(kinds), 2)}) without answers to "
            "questions; give the classifications exported by Zooniverse, or the extracts of a question or a survey",
        )
    rows = range(len(columns["task"]))
    votes = [
        (row, columns["data.choice"][row] if survey else given)
        for row in rows
        for given in ([None] if survey else _given(columns, answers, row, repeat=not extracts))
    ]
    tasks = list(dict.fromkeys(columns["task"]))
    labels = {
        task: as_sets([answer if columns["task"][row] == task else None for row, answer in votes]) for task in tasks
    }
    table: dict[str, list[Any]] = {"item": [columns["subject_id"][row] for row, _ in votes]}
    if extracts and who is not None:
        table["annotator"] = [who[row] for row, _ in votes]
    return MemorySource(
        table | labels,
        source.name,
        is_file=source.is_file,
        notes=(*source.notes, Fact(f"{source.name}: read as results of panoptes_aggregation; each task is a variable")),
        places=tuple(source.place(row) for row, _ in votes),
        anonymous=not extracts,
        labels=tuple(tasks),
        item="item",
        annotator="annotator" if extracts else None,
    )


def _given(columns: Mapping[str, Sequence[Any]], answers: Sequence[str], row: int, *, repeat: bool) -> list[Any]:
    """Return the answer of a row, a set if there are several; or each answer as often as its number says."""
    numbers = {name.removeprefix(_DATA): float(columns[name][row] or 0) for name in answers}
    given = [answer for answer, number in numbers.items() for _ in range(int(number) if repeat else number > 0)]
    return given if repeat else [given[0] if len(given) == 1 else given or None]


def _is_number(cell: str) -> bool:
    try:
        return float(cell) >= 0
    except ValueError:
        return False


__all__ = ["are_classifications", "read_classifications"]
