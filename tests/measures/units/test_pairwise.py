"""SER and F1, by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord

from ...refusals import raises
from .made import (
    read,
)

# A best alignment costs 3 with three pairs and with two, so it has 3 slots or 4.
TIED = [("d", "A", 0, 2, "q"), ("d", "A", 3, 6, "p"), ("d", "A", 7, 10, "q"),
        ("d", "B", 1, 4, "p"), ("d", "B", 5, 8, "q"), ("d", "B", 9, 12, "p")]  # fmt: skip


THREE = [("d", "A", 0, 10, "x"), ("d", "A", 20, 30, "y"), ("d", "B", 0, 10, "x"), ("d", "C", 0, 9, "x")]


def test_ser_per_slot_does_not_depend_on_the_names() -> None:
    other = [(doc, {"A": "B", "B": "A"}[who], *rest) for doc, who, *rest in TIED]
    assert accord.ser(read(TIED)).value == accord.ser(read(other)).value == 1
    assert accord.ser(read(TIED), per="slots").value == accord.ser(read(other), per="slots").value


def test_ser_of_an_empty_reference_is_left_out_and_counted() -> None:
    alone = read([("d", "A", 0, 5, "x")], extents=(0, 10), judged={"d": ["A", "B"]})
    score = accord.ser(alone)
    assert (score.value, score.details["pairs_left_out"]) == (1, 1)
    assert math.isnan(score.parts["pair"]["B → A"].value)
    empty = accord.ser(alone, reference="B")
    assert math.isnan(empty.value)
    assert "0/0" in (empty.undefined or "")
    assert accord.ser(alone, per="slots").value == 1
    # Two annotators without units agree: an uncorrected comparison of two empty sets is perfect.
    three = read([("d", "A", 0, 5, "x")], extents=(0, 10), judged={"d": ["A", "B", "C"]})
    assert accord.ser(three).parts["pair"]["B → C"].value == 0
    assert accord.f1(three).parts["pair"]["B – C"].value == 1


def test_pair_left_out_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accord.doors.cli import main

    (tmp_path / "spans.csv").write_text("doc,annotator,start,end,label\nd,A,0,5,x\n", encoding="utf-8")
    (tmp_path / "judged.csv").write_text("doc,annotator\nd,A\nd,B\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["accord", "score", str(tmp_path / "spans.csv"), "-m", "ser"])
    main()
    assert "left out" in capsys.readouterr().out


def test_ser_by_hand() -> None:
    score = accord.ser(read(THREE))
    pairs = {"A → B": 1 / 2, "A → C": 1.5 / 2, "B → A": 1, "B → C": 0.5, "C → A": 1.5, "C → B": 0.5}
    assert {name: part.value for name, part in score.parts["pair"].items()} == pytest.approx(pairs)
    assert score.value == pytest.approx(np.mean(list(pairs.values())))
    annotators = {who: np.mean([v for name, v in pairs.items() if who in name]) for who in "ABC"}
    assert {name: part.value for name, part in score.parts["annotator"].items()} == pytest.approx(annotators)
    assert score.parts["document"]["d"].value == pytest.approx(score.value)
    slots = accord.ser(read(THREE), per="slots").parts["pair"]
    assert slots["A → C"].value == slots["C → A"].value == pytest.approx(1.5 / 2)


def test_value_against_reference_is_mean_over_other_annotators() -> None:
    """Each other annotator is compared with the reference."""
    score = accord.ser(read(THREE), reference="A")
    assert {name: part.value for name, part in score.parts["pair"].items()} == {"A → B": 0.5, "A → C": 0.75}
    assert {name: part.value for name, part in score.parts["annotator"].items()} == {"B": 0.5, "C": 0.75}
    assert score.value == pytest.approx(0.625)
    assert accord.ser(read(THREE), reference="C").value == pytest.approx((1.5 + 0.5) / 2)
    assert accord.f1(read(THREE), reference="A").value == pytest.approx((2 / 3 + 0) / 2)
    assert accord.f1(read(THREE), reference="B").value == pytest.approx((2 / 3 + 0) / 2)
    assert accord.f1(read(THREE), match="overlap", reference="C").value == pytest.approx((2 / 3 + 1) / 2)
    for name in ("ser", "f1"):
        with raises("unknown-name", '"Z"'):
            accord.score(read(THREE), f"{name}(reference=Z)")
        lonely = [*THREE, ("e", "D", 0, 5, "x")]
        with raises("nothing-shared", '"D"'):
            accord.score(read(lonely), f"{name}(reference=D)")


def test_documents_are_summed_within_a_pair() -> None:
    """3 errors on 1 + 3 units, not the mean of 1 and 2/3."""
    rows = [("d", "A", 0, 5, "x"), ("e", "A", 0, 5, "x"), ("e", "A", 10, 15, "x"), ("e", "A", 20, 25, "x")]
    other = [("d", "B", 50, 55, "x"), ("e", "B", 0, 5, "x"), ("e", "B", 10, 15, "y"), ("e", "B", 21, 25, "x")]
    score = accord.ser(read([*rows, *other]), reference="A")
    assert score.value == pytest.approx((2 + 1) / 4)
    assert {name: part.value for name, part in score.parts["document"].items()} == pytest.approx({"d": 2, "e": 1 / 3})


def test_ser_has_no_upper_bound() -> None:
    rows = [("d", "A", 0, 5, "x"), *(("d", "B", 10 * k, 10 * k + 5, "y") for k in range(1, 8))]
    assert accord.ser(read(rows), reference="A").value == 8
    assert accord.ser(read(rows), reference="A", per="slots").value == 1


def test_ser_aligns_only_overlapping_units_by_default() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 10, 15, "x")]
    assert accord.ser(read(rows)).value == 2
    assert accord.ser(read(rows), overlap=False).value == 0.5
    assert accord.ser(read([("d", "A", 0, 5, "x"), ("d", "B", 5, 15, "x")])).value == 2  # they touch


@pytest.mark.parametrize("spec", ["ser", "f1", "f1(match=token)", "f1(match=overlap)"])
def test_interval_stays_within_the_range_of_the_measure(spec: str) -> None:
    """SER and F1 are never negative, so neither is the lower end of value ± t · se."""
    assert accord.measure(spec).lowest == 0
    docs = {"d": ("A", 0, 9), "e": ("B", 0, 9)}
    rows = [(doc, who, start, end, "x") for doc, (who, start, end) in docs.items()]
    rows += [("f", who, 0, 9, "x") for who in "AB"]
    names = ("doc", "annotator", "start", "end", "label")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    corpus = accord.read(table, judged={doc: ["A", "B"] for doc in "def"})
    score = accord.score(corpus, spec, interval="jackknife")
    assert score.interval is not None
    assert score.interval.low == 0


def test_blocks_are_cut_from_the_document_with_units() -> None:
    """The first document may have no units."""
    rows = [("late", who, 20 * k, 20 * k + 9 + (k % 3 == 0) * (who == "A"), "x") for k in range(60) for who in "AB"]
    names = ("doc", "annotator", "start", "end", "label")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    extents = {"early": (0, 100), "late": (0, 1200)}
    corpus = accord.read(table, extents=extents, judged={doc: ["A", "B"] for doc in extents})
    score = accord.score(corpus, "f1", interval="blocks")
    assert score.interval is not None
    assert score.value == pytest.approx(2 / 3)
    assert score.interval.low <= score.value <= score.interval.high
