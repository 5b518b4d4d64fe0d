"""Raven selection tables: selections in two views, notes, annotators."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.data.io.formats.files import gather_files
from accord.data.io.formats.raven import recognises

from ...refusals import raises
from .samples import notes, rows

HEADER = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tSpecies\tSNR\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_folders_are_annotators_and_two_views_count_once(tmp_path: Path) -> None:
    both = "1\tWaveform 1\t1\t0.5\t1.25\t200\tEATO\t3.5\r\n1\tSpectrogram 1\t1\t0.5\t1.25\t200\tEATO\t3.5\r\n"
    write(tmp_path / "Ana/rec1.txt", HEADER.replace("\n", "\r\n") + both + "2\tSpectrogram 1\t1\t2\t3\t200\t\t1\r\n")
    write(tmp_path / "Ben/rec1.txt", HEADER + '1\tSpectrogram 1\t1\t0.5\t1\t200\tsays "hi"\n')
    write(tmp_path / "Cleo/rec1.txt", HEADER)
    read = accord.read(tmp_path)
    assert rows(read) == [("rec1", "Ana", 0.5, 1.25, "EATO"), ("rec1", "Ben", 0.5, 1, 'says "hi"')]
    assert read.annotators == ("Ana", "Ben", "Cleo")
    assert "skipped: 1 selections without Species" in notes(read)
    assert 'skipped: 1 columns of numbers, which are probably measurements (e.g. "SNR")' in notes(read)


def test_different_rows_with_the_same_number_are_kept(tmp_path: Path) -> None:
    """Joined tables number their selections again from 1."""
    text = HEADER + "1\tS\t1\t0.5\t1\t200\tA\n1\tS\t1\t5.5\t6\t200\tB\n"
    assert len(rows(accord.read(write(tmp_path / "x.txt", text)))) == 2


def test_column_of_annotators_in_a_table_with_commas_is_read(tmp_path: Path) -> None:
    text = 'Selection,Begin Time (s),End Time (s),Annotator,Call\n1,0.5,1,Ana,"a, b"\n2,0.5,1.5,Ben,c\n'
    read = accord.read(write(tmp_path / "x.csv", text))
    assert rows(read) == [("x", "Ana", 0.5, 1, "a, b"), ("x", "Ben", 0.5, 1.5, "c")]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1\tS\t1\tsoon\t1\t200\tA\n", "invalid-record: x.txt:2"),
        ("1\tS\t1\t0.5\n", "invalid-record: x.txt:2"),
        ("1\tS\t1\t5\t1\t200\tA\n", "end-before-start: x.txt:2"),
        ("1\tS\t1\t0\t1\t200\tA\t1\t2\n", "invalid-record: x.txt:2"),
        ("", "nothing-annotated"),
    ],
)
def test_invalid_rows_are_refused_with_their_location(tmp_path: Path, row: str, expected: str) -> None:
    with raises(expected):
        accord.read(write(tmp_path / "x.txt", HEADER + row))


def test_binary_file_is_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"Selection,Begin Time (s),\rEnd Time (s)\x00\r\n" * 3)
    assert not recognises(gather_files([tmp_path / "x.bin"])[0])


def test_selections_without_a_note_are_counted(tmp_path: Path) -> None:
    with raises("nothing-annotated"):
        accord.read(write(tmp_path / "x.txt", "Selection\tBegin Time (s)\tEnd Time (s)\n1\t0\t1\n"))


def test_real_files_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples/raven-selection-table"
    read = accord.read(folder)
    assert read.annotators == ("annotator",)
    table = [line.split("\t") for path in sorted(folder.glob("*.txt")) for line in path.read_text().splitlines()[1:]]
    assert sorted(row[2:] for row in rows(read)) == sorted((float(r[3]), float(r[4]), r[7]) for r in table)
    assert len(read.docs) == 6  # the first document was judged and has no selection
