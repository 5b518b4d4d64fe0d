"""RTTM and STM: who speaks when, in which recording, by which annotator."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ...refusals import raises
from .samples import notes, rows


def line(rec: str, start: float, length: float, who: str, kind: str = "SPEAKER") -> str:
    return f"{kind} {rec} 1 {start} {length} <NA> <NA> {who} <NA> <NA>\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_file_per_annotator_with_several_recordings_is_read(tmp_path: Path) -> None:
    write(tmp_path / "Ana.rttm", ";; by hand\n" + line("r1", 0.5, 1, "A") + "\n" + line("r2", 0, 2.25, "B"))
    write(tmp_path / "Ben.rttm", line("r1", 0.5, 1.5, "A"))
    write(tmp_path / "all.uem", ";; parts\nr1 1 0 10\nr1 1 12 20\nr2 NA 0 5.5\nr9 1 0 4\n")
    read = accord.read(tmp_path)
    assert rows(read) == [("r1", "Ana", 0.5, 1.5, "A"), ("r1", "Ben", 0.5, 2, "A"), ("r2", "Ana", 0, 2.25, "B")]
    assert read.extents.tolist() == [[0, 20], [0, 5.5]]
    assert "each file is one annotator (Ana, Ben)" in notes(read)


@pytest.mark.parametrize("name", ["{who}/{rec}.rttm", "{rec}_{who}.rttm"])
def test_empty_file_is_a_judged_recording_without_speech(tmp_path: Path, name: str) -> None:
    for who in ("ref", "hyp"):
        for rec in ("r1", "r2"):
            text = line(rec, 1, 2, "A") if (who, rec) != ("hyp", "r2") else ""
            write(tmp_path / name.format(who=who, rec=rec), text)
    read = accord.read(tmp_path)
    assert rows(read) == [("r1", "hyp", 1, 3, "A"), ("r1", "ref", 1, 3, "A"), ("r2", "ref", 1, 3, "A")]
    assert read.judged.all()  # hyp judged r2 and found no speaker


def test_empty_file_of_an_unknown_recording_is_counted(tmp_path: Path) -> None:
    write(tmp_path / "Ana.rttm", line("r1", 1, 2, "A"))
    write(tmp_path / "Ben.rttm", "")
    assert "skipped: 1 files without stretches" in notes(accord.read(tmp_path))


def test_files_of_different_recordings_are_by_one_annotator(tmp_path: Path) -> None:
    write(tmp_path / "a.rttm", line("r1", 1, 2, "A"))
    write(tmp_path / "b.rttm", line("r2", 1, 2, "A"))
    assert accord.read(tmp_path).annotators == ("annotator",)


def test_other_line_types_are_counted_as_left_out(tmp_path: Path) -> None:
    text = (
        "SPKR-INFO r1 1 <NA> <NA> <NA> unknown A <NA> <NA>\n"
        + line("r1", 0, 4, "A")
        + line("r1", 1, 0, "A")
        + line("r1", 2, 1, "<NA>")
        + "LEXEME r1 1 0 0.5 hello lex A 0.9 <NA>\nNON-SPEECH r1 1 5 1 <NA> music <NA> <NA> <NA>\n"
    )
    found = accord.read_all(write(tmp_path / "x.rttm", text))
    assert {name: [row[2:] for row in rows(data)] for name, data in found.items()} == {
        "speaker": [(0, 4, "A")], "lexeme": [(0, 0.5, "hello")], "non-speech": [(5, 6, "music")]
    }  # fmt: skip
    assert "skipped: 1 lines that are not speech" in notes(found["speaker"])
    assert "skipped: 1 points in time" in notes(found["speaker"])
    assert "skipped: 1 stretches without a label" in notes(found["speaker"])


def test_files_without_common_speaker_names_are_noted(tmp_path: Path) -> None:
    write(tmp_path / "Ana.rttm", line("r1", 0, 1, "Mary"))
    write(tmp_path / "Ben.rttm", line("r1", 0, 1, "SPEAKER_00"))
    assert "no label occurs in two files" in notes(accord.read(tmp_path))


def test_stm_is_read(tmp_path: Path) -> None:
    text = (
        ';; CATEGORY "0" "" ""\n;; LABEL "O" "Overall" ""\n'
        "r1 A Mary 0.5 2.25 <o,f0,female> hello there\n"
        "r1 A inter_segment_gap 2.25 3 <o,f0,> ignore_time_segment_in_scoring\n"
        "r1 B John 2 4.5\n"
    )
    read = accord.read(write(tmp_path / "x.stm", text))
    assert [row[2:] for row in rows(read)] == [(0.5, 2.25, "Mary"), (2, 4.5, "John")]
    assert "skipped: 1 stretches marked as ignored" in notes(read)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.rttm", line("r1", 0, 1, "A") + "SPEAKER r1 1 3.0 0.5\n", "invalid-record: x.rttm:2"),
        ("x.rttm", line("r1", 0, 1, "A") + "\nspeech from 3 to 4\n", "invalid-record: x.rttm:3"),
        ("x.rttm", line("my rec", 0, 1, "A"), "invalid-record: x.rttm:1"),
        ("x.rttm", line("r1", 0, float("nan"), "A"), "invalid-record: x.rttm:1"),
        ("x.rttm", line("r1", 3, -1, "A"), "invalid-record: x.rttm:1"),
        ("x.stm", "r1 A Mary 0.5 2.25 hi\nr1 A Mary\n", "invalid-record: x.stm:2"),
        ("x.stm", "r1 A Mary 0.5 2.25 hi\nr1 A Mary 5 4 hi\n", "invalid-record: x.stm:2"),
        ("x.stm", "r1 A Mary 0.5 2.25 hi\nr1 A Mary 0:05 2 hi\n", "invalid-record: x.stm:2"),
    ],
)
def test_invalid_lines_are_refused_with_their_location(tmp_path: Path, name: str, text: str, expected: str) -> None:
    with raises(expected):
        accord.read(write(tmp_path / name, text))


def test_broken_uem_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "x.uem", "r1 1 0\n")
    with raises("invalid-record", "x.uem:1"):
        accord.read(write(tmp_path / "x.rttm", line("r1", 0, 1, "A")))


def test_real_files_are_read(corpora: Path) -> None:
    train = accord.read(corpora / "native-samples/rttm/pyannote/train.rttm")
    assert rows(train) == [("filename1", "train", 0.2, 0.9, "speaker_A"), ("filename2", "train", 0.2, 1.1, "speaker_B")]
    assert train.extents.tolist() == [[0, 2], [0, 2]]
    child = accord.read(corpora / "native-samples/rttm/childproject")
    assert child.annotators == ("example", "vcm", "vtc")
    lines = sum(
        len(path.read_text().strip().splitlines())
        for path in (corpora / "native-samples/rttm/childproject").glob("*.rttm")
    )
    assert len(rows(child)) == lines == 50


def test_comments_and_ignored_stretches_are_skipped(tmp_path: Path) -> None:
    write(tmp_path / "a" / "Ana.rttm", "; made by hand\n" + line("r", 0, 2, "A"))
    write(tmp_path / "a" / "Ben.rttm", ";; made by hand\n" + line("r", 0, 3, "A"))
    assert accord.read(tmp_path / "a").annotators == ("Ana", "Ben")
    write(tmp_path / "s" / "Ana.stm", "r 1 A 0.0 2.5 <o,f0,male> hello\nr 1 inter_segment_gap 2.5 3.0 <o,,>\n")
    write(tmp_path / "s" / "Ben.stm", "r 1 A 0.0 2.0 <o,f0,male> hello\n")
    data = accord.read(tmp_path / "s")
    assert tuple(data.categories) == ("A",)
    assert any("1 stretches marked as ignored" in note for note in data.notes)
