"""A table without a column that names annotators: what the values of its columns say about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.counts import refuse_counts
from accord.data.io.tables.evidence import (
    SHARED,
    Seen,
    down_and_across,
    groups_alike,
    pairs_once,
    pooled_share,
    seen,
    unevenness,
)
from accord.data.io.tables.made import doubts, made_from_others, refuse_double_entry, refuse_variables
from accord.data.io.tables.roles import (
    ANNOTATOR,
    NO_VARIABLES,
    ROW_NAMES,
    Roles,
    first_of,
    is_no_name,
    listed,
    plain_name,
    taken_as_item,
)
from accord.data.io.tables.variables import Grid, calls_an_annotator, of_named_annotators, recognised
from accord.data.model.labels import label_name

_MOST_COLUMNS = 1000  # that are compared with each other
_A_FEW = 6  # rows: fewer show no pattern
_ENOUGH = 20  # rows that show whether an annotator uses the labels of others
MANY_ITEMS, MANY_BY_ROW = 10, 2.5  # so many columns, and so many for each row, may be items
_AGREE = 0.3  # agreement that speaks for one side of a table being the items
_AT_ALL, _NEARLY_ALL = 0.1, 0.9


def looked_into(roles: Roles, columns: Mapping[str, Column], how: Reading, where: str) -> Roles:
    """Roles by name, corrected by values: identifiers, long tables, several variables, annotators in rows."""
    known = seen(columns)
    if len(roles.labels) > _MOST_COLUMNS:
        first, *others = (known[name] for name in roles.labels[:_ENOUGH])
        if roles.item is not None or not _identifies(first, others, first=True):
            return roles
        note = taken_as_item(first.name, _why(first))
        return replace(roles, item=first.name, labels=roles.labels[1:], notes=(*roles.notes, note))
    if how.annotators_in == "rows" or roles.layout == "rows":
        return _by_rows(roles, known, how, where)
    if how.layout is None and (found := _as_long(roles, known, where)):
        return found
    nameless = [name for name in roles.labels if not known[name].n and is_no_name(name)]
    roles = replace(roles, labels=tuple(name for name in roles.labels if name not in nameless))
    ids = _identifiers([known[name] for name in roles.labels], roles.item, how, where)
    if how.annotators_in == "columns" and len(roles.labels) - len(ids) < 2:
        ids = []
    item = roles.item or (ids[0] if ids else None)
    rest = [known[name] for name in roles.labels if name not in ids and name != item]
    notes = list(roles.notes)
    if _are_rows(item, rest, known, how, where, by_name=_is_named(roles.item)):
        note = f"each row is an annotator, each of {len(rest)} columns an item (--annotators-in columns to change)"
        return replace(roles, layout="rows", item=item, labels=tuple(one.name for one in rest), notes=(*notes, note))
    said = bool(how.layout or how.annotators_in)
    if not said:
        refuse_double_entry(known.get(item or ""), where)
        refuse_counts(item, rest, [known[name] for name in roles.aside], where)
    made = {} if said else made_from_others(rest, where)
    notes += [f"column {quoted(name)} {what}: not an annotator" for name, what in made.items()]
    annotators, aside = _annotators([one for one in rest if one.name not in made], how, where, notes)
    aside += made
    grid = _grid(annotators, how, where, notes)
    if not said and grid is None:
        refuse_variables(annotators, where)
        notes += doubts(annotators)
    if not said and grid is None and aside:
        refuse_counts(item, annotators, [known[name] for name in (*roles.aside, *aside)], where)
    names = [one.name for one in annotators]
    taken = names if grid is None else [name for cells in grid.values() for name in cells.values()]
    if len(taken) < 2:
        raise DataError(
            f"{where}: fewer than two columns hold labels of annotators ({listed(taken or roles.labels)}); "
            "say --item, --annotator, --label, or --annotators-in columns"
        )
    if item is not None and roles.item is None:
        notes.insert(0, taken_as_item(item, _why(known[item])))
    aside += [name for name in (*ids, *names) if name not in taken and name != item]
    called = [name for name in taken if calls_an_annotator(name)] if grid is None else []
    strange = [name for name in taken if name not in called]
    if len(called) > 1 and 0 < len(strange) <= len(called):
        notes.append(f"{listed(strange)}: annotators as {listed(called)}? Else name those that are with --label")
    return replace(roles, item=item, labels=tuple(taken), notes=tuple(notes), aside=(*roles.aside, *aside), grid=grid)


def _is_named(item: str | None) -> bool:
    """Whether somebody called it an item; what names the rows of a DataFrame may be the annotators."""
    return item is not None and plain_name(item) not in ROW_NAMES


def _by_rows(roles: Roles, known: Mapping[str, Seen], how: Reading, where: str) -> Roles:
    """Rows are annotators, because that is said, or because their names stand in a column called so."""
    names = how.annotator or roles.item or first_of(roles.labels, ANNOTATOR)
    if names is None:
        first, *others = (known[name] for name in roles.labels)
        alike = max((first.likeness(other) for other in others), default=1.0)
        names = first.name if first.never_twice and alike == 0 else None
    items = tuple(name for name in roles.labels if name != names)
    if names is not None and not known[names].never_twice:
        raise DataError(f"{where}: rows are annotators, but their names come twice in column {quoted(names)}")
    alien = [a for a in items if pooled_share([known[a]], [known[b] for b in items if b != a]) < 1]
    if how.annotators_in is None and 2 * len(alien) > len(items):
        raise DataError(f"{where}: no column names the item; say which with --item (columns: {listed(items)})")
    return replace(roles, layout="rows", item=names, labels=items)


def _why(one: Seen) -> str:
    return "its values are all different" if one.never_twice else "its values are hardly ever the same"


def _identifiers(candidates: Sequence[Seen], item: str | None, how: Reading, where: str) -> list[str]:
    """Columns that name rows: their values never come twice, and are no labels of others."""
    found: list[str] = []
    for k, one in enumerate(candidates):
        others = [other for other in candidates if other is not one and other.n]
        first = k == 0 and item is None
        if others and one.n and _identifies(one, others, first):
            found.append(one.name)
        elif first and len(others) > 1 and one.n > 2 and _numbered(one, others) and how.annotators_in != "columns":
            raise DataError(
                f"{where}: column {quoted(one.name)} counts its rows, and its numbers are labels elsewhere; "
                f"say --item {quoted(one.name)}, or --annotators-in columns if it is an annotator"
            )
    return found


def _identifies(one: Seen, others: Sequence[Seen], first: bool) -> bool:
    """Whether a column clearly names rows; `first`: where one looks for names."""
    if not one.never_twice:
        rare = one.n >= _ENOUGH and one.distinct >= _NEARLY_ALL * one.n
        return rare and len(others) > 1 and all(2 * other.distinct <= other.n for other in others)
    if any((one.measures_as(other) or 0.0) >= SHARED for other in others):
        return _numbered(one, others)
    share = pooled_share([one], others)
    if first and share == 0:
        return True
    repeat = any(not other.never_twice for other in others)
    return len(others) > 1 and one.n >= _A_FEW and repeat and share < SHARED


def _numbered(one: Seen, others: Sequence[Seen]) -> bool:
    """It counts rows, and no other column does."""
    return one.counts_up and not any(other.counts_up for other in others)


def _annotators(rest: Sequence[Seen], how: Reading, where: str, notes: list[str]) -> tuple[list[Seen], list[str]]:
    """Columns that share labels; and those that do not, which describe items or rows."""
    if how.annotators_in == "columns":
        return list(rest), []
    aside = [one.name for one in rest if one.counts_again]
    if len(rest) - len(aside) < 2:
        aside = []
    filled = [one for one in rest if one.n and one.name not in aside]
    together = [group for group in groups_alike(filled) if len(group) > 1]
    if not together:
        together = [group for group in groups_alike(filled, _AT_ALL) if len(group) > 1]
    if not together:
        most = max((one.n for one in rest), default=0)
        if most > 2 and len(filled) > 1:
            names = listed([one.name for one in filled])
            raise DataError(
                f"{where}: no two columns share a label ({names}): which are annotators? "
                "Say --item, --annotator, --label for a row per label, or --annotators-in columns"
            )
        return list(rest), aside
    grouped = {name for group in together for name in group}
    odd = []
    for one in filled:
        others = [other for other in filled if other is not one]
        own = pooled_share([one], others)
        measured = any(one.measures_as(other) is not None for other in others)
        if own >= SHARED or (one.name in grouped and (measured or len(filled) < 3)):
            continue
        foreign = all((one.numbers is None) != (other.numbers is None) for other in others)
        if (own == 0 and (one.n >= _A_FEW or foreign)) or one.in_blocks:
            aside.append(one.name)
        elif one.n >= _ENOUGH or (own == 0 and one.n > 2):
            raise DataError(
                f"{where}: few labels of column {quoted(one.name)} are labels of others ({own:.0%}): say --by "
                f"{quoted(one.name)} if it describes the items, or --annotators-in columns if it is an annotator"
            )
        else:
            odd.append(one.name)
    if len(odd) > 1 and 2 * len(odd) >= len(filled):
        raise DataError(
            f"{where}: few labels of {listed(odd)} are labels of others: name the columns of annotators with --label, "
            "or say --annotators-in columns if all are"
        )
    if odd:
        notes.append(f"few labels of {listed(odd)} are labels of others: are all of these columns annotators?")
    return [one for one in rest if one.name not in aside], aside


def _grid(annotators: Sequence[Seen], how: Reading, where: str, notes: list[str]) -> Grid | None:
    """Several variables, if names and labels say so; Ana_1 and Ana_2 are none where trials are compared."""
    if how.annotators_in == "columns" or how.repeats == "trials":
        return None
    verdict = recognised({one.name: one for one in annotators}) if len(annotators) > 3 else None
    if verdict is not None and verdict.grid is not None:
        labelled = {name: cells for name, cells in verdict.grid.items() if plain_name(name) not in NO_VARIABLES}
        grid = labelled or verdict.grid  # text_x and text_y, as a merge of two tables leaves them, are no labels
        number = f"{len(grid)} variables, each scored" if len(grid) > 1 else "1 variable"
        notes.append(f"{number}: {listed(list(grid))}; columns read as '{verdict.pattern}' (choose with --label)")
        return grid
    if verdict is not None and verdict.doubt:
        ways = " or ".join(f"--columns {quoted(pattern)}" for pattern in verdict.doubt)
        names = listed([one.name for one in annotators])
        raise DataError(
            f"{where}: the columns may be several variables of each annotator ({names}); "
            f"say {ways}, or --annotators-in columns if each is an annotator"
        )
    groups = [g for g in groups_alike([one for one in annotators if one.n >= _A_FEW]) if len(g) > 1]
    if len(groups) > 1:
        shown = "; ".join(listed(group) for group in groups[:3])
        raise DataError(
            f"{where}: the columns share labels in {len(groups)} groups ({shown}): name those of one variable with "
            "--label, or say how they are called, e.g. --columns '{annotator}_{label}'"
        )
    return None


def _as_long(roles: Roles, known: Mapping[str, Seen], where: str) -> Roles | None:
    """Three columns, one label per row: whose values say which is the annotator, the item and the label."""
    names = [*((roles.item,) if roles.item else ()), *roles.labels]
    if len(names) != 3:
        return None
    columns = [known[name] for name in names]
    n = len(columns[0].column.codes)
    if n < _A_FEW or any(one.never_twice for one in columns):
        return None
    labels = [
        label
        for who, what, label in permutations(columns, 3)
        if who.name < what.name and _are_entries(who, what, label) and label.name != roles.item
    ]
    if len(labels) != 1:
        return None
    who, what = (one for one in columns if one is not labels[0])
    if roles.item is not None:
        who, what = (who, what) if what.name == roles.item else (what, who)
    else:
        signs = _more_like_annotators(who, what)
        if signs == 0:
            raise DataError(
                f"{where}: a label per row, but which of {quoted(who.name)} and {quoted(what.name)} is the annotator? "
                f"Say --annotator, --item and --label {quoted(labels[0].name)}"
            )
        who, what = (who, what) if signs > 0 else (what, who)
    note = (
        f"a label per row: {quoted(who.name)} taken as the annotator, {quoted(what.name)} as the item, "
        f"{quoted(labels[0].name)} as the label (--annotator, --item, --label to change)"
    )
    return Roles("long", what.name, who.name, (labels[0].name,), (note,))


def _are_entries(who: Seen, what: Seen, label: Seen) -> bool:
    """Whether each pair of the first two comes once, both come often, and neither looks like the third."""
    n = len(who.column.codes)
    if 3 * who.distinct > 2 * n or 3 * what.distinct > 2 * n or label.measured:
        return False
    if any(min(label.share_in(one), one.share_in(label)) >= SHARED for one in (who, what)):
        return False
    return pairs_once(who.column, what.column) > _NEARLY_ALL


def _more_like_annotators(a: Seen, b: Seen) -> int:
    """Above 0 where the first is the annotator: fewer, and with less equal numbers of rows; 0 where signs disagree."""
    fewer = (2 * a.distinct <= b.distinct) - (2 * b.distinct <= a.distinct)
    uneven = [unevenness(one.column) for one in (a, b)]
    less_even = (uneven[0] > 1.5 * uneven[1] + 0.05) - (uneven[1] > 1.5 * uneven[0] + 0.05)
    if named := calls_an_annotator(a.name) - calls_an_annotator(b.name):
        return named
    people = all(calls_an_annotator(label_name(n)) for n in list(a.column.names)[:50]) - all(
        calls_an_annotator(label_name(n)) for n in list(b.column.names)[:50]
    )
    if people * fewer < 0:
        return 0  # a1, a2, …, a30 may be articles
    return people or (fewer + less_even if fewer * less_even >= 0 else 0)


def _are_rows(
    first: str | None, rest: Sequence[Seen], known: Mapping[str, Seen], how: Reading, where: str, by_name: bool
) -> bool:
    """Whether rows are the annotators: by the shape of the table, its names, and where labels agree."""
    names = [one.name for one in rest]
    n = len(rest[0].column.codes) if rest else 0
    if not n or by_name or how.annotators_in or how.layout == "wide" or len(names) < max(MANY_ITEMS, MANY_BY_ROW * n):
        return False
    if all(calls_an_annotator(name) for name in names) or of_named_annotators(names):
        return False
    if first is not None and all(calls_an_annotator(label_name(name)) for name in known[first].column.names):
        return True
    down, across = down_and_across([known[name].column for name in names])
    if max(down, across) < _AGREE or abs(down - across) < _AGREE:
        raise DataError(
            f"{where}: {n} rows and {len(names)} columns of labels: "
            "say --annotators-in rows, or --annotators-in columns"
        )
    return down > across
