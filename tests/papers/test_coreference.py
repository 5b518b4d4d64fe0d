"""Worked examples of papers on coreference measures, as F1 between two annotators."""

from __future__ import annotations

from collections.abc import Collection

import pytest

import accord


def of_two(key: Collection[str], response: Collection[str]) -> accord.Chains:
    """Chains as words; letters are mentions."""
    rows = [(who, letter, k) for who, side in (("A", key), ("B", response)) for k, c in enumerate(side) for letter in c]
    found = accord.read(dict(zip(("annotator", "mention", "chain"), map(list, zip(*rows, strict=True)), strict=True)))
    assert isinstance(found, accord.Chains)
    return found


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def value(key: Collection[str], response: Collection[str], spec: str) -> float:
    return accord.score(of_two(key, response), spec, interval="none").value


def test_vilain_1995_muc_of_a_chain_in_two_parts() -> None:
    assert value(["ABCD"], ["AB", "CD"], "muc") == pytest.approx(f1(2 / 3, 1))


TRUTH = ["12345", "67", "89ABC"]
FIRST, SECOND = ["12345", "6789ABC"], ["1234589ABC", "67"]


@pytest.mark.parametrize(("response", "precision"), [(FIRST, 16 / 21), (SECOND, 7 / 12)])
def test_bagga_baldwin_1998_two_responses(response: list[str], precision: float) -> None:
    """Precision 76% and 58%, MUC 90% for both; recall 100%."""
    assert value(TRUTH, response, "b_cubed") == pytest.approx(f1(1, precision))
    assert value(TRUTH, response, "muc") == pytest.approx(f1(1, 0.9))


@pytest.mark.parametrize(("response", "wanted"), [(FIRST, 0.733), (SECOND, 0.667)])
def test_luo_2005_entity_ceaf_of_the_two_responses(response: list[str], wanted: float) -> None:
    assert value(TRUTH, response, "ceaf_e") == pytest.approx(wanted, abs=5e-4)


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("muc", f1(2 / 5, 2 / 5)),
        ("b_cubed", f1((4 / 3 + 1 / 3 + 1 / 4 + 4 / 4) / 7, (4 / 2 + 1 / 2 + 1 / 2 + 4 / 4) / 8)),
        ("ceaf_e", f1(1.3 / 2, 1.3 / 3)),
        ("blanc", (f1(2 / 9, 2 / 8) + f1(8 / 12, 8 / 20)) / 2),
        ("links_f1", f1(2 / 9, 2 / 8)),
    ],
)
def test_pradhan_2014_mentions_of_one_annotator_only(spec: str, wanted: float) -> None:
    assert value(["abc", "defg"], ["ab", "cd", "fghi"], spec) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        (["a", "bc", "def"], 1.0),
        (["a", "de"], 0.72),
        (["a", "bcx", "defy", "z"], 0.75918),
        (["a", "bcx", "dy", "z"], 0.62857),
        (["a", "bcxB", "dy", "z"], 0.59048),
        (["a", "bcx", "dy", "Bz"], 0.62857),
    ],
)
def test_conll_reference_scorer_test_cases_1_to_6(response: list[str], wanted: float) -> None:
    """Entity CEAF, as its TestCases.README expects it."""
    assert value(["a", "bc", "def"], response, "ceaf_e") == pytest.approx(wanted, abs=5e-6)
