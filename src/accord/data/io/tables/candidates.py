"""A long table in which several columns are called like the item, or like the annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.core.arrays import ascending
from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.roles import ANNOTATOR, COULD_BE_ANNOTATORS, ITEM, Roles, plain_name


def several_candidates(roles: Roles, header: Sequence[str], how: Reading) -> tuple[list[str], list[str]]:
    """The columns that may be the annotator, and those that may be the item, by their names."""
    free = [h for h in header if h not in roles.labels and h not in how.needed]
    who = [h for h in free if plain_name(h) in ANNOTATOR]
    certain = [h for h in who if plain_name(h) not in COULD_BE_ANNOTATORS]
    what = [h for h in free if plain_name(h) in ITEM and h not in who]
    return ([] if how.annotator else certain or who), ([] if how.item else what)


def chosen_among(
    roles: Roles, who: Sequence[str], what: Sequence[str], columns: Mapping[str, Column], where: str
) -> Roles:
    """The annotator and the item, where columns say the same or values tell; else it must be said."""
    annotator, item = roles.annotator, roles.item
    if len(who) > 1:
        if not all(_same(columns[who[0]], columns[other]) for other in who[1:]):
            raise DataError(f"{where}: {_named(who)} may be the annotator: say --annotator")
        annotator = annotator if annotator in who else who[0]
    if len(what) > 1 and annotator is not None:
        by = columns[annotator]
        fitting = [
            name for name in what if _once(columns[name], by) and len(columns[name].names) < len(columns[name].codes)
        ]
        if not all(_same(columns[fitting[0]], columns[other]) for other in fitting[1:]):
            raise DataError(f"{where}: {_named(fitting)} may be the item: say --item")
        item = item if item in fitting or not fitting else fitting[0]
    return replace(roles, annotator=annotator, item=item)


def refuse_numbers_of_rows(roles: Roles, columns: Mapping[str, Column], where: str) -> None:
    """An item that comes in one row alone is the row, where another column tells what several annotators labelled."""
    assert roles.item is not None and roles.annotator is not None  # noqa: S101, PT018
    item, by = columns[roles.item], columns[roles.annotator]
    if len(item.names) < len(item.codes) or len(by.names) < 2:
        return
    rest = [name for name in columns if name not in {roles.item, roles.annotator}]
    other = next((n for n in rest if _once(columns[n], by) and 2 * len(columns[n].names) <= len(item.codes)), None)
    if other is not None:
        raise DataError(
            f"{where}: column {quoted(roles.item)} is different in every row: say --item {quoted(other)} if that is "
            "what annotators labelled"
        )


def _named(names: Sequence[str]) -> str:
    return f"{', '.join(map(quoted, names[:-1]))} and {quoted(names[-1])}"


def _same(a: Column, b: Column) -> bool:
    """Whether two columns tell the same rows apart."""
    return _pairs(a, b) == len(a.names) == len(b.names)


def _once(item: Column, annotator: Column) -> bool:
    """Whether no annotator has the same item twice."""
    return _pairs(item, annotator) == len(item.codes)


def _pairs(a: Column, b: Column) -> int:
    return len(ascending(a.codes.astype(np.int64) * (len(b.names) + 1) + b.codes))
