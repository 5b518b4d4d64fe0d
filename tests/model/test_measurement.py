"""Levels of measurement: how they are guessed, stated, kept and used."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord.data.model.word_scales import recognise_scale

from ..command_line import Cli, refused
from ..refusals import raises


def level_of(
    labels: Sequence[object], variable: str = "label", repeats: int = 4, declared: Sequence[object] | None = None
) -> tuple[str, str]:
    """Return level and basis of two annotators who agree on labels that occur several times."""
    rows = [label for label in labels for _ in range(repeats)]
    data = accord.read(
        {"item": list(range(len(rows))) * 2, "annotator": ["A"] * len(rows) + ["B"] * len(rows), variable: rows * 2},
        item="item", annotator="annotator", label=variable, categories=declared,
    )  # fmt: skip
    return data.measurement.level, data.measurement.basis


@pytest.mark.parametrize(
    ("labels", "level"),
    [
        (["noun", "verb", "adjective"], "nominal"),
        (["yes", "no"], "binary"),
        ([0, 1], "binary"),
        (["0", "1"], "binary"),
        ([0.5, 1.25, 3.0], "interval"),
        (["1.5", "2.25", "7"], "interval"),
        (list(range(0, 53, 2)), "interval"),
        (["low", "high", "medium"], "ordinal"),
        (["Strongly agree", "agree", "neutral", "strongly disagree"], "ordinal"),
        (["stage II", "stage I", "stage IV"], "ordinal"),
        (["March", "January", "February"], "ordinal"),
        (["25-34", "18-24", "65+"], "ordinal"),
        (["not toxic", "very toxic", "somewhat toxic"], "ordinal"),
        (["positive", "neutral", "negative"], "nominal"),
        (["yes", "no", "maybe"], "nominal"),
        (["agree", "disagree", "neutral"], "nominal"),
        (["A>B", "B>A", "A=B"], "nominal"),
        (["m1>m2>m3", "m2>m1>m3", "m3>m1>m2"], "ranking"),
    ],
)
def test_labels_show_their_level(labels: list[object], level: str) -> None:
    assert level_of(labels) == (level, "labels")


@pytest.mark.parametrize("labels", [range(1, 6), range(11), range(-3, 2), (0, 25, 50, 75, 100), (0, 1, 2)])
def test_level_of_a_short_run_of_whole_numbers_is_assumed(labels: Sequence[int]) -> None:
    assert level_of(list(labels)) == ("ordinal", "assumed")
    assert level_of(list(labels), "topic_code") == ("nominal", "assumed")


def test_numbers_with_gaps_are_codes_only_if_they_are_repeated() -> None:
    assert level_of([3, 7, 99], repeats=20) == ("nominal", "labels")
    assert level_of([23, 45, 67, 88, 31, 52], repeats=1) == ("interval", "labels")  # ages of six patients


@pytest.mark.parametrize(
    "labels",
    [["5%", "10%", "25%"], ["$10", "$20", "$35"], ["1,000", "2,500", "10,000"], ["12:00", "13:30", "14:00"],
     ["2024-03-22", "2024-04-01", "2024-05-09"], ["−1", "0", "1"], ["1: no", "2: rather", "3: yes"],
     ["1", "2", "3", "unsure"]],
)  # fmt: skip
def test_numbers_that_accord_reads_as_words_are_stated(labels: list[str]) -> None:
    assert level_of(labels) == ("nominal", "assumed")


def test_skewed_counts_are_no_codes() -> None:
    assert level_of([0, 1, 2, 3, 4, 7, 12, 33, 80], repeats=20) == ("interval", "assumed")
    assert level_of([1, 2, 3, 4, 5, 99], repeats=20, declared=[1, 2, 3, 4, 5, 99]) == ("interval", "assumed")
    assert level_of([5, 1, 4, 2, 3], declared=[5, 4, 3, 2, 1])[0] == "ordinal"


def test_repeated_large_numbers_may_be_identifiers() -> None:
    assert level_of([10233 + 977 * k + k % 3 for k in range(30)], repeats=5) == ("interval", "assumed")


def test_long_identifiers_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text(
        "item,Ana,Ben\n" + "".join(f"{k},900000000000207008,90000000000020700{8 + k % 2}\n" for k in range(8))
    )
    assert accord.score(path, "percent", measurement="nominal").value == 0.5


def test_two_studies_are_compared_at_one_level(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    for name, codes in (("codes", [3, 17, 40]), ("grades", [1, 2, 3, 4, 5])):
        truth = rng.choice(codes, 60)
        other = np.where(rng.random(60) < 0.7, truth, rng.choice(codes, 60))
        rows = "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(zip(truth, other, strict=True)))
        (tmp_path / f"{name}.csv").write_text("item,A,B\n" + rows)
    found = accord.compare(tmp_path / "codes.csv", tmp_path / "grades.csv", "alpha", paired=False)
    assert found.a.measure == found.b.measure == "alpha(distance=nominal)"


def test_circular_shows_its_period() -> None:
    rows = [[0, 1], [6, 6], [12, 13], [18, 18]]
    assumed = accord.read(rows, measurement="circular").measurement
    assert assumed.in_words() == "circular(19) (stated; the period is assumed from the labels)"
    assert accord.score(rows, "alpha", measurement="circular(24)").measure == "alpha(distance=circular(period=24))"
    days = [["Monday", "Tuesday"], ["Sunday", "Sunday"], ["Friday", "Friday"]]
    assert str(accord.read(days, measurement="circular").measurement) == "circular(7)"


def test_words_of_a_scale_are_shown_in_their_order(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "severity.csv"
    rows = [("mild", "moderate"), ("severe", "severe"), ("moderate", "mild"), ("mild", "mild")]
    path.write_text("item,Ana,Ben\n" + "".join(f"s{k},{a},{b}\n" for k, (a, b) in enumerate(rows)))
    assert accord.read(path).categories.names == ("mild", "moderate", "severe")
    assert "ordinal (words with an order: mild < moderate < severe)" in " ".join(cli("read", path).out.split())
    score = accord.score(path, "alpha", interval="none")
    numbers = [[{"mild": 1, "moderate": 2, "severe": 3}[label] for label in row] for row in rows]
    assert score.measure == "alpha(distance=ordinal)"
    assert score.value == pytest.approx(accord.alpha(numbers, distance="ordinal", interval="none").value, abs=1e-12)


@pytest.mark.parametrize(
    "scale",
    [
        "low medium high", "never sometimes often always", "poor fair good excellent", "small medium large",
        "mild moderate severe", "jamais parfois souvent", "bajo medio alto", "laag gemiddeld hoog", "SD D N A SA",
        "VeryLow Low High VeryHigh", "XS S M L", "I II III IV", "A1 A2 B1 C2", "Monday Tuesday Sunday",
    ],
)  # fmt: skip
def test_order_of_words_does_not_depend_on_the_order_of_the_data(scale: str) -> None:
    words = tuple(scale.split())
    for order in itertools.permutations(words):
        found = recognise_scale(order)
        assert found is not None
        assert found.order == words


def test_words_of_two_scales_have_no_order() -> None:
    for words in (["low", "severe", "often"], ["low", "Low", "high"], ["low", "high", "unknown"], ["1", "2", "x"]):
        assert recognise_scale(words) is None


# -- what is stated ----------------------------------------------------------------------------------------------------


def ratings(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    lines = ["item,annotator,tone,length"]
    for item in range(30):
        tone, length = rng.integers(1, 6), rng.integers(10, 90)
        for who in "AB":
            seen = int(np.clip(tone + rng.integers(-1, 2), 1, 5)), int(length + rng.integers(-3, 4))
            lines.append(f"{item},{who},{seen[0]},{seen[1]}")
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_each_variable_has_its_own_measure(tmp_path: Path, cli: Cli) -> None:
    path = ratings(tmp_path)
    asked = cli("score", path, "-m", "alpha", "--measurement", "tone=ordinal", "--json").out
    found = {score["variable"]: score for score in json.loads(asked)["scores"]}
    assert found["tone"]["measure"] == "alpha(distance=ordinal)"
    assert found["tone"]["measurement"] == "ordinal"
    assert found["length"]["measure"] == "alpha(distance=interval)"
    named = accord.read_all(path, measurement={"tone": "nominal", "length": "ratio"})
    assert {name: str(data.measurement) for name, data in named.items()} == {"tone": "nominal", "length": "ratio"}
    explicit = accord.score(named["length"], "alpha(distance=nominal)")
    assert explicit.measure == "alpha(distance=nominal)"
    assert accord.score(named["length"], "alpha").measure == "alpha(distance=ratio)"


def test_value_at_the_level_equals_the_value_with_the_distance(tmp_path: Path) -> None:
    for name, data in accord.read_all(ratings(tmp_path)).items():
        for level in ("nominal", "ordinal", "interval", "ratio"):
            stated = accord.score(accord.read_all(data, measurement=level)[name], "alpha")
            assert stated.value == accord.alpha(data, distance=level).value, (name, level)


def test_assumed_level_is_stated_with_the_values_at_other_levels(tmp_path: Path, cli: Cli) -> None:
    path = ratings(tmp_path)
    said = " ".join(cli("score", path, "--label", "tone").out.split())
    assert "whole numbers from 1 to 5 can be codes, grades or amounts; ordinal is assumed" in said
    assert "--measurement ordinal (or nominal or interval)" in said
    rows = [score.measure for score in accord.score(path, label="tone")]
    assert rows[:3] == ["alpha(distance=nominal)", "alpha(distance=ordinal)", "alpha(distance=interval)"]
    one = accord.score(path, "alpha", label="tone")
    other = {one.measure: one.value for one in one.alternatives}
    assert set(other) == {"alpha(distance=nominal)", "alpha(distance=interval)"}
    assert other["alpha(distance=nominal)"] == accord.alpha(path, label="tone", distance="nominal").value


def test_check_is_refused_while_the_level_is_assumed(tmp_path: Path, cli: Cli) -> None:
    path = ratings(tmp_path)
    refused(cli("check", path, "--label", "tone", "--min", "alpha=0.1"), "--measurement ordinal", "[level-unknown]")
    assert cli("check", path, "--label", "tone", "--min", "alpha=0.1", "--measurement", "ordinal").code == 0
    assert cli("check", path, "--label", "tone", "--min", "alpha(distance=interval)=0.1").code == 0
    assert cli("check", path, "--label", "length", "--min", "alpha=0.1").code == 0


def test_level_is_kept_in_a_saved_reading(tmp_path: Path, cli: Cli) -> None:
    path, kept = ratings(tmp_path), tmp_path / "reading.toml"
    cli("read", path, "--measurement", "tone=interval", "--save-reading", kept)
    assert accord.read_all(path, reading=kept)["tone"].measurement.level == "interval"


@pytest.mark.parametrize(
    ("level", "code"),
    [
        ("ordnal", "unknown-name"),
        ("tone=binary", "option-value"),
        ("colour=ordinal", "unknown-name"),
        ("ordinal(3)", "option-value"),
        ("tone=sets", "option-missing"),
    ],
)
def test_levels_that_the_labels_cannot_have_are_refused(tmp_path: Path, level: str, code: str) -> None:
    with raises(code):
        accord.read_all(ratings(tmp_path), measurement=level)


def test_words_without_a_known_order_need_it() -> None:
    rows = [["plan", "wish"], ["wish", "wish"], ["plan", "report"]]
    with raises("option-missing", "--categories"):
        accord.read(rows, measurement="ordinal")
    with raises("not-a-number", '"plan"'):
        accord.read(rows, measurement="interval")
    assert accord.read(rows, measurement="ordinal", categories="wish,plan,report").measurement.level == "ordinal"


def test_rankings_are_refused_with_what_to_do() -> None:
    rows = [["m1>m2>m3", "m2>m1>m3"], ["m1>m3>m2", "m1>m2>m3"], ["m3>m2>m1", "m3>m2>m1"]]
    with raises("level-not-scored", "kendall_w"):
        accord.score(rows, "alpha")
    assert accord.score(rows, "alpha", measurement="nominal").value < 1


# -- what files state --------------------------------------------------------------------------------------------------


def test_factors_and_enumerations_are_ordinal(tmp_path: Path) -> None:
    tones = ["lo", "lo", "mid", "hi", "hi", "mid"]
    frame = pd.DataFrame({"item": [1, 1, 2, 2, 3, 3], "annotator": ["A", "B"] * 3})
    words = frame.assign(tone=pd.Categorical(tones, ["lo", "mid", "hi"], ordered=True))
    numbers = frame.assign(tone=pd.Categorical([1, 1, 2, 3, 3, 2], [1, 2, 3], ordered=True))
    words.to_parquet(tmp_path / "words.parquet")
    numbers.to_parquet(tmp_path / "numbers.parquet")
    enum = pl.DataFrame({**frame.to_dict("list"), "tone": pl.Series(tones, dtype=pl.Enum(["lo", "mid", "hi"]))})
    for given in (words, numbers, enum, tmp_path / "words.parquet", tmp_path / "numbers.parquet"):
        found = accord.read(given).measurement
        assert (found.level, found.basis) == ("ordinal", "file")
    assert accord.read(words, measurement="nominal").measurement.basis == "stated"


def test_spss_measure_levels_are_used(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"item": [1, 1, 2, 2, 3, 3], "annotator": ["A", "B"] * 3, "tone": [1, 2, 3, 3, 2, 1],
                          "code": [1, 2, 3, 3, 2, 1], "score": [1, 2, 3, 3, 2, 1]})  # fmt: skip
    pyreadstat.write_sav(
        frame, str(tmp_path / "s.sav"), variable_measure={"tone": "ordinal", "code": "nominal", "score": "scale"}
    )
    found = {name: data.measurement.level for name, data in accord.read_all(tmp_path / "s.sav").items()}
    assert found == {"tone": "ordinal", "code": "nominal", "score": "interval"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("codebook.csv", "variable,measurement\ntone,ordinal\nlength,ratio\n"),
        ("data_dictionary.tsv", "Name\tLevel of measurement\ntone\tOrdinal\nlength\tratio\n"),
        ("ratings.codebook.json", '{"tone": "ordinal", "length": {"scale": "ratio"}}'),
        ("codebook.json", '[{"name": "tone", "level": "likert"}, {"name": "length", "level": "ratio"}]'),
    ],
)
def test_codebook_beside_the_data_states_levels(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    found = {name: data.measurement for name, data in accord.read_all(ratings(tmp_path)).items()}
    assert {name: one.level for name, one in found.items()} == {"tone": "ordinal", "length": "ratio"}
    assert {one.basis for one in found.values()} == {"file"}


def test_codebook_gives_the_order_of_words_and_cannot_break_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,A,B\n" + "".join(f"{k},{'xyz'[k % 3]},{'xyz'[k * k % 3]}\n" for k in range(9)))
    (tmp_path / "codebook.json").write_text('{"A": {"level": "ordinal", "values": ["z", "x", "y"]}, '
                                            '"B": {"level": "ordinal", "values": ["z", "x", "y"]}}')  # fmt: skip
    assert accord.read(path).categories.names == ("z", "x", "y")
    (tmp_path / "codebook.json").write_text('{"A": "interval", "B": "interval"}')
    found = accord.read(path)
    assert found.measurement.level == "nominal"
    assert any("not a number" in note for note in found.notes)
    (tmp_path / "codebook.json").write_text("{" * 5000)
    assert accord.read(path).measurement.level == "nominal"


# -- what must not matter ----------------------------------------------------------------------------------------------


def test_level_does_not_depend_on_order_or_format_of_the_rows(tmp_path: Path) -> None:
    path = ratings(tmp_path)
    header, *lines = path.read_text().splitlines()
    wanted = {name: data.measurement for name, data in accord.read_all(path).items()}
    for seed in range(3):
        mixed = np.random.default_rng(seed).permutation(lines).tolist()
        path.write_text("\n".join([header, *mixed]) + "\n")
        assert {name: data.measurement for name, data in accord.read_all(path).items()} == wanted


def test_a_part_of_the_data_keeps_the_level() -> None:
    rows = {"item": list(range(8)) * 2, "annotator": ["A"] * 8 + ["B"] * 8, "round": ([1] * 4 + [2] * 4) * 2,
            "tone": [1, 2, 1, 2, 3, 4, 5, 3, 1, 1, 2, 2, 3, 5, 5, 4]}  # fmt: skip
    found = accord.score(rows, "alpha", by="round", label="tone", measurement="interval")
    assert {part.measure for part in found.parts["round"].values()} == {"alpha(distance=interval)"}
    compared = accord.compare(rows, by="round", label="tone")
    assert "alpha(distance=ordinal)" in str(compared)


# -- real tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "known"),
    [("pavlick-100", "interval"), ("alttest-cebab-stars", "ordinal"), ("lewidi3-csc", "ordinal"),
     ("xsum-factuality", "binary"), ("chaos-mnli-100", "nominal"), ("alttest-framing", "nominal"),
     ("ct-cf2", "nominal")],
)  # fmt: skip
def test_levels_of_published_tables(record: str, known: str, corpora: Path) -> None:
    tables = corpora / "wild-tables"
    entry = next(one for one in json.loads((tables / "wild.json").read_text())["records"] if one["id"] == record)
    for data in accord.read_all(tables / entry["data"]).values():
        assert data.measurement.level == known


def test_many_variables_show_the_main_measure_of_each_level(tmp_path: Path, cli: Cli) -> None:
    rng = np.random.default_rng(5)
    truth = {
        "act": list("xyz"),
        "tone": [1, 2, 3, 4, 5],
        "size": ["small", "medium", "large"],
        "share": [0.1, 0.25, 0.7],
    }
    lines = [",".join(["item", "annotator", *truth])]
    for item in range(40):
        own = {name: labels[rng.integers(len(labels))] for name, labels in truth.items()}
        for who in "AB":
            seen = [own[name] if rng.random() < 0.8 else labels[0] for name, labels in truth.items()]
            lines.append(",".join([str(item), who, *map(str, seen)]))
    path = tmp_path / "many.csv"
    path.write_text("\n".join(lines) + "\n")
    table = cli("score", path).out.split("data ")[1].splitlines()[2:6]
    assert [tuple(line.split()[:2]) for line in table] == [
        ("act", "alpha"), ("tone", "alpha(distance=ordinal)"), ("size", "alpha(distance=ordinal)"),
        ("share", "alpha(distance=interval)"),
    ]  # fmt: skip


@pytest.mark.parametrize("labels", [["5%", "10%", "25%"], [3, 17, 40], [0, 1, 2], ["low", "medium", "high"]])
@pytest.mark.parametrize("variable", ["label", "topic_code"])
def test_report_finds_its_main_measure_at_every_level(labels: list[object], variable: str) -> None:
    rows = {"item": list(range(30)) * 2, "annotator": ["A"] * 30 + ["B"] * 30,
            variable: [labels[k % 3] for k in range(30)] + [labels[(k + k % 2) % 3] for k in range(30)]}  # fmt: skip
    report = accord.report(rows, label=variable, jobs=1)
    assert report.parts[0].findings.score.value == accord.score(rows, "alpha", label=variable).value
