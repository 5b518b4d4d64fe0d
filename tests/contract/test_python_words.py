"""Messages name keywords in Python, and options on the command line."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.errors import TYPED_ALONE, DataError, Interface, for_interface, keyword_of
from accord.core.tables import Result
from accord.data.io import Reading

from ..command_line import Cli, refused

SOURCE = Path(accord.__file__).parent


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interface, "command_line", False)


def keywords() -> set[str]:
    """Return the parameters of all public functions and the options of reading."""
    known = {field.name for field in dataclasses.fields(Reading)}
    for name in dir(accord):
        if callable(thing := getattr(accord, name)):
            try:
                known |= set(inspect.signature(thing).parameters)
            except ValueError:
                continue
    return known


def options_in_messages() -> set[str]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        if {"cli", "serving"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise):
                for text in ast.walk(node):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        found |= set(re.findall(r"(?<![\w\-])--([a-z]+(?:-[a-z]+)*)(?![\w\-])", text.value))
    return found


def test_every_option_in_a_message_has_a_python_equivalent() -> None:
    known, options = keywords(), options_in_messages()
    assert len(options) > 40
    assert not [name for name in options if keyword_of(name) not in {None, *known, *dir(Result)}]
    assert not {name.replace("-", "_") for name in TYPED_ALONE} & known


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("say --layout counts if x, or --layout wide", 'say layout="counts" if x, or layout="wide"'),
        ("say --item, --annotator, --label (x)", "say item=…, annotator=…, label=… (x)"),
        ('--item "a b" --no-header if', 'item="a b" no_header=True if'),
        ("--encoding latin-1 or --encoding cp1252", 'encoding="latin-1" or encoding="cp1252"'),
        ("--start Beginning --end End, if", 'start="Beginning" end="End", if'),
        ("--annotators-in files or --names", 'annotators_in="files" or names=…'),
        ("compare with --interval jackknife", 'compare with interval="jackknife"'),
        ("3 more rows; --csv or --json has all", "3 more rows; to_frame() or to_dict() has all"),
        ('label "a --label b" twice: --label c1', 'label "a --label b" twice: label="c1"'),
        ("or --baseline last.json", 'or baseline="last.json"'),
        ("left out, --fit asks for it", "left out, fit=True asks for it"),
        ("--columns '{annotator}_{label}'", "columns='{annotator}_{label}'"),
        ("--sheet NAME to read one", "sheet=… to read one"),
        ("--min gamma=0.7, or --max ser=0.2", 'min={"gamma": 0.7}, or max={"ser": 0.2}'),
        ("out/ --to textgrid", 'out/ to="textgrid"'),
        ("--force replaces it", "--force replaces it"),
        ("write one with accord score --json", "write one with accord score --json"),
        ("--only genre=news.", 'only="genre=news".'),
        ("a--b.csv: --label or --by takes it", "a--b.csv: label=… or by=… takes it"),
    ],
)
def test_options_become_keywords(typed: str, written: str) -> None:
    assert for_interface(typed) == written
    assert str(DataError("usage", typed)) == written


# Functions that adapt a message or note to the interface.
WORDED = {"for_interface", "noted", "short_of_data", "NotHere"}
# Declarations of questions; for_interface turns their help into docstrings.
WORDED |= {"Option", "question", "_about", "_bound", "_how", "_layout", "_picture", "_rare", "_size", "_test", "_told"}
# Modules without this rule: only the command line or `accord serve` shows their text, advice names commands,
# reading adapts its notes at the end, options.py has help texts, and other_tools.py has texts for errors.
TYPED = {
    "cli",
    "score.py",
    "read.py",
    "plot.py",
    "rendering",
    "io",
    "serving",
    "advising",
    "options.py",
    "other_tools.py",
}
# Strings that are not adapted: commands, options beside keywords, and a style sheet.
MEANT = ("compare.py: --", "converting.py:  --label ", "page.py: .<span",
         "reports.py: The plan of this run", "shuffle.py: --reference NAME",
         "figure.py: var(--bg", "question.py: Options of `accord.read`")  # fmt: skip


def test_every_note_with_an_option_is_adapted_to_the_interface() -> None:
    """Each string with an option is raised, passed to one of WORDED, or part of a value that is."""
    bare = []
    for path in SOURCE.rglob("*.py"):
        if TYPED & set(path.relative_to(SOURCE).parts) or path.name == "errors.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        worded = {id(part) for node in ast.walk(tree) if _is_worded(node) for part in ast.walk(node)}
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) in worded}
        for node in ast.walk(tree):  # left = "…"; for_interface(left)
            named = isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id in names for t in node.targets
            )
            if named or (isinstance(node, ast.FunctionDef) and node.name in names):
                worded |= {id(part) for part in ast.walk(node)}
        bare += [
            f"{path.name}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | worded
            and re.search(r"(?:^|[ (])--[a-z]+(?:-[a-z]+)*(?![\w\-])", node.value)
        ]  # fmt: skip
    assert not [one for one in bare if not one.startswith(MEANT)]


def _is_worded(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else None
    return isinstance(node, ast.Raise) or name in WORDED


ROWS = [f"d{k}" for k in range(12)]
A, B = list("xyxxyxyyxxyx"), list("xyxyyxyxxxyx")
ZEROS = [0, 1, 0, 0, 2, 0, 1, 0, 0, 3, 0, 1]
REFUSALS: dict[str, tuple[dict[str, list[Any]], dict[str, Any]]] = {
    "a label twice": ({"item": ["a", "a", "a"], "annotator": ["A", "A", "B"], "label": ["x", "y", "x"]}, {}),
    "no annotator": ({"item": ROWS, "label": A}, {"layout": "long"}),
    "no item": ({"annotator": ["A", "B"] * 6, "label": A}, {}),
    "no label": ({"item": ROWS, "annotator": ["A", "B"] * 6}, {}),
    "one column": ({"item": ROWS, "Ana": A}, {}),
    "categories": ({"item": ROWS, "positive": ZEROS, "negative": ZEROS[::-1]}, {}),
    "codes": ({"item": ROWS, "Living > Costs": ZEROS, "Living > Rent": ZEROS[::-1]}, {}),
    "sums": ({"item": ROWS, "hat": ZEROS, "coat": [3 - z for z in ZEROS], "shoe": [0] * 12}, {}),
    "confusion": ({"": ["x", "y"], "x": [3, 1], "y": [2, 5]}, {}),
    "variables": ({"item": ROWS, "tone": A, "frame": B}, {}),
    "nothing shared": ({"item": ROWS, "a": A, "b": list("pqpqpqpqpqpq")}, {}),
    "a form": ({"Timestamp": ROWS, "Is it so?": A, "Is it not so?": B}, {}),
    "a respondent": ({"email": ROWS, "q1": A, "q2": B}, {}),
    "several variables": ({"item": ROWS, "annotator": ["A", "B"] * 6, "label_a": A, "label_b": B}, {}),
    "confusion by label": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "confusion", "label": ["x"]}),
    "counts by missing": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "missing": ["0"]}),
    "counts, folded": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "fold": ["case"]}),
    "counts, chosen": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "only": ["x"]}),
    "counts of annotators": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "annotators": ["x"]}),
    "a pattern": ({"item": ROWS, "x": A, "y": B}, {"columns": "abc"}),
    "two annotators": ({"item": ROWS, "annotator": ["A", "B"] * 6, "coder": ["B", "C", "D"] * 4, "label": A}, {}),
    "two items": ({"annotator": ["A", "B"] * 6, "first": [k // 2 for k in range(12)], "second": [*"abbccddeeffa"],
                   "label": A}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_errors_in_python_name_no_options(name: str) -> None:
    columns, how = REFUSALS[name]
    with pytest.raises(accord.AccordError) as trouble:
        accord.score(columns, "alpha", **how)
    assert "--" not in str(trouble.value)


def test_warnings_in_python_name_no_options() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        accord.read({"sentence": ROWS, "extra": ROWS, "Ana": [*A[:-1], "NA"], "Ben": B, "final": A})
    messages = [str(one.message) for one in found]
    assert any('missing=""' in one for one in messages)
    assert not [one for one in messages if "--" in one]


def spans(documents: int) -> dict[str, list[Any]]:
    who = [a for _ in range(documents) for a in ("A", "A", "B", "B")]
    starts = [s + k for k in range(documents) for s in (0, 10, 1, 11)]
    return {
        "doc": [f"d{k}" for k in range(documents) for _ in range(4)], "annotator": who,
        "start": starts, "end": [s + 5 for s in starts], "label": ["x", "y"] * 2 * documents,
    }  # fmt: skip


def test_notes_and_results_in_python_name_no_options() -> None:
    """Notes of data, notes of results, and the displayed results."""
    data = accord.read({"sentence": ROWS, "Ana": [*A[:-1], "NA"], "Ben": B, "final": A})
    assert any('missing=""' in note for note in data.notes)
    alone, few = accord.score(spans(1), "gamma(samples=10)"), accord.score(spans(3), "gamma(samples=10)")
    assert 'interval="blocks"' in alone.details["interval"]
    assert 'interval="jackknife"' in few.details["interval"]
    many = accord.influence({"item": [f"i{k}" for k in range(300)], "A": A * 25, "B": B * 25}, "alpha", of=["unit"])
    shown = [data.summary(), alone.to_dict(), few._repr_html_(), many._repr_html_()]
    assert "to_dict() has all" in shown[-1]
    assert "--" not in str(shown)
    kept = accord.read({"item": ROWS, "A": A, "B": B}, only=["x"])
    assert "only=…: " in str(kept.notes)


def test_conversion_gives_the_python_call_that_reads_it_back(tmp_path: Path) -> None:
    made = accord.convert({"item": ROWS, "A": A, "B": B}, tmp_path / "t.csv")
    assert made.read_back == f"accord.read({str(tmp_path / 't.csv')!r})"


def test_errors_on_the_command_line_name_options(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,label\na,A,x\na,A,y\na,B,x\n", encoding="utf-8")
    refused(cli("score", path), "[repeated-label]", "--repeats first")
