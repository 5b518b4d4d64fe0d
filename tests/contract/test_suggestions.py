"""Every refusal names what solves it, and that works: each case is refused, repaired as its message suggests, and run."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import accord
from accord.core.errors import _OPTION, _SWITCHES

from ..command_line import Cli, Outcome, refused
from .suggestions import CASES, COMMON, WITHOUT_CASE, Case, Content

LETTERS = {"-m": "--measure", "-o": "--output"}
EXAMPLE = re.compile(r"accord [a-z]+ [^;,]*")  # a command of its own, often with names of other files
ALONE = {"force", "csv", "json", *_SWITCHES}  # options without a value that messages suggest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, files: dict[str, Content]) -> None:
    """Write files. None removes one, and a function makes one of its own."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        elif callable(content):
            content(path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)


def run_refused(case: Case, folder: Path, cli: Cli) -> tuple[Outcome, str]:
    """Run the command that is to be refused; also returns the message without its code."""
    write(folder, {**COMMON, **case.files})
    with pytest.MonkeyPatch.context() as patch:
        for module in case.without:
            patch.setitem(sys.modules, module, None)
        for name, value in {**case.patched, **case.broken}.items():
            patch.setattr(name, value)
        done = cli(*shlex.split(case.command))
    refused(done)
    assert done.err.endswith(f" [{case.code}]\n"), done.err
    return done, done.err.removeprefix("accord: ").removesuffix(f" [{case.code}]\n")


def options(argv: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Options with their values, and the other words. A word after an option is its value unless it is a switch."""
    named: dict[str, list[str]] = {}
    others: list[str] = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-") or word == "-":
            others.append(word)
        else:
            alone = word.removeprefix("--") in ALONE or word in Case.SWITCHES
            named.setdefault(LETTERS.get(word, word), []).append("" if alone else next(words))
    return named, others


def offered(option: str, value: str, message: str) -> bool:
    """Whether a message names an option with this value, or without a value, or with a placeholder for it."""
    letters = [short for short, long in LETTERS.items() if long == option]
    if any(f"{name} {value}" in message for name in (option, *letters)):
        return True
    found = [one for one in _OPTION.finditer(message) if one["name"] and f"--{one['name']}" == option]
    return any(not (one["quoted"] or one["number"] or one["word"]) for one in found) or any(
        (one["quoted"] or "")[1:-1] == value for one in found if one["quoted"]
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_suggested_repair_works(
    case: Case, folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, message = run_refused(case, folder, cli)
    before, words = options(shlex.split(case.command))
    after, new_words = options(shlex.split(case.repaired or case.command))
    for option, values in after.items():
        for value in values:
            if value in before.get(option, ()):
                continue
            known = offered(option, value, message) or (option in before and value in message)
            known = known or (option == "--measure" and (value in message or bool(case.says)))
            assert known, f"{option} {value} is not in the message: {message}"
    for option in before.keys() - after.keys():
        short = [letter for letter, long in LETTERS.items() if long == option]
        assert any(name in message for name in (option, *short)) or case.says, f"{option} is not in: {message}"
    changed = set(new_words) ^ set(words)
    assert not changed or case.says or any(word in message for word in changed), f"{changed} is not in: {message}"
    assert case.says or not case.edited, "name the words of the message that describe the edit"
    for fact in case.says:
        assert fact in message, message
    write(folder, case.edited)
    for name, value in case.patched.items():
        monkeypatch.setattr(name, value)
    done = cli(*shlex.split(case.repaired or case.command))
    assert done.code in ({0, 1} if case.command.startswith("check") else {0}), done.err


def suggestions(message: str) -> Iterator[list[tuple[str, str]]]:
    """Options with a literal value in a message; those that follow each other directly belong together."""
    group: list[tuple[str, str]] = []
    end = -1
    message = EXAMPLE.sub("", message)
    for one in _OPTION.finditer(message):
        value = one["quoted"] or one["number"] or one["word"]
        if one["data"] or one["anything"] or (value is None and one["name"] not in ALONE):
            continue
        if group and message[end : one.start()] != " ":
            yield group
            group = []
        group.append((f"--{one['name']}", "" if one["name"] in ALONE else value.strip("\"'")))
        end = one.end()
    if group:
        yield group


def with_options(argv: list[str], given: list[tuple[str, str]]) -> list[str]:
    """A command with these options instead of those with the same name."""
    names, kept = {name for name, _ in given}, []
    words = iter(argv)
    for word in words:
        if LETTERS.get(word, word) not in names:
            kept.append(word)
        elif word.removeprefix("--") not in ALONE:
            next(words)
    return [*kept, *(word for option in given for word in option if word)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_literal_suggestions_change_the_answer(case: Case, folder: Path, cli: Cli) -> None:
    """An option that a message gives with its value does not lead to the same refusal again."""
    done, message = run_refused(case, folder, cli)
    argv = shlex.split(case.command)
    for given in suggestions(message):
        tried = with_options(argv, given)
        if sorted(tried) == sorted(argv):  # the message describes the command
            continue
        assert cli(*tried).err != done.err, f"{given} leads to the same refusal: {message}"


def test_every_code_has_a_case() -> None:
    assert {case.code for case in CASES} | set(WITHOUT_CASE) == set(accord.errors.CODES)
    assert not {case.code for case in CASES} & set(WITHOUT_CASE)
    assert all(WITHOUT_CASE.values())
