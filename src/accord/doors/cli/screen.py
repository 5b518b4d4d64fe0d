"""Screens that cannot show every sign: what they cannot show is escaped, so that two names never look like one."""

from __future__ import annotations

import codecs
import sys

_RULE = "─"
_HANDLER = "accord.escaped"


def escape_what_cannot_be_shown() -> None:
    """Zoë and Zoê are Zo\\xeb and Zo\\xea on a screen of ASCII, not both Zo?."""
    codecs.register_error(_HANDLER, escaped)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


def escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """By backslashes; the rule of a table, a line of nothing else, is drawn with hyphens."""
    if isinstance(error, UnicodeEncodeError):
        left = error.object[: error.start].rpartition("\n")[2]
        right = error.object[error.end :].partition("\n")[0]
        if not f"{left}{error.object[error.start : error.end]}{right}".strip(f"{_RULE} "):
            return "-" * (error.end - error.start), error.end
    return codecs.backslashreplace_errors(error)
