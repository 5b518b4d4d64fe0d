"""Recommended measures run on the data. Advice asks for facts that the data do not contain."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.planned import answered

import accord
from accord.answers.advising.advice import Advice
from accord.data.io import Reading

from ..cases import for_each
from ..command_line import Cli
from ..contract import kinds
from ..refusals import raises

ROOT = Path(__file__).resolve().parents[2]
GARDEN = ROOT / "examples" / "garden"


def rows(
    labels: list[Any], wrong: float = 0.2, annotators: int = 3, n: int = 40, gaps: bool = False
) -> list[list[Any]]:
    rng = np.random.default_rng(11)
    truth = [labels[k % len(labels)] for k in range(n)]
    made = [
        [one if rng.random() > wrong else labels[rng.integers(len(labels))] for _ in range(annotators)] for one in truth
    ]
    if gaps:
        made = [[None if k % 7 == g else label for g, label in enumerate(row)] for k, row in enumerate(made)]
    return made


def ratings(labels: list[Any], **how: Any) -> accord.Ratings:
    return accord.Ratings.from_rows(rows(labels, **how))


def stretches() -> accord.Corpus:
    table: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    rng = np.random.default_rng(4)
    for doc in "abcdef":
        for who in ("Ana", "Ben"):
            cuts = [0, *sorted(rng.choice(np.arange(5, 95), 5, replace=False).tolist()), 100]
            for k, (start, end) in enumerate(itertools.pairwise(cuts)):
                for name, value in zip(table, (doc, who, start, end, "xyz"[k % 3]), strict=True):
                    table[name].append(value)
    found = accord.read(table, extents=dict.fromkeys("abcdef", (0, 100)))
    assert isinstance(found, accord.Corpus)
    return found


def same_places() -> accord.Corpus:
    table: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    for doc in "abcdef":
        for g, who in enumerate(("Ana", "Ben")):
            for k in range(6):
                for name, value in zip(table, (doc, who, 10 * k, 10 * k + 6, "xyz"[(k + (k == g)) % 3]), strict=True):
                    table[name].append(value)
    found = accord.read(table)
    assert isinstance(found, accord.Corpus)
    return found


def of_kind(name: str) -> Any:
    kind = next(kind for kind in kinds.KINDS if kind.name == name)
    return kind.read(kind.rows)


SETS = [frozenset("ab"), frozenset("a"), frozenset("bc"), frozenset("c")]
CASES: dict[str, tuple[str, Callable[[], Any], dict[str, Any]]] = {
    "names": ("names", lambda: ratings(list("xyz")), {}),
    "names with gaps": ("names", lambda: ratings(list("xyz"), gaps=True), {}),
    "two names": ("names", lambda: ratings(["yes", "no"], annotators=2), {}),
    "skewed": ("names", lambda: ratings(["no"] * 19 + ["yes"], wrong=0.02, annotators=2, n=100), {}),
    "against one": ("names", lambda: ratings(list("xyz")), {"reference": "A2"}),
    "grades": ("grades", lambda: ratings([1, 2, 3, 4, 5]), {"say": "order=grades"}),
    "words in an order": (
        "grades",
        lambda: accord.Ratings.from_rows(rows(["low", "mid", "high"]), categories=["low", "mid", "high"]),
        {"say": {"order": "grades"}},
    ),
    "skewed grades": ("grades", lambda: ratings([1] * 19 + [2, 3], wrong=0.02), {"say": "order=grades"}),
    "measured": ("amounts", lambda: ratings([1.5, 2.25, 7.0, 11.5, 3.0]), {}),
    "measured with gaps": ("amounts", lambda: ratings([1.5, 2.25, 7.0, 11.5, 3.0], gaps=True), {}),
    "measured against one": ("amounts", lambda: ratings([1.5, 2.25, 7.0, 11.5]), {"reference": "A1"}),
    "counted": ("amounts", lambda: ratings(list(range(30))), {}),
    "round": ("circle", lambda: ratings([0, 6, 12, 18, 23]), {"say": "order=circle"}),
    "sets": ("sets", lambda: ratings(SETS), {}),
    "counts": ("names", lambda: accord.Ratings.from_counts([[3, 0], [2, 1], [0, 3], [3, 0]], ["x", "y"]), {}),
    "things": ("things", lambda: of_kind("units"), {}),
    "things against one": ("things", lambda: of_kind("units"), {"reference": "Ben"}),
    "stretches": ("stretches", stretches, {}),
    "given": ("given", same_places, {}),
    "boundaries": ("boundaries", lambda: of_kind("segmentations"), {}),
    "boundaries against one": ("boundaries", lambda: of_kind("segmentations"), {"reference": "Ana"}),
    "texts": ("texts", lambda: of_kind("texts"), {}),
    "chains": ("chains", lambda: of_kind("chains of coreference"), {}),
    "chains against one": ("chains", lambda: of_kind("chains of coreference"), {"reference": "Ana"}),
}


def check_recommended_measures_run(advice: Advice, data: Any) -> None:
    assert advice.specs
    for spec in advice.specs:
        score = accord.score(data, spec, interval="none")
        assert np.isfinite(score.value), spec
        assert str(accord.measure(spec)) == spec


@pytest.mark.parametrize("name", CASES)
def test_recommended_measures_can_be_computed(name: str) -> None:
    case, make, answers = CASES[name]
    data = make()
    found = accord.advise(data, **answers)
    assert found.case == case
    assert found.open is None
    assert found.ways == ()
    assert [step.question.name for step in found.steps][-2:] == ["complete", "reference"]
    check_recommended_measures_run(found, data)


def test_tree_of_labels_recommends_a_distance_on_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree of acts.csv"
    tree.write_text("label,parent\nact,\nask,act\nsay,act\n", encoding="utf-8")
    data = ratings(["act", "ask", "say"])
    found = accord.advise(data, tree=str(tree))
    assert [spec.partition("(")[0] for spec in found.specs] == ["alpha", "alpha", "alpha"]
    assert "melamed_resnik" in found.specs[0]
    check_recommended_measures_run(found, data)
    with raises("option-missing"):
        accord.advise(data, say="order=tree")


def test_whole_numbers_leave_the_order_question_open() -> None:
    data = ratings([1, 2, 3, 4, 5])
    found = accord.advise(data)
    assert found.case is None
    assert found.measures == ()
    assert found.open is not None
    assert found.open.question.name == "order"
    assert {way.answer: way.spec for way in found.ways} == {
        "names": "alpha",
        "grades": "alpha(distance=ordinal)",
        "amounts": "icc(form=2)",
    }
    check_recommended_measures_run(found, data)
    for way in found.ways:  # each suggested option makes its measure the first recommendation
        assert way.say == f"--say order={way.answer}"
        assert accord.advise(data, say=way.say.removeprefix("--say ")).specs[0] == way.spec


CYCLIC: dict[str, list[Any]] = {
    "hours": [0, 6, 12, 18, 23],
    "hours from 1": [1, 8, 16, 24],
    "months": list(range(1, 13)),
    "degrees": [0.5, 90.0, 180.0, 270.0, 355.5],
    "degrees around 0": [-170.0, -20.5, 90.0, 175.0],
    "weekdays": ["Mon", "Tue", "Fri", "Sun"],
    "names of months": ["January", "May", "December"],
    "directions": ["N", "E", "SW", "W"],
}
NOT_CYCLIC: dict[str, list[Any]] = {
    "likert 5": [1, 2, 3, 4, 5],
    "likert 7": [1, 2, 3, 4, 5, 6, 7],
    "0 to 10": list(range(11)),
    "1 to 10": list(range(1, 11)),
    "percent": [0, 20, 40, 60, 80, 100],
    "counts": list(range(18)),
    "measured": [1.5, 2.25, 7.0, 11.5],
    "grade words": ["severe", "mild", "moderate"],
    "words": ["plan", "report", "wish"],
}


@pytest.mark.parametrize("name", [*CYCLIC, *NOT_CYCLIC])
def test_circular_is_offered_only_where_labels_may_be_cyclic(name: str) -> None:
    found = accord.advise(ratings((CYCLIC | NOT_CYCLIC)[name], wrong=0.5))
    offered = "order=circle" in " ".join([*(way.say for way in found.ways), *found.closing()])
    assert offered == (name in CYCLIC)
    assert ("alpha(distance=circular)" in found.specs) == (offered and found.open is not None)


def test_user_can_say_that_any_numbers_are_cyclic() -> None:
    assert accord.advise(ratings([1, 2, 3, 4, 5, 6, 7]), say="order=circle").specs[0] == "alpha(distance=circular)"


def test_weekdays_are_cyclic_in_the_suggested_order() -> None:
    found = accord.advise(ratings(["Sun", "Tue", "Mon"]))
    assert found.open is not None
    assert "weekdays" in found.open.why
    assert "Mon,Tue,Sun" in found.open.why
    data = accord.Ratings.from_rows(rows(["Sun", "Tue", "Mon"]), categories=["Mon", "Tue", "Sun"])
    assert accord.advise(data, say="order=circle").case == "circle"


def test_icc_is_recommended_for_grades_that_are_numbers() -> None:
    assert "icc(form=2)" in accord.advise(ratings([1, 2, 3, 4, 5]), say="order=grades").specs
    gaps = accord.advise(ratings([1, 2, 3, 4, 5], gaps=True), say="order=grades").specs
    assert "icc(form=1)" in gaps
    assert "icc(form=2)" not in gaps
    words = accord.Ratings.from_rows(rows(["low", "mid", "high"]), categories=["low", "mid", "high"])
    assert not any(spec.startswith("icc") for spec in accord.advise(words, say="order=grades").specs)


def test_words_with_a_known_order_are_grades() -> None:
    found = accord.advise(ratings(["severe", "mild", "moderate"]))
    step = found.steps[1]
    assert (step.answer, step.how) == ("grades", "data")
    assert "mild < moderate < severe" in step.why
    assert found.specs[0] == "alpha(distance=ordinal)"


def test_unknown_words_are_names_with_a_hint_on_other_answers() -> None:
    data = ratings(["plan", "report", "wish"])
    found = accord.advise(data)
    step = found.steps[1]
    assert (step.answer, step.how) == ("names", "data")
    assert any("order=" in line for line in found.closing())
    with raises("option-missing"):
        accord.advise(data, say="order=grades")


LEVELS = {
    "nominal": "names", "ordinal": "grades", "interval": "amounts", "ratio": "amounts",
    "circular(24)": "circle",
}  # fmt: skip


@for_each("level", LEVELS)
def test_stated_level_answers_the_order_question(level: str) -> None:
    data = accord.read({"Ana": [1, 2, 3, 4, 5] * 6, "Ben": [1, 2, 3, 5, 5] * 6}, layout="wide", measurement=level)
    found = accord.advise(data)
    step = next(step for step in found.steps if step.question.name == "order")
    assert (step.answer, step.how, found.open) == (LEVELS[level], "data", None)
    assert level in step.why
    for one in found.measures:
        assert shlex.split(one.command)[3:5] == ["--measurement", level]
    if level == "circular(24)":
        assert found.specs == ("alpha(distance=circular(period=24))",)
    assert accord.advise(data, say=f"order={LEVELS[level]}").specs == found.specs
    check_recommended_measures_run(found, data)


def test_assumed_level_offers_the_candidates() -> None:
    found = accord.advise(ratings([1, 2, 3, 4, 5]))
    assert found.open is not None
    assert found.open.why == "whole numbers from 1 to 5 can be codes, grades or amounts"


def test_rankings_and_free_texts_can_be_compared_as_names_only() -> None:
    rankings = ratings(["m1>m2>m3", "m2>m1>m3", "m3>m1>m2"])
    found = accord.advise(rankings)
    assert found.open is not None
    assert "as names only" in found.open.why
    told = accord.advise(rankings, say="order=names")
    assert all("--measurement nominal" in one.command for one in told.measures)


@for_each("answer", ["names", "grades", "amounts"])
def test_told_answer_and_stated_level_compute_the_same(answer: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The printed commands state the level, so that they compute what was recommended. The told answer wins."""
    monkeypatch.chdir(ROOT)
    path = "examples/garden/tone.csv"
    level = next(level for level, name in LEVELS.items() if name == answer)
    found = accord.advise(path, say=f"order={answer}")
    assert found.specs == accord.advise(path, measurement=level).specs
    assert [one.command for one in found.measures] == [
        one.command for one in accord.advise(path, say=f"order={answer}", measurement="nominal").measures
    ]
    for one in found.measures:
        assert f"--measurement {level}" in one.command
        score = json.loads(cli(*shlex.split(one.command)[1:], "--interval", "none", "--json").out)["scores"][0]
        assert score["value"] == accord.score(path, one.spec, measurement=level, interval="none").value
        assert score["measurement"] == level


def test_notes_name_facts_of_the_data() -> None:
    def facts(data: Any, **answers: Any) -> set[str]:
        return {note.fact for note in accord.advise(data, **answers).notes}

    assert facts(ratings(list("xyz"), n=200)) == set()
    assert facts(ratings(list("xyz"), n=200, gaps=True)) == {"gaps"}
    assert facts(ratings(list("xyz"), n=10)) == {"few"}
    assert facts(ratings(list("xyz"), n=200, annotators=2)) == {"two"}
    assert facts(ratings(list("xyz"), n=200, annotators=6)) == {"many"}
    assert facts(ratings(list("xyz"), n=200, annotators=1)) == {"alone", "few"}
    assert facts(ratings(["no"] * 199 + ["yes"], n=200, wrong=0)) == {"skewed", "rare"}
    assert facts(ratings([1.5, 2.5, 9.0], n=200)) == {"in_between"}
    crowd = [[("xyz"[k % 3] if g in {k % 9, (k + 1) % 9} else None) for g in range(9)] for k in range(90)]
    assert facts(accord.Ratings.from_rows(crowd)) == {"crowd", "gaps"}
    assert "overlaps" in facts(accord.read(str(GARDEN / "spans.csv")))


def test_frequent_and_rare_categories_are_named_with_their_shares() -> None:
    found = accord.advise(ratings(["no"] * 199 + ["yes"], n=200, wrong=0))
    words = {note.fact: note.words for note in found.notes}
    assert '100% of the labels are "no"' in words["skewed"] or '99% of the labels are "no"' in words["skewed"]
    assert words["rare"].startswith('"yes" was used fewer than five times')
    assert "ac" in found.specs


def test_models_are_recognised_by_name_or_by_option() -> None:
    data = accord.Ratings.from_rows(rows(list("xyz"), n=60), annotators=["Ana", "gpt-4o", "Ben"])
    notes = {note.fact: note for note in accord.advise(data).notes}
    assert notes["models"].command == "accord replace DATA --models gpt-4o"
    named = accord.advise(data, models="Ben")
    assert {note.fact: note.command for note in named.notes}["models"] == "accord replace DATA --models Ben"
    people = accord.Ratings.from_rows(rows(list("xyz"), n=60), annotators=["Ana", "Albert", "Botond"])
    assert "models" not in {note.fact for note in accord.advise(people).notes}


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"say": "order=amounts"}, "not-a-number"),
        ({"say": "order=sets"}, "option-missing"),
        ({"say": "unit=thing"}, "option-not-for-data"),
        ({"say": "marked=units"}, "option-not-for-data"),
        ({"say": "reference=yes"}, "option-missing"),
        ({"reference": "Zoe"}, 'unknown-name: "Zoe"'),
        ({"models": "Zoe"}, 'unknown-name: "Zoe"'),
    ],
)
def test_contradictory_answers_are_refused(answers: dict[str, Any], problem: str) -> None:
    with raises(problem):
        accord.advise(ratings(list("xyz")), **answers)


def test_commands_repeat_the_reading_options(tmp_path: Path) -> None:
    table = tmp_path / "my table.csv"
    lines = [f"i{k},{'abc'[k % 3]},{'abc'[k % 3] if k % 4 else 'NA'}" for k in range(9)]
    table.write_text("\n".join(["item,Ana,Ben", *lines]), encoding="utf-8")
    reading = Reading(missing=("NA",), categories=("b", "a", "c"))
    found = answered("advise", str(table), reading=reading, say=("order=names",))
    assert isinstance(found, Advice)
    read = [str(table), "--missing", "NA", "--categories", "b,a,c"]
    assert [shlex.split(one.command)[2:7] for one in found.measures] == [read] * len(found.measures)
    assert shlex.split(next(note.command for note in found.notes if note.command))[2:7] == read


def test_every_suggested_command_runs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("sentences.csv", "spans.csv"):
        advice = accord.advise(f"examples/garden/{name}")
        for one in advice.measures:
            result = cli(*shlex.split(one.command)[1:], "--interval", "none")
            assert result.code == 0, one.command
            assert one.spec in result.out


def test_advise_command_prints_options_and_json(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = cli("advise", "examples/garden/tone.csv")
    assert shown.code == 0
    assert "--say order=grades" in shown.out
    found = cli("advise", "examples/garden/tone.csv", "--say", "order=grades", "--json")
    found = json.loads(found.out)
    assert found["case"] == "grades"
    assert found["measures"][0]["spec"] == "alpha(distance=ordinal)"
    assert cli("advise", "examples/garden/tone.csv", "--say", "order=nominal").code == 2


def test_advise_command_accepts_several_variables(cli: Cli, tmp_path: Path) -> None:
    table = tmp_path / "many.csv"
    lines = [f"i{k},{who},{'ab'[k % 2]},{k % 5 + 1}" for k in range(40) for who in ("Ana", "Ben")]
    table.write_text("\n".join(["item,annotator,kind,grade", *lines]), encoding="utf-8")
    found = cli("advise", str(table), "--label", "kind", "--label", "grade", "--json")
    found = json.loads(found.out)
    assert [one["data"] for one in found["variables"]] == ["kind", "grade"]
    assert "--label kind" in found["variables"][0]["measures"][0]["command"]
    stated = cli("advise", table, "--label", "kind", "--label", "grade", "--measurement", "grade=ordinal", "--json")
    for one, level in zip(json.loads(stated.out)["variables"], (None, "ordinal"), strict=True):
        typed = shlex.split(one["measures"][0]["command"])[1:]
        assert ("--measurement" in typed) == (level is not None)  # of this variable only
        assert cli(*typed, "--interval", "none").code == 0
