"""Files that are not data are named, and the suggested command makes a table of them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accord

from ..command_line import Cli
from ..refusals import raises

TABLE = "item,Ana,Ben\n1,x,x\n2,y,x\n3,y,y\n"
FRAME = pd.read_csv(io.StringIO(TABLE))
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:a599e52030f1\nsize 60724\n"
PAGE = b"\n<!DOCTYPE html>\n<html><head><title>404:\n Not Found</title></head><body>,</body></html>\n"


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json", "t.xlsx", "t.parquet", "t.zip", "t.conll", "t.ann"])
def test_git_lfs_pointer_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(POINTER)
    with raises("format-unknown", name, "Git LFS pointer of a file of 60,724 bytes", "`git lfs pull`"):
        accord.read(tmp_path / name)


@pytest.mark.parametrize("names", [("a.csv", "b.csv"), ("Ana/d1.ann", "Ben/d1.ann"), ("Ana/t.xlsx", "Ben/t.xlsx")])
def test_git_lfs_pointer_in_a_folder_is_named(tmp_path: Path, names: tuple[str, str]) -> None:
    for name, content in zip(names, (TABLE.encode(), POINTER), strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    with raises("format-unknown", names[1], "Git LFS pointer"):
        accord.read(tmp_path)


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.xlsx", "t.zip"])
def test_web_page_is_named_with_its_title(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(PAGE)
    with raises("format-unknown", name, 'a web page ("404: Not Found")'):
        accord.read(tmp_path / name)


def test_error_message_of_a_server_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"message": "Not Found", "documentation_url": "https://example.org", "status": "404"}')
    with raises("format-unknown", "an error message of a server", '"Not Found"'):
        accord.read(path)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("n.ipynb", b'{"cells": [], "nbformat": 4}', "a Jupyter notebook"),
        ("n.json", b'{"cells": [{"cell_type": "code", "source": []}], "nbformat": 4}', "a Jupyter notebook"),
        ("run.sh", b"#!/bin/sh\necho\n", "a program"),
        ("run", b"#!/usr/bin/env python\nprint(1)\n", "a program"),
        ("t.html", b"<p>Labels</p>\n", "a web page or its style"),
        ("paper.tex", b"\\documentclass{article}\n", "a document in LaTeX"),
        ("pyproject.toml", b"[project]\nname = 'x'\n", "settings of a program"),
        (
            "x.rds",
            gzip.compress(b"X\n\0\0\0\x03" + bytes(50), mtime=0),
            'write.csv(readRDS("x.rds"), "x.csv", row.names = FALSE)',
        ),
        ("x.data", gzip.compress(b"X\n\0\0\0\x03" + bytes(50), mtime=0), "an R object"),
        ("x.RData", gzip.compress(b"RDX3\nX\n" + bytes(50), mtime=0), 'load("x.RData"); write.csv(x, "x.csv"'),
        ("m.mat", b"MATLAB 5.0 MAT-file, Platform" + bytes(200), "a file of MATLAB"),
        ("README.md", b"# Data\n\nThese are data, in files.\n", "a text about data"),
        ("README", b"These are data, in files.\n", "a text about data"),
        ("t.pdf", b"%PDF-1.4\n", "a PDF"),
        ("t.csv", b"%PDF-1.4\n", "a PDF"),
        ("t.docx", zipped(**{"word/document.xml": b"<x/>"}), "a text document"),
        ("t.png", b"\x89PNG\r\n\x1a\n" + bytes(50), "a picture"),
        ("t.wav", b"RIFF\0\0\0\0WAVE" + bytes(50), "a recording"),
        ("t.zip", zipped(), "an empty zip archive"),
        ("t.7z", b"7z\xbc\xaf\x27\x1c" + bytes(50), "7z x t.7z"),
        ("t.rar", b"Rar!\x1a\x07\0" + bytes(50), "unrar x t.rar"),
        ("t.sas7bdat", bytes(200), 'pandas.read_sas("t.sas7bdat")'),
        ("code.R", b"library(irr)\n", "a program in R"),
        ("._t.csv", b"\0\5\x16\7" + bytes(50), "metadata of macOS"),
    ],
)
def test_other_file_is_named(tmp_path: Path, cli: Cli, name: str, content: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(content)
    done = cli("read", tmp_path / name)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert f"{name}: this is " in done.err
    assert what in done.err


@pytest.mark.parametrize("name", ["t.pkl", "old.pkl", "t.npy", "t.npz", "t.dta", "t.feather"])
def test_suggested_python_code_writes_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    if name == "t.npy":
        np.save(path, FRAME.to_numpy(str)[:, 1:])
    elif name == "t.npz":
        np.savez(path, x=FRAME.to_numpy(str)[:, 1:])
    elif name == "t.dta":
        FRAME.to_stata(path, write_index=False)
    elif name == "t.feather":
        FRAME.to_feather(path)
    else:
        path.write_bytes(pickle.dumps(FRAME, 0 if name == "old.pkl" else 4))
    with raises("format-unknown") as refused:
        accord.read(name)
    found = re.search(r"in Python: (.*\))", str(refused.value))
    assert found is not None
    subprocess.run([sys.executable, "-c", f"import numpy, pandas; {found[1]}"], check=True)  # noqa: S603
    frame = accord.read(path.with_suffix(".csv"), annotators_in="columns", no_header=name.startswith("t.np"))
    assert accord.alpha(frame, interval="none").value == pytest.approx(accord.alpha(FRAME, interval="none").value)


@pytest.mark.parametrize("name", ["the t.csv.gz", "t.csv.bz2", "t.csv.xz", "t.tar", "t.tar.gz"])
def test_suggested_command_unpacks_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    table = tmp_path / name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz").replace(".tar", ".csv")
    table.write_text(TABLE)
    if ".tar" in name:
        with tarfile.open(name, "w:gz" if name.endswith("gz") else "w") as archive:
            archive.add(table.name)
    else:
        packed = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[Path(name).suffix]
        Path(name).write_bytes(packed(TABLE.encode()))
    table.unlink()
    with raises("format-unknown") as refused:
        accord.read(name)
    command = str(refused.value).rpartition(": ")[2]
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not installed")
    subprocess.run(shlex.split(command), check=True)  # noqa: S603
    assert accord.read(table).n_annotators == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("header", ["ID3", "RDS", "BZ", "GIF", "7z"])
def test_header_that_begins_like_another_format_is_a_table(tmp_path: Path, header: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE.replace("item", f"{header} item"))
    assert accord.read(path, item=f"{header} item").n_annotators == 2  # type: ignore[attr-defined]
