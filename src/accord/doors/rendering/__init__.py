"""Any Result → text for people or programs. Each output is a file with `render(result)`."""

from __future__ import annotations

from accord.core.errors import UnknownName
from accord.core.result import Result
from accord.doors.rendering import csv, json, latex, markdown, text

OUTPUTS = {
    "text": text.render,
    "json": json.render,
    "csv": csv.render,
    "latex": latex.render,
    "markdown": markdown.render,
}


def render(
    result: Result, kind: str = "text", *, color: bool = False, width: int = text.WIDTH, spreadsheet: bool = False
) -> str:
    """A result as text, json, csv, latex or markdown; colour and width are for text on a terminal.

    `spreadsheet`: no text of a csv is taken for a formula, also of data that accord would read back as they are.
    """
    if kind not in OUTPUTS:
        raise UnknownName("kind of output", kind, OUTPUTS)
    if kind == "csv":
        return csv.render(result, spreadsheet)
    return text.render(result, color, width=width) if kind == "text" else OUTPUTS[kind](result)


__all__ = ["OUTPUTS", "csv", "json", "latex", "markdown", "render", "text"]
