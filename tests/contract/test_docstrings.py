"""The docstring of every public function names its parameters and what it returns, and its examples run."""

from __future__ import annotations

import doctest
import inspect
import io
import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.errors import Interface

from ..cases import for_each

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FUNCTIONS = {name: getattr(accord, name) for name in dir(accord) if inspect.isfunction(getattr(accord, name))}
_TITLE = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)


def sections(function: Any) -> dict[str, str]:
    """The sections of a docstring by title."""
    _, *parts = _TITLE.split(inspect.getdoc(function) or "")
    return dict(zip(parts[::2], parts[1::2], strict=True))


def documented(section: str) -> list[str]:
    """The names in a section of parameters: `a, b : str` are two."""
    heads = (line.partition(" : ")[0] for line in section.splitlines() if line and not line.startswith(" "))
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


@for_each("name", FUNCTIONS)
def test_docstring_names_every_parameter_and_what_is_returned(name: str) -> None:
    found = sections(FUNCTIONS[name])
    assert documented(found["Parameters"]) == list(inspect.signature(FUNCTIONS[name]).parameters)
    assert found["Returns"].strip()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the example data, where sessions may write."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Interface, "command_line", False)  # earlier tests may have set it


@pytest.mark.usefixtures("elsewhere")
@for_each("name", FUNCTIONS)
def test_examples_in_docstrings_run(name: str) -> None:
    text = sections(FUNCTIONS[name])["Examples"]
    session = doctest.DocTestParser().get_doctest(text, {"accord": accord}, name, None, 0)
    report = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=report.write)
    assert session.examples
    assert not report.getvalue()
