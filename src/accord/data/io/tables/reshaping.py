"""Tables that are reshaped before their columns get roles: variables in rows, choices in columns, marks.

- `coder, variable, value`: the values of `variable` become columns if their labels differ, as in tone and topic.
- `tone:::positive, tone:::negative`: columns of choices, of which each row has one, become the column `tone`.
- `x` or an empty cell: the empty cell means no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from accord.core.errors import quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.header import NOTHING
from accord.data.io.tables.packed import all_cells, first_rows
from accord.data.io.tables.roles import (
    ANNOTATOR,
    DOC,
    ITEM,
    LABEL,
    first_of,
    holds_units,
    is_called,
    is_identifier,
    is_stimulus,
    listed,
)
from accord.data.io.tables.sources import MemorySource, Source
from accord.data.model.data import Fact
from accord.data.model.labels import is_missing, label_name

_VARIABLE = ("variable", "question", "criterion", "dimension", "aspect", "attribute", "codename", "question_id",
             "criteria", "variable_name", "frage", "kriterium", "merkmal")  # fmt: skip
_MOST_VARIABLES, _FEWEST_COLUMNS = 50, 4
_MARKS = {"x", "✓", "✔", "✗", "☒", "•"}
_CHOICE = ":::"  # between a question and a choice in exports of Potato
NO = "no"  # the label of an empty cell beside marks


def reshape(source: Source, how: Reading) -> Source:
    """Return the table with a column per variable, or unchanged. Only the header and first rows decide to load it."""
    if getattr(source, "labels", ()) or getattr(source, "anonymous", False):
        return source
    if how.start or how.layout not in {None, "long", "wide"} or holds_units(source.header):
        return source
    for way in (_spread, _join_choices, _fill_marks):
        source = way(source, how) or source
    return source


def _cells(source: Source) -> dict[str, list[str]]:
    return {
        name: ["" if cell is None else label_name(cell) for cell in cells] for name, cells in all_cells(source).items()
    }


def _reshaped(source: Source, columns: Mapping[str, Sequence[str]], rows: Sequence[int], note: str) -> MemorySource:
    return MemorySource(
        columns,
        source.name,
        is_file=source.is_file,
        part=getattr(source, "part", None),
        notes=(*source.notes, note),
        places=tuple(source.place(row) for row in rows),
    )


# -- A row per variable --


def _spread(source: Source, how: Reading) -> Source | None:
    """Return a column per variable, if a column names the variables and their labels differ."""
    names = _columns_of_variables(source, how)
    if names is None:
        return None
    variable, value = names
    cells = _cells(source)
    rest = [name for name in source.header if name not in names]
    labels: dict[str, set[str]] = {name: set() for name in dict.fromkeys(cells[variable]) if name}
    for name, label in zip(cells[variable], cells[value], strict=True):
        if name and label.strip().lower() not in NOTHING:
            labels[name].add(label)
    groups = _groups(cells, [name for name in rest if len(set(cells[name])) < len(cells[name])], variable)
    if not _are_variables(labels, len(cells[value])) or set(labels) & set(rest) or groups is None:
        return None
    first = [rows[0] for rows in groups]
    kept = [name for name in rest if all(len({cells[name][row] for row in rows}) == 1 for rows in groups)]
    columns: dict[str, list[str]] = {name: [cells[name][row] for row in first] for name in kept}
    for name in labels:
        columns[name] = [next((cells[value][r] for r in rows if cells[variable][r] == name), "") for rows in groups]
    note = f"each value of column {quoted(variable)} is a variable with labels of its own: {listed(list(labels))}"
    return replace(_reshaped(source, columns, first, Fact(note)), labels=tuple(labels))


def _columns_of_variables(source: Source, how: Reading) -> tuple[str, str] | None:
    """Return the column with the names of variables and the column with their labels, if names show both."""
    variable = first_of(source.header, _VARIABLE)
    annotator = how.annotator or first_of(source.header, ANNOTATOR)
    value = how.label[0] if len(how.label) == 1 else first_of([h for h in source.header if h != variable], LABEL)
    if variable is None or annotator is None or value is None or value == annotator or value not in source.header:
        return None
    rest = [name for name in source.header if name not in {variable, value, annotator}]
    if not any(is_called(name, (*ITEM, *DOC)) or is_identifier(name) or is_stimulus(name) for name in rest):
        return None  # the questions are the items
    named = {how.item, how.annotator, *how.needed, *how.label}
    said = any(name is not None and variable in name for name in named) or how.annotators_in or how.columns
    return None if said or len(source.header) < _FEWEST_COLUMNS else (variable, value)


def _are_variables(labels: Mapping[str, set[str]], rows: int) -> bool:
    """Whether some have no label in common, and labels are no texts."""
    if not 1 < len(labels) <= _MOST_VARIABLES or not all(labels.values()):
        return False
    return rows >= 2 * sum(map(len, labels.values())) and any(
        a.isdisjoint(b) for a, b in combinations(labels.values(), 2)
    )


def _groups(cells: Mapping[str, Sequence[str]], names: Sequence[str], variable: str) -> list[list[int]] | None:
    """Return the rows with equal cells in these columns; None if each row is alone, or has a variable twice."""
    found: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(zip(*(cells[name] for name in names), strict=True)):
        found.setdefault(key, []).append(row)
    groups = list(found.values())
    alone = len(groups) == len(cells[variable])
    twice = any(len({cells[variable][row] for row in rows}) < len(rows) for rows in groups)
    return None if alone or twice else groups


# -- A column per choice --


def _join_choices(source: Source, how: Reading) -> Source | None:
    """Return one column for the choices of a question, if each row has at most one."""
    series: dict[str, list[str]] = {}
    for name in source.header:
        question, sign, _ = name.rpartition(_CHOICE)
        if sign and question:
            series.setdefault(question, []).append(name)
    series = {name: of for name, of in series.items() if len(of) > 1 and name not in source.header}
    if not series or set(how.label) & set(source.header):
        return None
    cells = _cells(source)
    columns: dict[str, Any] = dict(cells)
    joined = []
    for question, of in series.items():
        choices = [[name.rpartition(_CHOICE)[2] for name in of if _chosen(cells[name][row])]
                   for row in range(len(cells[of[0]]))]  # fmt: skip
        if all(len(chosen) < 2 for chosen in choices):
            columns = {name: column for name, column in columns.items() if name not in of}
            columns[question] = [chosen[0] if chosen else "" for chosen in choices]
            joined.append(question)
    if not joined:
        return None
    rows = range(len(next(iter(cells.values()))))
    note = f"columns such as {series[joined[0]][0]} are choices of one variable: {listed(joined)}"
    return _reshaped(source, columns, rows, Fact(note))


def _chosen(cell: str) -> bool:
    return cell.strip().lower() not in {*NOTHING, "0", "false", "no"}


# -- Marks --


def _fill_marks(source: Source, how: Reading) -> Source | None:
    """Return the table with the label no in empty cells, if most columns contain only one mark."""
    if how.missing:
        return None
    first = first_rows(source)
    few = [name for name, column in first.items() if 2 * len({*map(str, column)}) <= len(column)]
    if len(_marked(first)) < 2 or 2 * len(_marked(first)) < len(few):
        return None
    cells = _cells(source)
    marked = [name for name in _marked(cells) if name in _marked(first)]
    if len(marked) < 2 or not any("" in cells[name] for name in marked):
        return None
    columns = {name: [cell or NO for cell in column] if name in marked else column for name, column in cells.items()}
    rows = range(len(next(iter(cells.values()))))
    mark = next(cell for name in marked for cell in cells[name] if cell)
    shown = listed(marked)
    return _reshaped(source, columns, rows, f"empty cells beside the mark {quoted(mark)} are read as {NO}: {shown}")


def _marked(cells: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the columns with the same mark in some cells and nothing in the others, and empty columns named alike."""
    found: dict[str, list[str]] = {}
    for name, column in cells.items():
        marks = {label_name(cell).strip() for cell in column if not is_missing(cell)} - {""}
        if len(marks) <= 1 and all(mark.lower() in _MARKS for mark in marks):
            found.setdefault(next(iter(marks), ""), []).append(name)
    blank = found.pop("", [])
    best = max(found.values(), key=len, default=[])
    ends = {re.split(r"[\W_]+", name)[-1] for name in best}
    return [name for name in cells if name in best or (name in blank and re.split(r"[\W_]+", name)[-1] in ends)]


__all__ = ["reshape"]
