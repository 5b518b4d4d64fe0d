"""Several errors one after the other, each with its part of the magnitude (2012, 3.3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.answers.simulate.errors.base import ErrorType
from accord.answers.simulate.grounds import AnyGround
from accord.core.errors import SpecError, quoted
from accord.core.typed import is_number


@dataclass(frozen=True, repr=False)
class Combination(ErrorType):
    """`combination([shift,category])`: in this order, m/k each; or the `shares` of m that are given."""

    parts: tuple[ErrorType, ...]
    shares: tuple[float, ...] | None = None

    name: ClassVar[str] = "combination"
    aliases: ClassVar[tuple[str, ...]] = ("mixture",)
    title: ClassVar[str] = "several errors one after the other"
    source: ClassVar[str] = "Mathet et al. 2012, 3.3.6"

    def __post_init__(self) -> None:
        given: Any = self.parts
        parts = tuple(given) if isinstance(given, tuple | list) else (given,)
        if not parts or not all(isinstance(part, ErrorType) for part in parts):
            raise SpecError("combination: name the errors it is made of, for example combination([shift,category])")
        object.__setattr__(self, "parts", parts)
        if self.shares is None:
            return
        shares: Any = self.shares
        if not isinstance(shares, tuple | list) or len(shares) != len(parts):
            raise SpecError(f"combination: shares are {len(parts)} numbers, one for each error")
        if not all(_is_share(share) for share in shares):
            raise SpecError(f"combination: a share lies between 0 and 1, and these are {quoted(list(shares))}")
        object.__setattr__(self, "shares", tuple(float(share) for share in shares))

    @property
    def in_place(self) -> bool:  # type: ignore[override]
        return all(part.in_place for part in self.parts)

    @property
    def of_texts(self) -> bool:  # type: ignore[override]
        return any(part.of_texts for part in self.parts)

    @property
    def same_text(self) -> bool:  # type: ignore[override]
        return all(part.same_text for part in self.parts)

    @property
    def single(self) -> tuple[ErrorType, ...]:
        return tuple(one for part in self.parts for one in part.single)

    def magnitudes(self, magnitude: float) -> tuple[float, ...]:
        """Of each part."""
        if self.shares is None:
            return (magnitude / len(self.parts),) * len(self.parts)
        return tuple(magnitude * share for share in self.shares)

    @classmethod
    def fits(cls, ground: AnyGround) -> bool:  # noqa: ARG003 - its parts say more
        return True

    def onto(self, what: Any, ground: AnyGround, magnitude: float, rng: np.random.Generator) -> Any:
        for part, m in zip(self.parts, self.magnitudes(magnitude), strict=True):
            what = part.onto(what, ground, m, rng)
        return what

    def in_words(self, magnitude: float, ground: AnyGround) -> str:
        made = zip(self.parts, self.magnitudes(magnitude), strict=True)
        words = [part.in_words(m, ground) for part, m in made if m > 0]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "make no error"


def _is_share(value: object) -> bool:
    return is_number(value) and 0 <= value <= 1
