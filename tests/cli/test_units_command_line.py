"""`accord score`, `align` and `read` on units: output, and one line for each error."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import accord

from ..command_line import Cli, Outcome, refused

HEADER = "doc,annotator,start,end,label\n"
GOOD = HEADER + (
    "d1,A,0,5,x\nd1,A,17,22,y\nd1,A,40,52,x\nd1,B,0,6,x\nd1,B,18,22,x\nd2,A,3,14,x\nd2,A,30,34,y\nd2,B,3,13.5,y\n"
    "d2,B,29,34,y\n"
)
QUICK = "gamma(samples=5,precision=0.5)"
TEXT = "It was a dark and stormy night; the rain fell in torrents, except at occasional intervals."


Write = Callable[..., Path]


def scores(outcome: Outcome) -> dict[str, dict[str, object]]:
    assert outcome.code == 0, outcome.err
    return {score["measure"]: score for score in json.loads(outcome.out)["scores"]}


# -- score -----------------------------------------------------------------------------------------------------


def test_units_are_recognised_and_gamma_is_scored(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "spans.csv", "--notes")
    assert got.code == 0
    assert "4 documents, 3 annotators, 5 categories, 192 units" in got.out
    for words in ("gamma", "gamma_cat", "documents", "chance: mix", "chance: frequencies", "interval: bootstrap"):
        assert words in got.out
    found = scores(cli("score", garden / "spans.csv", "--json"))
    assert set(found) == {"gamma", "gamma_cat"}
    assert found["gamma"]["observed"] == accord.gamma(garden / "spans.csv").observed
    assert found["gamma"]["value"] == accord.gamma(garden / "spans.csv").value


def test_units_without_labels_have_only_gamma(cli: Cli, table: Write) -> None:
    got = cli("score", table("annotator,start,end\nA,0,5\nA,9,12\nB,1,5\n"), "--json")
    assert set(scores(got)) == {"gamma"}


def test_json_is_one_object(cli: Cli, table: Write) -> None:
    got = json.loads(cli("score", table(GOOD), "-m", QUICK, "-m", "gamma_cat", "--explain", "--json").out)
    assert set(got) == {"accord", "data", "scores", "explained"}
    assert got["data"]["kind"] == "units"
    assert (got["data"]["documents"], got["data"]["units"], got["data"]["annotators"]) == (2, 9, ["A", "B"])
    gamma, gamma_cat = got["scores"]
    assert set(gamma) >= {
        "measure", "value", "observed", "expected", "se", "interval", "p", "n", "parts", "details", "kind", "undefined",
        "signature",
    }  # fmt: skip
    assert set(gamma["interval"]) == {"low", "high", "level", "method"}
    assert gamma["interval"]["method"] == "bootstrap"
    assert gamma_cat["interval"]["method"] == "bootstrap"
    assert (gamma["details"]["gap"], gamma["details"]["chance"]) == (0, "mix")
    assert set(gamma["parts"]) == {"category", "annotator", "pair", "document"}
    total = sum(part["disorder"] for part in gamma["parts"]["document"].values())
    assert total == pytest.approx(gamma["observed"] * 4.5)
    (explained,) = got["explained"]
    for place in explained["places"]:
        assert place["disorder"] == pytest.approx(place["position"] + place["category"] + place["absence"])
        assert (place["absence"] > 0) == (None in place["units"].values())
    assert {"start": 40.0, "end": 52.0, "label": "x"} in [place["units"]["A"] for place in explained["places"]]


def test_by_shows_documents_and_other_parts(cli: Cli, table: Write) -> None:
    path = table(GOOD)
    got = cli("score", path, "-m", QUICK, "--by", "document", "--by", "pair", "--by", "category", "--by", "annotator")
    assert got.code == 0
    for words in ("by document", "d1", "by pair", "A – B", "by category", "by annotator", "share of disorder"):
        assert words in got.out
    rows = list(csv.DictReader(io.StringIO(cli("score", path, "-m", QUICK, "--by", "document", "--csv").out)))
    assert [(row["by"], row["name"]) for row in rows] == [("", ""), ("document", "d1"), ("document", "d2")]
    for row in rows:
        assert float(row["value"]) == pytest.approx(1 - float(row["observed"]) / float(row["expected"]))
    for output in ("--latex", "--markdown"):
        assert "d2" in cli("score", path, "-m", QUICK, "--by", "document", output).out


def test_by_splits_units_by_a_column(cli: Cli, table: Write) -> None:
    lines = GOOD.splitlines()
    genre = [f"{line},{'prose' if line.startswith('d1') else 'verse'}" for line in lines[1:]]
    path = table("\n".join([f"{lines[0]},genre", *genre]) + "\n")
    got = json.loads(cli("score", path, "-m", QUICK, "--by", "genre", "--json").out)
    assert [score["where"] for score in got["scores"]] == [{}, {"genre": "prose"}, {"genre": "verse"}]
    alone = json.loads(cli("score", path, "-m", QUICK, "--only", "genre=prose", "--json").out)["scores"][0]
    assert got["scores"][1]["observed"] == pytest.approx(alone["observed"])


def test_explain_shows_the_most_costly_places_with_their_text(cli: Cli, table: Write) -> None:
    path = table("doc,annotator,start,end,label\nd,A,9,20,mood\nd,A,32,40,rain\nd,B,9,30,mood\nd,B,49,57,way\n")
    table(f'doc,begin,end,text\nd,0,{len(TEXT)},"{TEXT}"\n', "docs.csv")
    got = cli("score", path, "-m", QUICK, "--explain")
    assert got.code == 0
    assert "the 3 most costly places" in got.out
    for words in ("[the rain]", "[torrents]", "[dark and stormy night]", "A –; B 49–57 way", "absence"):
        assert words in got.out
    plain = cli("score", table(GOOD, "elsewhere/table.csv"), "-m", QUICK, "--explain")
    assert "text" not in plain.out


def test_saved_run_gives_the_same_output(cli: Cli, table: Write, tmp_path: Path) -> None:
    kept = tmp_path / "run.toml"
    extents = table("doc,begin,end\nd1,0,90\nd2,0,60\n", "more/extents.csv")
    judged = table("doc,annotator\nd1,C\n", "more/judged.csv")
    options = ["-m", QUICK, "--seed", 7, "--by", "document", "--docs", extents, "--judged", judged, "--explain"]
    first = cli("score", table(GOOD), *options, "--json", "--save", kept)
    assert first.code == 0
    again = cli("score", "--run", kept, "--json")
    assert again.out == first.out
    assert json.loads(first.out)["data"]["n_annotators"] == 3
    assert "explain = true" in kept.read_text(encoding="utf-8")


def test_docs_and_judged_files_add_documents_and_annotators(cli: Cli, table: Write) -> None:
    path = table(GOOD)
    plain = json.loads(cli("score", path, "-m", QUICK, "--json").out)["data"]
    assert (plain["extents_given"], plain["n_annotators"]) == (0, 2)
    docs = table("doc,begin,end\nd1,0,90\nd2,0,60\nd3,0,5\n", "other/extents.csv")
    judged = table("doc,annotator\nd1,A\nd1,B\nd1,C\nd2,A\nd2,B\nd3,A\nd3,B\n", "other/looked.csv")
    got = cli("score", path, "-m", QUICK, "--docs", docs, "--judged", judged)
    assert "3 documents, 3 annotators" in got.out
    assert "1 document without any units" in got.out
    assert f"{QUICK}: 1 document without units left out" in got.out
    both = cli("score", path, "-m", "kappa_d", "-m", "theta", "--docs", docs, "--judged", judged)
    assert "theta: 1 document without units left out" in both.out
    assert "kappa_d: 1 document" not in both.out
    data = json.loads(cli("score", path, "-m", QUICK, "--docs", docs, "--judged", judged, "--json").out)["data"]
    assert (data["documents"], data["documents_compared"], data["extents_given"]) == (3, 2, 3)
    assert (data["left_out"], data["nothing_marked"]) == ({"one_annotator": 0}, 1)


def test_documents_left_out_are_counted_and_reported(cli: Cli, table: Write) -> None:
    path = table(GOOD + "d7,A,0,5,x\nd8,B,0,5,x\nd8,B,9,12,x\n")
    got = cli("score", path, "-m", QUICK)
    assert "left out: 2 documents seen by fewer than two annotators" in got.out
    assert "no judged.csv lists which annotator saw which document" in got.out
    score = scores(cli("score", path, "-m", QUICK, "--json"))[QUICK]
    assert score["n"] == 2
    plain = scores(cli("score", table(GOOD, "plain.csv"), "-m", QUICK, "--json"))[QUICK]
    assert score["observed"] == plain["observed"]


def test_extents_that_are_too_small_are_reported(cli: Cli, table: Write) -> None:
    path = table(GOOD)
    table("doc,begin,end\nd1,0,50\n", "docs.csv")
    got = cli("score", path, "-m", QUICK)
    assert "1 unit outside the given extent of 1 document, which accord widened; the first is 40–52" in got.out
    assert "table.csv:4" in got.out


def test_repeated_units_are_reported(cli: Cli, table: Write) -> None:
    assert "1 unit repeated" in cli("score", table(GOOD + "d1,A,0,5,x\n"), "-m", QUICK).out


def test_document_too_short_for_shifts_is_reported(cli: Cli, table: Write) -> None:
    path = table("annotator,start,end\nA,0,10\nB,2,12\n")
    assert "1 document too short to shift annotators" in cli("score", path, "-m", QUICK).out


def test_tables_of_pygamma_are_recognised(cli: Cli, table: Write) -> None:
    headless = "A,x,0,5\nA,y,17,22\nB,x,0,6\nB,x,18,22\n"
    piped = scores(cli("score", "-", "-m", QUICK, "--json", stdin=headless.encode()))
    for content in (headless, headless.replace(",", ";")):
        assert scores(cli("score", table(content), "-m", QUICK, "--json")) == piped
    got = cli("score", table("A,x,0,5\nB,x,0,6\n"), "--layout", "pygamma", "-m", QUICK, "--json")
    assert scores(got)[QUICK]["details"]["units"] == 2  # type: ignore[index]


def test_columns_are_selected_by_options(cli: Cli, table: Write) -> None:
    path = table("text,who,von,länge,art\nd,A,0,5,x\nd,A,9,4,y\nd,B,0,6,x\n")
    got = cli(
        "score", path, "--doc", "text", "--annotator", "who", "--start", "von", "--end", "länge", "--end-is-length",
        "--label", "art", "-m", QUICK, "--json",
    )  # fmt: skip
    assert json.loads(got.out)["data"]["categories"] == ["x", "y"]
    assert scores(got)[QUICK]["observed"] == pytest.approx((1 + (1 / 11) ** 2) / 1.5)


def test_undefined_value_is_reported_with_exit_code_0(cli: Cli, table: Write) -> None:
    path = table(HEADER + "d,A,0,5,x\nd,B,0,5,x\ne,A,0,5,x\ne,B,0,5,x\n")
    got = cli("score", path)
    assert got.code == 0
    assert "gamma is undefined: random annotations have no disorder" in got.out
    assert "gamma_cat is undefined: the labels of aligned units do not vary" in got.out
    found = scores(cli("score", path, "--json"))
    assert found["gamma"]["value"] is None
    assert found["gamma"]["undefined"]


def test_read_shows_documents_extents_and_categories(cli: Cli, garden: Path, table: Write) -> None:
    got = cli("read", garden / "spans.csv")
    for words in ("units of documents", "4 (4 can be compared)", "4 stated", "as stated", "PERSON, PLACE", "192"):
        assert words in got.out
    got = cli("read", table(GOOD + "d9,A,0,1,x\n"))
    for words in ("3 (2 can be compared)", "3 inferred", "in which the annotator marked units"):
        assert words in got.out


def test_value_depends_on_the_seed_and_not_on_the_jobs(cli: Cli, table: Write) -> None:
    path = table(GOOD)
    first = cli("score", path, "-m", QUICK, "--seed", 4, "--json", "--jobs", 1).out
    assert cli("score", path, "-m", QUICK, "--seed", 4, "--json", "--jobs", 2).out == first
    assert cli("score", path, "-m", QUICK, "--seed", 5, "--json").out != first


def test_the_installed_program_runs(garden: Path) -> None:
    program = Path(sys.executable).parent / "accord"
    got = subprocess.run(  # noqa: S603
        [program, "score", garden / "spans.csv", "-m", "gamma"], capture_output=True, text=True, check=False
    )
    assert (got.returncode, got.stderr) == (0, "")
    assert "chance model: mix" in got.stdout


# -- align -----------------------------------------------------------------------------------------------------


def test_align_writes_every_unitary_alignment(cli: Cli, table: Write, tmp_path: Path) -> None:
    path, target = table(GOOD), tmp_path / "alignment.csv"
    got = cli("align", path, "-o", target)
    assert (got.code, got.out, got.err) == (0, "", "")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "doc", "alignment", "annotator", "start", "end", "label", "disorder", "position", "category", "absence",
    ]  # fmt: skip
    marked = sorted(",".join(row[name] for name in HEADER.strip().split(",")) for row in rows)
    assert marked == sorted(GOOD.splitlines()[1:])
    found = accord.gamma(path, samples=5)
    assert found.observed is not None
    each = {row["alignment"]: float(row["disorder"]) for row in rows}
    assert sum(each.values()) == pytest.approx(found.observed * 4.5)
    for row in rows:
        causes = sum(float(row[cause]) for cause in ("position", "category", "absence"))
        assert float(row["disorder"]) == pytest.approx(causes)
    assert cli("align", path).out == target.read_text(encoding="utf-8")


def test_align_takes_options_of_the_dissimilarity(cli: Cli, table: Write) -> None:
    path = table(GOOD)
    plain, other = (cli("align", path, "-m", spec).out for spec in ("gamma", "gamma(categorical=0,delta=0.5)"))
    rows = list(csv.DictReader(io.StringIO(other)))
    assert plain != other
    assert {row["category"] for row in rows} == {"0.0"}
    assert max(float(row["disorder"]) for row in rows) <= 1


def test_align_leaves_out_documents_that_cannot_be_compared(cli: Cli, table: Write) -> None:
    path = table(GOOD + "a0,A,0,5,x\na1,B,0,5,x\nd15,A,7,9,y\n")
    rows = list(csv.DictReader(io.StringIO(cli("align", path).out)))
    plain = list(csv.DictReader(io.StringIO(cli("align", table(GOOD, "plain.csv")).out)))
    assert rows == plain
    printed = json.loads(cli("score", path, "-m", QUICK, "--explain", "--json").out)
    assert {place["document"] for place in printed["explained"][0]["places"]} == {"d1", "d2"}
    assert set(printed["scores"][0]["parts"]["document"]) == {"d1", "d2"}


def test_labels_are_harmless_in_every_output(cli: Cli, table: Write) -> None:
    """Labels that a spreadsheet or a terminal would execute."""
    evil = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-x", "[red]x[/red]", "a|b<script>"]
    lines = "".join(f'd,{who},{20 * k},{20 * k + 5},"{label}"\n' for k, label in enumerate(evil) for who in ("A", "=B"))
    path = table(HEADER + lines)
    rows = list(csv.DictReader(io.StringIO(cli("align", path).out)))
    assert {row["label"] for row in rows} == {f"'{label}" if label[0] in "=+@-" else label for label in evil}
    assert {row["annotator"] for row in rows} == {"A", "'=B"}
    assert ",'=cmd" in cli("score", path, "-m", QUICK, "--by", "category", "--csv").out
    assert r"a\|b\<script\>" in cli("score", path, "-m", QUICK, "--by", "category", "--markdown").out
    shown = cli("score", path, "-m", QUICK, "--explain", "--by", "category").out
    assert "[red]x[/red]" in shown
    coloured = table(HEADER + "d,A,0,5,\x1b[31mred\nd,B,0,5,\x1b[31mred\nd,B,9,12,x\n")
    for output in ([], ["--json"], ["--markdown"], ["--latex"]):
        got = cli("score", coloured, "-m", QUICK, "--explain", "--by", "category", *output)
        assert got.code == 0
        assert "\x1b[31m" not in got.out


# -- errors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADER + "d,A,5,2,x\nd,B,1,2,x\n", ["table.csv:2", "end 2 is before start 5", "--end-is-length"]),
        (HEADER + "d,A,1,2,x\nd,B,nan,2,x\n", ["table.csv:3", 'start is "nan"']),
        (HEADER + "d,A,1,inf,x\nd,B,1,2,x\n", ["table.csv:2", 'end is "inf"']),
        (HEADER + "d,A,,2,x\nd,B,1,2,x\n", ["table.csv:2", "start is empty"]),
        (HEADER + "d,A,1,2,x\nd,A,3,4,x\n", ['only one annotator ("A")']),
        (HEADER, ["header row", "no data rows"]),
        (HEADER + "d,A,1,2,x\ne,B,3,4,x\n", ["no document with units was annotated by two annotators"]),
        (HEADER + "d,,1,2,x\nd,B,3,4,x\n", ["table.csv:2", "annotator is empty"]),
        (HEADER + 'd,A,1,2,x\nd,B,3,4,"a\nd,B,b"\n', ["table.csv:3", "close the quote"]),
        ("doc,start,end\nd,1,2\n", ["no column for annotator", "--annotator COLUMN"]),
    ],
)
@pytest.mark.parametrize("command", ["score", "align"])
def test_bad_tables_are_refused_with_their_location(
    cli: Cli, table: Write, command: str, content: str, words: list[str]
) -> None:
    refused(cli(command, table(content)), *words)


def test_table_without_rows_is_refused(cli: Cli, table: Write) -> None:
    """The table has no rows, but judged.csv exists."""
    table("doc,annotator\nd,A\nd,B\n", "judged.csv")
    refused(cli("score", table(HEADER)), "[file-empty]")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gamma(delta=0)", ["delta", "above 0"]),
        ("gamma(delta=-2)", ["delta"]),
        ("gamma(precision=0)", ["precision must lie between 0 and 1"]),
        ("gamma(precision=2)", ["precision must lie between 0 and 1"]),
        ("gamma(samples=1)", ["samples must be a whole number from 2"]),
        ("gamma(chance=shifft)", ['unknown chance "shifft": did you mean "shift"?']),
        ("gamma_cat(chance=frequency)", ['did you mean "frequencies"?']),
        ("gamma(f_cat=steap)", ['did you mean "steep"?']),
        ("gamma(distance=ordnal)", ['unknown distance "ordnal": did you mean "ordinal"?']),
        ("gamma(distnce=ordinal)", ['did you mean "distance"?']),
        ("gamma(distance=numeric)", ['label "x" is not a number', "distance=ordinal"]),
        ("gamma(positional=0,categorical=0)", ["so all units are equal"]),
        ("gamma(dissimilarity=mine)", ["needs Python"]),
        ("gamma(reference=C)", ['unknown annotator "C"']),
        ("gamma_k(category=z)", ['unknown category "z"']),
        ("gama", ['did you mean "gamma"?']),
        ("alpha", ["alpha is for labels of items", "try gamma"]),
        ("kappa(weights=linear)", ["is for labels of items"]),
        ("percent", ["is for labels of items"]),
    ],
)
def test_bad_specs_are_refused_in_one_line(cli: Cli, table: Write, spec: str, words: list[str]) -> None:
    refused(cli("score", table(GOOD), "-m", spec), *words)


def test_mix_needs_several_documents(cli: Cli, table: Write) -> None:
    three = GOOD.replace("d2", "d1") + "d1,C,0,5,x\n"
    refused(cli("score", table(three), "-m", "gamma(chance=mix)"), "[measure-option]")
    assert "chance model: shift" in cli("score", table(three), "-m", QUICK).out


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (",x,y\nx,0,1\n", ["square"]),
        (",x,y\nx,0,1\ny,1\n", ["m.csv:3"]),
        (",x,y\nx,0,1\ny,2,0\n", ["m.csv", '"x" and "y"', "symmetric"]),
        (",x,y\nx,0.5,1\ny,1,0\n", ["m.csv", "itself must be 0"]),
        (",x,z\nx,0,1\nz,1,0\n", ['label "y" has no row in']),
        (",x,y\nx,0,a\ny,a,0\n", ["m.csv:2", "not a number"]),
        (",x,y\nx,0,-1\ny,-1,0\n", ["negative"]),
    ],
)
@pytest.mark.parametrize("measure", ["gamma", "gamma_cat"])
def test_bad_matrices_are_refused_in_one_line(
    cli: Cli, table: Write, measure: str, matrix: str, words: list[str]
) -> None:
    costs = table(matrix, "elsewhere/m.csv")
    refused(cli("score", table(GOOD), "-m", f'{measure}(distance=matrix("{costs}"))'), *words)


def test_matrix_gives_the_distances_of_categories(cli: Cli, table: Write) -> None:
    costs = table(",y,x,unused\ny,0,0.25,1\nx,0.25,0,1\nunused,1,1,0\n", "elsewhere/m.csv")
    rows = csv.DictReader(io.StringIO(cli("align", table(GOOD), "-m", f'gamma(distance=matrix("{costs}"))').out))
    assert {row["category"] for row in rows} == {"0.0", "0.25"}


def test_measures_and_options_for_other_data_are_refused(cli: Cli, table: Write) -> None:
    ratings = table("item,annotator,label\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n", "ratings.csv")
    for measure in ("gamma", "gamma_cat", "gamma_k"):
        refused(cli("score", ratings, "-m", measure), "[measure-for-other-data]")
    refused(cli("align", ratings), "[option-not-for-data]")
    refused(cli("score", ratings, "--explain"), "[option-not-for-data]")
    refused(cli("score", ratings, "--end-is-length"), "[option-not-for-data]")
    refused(cli("align", table(GOOD), "-m", "alpha"), "[option-not-for-data]")
    refused(cli("align"), "[option-missing]")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--docs", "nothing.csv"], ["nothing.csv", "no such file"]),
        (["--judged", "nothing.csv"], ["nothing.csv", "no such file"]),
        (["--start", "begn"], ['unknown start column "begn"']),
        (["--by", "gnre"], ["unknown column"]),
        (["--annotators", "A,C"], ['unknown annotator "C"']),
        (["--annotators", "A"], ["only one annotator"]),
        (["--jobs", "0"], ["--jobs"]),
        (["--explain", "--csv"], ["[option-conflict]", "use --json"]),
        (["--layout", "long"], ["--item"]),
        (["--layout", "tall"], ["unknown layout"]),
        (["--only", "q"], ["unknown label"]),
        (["--seed", "-1"], ["seed"]),
        (["--interval", "monte_karlo"], ['did you mean "monte_carlo"?']),
    ],
)
def test_bad_options_are_refused_in_one_line(cli: Cli, table: Write, options: list[str], words: list[str]) -> None:
    refused(cli("score", table(GOOD), *options), *words)


def test_only_selects_documents_by_name(cli: Cli, table: Write) -> None:
    got = cli("score", table(GOOD), "-m", QUICK, "--only", "doc=d1")
    assert got.code == 0
    assert "--only: 5 of 9 units kept" in got.out


@pytest.mark.parametrize("bad", ["nan", "inf", ""])
def test_bad_position_in_a_table_of_pygamma_is_refused_with_its_line(cli: Cli, table: Write, bad: str) -> None:
    refused(cli("score", table(f"A,x,0,5\nA,y,7,9\nB,x,{bad},5\n")), "[invalid-position]", "table.csv:3")
