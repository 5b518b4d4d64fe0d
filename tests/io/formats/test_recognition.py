"""Readers recognise files of their format only, not plain tables; samples are read or refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.errors import AccordError
from accord.data.io.formats.catalogue import NATIVE, format_of
from accord.data.io.formats.files import gather_files

from ...cases import for_each
from .common import one, variables

_FORMATS = (
    "brat",
    "label-studio",
    "prodigy",
    "doccano",
    "gate",
    "glozz",
    "bioc",
    "catma",
    "tei-standoff",
    "spacy-docbin",
)


@pytest.mark.parametrize("name", _FORMATS)
def test_every_sample_is_read_or_refused(name: str, corpora: Path) -> None:
    """No traceback; a refusal names the file and the reason in one line."""
    files = sorted(path for path in (corpora / "native-samples" / name).rglob("*") if path.is_file())
    assert files
    for path in files:
        refused, found = "", {}
        try:
            found = variables(path)
        except AccordError as error:
            refused = str(error)
        assert found or len(refused) > 20, path
        assert "\n" not in refused, path
        assert all(data.annotators for data in found.values()), path


SAMPLES = Path(__file__).parents[2] / "data" / "formats"


def test_catalogue_lists_the_signs_of_every_recognised_file() -> None:
    """Every file that a reader recognises has one of the signs of its format. Every format has a sample."""
    files = gather_files(sorted(SAMPLES.iterdir()))
    by_readers = [next((known for known in NATIVE if known.reader.recognises(file)), None) for file in files]
    assert [format_of(file) for file in files] == by_readers
    assert {known.name for known in by_readers if known} == {known.name for known in NATIVE}


def test_every_native_format_has_a_reader_that_documents_itself() -> None:
    for known in NATIVE:
        page = str(known.reader.__doc__)
        assert all(f"\n{word}: " in page for word in ("Files", "Keeps", "Reference")), known.name
        assert callable(known.reader.read), known.name
        assert hasattr(known.reader, "write") == bool(known.written), known.name


TABLES: dict[str, Any] = {
    "long.csv": "item,annotator,label\n1,ana,O\n1,ben,B-PER\n2,ana,I-PER\n2,ben,O\n",
    "wide.tsv": "item\tana\tben\n1\tO\tO\n2\tB-PER\tO\n",
    "wide.txt": "item\tana\tben\n1\tO\tO\n2\tB-PER\tO\n",
    "bare.tsv": "1\tO\n2\tA\n3\tAB\n",
    "units.csv": "doc,annotator,start,end,label\nd,ana,0,3,X\nd,ben,0,3,X\n",
    "units.tsv": "doc\tannotator\tstart\tend\tlabel\nd\tana\t0\t3\tX\nd\tben\t0\t3\tX\n",
    "pygamma.csv": "ana,X,0,3\nben,X,0,3\n",
    "leads.csv": "id,annotator,lead_time,label\n1,ana,3,x\n1,ben,4,x\n",  # like Label Studio, but without annotation_id
    "semicolon.csv": "item;annotator;label\n1;ana;x\n1;ben;x\n",
    "quoted.csv": '"item","annotator","label"\n"1","ana","S a|||b"\n"1","ben","A 0 1|||x"\n',
    "numbers.txt": "1 2 3\n2 2 1\n3 1 1\n",
    "sentence.txt": "S 1\nA 2\nB 3\n",
    "long.jsonl": [{"item": 1, "annotator": "ana", "label": "x"}, {"item": 1, "annotator": "ben", "label": "x"}],
    "model.jsonl": [
        {"id": 1, "text": "t", "model": "m", "label": "x"},
        {"id": 1, "text": "t", "model": "n", "label": "x"},
    ],
    "lists.jsonl": [{"text": "t", "annotators": ["ana", "ben"], "labels": ["x", "y"]}],
    "sets.jsonl": [{"id": 1, "text": "t", "label": ["x"], "annotator": "ana"}],
    "votes.jsonl": [{"text": "t", "label": [0, 1, 1]}],
    "wide.jsonl": [{"id": 1, "text": "t", "ana": "x", "ben": "y"}],
    "spans.jsonl": [{"doc": "d", "annotator": "ana", "start": 0, "end": 3, "label": "X"}],
    "answers.jsonl": [{"id": 1, "question": "q", "answer": "accept", "rater": "ana"}],
    "nested.json": [{"id": 1, "annotations": [{"annotator": "ana", "label": "x"}]}],
    "data.json": {"data": [{"item": 1, "annotator": "ana", "label": "x"}]},
    "batch.jsonl": [{"custom_id": "r", "response": {"body": {"choices": [{"message": {"content": "x"}}]}}}],
}


@pytest.mark.parametrize("name", TABLES)
def test_no_format_claims_a_table(tmp_path: Path, name: str) -> None:
    found = format_of(gather_files([one(tmp_path, name, TABLES[name])])[0])
    assert found is None, found.name


@pytest.mark.parametrize(
    "suffix", ["csv", "tsv", "txt", "json", "jsonl", "xml", "ann", "aa", "conll", "m2", "spacy", "qdpx", "bdocjs"]
)
@for_each(
    "content", [b"", b"\0", b"\xff\xfe\x00\x00", b"{", b"[[[[", b"<", b"PK\x03\x04", b"x" * 70_000, b'{"a":' * 3000]
)
def test_recognition_never_raises_an_exception(tmp_path: Path, suffix: str, content: bytes) -> None:
    """Any content gives one line and no traceback."""
    path = one(tmp_path, f"a.{suffix}", content)
    with suppress(AccordError):
        format_of(gather_files([path])[0])
    with suppress(AccordError):
        accord.read(path)


def test_example_tables_have_no_native_format(garden: Path) -> None:
    for path in sorted(garden.parent.rglob("*.csv")):
        assert format_of(gather_files([path])[0]) is None, path


_PASSAGE = {"offset": 0, "text": "A b", "infons": {}, "annotations": []}
_ROW = {"text": "A b", "id": 3, "mood": "good", "annotator": 1, "annotation_id": 1, "lead_time": 1}
_REGION = {"start": 0, "end": float("nan"), "text": "A", "labels": ["X"]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", [{"text": "A", "_task_hash": 2, "answer": [[2.5]], "label": "L", "_view_id": "classification"}]),
        ("a.jsonl", [{"text": "A", "_task_hash": 2, "answer": "accept", "_view_id": [{}], "spans": []}]),
        ("a.jsonl", [{"text": "A", "_task_hash": 2, "spans": [{"start": float("nan"), "end": 1, "label": "X"}]}]),
        ("a.json", [{**_ROW, "id": [3]}]),
        ("a.json", [{**_ROW, "ner": [_REGION]}]),
        ("a.json", [{**_ROW, "ner": [{**_REGION, "end": 2.5}]}]),
        ("a.json", [{**_ROW, "ner": [{**_REGION, "end": 10**400}]}]),
        ("a.json", {"documents": [{"id": "d", "passages": [{**_PASSAGE, "sentences": 2.5}]}]}),
        ("a.json", {"documents": [{"id": "d", "passages": [{**_PASSAGE, "offset": 10**30}]}]}),
    ],
)
def test_invalid_values_are_refused_or_counted(tmp_path: Path, name: str, content: Any) -> None:
    path = one(tmp_path, name, content)
    with suppress(AccordError):
        variables(path)
