"""Documentation pages that are generated from the package."""

from __future__ import annotations

from pathlib import Path

import generated
from making import which_measure

DOCS = Path(__file__).resolve().parents[1]


def write() -> None:
    """Write all generated pages that changed."""
    which_measure.write(DOCS / "which-measure.md")
    generated.write()  # commands, functions, names of other tools
