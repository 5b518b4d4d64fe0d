"""`make audit`: licences, bounds of dependencies, known vulnerabilities, releases and wheels."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from audit.licences import is_allowed
from audit.lowest import lowest
from audit.package import IN_WHEEL, wheel_is_right
from audit.release import notes, trouble
from audit.weaknesses import answered

import accord


def test_only_listed_licences_are_allowed() -> None:
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


def test_audit_without_network_is_not_an_error() -> None:
    assert answered(json.dumps({"dependencies": [{"name": "x"}]}), "") == [{"name": "x"}]
    assert answered("", "requests.exceptions.ConnectionError: no route") == []
    with pytest.raises(SystemExit, match="No module named pip_audit"):
        answered("", "python: No module named pip_audit")


# -- releases ---------------------------------------------------------------------------------------------------------


def released(root: Path, version: str = "1.2.0", cited: str = "1.2.0", date: str = "2027-03-01") -> Path:
    (root / "src/accord").mkdir(parents=True, exist_ok=True)
    (root / "src/accord/_version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    (root / "CITATION.cff").write_text(f"title: accord\nversion: {cited}\n", encoding="utf-8")
    old = "## 1.1.0 – 2027-01-01\n\n- Old.\n"
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## 1.2.0 – {date}\n\n- New.\n\n{old}", encoding="utf-8")
    return root


def test_release_needs_the_same_version_everywhere(tmp_path: Path) -> None:
    assert trouble("v1.2.0", released(tmp_path)) == []
    assert notes(tmp_path) == "- New.\n"
    for tag, changed, words in (
        ("v1.2.1", {}, "the tag is v1.2.1"),
        ("v1.2.0", {"cited": "1.1.0"}, "CITATION.cff"),
        ("v1.2.0", {"date": "unreleased"}, "instead of a date"),
        ("v1.3.0", {"version": "1.3.0", "cited": "1.3.0"}, "does not begin with 1.3.0"),
    ):
        found = trouble(tag, released(tmp_path, **changed))
        assert len(found) == 1
        assert words in found[0]


def test_this_version_can_become_a_release() -> None:
    """Only the release date may be missing."""
    (found,) = trouble(f"v{accord.__version__}") or [""]
    assert found == "" or found.endswith("instead of a date")


def wheel_with(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in (*IN_WHEEL, "accord-1.0.dist-info/licenses/LICENSE", *names):
            archive.writestr(name, "")
    return path


def test_wheel_contains_only_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel_is_right(wheel_with(tmp_path / "accord-1.0-py3-none-any.whl"))
    with pytest.raises(SystemExit, match=r"contains unexpected files: \['tests/test_x.py'\]"):
        wheel_is_right(wheel_with(tmp_path / "accord-1.0-py3-none-any.whl", "tests/test_x.py"))
    monkeypatch.setattr("audit.package.LARGEST", 10)
    with pytest.raises(SystemExit, match="bytes"):
        wheel_is_right(wheel_with(tmp_path / "accord-1.0-py3-none-any.whl"))
    with zipfile.ZipFile(tmp_path / "accord-1.0-py3-none-any.whl", "w") as empty:
        empty.writestr("accord/__init__.py", "")
    with pytest.raises(SystemExit, match="does not contain"):
        wheel_is_right(tmp_path / "accord-1.0-py3-none-any.whl")
