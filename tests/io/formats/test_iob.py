"""CoNLL columns: schemes, documents, and tables in other layouts."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.data.io.formats import iob
from accord.data.io.formats.files import gather_files

from ...refusals import raises
from .common import one, told, units, variables, written

TOKENS = ("Ana", "Lee", "met", "Ben", "Oslo")
SCHEMES = {
    "IOB1": ("I-PER", "I-PER", "O", "I-PER", "I-LOC"),
    "IOB2": ("B-PER", "I-PER", "O", "B-PER", "B-LOC"),
    "BIOES": ("B-PER", "E-PER", "O", "S-PER", "S-LOC"),
    "BILOU": ("B-PER", "L-PER", "O", "U-PER", "U-LOC"),
    "BMES": ("B-PER", "E-PER", "O", "S-PER", "S-LOC"),
}
SPANS = [(0, 7, "PER"), (12, 15, "PER"), (16, 20, "LOC")]


def lines(tags: tuple[str, ...], between: str = "\t") -> str:
    return "".join(f"{token}{between}{tag}\n" for token, tag in zip(TOKENS, tags, strict=True))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_gives_the_same_spans(tmp_path: Path, scheme: str) -> None:
    data = accord.read(one(tmp_path, "d.conll", lines(SCHEMES[scheme])))
    assert [row[2:] for row in units(data)] == SPANS
    assert data.texts == {"d": "Ana Lee met Ben Oslo"}


def test_adjacent_chunks_of_one_label_are_separate(tmp_path: Path) -> None:
    """B begins a new chunk, even with the same label. I with another label also begins one."""
    data = accord.read(one(tmp_path, "d.conll", lines(("B-PER", "B-PER", "I-PER", "I-LOC", "B-LOC"))))
    assert [row[2:] for row in units(data)] == [(0, 3, "PER"), (4, 11, "PER"), (12, 15, "LOC"), (16, 20, "LOC")]


def test_documents_of_conll_2003_are_separate(tmp_path: Path) -> None:
    """-DOCSTART- is not a token, although it has a tag. Each column of chunks is a variable. Lines end with CRLF."""
    first = "-DOCSTART- -X- -X- O\n\nAna NNP B-NP B-PER\nran VBD O O\n\nOslo NNP B-NP B-LOC\n\n"
    text = f"{first}-DOCSTART- -X- -X- O\n\nBen NNP B-NP B-PER\n"
    found = variables(one(tmp_path, "d.txt", text.replace("\n", "\r\n")))
    assert units(found["column 4"]) == [
        ("d 1", "d", 0, 3, "PER"),
        ("d 1", "d", 8, 12, "LOC"),
        ("d 2", "d", 0, 3, "PER"),
    ]
    assert found["column 3"].texts["d 1"] == "Ana ran\nOslo"


def test_comments_name_documents(tmp_path: Path) -> None:
    text = "# newdoc id = a\n# text = Ana ran\nAna\tB-PER\nran\tO\n\n# newdoc id = b\n#\tO\nBen\tB-PER\n"
    data = accord.read(one(tmp_path, "d.conll", text))
    assert units(data) == [("a", "d", 0, 3, "PER"), ("b", "d", 2, 5, "PER")]  # "#" may be a token


def test_token_numbers_are_not_part_of_the_text(tmp_path: Path) -> None:
    text = "1\tAna\tB-PER\tO\n2\tran\tO\tO\n\n1\tBen\tB-PER\tB-X\n"
    data = accord.read(one(tmp_path, "d.tsv", text), label="column 2")
    assert next(iter(data.texts.values())) == "Ana ran\nBen"  # type: ignore[attr-defined]


def test_files_are_annotators(tmp_path: Path) -> None:
    folder = written(tmp_path, {"ana.conll": lines(SCHEMES["IOB2"]), "ben.conll": lines(("O",) * 4 + ("B-LOC",))})
    data = accord.read(folder)
    assert data.annotators == ("ana", "ben")
    assert len(data) == 4


def test_columns_may_be_annotators(tmp_path: Path) -> None:
    text = "Ana\tB-PER\tO\nran\tO\tO\nOslo\tB-LOC\tB-LOC\n"
    data = accord.read(one(tmp_path, "d.conll", text), annotators_in="columns")
    assert units(data) == [
        ("d", "column 2", 0, 3, "PER"),
        ("d", "column 2", 8, 12, "LOC"),
        ("d", "column 3", 8, 12, "LOC"),
    ]


def test_tags_without_label_are_chunks(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "d.bio", lines(("B", "I", "O", "B", "O"))))
    assert [row[2:] for row in units(data)] == [(0, 7, "chunk"), (12, 15, "chunk")]


def test_line_of_another_width_is_refused(tmp_path: Path) -> None:
    with raises("invalid-record", "d.conll:6"):
        accord.read(one(tmp_path, "d.conll", lines(SCHEMES["IOB2"]) + "Ana\n"), format="iob")
    with raises("invalid-record"):
        accord.read(one(tmp_path, "d.conll", lines(("x", "y", "z", "x", "y"))), format="iob")


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("a.tsv", "item\tana\tben\n1\tO\tO\n2\tB-PER\tO\n"),
        ("a.txt", "item\tlabel\n1\tO\n2\tB-PER\n"),
        ("a.tsv", "item\tannotator\tlabel\n1\tana\tO\n1\tben\tB\n"),
        ("a.tsv", "1\tO\n2\tA\n3\tB\n4\tAB\n"),  # blood groups
        ("a.tsv", "1\tO\n2\tO\n"),
        ("a.txt", "x O\ny B\nz O\n"),  # in a table, a single letter is not a chunk
        ("a.csv", "token,tag\nAna,B-PER\nran,O\n"),
    ],
)
def test_tables_are_not_recognised_as_chunks(tmp_path: Path, name: str, table: str) -> None:
    path = one(tmp_path, name, table)
    assert not iob.recognises(gather_files([path])[0])


def test_broad_twitter_corpus_is_read(corpora: Path) -> None:
    """There are as many units as gold tags that begin with B."""
    for section, many in (("a", 521), ("e", 325)):
        path = corpora / "broad-twitter-crowd" / "native" / "conll" / f"{section}.conll"
        begun = sum(
            line.rstrip().rpartition("\t")[2].startswith("B-") for line in path.read_text(encoding="utf-8").split("\n")
        )
        assert len(accord.read(path)) == many == begun
    assert told(accord.read(path.parent), "each file is a document by one annotator")
