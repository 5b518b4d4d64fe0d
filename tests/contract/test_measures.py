"""Properties of every measure, on small data of its kind."""

from __future__ import annotations

import math
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.core.fingerprints import fingerprint
from accord.data.kinds import kind_named
from accord.measures.catalogue import ON_ITEMS
from accord.measures.measure import Measure
from accord.measures.resampling import Sampled

from ..cases import for_each
from ..refusals import raises
from .kinds import KINDS, WHO, Kind, Row

EVERY = pytest.mark.parametrize(
    ("kind", "spec"), [pytest.param(kind, spec, id=spec) for kind in KINDS for spec in kind.specs]
)
EVERY_CLASS = pytest.mark.parametrize(
    ("kind", "cls"), [pytest.param(kind, cls, id=cls.name) for kind in KINDS for cls in kind.measures]
)
PARTS = {
    **{cls.name: "category annotator pair item" for cls in accord.MEASURES if cls.on_items},
    **dict.fromkeys(("kappa_d", "alpha_d"), "category annotator pair"),
    **dict.fromkeys(("gamma_cat", "gamma_k", "alpha_u", "cu_alpha", "ku_alpha"), "category"),
    **dict.fromkeys(("icc", "lin", "kendall_w", "u_alpha", "bar_u_alpha", "theta"), ""),
    "cronbach": "annotator",
    "gamma": "category annotator pair document",
    "text_gamma": "kind category annotator pair document pos",
}  # all other kinds: annotator, pair, document
# Defined if nothing varies: not corrected for chance, or expected agreement is always below 1.
ALWAYS_DEFINED = {
    "percent", "alpha_u", "theta", "ser", "f1", "pk", "window_diff", "ghd", "boundary_edit_distance",
    "boundary_similarity", "segmentation_similarity", "muc", "b_cubed", "ceaf_e", "conll", "blanc", "links_f1",
}  # fmt: skip
WORKERS = ("alpha", "icc", "gamma(chance=shift,samples=8,precision=0.2)", "gamma_cat(chance=shift,samples=8)",
           "u_alpha", "f1", "pi_star", "alpha_boundaries", "text_gamma")  # fmt: skip


@cache
def data_of(kind: Kind) -> Any:
    return kind.read(kind.rows)


@cache
def plain(kind: Kind, spec: str) -> accord.Score:
    return accord.score(data_of(kind), spec, replicates=100, seed=3)


def value(data: Any, spec: str) -> accord.Score:
    return accord.score(data, spec, interval="none", seed=3)


def is_error(spec: str) -> bool:
    return spec.partition("(")[0] in {"ser", "pk", "window_diff", "ghd", "boundary_edit_distance"}


def draws_chance(score: accord.Score) -> bool:
    return bool(score.details.get("samples"))


def same(one: accord.Score, other: accord.Score) -> None:
    """Whether values and intervals are equal except for rounding."""
    if one.interval is not None and other.interval is not None:
        assert one.se == pytest.approx(other.se, abs=1e-9)
        for end in ("low", "high"):
            assert getattr(one.interval, end) == pytest.approx(getattr(other.interval, end), abs=1e-9)
    for a, b in ((one.value, other.value), (one.observed, other.observed), (one.expected, other.expected)):
        assert a == pytest.approx(b, rel=1e-9, abs=1e-9) if a is not None else b is None
    assert (one.undefined, one.n, one.kind) == (other.undefined, other.n, other.kind)


def test_every_measure_belongs_to_a_kind() -> None:
    assert {cls for kind in KINDS for cls in kind.measures} == set(accord.MEASURES)


def test_names_and_aliases_are_unique() -> None:
    names = [name for cls in accord.MEASURES for name in (cls.name, *cls.aliases)]
    assert len(names) == len(set(names))


# -- a measure -------------------------------------------------------------------------------------------------


@EVERY_CLASS
def test_measure_is_found_by_name_and_aliases(kind: Kind, cls: type[Measure]) -> None:
    for name in (cls.name, *cls.aliases, cls.name.upper()):
        assert accord.measure(name) == cls()
        assert str(accord.measure(name)).partition("(")[0] == cls.name
    by_name = value(data_of(kind), cls.name)
    assert value(data_of(kind), cls()) == by_name
    assert getattr(accord, cls.name)(data_of(kind), interval="none", seed=3) == by_name


@EVERY_CLASS
def test_every_measure_has_a_page(kind: Kind, cls: type[Measure]) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "measures" / f"{cls.name}.md"
    assert len(page.read_text(encoding="utf-8")) > 1000
    assert cls.title
    assert cls.source


# -- the best value --------------------------------------------------------------------------------------------


@for_each("annotators", [2, 3, 5])
@EVERY
def test_perfect_agreement_is_the_best_value(kind: Kind, spec: str, annotators: int) -> None:
    score = accord.score(kind.read(kind.copies(annotators)), spec, replicates=100)
    best = 0.0 if is_error(spec) else 1.0
    assert score.value == pytest.approx(best, abs=1e-12)
    assert score.undefined is None
    assert score.se is None or score.se == pytest.approx(0.0, abs=1e-12)
    for parts in score.parts.values():
        values = [part.value for part in parts.values() if not part.undefined]
        assert values == pytest.approx([best] * len(values))


@pytest.mark.parametrize("cls", [cls for cls in ON_ITEMS if cls.name != "percent"], ids=lambda cls: cls.name)
def test_independent_labels_give_about_zero(cls: type[Measure]) -> None:
    rows = np.random.default_rng(1).integers(0, 4, (20_000, 3))
    assert accord.score(rows, cls()).value == pytest.approx(0.0, abs=0.02)


# -- invariance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not isinstance(data_of(kind), accord.Ratings)])
def test_digest_does_not_depend_on_the_order_of_rows(kind: Kind) -> None:
    """test_metamorphic.py tests other invariances."""
    order = np.random.default_rng(1).permutation(len(kind.rows))
    assert kind.read([kind.rows[k] for k in order]).digest == data_of(kind).digest


# -- a score ---------------------------------------------------------------------------------------------------


@EVERY
def test_a_score_is_complete(kind: Kind, spec: str) -> None:
    score, data = plain(kind, spec), data_of(kind)
    assert score.measure == str(accord.measure(spec))
    assert math.isfinite(score.value)
    assert score.undefined is None
    assert score.n > 1
    assert score.kind == ("error" if is_error(spec) else "agreement")
    assert score.details["annotators"] == len(WHO)
    if score.interval is None:
        assert score.details["interval"].startswith("no ")
    else:
        assert (score.interval.level, score.interval.method) == (0.95, accord.measure(spec).default_interval)
        assert score.interval.method in score.signature
        assert score.interval.low <= score.value <= score.interval.high
        assert score.interval.low < score.interval.high
    for part in (f"accord {accord.__version__}", score.measure, "seed 3", data.digest):
        assert part in score.signature
    assert float(score) == score.value


@EVERY
def test_parts_of_a_score_are_scores_by_name(kind: Kind, spec: str) -> None:
    score = plain(kind, spec)
    assert set(score.parts) == set(PARTS.get(spec.partition("(")[0], "annotator pair document").split())
    for by, parts in score.parts.items():
        assert len(parts) > 1, by
        for part in parts.values():
            assert (part.kind, math.isnan(part.value)) == (score.kind, bool(part.undefined)), by
    assert set(score.parts.get("annotator", WHO)) == set(WHO)
    assert set(score.parts.get("document", ())) in (set(), {row[0] for row in kind.rows})
    again = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert again == score
    for by, parts in score.parts.items():
        assert [*map(str, parts.items())] == [*map(str, again.parts[by].items())]


@EVERY
def test_value_depends_only_on_data_and_seed(kind: Kind, spec: str) -> None:
    first, again, other = (
        accord.score(kind.read(kind.rows), spec, interval="bootstrap", replicates=100, seed=seed) for seed in (3, 3, 4)
    )
    assert again == first
    assert other.observed == first.observed
    assert (other.value == first.value) != draws_chance(first)
    assert other.interval != first.interval


@EVERY
def test_bootstrap_in_pieces_equals_bootstrap_at_once(kind: Kind, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers, clusters and checkpoints use tasks, which have a digest and give the same values."""
    digests: list[str] = []
    tasks: list[Any] = []

    def sent(function: Any, given: list[Any], *_: Any) -> list[Any]:
        digests.append(fingerprint(function))
        tasks.extend(given)
        there = cloudpickle.loads(cloudpickle.dumps(function))
        return [there(task) for task in given]

    def sample() -> Sampled:
        measure = accord.measure(spec)
        found = measure.sampled(measure.observe(kind.read(kind.rows), run), run)
        assert found is not None
        return found

    run = Run(3)
    one, again = sample(), sample()
    monkeypatch.setattr("accord.measures.resampling.spread", sent)
    monkeypatch.setattr("accord.measures.resampling._CELLS", 40 * len(one))
    monkeypatch.setattr("accord.measures.resampling._BY_DRAW", 15)
    found = one.bootstrapped(100, run).tolist()
    assert len(tasks) >= 3
    whole = np.concatenate([again.redrawn(run.rng(1, k), many) for k, many in enumerate((40, 40, 20))])
    assert found == pytest.approx(whole.tolist(), rel=1e-12, nan_ok=True)
    again.bootstrapped(100, run)
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("kind", "spec"), [pytest.param(kind, spec, id=spec) for kind in KINDS for spec in kind.specs if spec in WORKERS]
)
def test_value_does_not_depend_on_the_jobs(kind: Kind, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.measures.chance.sampling._UNITS_AT_ONCE", 100)  # a task per sample
    monkeypatch.setattr("accord.core.parallel._PATIENCE", 1e-4)
    monkeypatch.setattr("accord.core.parallel._WORTH_IT", 0.0)
    steps: list[tuple[str, int, int]] = []
    alone, both = (
        accord.score(
            kind.read(kind.rows), spec, replicates=100, seed=3, jobs=jobs, progress=lambda *at: steps.append(at)
        )
        for jobs in (1, 2)
    )
    assert both == alone
    if spec.startswith("gamma("):
        assert any(tasks > 2 for what, _, tasks in steps if what.startswith("aligning 8 random samples"))


# -- errors ----------------------------------------------------------------------------------------------------


@EVERY_CLASS
def test_undefined_value_has_a_reason(kind: Kind, cls: type[Measure]) -> None:
    score = accord.score(kind.read(kind.uniform), cls())
    if cls.name in ALWAYS_DEFINED:
        assert score.value == (0.0 if is_error(cls.name) else 1.0)
        assert score.undefined is None
    else:
        assert math.isnan(score.value)
        assert score.undefined
        assert score.interval is None


def fits(kind: Kind, data: Kind) -> bool:
    """Whether measures of a kind apply to data of a kind; numbers are labels of items."""
    return kind == data or (kind.name, data.name) == ("labels of items", "numbers on a scale")


@EVERY_CLASS
def test_data_of_another_kind_are_refused(kind: Kind, cls: type[Measure]) -> None:
    for other in KINDS:
        if not fits(kind, other):
            with pytest.raises(accord.DataError) as caught:
                accord.score(data_of(other), cls())
            message = str(caught.value)
            if caught.value.code == "not-a-number":  # labels of items that are words
                assert kind.name == "numbers on a scale"
                assert f"{cls.name} needs numbers" in message
            else:
                assert caught.value.code == "measure-for-other-data"
                assert re.search(f"{cls.name} is for ({kind.name}|{kind_named(cls.data).words})", message)
            assert "\n" not in message


@EVERY_CLASS
def test_one_annotator_is_not_enough(kind: Kind, cls: type[Measure]) -> None:
    alone: list[Row] = kind.copies(1)
    with raises("annotators-needed"):
        accord.score(kind.read(alone), cls())
