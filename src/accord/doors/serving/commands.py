"""Names of the page's own files: the second upload of a comparison, and decisions about a variable."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

SECOND = "second-upload"  # the folder of the second upload; an unlikely name for a user's folder
DECISIONS = "decisions.csv"  # in the format of `accord gold --decisions`
_ABOUT = "decisions-about-"  # prefix of decisions about one of several variables
_LONGEST = 60  # characters of a variable in the name of a file


def decisions_about(reading: Mapping[str, Any]) -> str:
    """Return the decisions file of a variable. Each variable has its own file because their keys are equal."""
    label: Any = reading.get("label") or ()
    if isinstance(label, str) or len(label) != 1:
        return DECISIONS
    plain = re.sub(r"[^\w-]", "_", str(label[0]))[:_LONGEST]
    digest = hashlib.sha256(str(label[0]).encode()).hexdigest()[:8]
    own = plain == label[0] == plain.lower()  # some systems do not distinguish upper and lower case
    return f"{_ABOUT}{plain}.csv" if own else f"{_ABOUT}{plain}-{digest}.csv"


def holds_decisions(path: str) -> bool:
    """Whether a file with this name contains decisions instead of data."""
    return path == DECISIONS or ("/" not in path and path.startswith(_ABOUT) and path.endswith(".csv"))
