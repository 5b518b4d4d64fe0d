"""Convert a tutorial page into a notebook with the same text and commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

from .following import FENCE, NAMED, turns

SETUP = """\
# The examples come with accord's repository. What this notebook writes goes to a folder of its own.
import os, pathlib, shutil, tempfile

here = pathlib.Path.cwd().resolve()
examples = next(folder / "examples" for folder in (here, *here.parents) if (folder / "examples" / "garden").exists())
os.chdir(tempfile.mkdtemp())
shutil.copytree(examples, "examples")"""
PICTURE = re.compile(r"^!\[([^\]]*)\]\(([\w-]+\.svg)\)$", re.MULTILINE)
ASIDE = re.compile(r"^:::.*?^:::\n", re.MULTILINE | re.DOTALL)  # link to the notebook, used only on the website


def _code(source: str) -> tuple[str, str]:
    return "code", source


def _block(language: str, body: str, before: str) -> tuple[str, str]:
    if language == "csv" and (named := NAMED.search(" ".join(before.rstrip("\n").split("\n")[-3:]))):
        return _code(f"%%writefile {named[1]}\n{body}")
    if language == "console":
        return _code("\n".join(f"!{command}" for _, command, _ in turns(body)))
    if language == "pycon":
        typed = [line[4:] for line in body.split("\n") if line.startswith((">>> ", "... "))]
        return _code("\n".join(typed))
    return "markdown", f"```{language}\n{body}```"


def _prose(text: str) -> list[tuple[str, str]]:
    """Split text into cells. Pictures become cells that show the files drawn by the notebook."""
    cells = []
    for i, part in enumerate(PICTURE.split(text)):
        if i % 3 == 0 and part.strip():
            cells.append(("markdown", part.strip()))
        elif i % 3 == 2:
            cells.append(_code(f'from IPython.display import SVG\n\nSVG("{part}")'))
    return cells


def as_notebook(page: Path) -> str:
    """Return a page as a Jupyter notebook (format 4.5) without outputs."""
    text, cells, end = ASIDE.sub("", page.read_text(encoding="utf-8")), [_code(SETUP)], 0
    for found in FENCE.finditer(text):
        cells += [*_prose(text[end : found.start()]), _block(found[1], found[2], text[end : found.start()])]
        end = found.end()
    cells += _prose(text[end:])
    title = next(i for i, cell in enumerate(cells) if cell[0] == "markdown")
    cells.insert(0, cells.pop(title))
    made = [
        {"cell_type": kind, "id": f"cell-{i}", "metadata": {}, "source": source.splitlines(keepends=True)}
        | ({"execution_count": None, "outputs": []} if kind == "code" else {})
        for i, (kind, source) in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
