"""Twins are duplicate documents under different names. Chance does not mix them with each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import accord

from ...refusals import raises

LETTER = [
    ("Ana", 0, 4, "a"), ("Ana", 9, 15, "b"), ("Ana", 20, 22, "a"), ("Ana", 31, 40, "c"),
    ("Ben", 0, 5, "a"), ("Ben", 9, 15, "c"), ("Ben", 20, 22, "a"), ("Ben", 44, 49, "b"),
]  # fmt: skip
OTHER = [("Ana", 2, 3, "a"), ("Ana", 11, 30, "c"), ("Ben", 2, 3, "a"), ("Ben", 12, 29, "c"), ("Ben", 33, 35, "b")]


def rows(**documents: list[tuple[str, int, int, str]]) -> list[dict[str, Any]]:
    names = ("annotator", "start", "end", "label")
    return [{"doc": doc, **dict(zip(names, unit, strict=True))} for doc, units in documents.items() for unit in units]


def test_chance_does_not_mix_a_document_with_its_duplicate() -> None:
    alone, twice = (accord.gamma(rows(**docs)) for docs in ({"one": LETTER}, {"one": LETTER, "two": LETTER}))
    assert twice.details["chance"] == alone.details["chance"] == "shift"
    assert twice.value == pytest.approx(alone.value, abs=0.03)
    with raises("measure-option"):
        accord.gamma(rows(one=LETTER, two=LETTER), chance="mix")


def test_chance_mixes_each_distinct_document_once() -> None:
    once, twice = accord.read(rows(one=LETTER, other=OTHER)), accord.read(rows(one=LETTER, other=OTHER, copy=LETTER))
    expected = [accord.gamma(data).parts["document"]["other"].expected for data in (once, twice)]
    assert expected[0] == expected[1]


def test_twins_are_reported() -> None:
    data = accord.read(rows(one=LETTER, other=OTHER, copy=LETTER))
    assert "1 document with the same units as another one (one = copy)" in " ".join(data.about())
    assert data.summary()["twins"] == 1
    assert "(one = copy)" in dict(data.described())["possible duplicates"]
    assert "2 documents, not counting copies, for 2 annotators" in accord.gamma(data).details["chance_because"]
    assert "possible duplicates" not in dict(accord.read(rows(one=LETTER, other=OTHER)).described())


def test_check_and_compare_report_twins() -> None:
    data, once = accord.read(rows(one=LETTER, other=OTHER, copy=LETTER)), accord.read(rows(one=LETTER, other=OTHER))
    note = "possible duplicates: 1 document with the same units as another one (one = copy); both count, but"
    checks = accord.check(data, {"gamma": 0.1})
    assert note in checks.in_words()
    assert note in checks.to_dict()["notes"][0]
    assert not accord.check(once, {"gamma": 0.1}).to_dict()["notes"]
    for other, begins in ((data, note), (once, f"old: {note}")):
        found = accord.compare(data, other, "f1", names=("old", "new"), replicates=200)
        assert found.to_dict()["notes"][0].startswith(begins)
        assert begins in found.tables()[0].notes[-1]
    assert not accord.compare(once, spec="f1", spec_b="gamma", replicates=200).to_dict()["notes"]
    assert accord.compare_groups(data, {"a": ["Ana"], "b": ["Ben"]}, "f1").to_dict()["notes"][0].startswith(note)


@pytest.mark.parametrize("names", [{"Ana": "Ben", "Ben": "Ana"}, {"Ana": "Cleo", "Ben": "Dan"}])
def test_twins_are_found_with_other_names_of_annotators(names: dict[str, str]) -> None:
    other = [(names[who], *unit) for who, *unit in LETTER]
    assert len(accord.read(rows(one=LETTER, two=other, other=OTHER)).twins) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        [*LETTER[:-1], ("Ben", 44, 49, "c")],  # another label
        [*LETTER[:-1], ("Ana", 44, 49, "b")],  # another annotator
        LETTER[:-1],
    ],
)
def test_documents_that_differ_in_one_unit_are_not_twins(other: list[tuple[str, int, int, str]]) -> None:
    assert not accord.read(rows(one=LETTER, two=other)).twins


def test_documents_with_one_or_two_equal_units_are_not_twins() -> None:
    assert not accord.read(rows(one=OTHER[:1], two=OTHER[:1], three=OTHER[:2], four=OTHER[:2])).twins


def test_same_units_on_different_texts_are_not_twins() -> None:
    data = accord.read(rows(one=LETTER, two=LETTER))
    assert data.twins
    assert not replace(data, texts={"one": "x" * 50, "two": "y" * 50}).twins
