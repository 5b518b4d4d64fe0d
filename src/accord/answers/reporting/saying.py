"""Sentences with numbers in them that keep their full value, and with names that strangers chose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from accord.core.tables import plain, shown

Form = Literal["value", "change", "share", "count", "p"]


@dataclass(frozen=True)
class Number:
    """A number in a sentence: shown rounded, kept whole."""

    value: float
    form: Form = "value"

    def __str__(self) -> str:
        if self.form == "count":
            return f"{self.value:,.0f}"
        if not math.isfinite(self.value):
            return "undefined"
        if self.form == "share":
            return f"{self.value:.1%}" if abs(self.value) < 0.1 else f"{self.value:.0%}"
        if self.form == "p":
            return "< 0.001" if self.value < 0.001 else f"= {self.value:.3f}"
        return f"{self.value:+z.3f}" if self.form == "change" else shown(float(self.value))


@dataclass(frozen=True)
class Name:
    """What strangers called an annotator, a category, a document: shown as it is."""

    text: str

    def __str__(self) -> str:
        return self.text


Sentence = tuple[str | Number | Name, ...]


def signed(number: str) -> str:
    """With a minus sign, which a hyphen is not; what a program reads is kept beside it."""
    return number.replace("-", "−")


def in_words(sentence: Sentence) -> str:
    return "".join(map(str, sentence))


def as_dict(sentence: Sentence) -> dict[str, Any]:
    """The words, and the numbers in them in full precision."""
    return plain({"text": in_words(sentence), "numbers": [one.value for one in sentence if isinstance(one, Number)]})


def count(n: int) -> Number:
    return Number(n, "count")


def share(part: float) -> Number:
    return Number(part, "share")


def change(by: float) -> Number:
    return Number(by, "change")
