"""Barteld, Schröder & Zinsmeister 2016: the examples of section 4 and 5, and the claims of section 7.

The reference text of the evaluation is not public; ours has about as many characters and tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import accord
from accord.alignment.sequences import LETTERS, Costs, align_sequences
from accord.chance.text_edits import Alphabet, Pool, Version, segmented, text_changed, version_of
from accord.context import Run
from accord.measures.text_gamma import TextGamma
from accord.model.graphemes import clusters
from accord.model.texts import Texts

from ..texts.brute import every_alignment, parsed
from ..texts.made import TOKENS, reference, texts_of

Golden = Callable[[str], Any]

TARGETS = "gamma_paper/textgamma_targets.json"
SHOWN = {"ex1", "ex2", "ex3", "gapb-rule", "observed-disorder"}
CLAIMS = ("tg-linear", "tg-order", "tg-cat-range", "tg-above0", "tg-below0", "tg-end", "tg-alignments")
NOT_FOLLOWED = {
    "tg-alphaU": "a comparison of curves in a figure, without numbers; α_U is tested against its own papers",
    "tg-gamma-over": "a comparison of curves in a figure, without numbers",
}
SETTINGS = {"Cat": (0.0, 0.0), "Cat+Seg": (0.0, 0.04), "Cat+Seg+Text": (0.25, 0.04)}  # p_t, p_s
SCENARIOS = {"categories": (0.0, 0.0), "segmentation": (0.0, 0.1), "text": (0.5, 0.1)}  # m_t, m_s for m = 1
MAGNITUDES = (0.0, 0.25, 0.5, 0.75, 1.0)
REPEATS = 3


def test_every_target_is_followed_or_listed(golden: Golden) -> None:
    targets = golden(TARGETS)
    assert {claim["id"] for claim in targets["targets"]} == {*CLAIMS, *NOT_FOLLOWED}
    assert {example["id"] for example in targets["other_examples"]} == SHOWN


def test_examples_4_to_13(golden: Golden) -> None:
    for example in golden(TARGETS)["examples"]:
        first, second = parsed(example["seq1"]), parsed(example["seq2"])
        cost, sets, paths = every_alignment(first, second, Costs())
        assert (cost, paths) == (example["optimal_cost"], example["optimal_paths"]), example["id"]
        assert sets == {frozenset(map(tuple, pairs)) for pairs in example["annotation_alignments"]}
        found = align_sequences(first, second, Costs())
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
    found = align_sequences(parsed(first), parsed(second), Costs())
    assert (found.cost, found.pairs.tolist()) == (cost, pairs), name


def test_example_1_counts_letters_not_code_points() -> None:
    """The slash stands at 38 and 37: n̄ and m̄ are one letter each."""
    first = "sambt aller vin\u0304stendicheit vthgelacht /"
    second = "sambt aller vm\u0304stendicheit vthgelacht /"
    assert [clusters(text).index("/") for text in (first, second)] == [38, 37]
    measure = TextGamma(p_t=0.5, p_s=0, samples=2, precision=0.9)
    texts = Texts.of_words({"A": first, "B": second})
    evidence = measure.observe(texts, Run())
    found = evidence.compared.alignments[0]
    assert found.cost == 3
    assert len(found.pairs) == 5
    assert measure.estimate(evidence).observed == pytest.approx(1 / 5)


def test_examples_2_and_3_have_gaps_instead_of_mismatches() -> None:
    for first, second, cost in (("vorwahr", "vourwar", 2), ("vourwar", "furwahr", 4), ("hats", "hatt", 2)):
        assert align_sequences(parsed(first), parsed(second), Costs()).cost == cost


def test_section_5_observed_disorder() -> None:
    """x̄ = 2.5; b and c are aligned, a is not: 1/2.5."""
    three, two = [(0, 2), (3, 5), (6, 8)], [(0, 2), (3, 5)]
    texts = texts_of({"A": ("so so so", three, ["a", "b", "c"]), "B": ("so so", two, ["b", "c"])})
    measure = TextGamma(samples=2, precision=0.9)
    assert measure.estimate(measure.observe(texts, Run())).observed == pytest.approx(0.4)


def shuffled(magnitude: float, scenario: str, seed: int) -> tuple[Texts, int]:
    """The reference beside a version with text, segmentation and labels shuffled; and the number of text changes."""
    text, spans, tags = reference()
    alone = texts_of({"A": (text, spans, tags), "B": (text, spans, tags)})
    base = version_of(alone, 0, ("pos",), Alphabet(), gaps=False)
    rng, pool = np.random.default_rng([seed, round(100 * magnitude)]), Pool.of([base])
    m_t, m_s = (magnitude * share for share in SCENARIOS[scenario])
    many = round(m_t * TOKENS)
    other = text_changed(base, pool, many, rng)
    start, end = segmented(other.start, other.end, round(m_s * TOKENS), rng)
    # Labels stay with the tokens that still begin where they began.
    codes = other.labels[np.searchsorted(other.start, start, side="right") - 1, 0]
    redrawn = rng.choice(len(start), size=round(magnitude * len(start)), replace=False)
    codes[redrawn] = pool.labels[rng.integers(len(pool.labels), size=len(redrawn)), 0]
    names = alone.features["pos"].categories.names
    made = "".join(chr(c - LETTERS) for c in other.letters)
    version = (made, list(zip(start.tolist(), end.tolist(), strict=True)), [names[c] for c in codes])
    return texts_of({"A": (text, spans, tags), "B": version, "pre": (text, spans, tags)}, base="pre"), many


@cache
def curve(scenario: str, setting: str) -> tuple[float, ...]:
    """tγ at each magnitude, the mean of some repetitions."""
    p_t, p_s = SETTINGS[setting]
    measure = TextGamma(p_t=p_t, p_s=p_s, samples=12, precision=0.05)  # 608 tokens: 12 samples are precise to 1%
    values = []
    for magnitude in MAGNITUDES:
        runs = [shuffled(magnitude, scenario, seed)[0] for seed in range(REPEATS if magnitude else 1)]
        values.append(float(np.mean([measure.estimate(measure.observe(t, Run(seed=5))).value for t in runs])))
    return tuple(values)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_figure_2_nearly_linear_and_decreasing(scenario: str, setting: str) -> None:
    values = np.array(curve(scenario, setting))
    assert values[0] == 1
    assert (np.diff(values) < 0).all()
    x = np.array(MAGNITUDES)
    assert np.corrcoef(x, values)[0, 1] < -0.99
    straight = 1 + (values[-1] - 1) * x
    assert np.abs(values - straight).max() < 0.1 * (1 - values[-1])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_figure_2_parametrisations_that_expect_less_change_are_lower(scenario: str) -> None:
    cat, seg, text = (np.array(curve(scenario, setting))[1:] for setting in SETTINGS)
    assert (cat < seg).all()
    assert (seg < text).all()


def test_figure_2_pure_categorization_covers_the_range_and_is_alpha() -> None:
    values = curve("categories", "Cat")
    assert values[-1] == pytest.approx(0, abs=0.05)
    texts, _ = shuffled(0.5, "categories", 0)
    measure = TextGamma(p_t=0, p_s=0, precision=0.005)
    found = measure.estimate(measure.observe(texts, Run()))
    codes, names = texts.features["pos"].codes, texts.features["pos"].categories.names
    rows = [
        (k - texts.tokens(v).start, texts.annotators[texts.version_annotator[v]], names[codes[k]])
        for v in texts.versions(0)
        for k in range(texts.tokens(v).start, texts.tokens(v).stop)
    ]
    ratings = accord.read(dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True)))
    assert found.value == pytest.approx(accord.alpha(ratings).value, abs=0.015)


def test_figure_2_above_and_below_zero() -> None:
    assert curve("categories", "Cat+Seg")[-1] > 0
    assert curve("categories", "Cat+Seg+Text")[-1] > curve("categories", "Cat+Seg")[-1]
    assert curve("segmentation", "Cat")[-1] < -0.02
    assert curve("text", "Cat+Seg")[-1] < -0.02
    assert curve("text", "Cat")[-1] < curve("text", "Cat+Seg")[-1]


@pytest.mark.parametrize(("scenario", "setting"), [("segmentation", "Cat+Seg"), ("text", "Cat+Seg+Text")])
def test_figure_2_the_matching_setting_ends_near_zero(scenario: str, setting: str) -> None:
    """Slightly below, because m_s = 0.1 is more than 2 · p_s = 0.08."""
    assert -0.12 < curve(scenario, setting)[-1] < 0.04


def test_section_4_hardly_any_choice_between_alignments_at_magnitude_1() -> None:
    """On average one alignment of units; ours is the best of all, so reading backwards gives the same disorder."""
    texts, many = shuffled(1.0, "text", 0)
    assert many == 304
    first, second = (version_of(texts, v, ("pos",), Alphabet(), gaps=False) for v in texts.versions(0))
    costs = Costs(tables=(None,))

    def turned(version: Version) -> Version:
        n = len(version.letters)
        return Version(
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
