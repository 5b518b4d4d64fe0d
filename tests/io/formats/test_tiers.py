"""Annotators of time-aligned files come from tiers, names or an option; accord never guesses them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import accord

from ...refusals import raises
from .samples import rows

Tier = tuple[str, Sequence[tuple[float, float, str]]]


def write(path: Path, tiers: Sequence[Tier], end: float = 10) -> Path:
    """Write a TextGrid in the short form."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", str(end), "<exists>", str(len(tiers))]
    for name, marked in tiers:
        lines += ['"IntervalTier"', f'"{name}"', "0", str(end), str(len(marked))]
        for start, stop, label in marked:
            lines += [str(start), str(stop), f'"{label}"']
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


SPEECH = [(0, 4, "speech"), (5, 9, "speech")]
ALMOST = [(0.5, 4, "speech"), (5, 8, "speech")]


def test_overlapping_speakers_are_annotators_only_by_option(tmp_path: Path) -> None:
    """The file does not distinguish them from two annotators."""
    path = write(tmp_path / "talk.TextGrid", [("Ana", SPEECH), ("Ben", ALMOST)])
    with raises("format-ambiguous", '"Ana"', '"Ben"', "--annotators-in"):
        accord.read_all(path)
    read = accord.read(path, annotators_in="tiers")
    assert read.annotators == ("Ana", "Ben")
    assert rows(read)[0] == ("talk", "Ana", 0, 4, "speech")
    one = accord.read_all(path, annotators_in="files")
    assert {name: data.annotators for name, data in one.items()} == {"Ana": ("talk",), "Ben": ("talk",)}


def test_tiers_with_little_agreement_are_not_compared_as_annotators(tmp_path: Path) -> None:
    path = write(tmp_path / "talk.TextGrid", [("Ana", [(0, 2, "x")]), ("Ben", [(5, 9, "x")])])
    found = accord.read_all(path)
    assert list(found) == ["Ana", "Ben"]
    assert any("if tiers are annotators, use --annotators-in tiers" in note for note in found["Ana"].notes)


def test_tiers_named_coder_are_annotators(tmp_path: Path) -> None:
    path = write(tmp_path / "r1.TextGrid", [("coder 1", SPEECH), ("coder 2", [])])
    read = accord.read(path)
    assert read.annotators == ("coder 1", "coder 2")
    assert read.judged.all()
    assert any(note.startswith("tiers are annotators: coder 1, coder 2") for note in read.notes)


def test_tier_names_give_variables_and_annotators(tmp_path: Path) -> None:
    """Gaze and gestures of one annotator are never compared with each other."""
    tiers = [(f"{what}_coder{k}", SPEECH) for what in ("gaze", "hand") for k in (1, 2)]
    found = accord.read_all(write(tmp_path / "r1.TextGrid", tiers))
    assert {name: data.annotators for name, data in found.items()} == {
        "gaze": ("coder1", "coder2"),
        "hand": ("coder1", "coder2"),
    }
    tiers = [(f"{what}-{who}", SPEECH) for what in ("gaze", "hand") for who in ("Ana", "Ben")]
    found = accord.read_all(write(tmp_path / "r2.TextGrid", tiers), annotators_in="tiers")
    assert {name: data.annotators for name, data in found.items()} == {"gaze": ("Ana", "Ben"), "hand": ("Ana", "Ben")}


def test_files_of_the_same_recording_are_annotators_and_tiers_their_variables(tmp_path: Path) -> None:
    for who, speech in (("AB", SPEECH), ("CD", ALMOST)):
        for rec in ("rec01", "rec02"):
            write(tmp_path / f"{rec}_{who}.TextGrid", [("speech", speech), ("left", SPEECH), ("right", SPEECH)])
    found = accord.read_all(tmp_path)
    assert list(found) == ["speech", "left", "right"]
    assert rows(found["speech"]) == [
        ("rec01", "AB", 0, 4, "speech"), ("rec01", "AB", 5, 9, "speech"),
        ("rec01", "CD", 0.5, 4, "speech"), ("rec01", "CD", 5, 8, "speech"),
        ("rec02", "AB", 0, 4, "speech"), ("rec02", "AB", 5, 9, "speech"),
        ("rec02", "CD", 0.5, 4, "speech"), ("rec02", "CD", 5, 8, "speech"),
    ]  # fmt: skip
    assert found["speech"].extents.tolist() == [[0, 10], [0, 10]]  # type: ignore[attr-defined]


def test_files_without_common_units_need_an_option(tmp_path: Path) -> None:
    """Names like forest and meadow may denote annotators or places."""
    write(tmp_path / "forest.TextGrid", [("bird", [(0, 2, "robin"), (3, 4, "wren")])])
    write(tmp_path / "meadow.TextGrid", [("bird", [(5, 6, "lark"), (7, 8, "robin")])])
    with raises("format-ambiguous"):
        accord.read(tmp_path)
    assert accord.read(tmp_path, annotators_in="files").annotators == ("forest", "meadow")


def test_numbered_clips_of_equal_length_are_documents(tmp_path: Path) -> None:
    for k in (1, 2):
        write(tmp_path / f"clip_{k}.TextGrid", [("bird", SPEECH)])
    read = accord.read(tmp_path)
    assert read.annotators == ("annotator",)
    assert any("each file is a document by one annotator" in note for note in read.notes)


def test_files_of_tiers_are_documents_by_their_whole_path(tmp_path: Path) -> None:
    for folder in ("s1", "s2"):
        write(tmp_path / folder / "a.TextGrid", [("coder1", SPEECH), ("coder2", ALMOST)])
    assert sorted({row[0] for row in rows(accord.read(tmp_path))}) == ["s1/a", "s2/a"]


def test_interval_with_end_before_start_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "r.TextGrid", [("x", [(4, 3, "a")])])
    with raises("end-before-start", "r.TextGrid:15", '"a"'):
        accord.read(path)
