"""Layers import only lower layers, public names are declared once, and imports at start are light."""

from __future__ import annotations

import ast
import builtins
import math
import re
import subprocess
import sys
from pathlib import Path

import accord
from accord.doors.functions.stub import stub

SOURCE = Path(accord.__file__).parent
# From bottom to top. See docs/architecture.md.
LAYERS = ("core", "data", "measures", "answers", "doors")
TOP = {"__init__.py", "__init__.pyi", "__main__.py", "_version.py", "errors.py", "py.typed"}
NO_CODE = {"pages", "schemas"}  # texts, and the schema of the outputs


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


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
    """Return the modules of accord that are imported below the top level."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nested = (inner for outer in tree.body for inner in ast.walk(outer) if inner is not outer)
    return {n.module for n in nested if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith("accord.")}


def test_every_module_is_in_a_layer() -> None:
    found = {path.name for path in SOURCE.iterdir() if path.name != "__pycache__"}
    assert found == {*LAYERS, *TOP, *NO_CODE}


def test_layers_import_only_lower_layers() -> None:
    for path in (p for layer in LAYERS for p in (SOURCE / layer).rglob("*.py")):
        allowed = LAYERS[: LAYERS.index(layer_of(path)) + 1]
        for module in imports(path):
            imported = module.split(".")[1]
            assert imported in {*allowed, "_version"}, f"{path.relative_to(SOURCE)} imports {module}"


def test_answers_import_no_classes_of_measures() -> None:
    """Answers use the interface in measures/measure.py."""
    families = tuple(f"accord.measures.{family}" for family in ("items", "scales", "units", "segmentations", "texts"))
    presenting = {
        "align.py",
        "converting.py",
        "limits.py",
        "plot.py",
        "score.py",
    }  # they show or write results of one kind of measure
    for path in (SOURCE / "answers").glob("*.py"):
        found = {module for module in imports(path) if module.startswith(families)}
        assert not found or path.name in presenting, f"{path.name} imports {found}"


def test_functions_of_measures_import_only_compiled_kernels() -> None:
    """Kernels are imported late, because compiling takes time."""
    families = ("items", "scales", "units", "segmentations", "texts", "chains")
    for folder in (*(f"measures/{family}" for family in families), "answers/simulate"):
        for path in (SOURCE / folder).rglob("*.py"):
            for module in imports_within(path):
                kernel = SOURCE.joinpath(*module.split(".")[1:]).with_suffix(".py")
                assert "accord.core.compiled" in imports(kernel), f"{path.name} imports {module} in a function"


def test_architecture_page_names_every_layer_and_package() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = (path.parent.name for layer in LAYERS for path in (SOURCE / layer).glob("*/__init__.py"))
    for name in (*LAYERS, *packages):
        assert f"{name}/" in page, name


def test_public_names_exist() -> None:
    for name in dir(accord):
        assert getattr(accord, name) is not None
    for cls in accord.MEASURES:
        assert cls.name in dir(accord)
        assert getattr(accord, cls.name).__name__ == cls.name


def test_public_names_are_written_once() -> None:
    public = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="ascii"))
    names = [
        (alias.name, alias.asname) for line in public.body if isinstance(line, ast.ImportFrom) for alias in line.names
    ]
    assert sorted(name for name, _ in names) == dir(accord)
    assert all(name == exported for name, exported in names)


def test_star_import_shadows_no_builtin_and_no_name_of_math() -> None:
    names = {**vars(builtins), **vars(math)}
    before = dict(names)
    exec("from accord import *", names)  # noqa: S102 - a star import is only allowed in a module
    assert all(names[name] is value for name, value in before.items())
    assert set(dir(accord)) - set(names) == set()
    assert set(dir(accord)) - set(accord.__all__) == {"gamma", "map", "pi"}


def test_stub_of_the_functions_is_up_to_date() -> None:
    written = (SOURCE / "doors" / "functions" / "__init__.pyi").read_text(encoding="utf-8")
    assert written == stub(), "run `make stub`"


def test_command_line_starts_without_heavy_imports() -> None:
    code = "import accord.doors.cli, sys; print(sorted({'numpy', 'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert out.stdout.strip() == "[]"


def test_files_are_written_in_one_place() -> None:
    """core/writing.py writes all files for users. The other modules write temporary files."""
    writes = re.compile(r"\.write_(text|bytes)\(|open\([^)]*\"[wax]b?\+?\"")
    found = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py") if writes.search(p.read_text("utf-8"))}
    aside = {"answers/converting.py", "data/io/opening.py", "data/io/tables/delimited.py", "data/io/tables/sources.py"}
    own = {
        "doors/cli/output.py",
        "doors/functions/stub.py",
    }  # /dev/null; `make stub`
    own |= {"doors/serving/projects.py"}  # uploads, into a private folder
    assert found == {"core/writing.py", *aside, *own}
