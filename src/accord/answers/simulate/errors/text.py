"""Changes of the text: m · n different tokens get a letter more, a letter less, or another letter (2016, 6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import rounded
from accord.answers.simulate.grounds.tokens import TokenGround
from accord.measures.chance.text_edits import Versions, text_changed


@dataclass(frozen=True, repr=False)
class Text(ErrorType):
    """Tokens with another text: insertion, deletion, substitution alike, letters as common as in the reference."""

    name: ClassVar[str] = "text"
    aliases: ClassVar[tuple[str, ...]] = ("letters", "transcription")
    title: ClassVar[str] = "changed letters of tokens"
    source: ClassVar[str] = "Barteld et al. 2016, 7"
    of_texts: ClassVar[bool] = True
    same_text: ClassVar[bool] = False

    def tokens(self, versions: Versions, ground: TokenGround, magnitude: float, rng: np.random.Generator) -> Versions:
        old = versions.whole
        new = text_changed(old, ground.pool, rounded(magnitude * len(old.start), rng), rng)
        grown = np.concatenate([[0], np.cumsum((new.end - new.start) - (old.end - old.start))])
        return Versions(new, versions.first_letter + grown[versions.first_unit], versions.first_unit)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"change the text of {one_in(magnitude, ground.thing)}"
