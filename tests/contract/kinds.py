"""Small data of every kind, as rows, and functions that read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import accord
from accord.measures.catalogue import ON_CHAINS, ON_ITEMS, ON_SCALES, ON_SEGMENTATIONS, ON_TEXTS, ON_UNITS
from accord.measures.measure import Measure

Row = tuple[Any, ...]  # item or document, annotator, annotation
WHO = ("Ana", "Ben", "Cleo")


@dataclass(frozen=True)
class Kind:
    """Data of one kind, with some disagreement, and data without any variation."""

    name: str  # as in messages
    measures: tuple[type[Measure], ...]
    rows: tuple[Row, ...]
    uniform: tuple[Row, ...]
    read: Callable[[Sequence[Row]], Any]
    variants: tuple[str, ...] = ()  # specs with options that use other code

    @property
    def specs(self) -> tuple[str, ...]:
        return (*(cls.name for cls in self.measures), *self.variants)

    def copies(self, many: int) -> list[Row]:
        """Return the rows of the first annotator for `many` annotators."""
        return [(place, f"copy {k}", *rest) for place, who, *rest in self.rows if who == WHO[0] for k in range(many)]


def _columns(names: str) -> Callable[[Sequence[Row]], Any]:
    def read(rows: Sequence[Row]) -> Any:
        columns = dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True))
        return accord.read(columns)

    return read


def _items() -> tuple[Row, ...]:
    rng = np.random.default_rng(5)
    truth = rng.choice(list("abc"), 30).tolist()
    return tuple(
        (f"item {i}", who, t if rng.random() < 0.7 else str(rng.choice(list("abc"))))
        for i, t in enumerate(truth)
        for who in WHO
        if who == WHO[0] or rng.random() < 0.9
    )


def _numbers() -> tuple[Row, ...]:
    rng = np.random.default_rng(6)
    truth = rng.integers(1, 9, 14).tolist()
    return tuple(
        (f"item {i}", who, int(t + rng.integers(0, 3) + k)) for i, t in enumerate(truth) for k, who in enumerate(WHO)
    )


def _units() -> tuple[Row, ...]:
    """Six documents with up to five units at whole positions, without overlaps."""
    rng = np.random.default_rng(7)
    rows: list[Row] = []
    for d in range(6):
        for k, label in enumerate(rng.permutation(list("abcab")).tolist()):
            start = 20 * k + int(rng.integers(0, 4))
            for who in WHO:
                if who == WHO[0] or rng.random() < 0.85:
                    begin, end = start + int(rng.integers(0, 3)), start + 9 + int(rng.integers(0, 4))
                    given = label if rng.random() < 0.8 else str(rng.choice(list("abc")))
                    rows.append((f"d{d}", who, begin, end, given))
    return tuple(rows)


def _cuts() -> tuple[Row, ...]:
    rng = np.random.default_rng(8)
    rows: list[Row] = []
    for d in range(6):
        truth = rng.choice(np.arange(2, 29), 5, replace=False)
        for who in WHO:
            mine = {int(p + rng.integers(-1, 2)) for p in truth if rng.random() < 0.85} or {15}
            rows.append((f"d{d}", who, " ".join(map(str, np.diff([0, *sorted(mine), 30]).tolist()))))
    return tuple(rows)


def _written() -> tuple[Row, ...]:
    """Five short texts with a tag for each word, corrected by all annotators."""
    rng = np.random.default_rng(9)
    rows: list[Row] = []
    for d in range(5):
        words = ["".join(rng.choice(list("abcdeilmnorst"), 4)) for _ in range(10)]
        tags = rng.choice(list("abc"), 10).tolist()
        for who in WHO:
            mine = [w[:-1] + "x" if rng.random() < 0.15 else w for w in words]
            given = [t if rng.random() < 0.8 else str(rng.choice(list("abc"))) for t in tags]
            rows.append((f"d{d}", who, " ".join(mine), " ".join(given)))
    return tuple(rows)


def _texts(rows: Sequence[Row]) -> accord.Texts:
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "pos": []}
    for doc, who, text, tags in rows:
        at = 0
        for word, tag in zip(text.split(" "), tags.split(" "), strict=True):
            for column, value in zip(columns.values(), (doc, who, at, at + len(word), tag), strict=True):
                column.append(value)
            at += len(word) + 1
    return accord.Texts.of(columns, {(doc, who): text for doc, who, text, _ in rows})


def _mentions() -> tuple[Row, ...]:
    """Six documents with up to ten mentions of three entities; some are missing or in another chain."""
    rng = np.random.default_rng(10)
    rows: list[Row] = []
    for d in range(6):
        for k, thing in enumerate(rng.integers(0, 3, 10).tolist()):
            for who in WHO:
                if who == WHO[0] or rng.random() < 0.9:
                    given = thing if rng.random() < 0.8 else int(rng.integers(0, 4))
                    rows.append((f"d{d}", who, 5 * k, 5 * k + 3, "abcd"[given]))
    return tuple(rows)


KINDS = (
    Kind(
        "labels of items",
        ON_ITEMS,
        _items(),
        tuple((f"item {i}", who, "a") for i in range(3) for who in WHO),
        _columns("item annotator label"),
        ("alpha(distance=nominal)", "kappa(weights=identity)"),
    ),
    Kind(
        "numbers on a scale",
        ON_SCALES,
        _numbers(),
        tuple((f"item {i}", who, 3) for i in range(3) for who in WHO),
        _columns("item annotator label"),
        ("icc(form=1)", "icc(form=3k)", "cronbach(standardised=true)"),
    ),
    Kind(
        "units",
        ON_UNITS,
        _units(),
        tuple((doc, who, 0, 10, "a") for doc in "def" for who in WHO),
        _columns("doc annotator start end label"),
        (
            "gamma(chance=shift,samples=8,precision=0.2)",
            "gamma(chance=mix,soft=true,samples=8,precision=0.2)",
            "gamma(chance=statistical,samples=8,precision=0.2)",
            "gamma_cat(chance=shift,samples=8)",
            "gamma_k(category=b)",
            "u_alpha(form=2013)",
            "ku_alpha(category=b)",
            "theta(zones=atomic)",
            "ser(overlap=false,per=slots)",
            "f1(match=overlap)",
            "f1(match=token,labels=false)",
        ),
    ),
    Kind(
        "segmentations",
        ON_SEGMENTATIONS,
        _cuts(),
        tuple((doc, who, 8) for doc in ("d", "e") for who in WHO),
        _columns("doc annotator masses"),
        (
            "pk(k=3)",
            "pk(window=segeval)",
            "window_diff(weighted=true,lamprier=segeval)",
            "ghd(insertion=3,deletion=1,shift=0.5,normalised=true)",
            "ghd(normalised=segments,limit=0.5)",
            "boundary_similarity(pooled=false,n_t=5,weight=unit,matching=greedy)",
            "segmentation_similarity(n_t=3,weight=te,types=pair)",
            "pi_star(on=segmentation_similarity(n_t=3),rates=mean)",
            "kappa_star(on=segmentation_similarity)",
            "alpha_boundaries(distance=jaccard)",
        ),
    ),
    Kind(
        "texts",
        ON_TEXTS,
        _written(),
        tuple((doc, who, "so so", "a a") for doc in ("d", "e") for who in WHO),
        _texts,
        ("text_gamma(text=levenshtein,samples=8,precision=0.2)",),
    ),
    Kind(
        "chains of coreference",
        ON_CHAINS,
        _mentions(),
        tuple((doc, who, k, k + 1, "a") for doc in ("d", "e") for who in WHO for k in (2, 6)),
        _columns("doc annotator start end chain"),
        (
            "chain_alpha(distance=jaccard)",
            "chain_alpha(unmarked=absent)",
            "chain_alpha(unmarked=singleton)",
            "conll(singletons=false)",
        ),
    ),
)
