"""SPSS files."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accord

from ..refusals import raises

LEVELS = {1: "low", 2: "mid", 3: "high", 9: "refused"}
WIDE = {"item": [1, 2, 3, 4, 5], "Ana": [1.0, 2, 9, 1, 3], "Ben": [1.0, 2, 2, 2, None]}


def sav(path: Path, columns: dict[str, Any], **about: Any) -> Path:
    written = pytest.importorskip("pyreadstat", reason="pyreadstat is not installed (pip install 'accord[spss]')")
    written.write_sav(pd.DataFrame(columns), str(path), **about)
    return path


def test_value_labels_are_categories_in_order_of_their_codes(tmp_path: Path) -> None:
    labels = {"Ana": LEVELS, "Ben": LEVELS}
    path = sav(tmp_path / "t.sav", WIDE, variable_value_labels=labels, missing_ranges={"Ana": [9], "Ben": [9]})
    read = accord.read(path)
    assert read.categories.names == ("low", "mid", "high")  # not high, low, mid
    assert read.n_ratings == 8
    assert any("1 value declared missing in the file" in note for note in read.notes)
    plain = {"item": WIDE["item"], "Ana": [1, 2, None, 1, 3], "Ben": [1, 2, 2, 2, None]}
    for distance in ("nominal", "ordinal"):
        assert accord.alpha(read, distance=distance).value == accord.alpha(plain, distance=distance).value


def test_unused_value_label_is_a_declared_category(tmp_path: Path) -> None:
    labels = {"Ana": {**LEVELS, 4: "top"}, "Ben": {**LEVELS, 4: "top"}}
    path = sav(tmp_path / "t.sav", WIDE, variable_value_labels=labels, missing_ranges={"Ana": [9], "Ben": [9]})
    assert accord.read(path).categories.names == ("low", "mid", "high", "top")
    assert accord.read(path, categories=["high", "mid", "low"]).categories.names == ("high", "mid", "low")


def test_columns_with_different_value_labels_use_their_own(tmp_path: Path) -> None:
    labels = {"Ana": {1: "low", 2: "mid", 3: "high"}, "Ben": {1: "high", 2: "mid", 3: "low"}}
    read = accord.read(sav(tmp_path / "t.sav", {**WIDE, "Ana": [1.0, 2, 2, 1, 3]}, variable_value_labels=labels))
    assert [row[2] for row in read.rows()[1] if str(row[0]) == "1"] == ["low", "high"]
    assert any("give the order of the categories" in note for note in read.notes)


def test_each_variable_of_a_long_table_has_its_own_value_labels(tmp_path: Path) -> None:
    columns = {"item": [1, 1, 2, 2], "coder": ["A", "B", "A", "B"], "tone": [1, 2, 2, 2], "topic": [1, 1, 2, 1]}
    labels = {"tone": {1: "warm", 2: "cold"}, "topic": {1: "zoo", 2: "art"}}
    read = accord.read_all(sav(tmp_path / "t.sav", columns, variable_value_labels=labels))
    assert {name: data.category_sets[name].names for name, data in read.items()} == {
        "tone": ("warm", "cold"),
        "topic": ("zoo", "art"),
    }


def test_scale_with_labels_only_at_its_ends_keeps_numbers(tmp_path: Path) -> None:
    labels = {"Ana": {1: "low", 3: "high"}, "Ben": {1: "low", 3: "high"}}
    columns = {**WIDE, "Ana": [1.0, 2, 2, 1, 3]}
    read = accord.read(sav(tmp_path / "t.sav", columns, variable_value_labels=labels))
    assert read.categories.names == ("1", "2", "3")
    assert any("values are kept as numbers" in note for note in read.notes)


def test_declared_missing_ranges_are_missing(tmp_path: Path) -> None:
    columns = {"item": [1, 2, 3], "Ana": [1.0, -95, 2], "Ben": [1.0, 1, -99]}
    ranges = {name: [{"lo": -99, "hi": -90}] for name in ("Ana", "Ben")}
    read = accord.read(sav(tmp_path / "t.sav", columns, missing_ranges=ranges))
    assert (read.n_ratings, read.categories.names) == (4, ("1", "2"))


def test_file_that_is_not_spss_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat", reason="pyreadstat is not installed (pip install 'accord[spss]')")
    path = tmp_path / "t.sav"
    path.write_text("item,Ana,Ben\n1,a,b\n")
    with raises("file-damaged"):
        accord.read(path)


def test_missing_pyreadstat_is_named_with_its_install_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    path = tmp_path / "t.sav"
    path.write_bytes(b"$FL2")
    with raises("missing-package"):
        accord.read(path)


@pytest.mark.parametrize("compress", [False, True])
def test_file_that_claims_too_many_rows_is_refused(tmp_path: Path, compress: bool) -> None:
    """Without this check, a file of a kilobyte makes the library allocate gigabytes for 218 million rows."""
    path = sav(tmp_path / "forged.sav", WIDE, row_compress=compress)
    content = bytearray(path.read_bytes())
    assert struct.unpack("<i", content[80:84]) == (5,)
    content[80:84] = struct.pack("<i", 218_103_820)
    path.write_bytes(content)
    with raises("file-damaged"):
        accord.read(path)


def test_column_that_claims_too_many_bytes_is_refused(tmp_path: Path) -> None:
    """The library reports a lack of memory for the excessive width; older versions fail earlier."""
    path = sav(tmp_path / "forged.sav", WIDE)
    content = bytearray(path.read_bytes())
    content[180:184] = struct.pack("<i", 200_000_000)  # the width of the first column
    path.write_bytes(content)
    with raises("file-damaged"):
        accord.read(path)


@pytest.mark.slow
def test_many_compressed_rows_are_read(tmp_path: Path) -> None:
    many = {"item": list(range(50_000)), "Ana": [1.0] * 50_000, "Ben": [1.0] * 50_000}
    for how in ({"row_compress": True}, {"compress": True}):
        assert accord.read(sav(tmp_path / "many.sav", many, **how)).n_items == 50_000
