"""The manual pages of measures as data, for `accord measures NAME` and help() in Python.

A page begins with `# name: title` and a paragraph. Its section `## Options` has a line for each option,

    - `name`: description and default;
      further lines are indented.

Text that several pages share is in pages/shared; `<!-- shared/name.md -->` includes it in a page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_BULLET = re.compile(r"- `(?P<name>\**\w+)`: *(?P<text>.*)")
_INDENT = "    "
_SHARED = re.compile(r"^<!-- shared/(?P<name>\w+)\.md -->$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """The parts of a measure's page."""

    summary: str  # its first paragraph, on one line
    options: Mapping[str, str]  # descriptions of the options
    example: tuple[str, ...]  # the first Python session, line by line


def page(name: str) -> Page:
    """Return the page of a measure; empty if there is none."""
    text = page_text(name) or ""
    sections = _sections(text)
    opening = next((part for part in text.split("\n\n")[1:] if part.strip()), "")
    return Page(_joined(opening), bullets(sections.get("Options", "")), _session(sections.get("Example", "")))


def page_text(name: str) -> str | None:
    """Return the whole page, as in the documentation."""
    file = files("accord").joinpath("pages", f"{name}.md")
    return whole(file.read_text(encoding="utf-8")) if file.is_file() else None


def whole(text: str) -> str:
    """Return a page with its includes replaced by their text."""
    return _SHARED.sub(lambda found: shared(found["name"]), text)


def shared(name: str) -> str:
    """Return text that several pages include."""
    return files("accord").joinpath("pages", "shared", f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def bullets(text: str) -> dict[str, str]:
    """Return the items "- `name`: description" of a text by name, each on one line."""
    found: dict[str, str] = {}
    name = None
    for line in text.splitlines():
        match = _BULLET.match(line.removeprefix(_INDENT))  # a docstring is indented
        if match:
            name = match["name"]
            found[name] = match["text"].strip()
        elif name is not None and line.startswith("  ") and line.strip():
            found[name] += f" {line.strip()}"
        else:
            name = None
    return found


def _sections(text: str) -> dict[str, str]:
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {title.strip(): body for title, _, body in (part.partition("\n") for part in parts)}


def _session(text: str) -> tuple[str, ...]:
    """Return the first `>>>` session of a section, with its output."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{_INDENT}>>> ")), len(lines))
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith(_INDENT)), len(lines))
    return tuple(line.removeprefix(_INDENT).rstrip() for line in lines[start:end])


def _joined(paragraph: str) -> str:
    return " ".join(paragraph.split())
