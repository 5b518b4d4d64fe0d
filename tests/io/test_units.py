"""Reading of units: tables, files, tables of documents and judged documents, and the resulting corpus."""

from __future__ import annotations

import io
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord.data.io.tables.header import names_of_gamma_columns

from ..refusals import raises

UNITS = "doc,annotator,start,end,label\nd1,A,0,5,x\nd1,A,7,12,y\nd1,B,0,6,x\nd2,A,3,4,x\nd2,B,3,4.5,y\nd2,B,3,9,x\n"
COLUMNS: dict[str, list[Any]] = {
    "doc": ["d1", "d1", "d1", "d2", "d2", "d2"],
    "annotator": ["A", "A", "B", "A", "B", "B"],
    "start": [0, 7, 0, 3, 3, 3],
    "end": [5, 12, 6, 4, 4.5, 9],
    "label": ["x", "y", "x", "x", "y", "x"],
}
ONE = {name: column[:3] for name, column in COLUMNS.items() if name != "doc"}
JUDGED_INFERRED = (
    "no judged.csv lists which annotator saw which document; accord counts only annotators with units there"
)


def file(folder: Path, content: str, name: str = "units.csv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")
    return path


def corpus_of(data: Any, **options: Any) -> accord.Corpus:
    corpus = accord.read(data, **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def check_expected_data(corpus: accord.Corpus) -> None:
    """Check that the corpus equals the data that all tables of this module contain."""
    assert (len(corpus), corpus.docs, corpus.annotators) == (6, ("d1", "d2"), ("A", "B"))
    assert corpus.categories.names == ("x", "y")
    assert corpus["d2"]["B"] == [(3, 4.5, "y"), (3, 9, "x")]
    assert corpus.digest == corpus_of(COLUMNS).digest


# -- tables ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_text_tables_are_read(tmp_path: Path, separator: str, ending: str) -> None:
    check_expected_data(corpus_of(file(tmp_path, UNITS.replace(",", separator).replace("\n", ending))))


@pytest.mark.parametrize(
    "header",
    [
        "document,rater,begin,stop,category",
        "file,coder,onset,end_time,tag",
        "Doc-ID,Worker ID,Start Offset,End Offset,Code",
        "recording,observer,from,to,annotation",
        "filename,judge,offset_start,offset_end,class",
    ],
)
def test_usual_column_names_are_recognised(tmp_path: Path, header: str) -> None:
    check_expected_data(corpus_of(file(tmp_path, UNITS.replace("doc,annotator,start,end,label", header))))


def test_other_column_names_need_options(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS.replace("doc,annotator,start,end,label", "datei,wer,von,bis,was"))
    check_expected_data(corpus_of(path, doc="datei", annotator="wer", start="von", end="bis", label="was"))
    with raises("unknown-name", '"vonn"', '"von"'):
        accord.read(path, doc="datei", annotator="wer", start="vonn", end="bis", label="was")
    with raises("unknown-name", '"date"'):
        accord.read(path, doc="date", annotator="wer", start="von", end="bis", label="was")
    with raises("column-missing", "--annotator", "--end"):
        accord.read(path, start="von")


def test_parquet_and_excel_are_read(tmp_path: Path) -> None:
    pl.DataFrame(COLUMNS, strict=False).write_parquet(tmp_path / "units.parquet")
    check_expected_data(corpus_of(tmp_path / "units.parquet"))
    pd.DataFrame(COLUMNS).to_excel(tmp_path / "units.xlsx", index=False)
    check_expected_data(corpus_of(tmp_path / "units.xlsx"))


def test_python_tables_are_read() -> None:
    check_expected_data(corpus_of(COLUMNS))
    check_expected_data(corpus_of(pd.DataFrame(COLUMNS)))
    check_expected_data(corpus_of(pl.DataFrame(COLUMNS, strict=False)))
    check_expected_data(corpus_of(pa.table(COLUMNS)))
    check_expected_data(corpus_of({name: np.array(column) for name, column in COLUMNS.items()}))
    check_expected_data(
        corpus_of({**COLUMNS, "start": [str(x) for x in COLUMNS["start"]], "end": [f" {x} " for x in COLUMNS["end"]]})
    )


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNITS.encode())))
    check_expected_data(corpus_of("-"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A,x,0,5\nA,y,7,9\nB,x,1,5\n")))
    assert len(corpus_of("-")) == 3


def test_lengths_may_replace_ends(tmp_path: Path) -> None:
    lengths = "annotator,start,end,label\nA,0,5,x\nA,7,5,y\nB,0,6,x\n"
    expected = corpus_of(ONE)
    for name in ("duration", "length"):
        found = corpus_of(file(tmp_path, lengths.replace("end", name)))
        assert found.digest == expected.digest
    assert corpus_of(file(tmp_path, lengths), end_is_length=True).digest == expected.digest
    assert corpus_of(file(tmp_path, lengths.replace("start,end", "offset,length"))).digest == expected.digest
    with raises("end-before-start", "units.csv:3", "--end-is-length"):
        accord.read(file(tmp_path, lengths))


def test_single_document_needs_no_column(tmp_path: Path) -> None:
    corpus = corpus_of(ONE)
    assert corpus.docs == ("document",)
    assert corpus.notes == ()
    assert corpus["document"].annotators == ("A", "B")
    assert corpus_of(file(tmp_path, "annotator,start,end,label\nA,0,5,x\nA,7,12,y\nB,0,6,x\n")).digest == corpus.digest


def test_blank_lines_quotes_and_missing_last_newline_are_accepted(tmp_path: Path) -> None:
    text = UNITS.replace("d1,A,7,12,y", '\n"d1","A","7","12","y"\n').rstrip("\n")
    check_expected_data(corpus_of(file(tmp_path, text)))


def test_positions_may_be_decimal_negative_or_large() -> None:
    columns = {"annotator": ["A", "A", "B"], "start": [-2.5, 1e12, 1e12 + 1], "end": [-1, 1e12 + 10, 1e12 + 11.25]}
    corpus = corpus_of(columns)
    assert (corpus["document"].begin, corpus["document"].end) == (-2.5, 1e12 + 11.25)
    found = accord.align(corpus)
    assert found.causes["position"].max() == pytest.approx(((1 + 1.25) / 20.25) ** 2)


# -- labels ----------------------------------------------------------------------------------------------------


def test_units_may_lack_labels(tmp_path: Path) -> None:
    some = corpus_of(file(tmp_path, UNITS.replace("d1,A,7,12,y", "d1,A,7,12,")))
    assert some["d1"]["A"] == [(0, 5, "x"), (7, 12, None)]
    assert "1 label missing (empty cell)" in some.notes
    none = corpus_of({name: column for name, column in COLUMNS.items() if name != "label"})
    assert len(none.categories) == 0
    assert none["d1"]["B"] == [accord.Unit(0, 6)]
    assert not any("missing" in note for note in none.notes)
    coded = corpus_of(file(tmp_path, UNITS.replace("d1,A,7,12,y", "d1,A,7,12,NA")), missing="NA")
    assert coded["d1"]["A"][1].label is None
    python = corpus_of({**COLUMNS, "label": ["x", None, float("nan"), "x", "y", "x"]})
    assert [unit.label for unit in python["d1"]["A"] + python["d1"]["B"]] == ["x", None, None]


def test_labels_keep_their_kind_and_declared_order() -> None:
    numbers = corpus_of({**COLUMNS, "label": [1, 2, 1, 10, 2, 1]})
    assert numbers.categories.names == ("1", "2", "10")
    assert numbers["d2"]["A"][0].label == 10
    declared = corpus_of(COLUMNS, categories=("y", "z", "x"))
    assert declared.categories.names == ("y", "z", "x")
    assert declared["d1"]["A"][0].label == "x"
    with raises("undeclared-category"):
        accord.read(COLUMNS, categories=("x",))


def test_labels_are_folded_merged_and_chosen(tmp_path: Path) -> None:
    odd = file(tmp_path, UNITS.replace("d1,A,0,5,x", "d1,A,0,5,X "))
    assert any("--fold case" in note for note in corpus_of(odd).notes)
    check_expected_data(corpus_of(odd, fold=("case", "space")))
    assert corpus_of(COLUMNS, merge="x,y=z").categories.names == ("z",)
    only = corpus_of(COLUMNS, only="x")
    assert len(only) == 4
    assert "--only: 4 of 6 units kept" in only.notes
    with raises("column-missing"):
        accord.read({**COLUMNS, "tag": COLUMNS["label"]}, label=["label", "tag"])


def test_further_columns_are_features() -> None:
    columns = {**COLUMNS, "genre": ["prose", "prose", "verse", "prose", "prose", "verse"]}
    assert corpus_of(columns).features == {}
    parts = corpus_of(columns, by="genre").by("genre")
    assert {name: (len(part), part.docs) for name, part in parts.items()} == {
        "prose": (4, ("d1", "d2")),
        "verse": (2, ("d1", "d2")),
    }
    assert len(corpus_of(columns, only="genre=verse")) == 2
    with raises("unknown-name"):
        corpus_of(columns).by("gnre")


def test_documents_are_chosen_by_their_column() -> None:
    corpus = corpus_of(COLUMNS, only="doc=d1")
    assert len(corpus) == 3
    assert "--only: 3 of 6 units kept" in corpus.notes


def test_repeated_units_are_reported_and_kept(tmp_path: Path) -> None:
    corpus = corpus_of(file(tmp_path, UNITS + "d1,A,0,5,x\nd1,A,0,5,x\nd1,B,0,5,x\n"))
    assert len(corpus) == 9
    assert "2 units repeated: same document, annotator, position and label; all are counted" in corpus.notes
    assert not any("repeated" in note for note in corpus_of(COLUMNS).notes)


# -- documents and annotators ----------------------------------------------------------------------------------


def test_docs_and_judged_tables_beside_the_data_are_read(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, "doc,begin,end,text\nd1,0,20,It was a dark night.\nd3,0,7,Nothing\n", "docs.csv")
    file(tmp_path, "doc,annotator\nd1,C\nd3,A\nd3,B\n", "judged.csv")
    for data in (path, tmp_path):
        corpus = corpus_of(data)
        assert corpus.docs == ("d1", "d2", "d3")
        assert corpus.annotators == ("A", "B", "C")
        assert [c.extent_given for c in corpus] == [True, False, True]
        assert [(c.begin, c.end) for c in corpus] == [(0, 20), (3, 9), (0, 7)]
        assert [c.annotators for c in corpus] == [("A", "B", "C"), ("A", "B"), ("A", "B")]
        assert (corpus["d1"].text, corpus["d2"].text) == ("It was a dark night.", None)
        assert corpus["d1"]["C"] == []
        assert JUDGED_INFERRED not in corpus.notes
        assert len(corpus) == 6


def test_docs_and_judged_tables_elsewhere_are_given_by_option(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    extents = file(tmp_path, "file\tstart\tstop\nd1\t0\t20\n", "elsewhere/extents.tsv")
    looked = file(tmp_path, "document,rater\nd2,Cy\n", "elsewhere/looked.csv")
    corpus = corpus_of(path, docs=str(extents), judged=str(looked))
    assert corpus["d1"].end == 20
    assert corpus["d2"].annotators == ("A", "B", "Cy")
    assert corpus["d1"].annotators == ("A", "B")
    only_texts = file(tmp_path, "doc,text\nd1,abc\n", "elsewhere/texts.csv")
    corpus = corpus_of(path, docs=str(only_texts))
    assert (corpus["d1"].text, corpus["d1"].extent_given) == ("abc", False)


@pytest.mark.parametrize("column", ["tokens", "chars", "length", "duration", "Seconds"])
def test_length_of_a_document_gives_its_extent(tmp_path: Path, column: str) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, f"doc,{column}\nd1,100\nd2,50.5\n", "docs.csv")
    corpus = corpus_of(path)
    assert corpus.extents.tolist() == [[0, 100], [0, 50.5]]
    assert corpus.extent_given.all()
    assert f"documents extend from 0 to their {column}" in corpus.notes
    extents = file(tmp_path, "doc,begin,end\nd1,0,100\nd2,0,50.5\n", "extents.csv")
    assert accord.gamma(corpus, interval="none") == accord.gamma(path, docs=str(extents), interval="none")


def test_length_shorter_than_the_units_is_not_used(tmp_path: Path) -> None:
    """A length in tokens does not limit units with character offsets."""
    path = file(tmp_path, UNITS)
    file(tmp_path, "doc,tokens,chars\nd1,3,100\nd2,2,50\n", "docs.csv")
    corpus = corpus_of(path)
    assert corpus.extents.tolist() == [[0, 100], [0, 50]]
    assert any('column "tokens" of the table of documents is not used' in note for note in corpus.notes)
    file(tmp_path, "doc,tokens\nd1,3\nd2,2\n", "docs.csv")
    assert not corpus_of(path).extent_given.any()
    file(tmp_path, "doc,tokens,chars\nd1,30,100\nd2,20,50\n", "docs.csv")
    with raises("roles-unclear", '"tokens"', '"chars"'):
        accord.read(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("doc,tokens\nd1,many\n", 'docs.csv:2: tokens of document "d1" is not a length'),
        ("doc,tokens\nd1,-1\n", 'docs.csv:2: tokens of document "d1" is not a length'),
        ("doc,begin\nd1,0\n", "docs.csv: the table of documents lacks"),
        ("begin,end\n0,5\n", "docs.csv: the table of documents lacks"),
        ("doc,begin,end\nd1,5,0\n", "docs.csv:2: end 0 is before begin 5"),
        ("doc,begin,end\nd1,0,5\nd2,x,5\n", 'docs.csv:3: begin or end of document "d2" is not a number'),
        ("doc,begin,end\nd1,0,inf\n", "docs.csv:2: begin or end"),
        ("doc,begin,end\nd1,,9\n", "docs.csv:2: begin or end"),
        ("doc,begin,end\nd1,0,5\nd1,0,6\n", 'docs.csv:3: document "d1" occurs twice'),
        ("doc,begin,end\n,0,5\n", "docs.csv:2: the document is empty"),
    ],
)
def test_bad_tables_of_documents_are_refused(tmp_path: Path, content: str, words: str) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, content, "docs.csv")
    with pytest.raises(accord.DataError) as error:
        accord.read(path)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("doc\nd1\n", "judged.csv: the table of documents that annotators saw lacks doc or annotator"),
        ("doc,annotator\nd1,A\nd1,\n", "judged.csv"),
        ("doc,annotator\n,A\n", "judged.csv"),
    ],
)
def test_bad_judged_tables_are_refused(tmp_path: Path, content: str, words: str) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, content, "judged.csv")
    with pytest.raises(accord.DataError) as error:
        accord.read(path)
    assert words in str(error.value)


def test_bad_row_of_a_judged_table_is_named_by_its_line(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, "doc,annotator\nd1,A\nd1,\n", "judged.csv")
    with raises("empty-cell", "judged.csv:3"):
        accord.read(path)


def test_extents_and_annotators_are_given_in_python() -> None:
    corpus = corpus_of(COLUMNS, extents={"d1": (0, 20)}, judged={"d1": ["A", "B", "C"], "d2": ["A", "B"]})
    assert (corpus["d1"].begin, corpus["d1"].end, corpus["d1"].extent_given) == (0, 20, True)
    assert (corpus["d2"].begin, corpus["d2"].end, corpus["d2"].extent_given) == (3, 9, False)
    assert corpus["d1"].annotators == ("A", "B", "C")
    assert JUDGED_INFERRED not in corpus.notes
    silent = corpus_of(COLUMNS, extents={"d3": (0, 5)}, judged={"d3": ["A", "B"]})
    assert silent.docs == ("d1", "d2", "d3")
    assert (len(silent["d3"]), silent["d3"].annotators) == (0, ("A", "B"))


def test_extents_and_annotators_of_one_document_need_no_name() -> None:
    corpus = corpus_of(ONE, extents=(-1, 30), judged=["A", "B", "Zoë"])
    (continuum,) = corpus
    assert (continuum.begin, continuum.end, continuum.extent_given) == (-1, 30, True)
    assert continuum.annotators == ("A", "B", "Zoë")
    named = corpus_of({**ONE, "doc": ["d"] * 3}, extents=[-1, 30], judged=("A", "B", "Zoë"))
    assert named["d"].end == 30
    by_name = corpus_of(ONE, extents={"document": (-1, 30)}, judged={"document": ["A", "B", "Zoë"]})
    assert by_name.digest == corpus.digest
    with raises("option-value"):
        accord.read(COLUMNS, extents=(0, 30))
    with raises("option-value"):
        accord.read(COLUMNS, judged=["A", "B", "C"])


@pytest.mark.parametrize(
    ("extents", "words"),
    [
        ((10, 0), "end 0 is before begin 10"),
        ((0, float("nan")), "finite"),
        ((0, float("inf")), "finite"),
        ((0,), "give (begin, end)"),
        (7, "give (begin, end)"),
        ("07", "give (begin, end)"),
        (("a", "b"), "is not a pair of numbers"),
        ({"document": (3, 1)}, 'document "document": end 1 is before begin 3'),
    ],
)
def test_bad_extents_are_refused(extents: Any, words: str) -> None:
    with pytest.raises(accord.AccordError) as error:
        accord.read(ONE, extents=extents)
    assert words in str(error.value)


def test_annotators_option_works_for_every_source(tmp_path: Path) -> None:
    """`annotators` selects annotators in tables in memory and in files."""
    frame = pd.DataFrame(COLUMNS)
    frame.to_csv(tmp_path / "units.csv", index=False)
    for data in (COLUMNS, frame, tmp_path / "units.csv"):
        assert corpus_of(data, annotators=["A"]).present == ("A",)
        assert corpus_of(data, annotators="A").present == ("A",)
        with raises("unknown-name"):
            corpus_of(data, annotators=["A", "missing"])


def test_judged_table_is_given_as_text_or_path(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    looked = file(tmp_path, "doc,annotator\nd1,A\nd1,B\nd1,C\nd2,A\nd2,B\n", "who.csv")
    for given in (looked, str(looked)):
        assert corpus_of(path, judged=given).n_annotators == 3


def test_options_without_effect_are_refused(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    for data in (path, COLUMNS):
        with raises("option-not-for-data"):
            accord.read(data, repeats="first")
    with raises("option-not-for-data"):
        accord.read(path, sheet="one")
    with raises("option-not-for-data"):
        accord.read(COLUMNS, delimiter=";")


def test_extents_are_refused_for_other_data_than_units() -> None:
    ratings = {"item": [1, 1], "annotator": ["A", "B"], "label": ["x", "y"]}
    with raises("option-not-for-data"):
        accord.read(ratings, extents=(0, 5))
    with raises("option-not-for-data"):
        accord.read(ratings, judged={"d": ["A"]})
    with raises("option-not-for-data"):
        accord.read([["x", "y"]], judged=["A", "B"])
    with raises("option-value"):
        accord.read(ratings, annotators={"d": ["A"]})
    with raises("option-not-for-data"):
        accord.read(ratings, end_is_length=True)


def test_extent_shorter_than_the_units_is_widened_and_reported(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS)
    file(tmp_path, "doc,begin,end\nd1,2,10\nd2,0,50\n", "docs.csv")
    corpus = corpus_of(path)
    assert [(c.begin, c.end) for c in corpus] == [(0, 12), (0, 50)]
    (note,) = [note for note in corpus.notes if "widened" in note]
    assert note.startswith("3 units outside the given extent of 1 document")
    assert note.endswith("the first is 0–5 at " + str(path) + ":2")


def test_judged_documents_are_inferred_with_a_note() -> None:
    """With several documents, only annotators with units in a document count there, and a note reports it."""
    columns = {
        name: [*column, extra] for (name, column), extra in zip(COLUMNS.items(), ("d1", "C", 1, 2, "x"), strict=True)
    }
    corpus = corpus_of(columns)
    assert JUDGED_INFERRED in corpus.notes
    assert [c.annotators for c in corpus] == [("A", "B", "C"), ("A", "B")]
    assert not corpus.judged_given


def test_annotators_option_selects_units(tmp_path: Path) -> None:
    path = file(tmp_path, UNITS + "d1,C,0,5,x\n")
    corpus = corpus_of(path, annotators=["A", "C"])
    assert "--annotators: 4 of 7 units kept" in corpus.notes
    assert corpus.n_annotators == 2
    assert corpus["d1"].annotators == ("A", "C")
    with raises("unknown-name", '"D"'):
        accord.read(path, annotators=["A", "D"])


# -- several files ---------------------------------------------------------------------------------------------


def test_files_without_a_document_are_documents(tmp_path: Path) -> None:
    for name in ("one", "two"):
        file(tmp_path, "annotator,start,end,label\nA,0,5,x\nB,1,5,x\n", f"{name}.csv")
    for data in (tmp_path, [tmp_path / "one.csv", tmp_path / "two.csv"]):
        corpus = corpus_of(data)
        assert (corpus.docs, corpus.annotators, len(corpus)) == (("one", "two"), ("A", "B"), 4)


def test_files_without_an_annotator_are_annotators(tmp_path: Path) -> None:
    for name in ("Ana", "Ben"):
        file(tmp_path, "doc,start,end,label\nd,0,5,x\ne,1,5,x\n", f"with/{name}.csv")
        file(tmp_path, "start,end,label\n0,5,x\n", f"without/{name}.csv")
    corpus = corpus_of(tmp_path / "with")
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("d", "e"), ("Ana", "Ben"), 4)
    corpus = corpus_of(tmp_path / "without")
    assert (corpus.docs, corpus.annotators) == (("document",), ("Ana", "Ben"))
    with raises("column-missing"):
        accord.read(tmp_path / "without" / "Ana.csv")


def test_files_of_different_formats_are_one_corpus(tmp_path: Path) -> None:
    first, second = UNITS.splitlines(keepends=True)[1:4], UNITS.splitlines(keepends=True)[4:]
    file(tmp_path, "doc,annotator,start,end,label\n" + "".join(first), "a.csv")
    frame = pl.read_csv(io.StringIO("doc,annotator,start,end,label\n" + "".join(second)))
    frame.write_parquet(tmp_path / "b.parquet")
    check_expected_data(corpus_of(tmp_path))
    file(tmp_path, "item,annotator,label\n1,A,x\n1,B,x\n", "c.csv")
    with raises("mixed-inputs"):
        accord.read(tmp_path)


def test_locations_name_the_file_of_the_row(tmp_path: Path) -> None:
    file(tmp_path, UNITS, "a.csv")
    file(tmp_path, UNITS.replace("d1,A,7,12,y", "d1,A,12,7,y"), "b.csv")
    with raises("end-before-start", "b.csv:3"):
        accord.read(tmp_path)


# -- pygamma-agreement's table ---------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_pygamma_table_without_header_is_read(tmp_path: Path, separator: str) -> None:
    path = file(tmp_path, "Ana,x,0,5\nAna,y,7,12\nBen,x,0.5,6\n".replace(",", separator))
    corpus = corpus_of(path)
    assert corpus["document"]["Ana"] == [(0, 5, "x"), (7, 12, "y")]
    assert corpus["document"]["Ben"] == [(0.5, 6, "x")]
    assert corpus.digest == corpus_of(path, layout="pygamma").digest


def test_short_pygamma_table_needs_the_layout_option(tmp_path: Path) -> None:
    path = file(tmp_path, "Ana,x,0,5\nBen,y,7,12\n")  # no name occurs twice, so the layout is ambiguous
    assert isinstance(accord.read(path), accord.Ratings)
    assert len(corpus_of(path, layout="pygamma")) == 2


def test_lines_of_a_table_without_header_are_counted_from_one(tmp_path: Path) -> None:
    path = file(tmp_path, "Ana,x,0,5\nAna,y,12,7\nBen,x,1,5\n")
    with raises("end-before-start", "units.csv:2"):
        accord.read(path)
    path = file(tmp_path, "Ana,x,0,5\nAna,y,nan,7\nBen,x,1,5\n")
    with raises("invalid-position", "units.csv:2", '"nan"'):
        accord.read(path, layout="pygamma")


def test_pygamma_table_may_have_units_without_labels(tmp_path: Path) -> None:
    corpus = corpus_of(file(tmp_path, "Ana,,0,5\nAna,,7,12\nBen,,1,6\n"))
    assert (len(corpus), len(corpus.categories)) == (3, 0)


# -- tables of the γ software: id, annotator, category, an empty cell, start, end ------------------------------


def test_gamma_table_with_six_columns_and_no_header_is_read_as_units(tmp_path: Path) -> None:
    path = file(tmp_path, "u1,Ana,x,,0,5\nu2,Ana,y,,7,12\nu3,Ben,x,,1,6\n")
    corpus = corpus_of(path)
    assert corpus["document"]["Ana"] == [(0, 5, "x"), (7, 12, "y")]
    assert corpus["document"]["Ben"] == [(1, 6, "x")]
    assert corpus.digest == corpus_of(path, layout="pygamma").digest


def test_gamma_table_with_one_row_is_read_as_units(tmp_path: Path) -> None:
    assert corpus_of(file(tmp_path, "u1,Ana,x,,3,5\n"))["document"]["Ana"] == [(3, 5, "x")]


@pytest.mark.parametrize(
    "rows",
    [
        "u1,Ana,x,,0,5\nu1,Ana,y,,7,12",  # ids repeat
        "u1,Ana,x,q,0,5\nu2,Ana,y,q,7,12",  # the fourth column is filled
        "u1,Ana,x,,5,0\nu2,Ana,y,,7,12",  # an end before its start
        "item,Ana,x,,0,5\nu2,Ana,y,,7,12",  # a header row
        "1,2,3,,4,5\n2,2,3,,4,5",  # numbers only
    ],
)
def test_six_columns_of_other_content_are_not_units(rows: str) -> None:
    assert names_of_gamma_columns([row.split(",") for row in rows.split("\n")]) is None


def test_each_gamma_table_of_a_folder_is_a_document(tmp_path: Path) -> None:
    (tmp_path / "a1.csv").write_text("a1_1,Ana,x,,0,5\na1_2,Ben,x,,1,6\n", encoding="utf-8")
    (tmp_path / "b2.csv").write_text("b2_1,Ana,y,,0,3\n", encoding="utf-8")
    corpus = corpus_of(tmp_path)
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("a1", "b2"), ("Ana", "Ben"), 3)
    assert not any("twice" in note for note in corpus.notes)
    (tmp_path / "all.csv").write_text("a1_1,Ana,x,,0,5\na1_2,Ben,x,,1,6\nb2_1,Ana,y,,9,12\n", encoding="utf-8")
    assert any(note.startswith("3 units in two files, so counted twice") for note in corpus_of(tmp_path).notes)


def test_gamma_tables_of_the_sentivent_corpus_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples-2" / "gamma_csv" / "GillesJ+sentivent_webannoparser" / "b-half"
    corpus = corpus_of(folder)
    assert (len(corpus.docs), len(corpus)) == (16, 1176)
    assert corpus.annotators == ("elinevandewalle", "haiyanhuang", "jefdhondt")
    assert {name: len(corpus["f15"][name]) for name in corpus.annotators} == {
        "elinevandewalle": 28, "haiyanhuang": 25, "jefdhondt": 20
    }  # fmt: skip


# -- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("d1,A,5,2,x", "units.csv:4: end 2 is before start 5; correct the row, or try --end-is-length"),
        ("d1,A,nan,2,x", 'units.csv:4: start is "nan", not a position on the continuum'),
        ("d1,A,1,inf,x", 'units.csv:4: end is "inf", not a position'),
        ("d1,A,-inf,1,x", 'units.csv:4: start is "-inf", not a position'),
        ("d1,A,1,1e400,x", 'units.csv:4: end is "1e400", not a position'),
        ("d1,A,,2,x", "units.csv:4: start is empty, not a position"),
        ("d1,A,1,,x", "units.csv:4: end is empty, not a position"),
        ("d1,A,one,2,x", 'units.csv:4: start is "one", not a position'),
        ("d1,A,\"1,5\",2,x", 'units.csv:4: start is "1,5", not a position'),
        ("d1,,1,2,x", "units.csv:4: the annotator is empty"),
        (",A,1,2,x", "units.csv:4: the document is empty"),
        ("d1,A,1,2", "units.csv:4: 4 cells"),
    ],
)  # fmt: skip
def test_bad_rows_are_refused_with_their_location(tmp_path: Path, row: str, words: str) -> None:
    lines = UNITS.splitlines()
    path = file(tmp_path, "\n".join([*lines[:3], row, *lines[3:]]) + "\n")
    with pytest.raises(accord.DataError) as error:
        accord.read(path)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        float("nan"),
        float("inf"),
        "x",
        "",
        True,
    ],
)
def test_bad_positions_in_memory_are_refused(wrong: Any) -> None:
    for name in ("start", "end"):
        with raises("invalid-position"):
            accord.read({**COLUMNS, name: [COLUMNS[name][0], wrong, *COLUMNS[name][2:]]})


def test_position_beyond_the_float_range_is_refused() -> None:
    with raises("invalid-position"):
        accord.read({**COLUMNS, "end": [5, 10**400, 6, 4, 4.5, 9]})


def test_units_without_common_documents_are_refused() -> None:
    with raises("nothing-annotated"):
        accord.gamma({"annotator": [], "start": [], "end": []})
    with raises("annotators-needed", '"A"'):
        accord.gamma({"annotator": ["A", "A"], "start": [0, 3], "end": [1, 4]})
    apart = {"doc": ["d", "e"], "annotator": ["A", "B"], "start": [0, 3], "end": [1, 4]}
    with raises("nothing-shared"):
        accord.gamma(apart)
    assert accord.gamma(apart, judged={"d": ["A", "B"], "e": ["A", "B"]}, chance="shift").n == 2


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        ([[0, 1], [2, 0]], "symmetric"),
        ([[0, 2], [2, 0]], "lie between 0 and 1"),
        ([[0.5, 1], [1, 0]], "itself must be 0"),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "3 × 3"),
        ({("x", "z"): 0.5}, 'label "y" has no row'),
        ([[0, -1], [-1, 0]], "negative"),
        ("numeric", 'label "x" is not a number'),
    ],
)
def test_distances_that_do_not_fit_the_labels_are_refused(distance: Any, words: str) -> None:
    for function in (accord.gamma, accord.gamma_cat):
        with pytest.raises(accord.AccordError) as error:
            function(COLUMNS, distance=distance)
        assert words in str(error.value)


@pytest.mark.parametrize("distance", ["interval", "ratio"])
def test_distances_of_numbers_refuse_words(distance: str) -> None:
    for function in (accord.gamma, accord.gamma_cat):
        with raises("not-a-number"):
            function(COLUMNS, distance=distance)


# -- the corpus ------------------------------------------------------------------------------------------------


def test_corpus_gives_documents_annotators_and_units() -> None:
    corpus = corpus_of(COLUMNS, judged={"d1": ["A", "B", "C"]})
    assert repr(corpus) == "<Corpus: 2 documents, 3 annotators, 6 units>"
    assert [continuum.name for continuum in corpus] == ["d1", "d2"]
    continuum = corpus["d1"]
    assert repr(continuum) == "<Continuum 'd1': 0 to 12, 3 annotators, 3 units>"
    assert len(continuum) == 3
    seen = [(unit.start, unit.end, unit.length, unit.label) for unit in continuum["A"]]
    assert seen == [(0, 5, 5, "x"), (7, 12, 5, "y")]
    assert continuum["C"] == []
    assert continuum.annotators == ("A", "B", "C")
    with raises("unknown-name", '"D"'):
        continuum["D"]
    with raises("unknown-name", '"d9"'):
        corpus["d9"]


def test_selected_document_keeps_extent_and_judged_annotators() -> None:
    corpus = corpus_of(COLUMNS, extents={"d2": (0, 50)}, judged={"d2": ["A", "B", "C"]})
    alone = corpus["d2"].alone
    assert (alone.docs, len(alone), alone["d2"].end, alone["d2"].annotators) == (("d2",), 3, 50, ("A", "B", "C"))
    assert [list(alone["d2"][who]) for who in "ABC"] == [list(corpus["d2"][who]) for who in "ABC"]


def test_digest_depends_on_the_data_only() -> None:
    plain = corpus_of(COLUMNS)
    turned = corpus_of({name: column[::-1] for name, column in COLUMNS.items()})
    assert turned.digest == plain.digest
    for other in (
        corpus_of({**COLUMNS, "end": [5, 12, 6, 4, 4.5, 10]}),
        corpus_of({**COLUMNS, "label": ["x", "y", "x", "x", "y", "y"]}),
        corpus_of(COLUMNS, extents={"d1": (0, 99)}),
        corpus_of(COLUMNS, judged={"d1": ["A", "B", "C"]}),
    ):
        assert other.digest != plain.digest


def test_a_corpus_can_be_pickled() -> None:
    corpus = corpus_of(COLUMNS)
    accord.gamma_cat(corpus)
    again = pickle.loads(pickle.dumps(corpus))  # noqa: S301
    assert again.digest == corpus.digest
    assert again["d2"]["B"] == corpus["d2"]["B"]


def test_reading_options_are_refused_for_a_corpus() -> None:
    with raises("option-not-for-data"):
        accord.gamma(corpus_of(COLUMNS), merge="x,y=z")
    assert accord.gamma_cat(COLUMNS, merge="x,y=z").undefined is not None
