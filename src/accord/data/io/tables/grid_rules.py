"""Rules for several variables in a table with columns of annotators: grids such as coder1_tone, coder2_tone, …"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, islice

import numpy as np

from accord.core.errors import DataError
from accord.data.io.tables.assignment import Assignment, rule
from accord.data.io.tables.doubt_rules import refuse_repeated_item
from accord.data.io.tables.evidence import SHARED, Profile, each_group, groups_alike
from accord.data.io.tables.roles import (
    NO_VARIABLES,
    calls_annotators,
    comments_on_labels,
    in_full,
    is_consensus,
    is_person,
    is_question,
    is_settled,
    is_variable,
    listed,
    plain_name,
)
from accord.data.io.tables.variables import (
    Grid,
    GridGuess,
    annotators_with_ending,
    columns_of_named_grid,
    recognise_grid,
    series_of,
)

_LOOKED_AT = 50  # names that show whether a column contains files
_A_FILE = re.compile(
    r"://|^\s*(?:/|www\.)|\.(?:jpe?g|png|gif|webp|tiff?|bmp|wav|mp3|mp4|flac|pdf|txt|html?)$", re.IGNORECASE
)
_REMARKS = {"comment", "comments", "note", "notes", "remark", "remarks", "time", "duration", "seconds"}
_A_FEW = 6  # fewer rows show no pattern
_AT_ALL = 0.1  # share of names that columns of annotators have in common
_MANY_PEOPLE = 10  # annotators of a grid that may be items


@rule("wide", looks_at="names with a numbered annotator", gives="a grid; other columns are set aside")
def keep_named_grid(table: Assignment) -> None:
    """rater1_domain1, rater2_domain1, rater1_domain2 and rater2_domain2 name annotators and variables. Columns without
    an annotator, such as domain1_score, describe the items or follow from the labels.
    """
    if table.is_declared or table.label_columns:
        return
    grid = columns_of_named_grid(table.labels) or annotators_with_ending(
        {name: table.profiles[name] for name in table.labels}
    )
    others = [name for name in table.labels if name not in grid]
    if grid and others:
        table.labels = tuple(name for name in table.labels if name in grid)
        if table.item is None:
            table.item = next((name for name in others if table.profiles[name].never_twice), None)
        table.aside_by_value += [name for name in others if name != table.item]
        table.give("covariate", "its name has no annotator, unlike others", *table.aside_by_value)


@rule("wide", looks_at="names with the same endings; values that never repeat", gives="a refusal")
def refuse_things(table: Assignment) -> None:
    """url_1, face_1, url_2 and face_2: files, addresses or identifiers that differ in all cells show that each row
    lists several things. face_1 and face_2 describe them.
    """
    if table.is_declared or table.label_columns:
        return
    for series in series_of(table.header):
        for stem, of in series.items():
            columns = table.profiled(list(of.values()))
            beside = [other for other, more in series.items() if other != stem and more.keys() >= of.keys()
                      and not calls_annotators(other)]  # fmt: skip
            if (
                beside
                and all(map(_names_things, columns))
                and not any(a.share_in(b) for a, b in combinations(columns, 2))
            ):
                _refuse_descriptions(table, columns, [list(series[other].values()) for other in beside])


def _refuse_descriptions(table: Assignment, things: Sequence[Profile], beside: Sequence[Sequence[str]]) -> None:
    repeated = [names for names in beside if not any(table.profiles[name].never_twice for name in names)]
    names = next(iter(repeated), beside[0])
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed([p.name for p in things])} name different things in each row, so {listed(names)} may "
        "describe these things and not be labels by several annotators; write one row per thing, or use "
        f"{' '.join(f'--label {in_full(name)}' for name in names)} if these columns are annotators",
    )


def _names_things(profile: Profile) -> bool:
    """Whether a column contains files, addresses or identifiers: never twice, and no measurements or texts."""
    words = re.split(r"[\W_\d]+", profile.name.lower())
    if not profile.never_twice or profile.n < _A_FEW or profile.is_text or not _REMARKS.isdisjoint(words):
        return False
    if profile.numbers is not None:
        return bool((np.diff(profile.numbers) > 0).all() and (profile.numbers % 1 == 0).all())
    return all(_A_FILE.search(str(name)) for name in islice(profile.column.names, _LOOKED_AT))


@rule("wide", looks_at="parts of names; which labels columns share; agreement (variables.py)", gives="a grid")
def find_variables(table: Assignment) -> None:
    """Columns of one variable share labels and agree; columns of different variables do not. If trials are compared,
    Ana_1 and Ana_2 are trials and not variables.
    """
    if table.in_columns or table.how.repeats == "trials":
        return
    annotators = table.profiled(table.labels)
    guess = recognise_grid({profile.name: profile for profile in annotators}) if len(annotators) > 3 else None
    if guess is not None and guess.grid is not None:
        _refuse_items_as_annotators(table, guess)
        _refuse_slots(table, guess.grid)
        _refuse_unnumbered(table, guess.grid)
        labelled = {
            name: of
            for name, of in guess.grid.items()
            if plain_name(name) not in NO_VARIABLES and not _measures_confidence(table, name, list(of.values()))
        }
        told = [column for name, of in guess.grid.items() if name not in labelled for column in of.values()]
        if labelled and told:
            table.give("covariate", "it tells of the labels beside it", *told)
        table.grid = grid = _without_consensus(
            table, labelled or guess.grid
        )  # text_x and text_y come from joining tables
        number = f"{len(grid)} variables, each scored" if len(grid) > 1 else "1 variable"
        table.notes.append(f"{number}: {listed(list(grid))}; columns read as '{guess.pattern}' (select with --label)")
        return
    if guess is not None and guess.doubt:
        ways = " or ".join(f"--columns {in_full(pattern)}" for pattern in guess.doubt)
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns may be several variables per annotator ({listed(table.labels)}); use {ways}, "
            f"or {table.options_naming(table.labels)} if each column is an annotator",
        )
    groups = [
        group for group in groups_alike([profile for profile in annotators if profile.n >= _A_FEW]) if len(group) > 1
    ]
    if len(groups) > 1:
        shown = "; ".join(listed(group) for group in groups[:3])
        composed = all(re.search(r"\w[\W_]+\w", name) for name in table.labels)
        described = "; or describe their names with --columns PATTERN, e.g. '{annotator}_{label}'" if composed else ""
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns form {len(groups)} groups with different labels ({shown}); name the columns "
            f"of one variable: {each_group(annotators)}{described}",
        )


def _measures_confidence(table: Assignment, variable: str, columns: list[str]) -> bool:
    """Whether a variable has the confidence of labels in decimal numbers, as models give it: gpt4_confidence."""
    numbers = [profile.numbers for profile in table.profiled(columns)]
    return comments_on_labels(variable) and all(n is not None and bool((n % 1 != 0).any()) for n in numbers)


def _without_consensus(table: Assignment, grid: Grid) -> Grid:
    """Leave out the columns of a consensus, such as FINAL beside AE and MK, if two annotators are left."""
    people = dict.fromkeys(who for of in grid.values() for who in of)
    agreed = [who for who in people if is_consensus(who)]
    if not agreed or len(people) - len(agreed) < 2:
        return grid
    columns = [name for of in grid.values() for who, name in of.items() if who in agreed]
    table.give("covariate", "its name means a consensus", *columns)
    return {variable: {who: name for who, name in of.items() if who not in agreed} for variable, of in grid.items()}


def _refuse_items_as_annotators(table: Assignment, guess: GridGuess) -> None:
    """Refuse a grid without names of items and with many unusual names: rows may be annotators, and columns items."""
    grid = guess.grid or {}
    people = {who for of in grid.values() for who in of}
    many = max(people, set(grid), key=len)
    rows = len(table.columns[table.header[0]].codes)
    if table.item is not None or len(many) < max(_MANY_PEOPLE, rows / 3) or 2 * sum(map(_is_usual, many)) > len(many):
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: no column names the rows, and {listed(sorted(many))} may be items with several columns each; "
        "if each row is an annotator, write one row per label with the columns item, annotator and a column per "
        f"variable; if each row is an item, use --columns {in_full(guess.pattern)}",
    )


def _refuse_slots(table: Assignment, grid: Grid) -> None:
    """Refuse a grid whose annotators are columns of names: judge2 beside judge2_score. The names are the annotators."""
    people = {who for of in grid.values() for who in of}
    named = [p for p in table.profiles.values() if p.name in people and p.numbers is None and p.distinct > 1]
    if len(named) < 2 or not all(a.likeness(b) >= _AT_ALL for a, b in combinations(named, 2)):
        return
    columns = listed([name for of in grid.values() for name in of.values()][:2])
    raise DataError(
        "roles-unclear",
        f"{table.where}: the annotators are named in {listed([p.name for p in named])}, and differ from row to row in "
        f"columns such as {columns}; write one row per label with the columns item, annotator, label",
    )


def _refuse_unnumbered(table: Assignment, grid: Grid) -> None:
    """Refuse tone beside tone1 and tone2: the column without a number may be a further annotator or the consensus."""
    bare = [name for name in grid if name in table.header and not is_settled(name)]
    alike = [name for name in bare if all(
        table.profiles[name].likeness(table.profiles[other]) >= SHARED for other in grid[name].values())]  # fmt: skip
    if not alike or 2 * len(alike) < len(grid):
        return
    name = alike[0]
    numbered = list(grid[name].values())
    ignored = " ".join(f"--role {in_full(f'{other}=ignore')}" for other in alike)
    every = " ".join(f"--label {in_full(other)}" for other in (name, *numbered))
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(alike)} may be the labels of a further annotator, or the consensus of "
        f"{listed(numbered)}; use {ignored} ({len(numbered)} annotators), or {every} ({len(numbered) + 1} annotators "
        "of one variable)",
    )


def _is_usual(name: str) -> bool:
    """Whether a name may be a person or a variable."""
    return is_person(name) or is_variable(name) or not any(map(str.isdigit, name))


@rule("wide", looks_at="names", gives="a refusal")
def refuse_variables(table: Assignment) -> None:
    """tone and frame are not names of annotators. They are two answers of one annotator. Q1 and Q2 are questions, which
    annotators in rows may have answered. Columns include_AB and include_CD differ only in the annotator.
    """
    if table.is_declared or table.grid is not None or len(table.labels) < 2:
        return
    if len(table.labels) > 2 and all(map(is_question, table.labels)):
        rows, many = len(table.columns[table.labels[0]].codes), len(table.labels)
        name = table.item or next(iter(table.identifiers), None)
        who = f" --annotator {in_full(name)}" if name is not None else ""
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns have names of questions or items ({listed(table.labels)}); use "
            f"--annotators-in rows{who} if each row is an annotator ({many} items, {rows} annotators), or "
            f"{table.options_naming(table.labels)} if each column is an annotator ({rows} items, {many} "
            "annotators)",
        )
    named_alike = any(len(of) == len(table.labels) for series in series_of(table.labels) for of in series.values())
    if all(map(is_variable, table.labels)) and not named_alike:
        refuse_repeated_item(table)
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns have names of variables ({listed(table.labels)}); use --item COLUMN "
            "--annotator COLUMN --label COLUMN if each row has the answers of one annotator, or "
            f"{table.options_naming(table.labels)} if each column is an annotator",
        )
