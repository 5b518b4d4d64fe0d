"""Chains implement the interface of every kind of data."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import accord

from ..refusals import raises

TABLE: dict[str, list[Any]] = {
    "doc": list("ddddddeeff"),
    "annotator": list("AAABBBABAA"),
    "start": [0, 4, 8, 0, 4, 9, 0, 0, 1, 3],
    "end": [2, 6, 9, 2, 6, 10, 2, 2, 2, 4],
    "chain": list("xxyxyyxxxx"),
    "genre": ["news"] * 6 + ["talk"] * 4,
}


def chains(**options: Any) -> accord.Chains:
    found = accord.read(TABLE, **options)
    assert isinstance(found, accord.Chains)
    return found


def test_chains_describe_themselves() -> None:
    data = chains()
    assert repr(data) == "<Chains: 3 documents, 2 annotators, 10 mentions in 7 chains>"
    assert data.about()[0] == "3 documents, 2 annotators, 10 mentions, 7 chains (4 with a single mention)"
    assert data.about()[1] == "left out: 1 document seen by fewer than two annotators"
    assert data.left_out == {"one_annotator": 1, "nothing_marked": 0}
    assert data.summary()["singletons"] == 4
    assert dict(data.described())["mentions"] == "10, identified by start and end"
    assert data.usual_measures == ("chain_alpha", "link_alpha", "conll")
    with raises("unknown-name"):
        data["g"]


def test_chains_are_selected_by_document_annotator_and_group() -> None:
    data = chains(by=["genre"])
    assert data.only_named(["e"])["e"] == {"A": [[(0, 2)]], "B": [[(0, 2)]]}
    alone = data.only_annotators(["A"])
    assert (alone.n_annotators, len(alone), alone.n_chains) == (1, 6, 4)
    assert data.without_singletons()["d"] == {"A": [[(0, 2), (4, 6)]], "B": [[(4, 6), (9, 10)]]}
    assert {name: part.docs for name, part in data.by("genre").items()} == {"news": ("d",), "talk": ("e", "f")}
    assert [row[-1] for row in data.only_named(["e", "f"]).rows()[1]] == [1, 1, 1, 1]
    with raises("unknown-name"):
        data.by("round")
    with raises("unknown-name"):
        data.only_annotators(["Z"])
    with raises("measure-for-other-data"):
        data.without_category(0)
    kept = chains(only=["genre=talk"])
    assert len(kept) == 4


def test_chains_are_pickled_and_joined() -> None:
    data = chains()
    assert pickle.loads(pickle.dumps(data)).digest == data.digest  # noqa: S301
    both = data.joined(data, ("A", "B", "C"), np.array([2, 0]), np.array([1, 2]))
    assert both.docs == ("a: d", "a: e", "a: f", "b: d", "b: e", "b: f")
    assert both["a: d"]["C"] == data["d"]["A"]
    assert both["b: d"]["C"] == both["a: d"]["A"] == data["d"]["B"]
    assert accord.compare(data, chains(), "muc", paired=False, replicates=100).difference == 0


def test_mentions_become_units_without_labels() -> None:
    units = accord.as_units(chains())
    assert isinstance(units, accord.Corpus)
    assert (len(units), len(units.categories)) == (10, 0)
    assert accord.f1(units, interval="none").value == pytest.approx(2 * 3 / (4 + 4))
