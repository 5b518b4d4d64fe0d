"""Measures on chains equal naive versions on sets, and α on items."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from accord.measures.catalogue import ON_CHAINS

from ...cases import for_each
from ...refusals import raises
from . import naive
from .made import chains, of_two, random_partition
from .naive import Partition

PAIRED = ("muc", "b_cubed", "ceaf_e", "conll", "blanc", "links_f1")
EVERY = tuple(cls.name for cls in ON_CHAINS)


def value(data: Any, spec: str) -> float:
    return accord.score(data, spec, interval="none").value


@pytest.mark.parametrize("name", PAIRED)
def test_two_annotators_of_a_document_equal_naive(name: str) -> None:
    rng = np.random.default_rng(1)
    by_sets: Callable[[Partition, Partition], float] = getattr(naive, name)
    for _ in range(60):
        one, other = (random_partition(rng, int(rng.integers(1, 10))) for _ in range(2))
        data = of_two(one, other)
        assert value(data, name) == pytest.approx(by_sets(one, other), abs=1e-12), (one, other)
        assert value(of_two(other, one), name) == pytest.approx(value(data, name), abs=1e-12)


@pytest.mark.parametrize("name", PAIRED)
def test_without_singletons_equals_naive_on_longer_chains(name: str) -> None:
    rng = np.random.default_rng(2)
    by_sets: Callable[[Partition, Partition], float] = getattr(naive, name)
    tried = 0
    for _ in range(40):
        one, other = (random_partition(rng, 9) for _ in range(2))
        bare = [[chain for chain in side if len(chain) > 1] for side in (one, other)]
        if all(bare):
            tried += 1
            assert value(of_two(one, other), f"{name}(singletons=false)") == pytest.approx(by_sets(*bare))
    assert tried > 20


def test_score_is_mean_over_pairs_and_sums_over_documents() -> None:
    """MUC: 2 common of 3 + 3 links in one document, 0 of 1 + 1 in another."""
    docs = {
        "d": {"A": [{1, 2, 3, 4}], "B": [{1, 2, 3}, {4, 5}], "C": [{1, 2, 3, 4}]},
        "e": {"A": [{1, 2}], "B": [{1, 3}], "C": [{1, 2}]},
    }
    score = accord.muc(chains(docs), interval="none")
    pair = 2 * 2 / (3 + 3 + 1 + 1)
    assert {name: part.value for name, part in score.parts["pair"].items()} == {
        "A – B": pair,
        "A – C": 1,
        "B – C": pair,
    }
    assert score.value == pytest.approx((1 + 2 * pair) / 3)
    assert score.parts["annotator"]["B"].value == pair
    assert score.parts["document"]["e"].value == pytest.approx(1 / 3)
    assert value(chains(docs), "muc(reference=B)") == pair
    with raises("unknown-name"):
        value(chains(docs), "muc(reference=Z)")


def test_empty_annotations_agree_with_each_other_only() -> None:
    docs = {"d": {"A": [{1, 2}], "B": [{1, 2}]}}
    columns = {"doc": ["d"] * 2, "annotator": ["A"] * 2, "start": [1, 4], "end": [2, 5], "chain": ["x"] * 2}
    looked = accord.read(columns, judged={"d": ["A", "B", "C"]})
    for name in PAIRED:
        parts = accord.score(looked, name, interval="none").parts["pair"]
        assert [part.value for part in parts.values()] == [0, 0, 1], name
        assert value(chains(docs), name) == 1


# -- corrected for chance --------------------------------------------------------------------------------------


def random_document(rng: np.random.Generator) -> dict[str, Partition]:
    return {who: random_partition(rng) for who in "ABCD"[: int(rng.integers(2, 5))]}


def as_items(document: dict[str, Partition], unmarked: str) -> dict[str, list[Any]]:
    """Mentions with sets as labels."""
    mentions = sorted({m for partition in document.values() for chain in partition for m in chain})
    # A label that is not a mention has nothing in common with any chain.
    instead: dict[str, Any] = {"differs": lambda _: [{-1}], "singleton": lambda m: [{m}], "absent": lambda _: []}
    rows = []
    for who, partition in document.items():
        for m in mentions:
            mine = [chain for chain in partition if m in chain] or instead[unmarked](m)
            rows += [(m, who, "|".join(map(str, sorted(chain)))) for chain in mine]
    return dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))


@for_each("unmarked", ["differs", "singleton", "absent"])
@pytest.mark.parametrize("distance", ["passonneau", "jaccard", "dice", "masi", "masi_nltk"])
def test_chain_alpha_of_one_document_is_alpha_on_sets(distance: str, unmarked: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(12):
        document = random_document(rng)
        wanted = accord.alpha(as_items(document, unmarked), distance=distance, sets="|", interval="none")
        found = accord.chain_alpha(chains({"d": document}), distance=distance, unmarked=unmarked, interval="none")
        assert found.value == pytest.approx(wanted.value, abs=1e-12, nan_ok=True)
        if not np.isnan(found.value):
            assert found.observed == pytest.approx(wanted.observed, abs=1e-12)
            assert found.expected == pytest.approx(wanted.expected, abs=1e-12)


def test_chains_with_nothing_in_common_do_not_agree() -> None:
    """As a singleton, a mention that one annotator did not mark is close to the other's chain: the value is high."""
    data = of_two([{1, 2, 3}, {4, 5, 6}], [{11, 12, 13}, {14, 15, 16}])
    assert value(data, "chain_alpha") < 0
    assert value(data, "chain_alpha(unmarked=singleton)") > 0.5
    assert accord.chain_alpha(data, unmarked="absent").undefined


def test_link_alpha_is_alpha_on_pairs_of_mentions() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        docs = {name: random_document(rng) for name in "de"}
        rows = []
        for name, document in docs.items():
            mentions = sorted({m for partition in document.values() for chain in partition for m in chain})
            for pair in combinations(mentions, 2):
                rows += [(f"{name} {pair}", who, any({*pair} <= chain for chain in partition) * 1)
                         for who, partition in document.items()]  # fmt: skip
        columns = dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))
        wanted = accord.alpha(columns, interval="none")
        assert value(chains(docs), "link_alpha") == pytest.approx(wanted.value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", EVERY)
def test_a_small_error_costs_less_than_a_large_one(name: str) -> None:
    truth = [{1, 2, 3, 4}, {5, 6, 7}, {8, 9}]
    small = value(of_two(truth, [{1, 2, 3, 4}, {5, 6}, {7, 8, 9}]), name)
    large = value(of_two(truth, [{1, 5, 8}, {2, 6, 9}, {3, 7}, {4}]), name)
    assert 1 > small > large


def test_inference_works_on_chains() -> None:
    rng = np.random.default_rng(6)
    data = chains({f"d{k}": {who: random_partition(rng) for who in "ABC"} for k in range(8)})
    for spec in ("chain_alpha", "conll"):
        score = accord.score(data, spec, interval="jackknife")
        assert score.interval is not None
        assert accord.compare(data, data, spec, replicates=100).difference == 0
        found = accord.influence(data, spec, of=["annotator", "document"], replicates=100)
        assert (len(found.units), len(found.annotators)) == (8, 3)
        without = value(data.only_annotators(["A", "B"]), spec)
        assert next(one for one in found.annotators if one.name == "C").without == pytest.approx(without)
    with raises("unknown-name"):
        accord.measure("chain_alpha(distance=jacard)")
    with raises("unknown-name"):
        accord.measure("chain_alpha(unmarked=gone)")
    with raises("measure-option"):
        accord.muc(data, singletons="no")  # type: ignore[arg-type]
