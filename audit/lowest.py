"""Print the lowest allowed versions as constraints for pip: `python -m audit.lowest > lowest.txt`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def lowest(project: Path) -> list[str]:
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    lines = [*about["dependencies"], *(one for extra in about["optional-dependencies"].values() for one in extra)]
    found = [re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+),<[\w.]+", line) for line in lines]
    wrong = [line for line, match in zip(lines, found, strict=True) if match is None]
    if wrong:
        sys.exit(f"pyproject.toml: {wrong[0]} needs a lower and an upper bound: name>=1.2,<3")
    return [f"{match[1]}=={match[2]}" for match in found if match is not None]


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in lowest(Path("pyproject.toml"))))
