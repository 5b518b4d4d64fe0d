"""Argilla, the annotation tool for datasets.

Files: records with fields and responses as JSON (versions 1 and 2), or rows of a Hugging Face dataset (.parquet too).
Keeps: labels and ratings of a record as labels of items, spans of a field as units. Each question is a variable. The
users who responded are the annotators.
Skips and counts: rankings, drafts, discarded responses, suggestions of models.
Reference: Argilla documentation, "Import and export datasets".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Documents, Export, plain_value, text_name, text_of
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import json_rows, objects_of, watched
from accord.data.io.reading import Reading

_LEFT = {"discarded": "discarded responses", "draft": "drafts"}
_END = ".responses"
_RECORD = frozenset((
    "id", "external_id", "fields", "responses", "suggestions", "metadata", "vectors", "status", "_server_id",
    "dataset_id", "event_timestamp", "metrics", "search_keywords", "explanation",
))  # fmt: skip
_SPAN = frozenset(("start", "end", "label", "text", "score"))
_RESPONSE = frozenset(("user_id", "user", "value", "values", "status", "record_id"))


def recognises(file: File) -> bool:
    if file.head.startswith(b"PAR1"):
        return any(name.endswith(_END) for name in _columns(file))
    first = file.first_value if file.suffix in {".json", ".jsonl", ".ndjson"} else None
    if not isinstance(first, Mapping):
        return False
    record = isinstance(first.get("fields"), Mapping) and isinstance(first.get("responses"), Mapping | list)
    return record or any(str(name).endswith(_END) for name in first) or bool(_older(first))


def _columns(file: File) -> list[str]:
    from accord.data.io.tables.columns import panics_unheard, polars
    from accord.data.io.tables.parquet import refuse_impossible

    pl = polars()
    try:
        with panics_unheard():
            content = BytesIO(file.bytes())
            refuse_impossible(content, file.name, pages=False)
            return list(pl.read_parquet_schema(content))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, DataError):
        return []


def _older(row: Mapping[str, Any]) -> list[str]:
    """Return the questions of a dataset of version 1: lists of objects with user, value and status."""
    keys = {"user_id", "value", "status"}
    return [
        name
        for name, said in row.items()
        if (isinstance(said, list) and said and all(isinstance(one, Mapping) and set(one) >= keys for one in said))
        or (isinstance(said, Mapping) and set(said) >= keys and isinstance(said["value"], list))
    ]


def _rows(file: File, how: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if file.head.startswith(b"PAR1"):
        from accord.data.io.tables.parquet import read_parquet

        for number, row in enumerate(read_parquet(BytesIO(file.bytes()), file.name).iter_rows(named=True), 1):
            yield f"{file.name}, row {number}", row
    else:
        yield from json_rows(file, how.encoding)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export, documents = Export(), Documents()
    for file in watched(mine, run):
        for place, row in _rows(file, how):
            fields = row["fields"] if isinstance(row.get("fields"), Mapping) else row
            name = plain_value(row.get("id")) or plain_value(row.get("external_id")) or place
            doc = documents.name(name, name)
            if row.get("suggestions"):
                export.leave("suggestions of models", place)
            _pass_keys(export, row)
            for question, annotator, status, value in _responses(row, place):
                if status in _LEFT:
                    export.leave(_LEFT[status], place)
                elif value is not None:
                    _take(export, doc, question, annotator, value, fields, place)
    export.drop_empty_answers()
    _leave_rankings(export)
    return export


def _pass_keys(export: Export, row: Mapping[str, Any]) -> None:
    """Count what is neither a field of the record nor a response."""
    said = row.get("responses")
    if isinstance(row.get("fields"), Mapping):
        export.unused.add_keys("keys of records", row, _RECORD)
    else:  # the fields of the record are columns, like everything else in the row
        questions = {str(name).removesuffix(_END) for name in row if str(name).endswith(_END)} | {*_older(row)}
        used = {str(text_name(row)), *_RECORD}
        rest = {name: value for name, value in row.items() if str(name).partition(".")[0] not in questions}
        export.unused.add_keys("columns without responses", rest, used, harmless=True)
    groups = said.values() if isinstance(said, Mapping) else [said] if isinstance(said, list) else []
    for response in (one for group in groups for one in objects_of(group if isinstance(group, list) else [group])):
        export.unused.add_keys("keys of responses", response, _RESPONSE)


def _leave_rankings(export: Export) -> None:
    """Skip rankings. Version 2 writes them like several labels, but each answer contains all labels in some order."""
    for question in [*export.labels]:
        rows = export.labels[question]
        chosen = [label for label in rows.columns["label"] if isinstance(label, list)]
        said = [tuple(label) for label in chosen if all(isinstance(one, str) for one in label)]
        if len(said) == len(rows.places) and len(set(said)) > 1 and len({frozenset(one) for one in said}) == 1:
            export.leave("rankings", rows.places[0], len(said))
            del export.labels[question]


def _responses(row: Mapping[str, Any], place: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield question, user, status and value of each response."""
    said = row.get("responses")
    if isinstance(said, Mapping):
        for question, given in said.items():
            for one in given if isinstance(given, list) else [given]:
                if isinstance(one, Mapping):
                    yield str(question), _user(one, place), str(one.get("status", "submitted")), one.get("value")
    elif isinstance(said, list):
        for one in said:
            values = one.get("values") if isinstance(one, Mapping) else None
            if values is None and isinstance(one, Mapping) and str(one.get("status")) in _LEFT:
                values = {"": None}  # a skipped record needs no answers
            if not isinstance(values, Mapping):
                raise DataError(
                    "invalid-record",
                    f'{place}: a response lacks "values"; expected an object with user_id, status and values',
                )
            for question, value in values.items():
                inner = value.get("value") if isinstance(value, Mapping) else value
                yield str(question), _user(one, place), str(one.get("status", "submitted")), inner
    yield from _in_columns(row, place)
    for question in _older(row):
        for one in _records(row[question]):
            yield question, _user(one, place), str(one["status"] or "submitted"), one["value"]


def _records(given: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list, or of an object of lists, which some files have instead."""
    if isinstance(given, list):
        return given
    return [dict(zip(given, values, strict=True)) for values in zip(*given.values(), strict=False)]


def _in_columns(row: Mapping[str, Any], place: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the responses in columns `question.responses` with the users in `question.responses.users`."""
    for column in [name for name in row if str(name).endswith(_END)]:
        question, values = str(column).removesuffix(_END), row[column] or []
        users, states = row.get(f"{column}.users") or [], row.get(f"{column}.status") or []
        if not all(isinstance(one, list) for one in (values, users, states)):
            raise DataError(
                "invalid-record",
                f"{place}: {quoted(column)}, {column}.users and {column}.status must all be lists; "
                "export the dataset again from Argilla",
            )
        for k, value in enumerate(values):
            annotator = plain_value(users[k]) if k < len(users) else None
            if annotator is None:
                raise DataError(
                    "invalid-record",
                    f"{place}: {quoted(column)} has a response without a user in {quoted(column + '.users')}; "
                    "add a user for each response",
                )
            yield question, annotator, str(states[k]) if k < len(states) else "submitted", value


def _user(one: Mapping[str, Any], place: str) -> str:
    annotator = plain_value(one.get("user_id")) or plain_value(one.get("user"))
    if annotator is None:
        raise DataError("invalid-record", f"{place}: a response has no user_id; add the annotator as user_id")
    return annotator


def _take(
    export: Export, doc: str, question: str, annotator: str, value: Any, fields: Mapping[str, Any], place: str
) -> None:
    spans = value if isinstance(value, list) and value and all(map(_is_span, value)) else None
    if spans is not None:
        text = text_of(fields)
        if text is not None:
            export.document(doc, text)
        for span in spans:
            export.unused.add_keys("keys of spans", span, _SPAN)
            export.span(question, doc, annotator, span["start"], span["end"], span.get("label"), place=place)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        export.leave("rankings", place)
    elif isinstance(value, Mapping):
        export.leave("answers of another kind", place)
    else:
        export.label(question, doc, annotator, value, place=place)
        text = text_of(fields)
        if value == [] and text is not None:
            export.document(doc, text)


def _is_span(one: Any) -> bool:
    return isinstance(one, Mapping) and all(isinstance(one.get(side), int) for side in ("start", "end"))
