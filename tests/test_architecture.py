"""A file imports only from rooms below its own; names are public once; nothing heavy is imported at the door."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import accord
from accord.functions.stub import stub

SOURCE = Path(accord.__file__).parent
# From the roof to the cellar; a room may import from the ones after it. See docs/architecture.md.
ROOMS = (
    "cli", "serving", "rendering", "functions", "plans", "reporting", "advising", "citing", "studies", "converting",
    "views", "aligning", "simulate", "inference", "consensus", "measures", "chance", "alignment", "dissimilarities",
    "distances", "door", "io", "model", "kinds", "result", "figures", "tables", "prose", "compiled", "machine_code",
    "parallel", "clusters", "checkpoints", "context", "fingerprints", "memo",
    "probability", "arrays", "excerpts",
    "names", "schema", "spec", "typed", "manual", "whole", "written", "errors", "_version",
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


def imports_within(path: Path) -> set[str]:
    """What functions import of accord, or types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nested = (inner for outer in tree.body for inner in ast.walk(outer) if inner is not outer)
    return {n.module for n in nested if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith("accord.")}


def test_every_file_has_a_room() -> None:
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        assert room in {*ROOMS, "__init__", "__main__"}, path


def test_imports_go_down() -> None:
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room in {"__init__", "__main__"}:
            continue
        for module in imports(path):
            target = room_of(module)
            assert target == room or ROOMS.index(target) > ROOMS.index(room), f"{path.name} imports {module}"


def test_inference_knows_no_measure_by_class() -> None:
    """It asks them: see measures/base.py. `reliability.py` makes measures, for its functions are named after them."""
    families = tuple(f"accord.measures.{family}" for family in ("items", "scales", "units", "segmentations", "texts"))
    for path in (SOURCE / "inference").rglob("*.py"):
        found = {module for module in imports(path) if module.startswith(families)}
        assert not found or path.name == "reliability.py", f"{path.name} imports {found}"


def test_no_cycle_of_measures_or_errors_is_hidden_in_a_function() -> None:
    """Only kernels are imported when they are needed: compiling them takes time."""
    for folder in ("measures", "simulate/errors"):
        for path in (SOURCE / folder).rglob("*.py"):
            for module in imports_within(path):
                kernel = SOURCE.joinpath(*module.split(".")[1:]).with_suffix(".py")
                assert "accord.compiled" in imports(kernel), f"{path.name} imports {module} in a function"


def test_the_page_names_the_same_rooms() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in ROOMS:
        if not room.startswith("_"):
            assert f"{room}/" in page or f"{room}.py" in page, room


def test_public_names_are_there() -> None:
    for name in accord.__all__:
        assert getattr(accord, name) is not None
    assert dir(accord) == sorted(accord.__all__)
    for cls in accord.MEASURES:
        assert cls.name in accord.__all__
        assert getattr(accord, cls.name).__name__ == cls.name


def test_public_names_are_written_once() -> None:
    public = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="ascii"))
    names = [
        (alias.name, alias.asname) for line in public.body if isinstance(line, ast.ImportFrom) for alias in line.names
    ]
    assert sorted(name for name, _ in names) == sorted(accord.__all__)
    assert all(name == exported for name, exported in names)


def test_the_stub_of_the_functions_is_up_to_date() -> None:
    written = (SOURCE / "functions" / "__init__.pyi").read_text(encoding="utf-8")
    assert written == stub(), "run `make stub`"


def test_a_start_imports_nothing_heavy() -> None:
    code = "import accord.cli, sys; print(sorted({'numpy', 'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert out.stdout.strip() == "[]"


def test_files_are_written_in_one_place() -> None:
    """All that a user gets goes through whole.py. The others write journals, the register, and copies aside."""
    writes = re.compile(r"\.write_(text|bytes)\(|open\([^)]*\"[wax]b?\+?\"")
    found = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py") if writes.search(p.read_text("utf-8"))}
    aside = {"converting.py", "io/archives.py", "io/tables/delimited.py", "io/tables/sources.py"}
    own = {"simulate/journal.py", "written.py", "cli/streams.py", "functions/stub.py"}  # /dev/null; `make stub`
    own |= {"serving/uploads.py"}  # as the bytes come, into a private folder
    assert found == {"whole.py", *aside, *own}


def test_modules_stay_small() -> None:
    long = {p.name: n for p in SOURCE.rglob("*.py") if (n := len(p.read_text(encoding="utf-8").splitlines())) > 550}
    assert not long
