"""Files that are no tables are not answered with a separator or an encoding."""

from __future__ import annotations

import tempfile
import time
import zipfile
from pathlib import Path

import pytest

import accord

from ..command_line import Cli
from ..refusals import raises


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, b"MZ\x90\0\x03\0\0\0" * 99])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt"])
def test_binary_files_among_tables(tmp_path: Path, content: bytes, suffix: str) -> None:
    (tmp_path / "good.csv").write_text("item,Ana,Ben\n1,a,b\n2,b,b\n")
    (tmp_path / f"bad{suffix}").write_bytes(content)
    with raises("format-unknown") as caught:
        accord.read(tmp_path)
    assert "--encoding" not in str(caught.value)
    assert "separator" not in str(caught.value)


def test_utf_16_is_no_binary_file(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (tmp_path / "t.csv").write_text("item,Ana,Ben\n1,a,b\n2,b,b\n", encoding=encoding)
        assert accord.read(tmp_path / "t.csv").annotators == ("Ana", "Ben")


def test_json_is_not_piped_in(cli: Cli) -> None:
    got = cli("score", "-", stdin=b'[{"item": 1, "annotator": "A", "label": "x"}]')
    assert got.code == 2
    assert "cannot read JSON from a pipe" in got.err


@pytest.mark.slow
def test_thousands_of_columns_take_as_long_as_thousands_of_rows(tmp_path: Path) -> None:
    """Seconds of the processor: others may be at work. With the square of the columns it takes ten times as long."""
    columns = range(10_000)
    row = ",".join("ab"[k % 2] for k in columns)
    (tmp_path / "t.csv").write_text(f"item,{','.join(f'c{k}' for k in columns)}\n" + f"1,{row}\n2,{row}\n")
    began = time.process_time()
    assert len(accord.read(tmp_path / "t.csv").annotators) == len(columns)
    assert time.process_time() - began < 5


def test_copies_aside_are_gone_when_the_data_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    content = 'item,Ana,Ben\n1,a,"b"\n2,b,b\n'
    (tmp_path / "t.csv").write_text(content, encoding="utf-16")
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", content)
    for name in ("t.csv", "t.zip"):
        data = accord.read(tmp_path / name)
        assert data.annotators == ("Ana", "Ben")
        del data
        assert list(aside.iterdir()) == []
