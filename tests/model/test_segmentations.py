"""Segmentations: creation, access, refusals, and conversion from and to units."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.errors import AccordError, DataError
from accord.data.model.segmentations import Segmentations, as_segmentations, as_units

from ..refusals import raises

TWO = {"A": [2, 3, 6], "B": [5, 6]}


def test_masses_boundaries_and_strings_give_the_same_data() -> None:
    masses = Segmentations.from_masses(TWO)
    boundaries = Segmentations.from_boundaries({"B": [5], "A": [2, 5]}, length=11)
    strings = Segmentations.from_strings({"A": "0100100000", "B": "0000100000"})
    assert masses.digest == boundaries.digest == strings.digest
    assert masses.masses("document", "A").tolist() == [2, 3, 6]
    assert masses.boundaries("document", "B").tolist() == [5]
    assert (masses.docs, masses.annotators, masses.n_annotators, masses.n_items) == (("document",), ("A", "B"), 2, 1)
    assert masses.potential_boundaries.tolist() == [10]
    assert masses.categories.names == ("boundary",)
    assert masses.identified
    assert repr(masses) == "<Segmentations: 1 document, 2 annotators, 3 boundaries>"
    assert pickle.loads(pickle.dumps(masses)).digest == masses.digest  # noqa: S301


def test_documents_keep_the_annotators_who_segmented_them() -> None:
    data = Segmentations.from_masses({"y": {"B": [4], "A": [1, 3]}, "x": {"A": np.array([2, 2]), "C": [4.0]}})
    assert (data.docs, data.annotators) == (("x", "y"), ("A", "B", "C"))
    assert data.annotators_per_doc.tolist() == [2, 2]
    assert data.masses("x", "C").tolist() == [4]
    with raises("nothing-shared", '"B"', '"x"'):
        data.masses("x", "B")
    with raises("unknown-name"):
        data.masses("z", "B")
    alone = data.only_annotators(["A", "B"])
    assert alone.n_annotators == 2
    assert alone.masses("y", "A").tolist() == [1, 3]
    with raises("unknown-name"):
        data.only_annotators(["D"])
    with raises("unknown-name"):
        data.by("genre")


def test_boundaries_may_have_types() -> None:
    data = Segmentations.from_boundaries({"A": {5: {"minor", "major"}, 2: "minor"}, "B": [(2, "major")]}, length=11)
    assert data.categories.names == ("major", "minor")
    assert len(data) == 4
    assert data.untyped.position.tolist() == [2, 5, 2]
    assert data.masses("document", "A").tolist() == [2, 3, 6]
    assert data.notes == ('boundary type "minor" is used only by "A"',)
    declared = Segmentations.from_boundaries({"A": {2: 1}, "B": {2: 3}}, length=4, types=[1, 2, 3])
    assert declared.categories.names == ("1", "2", "3")


BAD: list[tuple[Any, str]] = [
    (lambda: Segmentations.from_masses({"A": [2, -1]}), '"A": mass 2 is -1'),
    (lambda: Segmentations.from_masses({"A": [2, 1.5]}), '"A": mass 2 is "1.5", not a whole number'),
    (lambda: Segmentations.from_masses({"A": ["two"]}), '"A": mass 1 is "two", not a whole number'),
    (lambda: Segmentations.from_masses({"A": []}), '"A": there are no masses'),
    (lambda: Segmentations.from_masses({"A": 3}), '"A": give a list of whole numbers, not "3"'),
    (lambda: Segmentations.from_masses({"A": [2**53, 2**53]}), "more than"),
    (lambda: Segmentations.from_masses({}), "give a dict"),
    (lambda: Segmentations.from_masses({"d": {"A": [1]}, "B": [1]}), "some entries are documents"),
    (
        lambda: Segmentations.from_masses({"d": {"A": [2, 3], "B": [4]}}),
        'document "d", "B": document "d" has 4 atoms for "B", but 5 atoms for "A"',
    ),
    (
        lambda: Segmentations.from_boundaries({"A": [5, 2]}, length=9),
        '"A": boundary 2 follows 5',
    ),
    (
        lambda: Segmentations.from_boundaries({"A": [9]}, length=9),
        '"A": boundary 9 is outside the text; a text of 9 atoms',
    ),
    (lambda: Segmentations.from_boundaries({"A": [0]}, length=9), "boundary 0 is outside"),
    (lambda: Segmentations.from_boundaries({"A": [5, 5]}, length=9), "boundary 5 is given twice"),
    (
        lambda: Segmentations.from_boundaries({"A": [(5, "x"), (5, "x"), (6, "y")]}, length=9),
        'boundary 5 of type "x" is given twice',
    ),
    (lambda: Segmentations.from_boundaries({"A": [5]}, length=0), "the length of a document is a number of atoms"),
    (
        lambda: Segmentations.from_boundaries({"d": {"A": [5]}}, length={"e": 9}),
        'the length of document "d" is not given',
    ),
    (
        lambda: Segmentations.from_boundaries({"A": {5: "z"}}, length=9, types=["x", "y"]),
        '"A": boundary type "z" is not declared (declared: x, y)',
    ),
    (lambda: Segmentations.from_strings({"A": "01x"}), '"A": character 3 is "x", neither 0 nor 1'),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[m for _, m in BAD])
def test_invalid_input_is_refused_with_its_location(make: Any, message: str) -> None:
    with pytest.raises(AccordError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_million_boundaries_are_stored_as_arrays() -> None:
    rng = np.random.default_rng(0)
    data = Segmentations.from_boundaries(
        {name: np.unique(rng.integers(1, 10**7, 500_000)) for name in "AB"}, length=10**7
    )
    assert isinstance(data.position, np.ndarray)
    assert data.masses("document", "A").sum() == 10**7
    assert data.digest


def test_adjacent_units_become_segments_and_units_again() -> None:
    data = Segmentations.from_masses({"d": TWO, "e": {"A": [4], "B": [1, 3]}})
    corpus = as_units(data)
    assert corpus["d"]["B"] == [accord.Unit(0, 5), accord.Unit(5, 11)]
    assert as_segmentations(corpus).digest == data.digest


def units(start: list[float], end: list[float], **more: Any) -> accord.Corpus:
    columns = {"annotator": ["A"] * (len(start) - 1) + ["B"], "start": start, "end": end, **more}
    return accord.read(columns, extents=(0, 10))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (units([0, 5, 0], [4, 10, 10]), "row 2: document"),
        (units([0, 5, 0], [5, 9, 10]), "leaves a gap or an overlap"),
        (units([0, 4, 0], [5, 10, 10]), "leaves a gap or an overlap"),
        (units([0, 0, 0], [0, 10, 10]), "cannot have length 0"),
        (units([0, 2.5, 0], [2.5, 10, 10]), "position 2.5 is not a whole number"),
        (units([0, 5, 0], [5, 10, 10], label=["x", "y", "z"]), 'has a label ("x")'),
    ],
)
def test_conversion_that_would_lose_data_is_refused(corpus: accord.Corpus, message: str) -> None:
    with pytest.raises(DataError) as caught:
        as_segmentations(corpus)
    assert message in str(caught.value)


def test_shifted_units_and_typed_boundaries_are_refused() -> None:
    shifted = accord.read({"annotator": ["A", "B"], "start": [1, 1], "end": [5, 5]})
    with raises("invalid-position"):
        as_segmentations(shifted)  # type: ignore[arg-type]
    labelled = units([0, 5, 0], [5, 10, 10], label=["x", "y", "z"])
    assert as_segmentations(labelled, drop_labels=True).masses("document", "A").tolist() == [5, 5]
    typed = Segmentations.from_boundaries({"A": {2: "x", 3: "y"}}, length=9)
    with raises("measure-for-other-data"):
        as_units(typed)
    assert len(as_units(typed.untyped)) == 3
