"""Sentences with numbers in full precision and names from the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from accord.core.tables import plain, shown

Form = Literal["value", "change", "share", "count", "p", "given"]


@dataclass(frozen=True)
class Number:
    """A number in a sentence: shown rounded, stored in full precision."""

    value: float
    form: Form = "value"

    def __str__(self) -> str:
        if self.form == "count":
            return f"{self.value:,.0f}"
        if not math.isfinite(self.value):
            return "undefined"
        if self.form == "given":  # a number of the data
            return f"{self.value:z.10g}"
        if self.form == "share":
            return f"{self.value:.1%}" if abs(self.value) < 0.1 else f"{self.value:.0%}"
        if self.form == "p":
            return "< 0.001" if self.value < 0.001 else f"= {self.value:.3f}"
        return f"{self.value:+z.3f}" if self.form == "change" else shown(float(self.value))


@dataclass(frozen=True)
class GivenName:
    """The name of an annotator, category or document, exactly as in the data."""

    text: str

    def __str__(self) -> str:
        return self.text


Sentence = tuple[str | Number | GivenName, ...]
_NAMED = 5  # names shown in a list


def signed(number: str) -> str:
    """Replace the hyphen by a minus sign. The data-value attribute keeps the machine-readable number."""
    return number.replace("-", "−")


def sentence_as_text(sentence: Sentence) -> str:
    return "".join(map(str, sentence))


def sentence_as_dict(sentence: Sentence) -> dict[str, Any]:
    """Return the text, and its numbers in full precision."""
    return plain(
        {"text": sentence_as_text(sentence), "numbers": [one.value for one in sentence if isinstance(one, Number)]}
    )


def count(n: int) -> Number:
    return Number(n, "count")


def share(part: float) -> Number:
    return Number(part, "share")


def change(by: float) -> Number:
    return Number(by, "change")


def listed(names: Sequence[str]) -> Sentence:
    """List the first names, and the number of the others."""
    made: list[str | Number | GivenName] = []
    for k, name in enumerate(names[:_NAMED]):
        made += [", ", GivenName(name)] if k else [GivenName(name)]
    more = len(names) - _NAMED
    return (*made, " and ", count(more), " more") if more > 0 else tuple(made)
