"""The level of measurement of a variable: what its labels mean, and how accord knows.

The level decides which disagreements are large. It is stated by the user (`--measurement`), by the file (ordered
factors, SPSS measure levels, a codebook), or follows from the labels: words with a known order, decimals, many numbers.
For a short run of whole numbers (1 to 5), labels do not show whether they are codes, grades or amounts. The level is
then assumed, and accord shows the values at the other levels beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.model.labels import Categories, Numbers, as_number, label_name

Level = Literal["nominal", "ordinal", "interval", "ratio", "circular", "binary", "sets", "text", "ranking"]
Basis = Literal["stated", "file", "labels", "assumed"]
LEVELS: tuple[str, ...] = get_args(Level)
NUMBERS = ("interval", "ratio", "circular")  # levels that need numbers
ORDERED = ("ordinal", "interval", "ratio")

MOST_GRADES = 12  # up to 12 whole numbers can be codes or grades; more are amounts
_LONGEST_RUN = 11  # 0 to 10
_OFTEN = 5  # labels per number from which irregular numbers are codes, not measurements
_IN_A_ROW = 3  # steps of 1, which codes with gaps do not have
_LARGE = 1000  # numbers from here on may be identifiers
_LOOKED_AT = 1000
_NUMERIC = 0.6  # share of numbers from which on the other labels may mean missing
_SEVERAL = 0.8  # share of labels that must look like a ranking
_RANKING = re.compile(r"[^<>=]+(?: ?[>=] ?[^<>=]+){2,}")  # m1>m2>m3; A>B is a preference, which is a label
_CODES = re.compile(
    r"(?:^|[\W_])(?:class|category|categories|cat|code|codes|type|topic|cluster|group|intent|emotion|id|kind|genre)"
    r"(?:$|[\W_\d])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Measurement:
    """The level of a variable, how it is known, and why."""

    level: str
    basis: Basis
    reason: str
    period: float | None = None  # circular: the number of steps around
    others: tuple[str, ...] = ()  # assumed: the other levels that the labels may have

    @property
    def known(self) -> bool:
        return self.basis != "assumed"

    def __str__(self) -> str:
        return self.level if self.period is None else f"{self.level}({self.period:g})"

    def in_words(self) -> str:
        """Return the level with its basis: `ordinal (stated)`, `interval (numbers with decimals)`."""
        return f"{self} ({'assumed: ' if not self.known else ''}{self.reason})"

    def to_dict(self) -> dict[str, Any]:
        return {"level": str(self), "basis": self.basis, "reason": self.reason}


# -- stated by the user ----------------------------------------------------------------------------------------------

_STATED = re.compile(r"(\w+)(?:\((\d+(?:\.\d+)?)\))?")


def parse_levels(given: Iterable[str]) -> dict[str, Measurement]:
    """Parse `ordinal`, `tone=ordinal` and `hour=circular(24)`. The key "" is for all variables that are not named."""
    stated: dict[str, Measurement] = {}
    for text in given:
        variable, _, level = text.rpartition("=")
        if variable in stated:
            what = f"of {quoted(variable)} " if variable else ""
            raise SpecError("option-value", f"--measurement: the level {what}is given twice; give it once")
        stated[variable] = parse_level(level)
    return stated


def parse_level(text: str, basis: Basis = "stated", reason: str = "stated") -> Measurement:
    found = _STATED.fullmatch(text.strip().lower())
    name = found[1] if found else text
    if name not in LEVELS:
        raise UnknownName("level of measurement", name, LEVELS)
    period = None if found is None or found[2] is None else float(found[2])
    if period is not None and (name != "circular" or period <= 0):
        raise SpecError("option-value", f"--measurement {text}: only circular has a period, for example circular(24)")
    return Measurement(name, basis, reason, period)


def check_level(level: Measurement, categories: Categories, variable: str) -> None:
    """Refuse a stated level that the labels cannot have, and name what makes it possible."""
    name = level.level
    numeric, named = categories.numeric, f"the labels of {quoted(variable)}"
    if name in {"interval", "ratio"} and not numeric and len(categories):
        values = categories.values
        word = label_name(categories[int(np.argmax(np.isnan(values)))])
        raise DataError(
            "not-a-number",
            f"{named} cannot be {name}, because {quoted(word)} is not a number; use --missing {quoted(word)} if it "
            "means a missing label, or --measurement ordinal with --categories",
        )
    if name in {"ordinal", "circular"} and categories.guessed_order:
        raise SpecError(
            "option-missing",
            f"{named} are words, and their order is not known; list all of them from lowest to highest: --categories "
            "LOWEST,…,HIGHEST",
        )
    if name == "ratio" and len(categories) and float(categories.values.min()) < 0:
        raise SpecError(
            "option-value",
            f"{named} cannot be ratio, because {categories.values.min():g} is below 0; use --measurement interval",
        )
    if name == "binary" and len(categories) > 2:
        raise SpecError(
            "option-value", f"{named} have {len(categories)} categories, so they are not binary; use nominal or ordinal"
        )
    if name == "sets" and not categories.sets:
        raise SpecError(
            "option-missing",
            f"{named}: no label has several members; name the separator of members with --sets '|'",
        )


# -- from the labels -------------------------------------------------------------------------------------------------


def guess_level(categories: Categories, variable: str, labels: float) -> Measurement:
    """Return the level that the labels show, or the level to assume. `labels` is the number of labels."""
    if categories.sets:
        return Measurement("sets", "labels", "labels are sets of several members")
    if len(categories) <= 2:
        return Measurement("binary", "labels", "two categories" if len(categories) == 2 else "one category")
    return _guess_numbers(categories, variable, labels) if categories.numeric else _guess_words(categories)


def _guess_words(categories: Categories) -> Measurement:
    if _are_rankings(categories):
        return Measurement("ranking", "labels", f"labels are rankings, such as {quoted(categories.names[0])}")
    if categories.scale is None and (odd := _odd_number(categories)) is not None:
        return Measurement("nominal", "assumed", f"{odd}, so accord compares all labels as names")
    if categories.scale is not None:
        return Measurement("ordinal", "labels", categories.scale.reason)
    return Measurement("nominal", "labels", "labels are words without a known order")


# 5%, $10, 1,000, −1 with a typographic minus, 1/5, 12:30, 2024-03-22, 22.03.2024, 1: disagree
_ODD_NUMBER = re.compile(
    r"[$€£−+-]?\s?\d[\d.,  ]*\s?[%$€£]|[$€£−]\s?\d[\d.,]*|\d{1,3}(?:,\d{3})+|\d+/\d+|\d{1,2}:\d{2}(?::\d{2})?"
    r"|\d{4}-\d{2}-\d{2}.*|\d{1,2}\.\d{1,2}\.\d{2,4}|\d+\s?(?:[:=.)]|-)\s?\D.*"
)


def _odd_number(categories: Categories) -> str | None:
    """Return why labels are words, if most of them are numbers or look like numbers."""
    names = [name.strip() for name in categories.names[:_LOOKED_AT]]
    odd = [name for name in names if _ODD_NUMBER.fullmatch(name)]
    words = [name for name in names if name not in set(odd) and np.isnan(as_number(name))]
    if odd and len(words) <= (1 - _SEVERAL) * len(names):
        return f"labels such as {quoted(odd[0])} look like numbers or times but are not plain numbers"
    few = 0 < len(words) <= (1 - _NUMERIC) * len(names)
    return f"{quoted(words[0])} is not a number" if few and len(names) > len(words) + 1 else None


def _guess_numbers(categories: Categories, variable: str, labels: float) -> Measurement:
    values = np.sort(categories.values)  # declared categories may be in another order
    if isinstance(categories.labels, Numbers) or (values % 1 != 0).any():
        decimals = (values % 1 != 0).any()
        return Measurement("interval", "labels", "numbers with decimals" if decimals else "many different numbers")
    with np.errstate(over="ignore"):
        span, steps = float(values[-1] - values[0]), np.diff(values)
    distinct, low, high = len(values), f"{values[0]:.0f}", f"{values[-1]:.0f}"
    regular = bool((steps == steps[0]).all())
    short = span < _LONGEST_RUN or (regular and distinct <= MOST_GRADES)
    often, in_a_row = labels >= _OFTEN * distinct, int((steps == 1).sum())
    if not short and distinct <= MOST_GRADES and often and in_a_row < _IN_A_ROW:
        return Measurement("nominal", "labels", f"numbers with gaps ({_shown(values)}) look like codes")
    if not short and often and (distinct <= MOST_GRADES or (values[0] >= _LARGE and in_a_row < distinct / 2)):
        reason = f"whole numbers from {low} to {high} can be codes or amounts"
        return Measurement("interval", "assumed", reason, others=("nominal", "ordinal"))
    if not short:
        return Measurement("interval", "labels", f"many different whole numbers, {low} to {high}")
    run = f"whole numbers from {low} to {high}"
    if _CODES.search(variable):
        return Measurement(
            "nominal", "assumed", f"{run} can be codes, grades or amounts; the name {quoted(variable)} suggests codes",
            others=("ordinal", "interval"),
        )  # fmt: skip
    return Measurement("ordinal", "assumed", f"{run} can be codes, grades or amounts", others=("nominal", "interval"))


def _shown(values: Floats) -> str:
    return ", ".join(f"{value:.0f}" for value in values[:5]) + (" …" if len(values) > 5 else "")


def _are_rankings(categories: Categories) -> bool:
    names = categories.names
    return sum(bool(_RANKING.fullmatch(name)) for name in names) > _SEVERAL * len(names)
