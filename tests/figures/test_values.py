"""Figures show the numbers of the results."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.core.figures.bars import MOST_FOREST_ROWS, Forest, ForestRow
from accord.core.figures.documents import TimelineFigure, UnitMark
from accord.core.figures.heatmap import Confusion, PairMatrix

from ..refusals import raises
from .samples import EVERY

GARDEN = Path(__file__).parents[2] / "examples" / "garden"
SPANS, SENTENCES = GARDEN / "spans.csv", GARDEN / "sentences.csv"


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3))
def test_expected_counts_of_two_annotators_have_their_marginals(counts: list[list[int]]) -> None:
    figure = Confusion("", ("a", "b", "c"), tuple(tuple(map(float, row)) for row in counts), "A", "B")
    expected = figure.expected
    for k in range(3):
        assert sum(expected[k]) == pytest.approx(sum(counts[k]))
        assert sum(row[k] for row in expected) == pytest.approx(sum(row[k] for row in counts))


def test_expected_counts_of_many_annotators_match_alpha() -> None:
    score = accord.alpha(SENTENCES, interval="none")
    figure = score.figure("confusion")
    assert isinstance(figure, Confusion)
    n = sum(map(sum, figure.counts))
    assert sum(map(sum, figure.expected)) == pytest.approx(n)
    apart = 1 - sum(figure.expected[k][k] for k in range(len(figure.categories))) / n
    assert apart == pytest.approx(score.details["expected_disagreement"])


def test_pair_matrix_orders_agreeing_annotators_together() -> None:
    near = {frozenset("AC"), frozenset("BD")}
    values = tuple(tuple(math.nan if a == b else 0.9 if {a, b} in near else 0.1 for b in "ABCD") for a in "ABCD")
    names = ["ABCD"[k] for k in PairMatrix("", tuple("ABCD"), values).order]
    assert {frozenset(names[:2]), frozenset(names[2:])} == near
    errors = tuple(tuple(1 - x for x in row) for row in values)
    names = ["ABCD"[k] for k in PairMatrix("", tuple("ABCD"), errors, error=True).order]
    assert {frozenset(names[:2]), frozenset(names[2:])} == near
    nothing = PairMatrix("", tuple("ABCD"), ((math.nan,) * 4,) * 4)
    assert sorted(nothing.order) == [0, 1, 2, 3]
    nothing.plot()


def test_pair_matrix_has_the_values_of_the_breakdown() -> None:
    score = accord.alpha(SENTENCES, interval="none")
    rows = score.figure("pairs").table().rows
    assert {f"{a} – {b}": value for a, b, value in rows} == {k: s.value for k, s in score.parts["pair"].items()}


def test_long_forest_shows_the_lowest_and_highest_rows() -> None:
    rows = [ForestRow(f"d{k}", (k * 37 % 100) / 100) for k in range(100)]
    figure = Forest("", (ForestRow("all", 0.5, whole=True), *rows, ForestRow("none", math.nan)), "document")
    assert figure.shown[0] == "all"
    assert len(figure.shown) == MOST_FOREST_ROWS + 1
    values = {one.name: one.value for one in rows}
    shown = sorted(values[name] for name in figure.shown[1:])
    assert shown == [k / 100 for k in (*range(20), *range(80, 100))]
    assert "without 61 between them" in figure.caption
    assert len(figure.table().rows) == 102
    figure.plot()


def test_category_named_all_is_separate_from_the_total() -> None:
    rows = [["all" if (k + (g == k % 4)) % 2 else "x" for g in range(3)] for k in range(12)]
    score = accord.alpha(accord.Ratings.from_rows(rows))
    figure = score.figure("forest by category")
    assert isinstance(figure, Forest)
    assert set(figure.names) == {"(all)", "all", "x"}
    assert [one.name for one in figure.estimates if one.whole] == ["(all)"]


def test_causes_sum_to_the_disorder() -> None:
    found = accord.align(SPANS, jobs=1)
    assert isinstance(found, accord.UnitaryAlignments)
    shares = {name: one.details["share"] for name, one in accord.gamma(SPANS, jobs=1).parts["category"].items()}
    for by in ("category", "document"):
        figure = found.decomposed(by)
        assert sum(sum(amounts) for _, amounts in figure.amounts) == pytest.approx(100)
        if by == "category":
            mine = {name: sum(amounts) / 100 for name, amounts in figure.amounts}
            assert mine == pytest.approx({name: share for name, share in shares.items() if name in mine})


def test_timeline_has_all_units_and_alignments() -> None:
    found = accord.align(SPANS, docs=GARDEN / "docs.csv", jobs=1)
    assert isinstance(found, accord.UnitaryAlignments)
    figure = found.timeline("letter1")
    mine = [one for one in found if one.doc == "letter1"]
    assert sorted(cost for cost, _ in figure.groups) == pytest.approx(sorted(one.disorder for one in mine))
    units = Counter((w, u.start, u.end, u.label) for one in mine for w, u in one.units.items() if u is not None)
    assert Counter((figure.lanes[m.lane], m.start, m.end, m.label) for m in figure.marks) == units
    assert figure.text.startswith("Dear Committee")
    assert figure.with_text(narrow=False)
    with raises("unknown-name", '"letter1"'):
        found.timeline("leter1")


PLACES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 400), st.integers(1, 60)), max_size=20)


@given(PLACES, st.booleans(), st.booleans())
def test_rows_cover_the_document_and_units_do_not_overlap(
    places: list[tuple[int, int, int]], narrow: bool, text: bool
) -> None:
    marks = tuple(UnitMark(lane, start, start + long, "x") for lane, start, long in places)
    groups = tuple((0.5, (m,)) for m in range(len(marks)))
    content = ("word " * 100)[:460] if text else ""
    figure = TimelineFigure("d", ("A", "B", "C"), marks, groups, ("x",), 0, 460, content)
    rows = figure.rows(narrow)
    assert rows[0][0] == 0
    assert rows[-1][1] == 460
    assert all(one[1] == other[0] and one[1] > one[0] for one, other in pairwise(rows))
    seen = set()
    for a, b in rows:
        row = figure.row(a, b)
        seen |= set(row.there)
        for m in row.there:
            for n in row.there:
                if m < n and marks[m].lane == marks[n].lane and row.sublanes[m] == row.sublanes[n]:
                    assert marks[m].end <= marks[n].start or marks[n].end <= marks[m].start
    assert seen == set(range(len(marks)))


def test_long_recording_shows_only_its_worst_stretches() -> None:
    marks = tuple(UnitMark(lane, 10 * k, 10 * k + 6, "x") for k in range(6_000) for lane in range(2))
    groups = tuple((1.0 if 3_000 <= k < 3_050 else 0.01, (2 * k, 2 * k + 1)) for k in range(6_000))
    figure = TimelineFigure("tape", ("A", "B"), marks, groups, ("x",), 0, 60_000)
    rows = figure.rows(narrow=False)
    assert any(a <= 30_200 < b for a, b in rows)
    assert sum(b - a for a, b in rows) < 30_000
    assert f"the {len(rows)} of " in figure.caption
    assert figure.size(6.9)[1] <= 10
    figure.plot()


def test_text_without_spaces_is_split_into_characters() -> None:
    figure = replace(EVERY["alignment"], text="漢字" * 30)
    assert len(list(figure._words(0, 60))) == 60
    assert figure.with_text(narrow=False)


def test_panels_of_curves_share_one_scale() -> None:
    axes = EVERY["curves"].plot()
    assert len({ax.get_ylim() for ax in axes.flat}) == 1


def test_influence_on_an_error_measure_has_reversed_colours() -> None:
    colours = []
    for error in (False, True):
        axes = replace(EVERY["influence"], error=error).plot()
        colours.append(axes[0, 0].patches[0].get_facecolor())
    assert colours[0] != colours[1]


def test_bland_altman_figure_has_every_item() -> None:
    found = accord.bland_altman(GARDEN / "tone.csv", "Ana", "Ben")
    assert len(found.points) == found.n
    assert sum(apart for _, apart in found.points) / found.n == pytest.approx(found.mean)
    assert "points" not in found.to_dict()
    assert sum(row[2] for row in found.figure().table().rows) == found.n  # type: ignore[misc]
