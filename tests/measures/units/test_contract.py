"""What the measures that cut the continuum, and SER and F1, promise."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.context import Run

from .made import WHO, Row, columns, corpora, corpus_of, extents, fewer, looked, read, rows_of
from .naive import Doc, Docs, compared

CUT = (
    "alpha_u",
    "u_alpha",
    "u_alpha(form=2013)",
    "bar_u_alpha",
    "cu_alpha",
    "ku_alpha(category=a)",
    "theta",
    "theta(zones=atomic)",
    "kappa_d",
    "alpha_d",
)
PAIRWISE = ("ser", "ser(overlap=false)", "f1", "f1(match=overlap)", "f1(match=token)", "f1(match=token,labels=false)")
ALL = (*CUT, *PAIRWISE)
EVERY = pytest.mark.parametrize("spec", ALL)
NO_OVERLAPS = (
    "u_alpha",
    "bar_u_alpha",
    "cu_alpha",
    "ku_alpha",
    "kappa_d",
    "alpha_d",
)  # also not of different categories
OF_ONE_CATEGORY = ("alpha_u", "theta", "theta(zones=atomic)")

SPECS = (
    *ALL,
    "alpha_u(grain=0.5,overlaps=merge)",
    "u_alpha(grain=0.04,form=2013)",
    "cu_alpha(distance=ordinal)",
    "cu_alpha(distance=interval,form=2013)",
    "cu_alpha(distance=matrix(labels=[a,b],rows=[[0,0.5],[0.5,0]]))",
    'ku_alpha(distance=interval,category="two words")',
    'ku_alpha(category="3")',
    "theta(random=0.25,scale=interval)",
    "theta(scale=ordinal,zones=layered,unpaired=ignored)",
    "ser(reference=Ana,per=slots,overlap=false)",
    'f1(reference="7",match=token,labels=false)',
    "kappa_d(atom=0.04)",
    "alpha_d(atom=25,overlaps=merge)",
)

# Three annotators, two documents: small differences of all kinds, positions of whole numbers.
ROWS: list[Row] = [
    ("d1", "Ana", 0, 10, "a"), ("d1", "Ana", 15, 25, "b"), ("d1", "Ana", 30, 40, "c"), ("d1", "Ana", 50, 55, "a"),
    ("d1", "Ben", 1, 10, "a"), ("d1", "Ben", 15, 25, "b"), ("d1", "Ben", 30, 35, "c"), ("d1", "Ben", 35, 40, "c"),
    ("d1", "Cleo", 0, 10, "a"), ("d1", "Cleo", 16, 27, "c"), ("d1", "Cleo", 50, 56, "a"), ("d1", "Cleo", 58, 60, "b"),
    ("d2", "Ana", 5, 20, "b"), ("d2", "Ana", 20, 30, "a"), ("d2", "Ben", 5, 18, "b"), ("d2", "Ben", 22, 30, "b"),
]  # fmt: skip
EXTENTS = {"d1": (-5, 70), "d2": (0, 40)}
CORPUS = read(ROWS, extents=EXTENTS)


def moved(rows: Sequence[Row], to: Callable[[Any], Any]) -> list[Row]:
    return [(doc, who, to(start), to(end), label) for doc, who, start, end, label in rows]


def value_of(corpus: accord.Corpus, spec: str) -> accord.Score:
    """Without an interval: drawing documents again has tests of its own."""
    return accord.score(corpus, spec, interval="none")


def same(one: accord.Score, other: accord.Score, tolerance: float = 1e-9) -> None:
    """The same digits, but for rounding."""
    for a, b in ((one.value, other.value), (one.observed, other.observed), (one.expected, other.expected)):
        assert a == pytest.approx(b, abs=tolerance, nan_ok=True) if a is not None else b is None
    assert (one.undefined, one.n, one.kind) == (other.undefined, other.n, other.kind)


# -- specs, scores ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_parses_back_to_an_equal_measure(spec: str) -> None:
    measure = accord.measure(spec)
    assert str(measure) == spec
    assert accord.measure(str(measure)) == measure
    assert hash(accord.measure(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301


def test_what_is_said_by_default_is_not_written() -> None:
    assert str(accord.measure("theta(random=0.5,scale=nominal,zones=auto,unpaired=gap,overlaps=error)")) == "theta"
    assert str(accord.measure("u_alpha(form=2016)")) == "u_alpha"
    assert str(accord.measure("ser(per=reference,overlap=true)")) == "ser"
    for name, alias in (("alpha_u", "krippendorff_alpha_u"), ("theta", "gwet_theta"), ("ser", "slot_error_rate")):
        assert accord.measure(alias) == accord.measure(name)


@pytest.mark.parametrize(
    "wrong",
    [
        "u_alpha(form=2014)", "u_alpha(form=x)", "cu_alpha(form=2004)", "u_alpha(grain=0)", "u_alpha(grain=-1)",
        "alpha_u(grain=fine)", "theta(grain=true)", "alpha_u(overlaps=drop)", "cu_alpha(distance=ordnal)",
        "theta(random=-0.1)", "theta(random=1.5)", "theta(random=true)", "theta(random=half)", "theta(scale=words)",
        "theta(zones=many)", "theta(unpaired=half)", "ser(per=unit)", "f1(match=some)", "kappa_d(atom=0)",
        "alpha_d(atom=-0.5)", "kappa_d(atom=true)", "kappa_d(overlaps=drop)", "kappa_d(grain=1)", "f1(grain=1)",
    ],
)  # fmt: skip
def test_wrong_options_are_refused_at_the_door(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(wrong)


def test_an_atom_that_is_no_number() -> None:
    with pytest.raises(accord.SpecError, match="atom"):
        accord.measure("kappa_d(atom=x)")


@pytest.mark.parametrize("wrong", ["ser(overlap=3)", "f1(labels=3)"])
def test_a_switch_is_on_or_off(wrong: str) -> None:
    with pytest.raises(accord.SpecError):
        accord.measure(wrong)


@EVERY
def test_a_score_tells_all(spec: str) -> None:
    score = accord.score(CORPUS, spec, seed=3)
    assert score.kind == ("error" if spec.startswith("ser") else "agreement")
    assert (score.n, score.undefined) == (2, None)
    assert score.interval is not None
    assert score.interval.method == "bootstrap"
    assert score.details["interval"].startswith("2 documents: an interval from so few")
    details = score.details
    assert (details["documents"], details["documents_compared"], details["units"]) == (2, 2, len(ROWS))
    assert (details["annotators"], details["categories"]) == (3, 3)
    assert (details["grain"] == 1) if spec in CUT else ("grain" not in details)
    for part in (accord.__version__, score.measure, "seed 3", CORPUS.digest):
        assert part in score.signature
    assert pickle.loads(pickle.dumps(score)) == score  # noqa: S301


@EVERY
def test_seed_and_workers_do_not_matter(spec: str) -> None:
    plain = accord.score(CORPUS, spec)
    for options in ({"seed": 5}, {"jobs": 1}, {"jobs": 2, "seed": 9}):
        other = accord.score(CORPUS, spec, **options)
        assert (other.value, other.observed, other.expected) == (plain.value, plain.observed, plain.expected)


def test_a_document_alone_is_a_corpus() -> None:
    for spec in ALL:
        alone = read([row for row in ROWS if row[0] == "d1"], extents={"d1": EXTENTS["d1"]})
        same(accord.score(CORPUS["d1"], spec), accord.score(alone, spec))


# -- best value ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("annotators", [2, 3, 5])
@EVERY
def test_identical_annotations_are_perfect(spec: str, annotators: int) -> None:
    rows = [(doc, f"B{k}", *rest) for doc, who, *rest in ROWS if who == "Ana" for k in range(annotators)]
    score = accord.score(read(rows, extents=EXTENTS), spec)
    assert score.value == pytest.approx(0.0 if spec.startswith("ser") else 1.0, abs=1e-12)
    assert score.undefined is None
    for parts in score.parts.values():
        values = [part.value for part in parts.values() if not part.undefined]
        assert values == pytest.approx([score.value] * len(values))


# -- what must not matter --------------------------------------------------------------------------------------


@fewer
@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(docs: Docs, random: Any) -> None:
    plain = corpus_of(docs)
    rows = rows_of(docs)
    random.shuffle(rows)
    other = read(rows, extents=extents(docs), annotators=looked(docs), categories=plain.categories.names)
    for spec in _known(plain):
        same(value_of(plain, spec), value_of(other, spec))


def _known(corpus: accord.Corpus) -> list[str]:
    return [spec for spec in ALL if "category=" not in spec or "a" in corpus.categories.names]


@fewer
@given(corpora(), st.permutations(WHO))
def test_the_names_of_the_annotators_do_not_matter(docs: Docs, names: Sequence[str]) -> None:
    """They are sorted by name: another name is another place."""
    name = dict(zip(WHO, names, strict=True))
    other = {d: Doc(doc.begin, doc.end, {name[w]: units for w, units in doc.units.items()}) for d, doc in docs.items()}
    plain = corpus_of(docs)
    for spec in _known(plain):
        same(value_of(plain, spec), value_of(corpus_of(other), spec))


@fewer
@given(corpora(), st.permutations(("a", "b", "c")))
def test_the_names_of_the_labels_do_not_matter(docs: Docs, names: Sequence[str]) -> None:
    name = dict(zip("abc", names, strict=True))
    other = {
        d: Doc(doc.begin, doc.end, {w: [(s, e, name[k]) for s, e, k in units] for w, units in doc.units.items()})
        for d, doc in docs.items()
    }
    plain, renamed = corpus_of(docs), corpus_of(other)
    for spec in _known(plain):
        same(value_of(plain, spec), value_of(renamed, spec.replace("category=a", f"category={name['a']}")))


@fewer
@given(corpora(), st.integers(-(10**6), 10**6))
def test_the_origin_does_not_matter(docs: Docs, shift: int) -> None:
    def at(doc: Doc, to: Callable[[int, int], tuple[int, int]]) -> Doc:
        units = {w: [(*to(s, e), k) for s, e, k in units] for w, units in doc.units.items()}
        return Doc(*to(doc.begin, doc.end), units)

    plain = corpus_of(docs)
    there = corpus_of({name: at(doc, lambda s, e: (s + shift, e + shift)) for name, doc in docs.items()})
    back = corpus_of({name: at(doc, lambda s, e: (-e, -s)) for name, doc in docs.items()})
    for spec in _known(plain):
        same(value_of(plain, spec), value_of(there, spec))
        same(value_of(plain, spec), value_of(back, spec))


def test_the_order_of_labels_matters_to_theta_where_units_overlap() -> None:
    """The labels of a zone are sorted and paired (Gwet): what is 1 and what is 2 decides what meets what."""
    rows = [("d", "A", 0, 10, "a"), ("d", "B", 0, 10, "a"), ("d", "B", 0, 10, "b")]
    one, two = (accord.theta(read(rows, categories=list(order)), zones="atomic") for order in ("ab", "ba"))
    assert (one.observed, two.observed) == pytest.approx((0.5, 1.0))
    layered = [accord.theta(read(rows, categories=list(order))).value for order in ("ab", "ba")]
    assert layered[0] == layered[1]


# A best alignment costs 3 with three pairs and with two, so it has 3 slots or 4.
TIED = [("d", "A", 0, 2, "q"), ("d", "A", 3, 6, "p"), ("d", "A", 7, 10, "q"),
        ("d", "B", 1, 4, "p"), ("d", "B", 5, 8, "q"), ("d", "B", 9, 12, "p")]  # fmt: skip


def test_ser_per_slot_does_not_depend_on_the_names() -> None:
    other = [(doc, {"A": "B", "B": "A"}[who], *rest) for doc, who, *rest in TIED]
    assert accord.ser(read(TIED)).value == accord.ser(read(other)).value == 1
    assert accord.ser(read(TIED), per="slots").value == accord.ser(read(other), per="slots").value


def repeated(docs: Docs, times: Sequence[int], spec: str) -> tuple[accord.Score, accord.Score]:
    """The evidence with documents that count several times, and the documents several times."""
    corpus = corpus_of(docs)
    often = dict(zip([name for name, doc in docs.items() if doc in compared(docs)], times, strict=False))
    weights = np.array(list(often.values()), dtype=np.float64)
    measure = accord.measure(spec)
    weighted = measure.estimate(measure.observe(corpus, Run()).weighted(weights))
    made = {f"{name}.{k}": docs[name] for name, many in often.items() for k in range(many)}
    plain = value_of(corpus_of(made, categories=list(corpus.categories.names)), spec)
    return replace(weighted, n=0), replace(plain, n=0)


@fewer
@given(corpora(docs=3), st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_a_document_that_counts_twice_is_there_twice(docs: Docs, times: list[int]) -> None:
    """What drawing documents again relies on."""
    if any(times[: len(compared(docs))]):
        for spec in ("alpha_u", "u_alpha", "bar_u_alpha", "cu_alpha", "theta", "theta(zones=atomic)"):
            same(*repeated(docs, times, spec))
    if all(times):  # a pair of annotators that is not drawn is not in the mean
        for spec in ("ser", "f1"):
            same(*repeated(docs, times, spec))


def test_a_document_that_does_not_count_in_the_form_of_2013() -> None:
    docs = {
        "d": Doc(0, 1, {"Ana": [(0, 1, "a")], "Ben": []}),
        "e": Doc(0, 1, {"Ana": [], "Ben": [(0, 1, "a")]}),
    }
    same(*repeated(docs, [0, 1], "u_alpha(form=2013)"))


# -- positions, grain ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "grain"), [(0.1, None), (0.01, None), (0.5, 0.5), (0.04, 0.04), (1 / 3, 1 / 3), (25, 25)]
)
@EVERY
def test_decimal_positions_are_counted_in_steps_of_the_grain(spec: str, step: float, grain: float | None) -> None:
    scaled = read(moved(ROWS, lambda at: at * step), extents={d: (b * step, e * step) for d, (b, e) in EXTENTS.items()})
    option = {} if spec in PAIRWISE or grain is None else {"atom" if spec.endswith("_d") else "grain": grain}
    found = accord.score(scaled, replace(accord.measure(spec), **option))
    same(found, accord.score(CORPUS, spec))
    if spec in CUT:
        assert found.details["grain"] == pytest.approx(step)


def test_the_grain_by_default_is_the_decimal_step_of_the_data() -> None:
    def grain(*positions: float) -> float:
        rows = [("d", who, 10 * at, 10 * at + 1, "x") for who in "AB" for at in positions]
        return accord.u_alpha(read(rows)).details["grain"]

    assert grain(0, 5, 250) == 1
    assert grain(0, 0.25) == 0.1
    assert grain(0, 2.225) == 0.01
    assert grain((0.1 + 0.2) / 10) == 0.1
    assert grain(1.2000001) == 1e-6


def test_positions_without_end_want_a_grain() -> None:
    rows = [("d", "A", 0, 1 / 3, "x"), ("d", "B", 0, 2 / 3, "x")]
    for spec in ("alpha_u", "u_alpha", "theta", "kappa_d"):
        with pytest.raises(accord.DataError, match="more than 9 decimals: say the step to count in"):
            accord.score(read(rows), spec)
    assert accord.u_alpha(read(rows), grain=1 / 3).details["grain"] == pytest.approx(1 / 3)


def test_the_grain_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.cli import main

    table = tmp_path / "spans.csv"
    table.write_text("annotator,start,end,label\nA,0.5,2,x\nB,0.5,2.5,x\n", encoding="utf-8")
    monkeypatch.setattr(
        "sys.argv", ["accord", "score", str(table), "-m", "u_alpha", "-m", "kappa_d(atom=0.5)", "-m", "ser"]
    )
    main()
    out = capsys.readouterr().out
    assert "u_alpha: lengths are counted in steps of 0.1\n" in out
    assert "kappa_d(atom=0.5): lengths are counted in steps of 0.5\n" in out
    assert "ser: lengths" not in out
    assert "ser is an error: 0 is perfect\n" in out


def test_the_grain_matters_a_little_to_the_alphas_and_not_to_kappa_d() -> None:
    """Expected disagreement counts pairs of steps without the pairs of a step with itself."""
    fine = {"alpha_u": "grain", "u_alpha": "grain", "alpha_d": "atom", "kappa_d": "atom", "theta": "grain"}
    for name, option in fine.items():
        one, other = (accord.score(CORPUS, replace(accord.measure(name), **{option: step})).value for step in (1, 0.01))
        assert (one == pytest.approx(other, abs=1e-9)) == (name in {"kappa_d", "theta"}), name
        assert one == pytest.approx(other, abs=0.05)


def test_positions_between_steps_are_rounded_alike() -> None:
    rows = [("d", "A", 0.5, 2, "x"), ("d", "B", 1.5, 3, "x"), ("d", "A", 4.5, 6, "x"), ("d", "B", 5.5, 7, "x")]
    plain, later = (accord.u_alpha(read(moved(rows, lambda at, s=s: at + s), extents=(0, 12)), grain=1) for s in (0, 1))
    assert plain.observed == later.observed


@pytest.mark.parametrize("spec", ["u_alpha", "alpha_u", "theta", "kappa_d"])
def test_too_many_steps_are_refused(spec: str) -> None:
    corpus = read([("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x")], extents=(0, 1e12))
    measure = replace(accord.measure(spec), **{"atom" if spec.endswith("_d") else "grain": 1e-9})
    with pytest.raises(accord.DataError, match="say a coarser grain"):
        accord.score(corpus, measure)


@pytest.mark.parametrize("spec", ["alpha_u", "u_alpha", "u_alpha(form=2013)", "bar_u_alpha", "kappa_d", "alpha_d"])
def test_a_continuum_without_length_is_refused(spec: str) -> None:
    with pytest.raises(accord.DataError, match="no document has any length"):
        accord.score(read([("d", who, 5, 5, "a") for who in "AB"]), spec)


# -- long continua ---------------------------------------------------------------------------------------------


@EVERY
def test_a_long_continuum_costs_what_its_units_cost(spec: str) -> None:
    """10⁸ atoms and more, 16 units."""
    times = 10**6
    long = read(
        moved(ROWS, lambda at: at * times), extents={d: (b * times, e * times) for d, (b, e) in EXTENTS.items()}
    )
    accord.score(CORPUS, spec)  # what is compiled or imported first
    tracemalloc.start()
    found = accord.score(long, spec)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1e7  # a byte per atom would be ten times that
    plain = accord.score(CORPUS, spec)
    exact = spec in {"theta", "theta(zones=atomic)", "kappa_d", *PAIRWISE}
    assert found.value == pytest.approx(plain.value, abs=1e-9 if exact else 0.05)
    if spec == "kappa_d":
        assert found.details["atoms"] == 115 * times


@pytest.mark.parametrize("length", [10**10, 10**12])
def test_a_nearly_empty_continuum_loses_no_digits(length: int) -> None:
    corpus = read([("d", "A", 0, 5, "x"), ("d", "B", 1, 5, "x")], extents=(0, length))
    whole, units = Fraction(2 * length), Fraction(9)
    gap = whole - units
    across = whole * gap * units / (whole**2 - (25 + 16 + gap))  # ε_φx
    assert accord.u_alpha(corpus).value == pytest.approx(float(1 - 2 / (2 * across)), abs=1e-9)
    a, b = Fraction(5, length), Fraction(4, length)
    chance = a * (1 - b) + b * (1 - a)
    assert accord.kappa_d(corpus).value == pytest.approx(float(1 - Fraction(1, length) / chance), abs=1e-9)


# -- overlaps --------------------------------------------------------------------------------------------------

OVERLAPPING: list[Row] = [
    ("d", "A", 0, 5, "x"), ("d", "A", 3, 8, "x"), ("d", "A", 20, 25, "y"),
    ("d", "B", 0, 8, "x"), ("d", "B", 19, 25, "y"),
]  # fmt: skip
NESTED: list[Row] = [
    ("d", who, *unit) for who in "AB" for unit in ((0, 50, "frame"), (10, 20, "name"), (70, 80, "name"))
]


@pytest.mark.parametrize("spec", [*NO_OVERLAPS, *OF_ONE_CATEGORY])
def test_overlaps_of_one_category_are_refused_by_name(spec: str) -> None:
    with pytest.raises(accord.DataError) as trouble:
        accord.score(read(OVERLAPPING), spec)
    name = spec.partition("(")[0]
    assert str(trouble.value) == (
        'the table, row 2: 3–8 x overlaps 0–5 x of the same annotator ("A"), '
        f"which {name} cannot take; {name}(overlaps=merge) merges them, gamma takes them as they are"
    )


@pytest.mark.parametrize("spec", [*NO_OVERLAPS, *OF_ONE_CATEGORY])
def test_overlaps_of_one_category_are_merged_on_request(spec: str) -> None:
    merged = [("d", "A", 0, 8, "x"), *OVERLAPPING[2:]]
    found = accord.score(read(OVERLAPPING), replace(accord.measure(spec), overlaps="merge"))
    same(found, accord.score(read(merged), spec))
    assert found.details["notes"] == ["1 unit merged with another of the same annotator and category"]
    touching = [("d", "A", 0, 5, "x"), ("d", "A", 5, 8, "x"), *OVERLAPPING[2:]]
    assert accord.score(read(touching), replace(accord.measure(spec), overlaps="merge")).details["notes"] == []


@pytest.mark.parametrize("spec", NO_OVERLAPS)
def test_overlaps_of_different_categories_are_refused(spec: str) -> None:
    for options in ({}, {"overlaps": "merge"}):
        with pytest.raises(
            accord.DataError, match=r"row 2: 10–20 name overlaps 0–50 frame of the same annotator \(\"A\"\)"
        ):
            accord.score(read(NESTED), replace(accord.measure(spec), **options))
    with pytest.raises(accord.DataError, match="units of different categories cannot be merged, gamma takes them"):
        accord.score(read(NESTED), replace(accord.measure(spec), overlaps="merge"))


def test_the_way_out_is_one() -> None:
    with pytest.raises(accord.DataError) as trouble:
        accord.u_alpha(read(NESTED))
    assert "merges them" not in str(trouble.value)


@pytest.mark.parametrize("spec", [*OF_ONE_CATEGORY, *PAIRWISE, "gamma"])
def test_overlaps_of_different_categories_are_taken(spec: str) -> None:
    assert accord.score(read(NESTED), spec).value == (0.0 if spec.startswith("ser") else 1.0)


@pytest.mark.parametrize("spec", PAIRWISE)
def test_ser_and_f1_take_all_overlaps(spec: str) -> None:
    assert not math.isnan(accord.score(read(OVERLAPPING), spec).value)


def test_overlaps_are_of_one_annotator_in_one_document() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 3, 8, "x"), ("e", "A", 3, 8, "x"), ("e", "B", 0, 5, "x")]
    for spec in CUT:
        if "category" not in spec:
            accord.score(read(rows), spec)
    far = [*rows, ("e", "B", 4, 7, "x")]
    with pytest.raises(accord.DataError, match=r"row 5: 4–7 x overlaps 0–5 x of the same annotator \(\"B\"\)"):
        accord.u_alpha(read(far))


def test_a_chain_of_overlaps_is_one_unit() -> None:
    rows = [("d", "A", 0, 10, "x"), ("d", "A", 2, 4, "x"), ("d", "A", 9, 15, "x"), ("d", "A", 14, 20, "x")]
    both = [*rows, ("d", "B", 0, 20, "x"), ("d", "B", 30, 32, "x"), ("d", "A", 30, 32, "x")]
    score = accord.u_alpha(read(both), overlaps="merge")
    assert score.value == 1
    assert score.details["notes"] == ["3 units merged with another of the same annotator and category"]


# -- labels, empty annotators, units without length ------------------------------------------------------------


def test_without_labels_all_units_are_of_one_kind() -> None:
    one = {**columns(ROWS), "label": ["x"] * len(ROWS)}
    none = {name: column for name, column in columns(ROWS).items() if name != "label"}
    for spec in ALL:
        if "category" in spec:
            continue
        a, b = (
            accord.score(accord.read(none, extents=EXTENTS), spec),
            accord.score(accord.read(one, extents=EXTENTS), spec),
        )
        assert (a.value, a.observed, a.expected) == pytest.approx((b.value, b.observed, b.expected), nan_ok=True), spec
    score = accord.alpha_u(accord.read(none, extents=EXTENTS))
    assert set(score.parts["category"]) == {"(no label)"}
    labels = accord.cu_alpha(accord.read(none, extents=EXTENTS))
    assert math.isnan(labels.value)
    assert "no variation" in (labels.undefined or "")


def test_a_unit_without_label_is_of_a_category_of_its_own() -> None:
    rows = [(d, w, s, e, None if k == "c" else k) for d, w, s, e, k in ROWS]
    for spec in ("alpha_u", "u_alpha", "cu_alpha", "kappa_d", "ser", "f1"):
        same(accord.score(read(rows, extents=EXTENTS), spec), accord.score(CORPUS, spec))
    assert set(accord.alpha_u(read(rows)).parts["category"]) == {"a", "b", "(no label)"}


def test_an_annotator_who_looked_and_marked_nothing() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 0, 5, "x")]
    two = accord.u_alpha(read(rows, extents=(0, 10)))
    three = accord.u_alpha(read(rows, extents=(0, 10), annotators={"d": ["A", "B", "C"]}))
    assert (two.value, three.details["annotators"]) == (1, 3)
    assert three.observed == pytest.approx(2 * 2 * 5 / 2 / 30)  # C against A and B, both orders, over mL
    assert three.value < 1
    alone = read(rows[:1], extents=(0, 10), annotators={"d": ["A", "B"]})
    assert accord.kappa_d(alone).value == 0
    assert accord.theta(alone).value == 0
    assert accord.f1(alone).value == 0
    assert accord.u_alpha(alone).value < 0


def test_ser_of_an_empty_reference_is_left_out_and_counted() -> None:
    alone = read([("d", "A", 0, 5, "x")], extents=(0, 10), annotators={"d": ["A", "B"]})
    score = accord.ser(alone)
    assert (score.value, score.details["pairs_left_out"]) == (1, 1)
    assert math.isnan(score.parts["pair"]["B → A"].value)
    empty = accord.ser(alone, reference="B")
    assert math.isnan(empty.value)
    assert "marked anything" in (empty.undefined or "")
    assert accord.ser(alone, per="slots").value == 1
    # Two who both marked nothing agree: an uncorrected comparison of two empty things is perfect.
    three = read([("d", "A", 0, 5, "x")], extents=(0, 10), annotators={"d": ["A", "B", "C"]})
    assert accord.ser(three).parts["pair"]["B → C"].value == 0
    assert accord.f1(three).parts["pair"]["B – C"].value == 1


def test_a_pair_that_is_left_out_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accord.cli import main

    (tmp_path / "spans.csv").write_text("doc,annotator,start,end,label\nd,A,0,5,x\n", encoding="utf-8")
    (tmp_path / "judged.csv").write_text("doc,annotator\nd,A\nd,B\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["accord", "score", str(tmp_path / "spans.csv"), "-m", "ser"])
    main()
    assert "left out" in capsys.readouterr().out


@pytest.mark.parametrize("spec", CUT)
def test_units_without_length_are_left_out_and_told(spec: str) -> None:
    more = [*ROWS, ("d1", "Ana", 3, 3, "b"), ("d2", "Ben", 40, 40, "a"), ("d1", "Ben", 10, 10, "a")]
    found, plain = accord.score(read(more, extents=EXTENTS), spec), accord.score(CORPUS, spec)
    same(found, plain)
    assert found.details["notes"] == ["3 units without length left out"]
    assert plain.details["notes"] == []


def test_units_without_length_count_for_ser_and_f1() -> None:
    rows = [
        ("d", "A", 0, 5, "x"),
        ("d", "A", 7, 7, "x"),
        ("d", "B", 0, 5, "x"),
        ("d", "B", 7, 7, "x"),
        ("d", "B", 9, 9, "x"),
    ]
    assert accord.ser(read(rows), reference="A").value == 1 / 2
    assert accord.f1(read(rows)).value == pytest.approx(4 / 5)
    assert accord.f1(read(rows), match="token").value == 1


# -- reference, parts ------------------------------------------------------------------------------------------

THREE = [("d", "A", 0, 10, "x"), ("d", "A", 20, 30, "y"), ("d", "B", 0, 10, "x"), ("d", "C", 0, 9, "x")]


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


def test_against_a_reference() -> None:
    """The mean over the others, each against it."""
    score = accord.ser(read(THREE), reference="A")
    assert {name: part.value for name, part in score.parts["pair"].items()} == {"A → B": 0.5, "A → C": 0.75}
    assert {name: part.value for name, part in score.parts["annotator"].items()} == {"B": 0.5, "C": 0.75}
    assert score.value == pytest.approx(0.625)
    assert accord.ser(read(THREE), reference="C").value == pytest.approx((1.5 + 0.5) / 2)
    assert accord.f1(read(THREE), reference="A").value == pytest.approx((2 / 3 + 0) / 2)
    assert accord.f1(read(THREE), reference="B").value == pytest.approx((2 / 3 + 0) / 2)
    assert accord.f1(read(THREE), match="overlap", reference="C").value == pytest.approx((2 / 3 + 1) / 2)
    for name in ("ser", "f1"):
        with pytest.raises(accord.UnknownName, match='unknown annotator "Z"'):
            accord.score(read(THREE), f"{name}(reference=Z)")
        lonely = [*THREE, ("e", "D", 0, 5, "x")]
        with pytest.raises(accord.DataError, match='nobody else looked at the documents of "D"'):
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


def test_ser_aligns_only_what_overlaps_unless_told() -> None:
    rows = [("d", "A", 0, 5, "x"), ("d", "B", 10, 15, "x")]
    assert accord.ser(read(rows)).value == 2
    assert accord.ser(read(rows), overlap=False).value == 0.5
    assert accord.ser(read([("d", "A", 0, 5, "x"), ("d", "B", 5, 15, "x")])).value == 2  # they touch


def test_alpha_u_by_category_sums_up() -> None:
    score = accord.alpha_u(CORPUS)
    parts = score.parts["category"]
    assert set(parts) == {"a", "b", "c"}
    assert sum(part.observed or 0 for part in parts.values()) == pytest.approx(score.observed)
    assert sum(part.expected or 0 for part in parts.values()) == pytest.approx(score.expected)
    assert sum(part.n for part in parts.values()) == len(ROWS)


def test_ku_alpha_is_the_part_of_cu_alpha() -> None:
    whole = accord.cu_alpha(CORPUS)
    assert accord.ku_alpha(CORPUS).value == whole.value
    for name, part in whole.parts["category"].items():
        alone = accord.ku_alpha(CORPUS, category=name)
        assert (alone.value, alone.observed, alone.expected) == (part.value, part.observed, part.expected)
        assert 0 <= part.details["coverage"] <= 1
    with pytest.raises(accord.UnknownName, match='unknown category "z"'):
        accord.ku_alpha(CORPUS, category="z")


@pytest.mark.parametrize("name", ["kappa_d", "alpha_d"])
def test_parts_of_kappa_d(name: str) -> None:
    parts = accord.score(CORPUS, name).parts
    assert set(parts) == {"category", "annotator", "pair"}
    assert set(parts["category"]) >= {"a", "b", "c", "(gap)"}
    assert set(parts["pair"]) == {"Ana – Ben", "Ana – Cleo", "Ben – Cleo"}
    pair = CORPUS.only_annotators(("Ana", "Ben"))
    assert parts["pair"]["Ana – Ben"].value == pytest.approx(accord.score(pair, name).value)


def test_the_zones_are_a_table() -> None:
    zones = accord.theta(read(moved(ROWS, lambda at: at / 2))).details["zones"]
    assert {zone["document"] for zone in zones} == {"d1", "d2"}
    first = next(z for z in zones if z["document"] == "d1" and z["annotators"] == ["Ana", "Ben"] and z["start"] == 0)
    assert first == {
        "document": "d1", "annotators": ["Ana", "Ben"], "start": 0.0, "length": 0.5, "labels": [["a"], []],
        "dissimilarity": 1.0, "random_dissimilarity": 1.0,
    }  # fmt: skip


# -- bad input -------------------------------------------------------------------------------------------------


@EVERY
def test_one_annotator_is_not_enough(spec: str) -> None:
    with pytest.raises(accord.DataError, match="agreement needs two at least"):
        accord.score(read([("d", "A", 0, 5, "a")]), spec)


@EVERY
def test_items_are_not_units(spec: str) -> None:
    with pytest.raises(accord.AccordError):
        accord.score([["x", "y"], ["x", "x"]], spec)


def test_scales_want_numbers() -> None:
    with pytest.raises(accord.DataError, match=r"theta\(scale=interval\) needs labels that are numbers"):
        accord.theta(CORPUS, scale="interval")
    assert accord.theta(CORPUS, scale="ordinal").details["zones_cut"] == "atomic"


def test_undefined_has_a_reason() -> None:
    full = read([("d", who, 0, 10, "x") for who in "AB"])
    for spec in ("u_alpha", "bar_u_alpha", "cu_alpha", "kappa_d", "alpha_d"):
        score = accord.score(full, spec)
        assert math.isnan(score.value)
        assert "0/0" in (score.undefined or "")
    apart = accord.cu_alpha(read([("d", "A", 0, 5, "x"), ("d", "B", 10, 15, "y")]))
    assert math.isnan(apart.value)
    assert apart.undefined
    sure = accord.theta(full, random=1.0)
    assert math.isnan(sure.value)
    assert "always agree" in (sure.undefined or "")
