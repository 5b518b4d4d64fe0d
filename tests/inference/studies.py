"""Small studies that the tests of inference share."""

from __future__ import annotations

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.measures.units.gamma import Gamma


def ratings(seed: int = 0, n: int = 40, annotators: int = 3, right: float = 0.7) -> accord.Ratings:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    rows = np.where(rng.random((n, annotators)) < right, truth[:, None], rng.integers(0, 3, (n, annotators)))
    return accord.Ratings.from_rows(rows, categories=[0, 1, 2])


def units(
    seed: int = 0, docs: int = 12, annotators: int = 3, moved: float = 0.4, length: int = 300, first: int = 0
) -> accord.Corpus:
    """Units of two categories that the annotators mark with some noise, never overlapping."""
    rng = np.random.default_rng(seed)
    table: dict[str, list[object]] = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    for d in range(docs):
        truth = [
            (at + int(rng.integers(0, 4)), int(rng.integers(4, 12)), "xy"[rng.integers(2)])
            for at in range(0, length, 30)
        ]
        for g in range(annotators):
            for start, size, label in truth:
                if rng.random() < 0.1:
                    continue
                shift = int(rng.integers(0, 5)) if rng.random() < moved else 0
                other = "xy"[rng.integers(2)] if rng.random() < moved / 2 else label
                row = (f"d{first + d}", f"A{g + 1}", start + shift, start + shift + size, other)
                for column, value in zip(table, row, strict=True):
                    table[column].append(value)
    docs_ = {f"d{first + d}": (0, length + 20) for d in range(docs)}
    found = accord.read(table, extents=docs_)
    assert isinstance(found, accord.Corpus)
    return found


def texts(
    seed: int = 0, docs: int = 12, noise: float = 0.1, base: bool = True, tokens: int = 25, weak: str = ""
) -> accord.Texts:
    """Words with a part of speech that three annotators correct; the weak one errs three times as often."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[object]] = {"doc": [], "annotator": [], "start": [], "end": [], "pos": [], "kind": []}
    written: dict[tuple[str, str], str] = {}
    for d in range(docs):
        words = ["".join(rng.choice(list("abcdeilmnorstu"), 5)) for _ in range(tokens)]
        tags = rng.integers(0, 3, tokens)
        for who in ("base", "Ana", "Ben", "Chloé"):
            if who == "base" and not base:
                continue
            often = 0.0 if who == "base" else noise * (3 if who == weak else 1)
            mine = [w[:-1] + "x" if rng.random() < often else w for w in words]
            at = 0
            for word, tag in zip(mine, tags, strict=True):
                label = "NVA"[rng.integers(3) if rng.random() < 2 * often else tag]
                row = (f"d{d}", who, at, at + len(word), label, "long" if tag else "short")
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
                at += len(word) + 1
            written[f"d{d}", who] = " ".join(mine)
    return accord.Texts.of(columns, written, base="base" if base else None)


def chains(seed: int = 0, docs: int = 8, annotators: int = 3, mentions: int = 12) -> accord.Chains:
    """All annotators start from the same chains and move some mentions to another chain."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(docs):
        truth = rng.integers(0, 4, mentions)
        for a in range(annotators):
            mine = np.where(rng.random(mentions) < 0.8, truth, rng.integers(0, 4, mentions))
            rows += [(f"d{d}", f"A{a}", 10 * m, 10 * m + 5, int(chain)) for m, chain in enumerate(mine)]
    columns = dict(zip(("doc", "annotator", "start", "end", "chain"), map(list, zip(*rows, strict=True)), strict=True))
    found = accord.read(columns)
    assert isinstance(found, accord.Chains)
    return found


def segmentations(seed: int = 0, docs: int = 8) -> accord.Segmentations:
    rng = np.random.default_rng(seed)
    data = {}
    for d in range(docs):
        truth = {int(p) for p in rng.integers(1, 40, 6)}
        data[f"d{d}"] = {
            who: sorted({min(39, max(1, p + int(rng.integers(-1, 2)))) for p in truth if rng.random() < 0.9} or {20})
            for who in ("Ana", "Ben", "Chloé")
        }
    return accord.Segmentations.from_boundaries(data, length=40)


def observations(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list to which γ appends the data whenever it aligns them."""
    seen: list[object] = []
    plain = Gamma.observe

    def noted(self: Gamma, data: accord.Corpus, run: Run) -> object:
        seen.append(data)
        return plain(self, data, run)

    monkeypatch.setattr(Gamma, "observe", noted)
    return seen
