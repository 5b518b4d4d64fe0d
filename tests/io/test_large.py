"""Tables counted by a database engine give the same results, to the last digit, as tables read into memory."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.command_line import Cli, refused

import accord
from accord.data.io import large
from accord.data.io.large import engines, reader
from accord.data.io.large.reader import Packing

WORDS = ("x", "y", "z", "", None, "NA")
MEASURES = ("percent", "pi", "kappa", "alpha", "ac", "alpha(distance=ordinal)")
DUCKDB = engines.has_duckdb()
needs_duckdb = pytest.mark.skipif(not DUCKDB, reason="DuckDB is not installed: accord[large]")


def table(seed: int, labels: tuple[Any, ...] = WORDS, n: int = 120, names: str = "dbca") -> pl.DataFrame:
    """Draw a table with frequent agreement, many missing labels and rows in random order."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"i{i}", who, labels[(i if rng.random() < 0.7 else int(rng.integers(9))) % len(labels)])
        for i in range(n)
        for who in names
        if rng.random() < 0.85
    ]
    rows = [rows[k] for k in rng.permutation(len(rows))]
    return pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")


def told(data: Any) -> dict[str, Any]:
    """Return the summary of the data and the scores on it."""
    scores = accord.score(data, list(MEASURES))
    return {
        "summary": data.summary(),
        "about": data.about(),
        "scores": [(s.value, s.se, s.interval, s.p, s.n, s.observed, s.expected, s.signature) for s in scores],
    }


def read_and_count(monkeypatch: pytest.MonkeyPatch, path: Path, **how: Any) -> tuple[Any, Any]:
    """Return the same data read into memory and counted."""
    read = accord.read(path, **how)
    monkeypatch.setattr(large, "LARGE_ROWS", 0)
    monkeypatch.setattr(large, "LARGE_BYTES", 0)
    counted = accord.read(path, **how)
    monkeypatch.undo()
    assert read.times is None
    assert counted.times is not None
    assert len(counted) < len(read)
    return read, counted


def write_sqlite(path: Path, frame: pl.DataFrame, name: str = "labels", types: str = "") -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute(f"create table {name} ({', '.join(f'{c} {types}' for c in frame.columns)})")
        marks = ", ".join("?" for _ in frame.columns)
        connection.executemany(f"insert into {name} values ({marks})", frame.rows())
    connection.close()
    return path


def write_duckdb(path: Path, frame: pl.DataFrame, name: str = "labels") -> Path:
    import duckdb

    frame.write_parquet(path.with_suffix(".parquet"))
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create table {name} as from '{path.with_suffix('.parquet')}'")
    return path


@needs_duckdb
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"missing": "NA"},
        {"annotators": "a,b"},
        {"only": "x,y"},
        {"missing": "NA", "merge": "x,y=w"},
        {"categories": ["z", "y", "x", "NA"]},
        {"keep_empty": True},
    ],
)
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_counted_file_gives_the_same_result_as_a_read_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, how: dict[str, Any]
) -> None:
    path = tmp_path / f"labels.{suffix}"
    frame = table(1)
    frame.write_parquet(path) if suffix == "parquet" else frame.write_csv(path)
    read, counted = read_and_count(monkeypatch, path, **how)
    assert told(counted) == told(read)


@needs_duckdb
@pytest.mark.parametrize("labels", [(1, 2, 3, None), (1.5, 2.0, float("nan")), (True, False, None)])
def test_counted_numbers_stay_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: tuple[Any, ...]) -> None:
    table(2, labels).write_parquet(tmp_path / "labels.parquet")
    read, counted = read_and_count(monkeypatch, tmp_path / "labels.parquet")
    assert counted.categories == read.categories
    assert told(counted) == told(read)


@needs_duckdb
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_files_of_a_folder_are_counted_as_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    frame = table(3, ("x", "y", "z", None))
    for name, part in (("a", frame[:100]), ("b", frame[100:])):
        path = tmp_path / f"{name}.{suffix}"
        part.write_parquet(path) if suffix == "parquet" else part.write_csv(path)
    read, counted = read_and_count(monkeypatch, tmp_path)
    assert told(counted) == told(read)


@needs_duckdb
def test_many_annotators_are_packed_into_several_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"person {k}" for k in range(40)]
    rng = np.random.default_rng(0)
    rows = [(f"i{i}", who, "xyz"[i % 3 if rng.random() < 0.9 else 0]) for i in range(8) for who in names] * 1
    rows += [(f"j{i}", who, "xyz"[i % 3]) for i in range(60) for who in names[:2]]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    frame.write_parquet(tmp_path / "labels.parquet")
    assert Packing(40, 3).words == 2
    read, counted = read_and_count(monkeypatch, tmp_path / "labels.parquet")
    for measure in ("alpha", "kappa", "ac"):
        one, other = (accord.score(data, [measure])[0] for data in (read, counted))
        assert (one.value, one.se, one.n) == pytest.approx((other.value, other.se, other.n), rel=1e-12)


def test_packing_keeps_every_label_of_every_annotator() -> None:
    packing = Packing(annotators=70, labels=5)
    rng = np.random.default_rng(1)
    labels = rng.integers(-1, 5, (30, 70))
    words = np.zeros((30, packing.words), dtype=np.int64)
    for row, who in zip(*np.nonzero(labels >= 0), strict=True):
        word, factor = packing.place(int(who))
        words[row, word] += factor * packing.code(int(labels[row, who]))
    rows, annotators, found = packing.unpack(words)
    again = np.full_like(labels, -1)
    again[rows, annotators] = found
    assert (again == labels).all()


@pytest.mark.parametrize("kind", [pytest.param("duckdb", marks=needs_duckdb), "sqlite"])
@pytest.mark.parametrize("how", [{}, {"missing": "NA"}, {"annotators": "a,b"}])
def test_database_gives_the_same_result_as_a_file(tmp_path: Path, kind: str, how: dict[str, Any]) -> None:
    frame = table(4).sort("annotator")  # a database returns annotators sorted by name
    frame.write_parquet(tmp_path / "file.parquet")
    path = tmp_path / f"data.{kind}"
    (write_duckdb if kind == "duckdb" else write_sqlite)(path, frame)
    mine, others = told(accord.read(path, **how)), told(accord.read(tmp_path / "file.parquet", **how))
    assert sorted(mine["summary"].pop("notes")) == sorted(others["summary"].pop("notes"))
    assert mine == others


_CELLS = st.sampled_from(["x", "y", "it's", 'a "b"', "ä", "", " ", "NA", "-", "1", None])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=st.dictionaries(st.tuples(st.integers(0, 7), st.sampled_from("abcd")), _CELLS, min_size=4))
def test_random_tables_give_the_same_result_from_a_database(
    tmp_path: Path, cells: dict[tuple[int, str], str | None]
) -> None:
    """Annotators are sorted by name, as in a database. Digits and notes are equal."""
    rows = [(f"i{item}", who, label) for (item, who), label in sorted(cells.items(), key=lambda c: c[0][::-1])]
    frame = pl.DataFrame(rows, schema={"item": pl.String, "annotator": pl.String, "label": pl.String}, orient="row")
    frame.write_parquet(tmp_path / "labels.parquet")
    (tmp_path / "labels.db").unlink(missing_ok=True)
    paths = (write_sqlite(tmp_path / "labels.db", frame), tmp_path / "labels.parquet")
    mine, others = (accord.read(path, item="item", missing=["NA"], fold="space") for path in paths)
    assert sorted(mine.notes) == sorted(others.notes)
    assert mine.about() == others.about()
    assert mine.digest == others.digest
    if mine.n_pairable:
        alpha = [accord.score(data, "alpha", interval="linearised") for data in (mine, others)]
        assert [(s.undefined, s.n, repr(s.value), repr(s.se)) for s in alpha[:1]] == [
            (s.undefined, s.n, repr(s.value), repr(s.se)) for s in alpha[1:]
        ]


def test_numbers_in_cells_of_text_of_sqlite_are_the_same_labels(tmp_path: Path) -> None:
    rows = [(i, who, label) for i in range(6) for who, label in (("a", i % 2), ("b", str(i % 2)))]
    path = tmp_path / "labels.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table labels (item, annotator, label)")
        connection.executemany("insert into labels values (?, ?, ?)", rows)
    connection.close()
    data = accord.read(path)
    assert data.categories.labels == (0, 1)
    assert any("labels read as the same" in note for note in data.notes)


def test_labels_are_case_sensitive_in_a_nocase_column_of_sqlite(tmp_path: Path) -> None:
    frame = pl.DataFrame({"item": [1, 1, 2, 2], "annotator": list("abab"), "label": ["X", "x", "x", "X"]})
    data = accord.read(write_sqlite(tmp_path / "labels.db", frame, types="collate nocase"))
    assert data.categories.labels == ("X", "x")


def test_database_with_several_tables_needs_the_table_option(tmp_path: Path, cli: Cli) -> None:
    path = write_sqlite(tmp_path / "labels.sqlite", table(5, ("x", "y")))
    assert cli("score", path, "-m", "alpha", "--csv").code == 0
    write_sqlite(path, table(6, ("x", "y")), "others")
    refused(cli("score", path), "[database]", "--table")
    refused(cli("score", path, "--table", "label"), "[database]", '"label"')
    assert cli("score", path, "--table", "others").code == 0
    (tmp_path / "t.csv").write_text("item,a,b\n1,x,x\n2,y,x\n")
    refused(cli("score", tmp_path / "t.csv", "--table", "labels"), "[option-not-for-data]")


def test_unknown_columns_of_a_database_need_options(tmp_path: Path, cli: Cli) -> None:
    frame = table(7, ("x", "y")).rename({"item": "thing", "annotator": "person", "label": "given"})
    path = write_sqlite(tmp_path / "labels.sqlite", frame)
    refused(cli("score", path), "[roles-unclear]", "--item", "--annotator", "--label")
    found = cli("score", path, "--item", "thing", "--annotator", "person", "--label", "given", "-m", "alpha")
    assert found.code == 0
    refused(
        cli("score", path, "--item", "thnig", "--annotator", "person", "--label", "given"), "[unknown-name]", '"thing"'
    )


def test_several_columns_of_labels_are_several_variables(tmp_path: Path) -> None:
    frame = table(8, ("x", "y")).with_columns(tone=pl.col("label").str.to_uppercase())
    path = write_sqlite(tmp_path / "labels.sqlite", frame)
    found = accord.read_all(path, label=["label", "tone"])
    assert list(found) == ["label", "tone"]
    assert found["tone"].categories.labels == ("X", "Y")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("i1", None, "x"), "[empty-cell]"),
        (("", "a", "x"), "[empty-cell]"),
        (("i0", "a", "y"), "[repeated-label]"),
    ],
)
@pytest.mark.parametrize("kind", [pytest.param("duckdb", marks=needs_duckdb), "sqlite"])
def test_counting_refuses_the_same_data_as_reading(tmp_path: Path, cli: Cli, kind: str, row: Any, words: str) -> None:
    rows = [(f"i{i}", who, "xy"[i % 2]) for i in range(4) for who in "ab"]
    frame = pl.DataFrame([*rows, row], schema=["item", "annotator", "label"], orient="row")
    path = (write_duckdb if kind == "duckdb" else write_sqlite)(tmp_path / f"labels.{kind}", frame)
    refused(cli("score", path), words)


def test_missing_label_is_not_a_repeated_label(tmp_path: Path) -> None:
    rows = [(f"i{i}", who, "xy"[i % 2]) for i in range(4) for who in "ab"]
    rows += [("i0", "a", None), ("i0", "b", "NA"), ("i9", "a", None), (None, None, None)]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    frame.write_parquet(tmp_path / "labels.parquet")
    mine = told(accord.read(write_sqlite(tmp_path / "labels.sqlite", frame), missing="NA"))
    others = told(accord.read(tmp_path / "labels.parquet", missing="NA"))
    assert sorted(mine["summary"].pop("notes")) == sorted(others["summary"].pop("notes"))
    assert mine == others


@pytest.mark.parametrize("option", [("--by", "genre"), ("--repeats", "first"), ("--only", "genre=a"), ("--sheet", "x")])
def test_options_that_need_items_are_refused_for_counted_data(
    tmp_path: Path, cli: Cli, option: tuple[str, str]
) -> None:
    path = write_sqlite(tmp_path / "labels.sqlite", table(9, ("x", "y")))
    refused(cli("score", path, *option), "[option-not-for-data]", option[0])


def test_too_many_rows_are_refused(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_sqlite(tmp_path / "labels.sqlite", table(10, ("x", "y", "z")))
    monkeypatch.setattr(reader, "_MOST_ROWS", 3)
    refused(cli("score", path), "[too-large-to-compute]")


def test_counted_items_have_no_names(tmp_path: Path, cli: Cli) -> None:
    frame = pl.DataFrame({"item": list("iijj"), "annotator": list("abab"), "label": list("xyxx")})
    path = write_sqlite(tmp_path / "labels.sqlite", frame)
    assert not accord.read(path).named
    assert "first:" not in cli("score", path).out
    refused(cli("convert", path, tmp_path / "out.csv"))


def test_without_duckdb_a_large_file_is_read_into_memory_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(11, ("x", "y")).write_parquet(tmp_path / "labels.parquet")
    monkeypatch.setattr(large, "LARGE_ROWS", 0)
    monkeypatch.setattr(reader, "has_duckdb", lambda: False)
    data = accord.read(tmp_path / "labels.parquet")
    assert data.times is None
    assert any("accord[large]" in note for note in data.notes)


def test_without_duckdb_its_files_are_refused(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.duckdb").write_bytes(b"\0" * 8 + b"DUCK" + b"\0" * 50)
    monkeypatch.setattr(engines, "has_duckdb", lambda: False)
    refused(cli("score", tmp_path / "labels.duckdb"), "[missing-package]")


@needs_duckdb
def test_large_file_that_cannot_be_counted_is_read_into_memory_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(12, ("x", "y")).with_columns(genre=pl.lit("g")).write_parquet(tmp_path / "labels.parquet")
    monkeypatch.setattr(large, "LARGE_ROWS", 0)
    data = accord.read(tmp_path / "labels.parquet", by="genre")
    assert data.times is None
    assert any("into memory because of --by" in note for note in data.notes)


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_damaged_database_is_refused(tmp_path: Path, cli: Cli, kind: str) -> None:
    head = b"SQLite format 3\0" if kind == "sqlite" else b"\0" * 8 + b"DUCK"
    (tmp_path / "labels").write_bytes(head + b"\xff" * 5000)
    refused(cli("score", tmp_path / "labels"), "[file-unreadable]")


# -- remote files -----------------------------------------------------------------------------------------------------


@pytest.fixture
def bucket() -> Any:
    """The in-memory file system of fsspec."""
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    yield system
    for path in system.find("/study"):
        system.rm(path)


def put_parquet(system: Any, name: str, frame: pl.DataFrame) -> None:
    kept = io.BytesIO()
    frame.write_parquet(kept)
    system.pipe(f"/study/{name}", kept.getvalue())


@needs_duckdb
def test_remote_parquet_is_counted(bucket: Any, tmp_path: Path, cli: Cli) -> None:
    frame = table(5)
    for k, part in enumerate((frame[:150], frame[150:])):
        put_parquet(bucket, f"{k}.parquet", part)
    frame.write_parquet(tmp_path / "here.parquet")
    here, there = accord.read(tmp_path / "here.parquet"), accord.read("memory://study")
    assert (there.times is not None, len(there) < len(here)) == (True, True)
    assert {**told(there), "about": None} == {**told(here), "about": None}
    got = cli("score", "memory://study", "-m", "alpha", "--json")
    assert (got.code, f"{accord.alpha(here).value!r}" in got.out) == (0, True), got.err


@needs_duckdb
def test_remote_data_that_cannot_be_counted_are_refused(bucket: Any, cli: Cli) -> None:
    put_parquet(bucket, "0.parquet", table(1))
    bucket.pipe("/study/notes.txt", b"dear")
    refused(cli("score", "memory://study/notes.txt"), "[format-unknown]")
    refused(cli("score", "memory://nowhere"), "[format-unknown]")
    refused(cli("score", "memory://study", "--by", "doc"), "[option-not-for-data]")
    refused(cli("score", "s3://key:word@study"), "[database]")
    assert "word" not in cli("score", "s3://key:word@study").err
    frame = table(1, ("low", "high"))
    put_parquet(bucket, "0.parquet", pl.concat([frame, frame]))
    refused(cli("score", "memory://study"), "[repeated-label]")
    put_parquet(bucket, "1.parquet", frame.with_columns(pl.lit(1).alias("label")))
    refused(cli("score", "memory://study"), "[mixed-inputs]")
    bucket.rm("/study/1.parquet")
    ordered = frame.to_pandas()
    ordered["label"] = ordered["label"].astype(pandas.CategoricalDtype(["low", "high"], ordered=True))
    kept = io.BytesIO()
    ordered.to_parquet(kept)
    bucket.pipe("/study/0.parquet", kept.getvalue())
    refused(cli("score", "memory://study"), "[invalid-label]")
