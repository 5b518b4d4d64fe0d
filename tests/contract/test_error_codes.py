"""Codes of errors: each is declared, used, explained in the docs and printed by the command line."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

import accord
from accord.core.errors import AccordError, DataError, UnknownName

from ..command_line import Cli, refused

SOURCE = Path(accord.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "reference" / "errors.md"
ERRORS = {
    "AccordError",
    "DataError",
    "SpecError",
    "NotAnnotatedError",
    "TooLarge",
    "QueueFull",
    "CheckFailed",
    "_NotByName",
}
WITHOUT_CALL = {
    "unknown-name",
    "usage",
    "option-renamed",
    "out-of-memory",
    "output-not-writable",
}  # raised by name, or by app.py


def codes_in_source() -> set[str]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    found.add(str(code.value))
    return found


def test_every_code_is_declared_and_used() -> None:
    found = codes_in_source()
    assert len(found) > 50
    assert found <= set(accord.errors.CODES)
    assert set(accord.errors.CODES) - found <= WITHOUT_CALL


def test_every_code_is_explained_in_the_docs() -> None:
    text = PAGE.read_text(encoding="utf-8")
    explained = re.findall(r"^\(([a-z-]+)\)=\n\*\*\1\*\*: \S", text, flags=re.MULTILINE)
    assert sorted(explained) == sorted(accord.errors.CODES)


def test_code_is_not_part_of_the_message_and_survives_pickling() -> None:
    error = DataError("end-before-start", "a.csv:3: end 4 is before start 7")
    assert (error.code, str(error)) == ("end-before-start", "a.csv:3: end 4 is before start 7")
    for one in (error, UnknownName("measure", "alhpa", ["alpha"])):
        again = pickle.loads(pickle.dumps(one))  # noqa: S301 - made here
        assert (type(again), again.code, str(again)) == (type(one), one.code, str(one))


def test_undeclared_code_raises_an_assertion_error() -> None:
    with pytest.raises(AssertionError):
        AccordError("no-such-code", "x")


def test_command_line_ends_with_the_code(cli: Cli) -> None:
    done = cli("score", "no.csv")
    refused(done, "no.csv")
    assert done.err.endswith(" [file-missing]\n")
    assert cli("score", "--no-such-option").err.endswith(" [usage]\n")
    assert cli("influence", "x.csv", "--of", "annotator").err.endswith(" [option-renamed]\n")
