"""Helpers shared by the tests of formats: expected rows, and files written by a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data.io import read_all
from accord.data.model.data import Data


def units(data: Data) -> list[tuple[Any, ...]]:
    """Return (doc, annotator, start, end, label) of every unit, sorted."""
    _, rows = data.rows()
    return sorted(tuple(row[:5]) for row in rows)


def labels(data: Data) -> dict[tuple[str, str], Any]:
    """Return the labels by item and annotator."""
    _, rows = data.rows()
    return {(row[0], row[1]): row[2] for row in rows}


def variables(path: Path | Sequence[Path], **options: Any) -> dict[str, Data]:
    return read_all(path, **options)


def told(data: Data, *words: str) -> bool:
    """Return whether one of the notes contains all these words."""
    return any(all(word in note for word in words) for note in data.notes)


def written(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write files: texts and bytes unchanged, lists in .jsonl as one JSON record per line, the rest as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        elif path.suffix == ".jsonl":
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), encoding="utf-8")
        else:
            path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return folder


def one(folder: Path, name: str, content: Any) -> Path:
    return written(folder, {name: content}) / name


__all__ = ["labels", "one", "told", "units", "variables", "written"]
