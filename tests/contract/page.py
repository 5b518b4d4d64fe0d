"""The tables of `metamorphic.py` as a page: `python -m tests.contract.page docs/invariances.md` writes it."""

from __future__ import annotations

import sys
from pathlib import Path

from . import metamorphic
from .changes import CHANGES
from .metamorphic import TABLES, changes_of, rows

TITLES = {
    "items": (
        "Labels of items: coefficients",
        "labels of items: distances and weights",
        "labels of items: intervals",
        "labels of items: special cases",
    ),
    "scales": ("Numbers on a scale",),
    "aligned": ("Units: γ, γ_cat, γ_k, on decimal positions",),
    "units": ("Units: other measures, on whole positions",),
    "segmentations": ("Segmentations",),
    "texts": ("Texts",),
    "chains": ("Coreference chains",),
}


def page() -> str:
    """Return the page as Markdown."""
    about = metamorphic.__doc__ or ""
    signs = about.split("\n\n")[2].splitlines()
    lines = [
        "# Which changes to the data change a value?", "",
        "A value should not depend on the order of rows or the names of annotators. These tables show which changes",
        "to the data affect each measure. `tests/contract` checks each cell on random data.", "",
        "With the same seed, the order of rows, annotators, items and documents does not affect the digits. Other",
        "changes can lead to different random draws; the signs p, r and c mark these cases.", "",
        "| sign | what a change does |", "|---|---|",
        *(f"| {shown(line[0])} | {line[1:].strip()} |" for line in signs), "",
        "| change | |", "|---|---|", *(f"| {name} | {change.description} |" for name, change in CHANGES.items()),
    ]  # fmt: skip
    for kind, tables in TABLES.items():
        for title, table in zip(TITLES[kind], tables, strict=True):
            changes = changes_of(kind)
            lines += ["", f"## {title[0].upper()}{title[1:]}", "", f"| | {' | '.join(changes)} |"]
            lines.append("|---" * (len(changes) + 1) + "|")
            lines += [
                f"| `{row.pattern.replace('|', ', ')}` | {' | '.join(map(shown, row.signs.values()))} |"
                for row in rows(table)
            ]
    return "\n".join(lines) + "\n"


def shown(sign: str) -> str:
    return {"x": "≠", "a": "α", ".": "·"}.get(sign, sign)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
