"""Parsers of other projects read the files that accord writes, with the same annotations."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import accord
from accord.data.model.corpus import Corpus

TEXT = "Ann saw 😀 Ben & <Cem>.\n\nBen left."
ROWS = [
    ("d1", "Ana", 0, 3, "PER"),
    ("d1", "Ana", 10, 13, 'a "b" & <c>'),
    ("d1", "Ben", 0, 3, "PER"),
    ("d1", "Ben", 8, 9, "😀"),
]


@pytest.fixture
def corpus() -> Corpus:
    columns = dict(zip(("doc", "annotator", "start", "end", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
    made = accord.read(columns, extents={"d1": (0, len(TEXT))}, judged={"d1": ["Ana", "Ben", "Cem"]})
    assert isinstance(made, Corpus)
    return Corpus(**{**made.__getstate__(), "texts": {"d1": TEXT}})


def expected(who: str) -> list[tuple[float, float, str]]:
    return [(start, end, label) for _, name, start, end, label in ROWS if name == who]


@pytest.mark.parametrize("who", ["Ana", "Ben", "Cem"])
def test_cassis_reads_the_written_xmi(corpus: Corpus, tmp_path: Path, who: str) -> None:
    cassis: Any = pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    accord.convert(corpus, tmp_path / "out", "uima_xmi")
    with (tmp_path / "out" / "TypeSystem.xml").open("rb") as file:
        types = cassis.load_typesystem(file)
    with (tmp_path / "out" / "annotation" / "d1" / f"{who}.xmi").open("rb") as file:
        cas = cassis.load_cas_from_xmi(file, typesystem=types)
    assert cas.sofa_string == TEXT
    found = cas.select("webanno.custom.Label")
    assert [(one.begin, one.end, one.value) for one in found] == expected(who)
    assert [one.get_covered_text() for one in found] == [TEXT[start:end] for start, end, _ in expected(who)]


@pytest.mark.parametrize("who", ["Ana", "Ben", "Cem"])
def test_praatio_reads_the_written_textgrids(corpus: Corpus, tmp_path: Path, who: str) -> None:
    textgrid: Any = pytest.importorskip("praatio.textgrid", reason="praatio is not installed")
    accord.convert(corpus, tmp_path / "out", "textgrid")
    grid = textgrid.openTextgrid(str(tmp_path / "out" / who / "d1.TextGrid"), includeEmptyIntervals=False)
    assert (grid.minTimestamp, grid.maxTimestamp) == (0, len(TEXT))
    assert [tuple(entry) for entry in grid.getTier("label").entries] == expected(who)


@pytest.mark.parametrize("who", ["Ana", "Ben", "Cem"])
def test_pympi_reads_the_written_elan_files(corpus: Corpus, tmp_path: Path, who: str) -> None:
    elan: Any = pytest.importorskip("pympi.Elan", reason="pympi-ling is not installed")
    accord.convert(corpus, tmp_path / "out", "elan")
    eaf = elan.Eaf(str(tmp_path / "out" / who / "d1.eaf"))
    found = sorted(eaf.get_annotation_data_for_tier("label"))
    assert [(start / 1000, end / 1000, label) for start, end, label, *_ in found] == expected(who)


@pytest.mark.parametrize("who", ["Ana", "Ben", "Cem"])
def test_conllu_reads_the_written_columns(corpus: Corpus, tmp_path: Path, who: str) -> None:
    conllu: Any = pytest.importorskip("conllu", reason="conllu is not installed")
    accord.convert(corpus, tmp_path / "out", "iob")
    content = (tmp_path / "out" / who / "d1.conll").read_text(encoding="utf-8")

    sentences = list(conllu.parse_incr(StringIO(content)))
    assert [one.metadata["text"] for one in sentences if one] == [line for line in TEXT.split("\n") if line]
    tags = [token["label"] for sentence in sentences for token in sentence]
    assert [tag[2:] for tag in tags if tag.startswith("B-")] == [label for *_, label in expected(who)]


def test_written_elan_files_are_valid_by_their_schema(corpus: Corpus, tmp_path: Path, corpora: Path) -> None:
    schema = etree.XMLSchema(etree.parse(str(corpora / "native-samples" / "elan-eaf" / "EAFv3.0.xsd")))
    accord.convert(corpus, tmp_path / "out", "elan")
    for file in (tmp_path / "out").rglob("*.eaf"):
        schema.assertValid(etree.parse(str(file)))
