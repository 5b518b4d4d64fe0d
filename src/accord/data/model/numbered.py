"""Names that are numbers, and are not stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """Names 1…n that nobody has to store."""

    n: int

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < self.n:
            raise IndexError(index)
        return str(index + 1)


class Unnamed(Numbered):
    """Numbers of distinct rows of labels, whose items nobody named."""
