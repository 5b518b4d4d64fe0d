"""Check the built packages before publication: `make package`, or `python -m audit.package dist again PYTHON…`.

The wheel contains only the package and its licence, is small, and is reproducible byte by byte. Wheel and sdist can be
installed and used in a new environment outside the repository. If uv and pipx are available, `uvx` and `pipx run` are
tested, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

LARGEST = 2_000_000  # bytes of a wheel
IN_WHEEL = ("accord/py.typed", "accord/__init__.pyi", "accord/pages/alpha.md", "accord/schemas/outputs.json",
            "accord/answers/views/assets/core.js", "accord/answers/reporting/assets/page.css")  # fmt: skip
IN_SDIST = ("pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "src/accord/__init__.py", "tests/conftest.py",
            "studies/harbour.csv")  # fmt: skip
RATINGS = "item,Ana,Ben\n1,a,a\n2,b,b\n3,a,b\n4,b,b\n5,a,a\n6,b,a\n"
SPANS = "doc,annotator,start,end,label\n" + "".join(
    f"d{d},{who},{10 * k + g},{10 * k + 6},{'xy'[k % 2]}\n"
    for d in range(3) for g, who in enumerate(("Ana", "Ben")) for k in range(4)
)  # fmt: skip
COMMANDS = (
    ("--version",), ("score", "ratings.csv", "--json"), ("score", "spans.csv", "-m", "gamma", "-m", "f1"),
    ("report", "spans.csv", "-m", "f1", "-o", "report.html"), ("plot", "ratings.csv", "-o", "plot.svg"),
    ("measures", "kappam.fleiss"), ("schema", "score"), ("formats",),
)  # fmt: skip


def wheel_is_right(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    info = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/"
    odd = [name for name in names if not name.startswith(("accord/", info)) or "__pycache__" in name]
    missing = [name for name in (*IN_WHEEL, f"{info}licenses/LICENSE") if name not in names]
    _check(not odd, f"{wheel.name} contains unexpected files: {odd[:3]}")
    _check(not missing, f"{wheel.name} does not contain {missing}")
    _check(wheel.stat().st_size < LARGEST, f"{wheel.name} is too large: {wheel.stat().st_size:,} bytes")


def sdist_is_right(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [name for name in IN_SDIST if name not in names]
    hidden = [name for name in names if name.startswith(".") and name != ".gitignore"]
    _check(not missing, f"{sdist.name} does not contain {missing}")
    _check(not hidden, f"{sdist.name} contains hidden files: {hidden[:3]}")


def same(first: Path, second: Path) -> None:
    _check(first.read_bytes() == second.read_bytes(), f"{first.name} is not reproducible")


def works(made: Path, python: str) -> None:
    """Install and run a package in a new environment, outside the repository."""
    with tempfile.TemporaryDirectory() as folder:
        _run([python, "-m", "venv", "venv"], folder)
        scripts = Path(folder) / "venv" / ("Scripts" if os.name == "nt" else "bin")
        _run([str(scripts / "python"), "-m", "pip", "--quiet", "install", str(made)], folder)
        smoke([str(scripts / "accord")], folder)
        _run(
            [str(scripts / "python"), "-c", "import accord; assert accord.pi([['a', 'a'], ['b', 'b']]).value == 1"],
            folder,
        )
    print(f"{made.name} works with {python}")  # noqa: T201


def smoke(accord: list[str], folder: str, commands: tuple[tuple[str, ...], ...] = COMMANDS) -> None:
    (Path(folder) / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    (Path(folder) / "spans.csv").write_text(SPANS, encoding="utf-8")
    for command in commands:
        _run([*accord, *command], folder)


def runs_without_installing(wheel: Path) -> None:
    """Run `uvx accord` and `pipx run accord` with the local wheel."""
    beside = Path(sys.executable).parent
    for name, how in (
        ("uvx", ["--from", str(wheel), "accord"]),
        ("pipx", ["run", "--spec", str(wheel), "accord"]),
    ):
        found = shutil.which(name, path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}")
        if found is None:
            print(f"{name} is not installed; skipped")  # noqa: T201
            continue
        with tempfile.TemporaryDirectory() as folder:
            smoke([found, *how], folder, COMMANDS[:2])
        print(f"{name} runs {wheel.name}")  # noqa: T201


def _run(command: list[str], folder: str) -> None:
    clean = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)  # noqa: S603
    _check(done.returncode == 0, f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-500:]}")


def _check(fine: bool, trouble: str) -> None:
    if not fine:
        sys.exit(f"package: {trouble}")


def main() -> None:
    first, second, *pythons = sys.argv[1:]
    (wheel,), (sdist,) = (list(Path(first).resolve().glob(pattern)) for pattern in ("*.whl", "*.tar.gz"))
    wheel_is_right(wheel)
    sdist_is_right(sdist)
    for made in (wheel, sdist):
        same(made, Path(second) / made.name)
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes, {sdist.name}: {sdist.stat().st_size:,} bytes; reproducible")  # noqa: T201
    pythons = pythons or [sys.executable]
    for python in pythons:
        works(wheel, python)
    works(sdist, pythons[0])
    runs_without_installing(wheel)


if __name__ == "__main__":
    main()
