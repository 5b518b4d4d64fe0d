"""Every command and Python line of the README runs as written, on files that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from .command_line import Cli

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLES = re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
COMMANDS = [line[2:] for block in CONSOLES for line in block.split("\n") if line.startswith("$ ")]
INSTALLING = ("python3 -m venv", "source .venv/bin/activate", "pip install .")  # `make package` tries these


def test_readme_is_short() -> None:
    assert len(README.split("\n")) <= 170


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


@pytest.mark.usefixtures("checkout")
def test_commands_of_the_readme_run(cli: Cli) -> None:
    """One after the other, because some read what others wrote."""
    accord = [command for command in COMMANDS if command.startswith("accord ")]
    assert len(accord) > 10
    for command in accord:
        done = cli(*shlex.split(command, comments=True)[1:], columns=80)
        assert done.code == 0, (command, done.err)


def test_other_commands_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in COMMANDS:
        words = shlex.split(command, comments=True)
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", makefile, flags=re.MULTILINE), command
        elif words[0] != "accord":
            assert command.startswith(INSTALLING), command


@pytest.mark.usefixtures("checkout")
def test_python_of_the_readme_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)  # noqa: S102 - the lines of the README
    assert len(names) > 3


def test_links_of_the_readme_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README):
        assert (ROOT / target).exists(), target
