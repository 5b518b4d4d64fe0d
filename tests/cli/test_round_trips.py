"""accord reads back exactly what it wrote, or refuses to write it, for any names and labels."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.answers.converting import check_read_back, convert
from accord.answers.gold.decisions import read_decisions, write_soft_labels, write_to_fill_in
from accord.answers.gold.settled import apply_decisions
from accord.answers.plan_layout import Layout
from accord.answers.simulate.shuffle import Shuffled
from accord.core.errors import AccordError, DataError
from accord.core.tables import Table
from accord.data.io import Reading
from accord.data.io.tables.cells import guarded, lines_of, unguarded
from accord.data.model.data import Data
from accord.doors.rendering import render
from accord.doors.rendering.for_programs import table_as_csv

from ..cases import for_each
from ..command_line import Cli

NASTY = [
    "=1+1", "+x", "-y", "@z", "'q", "'=q", "''=q", "'", "''", 'a"b', '"', "a\tb", "\tx", "a\nb", "a\rb", "\rx",
    "a\r\nb", " a", "a ", " ", "NA", "nan", "null", "None", "-", "שלום", "\u202ex", "😀", "1", "1.0", "01", "-5",
    "+5", "1e5", "#x", ";", "|", "a,b", "\u00a0", "\u2028", "\x85", "true", "＝1", "item", "annotator", "label",
    "start", "text", "key", "decision",
]  # fmt: skip
TRIED = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, database=None
)
word = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6))


@for_each("text", [*NASTY, "", "'-5", "''-5", "'＝"])
def test_guarding_hostile_texts_can_be_undone(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in {*"=@\t\r＝"}


@given(st.text(st.sampled_from("'=-+@5x\t")))
@TRIED
def test_guarding_any_text_can_be_undone(text: str) -> None:
    assert unguarded(guarded(text)) == text


@given(st.lists(st.lists(word, min_size=2, max_size=2), min_size=1, max_size=5))
@TRIED
def test_written_lines_are_read_by_the_csv_module(rows: list[list[str]]) -> None:
    plain = [[cell.replace("\0", "") for cell in row] for row in rows]
    assert list(csv.reader(io.StringIO(lines_of(("a", "b"), plain), newline=""))) == [["a", "b"], *plain]


@st.composite
def items(draw: st.DrawFn, most: int = 3) -> Data:
    labels = draw(st.lists(word, min_size=1, max_size=3, unique=True))
    names = draw(st.lists(word, min_size=1, max_size=4, unique=True))
    people = draw(st.lists(word, min_size=1, max_size=most, unique=True))
    rows = [{"item": i, "annotator": a, "label": draw(st.sampled_from(labels))} for i in names for a in people]
    return _read(rows, layout="long", item="item", annotator="annotator", label="label")


@st.composite
def units(draw: st.DrawFn, most: int = 3) -> Data:
    labels = draw(st.lists(word, min_size=1, max_size=3, unique=True))
    docs = draw(st.lists(word, min_size=1, max_size=2, unique=True))
    people = draw(st.lists(word, min_size=1, max_size=most, unique=True))
    rows = [
        {"doc": d, "annotator": a, "start": 10 * k, "end": 10 * k + draw(st.integers(1, 9)), "label": label}
        for d in docs
        for a in people
        for k, label in enumerate(draw(st.lists(st.sampled_from(labels), min_size=1, max_size=3)))
    ]
    return _read(rows, layout="units")


@st.composite
def tokens(draw: st.DrawFn) -> Data:
    people = draw(st.lists(word, min_size=1, max_size=2, unique=True))
    texts = {who: " ".join(draw(st.lists(word, min_size=1, max_size=4))) for who in people}
    rows = [{"doc": draw(word) if k else "d", "annotator": who, "text": t} for k, (who, t) in enumerate(texts.items())]
    return _read(rows, layout="texts")


@st.composite
def chains(draw: st.DrawFn) -> Data:
    people = draw(st.lists(word, min_size=1, max_size=3, unique=True))
    names = draw(st.lists(word, min_size=1, max_size=3, unique=True))
    doc = draw(word)
    rows = [
        {"doc": doc, "annotator": who, "start": 10 * k, "end": 10 * k + draw(st.integers(1, 9)), "chain": chain}
        for who in people
        for k, chain in enumerate(draw(st.lists(st.sampled_from(names), min_size=1, max_size=4)))
    ]
    return _read(rows, layout="chains")


@st.composite
def segmentations(draw: st.DrawFn) -> Data:
    docs, people = (draw(st.lists(word, min_size=1, max_size=3, unique=True)) for _ in range(2))
    cut = st.lists(st.booleans(), min_size=7, max_size=7)
    rows = [{"doc": doc, "annotator": who, "masses": _masses(draw(cut))} for doc in docs for who in people]
    return _read(rows, layout="segmentations")


def _masses(cuts: list[bool]) -> str:
    """Masses of eight units with boundaries where `cuts` is true."""
    places = [0, *(k + 1 for k, is_cut in enumerate(cuts) if is_cut), len(cuts) + 1]
    return " ".join(str(end - start) for start, end in pairwise(places))


def _read(rows: list[dict[str, Any]], **how: Any) -> Data:
    from hypothesis import assume

    with warnings.catch_warnings(action="ignore"):
        try:
            found: Data = accord.read(rows, **how)
        except AccordError:
            assume(False)
            raise
    return found


def _rows(data: Data) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, row)) for row in data.rows()[1])


def _tables(data: Data, folder: bool) -> dict[str, str]:
    made = data.files() if folder else {"table.csv": data.rows()}
    return {name: table_as_csv(Table("", *table), spreadsheet=False) for name, table in made.items()}


@pytest.mark.parametrize("folder", [False, True])
@given(data=st.one_of(items(), units(), tokens(), segmentations()))
@TRIED
def test_tables_of_shuffle_can_be_read_back_or_are_refused(folder: bool, data: Data) -> None:
    """Tables of `shuffle` and `--keep-reference` are equal when read back."""
    tables = _tables(data, folder)
    assert render(Shuffled(data, data), "csv") == _tables(data, folder=False)["table.csv"]
    try:
        check_read_back(data, tables, Reading())
    except DataError as refusal:
        if _plain(data):
            raise AssertionError("these data can be written") from refusal
        return
    with tempfile.TemporaryDirectory() as place:
        for name, text in tables.items():
            (Path(place) / name).write_bytes(text.encode())
        with warnings.catch_warnings(action="ignore"):
            try:
                back = accord.read(place)
            except AccordError:
                back = accord.read(place, layout=data.kind.layouts[0])
        if _rows(back) != _rows(data):
            more = {"item": "item", "annotator": "annotator", "label": "label"} if data.kind.name == "items" else {}
            back = accord.read(place, layout="long" if more else data.kind.layouts[0], **more)
        assert _rows(back) == _rows(data)


def _plain(data: Data) -> bool:
    """Whether the data are not empty and contain no control characters, so a text file can store them."""
    signs = {sign for row in data.rows()[1] for cell in row for sign in str(cell)}
    return len(data) > 0 and not any(ord(sign) < 32 and sign not in "\t\n\r" for sign in signs)


@pytest.mark.parametrize("name", ["out", "out.csv", "out.tsv", "out.parquet", "out.jsonl"])
@given(data=st.one_of(items(), units()))
@TRIED
def test_convert_to_a_table_can_be_read_back(name: str, data: Data) -> None:
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore"):
        target = Path(place) / name
        try:
            made = convert({data.variable: data}, target, format="prodigy" if name.endswith("jsonl") else None)
        except AccordError:
            assert not target.exists()
            return
        assert _rows(accord.read(str(target), **made.reading)) == _rows(data)


@pytest.mark.parametrize("name", ["out", "out.csv"])
@pytest.mark.parametrize("kind", [tokens, chains, segmentations])
@given(given_data=st.data())
@settings(TRIED, max_examples=10)
def test_convert_of_other_kinds_can_be_read_back(
    kind: Callable[[], st.SearchStrategy[Data]], name: str, given_data: st.DataObject
) -> None:
    data = given_data.draw(kind())
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore"):
        target = Path(place) / name
        try:
            made = convert({data.variable: data}, target)
        except AccordError as refusal:
            assert not target.exists()
            if _plain(data) and (
                kind is not tokens or name == "out"
            ):  # one table has a row per token and stores no spaces
                raise AssertionError("these data can be written") from refusal
            return
        assert accord.read(str(target), **made.reading).digest == data.digest


@given(data=st.one_of(items(), units()), suffix=st.sampled_from([".csv", ".xlsx", ".parquet"]))
@TRIED
def test_decision_copied_from_a_label_equals_that_label(data: Data, suffix: str) -> None:
    """A decision can be any label of the annotators."""
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore"):
        path = Path(place) / f"todo{suffix}"
        try:
            found = accord.gold(data)
            write_to_fill_in(found, path)
        except AccordError:
            return
        table = found.to_settle()
        labels = {row.key: min(row.alternatives) for row in found.unsettled}
        filled = tuple((*row[:-1], labels[str(row[0])]) for row in table.rows)
        path.write_bytes(write_to_fill_in(_Filled(Table("", table.columns, filled)), path))
        done = {row.key: row for row in apply_decisions(found, read_decisions(path)).rows} if labels else {}
    for key, label in labels.items():
        if label.strip() and not (label.strip() == "-" and found.in_units):  # the decision - removes a unit
            assert (done[key].label, done[key].settled_by) == (label.strip(), "decision")


class _Filled:
    """Undecided items with decisions filled in, as in a spreadsheet."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def to_settle(self) -> Table:
        return self.table


@given(data=items())
@TRIED
def test_gold_and_soft_labels_are_read_back(data: Data) -> None:
    with warnings.catch_warnings(action="ignore"):
        try:
            found = accord.gold(data)
        except AccordError:
            return
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"), newline="")))
    assert [(row["item"], row["label"]) for row in rows] == [(row.name, row.label) for row in found.rows]
    lines = write_soft_labels(found, Path("x.jsonl")).decode().split("\n")[:-1]
    assert [json.loads(line)["distribution"] for line in lines] == [dict(row.alternatives) for row in found.rows]
    soft = list(csv.DictReader(io.StringIO(write_soft_labels(found, Path("x.csv")).decode(), newline="")))
    assert [(r["item"], r["label"], float(r["probability"])) for r in soft] == [
        (row.name, label, share) for row in found.rows for label, share in row.alternatives.items()
    ]


@given(names=st.lists(word, min_size=2, max_size=3, unique=True))
@TRIED
def test_layout_keeps_the_names_of_annotators(names: list[str]) -> None:
    text = render(Layout(tuple(names), (("=d", names[0]), ("=d", names[1]))), "csv")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows == [["doc", "annotator"], ["=d", names[0]], ["=d", names[1]]]


@pytest.mark.parametrize("label", ["=1+1", "+x", "-y", "@z", "'q"])
def test_copy_without_errors_has_alpha_1(cli: Cli, tmp_path: Path, label: str) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text(f"item,annotator,label\n{label},{label}g,{label}\n2,{label}g,b\n3,{label}g,{label}\n4,{label}g,b\n")
    copy, kept = tmp_path / "copy.csv", tmp_path / "kept.csv"
    made = cli("shuffle", gold, "--magnitude", "0", "--annotators", "1", "-o", copy, "--keep-reference", kept)
    assert made.code == 0, made.err
    assert f"{label},A1,{label}\n" in copy.read_text()
    scored = json.loads(cli("score", kept, copy, "-m", "alpha", "--interval", "none", "--json").out)
    assert scored["scores"][0]["value"] == 1
    assert kept.read_text() == gold.read_text()
    safe = cli("shuffle", gold, "--magnitude", "0", "--annotators", "1", "--spreadsheet").out
    assert f"{guarded(label)},A1,{guarded(label)}\n" in safe
