"""`accord score` and `accord read` on items: output, and one line for each error."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..command_line import Cli, refused

HEADER = "item,annotator,label\n"
GOOD = HEADER + "1,A,x\n1,B,x\n2,A,y\n2,B,x\n3,A,y\n3,B,y\n"


# -- output --------------------------------------------------------------------------------------------------


def test_table_shows_all_measures_and_a_summary_of_the_data(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "sentences.csv")
    assert got.code == 0
    assert "54 items, 3 annotators, 5 categories, 156 labels" in got.out
    assert "1 item with only one label" in got.out
    for cell in ("percent", "kappa", "alpha", "0.687", "[0.561, 0.813]", "53"):
        assert cell in got.out


def test_json_is_one_object(cli: Cli, garden: Path) -> None:
    got = json.loads(cli("score", garden / "sentences.csv", "-m", "alpha", "-m", "kappa(weights=linear)", "--json").out)
    assert set(got) == {"accord", "data", "scores"}
    first, second = got["scores"]
    assert set(first) >= {
        "measure", "value", "observed", "expected", "se", "interval", "p", "n", "parts", "details", "kind", "undefined",
        "signature",
    }  # fmt: skip
    assert set(first["interval"]) == {"low", "high", "level", "method"}
    assert second["measure"] == "kappa(weights=linear)"
    assert first["value"] == pytest.approx(0.6870272101)
    assert first["parts"]["category"]["thanks"]["value"] == pytest.approx(0.894, abs=1e-3)
    assert "item" not in first["parts"]


@pytest.mark.parametrize("output", ["--csv", "--latex", "--markdown"])
def test_csv_latex_and_markdown_show_the_parts(cli: Cli, garden: Path, output: str) -> None:
    got = cli("score", garden / "sentences.csv", "-m", "alpha", "--by", "category", output)
    assert got.code == 0
    assert "complaint" in got.out
    assert {"--csv": "variable,where,by", "--latex": r"\toprule", "--markdown": "| ---: |"}[output] in got.out


def test_by_splits_by_parts_and_by_columns(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "sentences.csv", "-m", "alpha", "--by", "pair", "--by", "doc", "--by", "item")
    assert "Ana – Ben" in got.out
    assert "doc = minutes" in got.out
    assert "by item" in got.out


def test_saved_run_gives_the_same_output(cli: Cli, garden: Path, tmp_path: Path) -> None:
    kept = tmp_path / "run.toml"
    options = [
        "-m",
        "alpha(distance=ordinal)",
        "--interval",
        "bootstrap",
        "--replicates",
        "200",
        "--seed",
        "7",
        "--json",
    ]
    first = cli(
        "score", garden / "tone.csv", *options, "--merge", "1,2=low", "--categories", "1,2,3,4,5", "--save", kept
    )
    assert first.code == 0
    again = cli("score", "--run", kept, "--json")
    assert again.out == first.out
    assert "alpha(distance=ordinal)" in kept.read_text(encoding="utf-8")


def test_other_options_are_refused_with_run(cli: Cli, garden: Path, tmp_path: Path) -> None:
    kept = tmp_path / "run.toml"
    assert cli("score", garden / "tone.csv", "-m", "alpha", "--save", kept).code == 0
    refused(cli("score", "--run", kept, "--seed", "3"), "[option-conflict]")
    refused(cli("score", "--run", kept, garden / "tone.csv"), "[option-conflict]")
    kept.write_text('paths = ["x.csv"]\nmeasures = 3\n', encoding="utf-8")
    refused(cli("score", "--run", kept), "[saved-file-invalid]")
    kept.write_text('paths = ["x.csv"]\nmesures = ["alpha"]\n', encoding="utf-8")
    refused(cli("score", "--run", kept), "[saved-file-invalid]", '"measure"')
    kept.write_text("paths = [", encoding="utf-8")
    refused(cli("score", "--run", kept), "[saved-file-invalid]")


def test_table_that_may_contain_counts_is_refused_with_both_layouts(cli: Cli, table: Callable[..., Path]) -> None:
    refused(cli("score", table(",x,y\nx,20,3\ny,4,30\n")), "[layout-unclear]", "--layout confusion", "--layout wide")
    refused(
        cli("score", table("item,x,y,z\n1,3,0,0\n2,1,1,1\n3,0,2,1\n")),
        "[layout-unclear]",
        "--layout counts",
        "--layout wide",
    )
    assert "--layout counts" in cli("score", table("item,x,y\n1,3,0\n2,1,2\n3,0,3\n")).out
    refused(cli("score", table(",x,y\na,20,3\nb,4,30\n"), "--layout", "confusion"), "[invalid-counts]")


def test_csv_has_plain_numbers(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "sentences.csv", "--csv", "--by", "category")
    assert "np." not in got.out
    for row in csv.DictReader(io.StringIO(got.out)):
        assert 0 < float(row["value"]) <= 1


def test_option_only_may_be_repeated(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "sentences.csv", "-m", "percent", "--only", "report", "--only", "plan,complaint")
    assert "3 categories" in got.out


def test_dash_reads_standard_input(cli: Cli) -> None:
    got = cli("score", "-", "-m", "percent", "--json", stdin=GOOD.encode())
    assert json.loads(got.out)["scores"][0]["value"] == pytest.approx(2 / 3)


def test_output_is_written_to_a_file(cli: Cli, garden: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    got = cli("score", garden / "sentences.csv", "--csv", "-o", target)
    assert (got.code, got.out) == (0, "")
    assert target.read_text(encoding="utf-8").count("\n") == 7
    refused(cli("score", garden / "tone.csv", "-o", tmp_path / "no" / "such" / "folder.csv"), "[output-not-writable]")


def test_long_labels_are_not_shortened_on_a_wide_screen(cli: Cli, table: Callable[..., Path]) -> None:
    rows = "".join(f"{i},A,a long category no {i % 40}\n{i},B,a long category no {i * 7 % 40}\n" for i in range(80))
    got = cli("score", table(HEADER + rows), "-m", "alpha(distance=jaccard)", "--matrix", "--by", "category")
    assert "…" not in got.out
    assert got.out.count("a long category no 39") == 3


def test_scale_of_kappa_is_refused_for_an_error_measure(cli: Cli, table: Callable[..., Path]) -> None:
    cut = table("doc,annotator,masses\nd,Ana,2 3 4\nd,Ben,5 4\n")
    refused(cli("score", cut, "-m", "ghd", "--scale", "landis_koch"), "[option-not-for-data]")


def test_marginals_and_scales_are_shown(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "sentences.csv", "-m", "pi", "--marginals", "--scale", "landis_koch")
    for words in ("Stuart–Maxwell", "annotator bias B", "Landis & Koch 1977", "substantial", "thresholds do not apply"):
        assert words in got.out


@pytest.mark.parametrize(
    "command", [["measures"], ["measures", "alpha"], ["formats"], ["--version"], ["--help"], ["score", "-h"]]
)
def test_listings_print_something(cli: Cli, command: list[str]) -> None:
    got = cli(*command)
    assert got.code == 0
    assert got.out


def test_every_command_shows_an_example_in_its_help(cli: Cli) -> None:
    for command in ("score", "read", "measures"):
        assert "Example" in cli(command, "--help").out


def test_read_shows_annotators_and_missing_labels(cli: Cli, garden: Path) -> None:
    got = cli("read", garden / "tone.csv")
    assert "3: Ana, Ben, Chloé" in got.out
    assert "5 labels missing (empty cell)" in got.out


def test_the_installed_program_runs(garden: Path) -> None:
    program = Path(sys.executable).parent / "accord"
    got = subprocess.run(  # noqa: S603
        [program, "score", garden / "sentences.csv", "-m", "alpha"], capture_output=True, text=True, check=False
    )
    assert got.returncode == 0
    assert "0.687" in got.stdout
    assert got.stderr == ""


# -- errors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADER + "1,A,x\n2,A,y\n", ["only one annotator", '"A"']),
        (HEADER + "1,A,x\n2,B,y\n", ["no two annotators"]),
        (HEADER + "1,A,\n1,B,\n", ["no labels"]),
        ("", ["empty"]),
        (HEADER, ["header row", "no data rows"]),
        (HEADER + "1,A,x\n1,B\n2,A,x\n", ["table.csv:3", "2 cells", "3 columns"]),
        (HEADER + "1,A,x\n1,B,x,z\n", ["table.csv:3", "4 cells"]),
        (HEADER + '1,A,x\n1,B,"a\n1,B,b"\n', ["table.csv:3", "close the quote", "--fold space"]),
        (HEADER + '1,A,"x\n1,B,y\n', ["table.csv:2"]),
        (HEADER + "1,A,x\n1,B,x\n1,A,y\n", ["table.csv:2 and ", "table.csv:4", "twice", "--repeats"]),
        (HEADER + ",A,x\n1,B,x\n", ["table.csv:2", "item is empty"]),
        (HEADER + "1,,x\n1,B,x\n", ["table.csv:2", "annotator is empty"]),
        ("item,item,label\n1,A,x\n", ["table.csv:1", "[header-row]"]),
        ("a\n1\n2\n", ["--item", "--annotator"]),
        (
            "doc,annotator,start,end,label\nd,A,2,1,x\nd,B,1,2,x\n",
            ["table.csv:2", "end 1 is before start 2", "--end-is-length"],
        ),
    ],
)
def test_bad_tables_are_refused_with_their_location(
    cli: Cli, table: Callable[..., Path], content: str, words: list[str]
) -> None:
    refused(cli("score", table(content)), *words)


def test_undefined_value_is_reported_with_exit_code_0(cli: Cli, table: Callable[..., Path]) -> None:
    for content in (HEADER + "1,A,x\n1,B,x\n2,A,x\n2,B,x\n", HEADER + "1,A,x\n1,B,y\n"):
        got = cli("score", table(content), "-m", "alpha")
        assert got.code == 0
        assert "undefined" in got.out
        score = json.loads(cli("score", table(content), "-m", "alpha", "--json").out)["scores"][0]
        assert score["value"] is None
        assert score["undefined"]


def test_very_long_line_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.write(HEADER.encode() + b"1,A,")
        file.truncate(1_000_000_000)  # zero bytes, without a line break
    refused(cli("score", path), "[format-unknown]")
    path.write_bytes(HEADER.encode() + b"1,A," + b"x" * 9_000_000)
    refused(cli("score", path), "[file-too-large]")


def test_label_that_is_not_a_number_is_refused_with_its_line(cli: Cli, table: Callable[..., Path]) -> None:
    path = table(HEADER + "1,A,1\n1,B,2\n2,A,many\n2,B,2\n")
    refused(cli("score", path, "-m", "alpha(distance=interval)"), "[not-a-number]", "table.csv:4", '"many"')
    wide = table("item,A,B\n1,1,2\n2,x,2\n")
    refused(cli("score", wide, "-m", "alpha(distance=ratio)"), "[not-a-number]", "table.csv:3", '"A"')


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("alfa", ['unknown measure "alfa": did you mean "alpha"?']),
        ("alpha(distance=ordnal)", ['unknown distance "ordnal": did you mean "ordinal"?']),
        ("kappa(weights=lineal)", ['did you mean "linear"?']),
        ("alpha(distance=linear)", ["write weights=linear"]),
        ("alpha(distnce=ordinal)", ['did you mean "distance"?']),
        ("alpha(distance=ordinal", ['expected ")"']),
        ("alpha)", ["alpha)"]),
        ("", ["spec"]),
        ("kappa(weights=linear,distance=ordinal)", ["remove one"]),
        ("kappa(weights=power)", ["needs exponent"]),
        ("kappa(weights=power(-1))", ["exponent"]),
        ("alpha(distance=matrix(nofile.csv))", ["nofile.csv", "no such file"]),
    ],
)
def test_bad_specs_are_refused_in_one_line(cli: Cli, garden: Path, spec: str, words: list[str]) -> None:
    refused(cli("score", garden / "sentences.csv", "-m", spec), *words)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (",x,y\nx,0,1\n", ["square"]),
        (",x,y\nx,0,1\ny,1\n", ["m.csv:3"]),
        (",x,y\nx,0,1\ny,2,0\n", ["symmetric"]),
        (",x,y\nx,0.5,1\ny,1,0\n", ["itself must be 0"]),
        (",x,z\nx,0,1\nz,1,0\n", ['label "y" has no row']),
        (",x,y\nx,0,a\ny,a,0\n", ["m.csv:2", "not a number"]),
        (",x,y\nx,0,-1\ny,-1,0\n", ["negative"]),
    ],
)
def test_bad_matrices_are_refused_in_one_line(
    cli: Cli, table: Callable[..., Path], matrix: str, words: list[str]
) -> None:
    costs = table(matrix, "m.csv")
    refused(cli("score", table(GOOD), "-m", f'alpha(distance=matrix("{costs}"))'), *words)


def test_weights_above_one_are_refused(cli: Cli, table: Callable[..., Path]) -> None:
    weights = table(",x,y\nx,1,2\ny,2,1\n", "w.csv")
    refused(cli("score", table(GOOD), "-m", f'kappa(weights=matrix("{weights}"))'), "[matrix-invalid]")


def test_missing_files_are_refused(cli: Cli, tmp_path: Path) -> None:
    refused(cli("score", tmp_path / "nothing.csv"), "[file-missing]")
    (tmp_path / "empty").mkdir()
    refused(cli("score", tmp_path / "empty"), "[file-empty]")
    refused(cli("score", "--run", tmp_path / "no.toml"), "[file-missing]")
    refused(cli("score"), "[option-missing]")


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may read everything")
def test_unreadable_file_is_refused(cli: Cli, table: Callable[..., Path]) -> None:
    path = table(GOOD)
    path.chmod(0)
    refused(cli("score", path), "no permission")


def test_encodings_are_recognised_or_refused(cli: Cli, table: Callable[..., Path]) -> None:
    text = HEADER + "1,Chloé,é\n1,B,é\n2,Chloé,y\n2,B,x\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le"):
        got = json.loads(cli("score", table(text.encode(encoding)), "-m", "percent", "--json").out)
        assert got["data"]["annotators"] == ["Chloé", "B"], encoding
        assert got["scores"][0]["value"] == 0.5
    path = table(text.encode("latin-1"))
    refused(cli("score", path), "[encoding]", "--encoding")
    assert json.loads(cli("score", path, "--encoding", "latin-1", "--json").out)["data"]["annotators"] == ["Chloé", "B"]
    refused(cli("score", path, "--encoding", "klingon"), "[encoding]")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--level", "95"], ["between 0 and 1"]),
        (["--interval", "bootstap"], ['did you mean "bootstrap"?']),
        (["--replicates", "5"], ["[option-value]", "--replicates", "at least 100"]),
        (["--layout", "tall"], ["unknown layout"]),
        (["--item", "itm"], ['did you mean "item"?']),
        (["--by", "gnre"], ["unknown column"]),
        (["--only", "label=q"], ["unknown"]),
        (["--annotators", "A,C"], ['unknown annotator "C"']),
        (["--merge", "x,y"], ['--merge "x,y=other"']),
        (["--merge", "q=z"], ["unknown label to merge"]),
        (["--scale", "landis"], ["unknown scale"]),
        (["--scale", "altman", "-m", "percent"], ["defined for s, pi, kappa", "not for percent", "-m s"]),
        (["--categories", "x"], ["not among the declared"]),
        (["--json", "--csv"], ["choose one"]),
        (["--items-population", "2"], ["smaller than the sample"]),
        (
            ["--items-population", "9", "--interval", "bootstrap"],
            ["[option-conflict]", "--items-population", "--interval linearised", "not bootstrap"],
        ),
        (["--seed", "-1"], ["seed"]),
        (["--nonsense"], ["--nonsense"]),
        (["--repeats", "maybe"], ["unknown way to treat repeats"]),
    ],
)
def test_bad_options_are_refused_in_one_line(
    cli: Cli, table: Callable[..., Path], options: list[str], words: list[str]
) -> None:
    refused(cli("score", table(GOOD), *options), *words)


def test_labels_are_harmless_in_every_output(cli: Cli, table: Callable[..., Path]) -> None:
    evil = ["=cmd|' /C calc'!A0", r"\input{/etc/passwd}", "[red]x[/red]", "a|b<script>", "\x1b[31mred"]
    lines = "".join(f'{i},A,"{e}"\n{i},B,"{e}"\n' for i, e in enumerate(evil))
    path = table(HEADER + lines)
    for output in ("--csv", "--latex", "--markdown", "--json", None):
        got = cli("score", path, "-m", "alpha", "--by", "category", *([output] if output else []))
        assert got.code == 0, got.err
        if output == "--csv":
            assert ",'=cmd" in got.out
        if output == "--latex":
            assert r"\input" not in got.out
        if output == "--markdown":
            assert r"a\|b\<script\>" in got.out
        if output != "--csv":
            assert "\x1b[31m" not in got.out
        if output is None:
            assert "[red]x[/red]" in got.out


def test_undefined_measure_does_not_stop_the_others(cli: Cli, table: Callable[..., Path]) -> None:
    data = table("item,Ana,Ben,Eva\n1,1,2,\n2,,3,3\n3,5,,4\n4,2,2,\n")
    found = cli("score", data, "-m", "icc", "-m", "icc(form=1)", "-m", "alpha", "--matrix")
    assert found.code == 0, found.err
    assert "icc(form=2) is undefined" in " ".join(found.out.split())
    assert "coincidence matrix" in found.out
    scores = json.loads(cli("score", data, "-m", "icc", "-m", "alpha", "--json").out)["scores"]
    assert scores[0]["value"] is None
    assert "items that all 3 annotators rated" in scores[0]["undefined"]
    assert scores[1]["value"] is not None
    assert cli("score", data, "-m", "icc").code == 2
