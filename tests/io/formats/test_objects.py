"""Annotations of pyannote.core and crowsetta, given in Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .samples import notes, rows


@dataclass
class Segment:
    start: float
    end: float


@dataclass
class Annotation:
    """Has the interface of pyannote.core."""

    tracks: list[tuple[Segment, int, str]]
    uri: str | None = None

    def itertracks(self, yield_label: bool = False) -> list[tuple[Segment, int, str]]:
        assert yield_label
        return self.tracks


@dataclass
class Sequence:
    onsets_s: list[float] | None
    offsets_s: list[float] | None
    labels: list[str]


@dataclass
class Crowsetta:
    seq: Any
    notated_path: Path | None = None


def test_annotations_are_read_by_annotator() -> None:
    ana = Annotation([(Segment(0, 1.5), 0, "A"), (Segment(2, 2), 1, "B")], "r1")
    read = accord.read({"Ana": ana, "Ben": [Annotation([(Segment(0, 1), 0, "A")], "r1"), Annotation([], "r2")]})
    assert rows(read) == [("r1", "Ana", 0, 1.5, "A"), ("r1", "Ben", 0, 1, "A")]
    assert "skipped: 1 points in time" in notes(read)
    with raises("repeated-document", '"r1"', '"Ana"'):
        accord.read({"Ana": [ana, ana]})
    with raises("invalid-record", '"int"'):
        accord.read({"Ana": ana, "Ben": [3]})


def test_sequences_of_crowsetta_are_read() -> None:
    ana = Crowsetta(Sequence([0.5, 2], [1, 3], ["a", "b"]), Path("songs/x.wav"))
    ben = Crowsetta(Sequence([0.5], [1.25], ["a"]), Path("elsewhere/x.wav"))
    assert rows(accord.read({"Ana": ana, "Ben": ben})) == [
        ("x.wav", "Ana", 0.5, 1, "a"), ("x.wav", "Ana", 2, 3, "b"), ("x.wav", "Ben", 0.5, 1.25, "a")
    ]  # fmt: skip
    with raises("export-not-usable"):
        accord.read({"Ana": Crowsetta(Sequence(None, None, ["a"]))})


def test_dict_of_columns_is_a_table() -> None:
    assert accord.read({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]}).annotators == ("A", "B")


def test_objects_of_pyannote_are_read() -> None:
    core = pytest.importorskip("pyannote.core")
    first, second = core.Annotation(uri="r1"), core.Annotation(uri="r1")
    first[core.Segment(0, 2)] = "A"
    first[core.Segment(3, 4)] = "B"
    second[core.Segment(0, 2.5)] = "A"
    read = accord.read({"Ana": first, "Ben": second})
    assert rows(read) == [("r1", "Ana", 0, 2, "A"), ("r1", "Ana", 3, 4, "B"), ("r1", "Ben", 0, 2.5, "A")]
    lines = accord.read({"Ana": first.get_timeline(), "Ben": second.get_timeline()})
    assert [row[:4] for row in rows(lines)] == [("r1", "Ana", 0, 2), ("r1", "Ana", 3, 4), ("r1", "Ben", 0, 2.5)]


def test_objects_of_crowsetta_are_read() -> None:
    crowsetta = pytest.importorskip("crowsetta")
    seq = crowsetta.Sequence.from_keyword(labels=["a", "b"], onsets_s=[0.5, 2], offsets_s=[1.0, 3.0])
    one = crowsetta.Annotation(annot_path="x.csv", notated_path="x.wav", seq=seq)
    assert rows(accord.read({"Ana": one, "Ben": one}))[0] == ("x.wav", "Ana", 0.5, 1, "a")
