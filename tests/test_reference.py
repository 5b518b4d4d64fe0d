"""Generated parts of the documentation are complete. Names of other tools are in `measures.other_tools`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.planned import commands as every_command

import accord
from accord.measures.other_tools import TOOLS

DOCS = Path(__file__).resolve().parents[1] / "docs"
FROM = sorted((DOCS / "coming-from").glob("*.md"))


@pytest.fixture(scope="module")
def generated() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        yield import_module("generated")


@pytest.mark.parametrize("page", FROM, ids=lambda page: page.name)
def test_tables_of_names_are_up_to_date(generated: Any, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert generated.with_names(text) == text, "run `make reference`"


def test_every_tool_has_its_table() -> None:
    for tool in TOOLS:
        page = (DOCS / "coming-from" / f"{tool.page}.md").read_text(encoding="utf-8")
        assert f"<!-- names: {tool.name} -->" in page
        assert f"]({tool.page}.md" in (DOCS / "coming-from" / "index.md").read_text(encoding="utf-8")


def test_reference_contains_every_command_and_option(generated: Any) -> None:
    page = generated.commands()
    for name, command in every_command().items():
        assert f"\n## accord {name}\n" in page
        for param in command.params:
            if not getattr(param, "hidden", False):
                assert f"{max(param.opts, key=len)}" in page or param.param_type_name == "argument", (name, param.name)
    assert page.count("| `--layout NAME` |") == 1  # common options are listed once


def test_reference_contains_every_public_name(generated: Any) -> None:
    pages = "".join(generated.api().values())
    for name in dir(accord):
        assert name.startswith("_") or f"## accord.{name}\n" in pages
    assert re.search(
        r"- `distance` \([^)]*\):\n +how far labels are apart", pages
    )  # options from the pages of measures
    assert not re.search(r"<function|0x[0-9a-f]{6}", pages)


def test_reference_pages_are_written_for_the_site(generated: Any, tmp_path: Path) -> None:
    generated.write(tmp_path)
    index = (DOCS / "reference" / "index.md").read_text(encoding="utf-8")
    made = {path.name for path in (tmp_path / "reference" / "generated").iterdir()}
    assert "generated/commands" in index
    assert "generated/api-*" in index
    assert {"commands.md", "api-scores.md", "api-data.md"} <= made
    assert all(name == "commands.md" or name.startswith("api-") for name in made)
