"""Rates as people say them: 1 in 5, a third."""

from __future__ import annotations

from fractions import Fraction

_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth",
          10: "tenth"}  # fmt: skip
_NEAR = 0.08  # of the value
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def one_in(rate: float, thing: str) -> str:
    """0.2 → "1 unit in 5"; 0.286 → "2 units in 7"."""
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    if rate <= 0:
        return f"no {thing}"
    if rate >= 0.95:
        return f"every {thing}"
    if rate < 0.1:
        return f"1 {thing} in {round(1 / rate)}"
    near = _simple(rate)
    return f"{near.numerator} {thing if near.numerator == 1 else plural} in {near.denominator}"


def part_of(share: float, thing: str) -> str:
    """0.33 → "a third of a unit"."""
    if share >= 0.95:
        return f"{share:z.1f} times the length of a {thing}"
    if share < 0.08:
        return f"{share:.1%} of a {thing}"
    near = _simple(share)
    part = _PARTS[near.denominator]
    if near.numerator == 1:
        return f"half a {thing}" if near.denominator == 2 else f"a{'n' if part[0] == 'e' else ''} {part} of a {thing}"
    return f"{_COUNTS[near.numerator]} {part}s of a {thing}"


def _simple(value: float) -> Fraction:
    """The fraction with the smallest denominator that is near enough."""
    for below in range(2, 10):
        near = Fraction(round(value * below), below)
        if near.denominator > 1 and abs(float(near) - value) <= _NEAR * value:
            return near
    return Fraction(value).limit_denominator(10)


def number(n: int) -> str:
    """Small numbers as words."""
    return _COUNTS[n] if 0 <= n < len(_COUNTS) else f"{n:,}"
