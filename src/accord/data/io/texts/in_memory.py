"""Tokens, edits and texts that are in memory already → Texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.core.errors import SpecError, UnknownName
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import ANNOTATOR, DOC, END, START, first_of
from accord.data.io.tables.sources import in_memory
from accord.data.io.texts.beside import TextsBeside
from accord.data.io.texts.edits import edited_texts
from accord.data.io.texts.reader import EDITS, chosen_texts, table_kind
from accord.data.io.texts.rows import TEXT, TOKEN, rows_of
from accord.data.model.labels import label_name
from accord.data.model.texts import Texts

_BASE = "base is the name of an annotator, or (columns, text)"
_HEARD = ("label", "annotators", "only", "doc", "annotator", "start", "end")  # options that go with texts=


def texts_in_memory(data: Any, texts: Any, base: Any, how: Reading) -> Texts:
    """Columns of tokens, {annotator: text} or {(doc, annotator): text}, and the pre-annotation; edits, {doc: text}."""
    if not isinstance(texts, Mapping):
        raise SpecError("texts is {annotator: text} or {(doc, annotator): text}, or the folder with those of a table")
    for name, field in Reading.__dataclass_fields__.items():
        usual = {field.default, "texts"} if name == "layout" else {field.default}
        if name not in _HEARD and getattr(how, name) not in usual:
            raise SpecError(
                f"{name}: this is for files and tables; with texts= in memory, change the columns themselves"
            )
    source = in_memory(data)
    if table_kind(source.header, how) == EDITS:
        if base is not None:
            raise SpecError("base: the pre-annotation of edits is the source they are made in")
        sources = TextsBeside(how, {label_name(doc): text for doc, text in texts.items()})
        return chosen_texts(edited_texts(rows_of([source], how), sources, how), how)
    if isinstance(base, tuple):
        if len(base) != 2:
            raise SpecError(_BASE)
        base = _by_role(base[0], replace(how, label=())), base[1]
    elif isinstance(base, Mapping | list):
        raise SpecError(_BASE)
    columns = _by_role(data, how)
    spelled = [name for name in (*TEXT, *TOKEN) if name in columns and name not in how.label]
    made = Texts.of({name: column for name, column in columns.items() if name not in spelled}, texts, base)
    passed = [f"not taken as features: {', '.join(spelled)}; name features with label=…"] if spelled else []
    return chosen_texts(made, how).with_notes(*passed)


def _by_role(data: Any, how: Reading) -> dict[str, Any]:
    """Columns of any table in memory: document, annotator, start and end under these names, and the features."""
    source: Any = in_memory(data)
    header = source.header
    given = {"doc": how.doc, "annotator": how.annotator, "start": how.start, "end": how.end}
    for name in (*how.label, *(name for name in given.values() if name is not None)):
        if name not in header:
            raise UnknownName("column", name, header)
    known = {"doc": DOC, "annotator": ANNOTATOR, "start": START, "end": END}
    roles = {given[role] or first_of(header, known[role]): role for role in known}
    roles.pop(None, None)
    columns = {str(name): column for name, column in source.columns.items()}
    wanted = [name for name in header if name in roles or not how.label or name in how.label]
    return {roles.get(name, name): _plain(columns[name]) for name in wanted}


def _plain(column: Any) -> Any:
    """Numbers stay arrays; a column of anything else is a list."""
    if isinstance(column, list | tuple) or "128" in str(getattr(column, "dtype", "")):  # NumPy has none so long
        return list(column)
    array = np.asarray(column)
    return array if array.dtype.kind in "iuf" else list(column)
