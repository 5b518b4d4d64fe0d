"""Shuffled corpora: independent annotators, reproducibility, refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.gold.consensus import Seats
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.generate import generate
from accord.answers.simulate.shuffle import Erring, Reference, one_set, shuffle
from accord.core.errors import SpecError
from accord.data.model.texts import Texts

from ..refusals import raises

GOLD = generate(units=60, categories=3, seed=1)
TEXT = generate(units=40, categories=0, segmentation=True, documents=2, seed=1)


def test_annotators_are_independent_and_the_reference_is_not_among_them() -> None:
    found = shuffle(GOLD, "false_negative", magnitude=0.5, annotators=40, seed=1)
    assert found.annotators == tuple(f"A{k}" for k in range(1, 41))
    kept = np.zeros((40, 60))
    kept[found.annotator, np.searchsorted(GOLD.start, found.start)] = 1
    together = np.corrcoef(kept)[np.triu_indices(40, 1)]
    assert abs(together.mean()) < 0.02


def test_shuffling_is_reproducible_by_seed() -> None:
    one, two, other = (shuffle(GOLD, "shift", magnitude=0.3, seed=s) for s in (1, 1, 2))
    assert one.digest == two.digest != other.digest
    assert shuffle(TEXT, "shift", magnitude=0.3, seed=1).digest == shuffle(TEXT, "shift", magnitude=0.3, seed=1).digest


def test_number_of_annotators_does_not_change_the_first_ones() -> None:
    few, many = (shuffle(GOLD, "shift", magnitude=0.3, annotators=n, seed=1) for n in (2, 5))
    assert (few.start == many.start[many.annotator < 2]).all()


def test_each_annotator_can_have_its_own_magnitude() -> None:
    found = shuffle(GOLD, "false_negative", magnitude=[0.0, 0.0, 1.0], seed=1)
    assert np.bincount(found.annotator, minlength=3).tolist() == [60, 60, 0]
    assert found.judged.all()  # an annotator without units still saw the documents
    mixed = shuffle(GOLD, ["false_negative", "false_positive"], magnitude=[1.0, 1.0])
    assert np.bincount(mixed.annotator, minlength=2).tolist() == [0, 120]


def test_sets_in_a_batch_equal_sets_drawn_alone() -> None:
    for gold in (GOLD, TEXT):
        source = Reference(gold)
        who = [Erring(error_type("shift"), 0.4)] * 3
        batch = source.shuffled(who, [(7, 1), (7, 2), (7, 3)])
        alone = source.shuffled(who, [(7, 2)])
        part = one_set(batch, 1, source.n_docs)
        assert len(part) == len(alone)
        if isinstance(part, accord.Corpus):
            assert (part.start == alone.start).all()
        else:
            assert (part.position == alone.position).all()
            assert (part.offsets == alone.offsets).all()


def test_shuffled_annotators_see_the_documents_of_the_data() -> None:
    """Of four annotators, 1 and 3 saw the first document, 2 the second."""
    seats = Seats.of_table(np.array([[True, False, True, False], [False, True, False, False]]))
    wanted = {(0, 0), (0, 2), (1, 1)}
    units = generate(units=10, categories=2, documents=2, seed=1)
    items = accord.read({"item": [1, 2], "annotator": ["g", "g"], "label": ["a", "b"]})
    words = Texts.of_words({("d1", "g"): "so it is", ("d2", "g"): "and so on"})
    columns = {accord.Ratings: ("item", "annotator"), Texts: ("version_doc", "version_annotator")}
    for gold, error in ((units, "category"), (TEXT, "shift"), (items, "category"), (words, "text")):
        made = Reference(gold, seats).shuffled([Erring(error_type(error), 0.0)] * 4, [(1,), (2,)])
        names = columns.get(type(made), ("doc", "annotator"))
        found = {*zip(*(getattr(made, name).tolist() for name in names), strict=True)}
        assert found == wanted | {(d + 2, a) for d, a in wanted}
        assert made.n_annotators == 3
        if isinstance(made, accord.Corpus):
            assert len(made) == 2 * 3 * 10
            assert {*zip(*(i.tolist() for i in made.judged.nonzero()), strict=True)} == found


def test_shuffled_data_can_be_scored_and_read_back(tmp_path: Path) -> None:
    from accord.core.tables import Table
    from accord.doors.rendering.for_programs import table_as_csv

    for gold, spec in ((GOLD, "cu_alpha"), (TEXT, "window_diff")):
        found = shuffle(gold, "shift(overlap=false)", magnitude=0.2, seed=3)
        path = tmp_path / "shuffled.csv"
        path.write_text(table_as_csv(Table("", *found.rows())), encoding="utf-8")
        assert accord.score(str(path), spec, interval="none").value == pytest.approx(
            accord.score(found, spec, interval="none").value, abs=0.02
        )


def test_generated_references_follow_their_parameters() -> None:
    made = generate(
        units=101,
        categories=("x", "y"),
        prevalence=(0.8, 0.2),
        lengths=((3, 5), (20, 30)),
        gaps=(2, 4),
        documents=2,
        seed=5,
    )
    assert np.bincount(made.label).tolist() == [162, 40]
    length = made.end - made.start
    assert (length[made.label == 0].min(), length[made.label == 0].max()) == (3, 5)
    assert (length[made.label == 1].min(), length[made.label == 1].max()) == (20, 30)
    for d in range(2):
        gap = made.start[made.doc == d][1:] - made.end[made.doc == d][:-1]
        assert {*gap} == {2, 3, 4}
    crowded = generate(units=400, overlap=0.3, gaps=(1, 5), seed=2)
    share = (crowded.start[1:] < crowded.end[:-1]).mean()
    assert share == pytest.approx(0.3, abs=0.08)
    assert (crowded.end <= crowded.extents[0, 1]).all()
    assert (crowded.start >= 0).all()
    same = generate(units=101, overlap=0.5, seed=3), generate("units=101,overlap=0.5", seed=3)
    assert same[0].digest == same[1].digest


def test_generated_segmentations_have_least_lengths() -> None:
    assert len(TEXT) == 2 * 39
    assert all(TEXT.masses(doc, "reference").min() >= 5 for doc in TEXT.docs)


@pytest.mark.parametrize(
    "options",
    [
        {"units": 0},
        {"prevalence": (0.5, 0.4)},
        {"lengths": (5, 2)},
        {"lengths": (0, 2)},
        {"gaps": (1,)},
        {"overlap": 2},
        {"categories": ("a", "a")},
        {"segmentation": True, "overlap": 0.5},
        {"colour": 3},
    ],
)
def test_invalid_parameters_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        generate(**options)


def test_bad_input_is_refused_in_one_line() -> None:
    two = shuffle(GOLD, "shift", magnitude=0.1, annotators=2)
    empty = GOLD.keep(np.zeros(len(GOLD), dtype=bool))
    rated = accord.read([["a", "b"], ["a", "a"]])
    tries = [
        ("option-missing", lambda: shuffle(two, "shift")),
        ("nothing-annotated", lambda: shuffle(empty, "shift")),
        ("option-missing", lambda: shuffle(rated, "shift")),
        ("measure-for-other-data", lambda: shuffle(generate(units=5, categories=1), "category")),
        ("option-value", lambda: shuffle(GOLD, "shift", magnitude=1.1)),
        ("option-value", lambda: shuffle(GOLD, "shift", magnitude=float("nan"))),
        ("option-value", lambda: shuffle(GOLD, "shift", magnitude=[0.1, -1, 0])),
        ("option-value", lambda: shuffle(GOLD, "shift", magnitude=[0.1, 0.2], annotators=5)),
        ("option-value", lambda: shuffle(GOLD, "shift", magnitude=[0.1, 0.2], annotators=3)),
        ("option-value", lambda: shuffle(GOLD, ["shift", "fn"], magnitude=[0.1, 0.2, 0.3])),
        ("option-value", lambda: shuffle(GOLD, [])),
        ("option-value", lambda: shuffle(GOLD, "shift", annotators=0)),
        ("option-value", lambda: shuffle(GOLD, "shift", seed=-1)),
        ("measure-for-other-data", lambda: shuffle(TEXT, "category")),
    ]
    for message, call in tries:
        with raises(message) as raised:
            call()
        assert "\n" not in str(raised.value)


def test_positions_keep_their_decimals() -> None:
    gold = accord.read(
        {"annotator": ["g"] * 3, "start": [0.25, 2.5, 4.125], "end": [1.75, 3.5, 6.5], "label": list("xyx")}
    )
    for error in ("shift", "shift(overlap=false)", "fragment(x=3)", "false_positive"):
        made = shuffle(gold, error, magnitude=0.4, seed=1)
        assert isinstance(made, accord.Corpus)
        for side in (made.start, made.end):
            assert (np.round(side, 3) == side).all()
            assert (np.round(side, 2) != side).any()
    assert accord.u_alpha(shuffle(gold, "shift(overlap=false)", magnitude=0.4, seed=1)).value < 1
