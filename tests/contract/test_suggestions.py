"""Every refusal names what solves it, and that works: commands are refused, repaired as the message says, and run."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import accord
from accord.core.errors import _OPTION, _SWITCHES, literal_value, suggestions

from ..command_line import Cli, Outcome, refused
from ..refusals import raises
from .suggestions import CASES, COMMON, IN_PYTHON, SWITCHES, WITHOUT_CASE, Case, Content

SHORT = {"-m": "--measure", "-o": "--output"}
ALONE = {*SWITCHES, *(f"--{name}" for name in ("force", "csv", "json", *_SWITCHES))}  # options without a value

Option = tuple[str, str]  # with its value; empty for a switch


@pytest.mark.parametrize("case", CASES, ids=str)
def test_message_names_a_repair_that_works(
    case: Case, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in case.patched.items():
        monkeypatch.setattr(name, value)
    outcome = run_refused(case, tmp_path, cli)
    message = outcome.err.removeprefix("accord: ").removesuffix(f" [{case.code}]\n")
    check_message(case, message)

    argv, replaced = shlex.split(case.command), set(re.findall(r"(?:instead of|No such option:) (--[a-z-]+)", message))
    for given in suggestions(message):
        tried = with_options(argv, given, replaced)
        if sorted(tried) != sorted(argv):  # otherwise the message only repeats a part of the command
            again = run_refused(case, tmp_path, cli, tried)
            assert again.err != outcome.err, f"{given} leads to the same refusal: {message}"

    start_again(case, tmp_path)
    write(tmp_path, case.edited)
    done = cli(*shlex.split(case.repaired or case.command))
    assert done.code == 0 or (done.code == 1 and case.command.startswith("check")), done.err


def run_refused(case: Case, folder: Path, cli: Cli, argv: list[str] | None = None) -> Outcome:
    """Run the command that is refused, or another one, in a folder with the files of the case."""
    start_again(case, folder)
    with pytest.MonkeyPatch.context() as patch:
        for module in case.without:
            patch.setitem(sys.modules, module, None)
        for name, value in case.broken.items():
            patch.setattr(name, value)
        outcome = cli(*(argv or shlex.split(case.command)))
    if argv is None:
        refused(outcome)
        assert outcome.err.endswith(f" [{case.code}]\n"), outcome.err
    return outcome


def start_again(case: Case, folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    write(folder, {**COMMON, **case.files})


def write(folder: Path, files: Mapping[str, Content]) -> None:
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


# -- does the message name the repair? ------------------------------------------------------------------------------


def check_message(case: Case, message: str) -> None:
    """Each option that the repair adds, changes or leaves out is in the message; so are the facts about an edit."""
    before, words = options(shlex.split(case.command))
    after, new_words = options(shlex.split(case.repaired or case.command))
    for option, values in after.items():
        for value in set(values) - set(before.get(option, ())):
            described = option in {*before, "--measure"} and (value in message or case.says)
            assert described or offers(message, option, value), f"{option} {value} is not in the message: {message}"
    for option in before.keys() - after.keys():
        assert option in message or case.says, f"{option} is not in the message: {message}"
    changed = set(words) ^ set(new_words)
    assert not changed or case.says or any(word in message for word in changed), f"{changed} not in: {message}"
    assert case.says or not case.edited, "name the facts of the message that describe the edit"
    for fact in case.says:
        assert fact in message, message


def options(argv: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Options with their values, and the other words."""
    named: dict[str, list[str]] = {}
    others: list[str] = []
    words = iter(argv)
    for word in words:
        if word.startswith("-"):
            named.setdefault(SHORT.get(word, word), []).append("" if word in ALONE else next(words, ""))
        else:
            others.append(word)
    return named, others


def offers(message: str, option: str, value: str) -> bool:
    """Whether a message names an option with this value, without a value, or with a placeholder such as NAME."""
    named = "|".join(name for name in (option, *SHORT) if SHORT.get(name, name) == option)
    if re.search(rf"(?<!\S)(?:{named}) (?:{re.escape(value)}(?!\w)|[A-Z]{{4,}})", message):
        return True
    found = [one for one in _OPTION.finditer(message) if one["name"] and f"--{one['name']}" == option]
    return any((one["quoted"] or "")[1:-1] == value or not literal_value(one) for one in found)


# -- options with literal values in a message -----------------------------------------------------------------------


def with_options(argv: list[str], given: list[Option], replaced: set[str]) -> list[str]:
    """A command with these options, without those of the same name and those that they replace."""
    names, kept = {name for name, _ in given} | replaced, []
    words = iter(argv)
    for word in words:
        if SHORT.get(word, word) not in names:
            kept.append(word)
        elif word not in ALONE:
            next(words)
    return [*kept, *(word for option in given for word in option if word)]


def test_suggestions_are_found_in_a_message() -> None:
    message = 'use --layout counts or --layout wide, --item "a b" --label x1, --sheet NAME or --no-header if "--by x"'
    found = [[("--layout", "counts")], [("--layout", "wide")], [("--item", "a b"), ("--label", "x1")]]
    assert suggestions(message) == [*found, [("--no-header", "")]]
    assert suggestions("no data; use accord check corpus/ --min gamma=0.7") == []
    assert with_options(["score", "x", "--item", "a"], [("--item", "b")], set()) == ["score", "x", "--item", "b"]


# -- Python, and all codes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "call", "repaired", "facts"), IN_PYTHON)
def test_repair_in_python_works(
    code: str, call: Callable[[], object], repaired: Callable[[], object], facts: tuple[str, ...]
) -> None:
    with raises(code, *facts):
        call()
    repaired()


def test_every_code_has_a_case() -> None:
    cases = {case.code for case in CASES} | {code for code, *_ in IN_PYTHON}
    assert cases | set(WITHOUT_CASE) == set(accord.errors.CODES)
    assert not cases & set(WITHOUT_CASE)
