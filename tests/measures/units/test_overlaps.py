"""Units of one annotator that overlap, and units without length."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import accord

from ...refusals import raises
from .made import (
    CORPUS,
    CUT,
    EXTENTS,
    PAIRWISE,
    ROWS,
    Row,
    read,
    same,
    value_of,
)

NO_OVERLAPS = (
    "u_alpha",
    "bar_u_alpha",
    "cu_alpha",
    "ku_alpha",
    "kappa_d",
    "alpha_d",
)  # not even of different categories


OF_ONE_CATEGORY = ("alpha_u", "theta", "theta(zones=atomic)")


OVERLAPPING: list[Row] = [
    ("d", "A", 0, 5, "x"), ("d", "A", 3, 8, "x"), ("d", "A", 20, 25, "y"),
    ("d", "B", 0, 8, "x"), ("d", "B", 19, 25, "y"),
]  # fmt: skip


NESTED: list[Row] = [
    ("d", who, *unit) for who in "AB" for unit in ((0, 50, "frame"), (10, 20, "name"), (70, 80, "name"))
]


@pytest.mark.parametrize("spec", [*NO_OVERLAPS, *OF_ONE_CATEGORY])
def test_overlaps_of_one_category_are_refused_with_location_and_options(spec: str) -> None:
    with pytest.raises(accord.DataError) as trouble:
        value_of(read(OVERLAPPING), spec)
    name = spec.partition("(")[0]
    pairs = f" use {name}(overlaps=pairs) to compare all pairs of units," if name in {"cu_alpha", "ku_alpha"} else ""
    assert str(trouble.value) == (
        'the table, row 2: 3–8 x overlaps 0–5 x of the same annotator ("A"), '
        f"which {name} does not allow; use {name}(overlaps=merge) to merge them,{pairs} or use gamma, "
        "which allows overlaps"
    )


@pytest.mark.parametrize("spec", [*NO_OVERLAPS, *OF_ONE_CATEGORY])
def test_overlaps_of_one_category_are_merged_on_request(spec: str) -> None:
    merged = [("d", "A", 0, 8, "x"), *OVERLAPPING[2:]]
    found = value_of(read(OVERLAPPING), replace(accord.measure(spec), overlaps="merge"))
    same(found, value_of(read(merged), spec))
    assert found.details["notes"] == ["1 unit merged with another of the same annotator and category"]
    touching = [("d", "A", 0, 5, "x"), ("d", "A", 5, 8, "x"), *OVERLAPPING[2:]]
    assert value_of(read(touching), replace(accord.measure(spec), overlaps="merge")).details["notes"] == []


@pytest.mark.parametrize("spec", NO_OVERLAPS)
def test_overlaps_of_different_categories_are_refused(spec: str) -> None:
    for options in ({}, {"overlaps": "merge"}):
        with raises("overlapping-units", '"A"'):
            value_of(read(NESTED), replace(accord.measure(spec), **options))
    with raises("overlapping-units"):
        value_of(read(NESTED), replace(accord.measure(spec), overlaps="merge"))


@pytest.mark.parametrize("spec", ["cu_alpha", "ku_alpha", "ku_alpha(category=name)"])
def test_overlaps_pairs_compares_all_pairs_of_units(spec: str) -> None:
    """frame–frame 50, name–name 20, and 10 twice frame with name; l* is 60 for a frame, 20 and 10 for its names."""
    found = value_of(read(NESTED), replace(accord.measure(spec), overlaps="pairs"))
    assert found.details["notes"] == [
        "2 units overlapping an earlier unit of the same annotator; all pairs are compared"
    ]
    whole = 50 + 20 + 10 + 10
    frames, names = 2 * 60, 2 * (20 + 10)
    below = (2 * whole) ** 2 - 2 * (60**2 + 20**2 + 10**2)
    value = 1 - (2 * 20 / (2 * whole)) / (2 * frames * names / below)
    if "category" not in spec:
        assert found.value == pytest.approx(value)
    parts = value_of(read(NESTED), "cu_alpha(overlaps=pairs)").parts["category"]
    assert parts["name"].details["coverage"] == pytest.approx(names / 40)
    if "category" in spec:
        assert found.value == parts["name"].value


def test_overlaps_pairs_is_refused_for_measures_of_stretches() -> None:
    for spec in ("u_alpha", "bar_u_alpha", "alpha_u", "theta", "kappa_d"):
        with raises("unknown-name", '"pairs"'):
            accord.measure(f"{spec}(overlaps=pairs)")


def test_merge_is_not_suggested_for_overlaps_of_different_categories() -> None:
    with pytest.raises(accord.DataError) as trouble:
        accord.u_alpha(read(NESTED))
    assert "overlaps=merge" not in str(trouble.value)


@pytest.mark.parametrize("spec", [*OF_ONE_CATEGORY, *PAIRWISE, "gamma"])
def test_overlaps_of_different_categories_are_accepted(spec: str) -> None:
    assert value_of(read(NESTED), spec).value == (0.0 if spec.startswith("ser") else 1.0)


@pytest.mark.parametrize("spec", PAIRWISE)
def test_ser_and_f1_accept_all_overlaps(spec: str) -> None:
    assert not math.isnan(value_of(read(OVERLAPPING), spec).value)


def test_overlaps_are_checked_per_annotator_and_document() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 3, 8, "x"), ("e", "A", 3, 8, "x"), ("e", "B", 0, 5, "x")]
    for spec in CUT:
        if "category" not in spec:
            value_of(read(rows), spec)
    far = [*rows, ("e", "B", 4, 7, "x")]
    with raises("overlapping-units", '"B"'):
        accord.u_alpha(read(far))


def test_chain_of_overlaps_is_merged_into_one_unit() -> None:
    rows = [("d", "A", 0, 10, "x"), ("d", "A", 2, 4, "x"), ("d", "A", 9, 15, "x"), ("d", "A", 14, 20, "x")]
    both = [*rows, ("d", "B", 0, 20, "x"), ("d", "B", 30, 32, "x"), ("d", "A", 30, 32, "x")]
    score = accord.u_alpha(read(both), overlaps="merge")
    assert score.value == 1
    assert score.details["notes"] == ["3 units merged with another of the same annotator and category"]


@pytest.mark.parametrize("spec", CUT)
def test_units_without_length_are_left_out_and_reported(spec: str) -> None:
    more = [*ROWS, ("d1", "Ana", 3, 3, "b"), ("d2", "Ben", 40, 40, "a"), ("d1", "Ben", 10, 10, "a")]
    found, plain = value_of(read(more, extents=EXTENTS), spec), value_of(CORPUS, spec)
    same(found, plain)
    assert found.details["notes"] == ["3 units of length 0 left out"]
    assert plain.details["notes"] == []


def test_units_without_length_count_for_ser_and_f1() -> None:
    rows = [
        ("d", "A", 0, 5, "x"),
        ("d", "A", 7, 7, "x"),
        ("d", "B", 0, 5, "x"),
        ("d", "B", 7, 7, "x"),
        ("d", "B", 9, 9, "x"),
    ]
    assert accord.ser(read(rows), reference="A").value == 1 / 2
    assert accord.f1(read(rows)).value == pytest.approx(4 / 5)
    assert accord.f1(read(rows), match="token").value == 1
