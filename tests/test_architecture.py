"""A file imports only from rooms below its own; names are public once; nothing heavy is imported at the door."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import accord

SOURCE = Path(accord.__file__).parent
# From the roof to the cellar; a room may import from the ones after it. See docs/architecture.md.
ROOMS = (
    "cli", "report", "run", "answers", "studies", "simulate", "inference", "gold", "measures", "chance", "alignment",
    "dissimilarities", "distances", "io", "model", "result", "tables", "compiled", "parallel", "context",
    "probability", "arrays", "spec", "errors", "_version",
)  # fmt: skip


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("accord"):
            if node.module == "accord":
                found |= {f"accord.{alias.name}" for alias in node.names}
            else:
                found.add(node.module)
    return found


def test_every_file_has_a_room() -> None:
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        assert room in {*ROOMS, "__init__"}, path


def test_imports_go_down() -> None:
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for module in imports(path):
            target = room_of(module)
            assert target == room or ROOMS.index(target) > ROOMS.index(room), f"{path.name} imports {module}"


def test_the_page_names_the_same_rooms() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in ROOMS:
        if not room.startswith("_"):
            assert f"{room}/" in page or f"{room}.py" in page, room


def test_public_names_are_there() -> None:
    for name in accord.__all__:
        assert getattr(accord, name) is not None
    assert set(accord.__all__) == {*accord._ROOMS, "__version__"}
    for cls in accord.MEASURES:
        assert getattr(accord, cls.name).__name__ == cls.name


def test_a_start_imports_nothing_heavy() -> None:
    code = "import accord.cli, sys; print(sorted({'numpy', 'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert out.stdout.strip() == "[]"


def test_modules_stay_small() -> None:
    long = {p.name: n for p in SOURCE.rglob("*.py") if (n := len(p.read_text(encoding="utf-8").splitlines())) > 550}
    assert not long
