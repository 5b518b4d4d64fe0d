"""A .csv file that cannot belong to an annotation tool is read without importing the readers of their formats."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accord.data.io.formats.catalogue import format_of
from accord.data.io.formats.files import gather_files
from accord.data.io.tables.sources import is_plain_csv

HERE = Path(__file__).parents[2]
SAMPLES = [path for path in (HERE / "tests" / "data" / "formats").rglob("*") if path.is_file()]
TABLE = "item,annotator,label\n1,Ana,a\n1,Ben,b\n2,Ana,a\n2,Ben,a\n"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_files_of_known_formats_are_not_plain_tables(sample: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "sample.csv"
    renamed.write_bytes(sample.read_bytes())
    assert format_of(gather_files([renamed])[0]) is None or not is_plain_csv(renamed)


@pytest.mark.parametrize(
    "text", ["", "\n", "1.5,word\n2.5,word\n", '{"a": 1}\n', "<a/>\n", "# x\n", "S a b\n", "PK,b\n"]
)
def test_ambiguous_files_are_not_plain_tables(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    assert not is_plain_csv(tmp_path / "t.csv")


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_another_encoding_is_not_taken_as_a_plain_table(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE.replace("a\n", "ä\n"), encoding=encoding)
    assert not is_plain_csv(tmp_path / "t.csv")


def test_reading_a_plain_table_imports_no_reader_of_a_format(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    code = "import accord, sys; accord.read(sys.argv[1]); print(*sorted(sys.modules))"
    run = [sys.executable, "-c", code, str(tmp_path / "t.csv")]
    imported = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
    modules = [name.removeprefix("accord.data.io.") for name in imported if name.startswith("accord.data.io.")]
    assert "tables.ratings" in modules
    assert not [name for name in modules if name.startswith("formats.")]
    assert not {"tables.excel", "tables.spss", "tables.records"} & set(modules)
