"""One object, as in docs/output.md."""

from __future__ import annotations

import json

from accord._version import __version__
from accord.core.result import Result
from accord.core.tables import Table


def render(result: Result) -> str:
    made = {"accord": __version__, **result.to_dict()}
    return json.dumps(made, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def records(table: Table) -> str:
    """A table as a list of objects, a line each."""
    rows = (json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) for row in table.rows)
    return "[" + ",\n ".join(rows) + "]\n"
