"""Sentences and their references before they are text: every output says in its own way what is italic, or cited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from accord.core.errors import UnknownName

Form = Literal["plain", "italic", "cited"]


@dataclass(frozen=True)
class Phrase:
    """A few words. What is cited has the keys of its works beside the words, ` (Mathet et al., 2015)`."""

    text: str
    form: Form = "plain"
    keys: tuple[str, ...] = ()


Paragraph = tuple[Phrase, ...]


@dataclass(frozen=True)
class PrintedReference:
    """A work as it stands in a list of references, and as an entry of BibTeX."""

    key: str
    phrases: Paragraph
    bibtex: str

    @property
    def text(self) -> str:
        return as_text(self.phrases)


@dataclass(frozen=True)
class Prose:
    """Paragraphs, and the works that they cite."""

    paragraphs: tuple[Paragraph, ...]
    references: tuple[PrintedReference, ...] = ()


def as_text(paragraph: Paragraph) -> str:
    return "".join(phrase.text for phrase in paragraph)


def joined(paragraphs: list[Paragraph], between: str) -> Paragraph:
    """One after the other, with something between them."""
    made: list[Phrase] = []
    for k, paragraph in enumerate(paragraphs):
        made += [Phrase(between), *paragraph] if k else paragraph
    return tuple(made)


@dataclass(frozen=True)
class Style:
    """How numbers are set. APA: two decimals, no zero before the point where a number cannot exceed 1."""

    name: str
    digits: int
    zero: bool  # before the point
    italics: bool  # of p, SE and the like

    def number(self, number: float, bounded: bool = True) -> str:
        """A number; `bounded`: it cannot exceed 1."""
        return self.set(f"{number:z.{self.digits}f}", bounded)

    def limits(self, low: float, high: float, bounded: bool = True) -> str:
        return f"[{self.number(low, bounded)}, {self.number(high, bounded)}]"

    def set(self, shown: str, bounded: bool = True) -> str:
        """A number, or several, that were rounded already."""
        return re.sub(r"(?<![\d.])0(?=\.\d)", "", shown) if bounded and not self.zero else shown


STYLES: tuple[Style, ...] = (Style("plain", 3, zero=True, italics=False), Style("apa", 2, zero=False, italics=True))
PLAIN = STYLES[0]


def style_named(name: str) -> Style:
    for style in STYLES:
        if style.name == name:
            return style
    raise UnknownName("style", name, [style.name for style in STYLES])
