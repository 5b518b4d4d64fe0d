"""What the documentation takes from the package: pages that are made, so that they cannot say anything else."""

from __future__ import annotations

from pathlib import Path

import generated
from making import which_measure

DOCS = Path(__file__).resolve().parents[1]


def write() -> None:
    """All of them, where they changed."""
    which_measure.write(DOCS / "which-measure.md")
    generated.write()  # commands, functions, names of other tools
