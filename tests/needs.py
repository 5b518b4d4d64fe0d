"""Requirements of tests. Tests without their requirement are skipped and counted.

`python -m tests.needs` prints missing requirements; `make test-slow` runs it first.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"
_DEBIAN = (Path("/usr/sbin"), *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))


@dataclass(frozen=True)
class Program:
    """A program with its possible names and its Debian package."""

    title: str
    names: tuple[str, ...]
    package: str

    @property
    def path(self) -> str | None:
        folders = os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)])
        return next((found for name in self.names if (found := shutil.which(name, path=folders))), None)

    @property
    def reason(self) -> str:
        return f"needs {self.title} (Debian package: {self.package})"

    def skip_if_missing(self) -> pytest.MarkDecorator:
        return pytest.mark.skipif(self.path is None, reason=self.reason)


CHROMIUM = Program("Chromium", ("chromium", "chromium-browser", "google-chrome"), "chromium")
PDFLATEX = Program("pdflatex", ("pdflatex",), "texlive-latex-recommended")
BIBTEX = Program("bibtex", ("bibtex",), "texlive-binaries")
POSTGRESQL = Program("a PostgreSQL server", ("initdb",), "postgresql")
MARIADB = Program("a MariaDB server", ("mariadb-install-db",), "mariadb-server")
PROGRAMS = (CHROMIUM, PDFLATEX, BIBTEX, POSTGRESQL, MARIADB)
NO_CORPORA = "needs ../shared/corpora"


def missing() -> list[str]:
    """Return the missing requirements of this machine."""
    reasons = [program.reason for program in PROGRAMS if program.path is None]
    return reasons if CORPORA.exists() else [*reasons, NO_CORPORA]


if __name__ == "__main__":
    for each in missing():
        print(f"Skipped here: every test that {each}")  # noqa: T201
