"""Small hand-made figures of every kind for the tests of figures."""

from __future__ import annotations

import math

from accord.core.figures.bars import Change, Changes, Forest, ForestRow, Stacked
from accord.core.figures.curves import Curves, Differences, Line, Series, Strip
from accord.core.figures.documents import MarkedTexts, MarkedToken, SegmentsFigure, TimelineFigure, UnitMark
from accord.core.figures.figure import Figure
from accord.core.figures.heatmap import Confusion, PairMatrix, Shares
from accord.core.figures.scatter import Scatter
from accord.core.tables import Interval

NONE = math.nan
TEXT = "The badger sat on the rhubarb and left like a paying guest."


def between(low: float, high: float) -> Interval:
    return Interval(low, high, 0.95, "made up")


def lines(*names: str) -> tuple[Line, ...]:
    at = tuple(k / 10 for k in range(11))
    made = []
    for k, name in enumerate(names):
        values = tuple(1 - x ** (1 + k / 2) for x in at)
        made.append(Line(name, at, values, tuple(v - 0.1 for v in values), tuple(min(v + 0.1, 1) for v in values)))
    return tuple(made)


MARKS = (
    UnitMark(0, 4, 10, "ANIMAL"), UnitMark(1, 0, 10, "ANIMAL"), UnitMark(2, 4, 10, "ANIMAL"),
    UnitMark(0, 22, 29, "PLANT"), UnitMark(1, 18, 29, "PLACE"), UnitMark(2, 22, 29, "PLANT"),
    UnitMark(2, 15, 30, "PLACE"),
    UnitMark(1, 34, 58, ""),
)  # fmt: skip
GROUPS = ((0.2, (0, 1, 2)), (0.9, (3, 4, 5)), (1.0, (6,)), (1.0, (7,)))
EVERY: dict[str, Figure] = {
    "forest": Forest(
        "α by category",
        (
            ForestRow("all", 0.7, between(0.6, 0.8), whole=True),
            ForestRow("noun", 0.5, between(0.3, 0.7)),
            ForestRow("verb", math.nan, undefined="0/0"),
            ForestRow("a label that is longer than what anybody would like to read", -0.1, between(-0.3, 0.1)),
        ),
        "category",
        "α",
    ),
    "forest-measures": Forest(
        "",
        tuple(
            ForestRow(name, 0.5 + k / 10 + s / 20, between(0.3 + k / 10, 0.8 + k / 10), series)
            for k, name in enumerate(("tone", "stance"))
            for s, series in enumerate(("alpha", "kappa", "ac"))
        ),
        "variable",
    ),
    "confusion": Confusion("labels", ("a", "b", "c"), ((20, 3, 1), (2, 15, 4), (0, 5, 10)), "Ana", "Ben"),
    "pairs": PairMatrix(
        "α",
        ("Ana", "Ben", "Chloé", "Dai"),
        ((NONE, 0.8, 0.1, 0.7), (0.8, NONE, 0.2, 0.75), (0.1, 0.2, NONE, NONE), (0.7, 0.75, NONE, 1)),
    ),
    "shares": Shares("", ("Ana", "Ben"), ("noun", "verb", "other"), ((0.5, 0.3, 0.2), (0.2, 0.2, 0.6))),
    "alignment": TimelineFigure(
        "fable", ("Ana", "Ben", "Chloé"), MARKS, GROUPS, ("ANIMAL", "PLACE", "PLANT", "TIME"), 0, 60, TEXT
    ),
    "timeline": TimelineFigure(
        "tape 1", ("Ana", "Ben", "Chloé"), MARKS, GROUPS, ("ANIMAL", "PLACE", "PLANT"), 0.0, 60.5
    ),
    "segments": SegmentsFigure(
        "tape 1",
        ("Ana", "Ben"),
        (UnitMark(0, 0, 20), UnitMark(0, 20, 60), UnitMark(1, 0, 24), UnitMark(1, 24, 41), UnitMark(1, 41, 60)),
        (),
        (),
        0.0,
        60.0,
    ),
    "strip": Strip(
        "", ("i1", "i2", "i3"), ("Ana", "Ben", "Chloé"), ((1, 2, 2), (4, NONE, 6), (9, 7, 8)), 3
    ),
    "disorder": Stacked(
        "disorder by category",
        "category",
        ("position", "category", "absence"),
        (("PLACE", (5.0, 20.0, 15.0)), ("PLANT", (10.0, 0.0, 50.0))),
    ),
    "influence": Changes(
        "",
        (
            ("annotator", (Change("Ana", 0.05, between(0.0, 0.1)), Change("Ben", -0.1, between(-0.15, -0.02)))),
            ("category", (Change("noun", 0.2), Change("verb", 0.0), Change("other", -0.05))),
        ),
        "change of alpha (now 0.700)",
    ),
    "curves": Curves("", (("shift", lines("γ", "uα")), ("category", lines("γ", "uα", "α")))),
    "meaning": Curves("gamma = 0.400", (("shift", lines("γ")),), 0.4),
    "trend": Series(
        "",
        ("pilot", "first", "second"),
        "round",
        (
            (
                "alpha",
                Line("all", (0, 1, 2), (0.4, 0.6, 0.7), (0.2, 0.5, math.nan), (0.6, 0.7, math.nan)),
                (Line("Ana", (0, 1, 2), (0.5, 0.6, 0.8)), Line("Ben", (0, 1, 2), (0.3, math.nan, 0.6))),
            ),
        ),
    ),
    "bland_altman": Differences(
        "",
        "Ana",
        "Ben",
        ((1, 0), (2, 1), (2, 1), (2, 1), (3, -1), (4, 0.5)),
        (
            ("upper limit", 1.8, between(1.4, 2.2)),
            ("mean", 0.4, between(0.1, 0.7)),
            ("lower limit", -1.0, between(-1.4, -0.6)),
        ),
    ),
    "scatter": Scatter(
        "", "Ana", "Ben", (("", ((14, 15), (2, 50), (30.5, 30.5), (7, 7), (7, 7), (7, 9), (22, 20), (41, 44))),)
    ),
    "scatter-annotators": Scatter(
        "",
        "mean of the others",
        "label of the annotator",
        tuple(
            (name, tuple((float(x), float(x + add + x % 3)) for x in range(0, 50, 7)))
            for name, add in (("Ana", -2), ("Ben", 0), ("Chloé", 4))
        ),
    ),
    "differences": MarkedTexts(
        "d1",
        ("Ana", "Ben"),
        (
            *(MarkedToken((word, word)) for word in TEXT.split()[:6]),
            MarkedToken(("and", None), ("missing",)),
            MarkedToken(("left", "lefft"), ("text",)),
            MarkedToken(("like a", None), ("segmentation",)),
            *(MarkedToken((word, word)) for word in TEXT.split()[9:]),
        ),
    ),
}  # fmt: skip
