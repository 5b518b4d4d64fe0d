"""Check a release: `python -m audit.release v1.2.3`. With `--notes`, print the release notes.

The tag, the version, the changelog and CITATION.cff must agree, and the changelog must have a date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_HEADING = re.compile(r"(?m)^## (?P<version>\S+) – (?P<date>.+)$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def trouble(tag: str, root: Path = ROOT) -> list[str]:
    """Return the problems of a release."""
    found = re.search(r'__version__ = "(.+)"', (root / "src/accord/_version.py").read_text(encoding="utf-8"))
    version = found[1] if found else ""
    cited = re.search(r"(?m)^version: (\S+)$", (root / "CITATION.cff").read_text(encoding="utf-8"))
    newest = _HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    made = []
    if tag != f"v{version}":
        made.append(f"the tag is {tag}, but the version in src/accord/_version.py is {version}")
    if cited is None or cited[1] != version:
        made.append(f"CITATION.cff does not have version: {version}")
    if newest is None or newest["version"] != version:
        made.append(f"CHANGELOG.md does not begin with {version}")
    elif not _DATE.fullmatch(newest["date"]):
        made.append(f'CHANGELOG.md has "{newest["date"]}" for {version} instead of a date')
    return made


def notes(root: Path = ROOT) -> str:
    """Return the newest section of the changelog without its heading."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *later = _HEADING.finditer(text)
    return text[first.end() : later[0].start() if later else len(text)].strip() + "\n"


def main() -> None:
    tag, *wanted = sys.argv[1:]
    found = trouble(tag)
    if found:
        sys.exit("release: " + "; ".join(found))
    if wanted == ["--notes"]:
        sys.stdout.write(notes())


if __name__ == "__main__":
    main()
