"""Helpers shared by the tests of time-aligned formats."""

from __future__ import annotations

from pathlib import Path

from accord.data.model.corpus import Corpus
from accord.data.model.data import Data


def rows(data: Data) -> list[tuple[object, ...]]:
    """Return document, annotator, start, end and label of all units, sorted."""
    assert isinstance(data, Corpus)
    return sorted((tuple(row[:5]) for row in data.rows()[1]), key=lambda row: (*row[:4], str(row[4])))


def notes(data: Data) -> str:
    return "\n".join(data.notes)


def every_cut(path: Path, step: int = 1) -> list[bytes]:
    """Return the file truncated after every `step` bytes."""
    whole = path.read_bytes()
    return [whole[:k] for k in range(0, len(whole), step)]
