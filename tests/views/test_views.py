"""Views for the browser have the numbers of the alignment, complete texts, and markup that runs no script."""

from __future__ import annotations

import base64
import html.parser
import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import accord
from accord.answers.views import script, script_json, style, views_of
from accord.answers.views.items import ItemsView
from accord.answers.views.spans import Spans, merged, pairs_within
from accord.answers.views.texts import TextsView
from accord.answers.views.view import MOST_PLACES, packed
from accord.data.model.texts import Texts

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</script><!--", "שלום", "🙂", "x" * 10_000)
SPANS = [("d", "A", 0, 5, "X"), ("d", "A", 6, 9, "Y"), ("d", "A", 7, 8, "X"), ("d", "B", 0, 5, "X"),
         ("d", "B", 6, 8, "Z"),
         ("e", "A", 0, 2, "X"), ("e", "B", 0, 2, "X")]  # fmt: skip


def spans(rows: Any = SPANS, **options: Any) -> Any:
    columns = ("doc", "annotator", "start", "end", "label")
    return accord.read([dict(zip(columns, row, strict=True)) for row in rows], **options)


def unpacked(column: str) -> Any:
    kind, _, data = column.partition(":")
    return np.frombuffer(base64.b64decode(data), dtype=f"<{kind}")


# -- all views -------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-(2**31), 2**31 - 1)) | st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_packed_columns_unpack_to_the_same_values(values: list[float]) -> None:
    assert unpacked(packed(np.array(values))).tolist() == values


@pytest.mark.parametrize(
    ("values", "kind"), [([0, 255], "u1"), ([256], "u2"), ([-1], "i4"), ([1.0], "u1"), ([0.5], "f8")]
)
def test_packed_columns_use_the_smallest_type(values: list[float], kind: str) -> None:
    assert packed(np.array(values)).startswith(kind)


def test_script_json_cannot_end_the_script_element() -> None:
    made = script_json({"text": "</script><!-- \ud800 <b>"})
    assert "<" not in made
    made.encode("utf-8")
    assert json.loads(made) == {"text": "</script><!-- \ud800 <b>"}


def test_viewer_script_needs_no_network() -> None:
    whole = script()
    assert whole.startswith("(() => {\n'use strict';")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
        "import(",
        "http",
    ):
        assert word not in whole
    assert "url(" not in style()
    assert "@import" not in style()


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert all(not name.startswith("on") and name != "style" for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("label", HOSTILE)
def test_markup_shows_hostile_labels_and_runs_no_script(label: str) -> None:
    rows = [("d", label, 0, 5, label), ("d", "B", 0, 4, "b")]
    items = accord.read([{"item": label, "annotator": a, "label": lab} for a, lab in (("A", label), (label, "b"))])
    for view in (views_of(spans(rows)).each[0], views_of(items).each[0]):
        tags = _Tags()
        tags.feed(view.html())
        assert not {"script", "img"} & set(tags.seen)
        assert label[:40] in tags.text
        assert json.loads(script_json(view.to_dict()))["name"] == view.name
        assert len(view.html()) < 20_000


# -- units -----------------------------------------------------------------------------------------------------------


def test_units_have_the_costs_of_the_alignment() -> None:
    data = spans()
    found = accord.align(data)
    views = views_of(data, found)
    assert [view.name for view in views] == ["d", "e"]  # worst first
    sums = {doc: sum(one.disorder for one in found if one.doc == doc) for doc in data.docs}
    assert {view.name: view.cost for view in views} == pytest.approx(sums)
    shown = views.each[0].to_dict()
    groups = shown["groups"]
    assert_allclose(unpacked(groups["cost"]), sum(unpacked(column) for column in groups["causes"].values()))
    first = np.concatenate([[0], np.cumsum(unpacked(groups["size"]).astype(int))])
    start, end, lane = (unpacked(shown["units"][name]) for name in ("start", "end", "lane"))
    label = [["", *shown["categories"]][k] for k in unpacked(shown["units"]["label"])]
    made = set()
    for g in range(len(first) - 1):
        mine = unpacked(groups["members"])[first[g] : first[g + 1]]
        made.add(frozenset((shown["annotators"][lane[u]], start[u], end[u], label[u]) for u in mine))
    expected = {
        frozenset((who, u.start, u.end, u.label) for who, u in one.units.items() if u is not None)
        for one in found
        if one.doc == "d"
    }
    assert made == expected


def test_each_place_names_its_kinds_of_difference() -> None:
    view = views_of(spans()).each[0]
    kinds = {place.where: place.kinds for place in view.places}
    assert kinds == {"6–9": ("boundaries", "label"), "7–8": ("missing",)}
    assert dict(view.places[0].said)
    assert isinstance(view, Spans)
    assert view.disputed.tolist() == [False, True, True]


def test_views_show_most_documents_and_count_the_others() -> None:
    views = views_of(spans(), most=1)
    assert (len(views), views.left, views.kind) == (1, 1, "units")


def test_markup_lists_a_limited_number_of_places_and_counts_the_others() -> None:
    rows = [("d", "A", 10 * k, 10 * k + 5, "X") for k in range(500)] + [("d", "B", 10_000, 10_001, "X")]
    shown = views_of(spans(rows)).each[0].html()
    assert shown.count("<tr>") == MOST_PLACES + 1
    assert "and 481 more places" in shown


def test_text_is_marked_with_agreed_and_disputed_units() -> None:
    data = spans([("d", "A", 0, 3, "X"), ("d", "B", 0, 3, "X"), ("d", "A", 4, 7, "X")])
    view = views_of(replace(data, texts={"d": "the fox & co"})).each[0]
    assert '<mark class="av-agreed">the</mark> <mark class="av-disputed">fox</mark> &amp; co' in view.html()
    assert view.places[0].text == ("the ", "fox", " & co")


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12), st.integers(0, 6)), min_size=1, max_size=25))
def test_rows_of_a_lane_do_not_overlap(drawn: list[tuple[int, int, int]]) -> None:
    lane, start, length = (np.array(column) for column in zip(*drawn, strict=True))
    n = len(lane)
    groups = (np.arange(n), np.arange(n), np.ones(n), {"absence": np.ones(n)})
    columns = (lane, start.astype(float), (start + length).astype(float), np.zeros(n, dtype=np.int64))
    view = Spans.of("d", ["A", "B"], columns, ["X"], groups, (0.0, 20.0))
    for a, b in combinations(range(n), 2):
        if view.lane[a] == view.lane[b] and view.rows[a] == view.rows[b]:
            assert view.end[a] <= view.start[b] or view.end[b] <= view.start[a]
            assert (view.start[a], view.end[a]) != (view.start[b], view.end[b])
    depth = max(
        int(((view.lane == k) & (view.start <= t) & ((view.end > t) | (view.start == t))).sum())
        for k in (0, 1)
        for t in range(20)
    )
    assert view.rows.max() + 1 <= depth


# -- items -----------------------------------------------------------------------------------------------------------


LABELS = st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), min_size=1, max_size=8)


@given(LABELS)
def test_confusion_matrix_counts_pairs_of_labels(rows: list[list[str | None]]) -> None:
    pairs = [[(x, y) for x, y in combinations(row, 2) if x and y] for row in rows]
    if not any(pairs):
        return
    ratings = accord.Ratings.from_rows(rows)
    view = ItemsView(ratings, 100)
    names = [ratings.categories.names[k] for k in view.categories]
    for r, x in enumerate(names):
        for c, y in enumerate(names):
            expected = sum(((p, q) in {(x, y), (y, x)}) for row in pairs for p, q in row)
            assert view.matrix[r, c] == expected
    for a, b, found in view.pairs:
        for r, x in enumerate(names):
            for c, y in enumerate(names):
                assert found[r, c] == sum(row[a] == x and row[b] == y for row in rows)
    for i, row in enumerate(pairs):
        share = sum(p != q for p, q in row) / len(row) if row else 0
        assert view.disputed[i] == pytest.approx(share)


def test_items_are_listed_worst_first_with_their_columns() -> None:
    given = {"i1": "xx", "i2": "xy", "i3": "yy"}
    rows = [
        {"item": i, "annotator": a, "label": lab, "text": f"text of {i}"}
        for i, labels in given.items()
        for a, lab in zip("AB", labels, strict=True)
    ]
    views = views_of(accord.read(rows, keep=["text"]))
    shown = views.each[0].to_dict()
    assert shown["items"] == ["i2", "i1", "i3"]
    assert shown["columns"] == {"text": ["text of i2", "text of i1", "text of i3"]}
    assert unpacked(shown["cost"]).tolist() == [1, 0, 0]
    assert "text of i2" in views.each[0].html()


def test_every_cell_of_the_matrix_has_an_item() -> None:
    rows = [*[["a", "b"]] * 50, *[["b", "c"]] * 3, ["c", "c"]]
    view = ItemsView(accord.Ratings.from_rows(rows), 2)
    there = {tuple(rows[i]) for i in view.ranked.tolist()}
    assert there == {("a", "b"), ("b", "c"), ("c", "c")}
    assert len(view.ranked) == 5 + 3 + 1


def test_view_of_counts_has_no_annotators() -> None:
    view = views_of(accord.Ratings.from_counts([[2, 1], [3, 0]], ["yes", "no"])).each[0]
    shown = view.to_dict()
    assert not shown["identified"]
    assert unpacked(shown["matrix"]).tolist() == [4, 2, 2, 0]
    assert unpacked(shown["many"]).tolist() == [2, 1, 3]
    many = ItemsView(accord.Ratings.from_counts([[200_000_001, 0], [3, 1]], ["yes", "no"]), 10)
    assert many.disputed.tolist() == [0, 0.5]
    assert "yes ×2, no ×1" in view.html()


# -- segmentations, chains -------------------------------------------------------------------------------------------


def test_adjacent_boundaries_are_a_near_miss() -> None:
    data = accord.Segmentations.from_masses({"A": [3, 5, 2], "B": [4, 4, 2], "C": [3, 7]})
    view = views_of(data).each[0]
    assert isinstance(view, Spans)
    assert {place.where: place.kinds for place in view.places} == {"3–4": ("near miss",), "8": ("missing",)}
    # A–B and B–C differ by 1: each costs 1/2, of three pairs. At 8 the boundary is missing in two of three pairs.
    assert_allclose(view.costs, [1 / 3, 2 / 3])
    assert dict(view.places[0].said) == {"A": "8", "B": "8", "C": "–"}


def test_document_without_boundaries_has_no_disagreement() -> None:
    view = views_of(accord.Segmentations.from_masses({"A": [10], "B": [10]})).each[0]
    assert (view.cost, view.places) == (0, ())
    assert "No disagreement." in view.html()


def test_different_boundary_types_cost_1() -> None:
    data = accord.Segmentations.from_boundaries({"A": {3: "x"}, "B": {3: "y"}}, 10)
    (place,) = views_of(data).each[0].places
    assert (place.kinds, place.cost) == (("type",), 1)


@given(st.lists(st.integers(0, 4), max_size=12))
def test_pairs_within_returns_all_pairs_with_equal_keys(keys: list[int]) -> None:
    found = {tuple(pair) for pair in pairs_within(np.array(keys, dtype=np.int64)).tolist()}
    assert found == {(a, b) for a, b in combinations(range(len(keys)), 2) if keys[a] == keys[b]}


def test_units_of_one_annotator_are_not_merged() -> None:
    assert_array_equal(merged(np.array([0, 1, 0]), np.array([[0, 1], [1, 2]])), [0, 0, 1])


def test_chains_with_shared_mentions_have_the_same_name() -> None:
    rows = [
        ("d", "A", 0, 3, 1),
        ("d", "A", 4, 6, 1),
        ("d", "A", 7, 9, 2),
        ("d", "B", 0, 3, 9),
        ("d", "B", 4, 6, 9),
        ("d", "B", 7, 9, 9),
    ]
    columns = ("doc", "annotator", "start", "end", "chain")
    data = accord.read([dict(zip(columns, row, strict=True)) for row in rows])
    view = views_of(data).each[0]
    assert isinstance(view, Spans)
    assert view.categories == ("chain 1", "chain 2")
    (place,) = view.places
    assert (place.where, place.kinds, place.cost) == ("7–9", ("chain",), 1)
    assert dict(place.said) == {"A": "chain 2 (7–9)", "B": "chain 1 (7–9)"}


def test_named_mentions_are_shown_by_name() -> None:
    rows = [{"doc": "d", "annotator": a, "mention": m, "chain": c} for a, m, c in
            (("A", "m1", 1), ("A", "m2", 1), ("B", "m1", 1), ("B", "m2", 2))]  # fmt: skip
    view = views_of(accord.read(rows, layout="chains")).each[0]
    assert view.to_dict()["quotes"] == ["m1", "m2"]
    assert "m2" in view.html()


# -- texts -----------------------------------------------------------------------------------------------------------


def test_views_contain_complete_texts_and_mark_differences() -> None:
    strings = {"A": "The  cat sat.\nIt purred", "B": "The cats sat. purred 🙂 "}
    view = views_of(Texts.of_words(strings)).each[0]
    assert isinstance(view, TextsView)
    shown = view.to_dict()
    for who, side in zip(shown["annotators"], shown["sides"], strict=True):
        made, started = "", False
        for k, token in enumerate(side["tokens"]):
            if token is not None:
                made += side["gaps"].get(str(k), " " if started else "") + token
                started = True
        assert made + side["rest"] == strings[who]
    differs = unpacked(shown["differs"])
    assert [row.differs for row in view.rows] == (differs > 0).tolist()
    assert [dict(place.said) for place in view.places if "missing" in place.kinds]
    assert sum(place.cost for place in view.places) == pytest.approx(view.cost)


def test_alignment_of_other_data_is_a_mistake_of_the_programmer() -> None:
    found = accord.align(spans())
    with pytest.raises(AssertionError):
        views_of(Texts.of_words({"A": "a", "B": "b"}), found)
