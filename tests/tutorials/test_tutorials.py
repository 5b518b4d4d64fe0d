"""Tutorials show the output of accord. `make outputs` renews pages, pictures and notebooks; check them afterwards."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

from ..conftest import EXAMPLES
from ..needs import CORPORA
from .following import follow, printed, same
from .notebooks import PICTURE, as_notebook

TUTORIALS = EXAMPLES.parent / "docs" / "tutorials"
PAGES = sorted(TUTORIALS.glob("*.md"))
NOTEBOOKS = ("content-analysis", "topic-boundaries", "coreference")
WRITE = os.environ.get("ACCORD_TUTORIALS") == "write"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which tutorials run, with the examples and, if they exist, the corpora."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # pages show the width of piped output
    (tmp_path / "examples").symlink_to(EXAMPLES)
    if CORPORA.exists():
        (tmp_path / "corpora").symlink_to(CORPORA)
    return tmp_path


def words(picture: Path) -> list[str]:
    """Return the texts of an SVG, which do not depend on the version of Matplotlib."""
    return re.findall(
        r">([^<>]*\S[^<>]*)</", re.sub(r"<metadata>.*?</metadata>", "", picture.read_text("utf-8"), flags=re.DOTALL)
    )


def check_pictures(page: Path, folder: Path) -> None:
    for _, name in PICTURE.findall(page.read_text(encoding="utf-8")):
        drawn = folder / name
        if not drawn.exists():
            continue  # needs a corpus that does not exist; the test is reported as skipped
        if WRITE:
            shutil.copy(drawn, TUTORIALS / name)
        assert words(drawn) == words(TUTORIALS / name), f"docs/tutorials/{name}: make outputs"


def check_workflow(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that each command of a workflow prints a result and no error."""
    steps = [step for job in yaml.safe_load(file.read_text("utf-8"))["jobs"].values() for step in job["steps"]]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("accord ")]
    assert commands
    for command in commands:
        got = printed(command, monkeypatch, capsys)
        assert got, command
        assert not got[0].startswith("accord:"), got


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_tutorial_print_its_text(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = follow(page, monkeypatch, capsys)
    if WRITE:
        page.write_text(done.text, encoding="utf-8")
    assert WRITE or not done.wrong, "\n\n".join(done.wrong)
    assert not done.sessions, "\n\n".join(done.sessions)
    check_pictures(page, folder)
    for file in folder.rglob("*.yml"):
        check_workflow(file, monkeypatch, capsys)
    if done.missing:
        pytest.skip("a part needs ../shared/corpora; the other parts passed")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_matches_its_page(name: str) -> None:
    notebook = TUTORIALS / f"{name}.ipynb"
    made = as_notebook(TUTORIALS / f"{name}.md")
    if WRITE:
        notebook.write_text(made, encoding="utf-8")
    assert notebook.read_text(encoding="utf-8") == made, f"docs/tutorials/{name}.ipynb: make outputs"


def test_comparison_accepts_omitted_lines() -> None:
    got = ["a", "b", "c", "d"]
    assert same(got, ["a", "…", "d"])
    assert same(got, ["a", "b", "…"])
    assert not same(got, ["a", "…", "c"])
    assert not same(got, ["b", "…", "d"])
    assert not same(got, ["…"]), "a block that omits all lines compares nothing"
    assert not same(["a …"], ["b …"]), "an ellipsis inside a line is ordinary text"
