"""Properties of all commands that answer a question: saved runs, outputs and seeds."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from accord.answers.catalogue import MODULES, question_named
from accord.answers.plan import load_plan

from ..command_line import Cli, refused
from ..contract.test_schema import assert_valid

RATINGS = "item,A,B,C\n" + "".join(f"i{k},{k % 3},{(k + k % 2) % 3},{k % 3}\n" for k in range(12))
ROUNDS = "item,annotator,label,round\n" + "".join(
    f"i{k},{who},{(k + (g == k % 5)) % 3},{k // 10}\n" for k in range(30) for g, who in enumerate("ABC")
)
TWICE = "item,annotator,label\n" + "".join(
    f"i{k},{who},{(k + t) % 2}\n" for k in range(6) for who in "AB" for t in (0, k)
)
SPANS = "doc,annotator,start,end,label\n" + "".join(
    f"d{d},{who},{9 * k + g},{9 * k + 6},{'xy'[k % 2]}\n"
    for d in range(3)
    for g, who in enumerate("AB")
    for k in range(4)
)
GOLD = "doc,annotator,start,end,label\n" + "".join(f"d1,R,{9 * k},{9 * k + 6},{'xy'[k % 2]}\n" for k in range(6))
COMMANDS: dict[str, list[str]] = {
    "score": ["ratings.csv", "-m", "alpha(distance=ordinal)", "-m", "pi", "--by", "category", "--seed", "3"],
    "advise": ["ratings.csv", "--say", "order=grades", "--reference", "B", "--models", "C"],
    "read": ["ratings.csv", "--categories", "0,1,2,3"],
    "map": ["ratings.csv", "--role", "item=item"],
    "convert": ["ratings.csv", "wide.parquet", "--wide"],
    "align": ["spans.csv", "-m", "gamma(categorical=2)"],
    "compare": ["ratings.csv", "-m", "alpha", "--annotators-a", "A,B", "--annotators-b", "B,C", "--level", "0.9"],
    "influence": ["ratings.csv", "-m", "alpha", "--by", "annotator", "--replicates", "100"],
    "check": ["rounds.csv", "--min", "alpha=-0.5", "--measurement", "nominal", "--by", "round", "--use", "lower"],
    "plan": ["-m", "kappa", "--width", "0.3", "--simulations", "0"],
    "intra": ["twice.csv", "-m", "alpha"],
    "limits": ["ratings.csv", "--annotators", "A,B", "--level", "0.9"],
    "annotators": ["ratings.csv", "--no-fit", "--level", "0.9"],
    "trend": ["rounds.csv", "--by", "round", "-m", "alpha", "--seed", "3"],
    "report": ["rounds.csv", "-m", "alpha", "--by", "round", "--title", "Pilot"],
    "cite": ["ratings.csv", "-m", "alpha", "--style", "apa", "--seed", "3"],
    "plot": ["ratings.csv", "--kind", "pairs", "-m", "kappa", "--width", "one", "--seed", "3"],
    "gold": ["spans.csv", "--threshold", "0.4"],
    "disagreements": ["spans.csv", "-m", "gamma"],
    "replace": ["ratings.csv", "--models", "C", "--min-items", "5", "--epsilon", "0.15"],
    "shuffle": ["gold.csv", "--error", "shift", "--magnitude", "0.2", "--annotators", "2", "--seed", "5"],
    "xray": ["gold.csv", "--error", "shift", "-m", "f1", "--step", "1", "--sets", "1"],
    "meaning": ["ratings.csv", "-m", "alpha", "--error", "category", "--step", "1", "--sets", "2"],
}
EVERY = pytest.mark.parametrize("command", COMMANDS)


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("ratings", RATINGS), ("rounds", ROUNDS), ("twice", TWICE), ("spans", SPANS), ("gold", GOLD)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")


@EVERY
def test_saved_run_gives_the_same_output(cli: Cli, command: str) -> None:
    first = cli(command, *COMMANDS[command], "--save", "run.toml")
    assert first.code == 0, first.err
    again = cli(command, "--run", "run.toml")
    assert (again.code, again.out) == (0, first.out)
    kept = load_plan(Path("run.toml"), question_named(command))
    assert kept.options or kept.paths or kept.reading.stated
    beside = cli(command, "ratings.csv", "--run", "run.toml")
    assert (beside.code, beside.out) == (2, "")
    assert "--run repeats a saved run" in beside.err


def test_every_question_has_a_command_in_this_module() -> None:
    assert set(MODULES) == set(COMMANDS)


def test_saved_run_of_another_command_is_refused_with_its_name(cli: Cli) -> None:
    assert cli("score", "ratings.csv", "-m", "pi", "--save", "run.toml").code == 0
    got = cli("influence", "--run", "run.toml")
    assert got.code == 2
    assert "run.toml contains a run of accord score, not of influence; use accord score --run run.toml" in got.err


@EVERY
@pytest.mark.parametrize("kind", ["json", "csv", "latex", "markdown"])
def test_every_command_has_every_output(cli: Cli, command: str, kind: str) -> None:
    got = cli(command, *COMMANDS[command], f"--{kind}")
    assert got.code == 0, got.err
    if kind == "json":
        assert_valid(json.loads(got.out), command)
    elif kind == "csv":
        widths = {len(row) for row in csv.reader(io.StringIO(got.out))}
        assert len(widths) == 1
    elif command == "cite":  # prints a sentence and its references
        assert "Krippendorff" in got.out
    elif kind == "latex":
        assert got.out.count("\\begin{tabular}") == got.out.count("\\end{tabular}") > 0
    else:
        assert got.out.count("| --- ") + got.out.count("| ---: ") > 0
    assert cli(command, *COMMANDS[command], f"--{kind}", "-o", "out").code == 0
    assert Path("out").read_text(encoding="utf-8") == got.out


@EVERY
def test_two_outputs_are_refused(cli: Cli, command: str) -> None:
    got = cli(command, *COMMANDS[command], "--json", "--csv")
    assert (got.code, got.err) == (2, "accord: --json and --csv cannot both be printed; choose one [option-conflict]\n")


@EVERY
def test_bad_seeds_are_refused_in_one_line(cli: Cli, command: str) -> None:
    if command in {"advise", "read", "map", "convert", "align", "limits"}:  # not random
        return
    got = cli(command, *COMMANDS[command], "--seed", "-1")
    refused(got, "[option-value]", "seed", "at least 0", '"-1"')
