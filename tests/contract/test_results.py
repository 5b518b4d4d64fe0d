"""Every class of results: all outputs, hostile labels, data frames and pickles."""

from __future__ import annotations

import csv
import json
import math
import pickle
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from tests.planned import answered

import accord
from accord.answers.advising.advice import Advice, Advices
from accord.answers.annotators import Annotators, annotators
from accord.answers.checks import Checks, check
from accord.answers.citing import Citation
from accord.answers.compare import compare, compare_all
from accord.answers.compare_groups import GroupAgreement, compare_groups
from accord.answers.comparison import Comparison, Comparisons
from accord.answers.converting import Converted, convert
from accord.answers.disagreements import Disagreements
from accord.answers.gold.settled import Gold
from accord.answers.influence import Influence, influence
from accord.answers.intra import Intra, intra
from accord.answers.limits import BlandAltman, bland_altman
from accord.answers.map import MappedTables
from accord.answers.marginals import Marginals, marginals
from accord.answers.plan_layout import Crossing, Layout, crossing, layout
from accord.answers.plan_size import SampleSize, sample_size
from accord.answers.plot import Plotted
from accord.answers.read import Understood
from accord.answers.replacement import Replacement
from accord.answers.reporting.reports import Report
from accord.answers.score import Results
from accord.answers.simulate.meaning import Meaning, meaning
from accord.answers.simulate.shuffle import Shuffled
from accord.answers.simulate.xray import Xray, xray
from accord.answers.trend import Trend, trend
from accord.core.figures.figure import as_svg
from accord.core.result import NamedScores, Parts, PartTable, Result, Score, Scores
from accord.core.tables import Interval, Table, as_frame, shown
from accord.doors.functions import icc_forms
from accord.doors.rendering import OUTPUTS, render
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

from ..cases import for_each
from ..refusals import raises

NASTY = ("<script>x</script>", "a|b", "a_b & 100%", "\x1b[31mred")
PEOPLE = ("Ana_1", "<b>Ben</b>", "Cle|o")


@cache
def ratings() -> accord.Ratings:
    rows = [[NASTY[(k + (k % 5 == g)) % 4] for g in range(3)] for k in range(24)]
    return accord.Ratings.from_rows(rows, annotators=PEOPLE)


@cache
def numbers() -> accord.Ratings:
    return accord.Ratings.from_rows([[k % 5, k % 5 + (k % 3 == 0), k % 4] for k in range(12)], annotators=PEOPLE)


def alone() -> accord.Corpus:
    return units().only_annotators(PEOPLE[:1])


@cache
def apart() -> accord.Corpus:
    """Units that do not overlap, with labels."""
    rows = [(who, 20 * k + g, 20 * k + 8, "xy"[(k + (k == g)) % 2]) for g, who in enumerate(PEOPLE) for k in range(6)]
    names = ("annotator", "start", "end", "label")
    found = accord.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert isinstance(found, accord.Corpus)
    return found


@cache
def units() -> accord.Corpus:
    rows = [
        (doc, who, 20 * k + g * (k % 2), 20 * k + 8 + g, NASTY[(k + (k == g)) % 4])
        for doc, (g, who), k in product(("d_1", "d|2", "<d3>"), enumerate(PEOPLE), range(5))
    ]
    names = ("doc", "annotator", "start", "end", "label")
    found = accord.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert isinstance(found, accord.Corpus)
    return found


def texts(people: tuple[str, ...]) -> accord.Texts:
    written = ("one <b>two</b> a|b a_b \x1b[31m", "one <b>too</b> a|b ab \x1b[31m", "<b>two</b> a|c a_b \x1b[31m")
    given = {(doc, who): text for doc in ("d_1", "<d2>") for who, text in zip(people, written, strict=False)}
    return accord.Texts.of_words(given)


@contextmanager
def file(header: str, rows: Iterable[Sequence[object]]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([header.split(","), *rows])
        yield str(path)


def repeated() -> Intra:
    rows = [(f"i{k}", who, "xy"[(k + (k == t)) % 2]) for k in range(8) for who in ("A_1", "<b>") for t in (3, 9)]
    with file("item,annotator,label", rows) as path:
        return intra(path, "alpha")


def results() -> Results:
    labels = [(f"i{k}", NASTY[k % 2], NASTY[(k + k % 3) % 2], NASTY[k % 3]) for k in range(9)]
    asked = {"by": ("category", "pair", "item"), "scale": ("altman",), "marginals": True, "matrix": True}
    with file("item,A_1,<b>,C", labels) as path:
        return answered("score", path, measure=("alpha", "pi"), **asked)


def places() -> Results:
    rows = [(doc, who, 9 * k, 9 * k + 4 + g, NASTY[k % 3])
            for doc, (g, who), k in product(("d_1", "d2"), enumerate(("A_1", "<b>")), range(4))]  # fmt: skip
    with file("doc,annotator,start,end,label", rows) as path:
        return answered("score", path, measure=("gamma", "ser"), by=("category",), explain=True)


def plotted(sort: str) -> Plotted:
    labels = [(f"i{k}", NASTY[k % 2], NASTY[(k + k % 3) % 2], NASTY[k % 3]) for k in range(9)]
    with file("item,A_1,<b>,C", labels) as path:
        found = answered("plot", path, kind=sort, measure=("alpha",))
    assert isinstance(found, Plotted)
    return found


def half(first: bool) -> accord.Ratings:
    names = list(ratings().items)
    return ratings().only_named(set(names[:12] if first else names[12:]))


def in_rounds() -> accord.Ratings:
    names = ("item", "annotator", "label", "round")
    rows = [(*row, NASTY[k // 36]) for k, row in enumerate(ratings().rows()[1])]
    found = accord.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), by="round")
    assert isinstance(found, accord.Ratings)
    return found


def converted() -> Converted:
    with tempfile.TemporaryDirectory() as folder:
        found = convert(units(), Path(folder) / "out", "textgrid")
    return replace(found, path="out", notes=("a_1 <b>",))


EVERY: dict[str, tuple[type[Result], Callable[[], Result]]] = {
    "score": (Score, lambda: accord.alpha(ratings())),
    "score of units": (Score, lambda: accord.gamma(units(), jobs=1, interval="monte_carlo")),
    "converted": (Converted, converted),
    "undefined score": (Score, lambda: accord.pi([["a", "a"], ["a", "a"]])),
    "scores": (Scores, lambda: Scores((accord.alpha(ratings()), accord.kappa(ratings()), accord.ser(units())))),
    "named scores": (NamedScores, lambda: icc_forms(numbers())),
    "breakdown": (PartTable, lambda: accord.alpha(ratings()).parts["pair"]),
    "results": (Results, results),
    "results of units": (Results, places),
    "comparison": (Comparison, lambda: compare(half(True), half(False), "alpha", names=("a_1", "<b>"))),
    "comparisons": (
        Comparisons,
        lambda: compare_all({"a_1": half(True), "<b>": half(False), "c|d": ratings()}, ["alpha", "pi"]),
    ),
    "groups": (GroupAgreement, lambda: compare_groups(ratings(), {"<a>": PEOPLE[:2], "b_1": PEOPLE[2:]})),
    "influence": (Influence, lambda: influence(ratings(), "alpha", replicates=100)),
    "influence on units": (Influence, lambda: influence(units(), "f1", replicates=100, jobs=1)),
    "checks": (Checks, lambda: check(ratings(), {"alpha": 0.2}, {"percent": 0.1})),
    "layout": (Layout, lambda: layout(["d_1", "<d2>", "d|3"], list(PEOPLE))),
    "sample size": (SampleSize, lambda: sample_size("alpha", width=0.3, pilot=ratings(), simulations=10)),
    "crossing": (Crossing, lambda: crossing(ratings(), "ac", designs=5)),
    "intra": (Intra, repeated),
    "annotators": (Annotators, lambda: annotators(ratings())),
    "annotators of units": (Annotators, lambda: annotators(units(), jobs=1)),
    "trend": (Trend, lambda: trend(in_rounds(), "round", ["alpha", "pi"])),
    "advice": (Advice, lambda: accord.advise(ratings(), models=PEOPLE[1])),
    "advice that asks": (Advice, lambda: accord.advise(numbers())),
    "advice on units": (Advice, lambda: accord.advise(units(), reference=PEOPLE[1])),
    "advice on variables": (Advices, lambda: Advices((accord.advise(ratings()), accord.advise(units())))),
    "citation": (Citation, lambda: accord.cite(accord.gamma_k(units(), category=NASTY[2], jobs=1))),
    "checks by parts": (Checks, lambda: check(ratings(), {"alpha": 0.2}, by="category")),
    "meaning": (Meaning, lambda: meaning(ratings(), "alpha", step=0.5, sets=2, jobs=1)),
    "xray": (Xray, lambda: xray(alone(), "category", ["f1", "ser"], step=0.5, sets=2, jobs=1)),
    "marginals": (Marginals, lambda: marginals(ratings())),
    "Bland and Altman": (BlandAltman, lambda: bland_altman(numbers(), *PEOPLE[:2])),
    "unitary alignments": (UnitaryAlignments, lambda: accord.align(units(), jobs=1)),
    "understood": (Understood, lambda: Understood({"a_1": ratings(), "<b>": units(), "c|d": texts(PEOPLE)})),
    "mapped": (MappedTables, lambda: accord.map({"<id>": [1, 2], NASTY[0]: ["a", "b"], NASTY[1]: ["a", "a"]})),
    "plotted": (Plotted, lambda: plotted("confusion")),
    "plotted intervals": (Plotted, lambda: plotted("forest")),
    "gold": (Gold, lambda: accord.gold(ratings())),
    "gold of units": (Gold, lambda: accord.gold(units(), boundaries="union")),
    "disagreements": (Disagreements, lambda: accord.disagreements(units())),
    "replacement": (Replacement, lambda: accord.replace(ratings(), [PEOPLE[2]], least_items=5)),
    "shuffled": (Shuffled, lambda: Shuffled(accord.shuffle(alone(), "category", seed=1), alone())),
    "report": (Report, lambda: accord.report(ratings(), None, "alpha", jobs=1)),
    "report of units": (Report, lambda: accord.report(units(), None, "f1", jobs=1)),
    "two texts": (TextAlignments, lambda: accord.align(texts(PEOPLE[:2]), "text_gamma")),
    "three texts": (TextAlignments, lambda: accord.align(texts(PEOPLE), "text_gamma")),
}  # fmt: skip
NAMES = pytest.mark.parametrize("name", EVERY)


@cache
def made(name: str) -> Result:
    cls, make = EVERY[name]
    found = make()
    assert type(found) is cls
    return found


@NAMES
@for_each("kind", OUTPUTS)
def test_every_result_renders_in_every_output(name: str, kind: str) -> None:
    found = render(made(name), kind)
    assert found.strip()
    assert found.endswith("\n")
    assert render(made(name), kind, color=True).strip()


@NAMES
def test_json_contains_only_plain_values(name: str) -> None:
    found = made(name).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert json.loads(render(made(name), "json")) == {"accord": accord.__version__, **found}


@NAMES
def test_hostile_names_are_escaped_in_every_output(name: str) -> None:
    found = made(name)
    page, marked = found._repr_html_(), re.sub(r"(?s)```.*?```", "", render(found, "markdown"))
    for tag in ("script", "b", "d2", "d3"):
        assert f"<{tag}>" not in page
        assert not re.search(rf"(?<!\\)<{tag}>", marked)
    for line in marked.splitlines():
        assert not re.search(r"(?<!\\)_", line), line
    for table in (one.table for one in found.printed()):
        lines = [line for line in marked.splitlines() if line.startswith("| ")]
        cells = {len(re.findall(r"(?<!\\)\|", line)) - 1 for line in lines}
        assert len(table.columns) in cells or not table.rows
    paper = "\n".join(line for line in render(found, "latex").splitlines() if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[_&%](?!\s)(?<!& )", paper.replace(" & ", "  "))
    assert "<" not in paper
    for text in (page, marked, paper, render(found, "text")):
        assert "\x1b" not in text


WITHOUT_PICTURE = {
    "advice", "advice that asks", "advice on units", "advice on variables", "citation", "converted", "layout",
    "sample size", "understood", "mapped", "gold", "gold of units", "shuffled",
}  # fmt: skip


@NAMES
def test_result_has_a_plot_or_refuses_to_plot(name: str) -> None:
    found = made(name)
    if name in WITHOUT_PICTURE:
        assert found.figures() == []
        with raises("measure-for-other-data"):
            found.plot()
        return
    kinds = found.drawings()
    ax = found.plot()
    assert all(hasattr(one, "get_figure") for one in getattr(ax, "flat", [ax]))
    with raises("unknown-name"):
        found.plot(kind="no such picture")
    for kind, figure in zip(kinds, found.figures(), strict=True):
        assert figure.caption
        table = figure.table()
        assert table.rows, kind
        assert all(len(row) == len(table.columns) for row in table.rows)
        page = as_svg(figure)
        assert "<script>" not in page
        assert "\x1b" not in page
        hash(figure)  # a frozen value


@NAMES
def test_repr_of_a_result_is_one_short_line(name: str) -> None:
    found = repr(made(name))
    assert "\n" not in found
    assert "\x1b" not in found
    assert len(found) < 200
    assert found.startswith("<")
    assert str(made(name)).strip()
    assert "\x1b" not in str(made(name))


@NAMES
def test_results_become_data_frames(name: str) -> None:
    found = made(name)
    table = found.flat()
    assert len(set(table.columns)) == len(table.columns)
    for library, cls in (("pandas", pd.DataFrame), ("polars", pl.DataFrame), (None, pd.DataFrame)):
        frame = found.to_frame(library)  # type: ignore[arg-type]
        assert isinstance(frame, cls)
        assert list(frame.columns) == list(table.columns)
        assert len(frame) == len(table.rows)


@NAMES
def test_pickled_result_is_equal(name: str) -> None:
    fresh = EVERY[name][1]() if name in {"score", "score of units", "results"} else made(name)
    again = pickle.loads(pickle.dumps(fresh))  # noqa: S301
    assert again.to_dict() == fresh.to_dict()
    assert again.flat() == fresh.flat() or repr(again.flat()) == repr(fresh.flat())  # NaN differs from itself
    assert [repr(table) for table in again.tables()] == [repr(table) for table in fresh.tables()]
    assert [render(again, kind) for kind in OUTPUTS] == [render(fresh, kind) for kind in OUTPUTS]


def test_every_class_of_results_is_in_this_module() -> None:
    def below(cls: type) -> set[type]:
        return {cls, *(one for sub in cls.__subclasses__() for one in below(sub))}

    known = {cls for cls in below(Result) if cls.__module__.startswith("accord.")}
    abstract = {"Result", "Several", "ScoresByName"}
    assert {cls for cls in known if cls.__name__ not in abstract} == {cls for cls, _ in EVERY.values()}


def test_str_of_a_score_shows_its_value() -> None:
    score = accord.alpha(ratings())
    assert score.interval is not None
    limits = f"[{score.interval.low:.3f}, {score.interval.high:.3f}]"
    assert str(score) == f"α = {score.value:.3f} {limits}"
    assert repr(score) == f"<Score alpha = {score.value:.3f} {limits}>"
    ordinal = accord.score(numbers(), "alpha(distance=ordinal)", interval="none")
    assert repr(ordinal) == f"<Score alpha(distance=ordinal) = {ordinal.value:.3f}>"
    assert str(accord.percent(ratings(), interval="none")).startswith("percent = ")
    assert str(accord.ser(units(), interval="none")).startswith("SER = ")
    assert str(made("undefined score")) == "π is undefined: " + str(made("undefined score").undefined)  # type: ignore[attr-defined]
    assert str(Score(-0.0001, "mine")) == "mine = 0.000"


def test_scores_are_found_by_index_and_by_spec() -> None:
    one, two = accord.alpha(ratings()), accord.score(ratings(), "kappa(weights=linear)")
    scores = Scores([one, two])  # type: ignore[arg-type]
    assert scores[0] is one
    assert scores["kappa(weights=linear)"] is two
    assert list(scores) == [one, two]
    assert scores[:1] == Scores((one,))
    assert (len(scores), one in scores) == (2, True)
    with pytest.raises(KeyError, match="known: alpha"):
        scores["pi"]


def test_collections_of_results_behave_like_tuples() -> None:
    found = made("comparisons")
    assert isinstance(found, Comparisons)
    assert len(found) == 6
    assert isinstance(found[1:3], Comparisons)
    assert isinstance(found[-1], Comparison)
    assert list(found) == [found[k] for k in range(6)]
    checks = made("checks")
    assert isinstance(checks, Checks)
    assert [one.passed for one in checks] == [True, False]
    assert not checks.passed
    assert checks[:1].passed


@pytest.mark.parametrize("spec", ["alpha", "kappa_d", "gamma(chance=shift)", "gamma_cat", "f1", "cu_alpha"])
def test_pickle_contains_breakdowns_not_computed_before(spec: str) -> None:
    data = ratings() if spec == "alpha" else apart()
    score = accord.score(data, spec, interval="none", jobs=1)
    assert isinstance(score.parts, Parts)
    again = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert list(again.parts) == list(score.parts)
    for part, found in score.parts.items():
        values = {name: s.value for name, s in found.items()}
        assert {name: s.value for name, s in again.parts[part].items()} == pytest.approx(values, nan_ok=True)


def test_pickling_computes_no_expensive_breakdowns() -> None:
    """Some breakdowns of coefficients on items are refused for many annotators; pickling must still work."""
    many = accord.read(
        {"item": [k // 2 for k in range(4_000)], "annotator": [*range(4_000)], "label": ["x", "y"] * 2_000}
    )
    again = pickle.loads(pickle.dumps(accord.alpha(many)))  # noqa: S301
    with raises("too-large-to-compute"):
        again.parts["pair"]
    assert set(again.parts["category"]) == {"x", "y"}


def test_long_tables_are_cut_only_on_the_screen() -> None:
    found = layout(500, 3)
    assert "more rows" in render(found, "markdown")
    assert len(found.to_frame()) == 1000
    assert render(found, "csv").count("\n") == 1001


def test_frames_are_selected_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("", ("number", "name", "none"), ((1, "x", None), (2.5, None, None), (math.nan, "y", None)))
    assert as_frame(table, "polars")["number"].to_list()[:2] == [1.0, 2.5]
    with raises("unknown-name"):
        as_frame(table, "excel")  # type: ignore[arg-type]
    monkeypatch.setattr("accord.core.tables.find_spec", lambda _: None)
    assert isinstance(as_frame(table), pl.DataFrame)
    with raises("missing-package"):
        as_frame(table, "pandas")
    with pytest.raises(AssertionError):
        render(accord.alpha(ratings()), "yaml")


# -- signs of zero ---------------------------------------------------------------------------------------------------

NEARLY_0 = -1e-9
AROUND_0 = Interval(NEARLY_0, NEARLY_0 / 2, 0.95, "made up")
NEGATIVE_0 = re.compile(r"[-−]0\.0+(?![0-9])")


def test_zero_has_no_sign_in_any_output() -> None:
    score = Score(NEARLY_0, "alpha", observed=NEARLY_0, expected=NEARLY_0, interval=AROUND_0, symbol="α")
    assert (shown(NEARLY_0), shown(AROUND_0), str(score)) == ("0.000", "[0.000, 0.000]", "α = 0.000 [0.000, 0.000]")
    assert shown(-0.0006) == "-0.001"
    found = compare(numbers(), numbers(), "alpha")
    none = replace(found, a=score, b=score, difference=NEARLY_0, interval=AROUND_0)
    assert "b − a = +0.000, 95% interval +0.000 to +0.000" in none.sentence
    for result in (score, Scores((score,)), none):
        made = [str(result), repr(result), result._repr_html_()]
        made += [render(result, output) for output in ("text", "markdown", "latex")]
        for text in made:
            assert not NEGATIVE_0.search(text), text
