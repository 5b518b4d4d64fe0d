"""LaTeX and Markdown tables: rows, columns, captions and styles. pdflatex compiles the LaTeX."""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from tests.planned import answered

import accord
from accord.answers.gold.decisions import write_table
from accord.core.prose import STYLES, Style
from accord.core.tables import Interval, Result, Table
from accord.data.io import Reading
from accord.doors.rendering import render
from accord.doors.rendering.for_papers import escape_latex, render_latex, render_markdown, shorten_word
from accord.doors.rendering.for_programs import table_as_csv

from ..command_line import Cli
from ..contract import test_results as every
from ..needs import PDFLATEX

NEEDS_LATEX = PDFLATEX.skip_if_missing()
NASTY = (
    "<script>alert(1)</script> \"><img src=x onerror=alert(1)> `''--- ,, ?` !`",
    r"*^^M\input{/etc/passwd} ^^J $x^2_1$ 100% & # ~ ^ \ } { | [a] \\ \end{tabular} %",
    "שלום עולم مرحبا 日本語 👩‍👩‍👧 Ελλάδα ω Ħſ ﬁ ñ ß Ł ’quoted‘ – — … ½ µ °\nsecond line\ttab \x1b[31m \u202e",
    "é" + "x" * 9_998 + "}",
)
PEOPLE = (r"A_1 \jobname", "[<b>Ben</b>] $", "Cle|o & 日" + "y" * 500)
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{booktabs}\usepackage{longtable}\usepackage{graphicx}
\begin{document}
"""


def compiled(body: str, folder: Path) -> str:
    """Compile the text, fail if pdflatex fails, and return its log."""
    assert PDFLATEX.path is not None
    (folder / "paper.tex").write_text(f"{PREAMBLE}{body}\n\\end{{document}}\n", encoding="utf-8")
    command = [
        PDFLATEX.path,
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-no-shell-escape",
        "-draftmode",
        "paper.tex",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-1500:]
    return (folder / "paper.log").read_text(encoding="utf-8", errors="replace")


def table(path: Path, rows: list[list[str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return str(path)


@pytest.fixture
def nasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the labels and names in the results of the contract tests by hostile ones."""
    cached = (every.ratings, every.numbers, every.units, every.apart, every.made)
    monkeypatch.setattr(every, "NASTY", NASTY)
    monkeypatch.setattr(every, "PEOPLE", PEOPLE)
    for one in cached:
        one.cache_clear()
    yield
    for one in cached:
        one.cache_clear()


def of_tables(folder: Path) -> list[Result]:
    """Write rows with quotes, which the contract tests do not need."""
    labels = [[f"i{k}", NASTY[k % 2], NASTY[(k + k % 3) % 2], NASTY[k % 3]] for k in range(9)]
    items = table(folder / "a_%&.csv", [["item", *PEOPLE], *labels])
    rows = [[f"d{k % 2}", who, str(9 * k), str(9 * k + 4 + g), NASTY[k % 4]]
            for g, who in enumerate(PEOPLE[:2]) for k in range(8)]  # fmt: skip
    spans = table(folder / "units.csv", [["doc", "annotator", "start", "end", "label"], *rows])
    asked = {"by": ("category", "pair", "item"), "marginals": True, "matrix": True, "cite": True, "show": "se,p"}
    return [
        answered("score", items, measure=("alpha", "pi"), **asked),
        answered("score", spans, measure=("gamma", "ser"), by=("category",), explain=True),
    ]


@pytest.mark.slow
@NEEDS_LATEX
@pytest.mark.usefixtures("nasty")
def test_latex_of_every_result_compiles_with_hostile_labels(tmp_path: Path) -> None:
    # Files without quotes and TextGrids cannot store a line break in a label.
    apart = {"results", "results of units", "converted"}
    found = [every.made(name) for name in every.EVERY if name not in apart]
    pages = [render(result, "latex") for result in (*found, *of_tables(tmp_path))]
    log = compiled("\n\\clearpage\n".join(pages), tmp_path)
    assert "Missing character" not in log
    assert "(/etc/passwd" not in log  # pdflatex logs each file that it reads like this


@pytest.mark.slow
@NEEDS_LATEX
def test_long_table_becomes_a_longtable(tmp_path: Path) -> None:
    class Long(Result):
        def tables(self) -> list[Table]:
            return [Table("many", ("name", "value"), tuple((f"row {k}", k / 100) for k in range(-60, 60)), ("a note",))]

    made = render_latex(Long())
    assert r"\begin{longtable}{lr}" in made
    assert r"\begin{table}" not in made
    assert r"\usepackage{longtable}" in made.splitlines()[0]
    assert "$-$0.600" in made
    compiled(made, tmp_path)


@pytest.mark.slow
@NEEDS_LATEX
def test_every_printable_character_compiles(tmp_path: Path) -> None:
    """Characters that fonts have, and characters that are written as code points."""
    signs = [chr(c) for c in (*range(0x20, 0x2800), *range(0xFB00, 0xFB10), 0x1F600, 0x10FFFF) if chr(c).isprintable()]
    words = ["".join(signs[k : k + 20]) for k in range(0, len(signs), 20)]
    assert "Missing character" not in compiled("\n\n".join(map(escape_latex, words)), tmp_path)


def test_characters_missing_in_fonts_are_named_by_code_point() -> None:
    assert escape_latex("日本 é") == "{[}U+65E5 U+672C{]} é"
    assert escape_latex("a日b") == "a{[}U+65E5{]}b"
    assert escape_latex("α–β --only ''") == r"$\alpha$--$\beta$ -{}-only '{}'"
    assert escape_latex("*[a]") == "{*}{[}a{]}"  # after the end of a row, LaTeX reads both as options
    assert escape_latex("\\input{x}") == r"\textbackslash{}input\{x\}"
    assert escape_latex("\n\x1b") == r"\textbackslash{}n{[}U+FFFD{]}"
    assert shorten_word("x" * 61) == "x" * 29 + "…" + "x" * 29
    assert shorten_word("x" * 60) == "x" * 60


def two_variables(folder: Path) -> str:
    rows = [[f"i{k // 2}", "AB"[k % 2], "xy"[(k // 4) % 2], str(k % 7 > 2)] for k in range(40)]
    return table(folder / "both.csv", [["item", "annotator", "tone", "topic"], *rows])


def test_variables_are_rows_and_measures_columns(tmp_path: Path) -> None:
    path = two_variables(tmp_path)
    reading = Reading(label=("tone", "topic"))
    found = answered("score", path, reading=reading, measure=("alpha(ordinal)", "pi"), show="p,se")
    first, *rest = found.printed()
    assert not rest
    sign = "α (distance=ordinal)"
    assert first.table.columns == (
        "variable",
        "items",
        "annotators",
        sign,
        f"{sign} p",
        f"{sign} SE",
        "π",
        "π p",
        "π SE",
    )
    assert [row[0] for row in first.table.rows] == ["tone", "topic"]
    scores = found.groups[1].scores
    assert first.table.rows[1][6].value == scores[1].value  # type: ignore[union-attr]
    assert first.table.rows[1][7:9] == (scores[1].p, scores[1].se)
    assert first.caption.startswith("Agreement on 2 variables in both.csv: values with 95% CI by ")
    shown = render_markdown(found)
    cell = f"{scores[1].value:.3f} [{scores[1].interval.low:.3f}, {scores[1].interval.high:.3f}]"  # type: ignore[union-attr]
    assert f"| {cell} |" in shown


def test_parts_are_rows(tmp_path: Path) -> None:
    rows = [[f"i{k // 2}", "AB"[k % 2], "xy"[k % 5 > 2], "ab"[k > 19]] for k in range(40)]
    path = table(tmp_path / "t.csv", [["item", "annotator", "label", "part"], *rows])
    first = answered("score", path, measure=("alpha",), by=("part",)).printed()[0]
    assert first.table.columns[0] == "data"
    assert [row[0] for row in first.table.rows] == ["label", "label, part = a", "label, part = b"]
    assert first.caption.startswith("Agreement on 3 sets of data in t.csv")


def test_caption_names_measure_counts_and_interval(garden: Path, cli: Cli) -> None:
    made = cli("score", str(garden / "sentences.csv"), "-m", "alpha", "--latex").out
    caption = next(line for line in made.splitlines() if line.startswith(r"\caption"))
    assert caption == (
        r"\caption{Agreement in sentences.csv (54 items, 3 annotators, 5 categories, 156 labels): values with 95\% CI "
        r"by the linearised standard error over items and the t distribution. Left out of the comparison: 1 "
        r"item with only one label.}\label{tab:accord-agreement}"
    )
    left = cli("score", str(garden / "sentences.csv"), "--annotators", "Ana,Ben", "--markdown").out
    assert "--annotators: " in left.splitlines()[0]
    assert "values without intervals" in cli("score", str(garden / "tone.csv"), "--interval", "none", "--markdown").out


def test_labels_of_tables_differ(garden: Path, cli: Cli) -> None:
    args = ("--by", "category", "--by", "pair", "--matrix", "--latex")
    made = cli("score", str(garden / "tone.csv"), "-m", "alpha", *args).out
    labels = re.findall(r"\\label\{(.*?)\}", made)
    assert labels == ["tab:accord-agreement", "tab:accord-by-category", "tab:accord-by-pair",
                      "tab:accord-alpha-distance-ordinal-of", "tab:accord-coincidence-matrix-label"]  # fmt: skip
    assert r"\caption{Agreement by category.}" in made


def test_show_adds_se_and_p(garden: Path, cli: Cli) -> None:
    path = str(garden / "sentences.csv")
    made = cli("score", path, "-m", "alpha", "-m", "percent", "--markdown", "--show", "se,p").out
    assert "| measure | value | 95% CI | SE | p | observed | expected |" in made
    alpha = accord.alpha(path)
    row = next(line for line in made.splitlines() if line.startswith("| α |"))
    assert row.split(" | ")[3:5] == [f"{alpha.se:.3f}", f"{alpha.p:.3f}"]
    percent = next(line for line in made.splitlines() if line.startswith("| percent agreement |"))
    assert percent.split(" | ")[4] == ""  # percent agreement has no chance model
    assert " p " not in cli("score", path, "-m", "alpha", "--latex").out.split(r"\midrule")[0]


def test_apa_style(garden: Path, cli: Cli) -> None:
    path = str(garden / "tone.csv")
    args = ("score", path, "-m", "alpha(ordinal)", "--show", "p,se", "--style", "apa")
    marked, paper = cli(*args, "--markdown").out, cli(*args, "--latex").out
    assert "| measure | value | 95% CI | *p* | *SE* | observed | expected |" in marked
    assert "| .76 | [.67, .85] | .002 | .04 |" in marked
    assert r"& .76 & {[}.67, .85{]} & .002 & .04 &" in paper
    assert r"\emph{p} & \emph{SE}" in paper
    assert "α (distance=ordinal): p of no agreement: 999 permutations" in marked
    spans = cli("score", str(garden / "spans.csv"), "-m", "gamma", "-m", "ser", "--markdown", "--style", "apa").out
    assert "| γ | 0.77 | [0.50, 0.88] | 0.46 | 2.04 |" in spans  # errors and disorders can exceed 1


@pytest.mark.parametrize(
    ("number", "shown"), [(0.687, ".69"), (-0.05, "-.05"), (1.0, "1.00"), (-0.001, ".00"), (10.5, "10.50")]
)
def test_apa_numbers_have_no_leading_zero(number: float, shown: str) -> None:
    apa = STYLES[1]
    assert apa == Style("apa", 2, zero=False, italics=True)
    assert apa.number(number) == shown
    assert apa.number(0.5, bounded=False) == "0.50"
    assert apa.limits(-0.5, 1) == "[-.50, 1.00]"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--show", "se"), "--show adds columns to --latex and --markdown"),
        (("--show", "sd", "--latex"), 'unknown column "sd": known: se, p'),
        (("--style", "apa"), "use it with --latex, --markdown or --cite"),
        (("--style", "mla", "--latex"), 'unknown style "mla"'),
        (("--cite", "--csv"), "use --json"),
    ],
)
def test_options_of_print_are_refused_for_other_outputs(
    args: tuple[str, ...], words: str, garden: Path, cli: Cli
) -> None:
    found = cli("score", str(garden / "tone.csv"), *args)
    assert found.code == 2
    assert words in found.err


@pytest.mark.parametrize("name", every.EVERY)
def test_every_table_has_a_caption(name: str) -> None:
    found = every.made(name)
    for one in found.printed():
        assert one.caption.strip()
        assert len(one.caption) < 600
    paper = render_latex(found)
    tables = [one for one in found.printed() if one.table.rows]
    assert paper.count(r"\caption{") == paper.count(r"\label{tab:accord-") == len(tables)
    if tables:
        assert paper.startswith(r"% needs \usepackage[T1]{fontenc} \usepackage[utf8]{inputenc} \usepackage{booktabs}")
    else:
        assert r"\cite{" in paper


def test_labels_are_not_formulas_in_a_spreadsheet(tmp_path: Path) -> None:
    evil = ("=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\tx", "＝1", "-5", "plain")
    made = table_as_csv(Table("", evil, (evil,)))
    header, row = csv.reader(made.splitlines())
    assert header == row == [*(f"'{text}" for text in evil[:6]), "-5", "plain"]
    path = tmp_path / "table.xlsx"
    path.write_bytes(write_table(Table("", evil, (evil,)), path))
    sheet = openpyxl.load_workbook(path).active
    cells = [cell for line in sheet.iter_rows() for cell in line]
    assert [cell.data_type for cell in cells] == ["s"] * 2 * len(evil)
    assert [cell.value for cell in cells] == [*evil, *evil]


def test_estimate_in_a_cell_shows_value_and_interval() -> None:
    from accord.core.tables import Estimate, shown

    assert shown(Estimate(0.5, Interval(0.25, 0.75, 0.95, "bca"))) == "0.500 [0.250, 0.750]"
    assert shown(Estimate(0.5, None)) == "0.500"
    assert shown(Estimate(float("nan"), None)) == "undefined"
