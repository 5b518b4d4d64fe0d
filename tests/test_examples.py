"""The example data match their README."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_spans_lie_in_their_texts(garden: Path) -> None:
    texts = {row["doc"]: row["text"] for row in rows(garden / "docs.csv")}
    judged = {(row["doc"], row["annotator"]) for row in rows(garden / "judged.csv")}
    for span in rows(garden / "spans.csv"):
        start, end = int(span["start"]), int(span["end"])
        piece = texts[span["doc"]][start:end]
        assert piece == piece.strip() != ""
        assert (span["doc"], span["annotator"]) in judged
    for row in rows(garden / "docs.csv"):
        assert (int(row["begin"]), int(row["end"])) == (0, len(row["text"]))


def test_sentences_and_tone_are_scored(garden: Path) -> None:
    sentences = accord.read(garden / "sentences.csv")
    assert (sentences.n_items, sentences.n_annotators, len(sentences.categories)) == (54, 3, 5)
    assert accord.alpha(sentences).value == pytest.approx(0.687, abs=5e-4)
    tone = accord.read(garden / "tone.csv")
    assert accord.alpha(tone, distance="ordinal").value > accord.alpha(tone, distance="nominal").value
    assert accord.alpha(tone).value == accord.alpha(tone, distance="ordinal").value  # assumed for 1 to 5
    assert set(sentences.items) == set(tone.items)
