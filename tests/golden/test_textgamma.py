"""Golden cases of dkpro/textgamma.json: tγ in the tests of TextGammaTool and DKPro Statistics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from accord.core.context import Run
from accord.data.model.texts import Texts
from accord.measures.alignment.sequences import LETTERS, EditCosts, align_sequences
from accord.measures.chance.text_edits import DELETION, INSERTION, SUBSTITUTION, TextVersion, segmented, with_edits
from accord.measures.texts.text_gamma import TextGamma

from ..measures.texts.brute import every_alignment, parsed

Golden = Callable[[str], Any]
Case = dict[str, Any]

# Cases where accord differs on purpose or has no answer, with the reason.
NOT_FOLLOWED = {
    "expected-disorder-coverage": "samples are added once, by n₀ of Mathet 2015, as for γ; the tool goes on",
    "shuffle-merge": "units of two types that overlap: the paper's units do not (footnote 3)",
    "cora-xml-reader": "reading files is tested with the readers",
}
DP = (
    "dp-their-there",
    "dp-a-bbccc",
    "dp-a-bccc",
    "dp-tttt-aaaa",
    "dp-aaaa-tttt",
    "dp-edits-Tes-Test",
    "dp-edits-their-there",
    "paper-ex4-5-hats-hatt",
    "paper-ex6-7",
    "paper-ex10-11",
    "paper-ex12",
)
DISORDER = (
    "merge-identical",
    "merge-alignable-different",
    "merge-segmentation-different",
    "merge-three-alignments",
    "observed-disorder-dkpro",
    "partial-overlap-2",
    "partial-overlap-3",
    "hats-hatt",
)
COEFFICIENTS = ("textgamma-full-text", "textgamma-missing-label", "textgamma-some-label")
EDITS = tuple(f"shuffle-{kind}" for kind in (
    "ins-0-0", "ins-0-4", "del-0-0", "del-1-3", "del-0-3", "del-1-0", "sub-0-0", "sub-1-3", "sub-0-3",
))  # fmt: skip
SEVERAL = ("shuffle-changeText-ins", "shuffle-changeText-del", "shuffle-changeText-sub")
ALONE = ("textgamma-degenerate", "d-nominal-feature-text", "shuffle-merge-gap", "shuffle-split-text")
KINDS = {"ins": INSERTION, "del": DELETION, "sub": SUBSTITUTION}


@pytest.fixture
def cases(golden: Golden) -> dict[str, Case]:
    return {case["id"]: case for case in golden("dkpro/textgamma.json")["cases"]}


def test_every_case_is_followed_or_listed(cases: dict[str, Case]) -> None:
    assert set(cases) == {*NOT_FOLLOWED, *DP, *DISORDER, *COEFFICIENTS, *EDITS, *SEVERAL, *ALONE}


@pytest.mark.parametrize("name", DP)
def test_costs_of_alignments_equal_the_golden_values(name: str, cases: dict[str, Case]) -> None:
    """The tool lists several best alignments. accord's has their cost and as many aligned units as any of them."""
    case = cases[name]
    first, second = parsed(case["data"]["A"]), parsed(case["data"]["B"])
    found = align_sequences(first, second, EditCosts())
    assert found.cost == case["recomputed"]["cost"]
    _, sets, _ = every_alignment(first, second, EditCosts())
    assert frozenset(map(tuple, found.pairs.tolist())) in {s for s in sets if len(s) == max(map(len, sets))}
    if "insertions" in case["expected"]:
        assert int((found.moves == 1).sum()) == case["expected"]["insertions"]
        assert int((found.moves == 0).sum()) == case["expected"]["deletions"]


def texts_of(units: dict[str, list[Case]], texts: dict[str, str], by_text: bool) -> Texts:
    """Return texts with the text of a unit in the tool, or its label, as a feature."""
    rows = [
        (who, u["start"], u["end"], u["text"] if by_text else u.get("features", {}).get("label"))
        for who, mine in units.items()
        for u in mine
    ]
    columns = dict(zip(("annotator", "start", "end", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return Texts.of(columns, texts)


@pytest.mark.parametrize("name", DISORDER)
def test_observed_disorder_equals_the_golden_values(name: str, cases: dict[str, Case]) -> None:
    data = cases[name]["data"]
    texts = texts_of({"A": data["units1"], "B": data["units2"]}, {"A": data["text1"], "B": data["text2"]}, True)
    measure = TextGamma(p_t=0.5, p_s=0, samples=2, precision=0.9)
    found = measure.estimate(measure.observe(texts, Run()))
    assert found.observed == pytest.approx(cases[name]["recomputed"]["min_disorder"])


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_coefficients_equal_the_golden_values(name: str, cases: dict[str, Case]) -> None:
    data, expected = cases[name]["data"], cases[name]["recomputed"]
    units: dict[str, list[Case]] = {"A": [], "B": []}
    for unit in data["units"]:
        units[unit["rater"]].append(unit)
    texts = texts_of(units, dict.fromkeys(units, data["text"]), name == "textgamma-full-text")
    measure = TextGamma(precision=0.01)
    found = measure.estimate(measure.observe(texts, Run()))
    assert found.observed == pytest.approx(expected["observed_disorder"])
    if "expected_disorder_exact" in expected:
        assert found.expected == pytest.approx(expected["expected_disorder_exact"], rel=0.02)
    assert found.value == pytest.approx(expected["coefficient"], abs=0.015)


def test_zero_expected_disorder_is_undefined(cases: dict[str, Case]) -> None:
    assert "expected disorder 0" in cases["textgamma-degenerate"]["expected"]["error"]
    measure = TextGamma()
    found = measure.estimate(measure.observe(Texts.of_words({"A": "so so so", "B": "so so so"}), Run()))
    assert math.isnan(found.value)
    assert found.undefined


def test_dissimilarity_of_two_units_equals_the_golden_values(cases: dict[str, Case]) -> None:
    """The tool adds 1 for different spans. tγ ignores positions, so only equal spans are compared."""
    values = dict(cases["d-nominal-feature-text"]["expected"]["values"])

    def d(first: tuple[str, str | None], second: tuple[str, str | None], features: tuple[str, ...]) -> float:
        columns = {"annotator": ["A", "B"], "start": [0, 0], "end": [2, 2], "pos": [first[1], second[1]]}
        measure = TextGamma(features=features, p_t=0.5, p_s=0.0, samples=2, precision=0.9)
        texts = Texts.of(columns, {"A": first[0], "B": second[0]})
        return float(measure.observe(texts, Run()).compared.kinds.sum())

    assert d(("ab", None), ("ab", None), ()) == values["same text, same span"]
    assert d(("ab", None), ("ac", None), ()) == values["different text, same span"]
    assert d(("ab", "A"), ("ab", None), ("pos",)) == values["one side has pos=A, same text+span"]
    assert d(("ab", "A"), ("ac", None), ("pos",)) == values["different text, pos only one side, same span"]


def kaufmann() -> TextVersion:
    letters = np.array([LETTERS + ord(c) for c in "kaufmann"], np.int32)
    return TextVersion(letters, np.array([0, 4]), np.array([4, 8]), np.zeros((2, 0), np.int64), np.zeros(2, dtype=bool))


@pytest.mark.parametrize("name", [*EDITS, *SEVERAL])
def test_edits_give_the_golden_texts(name: str, cases: dict[str, Case]) -> None:
    case = cases[name]
    kind = next(code for word, code in KINDS.items() if word in name.rpartition("changeText")[2])
    unit, at = np.array(case["data"]["random"][::2]), np.array(case["data"]["random"][1::2])
    drawn = np.full(len(unit), LETTERS + ord("F"), np.int32)
    found = with_edits(kaufmann(), unit, np.full(len(unit), kind), at, drawn)
    assert "".join(chr(c - LETTERS) for c in found.letters) == case["expected"]["text"]
    assert [list(span) for span in zip(found.start, found.end, strict=True)] == case["expected"]["spans"]


def test_splits_and_merges_give_the_golden_spans(cases: dict[str, Case]) -> None:
    """Tokens separated by a space merge, as in the paper. The default of the tool keeps them separate."""

    def outcomes(start: list[int], end: list[int]) -> set[tuple[tuple[int, int], ...]]:
        return {
            tuple(zip(*(x.tolist() for x in segmented(np.array(start), np.array(end), 1, rng)), strict=True))
            for rng in map(np.random.default_rng, range(200))
        }

    splits = outcomes([0], [8])
    assert splits == {((0, 8),), *(((0, cut), (cut, 8)) for cut in range(1, 8))}  # a single token cannot be merged
    for spans in ("random [0,3]", "random [0,6]"):
        assert tuple((u[0], u[1]) for u in cases["shuffle-split-text"]["expected"][spans]) in splits
    merged = tuple((u[1], u[2]) for u in cases["shuffle-merge-gap"]["expected"]["gap1"])
    assert outcomes([0, 2], [1, 3]) == {((0, 1), (2, 3)), merged}
