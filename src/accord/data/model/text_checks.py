"""What tokens and texts must be: whole offsets inside the text, one after the other; and what is odd about them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Ints
from accord.core.errors import DataError, counted, quoted
from accord.data.model.graphemes import clusters

Place = Callable[[int], str]

_FARTHEST = 2.0**53  # beyond, floating point does not count by ones


def whole_numbers(values: Any, name: str) -> Ints:
    """Offsets as they come from a user's table."""
    try:
        numbers = np.asarray(values, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([np.nan])
    if not (np.abs(numbers) < _FARTHEST).all() or (numbers != np.rint(numbers)).any():
        raise DataError(f"column {name} of the tokens has something that is not a whole number of characters")
    return numbers.astype(np.int64)


def check_places(version: Ints, start: Ints, end: Ints, sizes: Ints, place: Place) -> None:
    """Of sorted tokens: each inside its text, none over another. `place` says where the k-th of them stands."""
    wrong = np.flatnonzero(end < start)
    if len(wrong):
        k = int(wrong[0])
        raise DataError(f"{place(k)}: end {end[k]} is before start {start[k]}; is the column a length?")
    outside = np.flatnonzero((start < 0) | (end > sizes[version]))
    if len(outside):
        k = int(outside[0])
        size = counted(int(sizes[version[k]]), "character")
        raise DataError(
            f"{place(k)}: {start[k]} to {end[k]} is outside the text, which has {size}; "
            "offsets count code points from 0, of the annotator's own text"
        )
    over = np.flatnonzero((version[1:] == version[:-1]) & (start[1:] < end[:-1]))
    if len(over):
        k = int(over[0])
        raise DataError(
            f"{place(k + 1)}: it starts at {start[k + 1]}, before the token ahead of it ends ({end[k]}); "
            "tokens of one annotator cannot overlap here, use gamma for units that do"
        )


def check_strings(keys: Sequence[tuple[str, str]], strings: Sequence[object]) -> None:
    """A text is text, and has no NUL, which is a sign of bytes read in a wrong way."""
    for (doc, annotator), text in zip(keys, strings, strict=True):
        if not isinstance(text, str):
            raise DataError(f"the text of document {quoted(doc)} by {quoted(annotator)} is no text: {quoted(text)}")
        if "\0" in text:
            raise DataError(
                f"the text of document {quoted(doc)} by {quoted(annotator)} has a NUL at {text.index(chr(0))}: "
                "is it text, and was it read in the right encoding?"
            )


def unicode_notes(version_doc: NDArray[np.integer], strings: Sequence[str]) -> Iterator[str]:
    """Documents whose versions write the same letters in different Unicode forms. Versions are sorted by document."""
    apart = np.array([not text.isascii() and not unicodedata.is_normalized("NFC", text) for text in strings], bool)
    mixed = 0
    for doc in np.unique(version_doc[apart]):
        mine = strings[slice(*np.searchsorted(version_doc, [doc, doc + 1]))]
        union: set[str] = set().union(*(clusters(text) for text in mine)) if len(mine) > 1 else set()
        mixed += any(w != u and w in union for u in union if (w := unicodedata.normalize("NFC", u)) != u)
    if mixed:
        yield (
            f"{counted(mixed, 'document')} with the same letter in two Unicode forms (composed and decomposed): "
            "they count as different; text_gamma(fold_unicode=true) takes them as the same"
        )
