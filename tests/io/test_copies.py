"""Copies of files are refused, because they would be second annotators who agree everywhere."""

from __future__ import annotations

import shlex
import shutil
import zipfile
from pathlib import Path

import pytest

import accord
from accord.data.io.copies import without_ending_of_copy

from ..command_line import Cli
from ..refusals import raises

TABLE = "item,label\n1,a\n2,b\n3,a\n4,b\n5,a\n"
OTHER = TABLE.replace("2,b", "2,a")


def write(folder: Path, **files: str) -> Path:
    return write_all(folder, {f"{name}.csv": content for name, content in files.items()})


def write_all(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def pack(folder: Path, archive: Path, inside: str = "") -> None:
    with zipfile.ZipFile(archive, "w") as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                made.write(path, inside + path.relative_to(folder).as_posix())


def brat(folder: Path, annotator: str, end: int) -> Path:
    """Write a document of an annotator in brat standoff."""
    files = {"d1.txt": "Bob met Ann.", "d1.ann": f"T1\tPER 0 3\tBob\nT2\tPER 8 {end}\t{'Ann.'[: end - 8]}\n"}
    return write_all(folder / annotator, files)


@pytest.mark.parametrize(
    "name",
    ["anna (1)", "anna - Copy", "anna - Copy (2)", "anna copy", "anna_copy", "anna-copy 2", "Copy of anna",
     "anna (copy)", "Kopie von anna", "anna - Kopie", "Copia de anna"],
)  # fmt: skip
def test_copied_file_is_refused(tmp_path: Path, cli: Cli, name: str) -> None:
    assert without_ending_of_copy(name) == "anna"
    write_all(tmp_path, {"anna.csv": TABLE, "ben.csv": OTHER, f"{name}.csv": TABLE})
    refused = cli("score", tmp_path)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "[repeated-document]" in refused.err
    assert f"{name}.csv: this file is a copy of" in refused.err
    given = refused.err.partition("give only ")[2].partition(", or")[0]
    done = cli("read", *shlex.split(given))
    assert "anna, ben" in done.out
    assert len(accord.read(tmp_path, annotators_in="files").annotators) == 3  # the option that the message names


@pytest.mark.parametrize("name", ["anna", "copyright", "annacopy", "photocopy", "4(1)x"])
def test_names_that_are_not_those_of_copies(name: str) -> None:
    assert without_ending_of_copy(name) == name


def test_annotators_who_agree_everywhere_are_noted(tmp_path: Path) -> None:
    data = accord.read(write(tmp_path, anna=TABLE, ben=TABLE))
    assert data.annotators == ("anna", "ben")
    assert any("anna.csv and ben.csv are identical" in note for note in data.notes)


def test_second_download_with_other_labels_is_an_annotator(tmp_path: Path) -> None:
    """Two annotators may download files of the same name."""
    data = accord.read(write_all(tmp_path, {"labels.csv": TABLE, "labels (1).csv": OTHER}))
    assert len(data.annotators) == 2
    assert not any("cop" in note for note in data.notes)


def test_changed_copy_is_noted(tmp_path: Path) -> None:
    data = accord.read(write_all(tmp_path, {"anna.csv": TABLE, "anna - Copy.csv": OTHER}))
    assert any('"anna - Copy.csv" is named as a copy of "anna.csv"' in note for note in data.notes)


def test_copied_folder_is_refused(tmp_path: Path, cli: Cli) -> None:
    brat(tmp_path, "Ana", 11)
    brat(tmp_path, "Ben", 12)
    shutil.copytree(tmp_path / "Ana", tmp_path / "Ana - Copy")
    refused = cli("score", tmp_path)
    assert refused.code == 2
    assert "Ana - Copy: this folder is a copy of" in refused.err
    given = refused.err.partition("give only ")[2].partition(", or")[0]
    assert "annotators                    2: Ana, Ben" in cli("read", *shlex.split(given)).out


@pytest.mark.parametrize("inside", ["", "Ana/"])
def test_archive_beside_its_folder_is_refused(tmp_path: Path, cli: Cli, inside: str) -> None:
    for who, end in (("Ana", 11), ("Ben", 12)):
        pack(brat(tmp_path, who, end), tmp_path / f"{who}.zip", inside and f"{who}/")
    refused = cli("score", tmp_path)
    assert refused.code == 2
    assert "[repeated-document]" in refused.err
    assert "Ana.zip: this archive contains the files of" in refused.err
    given = refused.err.partition("give only ")[2].partition(", or")[0]
    assert "annotators                    2: Ana, Ben" in cli("read", *shlex.split(given)).out


def test_archive_and_its_folder_as_two_arguments_are_refused(tmp_path: Path) -> None:
    pack(brat(tmp_path, "Ana", 11), tmp_path / "Ana.zip")
    with raises("repeated-document", "Ana.zip", "give only"):
        accord.read([tmp_path / "Ana.zip", tmp_path / "Ana"])


def test_archive_beside_its_edited_folder_is_refused(tmp_path: Path) -> None:
    pack(brat(tmp_path, "Ana", 11), tmp_path / "Ana.zip")
    brat(tmp_path, "Ana", 12)
    with raises("repeated-document", "Ana.zip"):
        accord.read(tmp_path)


def test_archive_of_one_annotator_beside_the_folder_of_another(tmp_path: Path) -> None:
    """The text is the same, but the annotations differ."""
    pack(brat(tmp_path / "elsewhere", "Ana", 11), tmp_path / "Ana.zip")
    shutil.rmtree(tmp_path / "elsewhere")
    brat(tmp_path, "Ben", 12)
    assert accord.read(tmp_path).annotators == ("Ana", "Ben")


def test_texts_and_empty_annotations_are_no_copies(tmp_path: Path) -> None:
    files = {f"{who}/d1.txt": "Bob met Ann." for who in ("Ana", "Ben", "Cem")}
    data = accord.read(
        write_all(tmp_path, {**files, "Ana/d1.ann": "T1\tPER 0 3\tBob\n", "Ben/d1.ann": "", "Cem/d1.ann": ""})
    )
    assert not any("identical" in note for note in data.notes)


def test_folders_with_files_of_the_same_name_are_annotators(tmp_path: Path) -> None:
    """Given as two folders, or as two files."""
    folders = [brat(tmp_path, "Ana", 11), brat(tmp_path, "Ben", 12)]
    assert accord.read(folders).annotators == ("Ana", "Ben")
    assert accord.read([folder / "d1.ann" for folder in folders]).annotators == ("Ana", "Ben")


def test_project_beside_its_unpacked_folder_is_refused(tmp_path: Path, corpora: Path) -> None:
    project = (
        corpora / "native-samples-2" / "inception" / "catalpa-cl+inceptalytics" / "pos" / "Example_Project_POS.zip"
    )
    shutil.copy(project, tmp_path / "p.zip")
    with zipfile.ZipFile(project) as archive:
        archive.extractall(tmp_path / "p")
    with raises("repeated-document", "p.zip"):
        accord.read_all(tmp_path)
    assert len(accord.read_all(tmp_path / "p")["POS.coarseValue"].annotators) == 4
