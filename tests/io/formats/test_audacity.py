"""Audacity labels: times separated by tabs, frequency lines, and similar files."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.data.io.formats.audacity import recognises
from accord.data.io.formats.files import gather_files

from ...refusals import raises
from .samples import notes, rows


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_files_are_annotators(tmp_path: Path) -> None:
    write(tmp_path / "Ana.txt", "0.000000\t1.500000\tcall\n\\\t200.000000\t900.000000\n2.000000\t2.000000\tclick\n")
    write(tmp_path / "Ben.txt", "0,250000\t1,500000\tcall \r\n3,000000\t4,000000\t\r\n5,000000\t6,000000\ta\tb\r\n")
    write(tmp_path / "Cleo.txt", "")
    read = accord.read(tmp_path)
    assert rows(read) == [
        ("document", "Ana", 0, 1.5, "call"), ("document", "Ben", 0.25, 1.5, "call"), ("document", "Ben", 5, 6, "a\tb")
    ]  # fmt: skip
    assert read.annotators == ("Ana", "Ben", "Cleo")
    assert read.judged.all()
    assert "skipped: 1 points in time, which have no length" in notes(read)
    assert "skipped: 1 labels without a text" in notes(read)


def test_folders_are_annotators_of_numbered_recordings(tmp_path: Path) -> None:
    for who in ("Ana", "Ben"):
        for rec in (1, 2):
            write(tmp_path / who / f"rec{rec}.txt", "0.5\t1.5\tcall\n")
    assert [row[:2] for row in rows(accord.read(tmp_path))] == [
        ("rec1", "Ana"), ("rec1", "Ben"), ("rec2", "Ana"), ("rec2", "Ben")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_audacity"),
    [
        ("0.5\t1.5\tcall\n", True),
        ("0\t1.5\tcall\n2\t3\tcall\n", True),
        ("1.000000\t1.000000\t3\n2.000000\t4.000000\t1\n", True),  # labels that are numbers
        ("1.5\t2.5\t3\n1\t2\t4\n", False),  # scores of three raters
        ("3.5\t4.0\n1.5\t2.0\n", False),
        ("1\t2\tyes\n3\t4\tno\n", False),
        ("item\tA\tB\n1\t0.5\t0.7\n", False),
        ("2.5\t1.5\tcall\n", False),
        ("0.0\tSilence\n0.39\tIntro\n", False),
        ("", False),
    ],
)
def test_tables_of_numbers_are_not_claimed(tmp_path: Path, text: str, is_audacity: bool) -> None:
    assert recognises(gather_files([write(tmp_path / "x.txt", text)])[0]) is is_audacity
    assert not recognises(gather_files([write(tmp_path / "x.csv", text)])[0])


def test_invalid_lines_are_refused_with_their_location(tmp_path: Path) -> None:
    many = "".join(f"{k}.000000\t{k}.500000\tx\n" for k in range(300))
    with raises("invalid-record", "a.txt:301"):
        accord.read(write(tmp_path / "a.txt", many + "soon\t302.5\tx\n"))
    with raises("invalid-record", "a.txt:1"):
        accord.read(write(tmp_path / "a.txt", "soon\t2.5\tx\n"), format="audacity")
    write(tmp_path / "a.txt", "0.5\t1.5\tcall\n")
    write(tmp_path / "b.txt", "half\t1.5\tcall\n0.5\t1.5\tcall\n")
    assert 'skipped: 1 files that are not Audacity labels (e.g. "' in notes(accord.read(tmp_path))


def test_real_files_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples/audacity-labels"
    read = accord.read(folder)
    assert read.annotators == ("annotator",)  # numbered recordings are documents
    assert len(read.docs) == 10
    first = next(path for path in sorted(folder.glob("*.txt")))
    lines = [line.split("\t") for line in first.read_text().splitlines() if line.strip()]
    assert [row[2:] for row in rows(accord.read(first))] == [(float(a), float(b), c) for a, b, c in lines]


def test_salami_annotations_are_refused(corpora: Path) -> None:
    """SALAMI lines have a time and a label but no end, so accord refuses them."""
    files = sorted((corpora / "salami/native").rglob("*.txt"))
    assert files
    for path in [*files, corpora / "salami/native", corpora / "salami/native/14"]:
        with raises("format-unknown"):
            accord.read_all(path)


def test_consecutive_whole_numbers_are_times(tmp_path: Path) -> None:
    write(tmp_path / "rec1_anna.txt", "1\t3\tspeech\n3\t7\tmusic\n8\t9\tspeech\n")
    write(tmp_path / "rec1_ben.txt", "1\t3\tspeech\n4\t9\tmusic\n")  # on its own, this file has too few lines
    read = accord.read(tmp_path)
    assert (read.annotators, len(read)) == (("anna", "ben"), 5)


def test_ambiguous_whole_numbers_need_an_option(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", "1\t3\tx\n2\t7\ty\n3\t9\tx\n4\t4\ty\n5\t6\tx\n6\t6\ty\n7\t7\ty\n")
    with raises("format-ambiguous", "--format", "--no-header"):
        accord.read(path)
    assert len(accord.read(path, format="audacity")) == 4  # points have no length
    with raises("roles-unclear", '"column 1"'):
        accord.read(path, no_header=True)
