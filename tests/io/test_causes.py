"""accord errors about damaged files keep the exception of the library as `__cause__`."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

import accord

from ..refusals import raises

WIDE = b"item,Ana,Ben\n1,a,b\n2,a,a\n3,b,b\n"


def write_invalid_workbook(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "no workbook")


def write_truncated_parquet(path: Path) -> None:
    pl.DataFrame({"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"]}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])


DAMAGED = {
    "t.xlsx": write_invalid_workbook,
    "t.parquet": write_truncated_parquet,
    "t.zip": lambda path: path.write_bytes(b"PK\3\4 and nothing"),
    "t.eaf": lambda path: path.write_bytes(b"<ANNOTATION_DOCUMENT><"),
    "t.csv": lambda path: path.write_bytes(b"item,Ana,Ben\n1,\xe4,b\n2,a,a\n"),
}


@pytest.mark.parametrize("name", list(DAMAGED))
def test_error_of_the_library_is_chained_as_the_cause(tmp_path: Path, name: str) -> None:
    DAMAGED[name](tmp_path / name)
    with pytest.raises(accord.DataError) as caught:
        accord.read(tmp_path / name)
    assert caught.value.__cause__ is not None
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text on other systems")
@pytest.mark.parametrize("suffix", ["csv", "ann"])
def test_file_name_that_is_not_utf_8_is_refused_in_a_folder(tmp_path: Path, suffix: str) -> None:
    with open(os.fsencode(tmp_path) + b"/b\xe4d." + suffix.encode(), "wb") as file:
        file.write(WIDE if suffix == "csv" else b"T1\tperson 0 3\tAna\n")
    with raises("file-name"):
        accord.read(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text on other systems")
def test_unused_file_may_have_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "d.ann").write_bytes(b"T1\tperson 0 3\tAna\n")
    (tmp_path / "d.txt").write_bytes(b"Ana")
    with open(os.fsencode(tmp_path) + b"/b\xe4d.png", "wb") as file:
        file.write(b"\x89PNG")
    assert accord.read(tmp_path).docs == ("d",)
