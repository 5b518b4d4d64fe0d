"""Regression tests for defects seen on report pages."""

from __future__ import annotations

import random
from pathlib import Path

import accord
from accord.answers.reporting.breakdowns import breakdown
from accord.answers.reporting.page import render_name, shorten_name
from accord.answers.reporting.reports import Report, Section, _upright
from accord.answers.reporting.sentences import sentence_as_text
from accord.core.figures.bars import Forest
from accord.core.figures.heatmap import Confusion
from accord.core.tables import Table
from accord.data.model.data import Fact, some

from ..command_line import Cli


def section(report: Report, key: str) -> Section:
    return next(one for one in report.parts[0].sections if one.key == key)


def crowd(people: int, items: int = 40) -> dict[str, list[str]]:
    rng = random.Random(1)  # noqa: S311
    rows = [(f"i{i}", f"A{a}", rng.choice("xy")) for i in range(items) for a in range(people)]
    return dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))


def test_forest_of_categories_has_the_intervals_of_single_scores() -> None:
    data = accord.read(crowd(2, 20))
    report = accord.report(data, jobs=1, measures="alpha")
    forest = next(f for f in section(report, "disagreement").figures if isinstance(f, Forest) and f.what == "category")
    alone = {one.name: one.interval for one in forest.estimates if not one.whole}
    assert None not in alone.values()
    for k, name in enumerate(data.categories.names):
        assert alone[name] == accord.score(data.against_rest(k), "alpha").interval


def test_undefined_value_without_an_annotator_is_reported_as_undefined() -> None:
    """Without Ana or Ben no item has two labels."""
    rng = random.Random(2)  # noqa: S311
    rows = [[a := rng.choice("xyz"), a if rng.random() < 0.7 else "x", None] for _ in range(60)]
    rows[0][2] = rows[0][0]
    data = accord.Ratings.from_rows(rows, annotators=["Ana", "Ben", "Zoe"])
    step = accord.report(data, jobs=1, measures="alpha").parts[0].verdict.steps[0]
    words = sentence_as_text(step.said)
    assert "any one annotator" not in words
    if "does not improve" in words:
        assert "is undefined" in words
        assert "Zoe" in words.partition("is undefined")[0]


def test_many_annotators_are_listed_in_rows() -> None:
    made = _upright(Table("", *accord.read(crowd(30)).first(5)))
    assert made.columns == ("annotator \\ item", "i0", "i1", "i2", "i3", "i4")
    assert [row[0] for row in made.rows] == [f"A{k}" for k in range(30)]
    few = Table("", *accord.read(crowd(3)).first(5))
    assert _upright(few) is few


def test_worst_items_are_listed_with_their_text() -> None:
    data = crowd(3)
    data["words"] = [f"the words of {item}" for item in data["item"]]
    (worst,) = section(accord.report(data, jobs=1, measures="alpha", text="words"), "places").tables
    at = worst.columns.index("text")
    assert all(row[at] == f"the words of {row[0]}" for row in worst.rows)


def test_rounds_alone_are_no_reason_for_caution() -> None:
    twice = {name: cells * 2 for name, cells in crowd(2, 4).items()}
    twice["round"] = ["1"] * 8 + ["2"] * 8
    notes = accord.read(twice, by=["round"]).notes
    assert any("as another item" in note for note in notes)
    assert all(isinstance(note, Fact) for note in notes)


def test_tokens_are_not_called_units() -> None:
    texts = {
        "doc": ["d", "d", "e", "e"],
        "annotator": ["Ana", "Ben"] * 2,
        "text": ["the old house", "the odd house", "a small red door", "a small door"],
    }
    data = accord.read(texts, layout="texts")
    score = accord.score(data, "text_gamma(samples=5,precision=0.5)", interval="none")
    table = breakdown("", "document", data, (score,))
    assert "tokens" in table.columns
    assert "units" not in table.columns


def test_report_notes_that_numbers_are_scored_as_names() -> None:
    rng = random.Random(3)  # noqa: S311
    rows = [[str(a := rng.randint(1, 5)), str(min(5, a + rng.randint(0, 1)))] for _ in range(20)]
    ratings = accord.Ratings.from_rows(rows)

    def words(measure: str) -> str:
        return " ".join(accord.report(ratings, jobs=1, measures=measure).parts[0].verdict.lines())

    assert "ordinal is assumed; state it with" in words("alpha")
    assert "count every difference the same" not in words("alpha")
    assert "kappa counts every difference the same" in words("kappa")
    assert "every difference" not in words("alpha(distance=interval)")


def test_caption_of_a_large_matrix_mentions_no_brackets() -> None:
    small, large = (Confusion("", tuple(f"c{k}" for k in range(n)), ((1.0,) * n,) * n) for n in (3, 28))
    assert "in brackets" in small.caption
    assert "in brackets" not in large.caption


def test_counts_are_reported_once() -> None:
    names = [f"A{k}" for k in range(30)]
    assert some(names).endswith(" … (30)")
    assert some(names, told=True).endswith("A19 …")
    facts = dict(accord.read(crowd(30)).described())
    assert facts["annotators"].count("30") == 1


def test_report_notes_that_sets_are_scored_as_names(cli: Cli, tmp_path: Path) -> None:
    rows = [["a|b", "a"], ["b", "b"], ["a", "a|b"], ["b", "a"], ["a", "a"]]
    path = tmp_path / "tags.csv"
    path.write_text("item,Ana,Ben\n" + "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(rows)))
    note = "The labels are sets, but kappa counts partial agreement as disagreement"
    assert note in "\n".join(accord.report(path, measures="kappa", sets="|", jobs=1).facts())
    assert note not in "\n".join(accord.report(path, sets="|", jobs=1).facts())
    assert "alpha(distance=masi)" in cli("score", path, "--sets", "|").out
    assert "alpha(distance=masi)" not in cli("score", path).out  # without --sets, a|b is a name


def test_tokens_with_equal_costs_come_from_all_documents(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    words = [f"w{k}" for k in range(40)]
    texts = [(d, who, [w + "x" * (who == "Ben") for w in words]) for d in ("one", "two") for who in ("Ana", "Ben")]
    path.write_text("doc,annotator,text\n" + "".join(f"{d},{who},{' '.join(tokens)}\n" for d, who, tokens in texts))
    (part,) = accord.report(path, jobs=1).parts
    (table,) = next(one for one in part.sections if one.key == "places").tables
    assert [row[0] for row in table.rows[:4]] == ["one", "two", "one", "two"]


def test_long_text_is_cut_between_words() -> None:
    words = [f"{k:07}" for k in range(60)]
    short = shorten_name(" ".join(words), 100)
    assert len(short) <= 100
    assert {*short.split(" ")} <= {*words, "…"}


def test_short_names_are_not_broken() -> None:
    assert render_name("text-7") == "<bdi class=whole>text-7</bdi>"
    assert "whole" not in render_name("a name-that-is-long-enough-to-be-broken")
    assert "whole" not in render_name("語" * 12)  # each character is two columns wide
