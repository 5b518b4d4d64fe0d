"""Inline corrections in the format of UA-GEC."""

from __future__ import annotations

import csv
from pathlib import Path

import accord

from .common import told, units, written


def test_inline_corrections_become_units(tmp_path: Path) -> None:
    files = {
        "d.a1.ann": "A 😀 {tset=>test:::error_type=Spelling}{=>::::error_type=Punctuation} {x=>y:::note=why}.",
        "d.a2.ann": "A 😀 tset x.",
        "e.a1.ann": "{One=>Two:::error_type=F/Style:::is_sensible=true}",
        "e.a2.ann": "Other",
    }
    data = accord.read(written(tmp_path, files))
    assert units(data) == [
        ("d", "a1", 4, 8, "Spelling"),
        ("d", "a1", 8, 8, "Punctuation"),
        ("e", "a1", 0, 3, "F/Style"),
    ]
    assert data.texts["d"] == "A 😀 tset x."
    assert data.judged.tolist() == [[True, True], [True, False]]  # an annotator without corrections judged the document
    assert told(data, "1 corrections without a type")
    assert told(data, "1 versions whose source differs", "e.a2.ann")


def test_ua_gec_corpus_equals_its_table(corpora: Path) -> None:
    """Every row of the table is read, except for versions with a different source than the other annotator."""
    folder = corpora / "ua-gec"
    data = accord.read(folder / "native" / "ua-gec-ann")
    with (folder / "spans.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            (row["doc"].removeprefix("test/"), row["annotator"], int(row["start"]), int(row["end"]), row["label"])
            for row in csv.DictReader(file)
            if row["doc"].startswith("test/")
        ]
    looked = {(doc, who) for doc, seen in zip(data.docs, data.judged, strict=True)
              for who, yes in zip(data.annotators, seen, strict=True) if yes}  # fmt: skip
    assert units(data) == sorted(row for row in rows if row[:2] in looked)
    assert 332 - len(looked) == 11  # the README of the corpus counts 12 in more files
