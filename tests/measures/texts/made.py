"""Texts for tests: random short ones, and a reference of about 3,700 characters and 600 tokens (own words)."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data.model.texts import Texts
from accord.measures.alignment.sequences import Bounded

from .brute import parsed

_WORDS = {
    "DET": "the a this every our some that her",
    "ADJ": "old small green quiet heavy narrow bright early wooden forgotten slow colourful",
    "NOUN": "garden river letter boat window miller road winter bread market bridge lantern field orchard kitchen "
    "ferry lighthouse neighbour workshop",
    "VERB": "carries follows repairs sells remembers crosses discovers mends watches leaves keeps paints",
    "ADP": "under behind near across beyond toward with without",
    "ADV": "slowly again yesterday sometimes carefully together outside",
    "PUNCT": ". ,",
}
WORDS = {tag: listed.split() for tag, listed in _WORDS.items()}
PATTERNS = (
    "DET NOUN VERB DET ADJ NOUN PUNCT",
    "DET ADJ NOUN VERB ADP DET NOUN ADV PUNCT",
    "ADV DET NOUN VERB DET NOUN ADP DET ADJ ADJ NOUN PUNCT",
    "DET NOUN ADP DET NOUN VERB ADV PUNCT",
)
TOKENS = 608


def reference(seed: int = 11) -> tuple[str, list[tuple[int, int]], list[str]]:
    """The text, the tokens, their parts of speech."""
    rng = np.random.default_rng(seed)
    text, spans, tags = "", [], []
    while len(tags) < TOKENS:
        for tag in PATTERNS[rng.integers(len(PATTERNS))].split():
            word = str(rng.choice(WORDS[tag]))
            text += "" if tag == "PUNCT" or not text else " "
            spans.append((len(text), len(text) + len(word)))
            tags.append(tag)
            text += word
    return text, spans[:TOKENS], tags[:TOKENS]


def texts_of(versions: dict[Any, tuple[str, list[tuple[int, int]], list[Any]]], base: str | None = None) -> Texts:
    """{annotator or (doc, annotator): (text, tokens, labels)}; the feature is called pos."""
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "pos": []}
    for key, (_, spans, labels) in versions.items():
        doc, annotator = key if isinstance(key, tuple) else ("document", key)
        for (start, end), label in zip(spans, labels, strict=True):
            for name, value in zip(columns, (doc, annotator, start, end, label), strict=True):
                columns[name].append(value)
    return Texts.of(columns, {key: text for key, (text, _, _) in versions.items()}, base)


def words(text: str) -> list[tuple[int, int]]:
    """The tokens of a text with blanks between them."""
    spans, at = [], 0
    for word in text.split(" "):
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return spans


def random_text(rng: np.random.Generator, size: int, ending: float = 0.35) -> str:
    """Letters a and b; units in braces cover part of the text."""
    made, inside = "", False
    for _ in range(size):
        if not inside and rng.random() < 0.8:
            made, inside = made + "{", True
        made += "ab"[rng.integers(2)]
        if inside and rng.random() < ending:
            made, inside = made + "}", False
    return made + ("}" if inside else "")


def labelled(rng: np.random.Generator, text: str) -> Bounded:
    many = text.count("{")
    found = parsed(text, "".join("ab"[k] for k in rng.integers(2, size=many)))
    return found if many else parsed(text, features=1)


def changed(rng: np.random.Generator, text: str) -> str:
    """Delete some letters and boundaries, and insert some letters."""
    made, inside = "", False
    for sign in text:
        chance = rng.random()
        if chance < 0.03:
            continue
        if chance < 0.06:
            made += "ab"[rng.integers(2)]
        if sign == "{" and inside:
            made += "}"
        if sign == "}" and not inside:
            continue
        inside = sign == "{" if sign in "{}" else inside
        made += sign
    return made + ("}" if inside else "")
