"""The pages of the measures as data: `accord measures NAME` prints them, and help() shows the same in Python.

A page begins with `# name: title` and a paragraph. Its section `## Options` has a line for each option,

    - `name`: what it does, and what it is by default;
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
    """The parts of a page about a measure."""

    summary: str  # its first paragraph, on one line
    options: Mapping[str, str]  # what each option does
    example: tuple[str, ...]  # the first Python session, line by line


def page(name: str) -> Page:
    """The page of a measure; empty where there is none."""
    text = page_text(name) or ""
    sections = _sections(text)
    opening = next((part for part in text.split("\n\n")[1:] if part.strip()), "")
    return Page(_joined(opening), bullets(sections.get("Options", "")), _session(sections.get("Example", "")))


def page_text(name: str) -> str | None:
    """The whole page, as in the documentation."""
    file = files("accord").joinpath("pages", f"{name}.md")
    return whole(file.read_text(encoding="utf-8")) if file.is_file() else None


def whole(text: str) -> str:
    """A page with its includes replaced by their text."""
    return _SHARED.sub(lambda found: shared(found["name"]), text)


def shared(name: str) -> str:
    """Text that several pages share."""
    return files("accord").joinpath("pages", "shared", f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def bullets(text: str) -> dict[str, str]:
    """The lines "- `name`: what it does" of a text, by name, each on one line."""
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
    """The first `>>>` session of a section, with what it prints."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{_INDENT}>>> ")), len(lines))
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith(_INDENT)), len(lines))
    return tuple(line.removeprefix(_INDENT).rstrip() for line in lines[start:end])


def _joined(paragraph: str) -> str:
    return " ".join(paragraph.split())
