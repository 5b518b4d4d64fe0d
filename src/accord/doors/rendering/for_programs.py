"""Results for programs: JSON as in docs/output.md, CSV in full precision, and checks as JUnit XML for CI servers."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from accord._version import __version__
from accord.core.errors import printable
from accord.core.result import Result
from accord.core.tables import Cell, Table
from accord.data.io.tables.cells import guarded, lines_of

if TYPE_CHECKING:  # results of other commands do without it
    from accord.answers.checks import Checks


def render_json(result: Result) -> str:
    made = {"accord": __version__, **result.to_dict()}
    return json.dumps(made, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def table_as_json(table: Table) -> str:
    """A table as a list of objects, a line each."""
    rows = (json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) for row in table.rows)
    return "[" + ",\n ".join(rows) + "]\n"


def render_csv(result: Result, spreadsheet: bool = False) -> str:
    """A result as CSV, guarded for spreadsheets. Data that accord reads back are guarded only if `spreadsheet`."""
    return table_as_csv(result.flat(), spreadsheet or not result.is_data)


def table_as_csv(table: Table, spreadsheet: bool = True) -> str:
    """A table as CSV. `spreadsheet`: cells and names of columns that begin like a formula get an apostrophe."""
    text = guarded if spreadsheet else str
    return lines_of(
        [text(name) for name in table.columns],
        ([text(cell) if isinstance(cell, str) else _csv_cell(cell) for cell in row] for row in table.rows),
    )


def _csv_cell(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(cell).lower() if isinstance(cell, bool) else repr(cell)


def checks_as_junit(found: Checks, name: str) -> str:
    failed = sum(not one.passed for one in found)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuite name={_attribute(name)} tests="{len(found)}" failures="{failed}" errors="0" skipped="0">')
    for one in found:
        bound = "at least" if one.threshold.bound == "min" else "at most"
        where = f" ({one.by} {one.name})" if one.by else ""
        since = ", by the baseline" if one.against == "baseline" else ""
        title = _attribute(f"{one.threshold.measure} {bound} {one.threshold.limit:.6g}{since}{where}")
        if one.passed:
            lines.append(f'  <testcase classname="accord.check" name={title}/>')
            continue
        lines.append(f'  <testcase classname="accord.check" name={title}>')
        lines.append(f'    <failure message={_attribute(one.reason)} type="{one.against}"/>')
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _attribute(text: str) -> str:
    """Quote for XML, without control characters, which XML does not allow."""
    return quoteattr(printable(text))
