"""Manual decisions, read back; tables for people and programs, in the format of the suffix."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from accord.answers.gold.settled import Gold
from accord.core.errors import DataError, quoted
from accord.core.tables import Table
from accord.data.io.tables.cells import guarded, lines_of, unguarded
from accord.data.io.tables.columns import cells_of, polars
from accord.data.io.tables.sources import open_file

_COLUMNS = ("key", "decision")


def read_decisions(path: Path) -> dict[str, tuple[str, str]]:
    """Read decisions by key, with their locations; skip rows without a decision.

    A label copied from a cell that was guarded against spreadsheet formulas is the original label.
    """
    source = open_file(path)
    for name in _COLUMNS:
        if name not in source.header:
            raise DataError(
                "column-missing",
                f"{path}: column {quoted(name)} is missing; enter decisions in the file that --adjudicate writes",
            )
    columns, _ = source.load(_COLUMNS)
    keys, cells = (cells_of(columns[name]) for name in _COLUMNS)
    decisions: dict[str, tuple[str, str]] = {}
    for row, (key, decision) in enumerate(zip(keys, cells, strict=True)):
        if not decision.strip():
            continue
        decision = unguarded(decision)  # noqa: PLW2901
        if key in decisions and decisions[key][0] != decision:
            raise DataError(
                "repeated-label",
                f"{source.place(row)}: differs from the decision at {decisions[key][1]}; delete one of them",
            )
        decisions[key] = decision, source.place(row)
    return decisions


_LINES = (".jsonl", ".json", ".ndjson")
_TABLES = (".csv", ".xlsx", ".parquet")


def check_suffix(path: Path, soft: bool = False) -> None:
    """Raise before a long run if the table cannot be written."""
    if path.suffix.lower() not in (*_TABLES, *(_LINES if soft else ())):
        kinds = ".jsonl, .csv, .xlsx or .parquet" if soft else ".csv, .xlsx or .parquet"
        raise DataError("output-name", f"{path}: the suffix {quoted(path.suffix)} is not supported here; use {kinds}")
    if path.suffix.lower() == ".xlsx":
        _excel_writer(path)


def _excel_writer(path: Path) -> Any:
    try:
        import xlsxwriter
    except ImportError:
        raise DataError(
            "missing-package",
            f"{path}: writing Excel needs a package; pip install 'accord[excel]' (in a checkout: pip install "
            "'.[excel]'), or name a .csv file",
        ) from None
    return xlsxwriter


def write_to_fill_in(gold: Gold, path: Path) -> bytes:
    """Write undecided rows for a spreadsheet; guard cells that look like formulas."""
    return write_table(_safe(gold.to_settle()), path)


def _safe(table: Table) -> Table:
    rows = tuple(tuple(guarded(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows)
    return Table("", tuple(map(guarded, table.columns)), rows)


def write_table(table: Table, path: Path) -> bytes:
    """Write a table as CSV, Excel or Parquet."""
    twice = next((name for name, n in Counter(table.columns).items() if n > 1), None)
    if twice is not None:
        raise DataError(
            "not-representable",
            f"{path}: two columns would have the name {quoted(twice)}; rename the annotator of this name in the data",
        )
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return lines_of(table.columns, table.rows).encode("utf-8", errors="backslashreplace")
    pl = polars()
    frame = pl.DataFrame({name: [row[k] for row in table.rows] for k, name in enumerate(table.columns)}, strict=False)
    if suffix == ".parquet":
        return _through(frame.write_parquet)
    if suffix == ".xlsx":
        xlsxwriter = _excel_writer(path)

        def write(out: Any) -> None:
            as_they_are = {f"strings_to_{what}": False for what in ("formulas", "urls", "numbers")}
            with xlsxwriter.Workbook(out, {"in_memory": True, "nan_inf_to_errors": True, **as_they_are}) as book:
                book.set_properties({"created": datetime(2000, 1, 1)})
                frame.write_excel(book, autofit=True)

        return _through(write)
    raise DataError(
        "output-name", f"{path}: the suffix {quoted(suffix)} is not a table format; use .csv, .xlsx or .parquet"
    )


def write_soft_labels(gold: Gold, path: Path, spreadsheet: bool = False) -> bytes:
    """Write label distributions for training: JSON lines, or one row per label, guarded for spreadsheets on request."""
    rows = gold.soft()
    if path.suffix.lower() in _LINES:
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return lines.encode("utf-8", errors="backslashreplace")  # escapes of JSON
    place = [name for name in gold.columns if name in {"item", "doc", "start", "end"}]
    columns = (*place, "label", "probability", "entropy")
    flat = Table(
        "",
        columns,
        tuple(
            (*(row[name] for name in place), label, share, row["entropy"])
            for row in rows
            for label, share in row["distribution"].items()
        ),
    )
    return write_table(_safe(flat) if spreadsheet else flat, path)


def _through(write: Any) -> bytes:
    from io import BytesIO

    out = BytesIO()
    write(out)
    return out.getvalue()
