"""Run the Python sessions and `$ accord` commands of the documentation, and compare their output.

`make outputs` (ACCORD_DOCS=write) replaces the output in the pages; review the changes.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest

from accord.core.errors import Interface
from accord.doors.cli import main

ROOT = Path(__file__).resolve().parents[1]
_PARTS = ("*.md", "understand/*.md", "coming-from/*.md", "reference/*.md")
IN_DOCS = [page for part in _PARTS for page in (ROOT / "docs").glob(part)]
PAGES = sorted([*IN_DOCS, *(ROOT / "src/accord/pages").glob("*.md"), ROOT / "README.md"])
NAMED = re.compile(r"`([\w/.-]+\.(?:csv|tsv))`:?\s*$")
SHELL = re.compile(r"[|<;&$]|\\$|> ")  # shell syntax, not run
PRECISE = re.compile(r"\d\.\d{14,}(?:e-?\d+)?")
QUOTED = re.compile(r"'[^']*'")
SHOWN = re.compile(r"cat (?P<file>[\w.]+\.csv)")
SAVED = re.compile(r"cat (?P<file>[\w.]+\.toml)")
PIPED = re.compile(r"cat (?P<file>[\w.]+) \| (?P<command>accord [^|]+)")


@dataclass
class Block:
    before: str
    lines: list[str]


def blocks(text: str) -> Iterator[Block]:
    """Yield fenced and indented code blocks."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        start, before = i, " ".join(lines[max(0, i - 3) : i])
        if lines[i].startswith("```"):
            i += 1
            while not lines[i].startswith("```"):
                i += 1
            yield Block(before, lines[start + 1 : i])
        elif lines[i].startswith("    ") and not lines[i - 1]:
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i]):
                i += 1
            yield Block(before, [line[4:] for line in lines[start:i]])
        i += 1


def sessions(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each `$ command` and its output."""
    command, printed = "", []
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, printed
            command, printed = line[2:], []
        elif command.endswith("\\") and not printed:
            command = command[:-1] + line.strip()
        else:
            printed.append(line.rstrip())
    if command:
        yield command, printed


LEFT_OUT = "…"  # a line that replaces any number of lines
WRITE = os.environ.get("ACCORD_DOCS") == "write"


def in_page(text: str, wanted: list[str], got: list[str]) -> str:
    """Return the page with new output of a command, fenced or indented."""
    for indent in ("", "    "):
        old = "\n".join(f"{indent}{line}".rstrip() for line in wanted)
        if f"\n{old}\n" in text:
            new = "\n".join(f"{indent}{line}".rstrip() for line in got)
            return text.replace(f"\n{old}\n", f"\n{new}\n", 1)
    raise AssertionError(f"not found in the page: {wanted[:2]}")


def abridged(got: list[str], wanted: list[str]) -> list[str]:
    """Return output with the omissions of the page; each line of the page is matched to the most similar line."""
    kept: list[str] = []
    at, omitted = 0, False
    for line in wanted:
        if line == LEFT_OUT:
            omitted = True
            continue
        likeness = [SequenceMatcher(None, line, other).ratio() for other in got[at:]]
        if not likeness or max(likeness) < 0.6:
            continue
        best = at + likeness.index(max(likeness))
        kept += ([LEFT_OUT] if omitted else got[at:best]) if best > at else []
        kept.append(got[best])
        at, omitted = best + 1, False
    return [*kept, *([LEFT_OUT] if omitted else got[at:])] if at < len(got) else kept


def printed_by(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setattr(sys, "argv", shlex.split(command, comments=True))
    with contextlib.suppress(SystemExit):
        main()
    out, err = capsys.readouterr()
    return [line.rstrip() for line in (out + err).rstrip("\n").split("\n")]


def differs(session: list[str], names: dict[str, object], page: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the differences between a Python session and the page."""
    monkeypatch.setattr(Interface, "command_line", False)  # earlier commands may have set it
    test = doctest.DocTestParser().get_doctest("\n".join(session) + "\n", names, page, None, 0)
    report = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    return report.getvalue()


def keep(name: str, lines: list[str]) -> None:
    """Write a table of the page to a file."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def show(command: str, lines: list[str]) -> None:
    """Run `cat`: write a table of the page to a file, or compare a saved file with the page."""
    if shown := SHOWN.fullmatch(command):
        keep(shown["file"], [line for line in lines if line])
    elif saved := SAVED.fullmatch(command):
        assert Path(saved["file"]).read_text(encoding="utf-8").strip() == "\n".join(lines).strip(), command


def rounded(lines: list[str]) -> list[str]:
    """Round numbers of full precision to 12 digits, because the last digits depend on the processor."""
    return [PRECISE.sub(lambda number: f"{float(number[0]):.12g}", line) for line in lines]


SLOW = ("data.md", "intervals.md", "planning.md")


def test_pytest_recipe_passes_and_fails_as_described(tmp_path: Path) -> None:
    page = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")
    recipe = next(block for block in blocks(page) if "`test_agreement.py`" in block.before)
    failures = next(block for block in blocks(page) if "both fail with these lines" in block.before)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = tmp_path / "test_agreement.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(path)]

    def run_recipe(text: str) -> subprocess.CompletedProcess[str]:
        path.write_text(text, encoding="utf-8")
        env = os.environ | {"PYTHONUTF8": "1"}
        return subprocess.run(  # noqa: S603
            command, cwd=tmp_path, capture_output=True, encoding="utf-8", env=env, check=False
        )

    text = "\n".join(recipe.lines) + "\n"
    passing = run_recipe(text)
    assert passing.returncode == 0, passing.stdout
    assert "2 passed" in passing.stdout
    failing = run_recipe(text.replace("0.6", "0.9").replace("0.5", "0.6"))
    assert "2 failed" in failing.stdout
    assert all(line in failing.stdout for line in failures.lines)


def as_parameter(page: Path) -> Any:
    return pytest.param(page, id=page.name, marks=[pytest.mark.slow] if page.name in SLOW else [])


@pytest.mark.parametrize("page", [as_parameter(page) for page in PAGES])
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of a pipe
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, object] = {}
    failed: list[str] = []
    for block in blocks(page.read_text(encoding="utf-8")):
        first = block.lines[0] if block.lines else ""
        named = NAMED.search(block.before)
        if first.startswith(">>>"):
            wrong = differs(block.lines, names, page.name, monkeypatch)
            if wrong and WRITE:
                failed.append(wrong)
            assert WRITE or not wrong, wrong
        elif first.startswith(("$ accord", "$ cat ")):
            for command, wanted in sessions(block.lines):
                show(command, wanted)
                if (piped := PIPED.fullmatch(command)) and Path(piped["file"]).exists():
                    given = io.TextIOWrapper(io.BytesIO(Path(piped["file"]).read_bytes()), encoding="utf-8")
                    monkeypatch.setattr(sys, "stdin", given)
                    command = piped["command"]  # noqa: PLW2901
                while wanted and not wanted[-1]:
                    wanted.pop()
                if not command.startswith("accord ") or SHELL.search(QUOTED.sub("", command)):
                    continue
                if any(
                    word.endswith(".csv") and not Path(word).exists() for word in shlex.split(command, comments=True)
                ) and ("[file-missing]" not in "".join(wanted)):
                    continue  # the page names this table, but does not show it
                got = printed_by(command, monkeypatch, capsys)
                if wanted and wanted[-1] == "…":  # the page omits the rest
                    wanted.pop()
                    got = got[: len(wanted)]
                if wanted and "…" not in "".join(wanted) and rounded(got) != rounded(wanted):
                    assert WRITE, f"{command}\n" + "\n".join(got)
                    page.write_text(in_page(page.read_text(encoding="utf-8"), wanted, got), encoding="utf-8")
        elif named and first and not first.startswith("$"):
            keep(named[1], block.lines)
    assert not failed, "Python sessions are written by hand:\n" + "\n".join(failed)
