"""Rules for what the user states, for names of columns, and for long tables: one row per label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NoReturn

import numpy as np

from accord.core.errors import DataError, UnknownName, quoted
from accord.data.io.tables.assignment import Assignment, rule
from accord.data.io.tables.columns import Column
from accord.data.io.tables.evidence import (
    Profile,
    coded_together,
    comes_once,
    down_and_across,
    fit_of_key,
    groups_alike,
    joined,
    same_within,
    tell_the_same,
)
from accord.data.io.tables.mapping import SIGN
from accord.data.io.tables.pairs import PAIR
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    COULD_BE_ANNOTATORS,
    DOC,
    ITEM,
    LABEL,
    RESPONDENT,
    SUBJECT,
    Roles,
    annotator_columns,
    calls_a_time,
    calls_a_trait,
    comments_on_labels,
    describes_annotators,
    first_of,
    in_full,
    is_called,
    is_identifier,
    is_person,
    is_settled,
    is_stimulus,
    is_system,
    is_variable,
    listed,
    plain_name,
    respondent_of,
)
from accord.data.io.tables.variables import columns_of_named_grid, grid_by_pattern, numbered_annotators, series_of
from accord.data.model.data import Fact

_LABEL_PREFIXES = ("label_", "rating_", "score_", "category_", "answer.")
_SHARED = 0.5  # share of items that several annotators labelled, from which on a column may name the items
_OFTEN = 0.3  # share of rows with a second label from which on a column does not name the items
_FEW_AGAIN = 0.1  # share of rows with a second label from which on a column hardly names the items
_AGREE = 0.3  # agreement that shows that columns are items
_MOST_PARTS = 3  # columns that name the items together
_COMPARED = {"model", "system", "candidate", "method"}
_TWO = 2  # systems that a pairwise comparison names
_MOST_CANDIDATES = 12  # columns that are tried together
_MOST_ROWS = 200_000  # rows from which on columns are not tried together
_MOST_WAYS = 3  # columns that a message names with an option
_A_FEW = 6  # fewer rows show no pattern
_PROMPTED = {"prompt", "prompts", "instruction", "response", "responses", "output", "completion", "generation"}
_TEXTS = ("text", "content", "comment", "comments", "note", "notes", "feedback")
_FEW_NUMBERS, _SMALL = 11, 100  # different numbers of a scale, and the largest
_MANY_ITEMS, _MANY_ANNOTATORS = 20, 3  # on which a variable of annotators would differ


# -- What the user states --


@rule(None, looks_at="the first line", gives="a refusal")
def refuse_unclear_header(table: Assignment) -> None:
    """If the first line may be a header row or data, the names of columns are unknown."""
    how = table.how
    if getattr(table.source, "unclear", False) and not (how.label or how.item or how.annotator or how.annotators_in):
        raise DataError(
            "header-row",
            f"{table.where}:1: the first row may be data or names of columns ({listed(table.header)}); use "
            "--no-header if it is data, or --annotators-in columns if these are names of annotators",
        )


@rule(None, looks_at="--columns", gives="a grid of annotators and variables; the item")
def read_pattern(table: Assignment) -> None:
    """The user gives the pattern of names in a wide table with several variables. The item is found by its name;
    otherwise it is the first column without repeated values.
    """
    how, header = table.how, table.header
    if how.columns is None:
        return
    table.grid = grid_by_pattern(
        how.columns, [h for h in header if h != how.item and h not in table.needed], table.where
    )
    table.layout, table.settled = "wide", True
    table.labels = tuple(table.annotators)
    taken = set(table.labels)
    rest = [h for h in header if h not in taken]
    if how.item is not None and how.item not in header:
        raise UnknownName("item column", how.item, header)
    never_twice = (h for h in rest if Profile(h, table.source.load([h])[0][h]).never_twice)
    table.item = how.item or first_of(rest, ITEM) or next(never_twice, None)
    table.aside_by_name = tuple(h for h in rest if h != table.item)


@rule(None, looks_at="every row", gives="a refusal")
def refuse_broken_rows(table: Assignment) -> None:
    """A row with too few or too many cells must be corrected first."""
    if table.names_no_annotator:
        _ = table.columns  # loading refuses them


@rule(None, looks_at="--item, --annotator, --label; the format of the file", gives="item, annotator, label")
def take_named_columns(table: Assignment) -> None:
    """The user names the columns, or the file does: exports of known tools and JSON. accord refuses a name that is not
    a column.
    """
    how = table.how
    table.item, table.annotator = how.item, how.annotator
    said = (("item", table.item), ("annotator", table.annotator), *(("label", name) for name in table.label_columns))
    for role, name in said:
        if name is not None and name not in table.header:
            raise UnknownName(f"{role} column", name, table.header)
        table.give(role, f"named with --{role}", name, confidence="declared")
    if how.layout not in {None, "long"} or how.annotators_in or how.anonymous:
        return
    for role in ("item", "annotator"):
        column = getattr(table.source, role, None)
        if isinstance(column, str) and getattr(table, role) is None and column in table.header:
            setattr(table, role, column)
            table.give(role, "the format of the file names it", column, confidence="sure")


@rule(None, looks_at="--anonymous; the format of the file", gives="long, without annotators")
def take_anonymous(table: Assignment) -> None:
    """Rows are labels of unknown annotators. Items have several rows."""
    how = table.how
    if not how.anonymous and not getattr(table.source, "anonymous", False):
        return
    if how.annotator is not None or how.annotators_in is not None:
        if not how.anonymous:
            return
        raise DataError(
            "option-not-for-data",
            f"{table.where}: --anonymous means that no column names the annotators; leave out --anonymous, or "
            "--annotator and --annotators-in",
        )
    taken = {*table.label_columns, *table.needed}
    item = table.item or first_of([h for h in table.header if h not in taken], (*ITEM, *DOC))
    if item is None:
        again = [h for h in table.header if h not in taken and table.has_rows and _repeats(table.profiles[h])]
        ways = _either("--item", again[:_MOST_WAYS]) or "--item COLUMN"
        raise DataError(
            "column-missing",
            f"{table.where}: no column names the item; use {ways} (columns: {listed(table.header)})",
        )
    table.layout, table.item, table.annotator, table.anonymous, table.settled = "long", item, None, True, True
    table.give("item", "rows with the same value are labels of one item", item, confidence="sure")
    rest = [h for h in table.header if h != item and h not in table.needed]
    stated = table.label_columns or tuple(name for name in getattr(table.source, "labels", ()) if name in rest)
    table.labels = stated or tuple(h for h in rest if is_called(h, LABEL)) or _may_be_labels(table, rest)[0]
    if not table.labels:
        _refuse_no_labels(table, rest)
    table.give("label", "a label of an unknown annotator in each row", *table.labels)


def _repeats(profile: Profile) -> bool:
    """Whether most values of a column occur several times, so that it may name items with several labels."""
    return 0 < 2 * profile.distinct <= profile.n


# -- Names of columns: a row per label --


@rule(None, looks_at="names", gives="the annotator")
def find_annotator(table: Assignment) -> None:
    """A column named annotator, rater or coder gives the annotator of each row. A column named expert or model may also
    be one annotator of a wide table, so a column of labels or repeated names must show that rows are labels. If
    coder_1 and coder_2 contain labels, another column such as participant describes the items, and beside columns of
    judges, a column model names what they judged. In an experiment, a subject rates words, images or other stimuli.
    """
    if table.annotator is not None or table.declared_layout == "wide":
        return
    called = [h for h in table.free if is_called(h, ANNOTATOR)]
    sure = [h for h in called if not is_called(h, COULD_BE_ANNOTATORS)]
    table.annotator = first_of(sure or called, ANNOTATOR)
    unsure = not sure and table.declared_layout is None
    labelled = bool(table.label_columns or first_of(table.free, LABEL))
    if table.annotator is not None and unsure and not labelled and not _names_annotators(table, table.annotator):
        table.annotator = None
    if table.annotator is not None and table.has_rows and table.declared_layout is None and not table.label_columns:
        others = {name: table.profiles[name] for name in table.free if name != table.annotator}
        if numbered_annotators(others) or (unsure and _are_judged(table.annotator, others)):
            table.annotator = None
    if table.annotator is None and table.declared_layout is None and table.has_rows:
        respondent = first_of(table.free, RESPONDENT)
        table.annotator = respondent if _names_annotators(table, respondent, rows=1) else None
        if table.annotator is None and (subject := _subject_of_experiment(table)) is not None:
            table.annotator = subject
            table.notes.append(f"{quoted(subject)} is read as the annotator of each row (change with --annotator)")
    table.give("annotator", "its name", table.annotator, confidence="sure")


def _are_judged(name: str | None, others: Mapping[str, Profile]) -> bool:
    """Whether the headers of other columns name the annotators: fluency_rater1, or judges beside a column model."""
    if columns_of_named_grid(list(others)):
        return True
    judges = [p for p in others.values() if is_system(p.name) and 0 < 2 * p.distinct <= p.n]
    model = name is not None and is_called(name, ("model",))
    return model and any(len(group) >= _MANY_ANNOTATORS for group in groups_alike(judges))


def _subject_of_experiment(table: Assignment) -> str | None:
    """Return the column of subjects if each subject rates a stimulus once, and several rate the same."""
    subject = first_of(table.free, SUBJECT)
    if subject is None or subject == table.item or table.several:
        return None
    rest = [h for h in table.header if h != subject and h not in table.needed]
    stimuli = [h for h in rest if is_stimulus(h)]
    by = table.profiles[subject]
    if not stimuli or len(rest) < 2 or by.distinct < 2 or 2 * by.distinct > by.n:
        return None
    beside = [h for h in rest if h not in stimuli and not is_called(h, LABEL) and not calls_a_time(h)]
    if sum(map(is_person, beside)) > 1 or numbered_annotators({h: table.profiles[h] for h in rest}):
        return None  # a column per annotator
    fits = [fit_of_key(table.columns[h], by.column) for h in stimuli]
    return subject if any(fit.once and fit.shared >= _SHARED for fit in fits) else None


def _names_annotators(table: Assignment, name: str | None, rows: int = 3) -> bool:
    """Whether a column repeats names, on average in so many rows, and another has each value once for each of them."""
    if name is None or not table.has_rows:
        return False
    by = table.profiles[name]
    if by.distinct < 2 or rows * by.distinct > by.n or by.measured:
        return False
    others = [h for h in table.header if h != name and h not in table.needed]
    named = [h for h in others if is_called(h, ITEM)]
    return len(others) > 1 and (_named_key(table, named, name) or _found_key(table, others, named, name)) is not None


@rule(None, looks_at="names", gives="the item")
def find_item(table: Assignment) -> None:
    """A column named item, id or sentence gives the item. If there is a column pre, post is a time and not an item."""
    times = first_of(table.free, ("pre",)) is not None
    others = [h for h in table.free if h != table.annotator and not (times and is_called(h, ("post",)))]
    if table.item is None:
        table.item = first_of(others, ITEM)
        table.give("item", "its name", table.item)


@rule(None, looks_at="several files; names", gives="long: the annotator is the file")
def take_file_as_annotator(table: Assignment) -> None:
    """Several files with an item and one label column each, but no annotator, are one annotator each."""
    if not table.several or table.annotator is not None or table.declared_layout == "wide" or table.item is None:
        return
    rest = [h for h in table.free if h != table.item and h not in table.needed and not is_called(h, ASIDE)]
    labels = table.label_columns or tuple(h for h in rest if is_called(h, LABEL))
    if labels or len(rest) == 1:
        table.layout, table.labels = "long", labels or tuple(rest)
        table.notes.append("each file is one annotator, named after the file")


@rule(None, looks_at="a column of annotators", gives="long")
def take_long(table: Assignment) -> None:
    """If a column names annotators, each row is a label."""
    if table.annotator is not None:
        table.layout = "long"
        _choose_annotator(table)


def _choose_annotator(table: Assignment) -> None:
    """If several columns have names of annotators, any of them is used if they are equivalent."""
    if table.how.annotator is not None or not table.has_rows:
        return
    free = [h for h in table.header if h not in table.label_columns and h not in table.how.needed]
    called = [h for h in free if is_called(h, ANNOTATOR)]
    certain = [h for h in called if not is_called(h, COULD_BE_ANNOTATORS)]
    annotators = certain or called
    if len(annotators) < 2 or getattr(table.source, "annotator", None) == table.annotator:
        return
    columns = table.columns
    if not all(tell_the_same(columns[annotators[0]], columns[other]) for other in annotators[1:]):
        rated = [h for h in annotators if not (is_called(h, ("model",)) and table.annotator != h)]
        if len(rated) > 1:
            ways = _either("--annotator", annotators)
            raise DataError("roles-unclear", f"{table.where}: {_and(annotators)} may name the annotator; use {ways}")
    table.annotator = table.annotator if table.annotator in annotators else annotators[0]


@rule(
    "long",
    looks_at="names; which columns, alone or together, have each value once per annotator",
    gives="the item; or rows",
)
def find_item_of_labels(table: Assignment) -> None:
    """An annotator labels an item once, and several annotators label it. If no column has a name of items, a column
    with such values names them, or several columns together. If each annotator has one row, columns may be items.
    """
    if table.annotator is None or table.how.item is not None or getattr(table.source, "item", None) is not None:
        return
    taken = {table.annotator, *table.label_columns, *table.needed}
    free = [h for h in table.header if h not in taken]
    named = [h for h in free if is_called(h, ITEM) and not is_called(h, ANNOTATOR)]
    if not table.has_rows or (table.item is not None and len(free) <= 2 and len(named) < 2):
        table.item = table.item or next((h for h in free if is_called(h, DOC)), None)
        if table.item is None:
            _refuse_without_item(table)
        return
    key = (
        _key_of_pairs(table, named, free)
        or _named_key(table, named, table.annotator)
        or _found_key(table, free, named, table.annotator)
    )
    if key is not None:
        table.item, table.key = SIGN.join(key), tuple(key) if len(key) > 1 else ()
        reason = "values occur once per annotator and are shared by several"
        together = f"{reason}, together with {' and '.join(key[1:])}" if len(key) > 1 else reason
        table.give("item", together, *key)
        if len(key) > 1:
            table.notes.append(f"items are named by {_and(key)} together (change with --item)")
    elif table.item is None:
        _take_rows_or_refuse(table, free)
    elif table.how.repeats == "error":
        _refuse_repeated_item(table, table.item, [h for h in free if h not in named])


def _refuse_repeated_item(table: Assignment, item: str, free: Sequence[str]) -> None:
    """Refuse an item that annotators repeat if another column tells its rows apart: a version, a system, a prompt.

    In a table of one annotator, other tables may share the items.
    """
    by = table.columns[table.annotator or ""]
    alone = table.several and len(by.names) == 1
    alike = fit_of_key(table.columns[item], by)
    if len(by.codes) > _MOST_ROWS or alike.once:
        return
    ways, apart = [], []
    for name in [h for h in free if _may_name_items(table, h) and not table.profiles[h].is_text][:_MOST_CANDIDATES]:
        key = joined([table.columns[item], table.columns[name]])
        fit = fit_of_key(key, by)
        shared = round(fit.shared * len(key.names))
        if fit.once and (shared > 1 or alone):
            several = "" if alone else f" ({shared} items with several labels)"
            ways.append((shared, f"--item {in_full(f'{item}{SIGN}{name}')}{several}"))
        elif fit.once:
            apart.append(name)
    if ways:
        each = " or ".join(way for _, way in sorted(ways)[::-1][:2])
        raise DataError(
            "roles-unclear",
            f"{table.where}: annotators have values of column {quoted(item)} several times, and another column tells "
            f"these rows apart; use {each}, or --item {in_full(item)} --repeats trials if they are repeated labels",
        )
    if apart and not alone and not alike.shared and len(by.names) > 1:
        raise DataError(
            "nothing-shared",
            f"{table.where}: {_and([item, apart[0]])} name the items together, and each item has one annotator, so "
            "there is nothing to compare; add the labels of other annotators for these items",
        )
    _refuse_one_label_each(table, item, by)


def _refuse_one_label_each(table: Assignment, item: str, by: Column) -> None:
    """Refuse a column that annotators repeat often, if a text or identifier is different in every row."""
    often = fit_of_key(table.columns[item], by).again >= _OFTEN
    every = [h for h in table.header if h not in {item, table.annotator}]
    own = [h for h in every if table.profiles[h].never_twice and (table.profiles[h].is_text or is_identifier(h))]
    if not often or not own:
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: {quoted(own[0])} is different in every row, so each row may be an item with one label, and "
        f"then there is nothing to compare; annotators repeat the values of {quoted(item)}. Add rows with the labels "
        "of other annotators, or name the item with --item COLUMN",
    )


def _named_key(table: Assignment, named: Sequence[str], annotator: str) -> tuple[str, ...] | None:
    """Return the column with a name of items, if its values occur once per annotator. Several must be equivalent."""
    by = table.columns[annotator]
    several = [h for h in named if table.profiles[h].distinct < table.profiles[h].n]
    fitting = [h for h in several if comes_once(table.columns[h], by)]
    if not all(tell_the_same(table.columns[fitting[0]], table.columns[other]) for other in fitting[1:]):
        shared = [h for h in fitting if fit_of_key(table.columns[h], by).shared >= _SHARED]
        if len(shared) != 1:
            ways = _either("--item", fitting)
            raise DataError("roles-unclear", f"{table.where}: {_and(fitting)} may name the item; use {ways}")
        fitting = shared
    if fitting:
        return (table.item if table.item in fitting else fitting[0],)
    return None


def _found_key(table: Assignment, free: Sequence[str], named: Sequence[str], annotator: str) -> tuple[str, ...] | None:
    """Return the columns, alone or together, that name the items by their values; None if there are none.

    A column with a name of items is part of the key, and its values repeat because they number the items of a document
    or system. A few repeated labels are not a sign of this.
    """
    by = table.columns[annotator]
    if len(by.names) < 2 or len(by.names) == len(by.codes):
        return None  # annotators who have one row each label no shared items
    base = next((h for h in named if table.profiles[h].distinct < table.profiles[h].n), None)
    if base is not None and fit_of_key(table.columns[base], by).again < _FEW_AGAIN:
        return (base,)
    candidates = [h for h in free if h not in named and _may_name_items(table, h)]
    if base is None:
        single = [(h,) for h in candidates if is_called(h, DOC)] or [(h,) for h in candidates]
        if best := _best_key(table, single, by) or _identifier_of_some(table, candidates, by):
            return best
    return None if len(by.codes) > _MOST_ROWS else _key_of_several(table, base, candidates, by)


def _key_of_several(
    table: Assignment, base: str | None, candidates: Sequence[str], by: Column
) -> tuple[str, ...] | None:
    """Return the columns that name the items together, with `base` among them."""
    start = () if base is None else (base,)
    candidates = [h for h in candidates if not table.profiles[h].is_text][:_MOST_CANDIDATES]
    for parts in range(2, _MOST_PARTS + 1):
        keys = [(*start, *more) for more in combinations(candidates, parts - len(start))]
        if best := _best_key(table, keys, by):
            return best
    return None


def _key_of_pairs(table: Assignment, named: Sequence[str], free: Sequence[str]) -> tuple[str, ...] | None:
    """Return the key of items that compare two systems: question_id, model_a, model_b, and the turn of a dialogue."""
    base = next((h for h in named if table.profiles[h].distinct < table.profiles[h].n), None)
    if base is None or table.annotator is None:
        return None
    compared = (PAIR,) if PAIR in free else next(_compared_systems(table, [h for h in free if h != base]), ())
    if not compared or all(same_within(table.columns[base], table.columns[h]) for h in compared):
        return None
    turns = [h for h in free if is_called(h, ("turn", "turn_id", "turn_no")) and not table.profiles[h].constant]
    key = (base, *compared, *turns)
    fit = fit_of_key(joined([table.columns[h] for h in key]), table.columns[table.annotator])
    return key if fit.once and fit.shared > 0 else None


def _compared_systems(table: Assignment, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the pairs of columns such as model_a and model_b that name systems."""
    for series in series_of(names):
        for stem, of in series.items():
            words = {*re.split(r"[\W_\d]+", stem.lower())}
            if len(of) == _TWO and words & _COMPARED and not any(map(is_settled, of.values())):
                columns = table.profiled(list(of.values()))
                if not any(p.is_text or p.numbers is not None for p in columns):
                    yield tuple(of.values())


def _identifier_of_some(table: Assignment, candidates: Sequence[str], by: Column) -> tuple[str, ...] | None:
    """Return an identifier that only some items have from several annotators. Several must be equivalent."""
    fitting = [h for h in candidates if is_identifier(h) and _shares_items(table, h, by)]
    columns = [table.columns[h] for h in fitting]
    return (fitting[0],) if columns and all(tell_the_same(columns[0], other) for other in columns[1:]) else None


def _shares_items(table: Assignment, name: str, by: Column) -> bool:
    """Whether no annotator has a value of a column twice, and several annotators share at least two values."""
    fit = fit_of_key(table.columns[name], by)
    return fit.once and fit.shared * table.profiles[name].distinct >= 2


def _may_name_items(table: Assignment, name: str) -> bool:
    """Whether a column may name items: neither a label, a measurement, a time, nor a round by its name or values."""
    profile = table.profiles[name]
    if profile.constant or not profile.n or profile.is_time or is_called(name, LABEL) or is_settled(name):
        return False
    if profile.numbers is not None and (profile.numbers % 1 != 0).any():
        return False
    return (
        not is_called(name, ASIDE)
        or is_called(name, DOC)
        or is_called(name, ("text", "content", "comment", "url", "link", "uri"))
    )


def _best_key(table: Assignment, keys: Sequence[tuple[str, ...]], by: Column) -> tuple[str, ...] | None:
    """Return the key with the most annotators per item. Of equivalent keys, names of identifiers come first."""
    fits = []
    for key in keys:
        column = joined([table.columns[h] for h in key]) if len(key) > 1 else table.columns[key[0]]
        fit = fit_of_key(column, by)
        if fit.once and fit.shared >= _SHARED:
            fits.append((fit.complete, key, column))
    if not fits:
        return None
    most = max(complete for complete, _, _ in fits)
    best = [(key, column) for complete, key, column in fits if complete > most - 1e-9]
    best.sort(key=lambda one: -sum(map(is_identifier, one[0])))
    first = best[0]
    other = next((key for key, column in best[1:] if not tell_the_same(first[1], column)), None)
    if other is not None and not any(map(is_identifier, first[0])) and table.header.index(first[0][0]) > 0:
        raise DataError(
            "roles-unclear",
            f"{table.where}: {_and_or_one(first[0])} or {_and_or_one(other)} may name the item; use "
            f"--item {in_full(SIGN.join(first[0]))} ({len(first[1].names):,} items) or "
            f"--item {in_full(SIGN.join(other))}",
        )
    return first[0]


def _take_rows_or_refuse(table: Assignment, free: Sequence[str]) -> None:
    """Read one row per annotator, with columns as items, if each annotator has one row; otherwise refuse."""
    by = table.annotator
    again = by is not None and table.has_rows and table.profiles[by].distinct < table.profiles[by].n
    if again and table.how.annotators_in is None:
        _refuse_without_item(table)
    rest = [h for h in free if not is_called(h, LABEL)]
    _refuse_traits(table, rest)
    fewest = 1 if table.how.annotators_in == "rows" else 3
    if table.label_columns or len(rest) < fewest or len(rest) + 1 < len(table.header):
        _refuse_without_item(table)
    series = [list(of.values()) for group in series_of(rest) for of in group.values() if len(of) >= _A_FEW / 2]
    alien = [h for h in rest if table.has_rows and table.profiles[h].constant and any(h not in of for of in series)]
    if alien and table.how.annotators_in is None:
        who, names = quoted(table.annotator), " ".join(f"--role {in_full(f'{name}=ignore')}" for name in alien)
        raise DataError(
            "roles-unclear",
            f"{table.where}: each value of {who} has one row, and {_and_or_one(alien)} is the same in all rows; use "
            f"--annotators-in rows --annotator {who} {names} if the other columns are items ({len(rest) - len(alien)} "
            f"items), or --item {in_full(alien[0])} if they are variables ({len(rest) - len(alien)} variables of one "
            "item)",
        )
    if table.how.annotators_in is None and table.has_rows and not _are_items(table, rest):
        who = in_full(table.annotator)
        raise DataError(
            "roles-unclear",
            f"{table.where}: each value of {who} has one row, so the columns may be items, or traits of annotators; "
            f"use --annotators-in rows --annotator {who} if they are items ({len(rest)} items), or --item COLUMN if "
            "one of them names the item",
        )
    table.layout, table.item, table.annotator = "rows", table.annotator, None
    table.labels = annotator_columns([h for h in rest if not describes_annotators(h, table.item)], None, table.needed)


def _refuse_traits(table: Assignment, names: Sequence[str]) -> None:
    """Refuse a table of annotators with their age, gender and education: it has no labels."""
    traits = [h for h in names if calls_a_trait(h)]
    if table.is_declared or table.label_columns or len(traits) < len(names):
        return
    raise DataError(
        "column-missing",
        f"{table.where}: each value of {quoted(table.annotator)} has one row, and {listed(traits)} describe the "
        "annotators, so the table has no labels; give the table with the labels",
    )


def _are_items(table: Assignment, names: Sequence[str]) -> bool:
    """Whether columns are items that each row labels: names with numbers, or labels that agree within columns."""
    if any(describes_annotators(f"annotator_{name}", None) for name in names):
        return False
    if 2 * sum(any(map(str.isdigit, name)) for name in names) >= len(names):
        return True
    within, across = down_and_across([table.columns[name] for name in names])
    return within >= _AGREE and within > across


def _refuse_without_item(table: Assignment) -> NoReturn:
    by = table.columns[table.annotator] if table.annotator is not None and table.has_rows else None
    free = [h for h in table.header if h not in {table.annotator, *table.label_columns, *table.needed}]
    may = [h for h in free if by is not None and _may_name_items(table, h) and _shares_items(table, h, by)]
    ways = _either("--item", may[:_MOST_WAYS]) or "--item COLUMN"
    raise DataError(
        "column-missing",
        f"{table.where}: no column clearly names the item; use {ways}, or --item COLUMN+COLUMN if several columns name "
        f"it together (columns: {listed(table.header)})",
    )


@rule("long", looks_at="names; whether values differ within items and within annotators", gives="labels")
def find_labels(table: Assignment) -> None:
    """Columns named label or label_topic contain labels. If there is none, each column without another role may. A
    column with one value per item describes the item, and one with one value per annotator describes the annotator. A
    column genre is not a label if there is a column label; with tone and topic it may be a variable.
    """
    if table.annotator is None:
        return  # the file is the annotator, and its labels are known
    taken = {table.item, table.annotator, *table.key}
    others = [h for h in table.header if h not in taken]
    stated = tuple(name for name in getattr(table.source, "labels", ()) if name in others)
    named = _named_labels(others)
    every = tuple(
        h for h in others if (not is_called(h, ASIDE) or _has_few_numbers(table, h)) and h not in table.needed
    )
    aside: dict[str, str] = {}
    labels = table.label_columns or stated
    if not labels and table.has_rows and len(others) > 1:
        labels, aside = _may_be_labels(table, named)
        if not labels:
            labels, aside = _may_be_labels(table, every)
            labels = labels or named
            if not labels:
                _refuse_without_labels(table, others, aside)
    table.labels = labels = labels or named or every
    if not labels:
        _refuse_no_labels(table, [h for h in others if h not in table.needed])
    if table.label_columns:
        return
    _refuse_choices_of_rows(table)
    _refuse_benchmark(table)
    table.give("label", "labels of several annotators, by name" if named else "its values differ within items", *labels)
    several = len(labels) > 1
    if several:
        listed_labels = ", ".join(labels)
        table.notes.append(Fact(f"{len(labels)} label columns, each scored: {listed_labels} (select with --label)"))
    unscored = {*labels, *table.needed, *aside}
    if aside and not named:
        shown = "; ".join(f"{name} ({why})" for name, why in list(aside.items())[:4])
        table.notes.append(Fact(f"columns not scored: {shown}{' …' if len(aside) > 4 else ''}"))
    beside = [h for h in others if h not in unscored and (several or not (is_called(h, ASIDE) or is_called(h, DOC)))]
    if beside:
        them = "it" if len(beside) == 1 else "them"
        note = f"columns not scored: {listed(beside)}; use --label or --by to include {them}"
        table.notes.append(Fact(note))


def _has_few_numbers(table: Assignment, name: str) -> bool:
    """Whether a column with a name of texts has a few small numbers: content, from 1 to 6, is a label."""
    if not table.has_rows or not is_called(name, _TEXTS):
        return False
    numbers = table.profiles[name].numbers
    return (
        numbers is not None
        and bool((numbers % 1 == 0).all())
        and 1 < table.profiles[name].distinct <= _FEW_NUMBERS
        and np.abs(numbers).max() <= _SMALL
    )


def _refuse_no_labels(table: Assignment, rest: Sequence[str]) -> NoReturn:
    """Refuse a table without a column of labels. `rest`: the columns that the user may name."""
    ways = f"use {_either('--label', rest[:_MOST_WAYS])}" if rest else "add a column with the labels"
    raise DataError(
        "column-missing", f"{table.where}: no column contains labels; {ways} (columns: {listed(table.header)})"
    )


def _refuse_choices_of_rows(table: Assignment) -> None:
    """Refuse choices of the best and the worst among the items of a row, as in best-worst scaling."""
    if not table.has_rows or len(table.labels) < _TWO or len(table.columns[table.labels[0]].codes) > _MOST_ROWS:
        return
    rest = [h for h in table.header if h not in {*table.labels, table.annotator}]
    groups = [list(of.values()) for series in series_of(rest) for of in series.values() if len(of) > _TWO]
    compared = max(groups, key=len, default=[])
    if not compared or any(table.profiles[h].numbers is not None for h in compared):
        return
    codes, _ = coded_together([table.columns[h] for h in (*compared, *table.labels)])
    items, chosen = codes[: len(compared)], codes[len(compared) :]
    if not all((items == one).any(axis=0).all() for one in chosen):
        return
    item = in_full(SIGN.join(compared))
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(table.labels)} choose among {listed(compared)} of the same row, as in best–worst "
        "scaling: these are choices, not labels of an item; to compare the choices of annotators who saw the same row, "
        f"use --item {item} --annotator {in_full(table.annotator)} --label {in_full(table.labels[0])}",
    )


def _refuse_benchmark(table: Assignment) -> None:
    """Refuse outputs of models beside the correct answer or a prompt: models are rarely annotators there."""
    name = table.annotator
    if name is None or not is_called(name, ("model",)) or name in {table.how.annotator, _stated(table)}:
        return
    _refuse_rated_models(table, name)
    gold = [h for h in table.header if h not in table.labels and is_settled(h)]
    if gold and table.item is not None:
        labels = " ".join(f"--label {in_full(label)}" for label in table.labels)
        raise DataError(
            "roles-unclear",
            f"{table.where}: column {quoted(name)} names models and {quoted(gold[0])} the correct or agreed answer, as "
            "in a benchmark, so models may not be annotators; if they are, use "
            f"--annotator {in_full(name)} --item {in_full(table.item)} {labels}",
        )


def _refuse_rated_models(table: Assignment, name: str) -> None:
    """Refuse scales for what models wrote to a prompt: a column names the model that was rated, and none the rater."""
    prompts = [h for h in table.header if not _PROMPTED.isdisjoint(re.split(r"[\W_]+", h.lower()))]
    scales = [h for h in table.labels if table.has_rows and table.profiles[h].numbers is not None]
    if not prompts or not scales or table.item is None:
        return
    labels = " ".join(f"--label {in_full(label)}" for label in table.labels)
    item = in_full(table.item)
    raise DataError(
        "roles-unclear",
        f"{table.where}: column {quoted(name)} may name the models whose output to {quoted(prompts[0])} was rated, and "
        "no column names the raters; add a column annotator, or, if models gave these labels, use --annotator "
        f"{in_full(name)} --item {item} {labels}",
    )


def _stated(table: Assignment) -> object:
    return getattr(table.source, "annotator", None)


def _refuse_without_labels(table: Assignment, others: Sequence[str], aside: Mapping[str, str]) -> None:
    """Refuse a table whose columns have one value per item or annotator. A column set aside by its name may differ."""
    left = [h for h in others if h not in aside and h not in table.needed and _other_role(table, h)[0] is None]
    ways = [f"--label {in_full(name)}" for name in left or (h for h in others if h in aside)]
    why = "; ".join(f"{name}: {reason}" for name, reason in list(aside.items())[:4])
    if ways:
        raise DataError(
            "column-missing",
            f"{table.where}: no column has the name and the values of labels ({why or 'none is left'}); use "
            f"{' or '.join(ways[:_MOST_WAYS])}",
        )


def _named_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns with names of labels and, if there are some, those with names of variables: score, stance."""
    named = tuple(h for h in names if is_called(h, LABEL)) or _with_prefix(names)
    return tuple(h for h in names if h in named or (is_variable(h) and not comments_on_labels(h))) if named else ()


def _with_prefix(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that begin with a word for labels: label_tone and label_topic, but not only label_accuracy."""
    named = tuple(h for h in names if plain_name(h).startswith(_LABEL_PREFIXES))
    rest = [h for h in names if h not in named and not is_called(h, ASIDE)]
    return named if len(named) > 1 or not rest or plain_name(named[0] if named else "").startswith("answer.") else ()


def _may_be_labels(table: Assignment, names: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the columns that may contain labels, and the others with the reason."""
    labels, aside = [], {}
    for name in names:
        role, reason = _other_role(table, name)
        if role is None:
            labels.append(name)
        else:
            aside[name] = reason
            table.give(role, reason, name)
    if not labels:  # if annotators always agree, labels do not differ within items either
        agreed = [name for name, why in aside.items() if why == _ONE_PER_ITEM and is_called(name, LABEL)]
        labels, aside = agreed, {name: why for name, why in aside.items() if name not in agreed}
    return tuple(labels), aside


_ONE_PER_ITEM = "one value per item"


def _other_role(table: Assignment, name: str) -> tuple[str | None, str]:
    """Return the role of a column that contains no labels, with the reason; None for labels."""
    return next(_other_roles(table, name), (None, ""))


def _other_roles(table: Assignment, name: str) -> Iterator[tuple[str, str]]:
    profile = table.profiles[name]
    if not profile.n:
        yield "ignore", "empty"
    if profile.is_time or (calls_a_time(name) and profile.measured):
        yield "time", "dates or times"
    if profile.n > _A_FEW and (profile.counts_up or (profile.never_twice and not profile.measured)):
        yield "index", "different in every row"
    if profile.is_text and profile.numbers is None:
        yield "text", "texts"
    if describes_annotators(name, table.annotator):
        yield "family", "its name means a trait of the annotators"
    who = is_called(name, (*ANNOTATOR, *RESPONDENT))
    if who and table.annotator is not None and tell_the_same(profile.column, table.columns[table.annotator]):
        yield "family", "another name of the annotator"
    item = _item_column(table)
    if item is not None and same_within(item, profile.column) and _is_no_coincidence(item, profile):
        yield "covariate", _ONE_PER_ITEM
    by = table.columns[table.annotator] if table.annotator is not None else None
    if by is not None and len(by.names) > 1 and profile.n >= _MANY_ITEMS and tell_the_same(profile.column, by):
        yield "family", "another name of the annotator"
    several = by is not None and _MANY_ANNOTATORS <= len(by.names) < len(by.codes) and not profile.constant
    if by is not None and several and same_within(by, profile.column):
        yield "family" if profile.distinct <= _MANY_ANNOTATORS else "covariate", "one value per annotator"


def _is_no_coincidence(item: Column, profile: Profile) -> bool:
    """Whether annotators would hardly agree on all items: there are many items, or most items have their own value.

    Only items with several rows count.
    """
    codes, filled = item.codes, (item.codes >= 0) & (profile.column.codes >= 0)
    compared = filled & (np.bincount(codes[filled], minlength=len(item.names) + 1) > 1)[codes]
    items = len(np.unique(codes[compared]))
    values = len(np.unique(profile.column.codes[compared]))
    return items >= _MANY_ITEMS or (items >= _A_FEW and (2 * values > items or values == 1 < profile.distinct))


def _item_column(table: Assignment) -> Column | None:
    if table.key:
        return joined([table.columns[part] for part in table.key])
    return table.columns[table.item] if table.item is not None else None


@rule(None, looks_at="--layout long", gives="a refusal")
def refuse_long_without_annotator(table: Assignment) -> None:
    """A long table needs a column of annotators."""
    if table.declared_layout == "long":
        columns = listed(table.header)
        raise DataError(
            "column-missing",
            f"{table.where}: no column names the annotator; use --annotator COLUMN, --anonymous if no column does, or "
            f"--layout wide if each column is an annotator (columns: {columns})",
        )


@rule(None, looks_at="names", gives="a refusal")
def refuse_respondents(table: Assignment) -> None:
    """In answers to a form, rows are respondents, who may be annotators or items."""
    name = respondent_of(table.header, table.item)
    if name is not None and not table.label_columns:
        raise DataError(
            "roles-unclear",
            f"{table.where}: column {name!r} names respondents; use --annotators-in rows --annotator {name!r} if each "
            f"row is an annotator and columns are items, or --item {name!r} --annotators-in columns if each row is an "
            "item and columns are annotators",
        )


def refuse_numbers_of_rows(roles: Roles, columns: Mapping[str, Column], where: str) -> None:
    """Refuse an item column that is different in every row if another column groups the rows of several annotators."""
    assert roles.item is not None and roles.annotator is not None  # noqa: PT018
    if roles.key:
        return
    item, by = columns[roles.item], columns[roles.annotator]
    if len(item.names) < len(item.codes) or len(by.names) < 2:
        return
    rest = [name for name in columns if name not in {roles.item, roles.annotator}]
    few = (name for name in rest if 2 * len(columns[name].names) <= len(item.codes))
    other = next((name for name in few if comes_once(columns[name], by)), None)
    if other is not None:
        raise DataError(
            "roles-unclear",
            f"{where}: column {quoted(roles.item)} is different in every row, so no item has two labels; if "
            f"{quoted(other)} names what was labelled, use --item {in_full(other)}",
        )


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(map(quoted, names[:-1]))} and {quoted(names[-1])}"


def _and_or_one(names: Sequence[str]) -> str:
    return _and(names) if len(names) > 1 else quoted(names[0])


def _either(option: str, names: Sequence[str]) -> str:
    return " or ".join(f"{option} {in_full(name)}" for name in names)
