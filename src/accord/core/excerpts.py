"""A few words around a place of a text: whole ones, as far as there are blanks between them."""

from __future__ import annotations

from itertools import takewhile

ELLIPSIS = "…"


def before(text: str, start: int, most: int) -> str:
    """What stands before a place, at most so many characters; with … where there is more."""
    low = max(0, start - most)
    if low == 0:
        return text[:start]
    return ELLIPSIS + _from_a_word(text[low - 1 : start])


def behind(text: str, end: int, most: int) -> str:
    """What stands behind a place, as `before` it."""
    high = min(len(text), end + most)
    if high == len(text):
        return text[end:]
    return _from_a_word(text[end : high + 1][::-1])[::-1] + ELLIPSIS


def _from_a_word(piece: str) -> str:
    """Without its first character, which is outside, and the rest of its word; a word that fills all of it stays."""
    letters = sum(1 for _ in takewhile(lambda letter: not letter.isspace(), piece))
    return piece[1:] if letters == len(piece) else piece[letters:].lstrip()


def shortened(text: str, most: int) -> str:
    """The first and the last words of a long text."""
    return text if len(text) <= 3 * most else without_middle(text, most, most)


def without_middle(text: str, head: int, tail: int) -> str:
    """At most so many characters of its beginning and its end."""
    first, last = behind(text, 0, head), before(text, len(text), tail)
    return f"{first.removesuffix(ELLIPSIS).rstrip()} {ELLIPSIS} {last.removeprefix(ELLIPSIS).lstrip()}"
