"""Sentences with markup and references; each output format renders italics and citations in its own way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from accord.core.errors import UnknownName

Form = Literal["plain", "italic", "cited"]


@dataclass(frozen=True)
class Phrase:
    """A few words. A citation, such as ` (Mathet et al., 2015)`, has the keys of its works."""

    text: str
    form: Form = "plain"
    keys: tuple[str, ...] = ()


Paragraph = tuple[Phrase, ...]


@dataclass(frozen=True)
class PrintedReference:
    """A work as formatted in a list of references, and as a BibTeX entry."""

    key: str
    phrases: Paragraph
    bibtex: str

    @property
    def text(self) -> str:
        return as_text(self.phrases)


@dataclass(frozen=True)
class Prose:
    """Paragraphs and the works that they cite."""

    paragraphs: tuple[Paragraph, ...]
    references: tuple[PrintedReference, ...] = ()


def as_text(paragraph: Paragraph) -> str:
    return "".join(phrase.text for phrase in paragraph)


def joined(paragraphs: list[Paragraph], between: str) -> Paragraph:
    """Join paragraphs with a separator."""
    made: list[Phrase] = []
    for k, paragraph in enumerate(paragraphs):
        made += [Phrase(between), *paragraph] if k else paragraph
    return tuple(made)


@dataclass(frozen=True)
class Style:
    """The style of numbers. APA: two decimals, and no leading zero for numbers that cannot exceed 1."""

    name: str
    digits: int
    zero: bool  # before the point
    italics: bool  # of symbols such as p and SE

    def number(self, number: float, bounded: bool = True) -> str:
        """Format a number; `bounded`: it cannot exceed 1."""
        return self.set(f"{number:z.{self.digits}f}", bounded)

    def limits(self, low: float, high: float, bounded: bool = True) -> str:
        return f"[{self.number(low, bounded)}, {self.number(high, bounded)}]"

    def set(self, shown: str, bounded: bool = True) -> str:
        """Apply the style to text with rounded numbers."""
        return re.sub(r"(?<![\d.])0(?=\.\d)", "", shown) if bounded and not self.zero else shown


STYLES: tuple[Style, ...] = (Style("plain", 3, zero=True, italics=False), Style("apa", 2, zero=False, italics=True))
PLAIN = STYLES[0]


def style_named(name: str) -> Style:
    for style in STYLES:
        if style.name == name:
            return style
    raise UnknownName("style", name, [style.name for style in STYLES])
