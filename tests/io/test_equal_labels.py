"""Labels that are spelled differently: numbers of equal value are one label, other differences are noted or refused.

Ana and Ben agree on 6 of 8 items; n = 16, 8 of each label: D_o = 2/8, D_e = 2·8·8/(16·15), α = 1 − 15/32.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ..refusals import raises

ANA, BEN, ALPHA = "01010011", "01110010", 17 / 32
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def alpha(data: Any, **how: Any) -> float:
    return float(accord.alpha(data, distance="nominal", interval="none", **how).value)


def files(folder: Path, ana: dict[str, str], ben: dict[str, str]) -> Path:
    """Write a file per annotator, with these spellings of 0 and 1."""
    folder.mkdir()
    for name, given, spelled in (("ana", ANA, ana), ("ben", BEN, ben)):
        rows = "".join(f"{k},{spelled[label]}\n" for k, label in enumerate(given))
        (folder / f"{name}.csv").write_text("id,label\n" + rows, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("ana", "ben"),
    [(("0", "1"), ("0.0", "1.0")), (("0", "1"), ("00", "01")), (("1.5", "2.5"), ("1.50", "2.50")),
     (("TRUE", "FALSE"), ("True", "False")), (("true", "false"), ("True", "False"))],
)  # fmt: skip
def test_equal_values_in_files_are_one_label(tmp_path: Path, ana: tuple[str, str], ben: tuple[str, str]) -> None:
    folder = files(tmp_path / "d", dict(zip("01", ana, strict=True)), dict(zip("01", ben, strict=True)))
    read = accord.read(folder)
    assert alpha(read) == pytest.approx(ALPHA)
    assert len(read.categories) == 2
    assert any("labels read as the same" in note for note in read.notes)


def test_equal_numbers_in_columns_are_one_label(tmp_path: Path) -> None:
    rows = [f"{k},{a},{b}.0" for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))]
    (tmp_path / "d.csv").write_text("\n".join(["id,annotator1,annotator2", *rows]) + "\n", encoding="utf-8")
    assert alpha(tmp_path / "d.csv") == pytest.approx(ALPHA)


def test_numbers_and_texts_of_json_are_one_label(tmp_path: Path) -> None:
    items = {f"i{k}": {"ann_a": int(a), "ann_b": b} for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))}
    (tmp_path / "d.json").write_text(json.dumps(items), encoding="utf-8")
    assert alpha(tmp_path / "d.json") == pytest.approx(ALPHA)


def test_codes_with_zeros_at_the_end_are_not_numbers() -> None:
    """An annotator uses 1.1 and 1.10, so these are two codes."""
    read = accord.read({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["1.1", "1.10", "1.10", "1.10"]})
    assert len(read.categories) == 2


@pytest.mark.parametrize(
    ("spelled", "fold"), [(("YES", "NO"), "case"), (("yes ", "no "), "space"), (("Yes", "No"), "case")]
)
def test_annotators_who_never_spell_alike_are_refused(tmp_path: Path, spelled: tuple[str, str], fold: str) -> None:
    folder = files(tmp_path / "d", {"0": "yes", "1": "no"}, dict(zip("01", spelled, strict=True)))
    with raises("invalid-label", "ana", "ben", "never agree", f"--fold {fold}"):
        accord.read(folder)
    assert alpha(folder, fold=fold) == pytest.approx(ALPHA)


def test_some_labels_in_another_case_are_noted(tmp_path: Path) -> None:
    folder = files(tmp_path / "d", {"0": "yes", "1": "no"}, {"0": "yes", "1": "No"})
    with pytest.warns(accord.ReadingWarning, match="counted as different; use --fold"):
        accord.read(folder)
