"""Tables of texts: edits of a source, tokens with their text, whole texts; on disk and in memory."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.data.model.texts import Texts

from ..command_line import Cli
from ..refusals import raises
from .test_texts import write

TOKENS = "doc,annotator,start,end,text,pos\n"
EDITS = "doc,annotator,start,end,label,source_text,correction\n"
SOURCE = "a cat sat their"


def version(texts: Any, doc: str, annotator: str) -> tuple[str, list[str], dict[str, list[str | None]]]:
    """Return the text, the tokens and the features of one annotator's version."""
    assert isinstance(texts, Texts)
    mine = texts.version_of(doc, annotator)
    at = texts.tokens(mine)
    features: dict[str, list[str | None]] = {
        name: [column.categories.names[code] if code >= 0 else None for code in column.codes[at]]
        for name, column in texts.features.items()
    }
    return texts.strings[mine], [texts.token(k) for k in range(at.start, at.stop)], features


def table(folder: Path, content: str, name: str = "t.csv", **options: Any) -> Any:
    return accord.read(write(folder, {name: content}) / name, **{"layout": "texts", **options})


def read_edits(folder: Path, *edits: str, source: str = SOURCE, **options: Any) -> Any:
    rows = "".join(f"d,{edit}\n" for edit in edits)
    return accord.read(
        write(folder, {"e.csv": EDITS + rows, "texts/d.txt": source}) / "e.csv", layout="texts", **options
    )


def test_edits_applied_to_the_source_give_the_texts_of_the_annotators(tmp_path: Path) -> None:
    texts = read_edits(
        tmp_path, "A,10,15,Spell,their,there", "A,0,1,Det,a,the", "A,9,9,Punct,,!", "A,9,9,Punct,,?", "B,1,5,Cut, cat,"
    )
    assert version(texts, "d", "A") == (
        "the cat sat!? there",
        ["the", "cat", "sat!?", "there"],
        {"label": ["Det", None, "Punct", "Spell"]},
    )
    assert version(texts, "d", "B") == ("a sat their", ["a", "sat", "their"], {"label": [None, "Cut", None]})
    base = texts.base_of(0)
    assert base is not None
    assert texts.strings[base] == SOURCE
    assert [texts.token(k) for k in range(*texts.tokens(base).indices(99))] == SOURCE.split()


def test_labels_of_edits_on_one_word_are_joined_and_a_final_deletion_labels_the_last_word(tmp_path: Path) -> None:
    texts = read_edits(tmp_path, "A,2,3,Spell,c,b", "A,4,5,Case,t,T", "A,9,15,Cut, their,", "B,2,3,Spell,c,b")
    assert version(texts, "d", "A") == ("a baT sat", ["a", "baT", "sat"], {"label": [None, "Case|Spell", "Cut"]})


def test_edits_with_slightly_wrong_offsets_are_moved_and_reported(tmp_path: Path) -> None:
    texts = read_edits(tmp_path, "A,3,6,Noun,cat,dog", "A,11,11,Punct,,!", "B,2,5,Noun,cat,cow")
    assert version(texts, "d", "A")[0] == "a dog sat !their"
    assert any("in 1 text, offsets of edits do not match" in note and "moved 2 edits" in note for note in texts.notes)


def test_annotator_without_edits_has_the_source_text(tmp_path: Path) -> None:
    write(tmp_path, {"docs.csv": "doc,annotator\nd,A\nd,B\nd,C\n"})
    texts = read_edits(tmp_path, "A,0,1,Det,a,the", "B,0,1,Det,a,one")
    assert version(texts, "d", "C")[0] == SOURCE


def test_documents_without_source_are_left_out_and_reported(tmp_path: Path) -> None:
    rows = "x/1,A,0,1,,a,b\nx/1,B,0,1,,a,c\ny/2,A,0,1,,a,b\n"
    write(tmp_path, {"e.csv": EDITS + rows, "elsewhere/1.txt": "a"})
    texts = accord.read(tmp_path / "e.csv", texts=tmp_path / "elsewhere")
    assert texts.docs == ("x/1",)
    assert any(note.startswith("1 document without source text left out (y/2 …)") for note in texts.notes)
    assert any("column label is empty" in note for note in texts.notes)
    with raises("column-missing"):
        accord.read(tmp_path / "e.csv", layout="texts")


def test_text_file_name_shared_by_two_documents_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{d},{a},0,1,x,a,b\n" for d in ("test/1", "train/1") for a in "AB")
    write(tmp_path, {"e.csv": EDITS + rows, "texts/1.txt": "a"})
    with raises("column-missing"):
        accord.read(tmp_path / "e.csv", layout="texts")
    write(tmp_path, {"texts/test/1.txt": "a", "texts/train/1.txt": "a c"})
    assert version(accord.read(tmp_path / "e.csv", layout="texts"), "train/1", "A")[0] == "b c"


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        (["A,0,5,x,a cat,b", "A,2,5,x,cat,dog"], "overlapping-units: e.csv:3"),
        (["A,0,99,x,a,b"], "invalid-position: e.csv:2"),
        (["A,0,1,x,zebra,b"], "invalid-position: e.csv:2"),
        (["A,1.5,2,x,a,b"], "invalid-position: e.csv:2"),
        (["A,-1,0,x,a,b"], "invalid-position: e.csv:2"),
        (["A,3,2,x,a,b"], "end-before-start: e.csv:2"),
    ],
)
def test_bad_edits_are_refused_in_one_line(tmp_path: Path, edits: list[str], words: str) -> None:
    with raises(words) as caught:
        read_edits(tmp_path, *edits)
    assert "\n" not in str(caught.value)


def test_base_option_is_refused_for_edits(tmp_path: Path) -> None:
    with raises("option-not-for-data", "--base"):
        read_edits(tmp_path, "A,0,1,x,a,b", base="A")


def test_ua_gec_corpus_is_read(corpora: Path) -> None:
    folder = corpora / "ua-gec"
    texts, whole = accord.read(folder / "spans.csv", layout="texts"), accord.read(folder, layout="texts")
    assert texts.digest == whole.digest
    assert (len(texts.docs), texts.annotators, texts.has_base) == (166, ("a1", "a2"), True)
    assert any(note.startswith("43 documents without source text left out") for note in texts.notes)
    assert any(note.startswith("in 11 texts, offsets of edits do not match") for note in texts.notes)
    assert any("not read: spans_in_corrected_text.csv" in note for note in whole.notes)
    equal = 0
    for doc in texts.docs:
        for who in texts.annotators:
            target = folder / "texts" / "target" / f"{doc.rpartition('/')[2]}.{who}.txt"
            equal += version(texts, doc, who)[0] == target.read_bytes().decode("utf-8")
    assert equal == 321  # of 332: in 11 the source differs from the corrected one
    _, tokens, features = version(texts, "test/0002", "a1")
    labels = dict(zip(tokens, features["label"], strict=True))
    assert labels["шастав"] == "G/UngrammaticalStructure"
    assert labels["здавалось,"] == "G/UngrammaticalStructure"  # the preceding word was deleted
    assert labels["лікар,"] == "F/Calque|Punctuation"


def test_units_in_corrected_texts_are_read(corpora: Path) -> None:
    texts = accord.read(corpora / "ua-gec" / "spans_in_corrected_text.csv", layout="texts")
    assert (len(texts.docs), texts.n_annotators, len(texts)) == (166, 2, 7865)
    assert any("86 versions without text left out" in note for note in texts.notes)


def test_column_of_tokens_gives_text_and_features(tmp_path: Path) -> None:
    texts = table(tmp_path, TOKENS + "d,A,3,6,cat,N\nd,A,0,2,ab,D\nd,B,0,4,abca,\n")
    assert version(texts, "d", "A") == ("ab cat", ["ab", "cat"], {"pos": ["D", "N"]})
    assert version(texts, "d", "B")[2] == {"pos": [None]}


def test_column_with_the_whole_text_gives_text_and_features(tmp_path: Path) -> None:
    texts = table(tmp_path, TOKENS + "d,A,0,2,ab cat,D\nd,A,3,6,ab cat,N\nd,B,0,2,abc,N\n")
    assert version(texts, "d", "A") == ("ab cat", ["ab", "cat"], {"pos": ["D", "N"]})
    assert version(texts, "d", "B") == ("abc", ["ab"], {"pos": ["N"]})


def test_tokens_without_offsets_are_joined_in_row_order(tmp_path: Path) -> None:
    texts = table(tmp_path, "doc,annotator,text,pos\nd,A,in dem,P\nd,B,in,P\nd,A,hus,N\nd,B,,X\nd,base,in,\n")
    assert version(texts, "d", "A") == ("in dem hus", ["in dem", "hus"], {"pos": ["P", "N"]})
    assert version(texts, "d", "B")[1] == ["in"]
    assert texts.has_base
    assert "1 row without a token left out" in texts.notes
    alone = table(tmp_path, "annotator,token\nA,a\nA,b\nB,a\n")
    assert version(alone, "document", "A")[0] == "a b"


def test_texts_are_found_in_docs_csv_and_in_files(tmp_path: Path) -> None:
    rows = "doc,annotator,start,end,pos\nd,A,0,1,D\nd,B,2,3,N\n"
    write(tmp_path, {"docs.csv": "doc,annotator,text\nd,A,a b\nd,B,a c\n"})
    assert version(table(tmp_path, rows), "d", "B")[:2] == ("a c", ["c"])
    write(tmp_path, {"docs.csv": "doc,text\nd,x y\n"})
    texts = table(tmp_path, rows)
    assert version(texts, "d", "B")[:2] == ("x y", ["y"])
    assert any("annotators have no texts of their own" in note for note in texts.notes)
    (tmp_path / "docs.csv").unlink()
    write(tmp_path, {"mine/A/d.txt": "p q", "mine/B/d.txt": "p r"})
    assert version(table(tmp_path, rows, texts=str(tmp_path / "mine")), "d", "B")[0] == "p r"
    with raises("file-missing"):
        table(tmp_path, rows, texts=str(tmp_path / "yours"))
    with raises("column-missing", "--texts FOLDER"):
        table(tmp_path, rows)


def test_table_of_texts_is_recognised(tmp_path: Path) -> None:
    texts = table(tmp_path, "doc,annotator,text\nd,A,a b\nd,B,a c\nd,,lost\nd,C,\n", layout=None)
    assert isinstance(texts, accord.Texts)
    assert "1 row without annotator left out" in texts.notes
    assert "1 text without any words" in texts.notes
    more = table(tmp_path, "doc,annotator,text,topic\nd,A,a b,x\nd,B,a c,x\n")
    assert "columns not used, because each row is a whole text: topic" in more.notes
    tabs = table(tmp_path, "doc\tannotator\ttext\nd\tA\ta b\nd\tB\ta c\n", name="t.tsv")
    assert version(tabs, "d", "A")[1] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (TOKENS + "d,A,0,3,ab,N\nd,A,4,5,c,N\n", "invalid-position: t.csv:2"),
        (TOKENS + "d,A,0,3,abc,N\nd,A,2,5,cde,N\n", "overlapping-units: t.csv:3"),
        (TOKENS + "d,A,0,3,abcd,N\nd,A,2,4,abcd,N\n", "overlapping-units: t.csv:3"),
        (TOKENS + "d,A,0,9,abcd,N\nd,A,9,11,abcd,N\n", "invalid-position: t.csv:2"),
        (TOKENS + "d,,0,3,abc,N\n", "empty-cell: t.csv:2"),
        (TOKENS + "d,A,x,3,abc,N\n", "invalid-position: t.csv:2"),
        (TOKENS + "d,A,999999990,1000000000,abcdefghij,N\n", "file-too-large"),
        (TOKENS + "d,A,19999990,20000000,abcdefghij,N\n", "file-too-large"),
        ("doc,annotator,text\nd,A,a b\nd,A,a c\n", "repeated-document: t.csv:3"),
        ("doc,annotator,text\n,A,a b\n", "empty-cell: t.csv:2"),
        ("doc,annotator,text\nd,,a b\n", "column-missing"),
        ("doc,annotator,text\nd,A,a\0b\n", "encoding"),
        ("doc,text\nd,a b\n", "column-missing: --annotator"),
        ("doc,annotator,label\nd,A,x\n", "column-missing"),
        ("", "file-empty"),
    ],
)
def test_bad_tables_are_refused_in_one_line(tmp_path: Path, content: str, words: str) -> None:
    with raises(words) as caught:
        table(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_table_in_another_encoding_than_declared_is_refused(tmp_path: Path) -> None:
    with raises("encoding"):
        table(tmp_path, "doc,annotator,text\nd,A,abcd\n", encoding="utf-16")


def test_folder_of_tables_without_texts_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.csv": "item,annotator,label\n1,A,x\n"})
    with raises("file-missing"):
        accord.read(tmp_path, layout="texts")


def test_base_option_reads_a_table_as_texts(tmp_path: Path) -> None:
    write(tmp_path, {"t.csv": "annotator,text,pos\ntool,a,X\ntool,b,Y\nA,a,X\nA,b,X\nB,a,X\nB,c,Y\n"})
    assert accord.read(tmp_path / "t.csv", base="tool").has_base
    write(tmp_path, {"r.csv": "item,annotator,label\n1,A,x\n1,B,x\n"})
    for option in ({"base": "A"}, {"merge_symbol": "+"}):
        with pytest.raises(accord.AccordError, match=r"a table of texts needs the columns|this option is for CorA-XML"):
            accord.read(tmp_path / "r.csv", **option)


def test_unread_texts_next_to_a_table_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {"t.csv": "doc,annotator,text\nd,A,a b\nd,B,a c\n", "A.conll": "a X\n", "texts/d.txt": "a"})
    (note,) = accord.read(tmp_path, layout="texts").notes
    assert note.endswith("read t.csv (texts); not read: A.conll; name a file to read it")


def test_table_of_texts_is_read_from_a_pipe(monkeypatch: pytest.MonkeyPatch, cli: Cli, tmp_path: Path) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"doc,annotator,text\nd,A,a b\nd,B,a c\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    assert version(accord.read("-", layout="texts"), "d", "B")[0] == "a c"
    write(tmp_path, {"e.csv": EDITS + "d,A,0,1,x,a,b\nd,B,0,1,x,a,c\n", "t/d.txt": "a"})
    shown = cli("read", tmp_path / "e.csv", "--texts", tmp_path / "t")
    assert (shown.code, "pre-annotation  yes" in shown.out) == (0, True)


COLUMNS = {"annotator": ["A", "A", "B"], "start": [0, 4, 0], "end": [3, 7, 7], "pos": ["D", "N", "N"]}
WRITTEN = {"A": "the cat", "B": "thecat!"}


def test_tokens_and_texts_in_memory_are_read() -> None:
    texts = accord.read(COLUMNS, texts=WRITTEN)
    assert version(texts, "document", "A")[1] == ["the", "cat"]
    named = accord.read(COLUMNS, texts={("d", who): text for who, text in WRITTEN.items()})
    assert named.docs == ("d",)
    only = accord.read({**COLUMNS, "doc": ["d"] * 3}, texts=WRITTEN, base=({"start": [0], "end": [3]}, "the"))
    assert (only.docs, only.has_base) == (("d",), True)
    spelled = accord.read({**COLUMNS, "text": ["the", "cat", "thecat!"]}, texts=WRITTEN)
    assert (list(spelled.features), spelled.notes[0][:26]) == (["pos"], "not used as features: text")
    assert accord.read(COLUMNS, texts=WRITTEN, annotators=["A"]).n_annotators == 1
    assert accord.text_gamma(COLUMNS, texts=WRITTEN, seed=1, samples=5, precision=0.5).n == 1
    table = {"annotator": ["A", "B", "B"], "token": ["the", "the", "cat"]}
    assert accord.text_gamma(table, seed=1, samples=5, precision=0.5).n == 1
    assert accord.read(COLUMNS, texts=WRITTEN, base="A").annotators == ("B",)
    own = accord.read(COLUMNS, texts=WRITTEN, base=({"start": [0], "end": [3]}, "the"))
    assert (own.annotators, own.has_base) == (("A", "B"), True)
    other = {"rater": ["A"], "begin": [0], "stop": [3], "tag": ["x"], "note": ["y"]}
    assert list(accord.read(other, texts={"A": "the"}, label="tag").features) == ["tag"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_of_pandas_and_polars_are_read(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame({**COLUMNS, "pos": ["D", None, "N"]})
    texts = accord.read(frame, texts=WRITTEN)
    assert version(texts, "document", "A")[2] == {"pos": ["D", None]}
    columns = {"doc": ["d", "d"], "annotator": ["A", "B"], "text": ["a b", "a c"]}
    assert version(accord.read(pytest.importorskip(library).DataFrame(columns)), "d", "B")[0] == "a c"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"texts": ["the cat"]}, "texts must be"),
        ({"texts": WRITTEN, "merge": "a,b=c"}, "merge: this option is for files and tables"),
        ({"texts": WRITTEN, "encoding": "latin-1"}, "encoding: this option is for files"),
        ({"texts": WRITTEN, "only": "pos=N"}, "use --only doc="),
        ({"texts": WRITTEN, "colour": 1}, 'unknown option "colour"'),
        ({"texts": WRITTEN, "base": "C"}, 'unknown pre-annotation "C"'),
        ({"texts": WRITTEN, "base": ({}, "a", 1)}, "base must be the name of an annotator"),
        ({"texts": WRITTEN, "base": {"start": [0]}}, "base must be the name of an annotator"),
        ({"layout": "texts", "base": ({}, "a")}, "base must be the name of an annotator"),
        ({"layout": "units", "base": "A"}, "--base: this option is for texts, but the layout is units"),
        ({"texts": WRITTEN, "annotators": ["C"]}, 'unknown annotator "C"'),
        ({"texts": WRITTEN, "label": "tag"}, 'unknown column "tag"'),
    ],
)
def test_wrong_options_in_memory_are_refused_by_name(options: dict[str, Any], words: str) -> None:
    with pytest.raises(accord.SpecError, match=words):
        accord.read(COLUMNS, **options)


def test_edits_in_memory_are_applied_to_the_texts_of_the_documents() -> None:
    edits = {"doc": ["d", "d"], "annotator": ["A", "B"], "start": [0, 0], "end": [1, 1], "correction": ["the", "one"]}
    texts = accord.read(edits, texts={"d": "a cat", "e": "unused"})
    assert (version(texts, "d", "A")[0], version(texts, "d", "B")[0], texts.has_base) == ("the cat", "one cat", True)
    with raises("option-not-for-data"):
        accord.read(edits, texts={"d": "a cat"}, base="A")


def test_rows_of_labels_are_refused_as_texts() -> None:
    with raises("option-not-for-data"):
        accord.text_gamma([[1, 2], [2, 2]])


def test_missing_text_is_refused() -> None:
    with raises("invalid-position", '"B"'):
        accord.read(COLUMNS, texts={"A": "the cat", "B": None})


def test_crowdspeech_is_read_in_seconds(corpora: Path) -> None:
    begin = time.monotonic()
    texts = accord.read(corpora / "crowdspeech", layout="texts")
    assert time.monotonic() - begin < 10
    assert (len(texts.strings), "2,176 rows without annotator left out" in texts.notes) == (37901, True)


def test_random_edits_give_the_expected_text(tmp_path: Path) -> None:
    """Build the corrected text letter by letter and compare."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        source = "".join(rng.choice(list("ab c"), size=30))
        cuts = np.sort(rng.choice(31, size=8, replace=False)).reshape(4, 2)
        new = ["".join(rng.choice(list("xy "), size=int(n))) for n in rng.integers(0, 4, size=4)]
        rows = [f'A,{a},{b},L,"{source[a:b]}","{text}"' for (a, b), text in zip(cuts, new, strict=True)]
        wanted = list(source)
        for (a, b), text in zip(cuts[::-1], new[::-1], strict=True):
            wanted[a:b] = text
        texts = read_edits(tmp_path, *rng.permutation(rows), "B,0,0,L,,x", source=source)
        assert version(texts, "d", "A")[0] == "".join(wanted)
