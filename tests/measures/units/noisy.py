"""Annotators who mark nearly the same units, for γ, γ_cat and γ_k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import accord

NAMES = ("doc", "annotator", "start", "end", "label")


QUICK = "samples=8,precision=0.2"


Row = tuple[Any, ...]


def noisy(docs: int = 4, annotators: int = 3, seed: int = 5) -> list[Row]:
    """Small differences in boundaries and labels, omissions and additions. Decimal positions."""
    rng = np.random.default_rng([seed, docs, annotators])
    rows: list[Row] = []
    for doc in range(docs):
        places = np.cumsum(rng.uniform(8, 30, 7))
        for who in range(annotators):
            for k, place in enumerate(places.tolist()):
                if rng.random() < 0.85:
                    start = place + rng.normal(0, 1.2)
                    label = "abc"[(k + doc) % 3] if rng.random() < 0.8 else str(rng.choice(list("abc")))
                    rows.append((f"d{doc}", f"A{who}", start, start + rng.uniform(3, 8), label))
            start = rng.uniform(0, 150)
            rows.append((f"d{doc}", f"A{who}", start, start + rng.uniform(2, 12), "c"))
    return rows


ROWS = noisy()


EXTENTS = {f"d{doc}": (-10.25, 240.5) for doc in range(4)}


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(NAMES)}


def corpus_of(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    corpus = accord.read(columns(rows), **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


CORPUS = corpus_of(ROWS, extents=EXTENTS)


def same(one: accord.Score, other: accord.Score) -> None:
    """Assert that two scores are equal up to rounding."""
    mine, theirs = ((s.value, s.observed, s.expected, s.n) for s in (one, other))
    assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    if one.interval is not None and other.interval is not None:
        assert (one.interval.low, one.interval.high) == pytest.approx(
            (other.interval.low, other.interval.high), abs=1e-9
        )
