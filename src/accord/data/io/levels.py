"""The level of measurement of every variable: stated by the user, by the file or a codebook, or shown by labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.core.errors import SpecError, UnknownName
from accord.data.model.data import Data
from accord.data.model.measurement import parse_levels
from accord.data.model.ratings import Ratings


def with_levels(variables: Mapping[str, Data], given: Sequence[str]) -> dict[str, Data]:
    """Return the variables with their levels. The user's statement comes before that of the file."""
    stated = parse_levels(given)
    for name in stated:
        if name and name not in variables:
            raise UnknownName("variable", name, tuple(variables))
    made: dict[str, Data] = {}
    for name, data in variables.items():
        level = stated.get(name) or stated.get("")
        if isinstance(data, Ratings):
            made[name] = data.with_level(level)
        elif name in stated or (level is not None and len(variables) == 1):
            raise SpecError(
                "option-not-for-data",
                f"--measurement is for labels of items, but these are {data.kind.words}; name the distance in the "
                "measure, for example -m 'gamma(distance=ordinal)'",
            )
        else:
            made[name] = data
    return made
