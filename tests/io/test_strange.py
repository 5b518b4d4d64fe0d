"""Errors about files that are not tables do not suggest a separator or an encoding."""

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
def test_binary_file_among_tables_is_refused_as_unknown_format(tmp_path: Path, content: bytes, suffix: str) -> None:
    (tmp_path / "good.csv").write_text("item,Ana,Ben\n1,a,b\n2,b,b\n")
    (tmp_path / f"bad{suffix}").write_bytes(content)
    with raises("format-unknown") as caught:
        accord.read(tmp_path)
    assert "--encoding" not in str(caught.value)
    assert "separator" not in str(caught.value)


def test_utf_16_and_utf_32_are_not_binary_files(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (tmp_path / "t.csv").write_text("item,Ana,Ben\n1,a,b\n2,b,b\n", encoding=encoding)
        assert accord.read(tmp_path / "t.csv").annotators == ("Ana", "Ben")


def test_json_from_a_pipe_is_refused(cli: Cli) -> None:
    got = cli("score", "-", stdin=b'[{"item": 1, "annotator": "A", "label": "x"}]')
    assert got.code == 2
    assert "cannot read JSON from a pipe" in got.err


@pytest.mark.slow
def test_reading_time_is_linear_in_the_number_of_columns(tmp_path: Path) -> None:
    """Measure processor time, because the machine may be busy. Quadratic time would take ten times as long."""
    columns = range(10_000)
    row = ",".join("ab"[k % 2] for k in columns)
    (tmp_path / "t.csv").write_text(f"item,{','.join(f'c{k}' for k in columns)}\n" + f"1,{row}\n2,{row}\n")
    began = time.process_time()
    assert len(accord.read(tmp_path / "t.csv").annotators) == len(columns)
    assert time.process_time() - began < 5


def test_temporary_copies_are_deleted_after_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
