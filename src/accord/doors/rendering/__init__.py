"""Any result as text for people or programs."""

from __future__ import annotations

from accord.core.result import Result
from accord.doors.rendering.for_papers import render_latex, render_markdown
from accord.doors.rendering.for_programs import render_csv, render_json
from accord.doors.rendering.text import WIDTH, render_text

OUTPUTS = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "latex": render_latex,
    "markdown": render_markdown,
}


def render(
    result: Result,
    kind: str = "text",
    *,
    color: bool = False,
    width: int = WIDTH,
    all_notes: bool = False,
    spreadsheet: bool = False,
) -> str:
    """Return a result as text, json, csv, latex or markdown. Colour, width and `all_notes` are for text.

    `spreadsheet`: keep spreadsheets from interpreting cells of a CSV file as formulas, also in data that accord reads.
    """
    assert kind in OUTPUTS, kind
    if kind == "csv":
        return render_csv(result, spreadsheet)
    return render_text(result, color, width=width, all_notes=all_notes) if kind == "text" else OUTPUTS[kind](result)


__all__ = ["OUTPUTS", "render"]
