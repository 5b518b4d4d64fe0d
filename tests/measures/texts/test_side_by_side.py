"""Texts side by side: two annotators and more, in brackets and in colour."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.doors.rendering.text import render_text
from accord.measures.texts.side_by_side import SAME, Row, TextAlignments, rendered
from accord.measures.texts.text_gamma import side_by_side

from ...command_line import Cli, refused
from .made import texts_of, words
from .test_text_gamma import noisy

FIRST, SECOND, THIRD = (
    "sambt aller vin\u0304stendicheit vthgelacht /",
    "sambt aller vm\u0304stendicheit vth gelacht ya /",
    "sambt allen vin\u0304stendicheit vthgelacht ya /",
)


def three() -> accord.Texts:
    return texts_of(
        {
            "A": (FIRST, words(FIRST), ["P", "D", "N", "V", "$"]),
            "B": (SECOND, words(SECOND), ["P", "D", "N", "A", "V", "X", "$"]),
            "C": (THIRD, words(THIRD), ["P", "D", "N", "V", "Y", "$"]),
        }
    )


def aligned(texts: accord.Texts) -> TextAlignments:
    found = accord.align(texts, "text_gamma")
    assert isinstance(found, TextAlignments)
    return found


def table(rows: list[Row]) -> list[tuple[str | None, ...]]:
    return [tuple(side.text if side else None for side in row.sides.values()) for row in rows]


def test_three_texts_in_one_table() -> None:
    """A word that two versions share and the central version lacks is one row."""
    found = aligned(three())
    assert table(list(found)) == [
        ("sambt", "sambt", "sambt"),
        ("aller", "aller", "allen"),
        ("vin\u0304stendicheit", "vm\u0304stendicheit", "vin\u0304stendicheit"),
        ("vthgelacht", None, "vthgelacht"),
        (None, "vth", None),
        (None, "gelacht", None),
        (None, "ya", "ya"),
        ("/", "/", "/"),
    ]
    kinds = [row.difference for row in found]
    assert kinds == ["", "text", "text", *["segmentation"] * 3, "pos, missing", ""]
    assert found[6].cost == pytest.approx((1 + 1 + 0.5) / 3)
    assert str(found).splitlines()[3].split() == ["alle[r]", "alle[r]", "alle[n]", "text", "D"]


def test_every_token_is_in_one_row_and_in_order() -> None:
    texts = noisy(docs=4, annotators=5)
    found = aligned(texts)
    for doc, rows in found.documents.items():
        for annotator in rows[0].sides:
            mine = [(s.start, s.end) for row in rows if (s := row.sides[annotator]) is not None]
            here = texts.tokens(texts.version_of(doc, annotator))
            assert mine == list(zip(texts.start[here].tolist(), texts.end[here].tolist(), strict=True))
    columns = found.columns()
    assert list(columns) == ["doc", "row", "annotator", "text", "start", "end", "pos", "difference", "cost"]
    assert {len(values) for values in columns.values()} == {len(texts) - 4 * 40}  # without the pre-annotation
    place = zip(columns["doc"], columns["annotator"], columns["start"], columns["end"], strict=True)
    own = [texts.strings[texts.version_of(str(d), str(a))][int(str(s)) : int(str(e))] for d, a, s, e in place]
    assert columns["text"] == own


def test_costs_of_side_by_side_rows_sum_to_the_measure() -> None:
    texts = noisy(docs=3, annotators=2)
    score = accord.text_gamma(texts, interval="none", samples=2, precision=0.9)
    total = sum(part.details["disorder"] for part in score.parts["document"].values())
    assert sum(row.cost for row in aligned(texts)) == pytest.approx(total)


def test_two_of_many_annotators_align_as_alone() -> None:
    texts = noisy(docs=2, annotators=4)
    for row, other in zip(
        side_by_side(texts, "d1", "ann1", "ann3"),
        aligned(texts.only_annotators(["ann1", "ann3"])).documents["d1"],
        strict=True,
    ):
        assert row == other


def test_no_differences_is_reported() -> None:
    same = ("so it is", words("so it is"), ["a", "b", "c"])
    assert str(aligned(texts_of({"A": same, "B": same}))) == "document: A and B: no differences\n"


def test_brackets_are_kept_and_colours_have_no_width() -> None:
    first, second = "a[b] [x] \x1b[31mred y", "a[b] [z] \x1b[31mred y"
    found = aligned(texts_of({"A": (first, words(first), list("pqrs")), "B": (second, words(second), list("pqrs"))}))
    plain, coloured = render_text(found).splitlines(), render_text(found, color=True).splitlines()
    assert plain[3].split() == ["[[x]]", "[[z]]", "text", "q"]
    assert plain[4].split() == ["�[31mred", "�[31mred", "r"]
    assert coloured[3] == "[\x1b[1;31mx\x1b[0m]       [\x1b[1;31mz\x1b[0m]       text        q"
    assert coloured[2] == "a[b]      a[b]                  p"
    assert "\x1b[31mred" not in "".join(coloured)


@pytest.mark.parametrize(
    ("word", "other", "width"),
    [
        ("vin\u0304s", "vin\u0304t", 6),  # a combining mark has no width
        ("語言x", "語言y", 7),  # wide letters have width 2
        ("a\u200db", "a\u200dc", 4),
        ("a\nb", "a\nc", 5),
        ("a\u00a0b", "a\u00a0c", 5),
        ("a\u202eb", "a\u202ec", 5),
    ],
)
def test_columns_are_aligned_by_display_width(word: str, other: str, width: int) -> None:
    whole = len(word)
    texts = texts_of({"A": (word, [(0, whole)], ["p"]), "B": (other, [(0, whole)], ["p"])})
    head, line = rendered(side_by_side(texts, "document", "A", "B")).splitlines()
    assert head.index("B") == width + 2
    assert "\u202e" not in line
    assert "\n" not in line


def test_texts_with_gaps_side_by_side() -> None:
    first, second = "so, it is", "so; it is"
    spans = [(0, 2), (4, 6), (7, 9)]
    texts = texts_of({"A": (first, spans, ["x"] * 3), "B": (second, spans, ["x"] * 3)})
    found = accord.align(texts, "text_gamma(gaps=true)")
    assert table(list(found)) == [("so", "so"), (",", ";"), ("it", "it"), ("is", "is")]
    assert found[1].kinds == ("text",)
    assert found.columns()["pos"] == ["x", "x", "", "", "x", "x", "x", "x"]


def written(path: Path, texts: accord.Texts) -> Path:
    lines = ["doc,annotator,start,end,pos,text"]
    for k in range(len(texts)):
        v = int(texts.version[k])
        annotator = texts.annotators[int(texts.version_annotator[v])]
        column = texts.features["pos"]
        lines.append(
            f"{texts.docs[int(texts.version_doc[v])]},{annotator},{texts.start[k]},{texts.end[k]},"
            f"{column.categories.names[int(column.codes[k])]},{texts.strings[v]}"
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_align_and_score_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    path = written(tmp_path / "texts.csv", three())
    shown = cli("align", path, "-m", "text_gamma")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == str(aligned(three()))  # no terminal: brackets
    listed = json.loads(cli("align", path, "-m", "text_gamma", "--json").out)
    assert len(listed) == 5 + 7 + 6
    assert listed[-1] | {"cost": 0} == {
        "doc": "document", "row": 8, "annotator": "C", "text": "/", "start": 42, "end": 43, "pos": "$",
        "difference": "", "cost": 0,
    }  # fmt: skip
    two = cli("align", path, "-m", "text_gamma", "--annotators", "A,B", "--csv").out.splitlines()
    assert two[0] == (
        "doc,first,second,first_text,first_start,first_end,first_pos,second_text,second_start,second_end,second_pos,"
        "difference,cost"
    )
    assert two[1] == "document,A,B,sambt,0,5,P,sambt,0,5,P,,0.0"
    both = cli("align", path, "-m", "text_gamma", "--csv", "--json")
    assert (both.code, both.err.count("\n")) == (2, 1)
    by = cli("score", path, "-m", "text_gamma(samples=5,precision=0.5)", "--by", "lemma")
    refused(by, "[option-conflict]", "--by lemma", "use kind, category, annotator, pair, document, pos")


def test_rows_do_not_depend_on_the_order_of_names() -> None:
    """The central version is the nearest to the others, not the first one."""
    texts = three()
    renamed = texts_of(
        {
            name: (texts.strings[v], words(texts.strings[v]), labels)
            for name, v, labels in (("Z", 0, list("PDNV$")), ("Y", 1, list("PDNAVX$")), ("X", 2, list("PDNVY$")))
        }
    )
    found, other = aligned(texts), aligned(renamed)
    assert [row[::-1] for row in table(list(found))] == table(list(other))
    assert np.array([row.cost for row in found]) == pytest.approx([row.cost for row in other])
    assert {row.kinds for row in found} >= {(SAME,)}


def test_align_without_measure_shows_texts_side_by_side(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("doc,annotator,text\nd,A,the old mill\nd,B,the odd mill\n", encoding="utf-8")
    assert "o[l]d" in cli("align", path).out
