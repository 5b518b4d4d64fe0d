"""Any result as text for people or programs."""

from __future__ import annotations

from accord.core.errors import UnknownName
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
    result: Result, kind: str = "text", *, color: bool = False, width: int = WIDTH, spreadsheet: bool = False
) -> str:
    """A result as text, json, csv, latex or markdown; colour and width are for text on a terminal.

    `spreadsheet`: guard the cells of a csv against being taken for formulas, also in data that accord would read back.
    """
    if kind not in OUTPUTS:
        raise UnknownName("kind of output", kind, OUTPUTS)
    if kind == "csv":
        return render_csv(result, spreadsheet)
    return render_text(result, color, width=width) if kind == "text" else OUTPUTS[kind](result)


__all__ = ["OUTPUTS", "render"]
