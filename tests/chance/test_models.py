"""Random annotations keep the properties of Mathet et al. 2015, 4.8.1; γ of independent annotators is about 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import accord
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.measures.alignment.best import aligner
from accord.measures.catalogue import measure
from accord.measures.chance.drawing import (
    Annotations,
    annotations_of,
    combinations_of,
    continuum_facts,
    draw_mixed,
    draw_shifted,
    draw_statistical,
    lay_over,
    least_apart,
    number_of_combinations,
    shifts,
)
from accord.measures.chance.expected import expected_disorder
from accord.measures.chance.sampling import Sampling, solved_together
from accord.measures.units.gamma import Gamma

from ..refusals import raises

NAMES = ("doc", "annotator", "start", "end", "label")
LENGTHS = {"x": 4.0, "y": 8.0, "z": 16.0}
SHARES = {"x": 0.5, "y": 0.3, "z": 0.2}


def corpus_of(rows: Sequence[tuple[Any, ...]], **options: Any) -> accord.Corpus:
    corpus = accord.read({name: [row[k] for row in rows] for k, name in enumerate(NAMES)}, **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def everything(corpus: accord.Corpus) -> Annotations:
    return annotations_of(corpus, np.arange(len(corpus.docs)))


def scattered(
    seed: int, docs: int = 4, annotators: int = 2, mean: float = 10, extent: float = 400, whole: bool = False
) -> accord.Corpus:
    """Independent annotators: Poisson numbers of units at random positions, with lengths by category."""
    rng = np.random.default_rng([seed, docs, annotators])
    rows = []
    for doc in range(docs):
        for who in range(annotators):
            for label in rng.choice(list(SHARES), rng.poisson(mean), p=list(SHARES.values())).tolist():
                length = LENGTHS[label] * rng.uniform(0.75, 1.25)
                start = rng.uniform(0, extent - 2 * LENGTHS[label])
                if whole:
                    start, length = float(int(start)), float(round(length))
                rows.append((f"d{doc}", f"A{who}", start, start + length, label))
    names = [f"d{doc}" for doc in range(docs)]
    looked = {name: [f"A{who}" for who in range(annotators)] for name in names}
    return corpus_of(rows, extents=dict.fromkeys(names, (0, extent)), judged=looked)


def by_seat(source: Annotations, units: Any) -> dict[int, list[tuple[int, float]]]:
    """The label and length of every unit of each seat."""
    seat = source.first_seat[units.continuum] + units.annotator
    length = np.round(units.end - units.start, 6)
    return {
        s: sorted(zip(units.label[seat == s].tolist(), length[seat == s].tolist(), strict=True))
        for s in range(len(source.seat_continuum))
    }


# -- shift -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [False, True])
def test_every_shifted_sample_keeps_numbers_categories_and_lengths_exactly(whole: bool) -> None:
    source = everything(scattered(1, annotators=3, whole=whole))
    original = by_seat(source, source.units())
    for k in range(50):
        assert by_seat(source, draw_shifted(source, np.random.default_rng(k))) == original


@pytest.mark.parametrize("whole", [False, True])
def test_every_shifted_sample_keeps_gaps_and_overlaps_except_at_the_split(whole: bool) -> None:
    """All units of an annotator move by one distance; those beyond the end continue at the begin."""
    corpus = scattered(2, annotators=3, mean=20, whole=whole)
    source = everything(corpus)
    where = source.seat_continuum[source.seat]
    for k in range(50):
        rng = np.random.default_rng(k)
        units = draw_shifted(source, rng)
        assert (units.start >= 0).all()
        assert (units.start < source.extent[where]).all()
        moved = units.start - (source.start - source.begin[where])
        turned = np.round((moved % source.extent[where]) - moved, 6) > 0  # moved past the end
        for seat in np.unique(source.seat):
            mine = source.seat == seat
            for side in (mine & turned, mine & ~turned):
                assert moved[side] == pytest.approx(moved[side][:1].repeat(side.sum()), abs=1e-9)
            before, after = _overlaps(source, mine), _overlaps(units, mine)
            same_side = turned[mine][:, None] == turned[mine][None, :]
            assert (before == after)[same_side].all()


def _overlaps(units: Any, mine: NDArray[np.bool_]) -> Floats:
    """The share of each unit that each other unit covers."""
    start, end = units.start[mine], units.end[mine]
    both = np.minimum(end[:, None], end) - np.maximum(start[:, None], start)
    return np.round(np.maximum(both, 0) / (end - start)[:, None], 6)


def test_shift_does_not_cut_units_at_the_end() -> None:
    """A unit may reach beyond the end; it is not split."""
    source = everything(corpus_of([("d", "A", 0, 60, "x"), ("d", "B", 70, 90, "x")], extents=(0, 100)))
    beyond = 0
    for k in range(200):
        units = draw_shifted(source, np.random.default_rng(k))
        assert (units.end - units.start).tolist() == [60, 20]
        beyond += int((units.end > 100).any())
    # 60 of 100 shifts move the first unit beyond the end, 20 of 100 the second; nearly independent.
    assert 0.5 < beyond / 200 < 0.85


def around(moved: Floats, extent: float) -> Floats:
    """The distances of neighbours on the circle."""
    placed = np.sort(moved % extent)
    return np.diff(placed, append=placed[0] + extent)


@pytest.mark.parametrize("annotators", [2, 3, 6])
@pytest.mark.parametrize("whole", [False, True])
def test_shifts_are_a_mean_unit_apart_around_the_circle(annotators: int, whole: bool) -> None:
    source = everything(scattered(3, docs=3, annotators=annotators, whole=whole))
    apart, short = least_apart(source)
    assert not len(short)
    assert (apart >= source.mean_length).all()
    assert (apart < source.mean_length + 1).all()
    for k in range(100):
        moved = shifts(source, np.random.default_rng(k))
        for c in range(3):
            distances = around(moved[source.seat_continuum == c], source.extent[c])
            assert distances.min() >= source.mean_length[c] - 1e-9
    if not whole:
        assert apart == pytest.approx(source.mean_length)


def seats(annotators: int, extent: float = 100.0, length: float = 10.0) -> Annotations:
    """One decimal continuum: every annotator has a unit of the same length."""
    rows = [("d", f"A{who}", who + 0.5, who + 0.5 + length, "x") for who in range(annotators)]
    return everything(corpus_of(rows, extents=(0, extent)))


def test_every_shift_is_uniform_on_the_circle() -> None:
    source = seats(3)
    moved = np.array([shifts(source, np.random.default_rng(k)) for k in range(3000)]) % 100
    for seat in range(3):
        assert stats.kstest(moved[:, seat] / 100, "uniform").pvalue > 1e-3


def test_shifts_are_uniform_among_all_that_keep_the_distance() -> None:
    """The rest of the circle is divided at random: uniformly between two seats, by Beta(1, 2) among three."""
    pair, three = seats(2), seats(3)
    draws = 3000
    turns = np.array([np.subtract(*shifts(pair, np.random.default_rng(k))) % 100 for k in range(draws)])
    assert (turns.min(), turns.max()) == pytest.approx((10, 90), abs=0.5)
    assert stats.kstest((turns - 10) / 80, "uniform").pvalue > 1e-3
    moved = np.array([shifts(three, np.random.default_rng(k)) for k in range(draws)]) % 100
    clockwise = np.min((moved[:, 1:] - moved[:, :1]) % 100, axis=1)  # from the first seat to the next one
    assert stats.kstest((clockwise - 10) / 70, stats.beta(1, 2).cdf).pvalue > 1e-3


def test_seats_have_random_order_on_the_circle() -> None:
    source = seats(4)
    draws = 2400
    moved = np.array([shifts(source, np.random.default_rng(k)) for k in range(draws)]) % 100
    turned = np.argsort((moved - moved[:, :1]) % 100, axis=1)
    counts = Counter(map(tuple, turned.tolist()))
    assert set(counts) == {(0, *rest) for rest in permutations((1, 2, 3))}
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3


def test_integer_positions_stay_integers_and_decimal_ones_stay_decimal() -> None:
    whole = everything(scattered(4, whole=True))
    decimal = everything(scattered(4))
    for k in range(20):
        rng = np.random.default_rng(k)
        assert (draw_shifted(whole, rng).start % 1 == 0).all()
        assert (draw_shifted(decimal, rng).start % 1 != 0).any()
    every = np.array([shifts(whole, np.random.default_rng(k))[0] % 400 for k in range(3000)])
    assert stats.kstest((every + np.random.default_rng(0).random(3000)) / 400, "uniform").pvalue > 1e-3


def test_continuum_too_short_for_shifts_is_reported() -> None:
    """The least distance is then half of an even spacing."""
    rows = [("d", who, start, start + 40.5, "x") for who, start in (("A", 0), ("B", 20), ("C", 40))]
    corpus = corpus_of(rows, extents=(0, 100))
    source = everything(corpus)
    apart, short = least_apart(source)
    assert (apart.tolist(), short.tolist()) == ([pytest.approx(100 / 6)], [0])
    for k in range(100):
        assert around(shifts(source, np.random.default_rng(k)), 100).min() >= 100 / 6 - 1e-9
    score = accord.score(corpus, "gamma(chance=shift,samples=5,precision=0.5)")
    assert any("1 document too short" in note for note in score.details["notes"])
    enough = corpus_of(rows, extents=(0, 130))
    assert accord.score(enough, "gamma(chance=shift,samples=5,precision=0.5)").details["notes"] == []


def test_annotators_without_units_are_part_of_samples() -> None:
    corpus = corpus_of([("d", "A", 0, 10, "x"), ("d", "B", 30, 40, "x")], extents=(0, 100), judged=["A", "B", "C"])
    source = everything(corpus)
    assert len(shifts(source, np.random.default_rng(0))) == 3
    assert draw_shifted(source, np.random.default_rng(0)).annotators.tolist() == [3]


# -- mix -------------------------------------------------------------------------------------------------------


def test_mixture_has_one_annotator_of_each_of_n_documents() -> None:
    rows = [
        (f"d{d}", f"A{a}", 10 * k, 10 * k + 5, f"{d} {a}") for d in range(6) for a in range(2) for k in range(d + 1)
    ]
    corpus = corpus_of(rows, extents={f"d{d}": (0, 60) for d in range(6)})
    units = draw_mixed(everything(corpus), 3, [np.random.default_rng(k) for k in range(300)])
    assert units.annotators.tolist() == [3] * 300
    met = Counter()
    for sample in range(300):
        chosen = []
        for seat in range(3):
            mine = (units.continuum == sample) & (units.annotator == seat)
            label = {corpus.categories.names[k] for k in units.label[mine]}
            assert len(label) == 1  # one annotator of one document …
            (name,) = label
            doc, who = name.split()
            assert [(u.start, u.end) for u in corpus[f"d{doc}"][f"A{who}"]] == sorted(
                zip(units.start[mine].tolist(), units.end[mine].tolist(), strict=True)
            )  # … whole
            chosen.append(doc)
            met[name] += 1
        assert len(set(chosen)) == 3
    assert stats.chisquare([met[f"{d} {a}"] for d in range(6) for a in range(2)]).pvalue > 1e-3


def test_shorter_documents_are_repeated_up_to_the_longest() -> None:
    """Copies follow each other like a mosaic; units that would start beyond the longest document are left out."""
    rows = [
        ("long", "A", 0, 5, "x"),
        ("long", "B", 30, 34, "x"),
        ("short", "A", 102, 104, "y"),
        ("short", "A", 107, 112, "y"),
        ("short", "B", 101, 102, "y"),
    ]
    corpus = corpus_of(rows, extents={"long": (0, 35), "short": (100, 112)})
    seen = Counter()
    for k in range(60):
        units = draw_mixed(everything(corpus), 2, [np.random.default_rng(k)])
        placed = {
            corpus.categories.names[label]: sorted(
                zip(units.start[units.label == label].tolist(), units.end[units.label == label].tolist(), strict=True)
            )
            for label in (0, 1)
        }
        assert placed["x"] in ([(0, 5)], [(30, 34)])
        of_a = [(2, 4), (7, 12), (14, 16), (19, 24), (26, 28), (31, 36)]
        assert placed["y"] in (of_a, [(1, 2), (13, 14), (25, 26)])
        seen[len(placed["y"])] += 1
    assert set(seen) == {3, 6}


def uneven(short: float, long: float) -> accord.Corpus:
    return corpus_of([(doc, who, 0, end, "x") for doc, end in (("d", short), ("e", long)) for who in ("A", "B")])


def test_mosaic_of_too_many_pieces_is_refused() -> None:
    with raises("measure-option"):
        accord.gamma(uneven(1, 1e9))


def test_mosaic_of_more_pieces_than_integers_is_refused() -> None:
    with raises("measure-option"):
        accord.gamma(uneven(1e-10, 1e12))


def test_mixtures_keep_distributions_on_average() -> None:
    """Units per annotator, categories, lengths by category, gaps: the means of many samples against the corpus."""
    corpus = scattered(6, docs=12, annotators=3)
    source = everything(corpus)
    samples = 3000
    units = draw_mixed(source, 3, [np.random.default_rng(k) for k in range(samples)])
    per_seat = np.bincount(units.continuum * 3 + units.annotator, minlength=3 * samples)
    real = source.units_per_seat
    assert per_seat.mean() == pytest.approx(real.mean(), abs=4 * real.std() / np.sqrt(3 * samples))
    assert stats.chisquare(
        np.bincount(per_seat, minlength=int(real.max()) + 1)[np.unique(real)],
        np.unique(real, return_counts=True)[1] / len(real) * 3 * samples,
    ).pvalue > 1e-4  # fmt: skip
    for code, name in enumerate(corpus.categories.names):
        mine, theirs = units.label == code, source.label == code
        assert mine.mean() == pytest.approx(theirs.mean(), abs=0.015), name
        length, original = (units.end - units.start)[mine], (source.end - source.start)[theirs]
        assert length.mean() == pytest.approx(original.mean(), rel=0.01), name
        assert length.std() == pytest.approx(original.std(), rel=0.03), name
        assert set(np.round(length, 6)) == set(np.round(original, 6)), name
    gaps, original = _gaps(units, units.continuum * 3 + units.annotator), _gaps(source, source.seat)
    assert gaps.mean() == pytest.approx(original.mean(), rel=0.03)
    assert gaps.std() == pytest.approx(original.std(), rel=0.03)


def _gaps(units: Any, seat: NDArray[np.int64]) -> Floats:
    """From each unit to the next of the same annotator; below 0 where they overlap."""
    order = np.lexsort((units.end, units.start, seat))
    start, end, who = units.start[order], units.end[order], seat[order]
    return (start[1:] - end[:-1])[np.diff(who) == 0]


def test_model_is_mix_with_enough_documents() -> None:
    """4.8.2: m ≥ n continua; documents without units count if an annotator saw them."""
    quick = "gamma(samples=3,precision=0.9)"
    assert accord.score(scattered(7, docs=3, annotators=3), quick).details["chance"] == "mix"
    assert accord.score(scattered(7, docs=2, annotators=3), quick).details["chance"] == "shift"
    assert accord.score(scattered(7, docs=1, annotators=2), quick).details["chance"] == "shift"
    rows = [("d1", "A", 0, 5, "x"), ("d1", "B", 9, 15, "y")]
    with_empty_document = corpus_of(rows, judged={"d1": ["A", "B"], "d2": ["A", "B"]})
    assert accord.score(with_empty_document, quick).details["chance"] == "mix"
    with raises("measure-option"):
        accord.score(corpus_of(rows), "gamma(chance=mix)")


def test_chance_depends_on_the_number_of_annotators() -> None:
    two, three = scattered(8, docs=4), scattered(9, docs=3, annotators=3)
    rows = [
        (f"{part}{corpus.docs[d]}", corpus.annotators[a], s, e, corpus.categories.names[k])
        for part, corpus in (("two ", two), ("three ", three))
        for d, a, s, e, k in zip(corpus.doc, corpus.annotator, corpus.start, corpus.end, corpus.label, strict=True)
    ]
    corpus = corpus_of(rows)
    score = accord.score(corpus, "gamma(chance=mix,samples=10,precision=0.5)")
    expected = {name: part.expected for name, part in score.parts["document"].items()}
    assert len({value for name, value in expected.items() if name.startswith("two")}) == 1
    assert len({value for name, value in expected.items() if name.startswith("three")}) == 1
    assert len(set(expected.values())) == 2
    assert score.details["samples"] == 11  # ten, divided and rounded up


def unequal() -> accord.Corpus:
    """Documents of one, two and three annotators, so that combinations are not equally likely."""
    whole = scattered(21, docs=3, annotators=3, mean=6)
    kept = np.array([int(a) <= int(d) for d, a in zip(whole.doc, whole.annotator, strict=True)])
    names = whole.categories.names
    return corpus_of(
        [
            (whole.docs[d], whole.annotators[a], s, e, names[k])
            for d, a, s, e, k in zip(
                *(x[kept] for x in (whole.doc, whole.annotator, whole.start, whole.end, whole.label)), strict=True
            )
        ]
    )


def ordered_picks(source: Annotations, n: int) -> list[tuple[list[int], float]]:
    """Naive: documents one after the other without replacement, then an annotator of each; with the probability."""
    docs = np.flatnonzero(source.annotators).tolist()
    orders = list(permutations(docs, n))
    return [
        (list(seats), float(np.prod([1 / source.annotators[d] for d in order])) / len(orders))
        for order in orders
        for seats in product(*(range(source.first_seat[d], source.first_seat[d] + source.annotators[d]) for d in order))
    ]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_combinations_have_the_probabilities_of_mixing(n: int) -> None:
    source = everything(unequal())
    naive: dict[tuple[int, ...], float] = {}
    for seats, chance in ordered_picks(source, n):
        naive[tuple(sorted(seats))] = naive.get(tuple(sorted(seats)), 0.0) + chance
    picked, shares = combinations_of(source, n)
    found = {tuple(sorted(row)): share for row, share in zip(picked.tolist(), shares.tolist(), strict=True)}
    assert len(found) == len(picked) == number_of_combinations(source.annotators, n, 1000)
    assert found == pytest.approx(naive)
    assert number_of_combinations(source.annotators, n, len(picked) - 1) is None


def test_few_combinations_are_listed_instead_of_sampled() -> None:
    corpus = unequal()
    score = accord.score(corpus, "gamma(chance=mix)", interval="none")
    align, source = aligner(Gamma().between_units(corpus), soft=False), everything(corpus)
    for name, n in (("d1", 2), ("d2", 3)):
        picks = ordered_picks(source, n)
        units = lay_over(source, np.array([seats for seats, _ in picks]))
        chance = np.array([c for _, c in picks])
        assert score.parts["document"][name].expected == pytest.approx(
            chance @ align(units).totals / (chance @ units.per_annotator), abs=1e-12
        )
    assert (score.details["samples"], score.details["combinations"]) == (0, 11 + 6)
    sampled = accord.score(scattered(5, docs=9), "gamma(chance=mix,precision=0.5)", interval="none")
    assert (sampled.details["samples"], sampled.details["combinations"]) == (30, None)


def test_combinations_are_listed_if_they_are_no_more_than_the_samples() -> None:
    """Six documents, two annotators: 60 combinations. The required number of samples is known after the first 30."""
    corpus = scattered(4, docs=6)
    coarse, fine = (
        accord.score(corpus, f"gamma(precision={p})", interval="none", seed=2).details for p in (0.5, 0.001)
    )
    assert (coarse["samples"], coarse["combinations"]) == (30, None)
    assert (fine["samples"], fine["combinations"]) == (0, 60)
    impossible = accord.score(corpus, "gamma(precision=0.000001)", interval="none", seed=2)
    assert impossible.expected == accord.score(corpus, "gamma(samples=60)", interval="none", seed=7).expected


def test_exact_chance_has_no_error_and_a_note() -> None:
    corpus = scattered(4, docs=2)
    score = accord.gamma(corpus)
    chance = "mix (default), all 4 combinations, no sampling error"
    assert score.chance == chance
    assert f"chance: {chance}" in str(score.tables()[0].notes)
    assert f"| chance {chance} |" in score.signature
    assert score.to_dict()["details"]["combinations"] == 4
    assert score.details["bootstrap"]["se_chance"] == 0.0
    assert accord.gamma(corpus, interval="jackknife").details["jackknife"]["se_chance"] == 0.0
    assert "chance was computed exactly" in accord.gamma(corpus, interval="monte_carlo").details["interval"]
    assert accord.gamma(corpus, seed=1).value == score.value


@pytest.mark.parametrize(
    ("spec", "docs", "chance"),
    [
        ("gamma", 1, "shift (default: 1 document for 2 annotators), "),
        ("gamma(chance=shift)", 4, "shift, "),
        ("gamma_cat", 4, "frequencies (default)"),
        ("gamma_cat(chance=auto)", 1, "shift (auto: 1 document for 2 annotators), "),
        ("f1", 2, ""),
    ],
)
def test_score_names_its_chance_model_and_the_reason(spec: str, docs: int, chance: str) -> None:
    corpus = scattered(4, docs=docs)
    score = accord.score(corpus, spec, interval="none")
    assert score.chance.startswith(chance)
    assert score.chance.startswith(measure(spec).chance_on(corpus))
    assert ("| chance " in score.signature) == bool(chance)
    assert not chance or score.chance in score.signature


# -- statistical -----------------------------------------------------------------------------------------------


def renewal(seed: int, docs: int = 1, annotators: int = 2, mean: float = 60) -> accord.Corpus:
    """Annotators that fit the model: units in sequence; normal numbers of units, gaps and lengths."""
    rng = np.random.default_rng([seed, docs, annotators])
    rows = []
    for doc in range(docs):
        for who in range(annotators):
            end = 0.0
            for _ in range(int(rng.normal(mean, 2))):
                start = end + rng.normal(12, 6)
                end = start + abs(rng.normal(8, 2))
                rows.append((f"d{doc}", f"A{who}", start, end, str(rng.choice(["x", "y", "z"], p=[0.5, 0.3, 0.2]))))
    return corpus_of(rows)


def test_statistical_samples_have_the_moments_of_the_continuum() -> None:
    source = everything(renewal(1))
    known = continuum_facts(source)
    samples = [draw_statistical(source, np.random.default_rng(k)) for k in range(400)]
    numbers = np.concatenate([np.bincount(units.annotator, minlength=2) for units in samples])
    # Normal numbers are truncated to integers: half a unit less on average.
    mean, spread = known.units[0][0], known.units[1][0]
    assert numbers.mean() == pytest.approx(mean - 0.5, abs=4 * (spread + 1) / np.sqrt(len(numbers)))
    lengths = np.concatenate([units.end - units.start for units in samples])
    assert lengths.mean() == pytest.approx(known.lengths[0][0], rel=0.01)
    assert lengths.std() == pytest.approx(known.lengths[1][0], rel=0.02)
    gaps = np.concatenate([_steps(units) for units in samples])
    assert gaps.mean() == pytest.approx(known.gaps[0][0], rel=0.01)
    assert gaps.std() == pytest.approx(known.gaps[1][0], rel=0.02)
    labels = np.concatenate([units.label for units in samples])
    assert np.bincount(labels) / len(labels) == pytest.approx(np.bincount(source.label) / len(source.label), abs=0.01)


def _steps(units: Any) -> Floats:
    """From 0 or the end of a unit to the start of the next, in order of drawing."""
    first = np.diff(units.annotator, prepend=-1) != 0
    before = np.where(first, 0.0, np.concatenate([[0.0], units.end[:-1]]))
    return units.start - before


def test_first_gap_counts_from_the_given_begin() -> None:
    rows = [("d", "A", 102, 104, "x"), ("d", "A", 110, 115, "x"), ("d", "B", 101, 103, "x")]
    given = continuum_facts(everything(corpus_of(rows, extents=(100, 200))))
    assert given.gaps[0].tolist() == [pytest.approx(np.mean([0, 2, 6, 1]))]
    open_ = continuum_facts(everything(corpus_of(rows)))
    assert open_.gaps[0].tolist() == [pytest.approx(np.mean([0, 102, 6, 101]))]


def test_disorder_of_statistical_chance_is_mean_over_samples() -> None:
    """As in pygamma-agreement: all samples have the same weight."""
    corpus = renewal(3, mean=6)
    source, disorders = everything(corpus), []
    solve = aligner(Gamma().between_units(corpus), soft=False)

    def align(units: Any) -> Any:
        found = solve(units)
        disorders.extend((found.totals / units.per_annotator).tolist())
        return found

    found = expected_disorder(source, source, Sampling("statistical", 50, None), align, Run())
    assert found.disorder.tolist() == pytest.approx([np.mean(disorders)], abs=1e-12)
    assert found.total_se == pytest.approx(
        np.std(disorders, ddof=1) / np.sqrt(50) * source.units().per_annotator[0], abs=1e-12
    )


def test_statistical_sample_is_never_empty() -> None:
    rows = [("d", "A", 2, 4, "x"), ("e", "A", 0, 3, "x"), ("e", "B", 0, 3, "x")]
    source = everything(corpus_of(rows, judged={"d": ["A", "B", "C"], "e": ["A", "B"]}))
    for k in range(200):
        units = draw_statistical(source, np.random.default_rng(k))
        assert np.bincount(units.continuum, minlength=2).min() >= 1
        assert (units.end > units.start).all()


# -- all models ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["shift", "mix", "statistical"])
def test_sample_depends_only_on_its_number_and_the_seed(model: str) -> None:
    """It does not depend on the number of samples or on the division into tasks."""
    corpus = scattered(10, docs=3)
    source = everything(corpus)

    def drawn_disorders(first: int, seed: int) -> list[Any]:
        seen: list[Any] = []

        def align(units: Any) -> Any:
            for c in range(len(units.annotators)):
                mine = units.continuum == c
                columns = (units.annotator, units.start, units.end, units.label)
                seen.append(tuple(tuple(column[mine].tolist()) for column in columns))
            return SimpleNamespace(totals=units.per_annotator.copy(), gap=np.zeros(len(units.annotators)))

        expected_disorder(source, source, Sampling(model, first, None), align, Run(seed))
        return seen

    few, many, other = drawn_disorders(3, 1), drawn_disorders(7, 1), drawn_disorders(3, 2)
    assert many[: len(few)] == few
    assert len(set(many)) == len(many)
    assert not set(other) & set(few)


@pytest.mark.parametrize("model", ["shift", "mix", "statistical"])
def test_samples_are_drawn_until_the_precision_is_reached(model: str) -> None:
    corpus = scattered(11, docs=3 if model != "mix" else 40)
    coarse, fine = (
        accord.score(corpus, f"gamma(chance={model},precision={p})", seed=2, interval="monte_carlo")
        for p in (0.05, 0.01)
    )
    assert coarse.details["samples"] == 30
    assert fine.details["samples"] > 60
    for score, precision in ((coarse, 0.05), (fine, 0.01)):
        assert score.interval is not None
        assert score.expected is not None
        half = (score.interval.high - score.interval.low) / 2
        # γ = 1 − O/E: the error of E, in shares of E, times O/E.
        assert half / (1 - score.value) < precision * 1.3
    assert coarse.value == pytest.approx(fine.value, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "corpus", "allowance"),
    [
        # Units end within the document but may reach beyond it in a sample: 0.01 at most for units of 2% of its length.
        ("shift", scattered, 0.01),
        ("shift", partial(scattered, docs=1, annotators=3, mean=8), 0.01),
        ("shift", partial(scattered, whole=True), 0.01),
        ("mix", scattered, 0.005),
        ("mix", partial(scattered, docs=4, annotators=3, mean=4), 0.005),
        # Only corpora drawn from this model fit it, and only with many units: one extra gap of 0 and half a unit
        # less give −0.03 with 15 units per annotator; units at random positions give −0.05.
        ("statistical", renewal, 0.01),
    ],
    ids=["shift", "shift, one document", "shift, whole positions", "mix", "mix, three annotators", "statistical"],
)
def test_mean_gamma_of_independent_annotators_is_about_zero(
    model: str, corpus: Callable[[int], accord.Corpus], allowance: float
) -> None:
    """Over many corpora. Single corpora differ by more than their Monte Carlo interval (pitfalls.md)."""
    measure = f"gamma(chance={model},samples=10,precision=0.2)"
    values = np.array([accord.score(corpus(k), measure, seed=k, interval="none").value for k in range(220)])
    error = values.std(ddof=1) / np.sqrt(len(values))
    assert error < 0.01
    assert abs(values.mean()) < 3 * error + allowance, (values.mean(), error)


@pytest.mark.parametrize("annotators", [7, 40, 207])
def test_sample_of_many_annotators_is_solved_alone(annotators: int) -> None:
    """Four to the power of their number exceeds 64 bits."""
    assert solved_together(annotators, 3.0) == 1
    assert solved_together(3, 3.0) > solved_together(4, 3.0) > solved_together(6, 3.0) > 1


def test_document_of_many_annotators_has_a_value() -> None:
    rows = {"doc": ["d"] * 40, "annotator": range(40), "start": [0, 1, 9, 2] * 10, "end": [5, 6, 14, 7] * 10}
    score = accord.score(rows, "gamma(chance=shift,samples=4,precision=0.5)", interval="none")
    assert 0 < score.value < 1
