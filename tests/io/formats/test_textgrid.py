"""Praat TextGrid: long and short forms, encodings, points, quotes, annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import accord

from ...cases import for_each
from ...refusals import raises
from .samples import every_cut, notes, rows

Marked = Sequence[tuple[float, float, str]]
LONG, SHORT = "long", "short"


def textgrid(form: str, *tiers: tuple[str, Marked], points: Marked = (), end: float = 9) -> str:
    """Build a TextGrid as Praat writes it, with a last tier of points if any are given."""
    kinds = [("IntervalTier", name, marked) for name, marked in tiers]
    kinds += [("TextTier", "tones", points)] if points else []
    short = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", f"{end}", "<exists>", str(len(kinds))]
    long = [*short[:3], "xmin = 0 ", f"xmax = {end} ", "tiers? <exists> ", f"size = {len(kinds)} ", "item []: "]
    for k, (kind, name, marked) in enumerate(kinds, 1):
        part = "intervals" if kind == "IntervalTier" else "points"
        short += [f'"{kind}"', f'"{name}"', "0", f"{end}", str(len(marked))]
        long += [f"    item [{k}]:", f'        class = "{kind}" ', f'        name = "{name}" ', "        xmin = 0 "]
        long += [f"        xmax = {end} ", f"        {part}: size = {len(marked)} "]
        for j, (start, stop, label) in enumerate(marked, 1):
            quoted = label.replace('"', '""')
            times = [("xmin", start), ("xmax", stop)] if kind == "IntervalTier" else [("number", start)]
            short += [*(str(time) for _, time in times), f'"{quoted}"']
            long += [f"        {part} [{j}]:", *(f"            {what} = {time} " for what, time in times)]
            long += [f'            {"text" if kind == "IntervalTier" else "mark"} = "{quoted}" ']
    return "\n".join(short if form == SHORT else long) + "\n"


GAZE = ("gaze", [(0, 1.5, ""), (1.5, 2.25, 'say "left", 2'), (2.25, 4, " two\nlines "), (4, 9, "5e-05")])
EXPECTED = [(1.5, 2.25, 'say "left", 2'), (2.25, 4, "two lines"), (4, 9, "5e-05")]


@pytest.mark.parametrize("form", [LONG, SHORT])
@for_each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@for_each("ends", ["\n", "\r\n", "\r"])
def test_every_form_and_encoding_is_read(tmp_path: Path, form: str, encoding: str, ends: str) -> None:
    text = textgrid(form, GAZE, ("é", [(0, 9, "ŋ")]), points=[(3, 3, "H*")]).replace("\n", ends)
    path = tmp_path / "s1.TextGrid"
    path.write_bytes(text.encode(encoding))
    found = accord.read_all(path)
    assert [row[2:] for row in rows(found["gaze"])] == EXPECTED
    assert rows(found["é"]) == [("s1", "s1", 0, 9, "ŋ")]
    assert 'skipped: 1 points in time, which have no length (e.g. "H* at' in notes(found["gaze"])
    assert found["gaze"].extents.tolist() == [[0, 9]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", [LONG, SHORT])
def test_files_and_folders_are_annotators(tmp_path: Path, form: str) -> None:
    for who, end in (("Ana", 2.5), ("Ben", 2.0)):
        (tmp_path / who).mkdir()
        for rec in ("d1", "d2"):
            (tmp_path / who / f"{rec}.TextGrid").write_text(textgrid(form, ("x", [(1, end, "a")])), encoding="utf-8")
    (tmp_path / "Ben" / "d2.TextGrid").write_text(textgrid(form, ("x", [(0, 9, "")])), encoding="utf-8")
    read = accord.read(tmp_path)
    assert rows(read) == [("d1", "Ana", 1, 2.5, "a"), ("d1", "Ben", 1, 2, "a"), ("d2", "Ana", 1, 2.5, "a")]
    assert read.judged.all()  # Ben judged d2 and marked nothing
    assert accord.read(tmp_path, names="{annotator}/{doc}").digest == read.digest


def test_tiers_of_one_name_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "s1.TextGrid"
    path.write_text(textgrid(LONG, (" Mary", [(0, 1, "a")]), ("Mary ", [(0, 1, "b")])), encoding="utf-8")
    assert list(accord.read_all(path)) == ["Mary 1", "Mary 2"]


@pytest.mark.parametrize("form", [LONG, SHORT])
def test_truncated_file_is_refused(tmp_path: Path, form: str) -> None:
    path, cut = tmp_path / "s1.TextGrid", tmp_path / "cut.TextGrid"
    path.write_text(textgrid(form, GAZE, ("y", [(1, 2, "z")])), encoding="utf-8")
    whole = path.read_text().rstrip()
    for part in every_cut(path)[60:]:
        if part.rstrip() == whole.encode():
            continue
        cut.write_bytes(part)
        with raises("file-damaged"):
            accord.read_all(cut)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"IntervalTier"', '"Pitch"', "invalid-record: s1.TextGrid:9"),
        ("4\n9\n", "4\nnine\n", "file-damaged"),
        ("<exists>\n1", "<exists>\n-1", "file-damaged: s1.TextGrid:7"),
        ("9\n4\n", "9\n4.5\n", "file-damaged: s1.TextGrid:12"),
        ("File type", '"Praat chronological TextGrid text file"\nFile type', "export-not-usable"),
    ],
)
def test_damaged_files_are_refused_with_their_location(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path, text = tmp_path / "s1.TextGrid", textgrid(SHORT, GAZE)
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with raises(expected):
        accord.read_all(path)


def test_file_without_tiers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s1.TextGrid"
    path.write_text(textgrid(SHORT).replace("<exists>\n0", "<absent>"), encoding="utf-8")
    with raises("nothing-annotated"):
        accord.read(path)


def test_real_files_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples/textgrid/praatio"
    forms = [accord.read_all(folder / f"mary{form}.TextGrid") for form in ("", "_longfile", "_with_negative_zero")]
    assert [[row[2:] for row in rows(one["word"])] for one in forms[1:]] == [
        [r[2:] for r in rows(forms[0]["word"])]
    ] * 2
    assert len(rows(forms[0]["phone"])) == 14
    three = accord.read(corpora / "native-samples/pygamma-csv/MaureenMarvinRobin.TextGrid", annotators_in="tiers")
    assert [row[1:] for row in rows(three)] == [
        ("Marvin", 2.4006878098886597, 3.42238917973842, "S"),
        ("Maureen", 1.00589324318365, 1.8955770203000142, "S"),
        ("Maureen", 3.7380834232313234, 4.926241757831887, "S"),
        ("Robin", 5.293595059350902, 5.781486162930843, "S"),
    ]
    bare = accord.read_all(corpora / "native-samples/pygamma-csv/MaureenMarvinRobin.TextGrid")
    assert list(bare) == [
        "Maureen",
        "Marvin",
        "Robin",
    ]  # the tiers share no labels, like speakers, so they are not compared


def test_intervals_equal_those_of_praatio(corpora: Path) -> None:
    textgrids = pytest.importorskip("praatio.textgrid")
    compared = 0
    for path in sorted((corpora / "native-samples/textgrid").rglob("*.TextGrid")):
        if path.name == "all_tiers_have_the_same_name.TextGrid":
            continue  # praatio refuses it
        theirs = textgrids.openTextgrid(str(path), includeEmptyIntervals=False)
        ours = {name.strip(): data for name, data in accord.read_all(path, annotators_in="files").items()}
        for tier in theirs.tiers:
            if isinstance(tier, textgrids.IntervalTier) and any(entry.label.strip() for entry in tier.entries):
                assert [row[2:] for row in rows(ours[tier.name.strip()])] == [
                    (entry.start, entry.end, " ".join(entry.label.split())) for entry in tier.entries
                ]
                compared += len(tier.entries)
    assert compared > 400


@pytest.mark.parametrize("places", [("all/Ana", "all/Ben", "late/Cleo"), ("Ana", "Ben")])
def test_several_folders_share_documents_if_their_files_differ(tmp_path: Path, places: tuple[str, ...]) -> None:
    """Given folders are annotators only if they contain files of the same names."""
    for place in places:
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "d1.TextGrid").write_text(textgrid(LONG, ("x", [(1, 2, "a")])), encoding="utf-8")
    data = accord.read(list(dict.fromkeys(tmp_path / Path(place).parts[0] for place in places)))
    assert (list(data.names), data.annotators) == (["d1"], tuple(Path(place).name for place in places))
