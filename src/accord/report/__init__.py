"""Results → text. Each output is a file with `render(results)`."""

from __future__ import annotations

from accord.report import csv, json, latex, markdown, text

OUTPUTS = {
    "text": text.render,
    "json": json.render,
    "csv": csv.render,
    "latex": latex.render,
    "markdown": markdown.render,
}

__all__ = ["OUTPUTS", "csv", "json", "latex", "markdown", "text"]
