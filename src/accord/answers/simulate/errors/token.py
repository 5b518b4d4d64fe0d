"""Changes of the segmentation: m · n times a token is split, or merged with one of its neighbours (2016, 6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.errors.wording import one_in
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.grounds.columns import rounded
from accord.answers.simulate.grounds.tokens import TokenGround
from accord.measures.chance.text_edits import Version, Versions, resegmented


@dataclass(frozen=True, repr=False)
class Token(ErrorType):
    """Splits, mergers to the left and to the right alike, one after the other."""

    name: ClassVar[str] = "token"
    aliases: ClassVar[tuple[str, ...]] = ("tokens", "tokenization", "segmentation")
    title: ClassVar[str] = "split and merged tokens"
    source: ClassVar[str] = "Barteld et al. 2016, 7"
    of_texts: ClassVar[bool] = True

    def tokens(
        self,
        versions: Versions,
        ground: TokenGround,  # noqa: ARG002
        magnitude: float,
        rng: np.random.Generator,
    ) -> Versions:
        old, total = versions.whole, len(versions.whole.start)
        many = rng.multinomial(rounded(magnitude * total, rng), versions.units / max(total, 1))
        start, end, first = resegmented(old.start, old.end, versions.first_unit, many, rng)
        whose = np.searchsorted(old.start, start, side="right") - 1  # a token keeps the labels of where it begins
        new = Version(old.letters, start, end, old.labels[whose], np.zeros(len(start), dtype=bool))
        return Versions(new, versions.first_letter, first)

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        return f"split or merge {one_in(magnitude, ground.thing)}"
