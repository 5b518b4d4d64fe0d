"""Run the commands and Python sessions of a tutorial in order, in a separate folder, and compare their output."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ..test_docs import LEFT_OUT, SHELL, abridged, differs, keep, printed_by

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`([\w/.-]+\.(?:csv|tsv|yml))`:?\s*$")  # the file name before a block with its content
CORPORA = "corpora/"  # not shipped: ../shared/corpora, if it exists
LOOKS = {"cat", "grep", "head", "ls"}


@dataclass
class Followed:
    """The outcome of running a tutorial."""

    text: str = ""  # the page with the current output of its commands
    wrong: list[str] = field(default_factory=list)  # commands with different output
    # Python sessions with different output; `make outputs` does not rewrite them
    sessions: list[str] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)  # required files that do not exist


def turns(body: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each command of a console block as typed, the same command on one line, and its printed lines."""
    for turn in re.split(r"^(?=\$ )", body, flags=re.MULTILINE):
        if not turn.startswith("$ "):
            continue
        lines = turn.rstrip("\n").split("\n")
        n = next(i for i, line in enumerate(lines) if not line.endswith("\\")) + 1
        joined = " ".join(line.removesuffix("\\").strip() for line in lines[:n])
        yield "\n".join(lines[:n]), joined.removeprefix("$ "), lines[n:]


def same(got: list[str], wanted: list[str]) -> bool:
    """Compare lines, except omitted ones. A block that omits all lines never matches."""
    if wanted == [LEFT_OUT]:
        return False
    pattern = r"\n".join(r"[^\0]*?" if line == LEFT_OUT else re.escape(line) for line in wanted)
    return re.fullmatch(pattern, "\n".join(got)) is not None


def printed(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    if command.startswith("accord "):
        got = printed_by(command, monkeypatch, capsys)
        return [] if got == [""] else got
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    done = subprocess.run(  # noqa: S603
        shlex.split(command), check=True, capture_output=True, encoding="utf-8", env=environment
    )
    return [line.rstrip() for line in done.stdout.rstrip("\n").split("\n")]


def follow(page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Followed:
    """Run a tutorial in the working folder."""
    done, names, absent = Followed(), dict[str, object](), set[str]()

    def console(body: str) -> str:
        shown = []
        for typed, command, wanted in turns(body):
            shown.append(typed)
            words = shlex.split(command)
            if words[0] not in {"accord", *LOOKS}:
                shown += wanted  # installation and git commands are not run
                continue
            assert not SHELL.search(command), f"{page.name}: {command}: this test runs no pipes"
            needed = [word for word in words if word.startswith(CORPORA) and not Path(word).exists()]
            if needed or absent.intersection(words):
                done.missing.update(needed)
                absent.update(word for word in words[1:] if "." in word and not Path(word).exists())
                shown += wanted
                continue
            got = printed(command, monkeypatch, capsys)
            if not same(got, wanted):
                done.wrong.append("\n".join([f"{page.name}: $ {command}", "prints", *got, "instead of", *wanted]))
            shown += wanted if same(got, wanted) else abridged(got, wanted)
        return "\n".join(shown) + "\n"

    def block(found: re.Match[str]) -> str:
        language, body = found[1], found[2]
        lines = body.rstrip("\n").split("\n")
        named = NAMED.search(" ".join(found.string[: found.start()].rstrip("\n").split("\n")[-3:]))
        if language == "console":
            body = console(body)
        elif language == "pycon":
            if wrong := differs(lines, names, page.name, monkeypatch):
                done.sessions.append(wrong)
        elif named:
            keep(named[1], lines)
        return f"```{language}\n{body}```"

    done.text = FENCE.sub(block, page.read_text(encoding="utf-8"))
    return done
