"""The command line prints notes; Python raises the same notes as warnings."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data.io.naming import is_about_others

from ..command_line import Cli
from ..refusals import raises

ODD = {"item": [1, 2, 3], "Ana": ["a", "NA", "b"], "Ben": ["a", "A", "b"]}


def test_suspicious_data_warn_at_the_call_that_reads_them() -> None:
    with pytest.warns(accord.ReadingWarning) as caught:
        accord.read(ODD)
    assert [str(one.message) for one in caught] == list(accord.read(ODD).notes)
    assert {one.filename for one in caught} == {__file__}
    assert issubclass(accord.ReadingWarning, accord.AccordWarning)


def test_measures_warn_about_files(tmp_path: Path) -> None:
    for name in ("Ana", "Ben"):
        (tmp_path / f"{name}.csv").write_text("item,label\ns1,x\ns2,y\n")
    (tmp_path / "notes.odt").write_text("x")
    with pytest.warns(accord.ReadingWarning, match=r"not read: notes\.odt") as caught:
        accord.alpha(tmp_path)
    assert any("each file is one annotator" in str(one.message) for one in caught)
    assert {one.filename for one in caught} == {__file__}


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ({"item": [1, 2], "Ana": ["a", None], "Ben": ["a", "b"]}, {}),  # missing labels are usual
        ({"item": [1, 2], "Ana": ["a", "c"], "Ben": ["a", "b"]}, {"only": "a"}),  # the user chose the filter
        ({"item": [1, 1, 1], "annotator": ["A", "B", "B"], "label": ["x", "y", "x"]}, {"repeats": "first"}),
    ],
)
def test_plain_facts_are_notes_without_warnings(data: Any, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert accord.read(data, **options).notes


def test_two_variables_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accord.read_all({"item": [1, 1], "annotator": ["A", "B"], "tone": ["x", "y"], "topic": ["x", "y"]})


def test_data_warn_only_when_they_are_read() -> None:
    read = pickle.loads(pickle.dumps(accord.read(ODD)))  # noqa: S301
    with warnings.catch_warnings():
        warnings.simplefilter("error", accord.ReadingWarning)
        accord.read(read)


def test_command_line_prints_notes_and_no_warnings(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,Ana,Ben\n1,a,a\n2,NA,A\n3,b,b\n")
    done = cli("score", path, "-m", "alpha")
    assert '1 label missing ("NA"' in done.out
    assert done.err == ""
    shell = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "accord", "read", str(path)], capture_output=True, text=True, check=True
    )
    assert shell.stderr == ""


def test_unread_readme_and_license_are_noted_without_warning(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,Ana,Ben\ns1,x,x\ns2,y,x\n")
    for name in ("README.txt", "upstream_README.md", "LICENSE"):
        (tmp_path / name).write_text("what this is")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = accord.read(tmp_path)
    assert data.n_items == 2  # README.txt is not a table
    assert data.notes == (f"{tmp_path}: not read: LICENSE, README.txt, upstream_README.md",)


def test_folders_below_tables_are_noted_as_not_read(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,Ana,Ben\ns1,x,x\ns2,y,x\n")
    for name in ("raw", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "raw" / "x.TextGrid").write_text("")
    with pytest.warns(accord.ReadingWarning, match=r"not read: raw/$"):
        accord.read(tmp_path)


@pytest.mark.parametrize("name", ["notices.txt", "notice.csv", "notice.xlsx", "readme.conllu", "licenses.tsv"])
def test_names_similar_to_readme_and_license_are_data(name: str) -> None:
    assert not is_about_others(name)


def test_folder_of_several_studies_is_refused(tmp_path: Path) -> None:
    for study in ("en-de", "zh-en"):
        (tmp_path / study).mkdir()
        (tmp_path / study / "labels.csv").write_text("item,Ana,Ben\ns1,x,x\n")
    (tmp_path / "README.md").write_text("two studies")
    with raises("roles-unclear"):
        accord.read(tmp_path)
