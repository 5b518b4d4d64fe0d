"""Barteld, Schröder & Zinsmeister 2016: the examples of section 4 and 5, and the claims of section 7.

The reference text of the evaluation is not public; ours has about as many characters and tokens (studies/harbour.csv).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from accord.answers.simulate.errors import ChangedLetters, error_type
from accord.answers.simulate.judging import make_judge
from accord.answers.simulate.shuffle import Erring, reference_of
from accord.answers.simulate.xray import Curve, Trials
from accord.core.context import Run
from accord.data.model.texts import Texts, clusters
from accord.measures.alignment.sequences import EditCosts, align_sequences
from accord.measures.chance.text_edits import Alphabet, TextVersion, version_of
from accord.measures.texts.text_gamma import TextGamma
from studies.checks import Claim, Outcome
from studies.claims import IN_2016 as CLAIMS
from studies.claims import SETTINGS
from studies.experiments import IN_2016, Harbour
from studies.page import run

from ..hypothesis_profiles import PROFILE
from ..measures.texts.brute import every_alignment, parsed
from ..measures.texts.made import texts_of

Golden = Callable[[str], Any]

TARGETS = "gamma_paper/textgamma_targets.json"
SHOWN = {"ex1", "ex2", "ex3", "gapb-rule", "observed-disorder"}


def test_every_target_is_a_claim(golden: Golden) -> None:
    targets = golden(TARGETS)
    assert {claim["id"] for claim in targets["targets"]} == {claim.key for claim in CLAIMS}
    assert {example["id"] for example in targets["other_examples"]} == SHOWN


def test_examples_4_to_13(golden: Golden) -> None:
    for example in golden(TARGETS)["examples"]:
        first, second = parsed(example["seq1"]), parsed(example["seq2"])
        cost, sets, paths = every_alignment(first, second, EditCosts())
        assert (cost, paths) == (example["optimal_cost"], example["optimal_paths"]), example["id"]
        assert sets == {frozenset(map(tuple, pairs)) for pairs in example["annotation_alignments"]}
        found = align_sequences(first, second, EditCosts())
        assert found.cost == example["optimal_cost"]
        assert frozenset(map(tuple, found.pairs.tolist())) in sets
        assert len(found.pairs) == max(map(len, sets))  # d ≤ Δ: more aligned units are never worse (inequality 1)


EXAMPLES = [
    ("(4), (5)", "{hat}{s}", "{hatt}", 4, [[0, 0]]),
    ("(6), (7)", "{a}{bbc}", "{abb}{c}", 4, [[0, 0], [1, 1]]),
    ("(8), (9)", "{a}{bc}", "{ab}{c}", 2, [[0, 0], [1, 1]]),
    ("(10), (11)", "{a}{bbbc}", "{abbb}{c}", 4, []),
    ("(12)", "vins", "vms", 3, []),
    ("(13)", "{ne}{mag}", "{mag}", 4, [[1, 0]]),
]


@pytest.mark.parametrize(("name", "first", "second", "cost", "pairs"), EXAMPLES)
def test_printed_examples(name: str, first: str, second: str, cost: float, pairs: list[list[int]]) -> None:
    found = align_sequences(parsed(first), parsed(second), EditCosts())
    assert (found.cost, found.pairs.tolist()) == (cost, pairs), name


def test_example_1_counts_letters_not_code_points() -> None:
    """The slash is at 38 and 37: n̄ and m̄ are one letter each."""
    first = "sambt aller vin\u0304stendicheit vthgelacht /"
    second = "sambt aller vm\u0304stendicheit vthgelacht /"
    assert [clusters(text).index("/") for text in (first, second)] == [38, 37]
    measure = TextGamma(p_t=0.5, p_s=0, samples=2, precision=0.9)
    texts = Texts.of_words({"A": first, "B": second})
    evidence = measure.observe(texts, Run())
    found = evidence.compared.alignments
    assert found.cost.tolist() == [3]
    assert len(found.pairs) == 5
    assert measure.estimate(evidence).observed == pytest.approx(1 / 5)


def test_examples_2_and_3_have_gaps_instead_of_mismatches() -> None:
    for first, second, cost in (("vorwahr", "vourwar", 2), ("vourwar", "furwahr", 4), ("hats", "hatt", 2)):
        assert align_sequences(parsed(first), parsed(second), EditCosts()).cost == cost


def test_section_5_observed_disorder() -> None:
    """x̄ = 2.5; b and c are aligned, a is not: 1/2.5."""
    three, two = [(0, 2), (3, 5), (6, 8)], [(0, 2), (3, 5)]
    texts = texts_of({"A": ("so so so", three, ["a", "b", "c"]), "B": ("so so", two, ["b", "c"])})
    measure = TextGamma(samples=2, precision=0.9)
    assert measure.estimate(measure.observe(texts, Run())).observed == pytest.approx(0.4)


NOT_CONFIRMED = {"tg-alignments"}


@pytest.fixture(scope="module")
def curves() -> dict[tuple[str, str], Curve]:
    """The experiment of section 7, with fewer magnitudes and sets than in docs/papers.md; alignments in ten sets."""
    found: dict[tuple[str, str], Curve] = {}
    for one in IN_2016:
        scored = tuple(judge for judge in one.judges if judge.measure is not None)
        counted = tuple(judge for judge in one.judges if judge.measure is None)
        for judges, sets in ((scored, 10 if PROFILE == "thorough" else 4), (counted, 10)):
            if judges:
                [setting] = one.settings
                some = run(replace(one, judges=judges), setting, sets=sets, step=0.25, how=Run(jobs=1))
                found |= {(one.key, curve.measure): curve for curve in some}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_section_7(claim: Claim, curves: dict[tuple[str, str], Curve]) -> None:
    found = claim.check(curves)
    assert found.outcome is (Outcome.FAILS if claim.key in NOT_CONFIRMED else Outcome.HOLDS), found.numbers


def test_most_sets_have_one_alignment(curves: dict[tuple[str, str], Curve]) -> None:
    """Most sets have one alignment, as in the paper; three of ten sets have more, instead of one."""
    seen = curves["text-all", "alignments"].values
    assert (seen[0] == 1).all()
    assert int((seen[-1] > 1).sum()) == 3


def test_every_claim_fails_on_wrong_curves(curves: dict[tuple[str, str], Curve]) -> None:
    """Swap the names of measures, and reverse the curves."""
    names = {"tγ Cat": "tγ Cat+Seg+Text", "tγ Cat+Seg+Text": "tγ Cat", "γ": "tγ Cat", "α_U": "tγ Cat"}
    renamed = {(e, m): curves.get((e, names.get(m, m)), curves[e, m]) for e, m in curves}
    bent = {key: Curve(c.error, c.measure, c.magnitudes, 3 - c.values**3) for key, c in curves.items()}
    failed = {claim.key for claim in CLAIMS for wrong in (renamed, bent) if claim.check(wrong).outcome is Outcome.FAILS}
    assert failed == {claim.key for claim in CLAIMS}


def test_figure_2_strictly_decreasing(curves: dict[tuple[str, str], Curve]) -> None:
    for (experiment, measure), curve in curves.items():
        if measure in SETTINGS:
            assert curve.mean[0] == 1
            assert (np.diff(curve.mean) < 0).all(), (experiment, measure)


def test_reference_is_one_of_the_annotators() -> None:
    text = Harbour().made().strings[0]
    source = reference_of(Harbour().made(), {})
    plan = Trials(source, (ChangedLetters(),), (make_judge("text_gamma"),), (0.5,), 1, 2, 0, with_reference=True)
    made = source.shuffled(plan.erring(ChangedLetters(), 0.5), [(1,)])
    first, second = (made.strings[v] for v in made.versions(0))
    assert first == text
    assert second != text


def test_section_4_reversed_texts_have_the_same_disorder_at_magnitude_1() -> None:
    """Our alignment is the best of all, so reversed texts give the same disorder."""
    error = error_type("combination([text,token,category],shares=[0.5,0.1,1])")
    texts = reference_of(Harbour().made(), {}).shuffled([Erring(error, 0.0), Erring(error, 1.0)], [(0,)])
    first, second = (version_of(texts, v, ("pos",), Alphabet(), gaps=False) for v in texts.versions(0))
    costs = EditCosts(tables=(None,))

    def turned(version: TextVersion) -> TextVersion:
        n = len(version.letters)
        return TextVersion(
            version.letters[::-1].copy(),
            n - version.end[::-1],
            n - version.start[::-1],
            version.labels[::-1],
            version.gap,
        )

    forward = align_sequences(first.bounded(), second.bounded(), costs)
    backward = align_sequences(turned(first).bounded(), turned(second).bounded(), costs)
    assert forward.cost == backward.cost
    assert forward.disorder == pytest.approx(backward.disorder)
