"""The first screen names the measure, the data and the interval, and shows one picture and a sentence to copy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import accord
from accord.answers.reporting.page import render_page, render_pages
from accord.answers.reporting.reports import Report, without_folders
from accord.core.result import score_table
from accord.data.model.measurement import Basis, Measurement

from ..command_line import Cli

EXAMPLES = Path(__file__).parents[2] / "examples"
SENTENCES, SPANS = EXAMPLES / "garden" / "sentences.csv", EXAMPLES / "garden" / "spans.csv"


@cache
def one_document() -> Report:
    lines = SPANS.read_text(encoding="utf-8").splitlines()
    rows = [
        dict(zip(lines[0].split(","), line.split(","), strict=True)) for line in lines if line.startswith("letter1,")
    ]
    return accord.report([{**row, "start": int(row["start"]), "end": int(row["end"])} for row in rows], None, "gamma",
                         jobs=1)  # fmt: skip


def summary(report: Report) -> Any:
    return html.fromstring(render_page(report)).get_element_by_id("summary")


def text_of(report: Report) -> str:
    return " ".join(summary(report).text_content().split())


def test_measure_data_interval_and_methods_are_on_the_first_screen() -> None:
    report = accord.report(SENTENCES, None, "alpha(distance=nominal)", level=0.9, jobs=1)
    (part,) = report.parts
    shown = text_of(report)
    assert "Krippendorff's α, nominal distance" in shown
    assert "53 of 54 items, 3 annotators" in shown
    assert "90% interval" in shown
    assert part.about.methods in shown
    assert part.about.methods == accord.cite(SENTENCES, "alpha", level=0.9).sentence
    (button,) = summary(report).xpath(".//button")
    assert html.fromstring(render_page(report)).get_element_by_id(button.get("data-copy")).text == part.about.methods


@pytest.mark.parametrize(
    ("data", "measure", "kind"),
    [
        (SPANS, "gamma", "alignment"),
        (SENTENCES, "alpha", "confusion"),
        (EXAMPLES / "clinic" / "scale.csv", "alpha(distance=interval)", "strip"),
        ({"item": [1, 2, 3, 4], "Ana": [1, 9, 4, 5], "Ben": [2, 8, 4, 7]}, "alpha(distance=interval)", "scatter"),
        ({"doc": list("ddee"), "annotator": list("ABAB"), "masses": ["3 4", "5 2", "2 5", "2 5"]}, None, "alignment"),
        (EXAMPLES / "fables" / "chains.csv", None, "forest"),
        (
            {"doc": list("dd"), "annotator": list("AB"), "text": ["a cat sat", "a cat sits"]},
            "text_gamma(samples=2,precision=0.9)",
            "differences",
        ),
    ],
)
def test_one_picture_shows_the_data(data: Any, measure: str | None, kind: str) -> None:
    report = accord.report(data, None, measure, jobs=1)
    (picture,) = [part.picture for part in report.parts]
    assert picture is not None
    assert picture.kind == kind
    assert len(summary(report).xpath(".//figure")) == 1
    ids = html.fromstring(render_page(report)).xpath("//@id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("percent", "Percent agreement"),
        ("kappa", "κ for more than two annotators"),
        ("icc", "The intraclass correlation"),
        ("alpha", "Krippendorff's α"),
    ],
)
def test_names_of_measures_are_capitalised_but_symbols_are_not(measure: str, name: str) -> None:
    rows = [[1, 1, 2], [2, 2, 3], [5, 4, 5], [4, 4, 4]]
    assert accord.report(accord.Ratings.from_rows(rows), measure=measure, jobs=1).parts[0].about.name.startswith(name)


def test_title_and_headings_have_no_folders(tmp_path: Path) -> None:
    folder = tmp_path / "secret-folder"
    folder.mkdir()
    (folder / "labels.csv").write_bytes(SENTENCES.read_bytes())
    report = accord.report(folder / "labels.csv", None, "alpha", jobs=1)
    tree = html.fromstring(render_page(report))
    assert tree.xpath("//title")[0].text == "labels.csv: agreement of annotators"
    assert tree.xpath("//h1")[0].text_content() == "labels.csv"
    shown = "".join(tree.xpath("//main//*[not(self::pre)]/text() | //main//@aria-label"))
    assert "secret-folder" not in shown
    assert all(
        "secret-folder" not in page.split("<body>")[0] for page in render_pages(report).values() if "<body>" in page
    )


def test_equal_names_of_files_keep_their_folders() -> None:
    assert without_folders(["a/x.csv", "/b/y.csv"]) == ["x.csv", "y.csv"]
    assert without_folders(["data/a/x.csv", "data/b/x.csv"]) == ["a/x.csv", "b/x.csv"]
    assert without_folders(["corpus/"]) == ["corpus"]
    assert without_folders(["x.csv", "x.csv"]) == ["x.csv", "x.csv"]
    assert without_folders([r"C:\data\x.csv"]) == ["x.csv"]
    assert without_folders([]) == []


def test_monte_carlo_error_is_not_shown_as_the_interval() -> None:
    report = one_document()
    (part,) = report.parts
    score = part.findings.score
    assert score.interval is not None
    assert score.interval.method == "monte_carlo"
    assert part.verdict.headline == "Agreement in these data only: the value has no interval"
    shown = text_of(report)
    low, high = score.interval.low, score.interval.high
    assert f"no interval: one document; [{low:.3f}, {high:.3f}] covers only the random sampling of chance" in shown
    assert "95% interval" not in shown
    assert not summary(report).xpath(".//@data-low")
    assert part.verdict.trust == "do not use alone"
    assert report.to_dict()["variables"][0]["scores"][0]["interval"]["method"] == "monte_carlo"


def test_table_shows_monte_carlo_error_without_brackets() -> None:
    score = one_document().parts[0].findings.score
    table = score_table([score])
    assert score.interval is not None
    assert table.columns[2] == "95% error"
    assert table.rows[0][2] == f"± {score.value - score.interval.low:.3f} (Monte Carlo)"
    assert "[" not in str(score)
    mixed = score_table([score, accord.alpha(SENTENCES)])
    assert mixed.columns[2] == "95% interval"
    assert [type(row[2]).__name__ for row in mixed.rows] == ["str", "Interval"]


def test_value_below_1_is_not_shown_as_1() -> None:
    rows = [["a", "a"], ["b", "b"]] * 3_000 + [["a", "b"]]
    report = accord.report(accord.Ratings.from_rows(rows), None, "alpha", jobs=1)
    assert summary(report).xpath(".//*[@class='big']")[0].text_content() == "α = 0.9997"


@pytest.mark.parametrize(
    ("basis", "line"),
    [
        ("stated", "Level of measurement: ordinal (the labels are 1 to 5)"),
        (
            "assumed",
            "Level of measurement not stated; ordinal assumed because the labels are 1 to 5. State it: ",
        ),
    ],
)
def test_level_of_measurement_is_beside_the_name(basis: Basis, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = Measurement("ordinal", basis, "the labels are 1 to 5", others=("nominal", "interval"))
    monkeypatch.setattr(accord.Ratings, "measurement", measurement, raising=False)
    rows = [{"item": k, "annotator": who, "tone": 1 + (k + (who == "B")) % 5} for k in range(12) for who in "AB"]
    assert line in text_of(accord.report(rows, label="tone", measure="alpha", jobs=1))


def test_terminal_names_the_measure_and_the_data(cli: Cli) -> None:
    assert (
        "Krippendorff's α, nominal distance; 53 of 54 items, 3 annotators"
        in cli("report", SENTENCES, "-m", "alpha").out
    )


def test_headline_and_limitations_state_the_assumed_level(cli: Cli) -> None:
    tone = EXAMPLES / "garden" / "tone.csv"
    said = " ".join(cli("report", tone).out.split())
    assert "If the labels are ordinal, annotators agree well beyond chance" in said
    assert "If they are nominal, α is 0.306. If they are interval, α is 0.756." in said
    stated = " ".join(cli("report", tone, "--measurement", "ordinal").out.split())
    assert "tone.csv Annotators agree well beyond chance" in stated
    assert "If they are nominal" not in stated


def test_methods_sentence_counts_no_categories_of_numbers() -> None:
    scale = EXAMPLES / "clinic" / "scale.csv"
    assert "categories" not in accord.cite(scale).sentence
    assert "(5 categories)" in accord.cite(EXAMPLES / "garden" / "tone.csv").sentence
