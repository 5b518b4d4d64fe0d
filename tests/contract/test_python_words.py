"""Messages and warnings speak of keywords in Python, and of options on the command line."""

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
from accord.errors import TYPED_ALONE, Asker, DataError, in_words_of_asker, keyword_of
from accord.io import Reading

from ..command_line import Cli, refused

SOURCE = Path(accord.__file__).parent


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Asker, "types", False)


def keywords() -> set[str]:
    """Of all public functions, and of reading."""
    known = {field.name for field in dataclasses.fields(Reading)}
    for name in accord.__all__:
        if callable(thing := getattr(accord, name)):
            try:
                known |= set(inspect.signature(thing).parameters)
            except ValueError:
                continue
    return known


def options_in_messages() -> set[str]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in {"cli", "studies"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise):
                for text in ast.walk(node):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        found |= set(re.findall(r"(?<![\w\-])--([a-z]+(?:-[a-z]+)*)(?![\w\-])", text.value))
    return found


def test_every_option_of_a_message_is_a_keyword() -> None:
    known, options = keywords(), options_in_messages()
    assert len(options) > 40
    assert not [name for name in options if keyword_of(name) not in {None, *known}]
    assert not {name.replace("-", "_") for name in TYPED_ALONE} & known


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("say --layout counts if x, or --layout wide", 'say layout="counts" if x, or layout="wide"'),
        ("say --item, --annotator, --label (x)", "say item=…, annotator=…, label=… (x)"),
        ('--item "a b" --no-header if', 'item="a b" no_header=True if'),
        ("--encoding latin-1 or --encoding cp1252", 'encoding="latin-1" or encoding="cp1252"'),
        ("--start Beginning --end End, if", 'start="Beginning" end="End", if'),
        ("--annotators-in files (or folders)", 'annotators_in="files" (or folders)'),
        ("choose with --repeats first, last", 'choose with repeats="first", last'),
        ("--columns '{annotator}_{label}'", "columns='{annotator}_{label}'"),
        ("--sheet NAME to read one", "sheet=… to read one"),
        ("--min gamma=0.7, or --max ser=0.2", 'minimum={"gamma": 0.7}, or maximum={"ser": 0.2}'),
        ("out/ --to textgrid", 'out/ format="textgrid"'),
        ("--force replaces it", "--force replaces it"),
        ("--only genre=news.", 'only="genre=news".'),
        ("a--b.csv: --label or --by takes it", "a--b.csv: label=… or by=… takes it"),
    ],
)
def test_options_become_keywords(typed: str, written: str) -> None:
    assert in_words_of_asker(typed) == written
    assert str(DataError(typed)) == written


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
    "counts by label": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "label": ["x"]}),
    "counts by missing": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "missing": ["0"]}),
    "counts, folded": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "fold": ["case"]}),
    "counts, chosen": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "only": ["x"]}),
    "counts of annotators": ({"item": ROWS, "x": ZEROS, "y": ZEROS}, {"layout": "counts", "annotators": ["x"]}),
    "a pattern": ({"item": ROWS, "x": A, "y": B}, {"columns": "abc"}),
    "two annotators": ({"item": ROWS, "annotator": ["A", "B"] * 6, "coder": ["B", "C", "D"] * 4, "label": A}, {}),
    "the number of a row": ({"id": ROWS, "post_id": [k // 2 for k in range(12)], "annotator": ["A", "B"] * 6,
                             "label": A}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_in_python(name: str) -> None:
    columns, how = REFUSALS[name]
    with pytest.raises(accord.AccordError) as trouble:
        accord.score(columns, "alpha", **how)
    assert "--" not in str(trouble.value)


def test_warnings_in_python() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        accord.read({"sentence": ROWS, "extra": ROWS, "Ana": [*A[:-1], "NA"], "Ben": B, "final": A})
    said = [str(one.message) for one in found]
    assert any('missing="NA"' in one for one in said)
    assert not [one for one in said if "--" in one]


def test_the_command_line_speaks_of_options(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,label\na,A,x\na,A,y\na,B,x\n", encoding="utf-8")
    refused(cli("score", path), "--repeats first")
