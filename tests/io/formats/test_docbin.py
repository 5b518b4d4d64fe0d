"""spaCy's DocBin, read without spaCy."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data.io.formats.docbin import _hash

from ...refusals import raises
from .common import labels, one, units, variables

msgpack = pytest.importorskip("msgpack")
WORDS = ("Ana", "saw", "😀", "Oslo")


def docbin(cats: Any = None, **change: Any) -> bytes:
    """Build a document of four words with two entities."""
    import numpy as np

    numbers = {name: _hash(name) for name in (*WORDS, "HERO")}
    iob, kinds = [3, 2, 2, 3], [numbers["HERO"], 0, 0, 385]  # LOC is a predefined symbol of spaCy, HERO is not
    tokens = np.array([[numbers[w], i, k] for w, i, k in zip(WORDS, iob, kinds, strict=True)], dtype="<u8")
    whole = {
        "attrs": [65, 77, 78], "tokens": tokens.tobytes(), "spaces": np.array([True, True, True, False]).tobytes(),
        "lengths": np.array([4], dtype="<i4").tobytes(), "strings": [*WORDS, "HERO"],
        "cats": [cats or {}], "user_data": [msgpack.packb({"annotator": "ana", "doc": "d1"})],
        "span_groups": [b""], **change,
    }  # fmt: skip
    return zlib.compress(msgpack.packb(whole))


def test_entities_and_categories_are_read(tmp_path: Path) -> None:
    found = variables(one(tmp_path, "a.spacy", docbin({"news": 1.0, "sport": 0.0})))
    assert units(found["ents"]) == [("d1", "ana", 0, 3, "HERO"), ("d1", "ana", 10, 14, "LOC")]
    assert labels(found["cats"]) == {("d1", "ana"): "news"}


@pytest.mark.parametrize(
    "content",
    [
        b"\x78 not really",
        zlib.compress(b"\xc1"),
        docbin(tokens=b"abc"),
        docbin(strings=[]),
        docbin(attrs=None),
        docbin(lengths=b"x"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, content: bytes) -> None:
    with raises("file-damaged"):
        accord.read(one(tmp_path, "a.spacy", content))


def test_leoka_has_as_many_spans_as_its_label_studio_export(corpora: Path) -> None:
    """The spans are widened to tokens, but their number is equal."""
    found = variables(corpora / "native-samples" / "spacy-docbin")
    data = found["sc"]
    exported = accord.read(
        corpora / "leoka-labelstudio" / "native" / "LEOKA_team_1.shared-narratives.json", label="label"
    )
    assert data.annotators == ("t01_1", "t01_2", "t01_3")
    assert len(data) == len(exported) == 1364
    assert len(found["ents"]) == 1308
