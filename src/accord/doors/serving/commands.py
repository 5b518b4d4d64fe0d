"""What the page's files are called: the second upload of a comparison, and decisions about a variable."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

SECOND = "second-upload"  # the folder of the other upload, to compare with; a name that no folder of a user has
DECISIONS = "decisions.csv"  # what a person decided, as `accord gold --decisions` reads it
_ABOUT = "decisions-about-"  # one of several variables
_LONGEST = 60  # characters of a variable in the name of a file


def decisions_about(reading: Mapping[str, Any]) -> str:
    """The file of decisions about the variable that is read: those about another would have the same keys."""
    label: Any = reading.get("label") or ()
    if isinstance(label, str) or len(label) != 1:
        return DECISIONS
    plain = re.sub(r"[^\w-]", "_", str(label[0]))[:_LONGEST]
    digest = hashlib.sha256(str(label[0]).encode()).hexdigest()[:8]
    own = plain == label[0] == plain.lower()  # else some system takes two names for one
    return f"{_ABOUT}{plain}.csv" if own else f"{_ABOUT}{plain}-{digest}.csv"


def holds_decisions(path: str) -> bool:
    """Whether a file of this name is no data, but what a person decided."""
    return path == DECISIONS or ("/" not in path and path.startswith(_ABOUT) and path.endswith(".csv"))
