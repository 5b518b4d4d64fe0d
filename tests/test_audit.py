"""What `make audit` decides: licences that are allowed, bounds that are there, an audit that could not be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from audit.licences import is_allowed
from audit.lowest import lowest
from audit.weaknesses import answered


def test_licences_are_on_a_list() -> None:
    assert is_allowed("x", "MIT AND Apache-2.0 WITH LLVM-exception")
    assert not is_allowed("x", "GPL-3.0-only")
    assert not is_allowed("x", "MIT AND AGPL-3.0-only")
    assert not is_allowed("x", "unknown")


def test_every_dependency_has_two_bounds(tmp_path: Path) -> None:
    assert "polars==2.0" in lowest(Path(__file__).resolve().parents[1] / "pyproject.toml")
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\ndependencies = ["numpy>=2"]\noptional-dependencies = {}\n')
    with pytest.raises(SystemExit, match="a lower and an upper bound"):
        lowest(project)


def test_no_answer_is_told_from_an_error() -> None:
    assert answered(json.dumps({"dependencies": [{"name": "x"}]}), "") == [{"name": "x"}]
    assert answered("", "requests.exceptions.ConnectionError: no route") == []
    with pytest.raises(SystemExit, match="No module named pip_audit"):
        answered("", "python: No module named pip_audit")
