"""Files, sheets and annotators whose names mean agreed or predicted labels are left out, with a note."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ..refusals import raises

ANA, BEN, GOLD = "xyxyxxyy", "xyyyxxyx", "xyxyxxyx"
# 8 items, 6 agreements; x 8 and y 8 of 16 labels: D_o = 2/8, D_e = 2·8·8/(16·15) = 8/15, α = 1 − 15/32
ALPHA = 17 / 32


def write_coders(folder: Path, **labels: str) -> Path:
    folder.mkdir()
    for name, given in labels.items():
        rows = [{"id": k, "label": label} for k, label in enumerate(given)]
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def write_tables(folder: Path, **labels: str) -> Path:
    folder.mkdir()
    for name, given in labels.items():
        (folder / f"{name}.csv").write_text(
            "id,label\n" + "".join(f"{k},{label}\n" for k, label in enumerate(given)), encoding="utf-8"
        )
    return folder


def alpha(data: Any, **how: Any) -> float:
    return float(accord.alpha(data, interval="none", **how).value)


@pytest.mark.parametrize(
    "name",
    ["gold", "final", "adjudicated", "majority_vote", "ground_truth", "curated", "consensus", "merged", "reference",
     "predictions", "gold_labels"],
)  # fmt: skip
@pytest.mark.parametrize("writer", [write_coders, write_tables])
def test_files_of_agreed_or_predicted_labels_are_left_out(tmp_path: Path, name: str, writer: Any) -> None:
    folder = writer(tmp_path / "d", ana=ANA, ben=BEN, **{name: GOLD})
    with pytest.warns(accord.ReadingWarning, match=f"agreed or predicted labels.*{name}.*annotators"):
        read = accord.read(folder)
    assert read.present == ("ana", "ben")
    assert alpha(read) == pytest.approx(ALPHA)
    every = accord.read(folder, annotators=("ana", "ben", name))
    assert set(every.present) == {"ana", "ben", name}


def test_one_annotator_beside_gold_is_refused(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "d", ana=ANA, gold=GOLD)
    with raises("annotators-needed", "--annotators", "ana,gold"):
        accord.read(folder)
    assert accord.read(folder, annotators=("ana", "gold")).n_annotators == 2


def test_gold_in_every_name_is_no_gold_standard(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "d", gold_ana=ANA, gold_ben=BEN)
    assert accord.read(folder).present == ("gold_ana", "gold_ben")


def test_gold_among_values_of_annotators_is_left_out() -> None:
    rows = [
        {"item": k, "annotator": who, "label": label}
        for who, given in (("ana", ANA), ("ben", BEN), ("gold", GOLD))
        for k, label in enumerate(given)
    ]
    with pytest.warns(accord.ReadingWarning, match="gold"):
        read = accord.read(rows)
    assert alpha(read) == pytest.approx(ALPHA)


def test_gold_in_lists_of_objects_is_left_out(tmp_path: Path) -> None:
    items = [
        {"id": k, "annotations": [{"annotator": who, "label": given[k]} for who, given in
                                  (("gold", GOLD), ("ana", ANA), ("ben", BEN))]}
        for k in range(len(ANA))
    ]  # fmt: skip
    path = tmp_path / "d.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match="gold"):
        assert alpha(path) == pytest.approx(ALPHA)


def test_sheet_of_final_labels_is_left_out(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, given in (("Ana", ANA), ("Ben", BEN), ("Final", GOLD)):
        sheet = book.create_sheet(name)
        sheet.append(["id", "label"])
        for k, label in enumerate(given):
            sheet.append([k, label])
    book.save(tmp_path / "c.xlsx")
    with pytest.warns(accord.ReadingWarning, match="Final"):
        assert alpha(tmp_path / "c.xlsx") == pytest.approx(ALPHA)
