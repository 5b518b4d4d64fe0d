"""Listings of measures, distances, intervals and formats, manual pages, and JSON schemas."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable

from accord.answers.catalogue import MODULES, question_named
from accord.answers.scales import SCALES
from accord.core.errors import SpecError, UnknownName
from accord.core.manual import page_text
from accord.core.schema import schema as schema_of
from accord.core.tables import Table
from accord.data.io.formats.catalogue import FORMATS
from accord.doors.cli.output import width
from accord.doors.rendering.text import render_tables, wrap_text
from accord.measures.catalogue import GROUPS, MEASURES, measure, own_names
from accord.measures.dissimilarities import LABEL_DISTANCES
from accord.measures.distances import DISTANCES, WEIGHTS, Distance
from accord.measures.intervals.methods import INTERVALS
from accord.measures.other_tools import TOOLS, Name, about, of_tool

_LISTED = re.compile(r"(-|\d+\.) ")


def _columns(title: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Print a table without column names."""
    listed = tuple(rows)
    sys.stdout.write(f"{render_tables([Table(title, ('',) * len(listed[0]), listed)], width=width())}\n")


def measures() -> None:
    for title, group in GROUPS.items():
        _columns(title, [(m.name, m.title, m.source) for m in group])
    _columns("other names", [(m.name, ", ".join(m.aliases)) for m in MEASURES if m.aliases])
    _columns("distance= on items", [(d.name, d.summary) for d in DISTANCES])
    _columns("distance= on units, divided by its maximum", [(d.name, d.summary) for d in LABEL_DISTANCES])
    _columns("weights=", [_weights_line(d) for d in WEIGHTS])
    _columns("--interval", [(name, what) for name, (_, what) in INTERVALS.items()])
    _columns("--scale", [(s.name, s.source) for s in SCALES])
    _columns(
        "names of other tools", [(tool.title, ", ".join(one.name for one in of_tool(tool.name))) for tool in TOOLS]
    )
    last = "accord measures NAME explains a measure, or lists the names of another tool."
    sys.stdout.writelines(f"{part}\n" for part in wrap_text(last, width(), "  "))


def _weights_line(weights: type[Distance]) -> tuple[str, str]:
    """The line of a weighting. A distance becomes a weighting by w = 1 − d/d_max."""
    if weights.name == "nominal":
        return "identity", "1 for equal labels, 0 for different ones"
    turned = weights in DISTANCES
    return weights.name, f"1 − d/max, d = {weights.summary}" if turned else weights.summary


def explain(name: str) -> None:
    """Print the manual page of a measure. Before it, explain the name if another tool uses it."""
    tool = next((tool for tool in TOOLS if tool.name.lower() == name.lower()), None)
    if tool is not None and name.lower() not in own_names():
        _columns(f"{tool.title}: name in that tool, in accord, value", [_names_line(one) for one in of_tool(tool.name)])
        return
    there = about(name, own_names())
    if there is not None:
        page = next(tool.page for tool in TOOLS if tool.name == there.tool)
        lines = [there.in_words(), f"docs/coming-from/{page}.md has an example."]
        sys.stdout.writelines(f"{part}\n" for line in lines for part in wrap_text(line, width(), "  "))
        if there.kind != "measure":
            return
        sys.stdout.write("\n")
    chosen = measure(name if there is None else there.here)
    page_of_it = page_text(chosen.name)
    if page_of_it is None:
        raise UnknownName("measure", name, [m.name for m in MEASURES])
    sys.stdout.writelines(f"{line}\n" for line in _reflowed(page_of_it, width()))


def _names_line(there: Name) -> tuple[str, str, str]:
    here = there.here if there.kind == "measure" else f"{there.kind}={there.here}"
    return there.name, "" if there.refused else here, there.number


def _reflowed(page: str, width: int) -> list[str]:
    """Wrap a manual page to the width of the terminal. Code keeps its lines."""
    made: list[str] = []
    paragraph: list[str] = []

    def close() -> None:
        if paragraph:
            text = " ".join(paragraph)
            made.extend(wrap_text(text, width, "  " if _LISTED.match(text) else ""))
            paragraph.clear()

    for line in page.rstrip("\n").split("\n"):
        if not line or line.startswith("#") or (line.startswith("    ") and not paragraph):
            close()
            made.extend(wrap_text(line, width, "        ") if line else [""])
            continue
        if _LISTED.match(line):
            close()
        paragraph.append(line.strip())
    close()
    return made


def schema(name: str | None, of_input: bool = False) -> None:
    """Print the JSON schema of all outputs, of the outputs of a command, or of the input of a command."""
    if of_input and name is None:
        raise SpecError("option-missing", "--input needs a command; for example: accord schema score --input")
    if of_input and name not in MODULES:
        raise UnknownName("command", str(name), MODULES)
    found = question_named(name).schema() if of_input and name is not None else schema_of(name)
    sys.stdout.write(f"{json.dumps(found, ensure_ascii=False, indent=2)}\n")


def formats() -> None:
    """Print each format: its name, the content that accord reads, its annotators, and an example."""
    for one in FORMATS:
        lines = [one.holds, f"annotators: {one.annotators}", one.example]
        if one.written:
            lines.append(f"accord convert writes it: --to {one.name} ({one.written})")
        for line in (f"{one.name}: {one.title}; {one.suffixes}", *(f"    {line}" for line in lines)):
            sys.stdout.writelines(f"{part}\n" for part in wrap_text(line, width(), "    "))
