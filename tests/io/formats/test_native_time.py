"""Every real file of a time-aligned format is read, or refused with a reason in one line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord
from accord.core.errors import AccordError, DataError
from accord.data.model.corpus import Corpus

from .samples import rows

FOLDERS = ("elan-eaf", "textgrid", "rttm", "audacity-labels", "raven-selection-table", "boris", "pygamma-csv")
NOTHING = {  # files without units, with the reason
    "EAFv3.0.xsd": "this is XML",
    "README.md": "README.md",
    "train.uem": "train.uem",
    "Recording_1_Segment_01.Table.1.selections.txt": "no annotations",
    "otx_import_test.boris": "no observations",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_sample_is_read_or_refused(folder: str, corpora: Path) -> None:
    everything = (corpora / "native-samples" / folder).rglob("*")
    files = sorted(path for path in everything if path.is_file() and path.stat().st_size < 1_000_000)
    assert files
    for path in files:
        if path.name in NOTHING:
            with pytest.raises(AccordError, match=NOTHING[path.name]) as refused:
                accord.read_all(path)
            assert "\n" not in str(refused.value), path
        else:
            assert sum(len(rows(data)) for data in accord.read_all(path).values()) > 0, path


def test_native_files_of_casa_contain_the_rows_of_its_table(corpora: Path) -> None:
    """The native files are tables with the original labels."""
    folder = corpora / "casa-stuttering"
    with (folder / "spans.csv").open(encoding="utf-8") as stream:
        spans = {(r["doc"], r["annotator"], float(r["start"]), float(r["end"])) for r in csv.DictReader(stream)}
    for part in ("interview", "reading"):
        read = accord.read(folder / f"native/{part}_raw.csv")
        assert isinstance(read, Corpus)
        ours = {
            (f"{part}/{doc}", who, start, end) for doc, who, start, end, _ in rows(read) if who in {"A1", "A2", "A3"}
        }
        assert {row for row in spans if str(row[0]).startswith(part)} <= ours


def test_bare_lists_of_sleep_stages_are_refused(corpora: Path) -> None:
    """The files have one number per epoch without any description; they are neither a format nor a table."""
    folder = corpora / "dod-sleep/native"
    for path in (folder, min(folder.rglob("*.json"))):
        with pytest.raises(DataError):
            accord.read_all(path)
