"""Rules for tables without a column of annotators: a column or a row per annotator, shown by their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import DataError, quoted
from accord.data.io.tables.assignment import Assignment, rule
from accord.data.io.tables.counts import (
    calls_a_number,
    find_votes_in,
    first_is_distinct,
    refuse_confusion,
    refuse_counts,
)
from accord.data.io.tables.evidence import (
    SHARED,
    Profile,
    agreement_of,
    coded_together,
    comes_once,
    computed_columns,
    down_and_across,
    each_group,
    groups_alike,
    is_majority,
    joined,
    means_and_sums,
    pairs_once,
    pooled_share,
    same_within,
    unevenness,
)
from accord.data.io.tables.mapping import SIGN
from accord.data.io.tables.roles import (
    A_WORD_FOR_ANNOTATORS,
    AN_ANNOTATOR,
    ANNOTATOR,
    ASIDE,
    GENERIC,
    ITEM,
    METRICS,
    OUTPUTS,
    ROW_NAMES,
    START,
    SUBJECT,
    annotator_columns,
    calls_a_time,
    calls_an_annotator,
    calls_annotators,
    calls_described,
    end_of,
    first_of,
    holds_units,
    in_full,
    is_called,
    is_category,
    is_identifier,
    is_no_name,
    is_person,
    is_result,
    is_settled,
    is_system,
    listed,
    may_be_person,
    never_rates,
    plain_name,
)
from accord.data.io.tables.variables import (
    numbered_annotators,
    of_named_annotators,
    series_of,
)
from accord.data.model.labels import label_name

_MOST_COLUMNS = 1000  # more columns are not compared with each other
_A_FEW = 6  # fewer rows show no pattern
_ENOUGH = 20  # rows needed to see whether an annotator uses the labels of others
MANY_ITEMS, MANY_BY_ROW = 10, 2.5  # from this number of columns, and columns per row, columns may be items
_AGREE = 0.3  # agreement that shows on which side of a table the items are
_AT_ALL, _NEARLY_ALL, _ALL_BUT_FEW = 0.1, 0.9, 0.99
_FEW_COLUMNS, _MOST_ROWS = 8, 100_000  # largest table that is searched for computed columns
_SHOW_AGREEMENT = 10  # rows needed to judge agreement
_HARDLY, _CLEARLY = 0.2, 0.4  # chance-corrected agreement
_SEVERAL = 3  # systems that judge
_MOST_WAYS = 3  # groups of columns that a message names
_INITIALS = 3  # letters of CDC, which may be initials or an institution
_MANY_VALUES = 5  # different values of columns that name compared things
_FEW_AGAIN = 0.1  # share of rows that repeat an item, up to which each row is an item
_MANY_PEOPLE = 10  # annotators of a grid that may be items
_RARELY = 0.8  # share of different values of a column of names
_ALL_BUT_SOME = 0.1  # share of exceptions of a column that otherwise equals the majority
_ENTRY = re.compile(r".+--[12]")


@rule(None, looks_at="names", gives="wide: a column per annotator")
def take_wide(table: Assignment) -> None:
    """Without a column of annotators, each column is an annotator, unless its name means something else: a
    description, a comment, a consensus, or start and end of a segment that all annotators labelled.
    """
    header = table.header
    table.layout = "wide"
    table.labels = table.label_columns or annotator_columns(header, table.item, table.needed)
    if holds_units(header) and not table.label_columns:
        segment = first_of(header, START), end_of(header)
        table.labels = tuple(h for h in table.labels if h not in segment)
        note = "each row is read as an item: a segment that all annotators labelled (use --layout units if not)"
        table.notes.append(note)
    if not table.label_columns:
        taken = {table.item, *table.labels}
        table.aside_by_name = tuple(h for h in header if h not in taken)
    if len(table.labels) < 2:
        raise DataError(
            "roles-unclear",
            f"{table.where}: the table has neither the columns item, annotator and label nor one column per annotator; "
            f"name the columns with --item COLUMN --annotator COLUMN --label COLUMN (columns: {listed(header)})",
        )


# -- Values, if no column names the annotators --


@rule("wide", looks_at="names of rows and columns; numbers", gives="a refusal")
def refuse_confusion_matrix(table: Assignment) -> None:
    """Numbers in rows and columns of the same names are a confusion matrix or ratings."""
    if table.names_no_annotator and not (table.how.label or table.is_declared):
        refuse_confusion(table.header, table.columns, table.where)


@rule("wide", looks_at="--label; the first column", gives="the item")
def take_named_annotators(table: Assignment) -> None:
    """The user named the annotators. The first column names the items if its values never repeat and the next column
    has none of them.
    """
    first = table.header[0]
    if not table.label_columns:
        return
    table.settled = True
    if table.item is None and first_is_distinct(table.source) and first not in table.labels:
        table.item = first
        table.notes.append(_taken_as_item(first))


@rule("wide", "rows", looks_at="the first columns of more than 1,000", gives="the item")
def look_at_first_of_many(table: Assignment) -> None:
    """More than 1,000 columns are not compared with each other, because that takes too long."""
    if len(table.labels) <= _MOST_COLUMNS:
        return
    table.settled = True
    first, *others = table.profiled(table.labels[:_ENOUGH])
    if table.item is None and _identifies(first, others, first=True):
        table.item, table.labels = first.name, table.labels[1:]
        table.notes.append(_taken_as_item(first.name, _why(first)))


@rule("wide", "rows", looks_at="--annotators-in rows; a column of annotators", gives="rows: the annotator")
def take_rows(table: Assignment) -> None:
    """One column names the annotators, each once. Columns describe the annotators if most of them share no labels with
    others.
    """
    if table.how.annotators_in != "rows" and table.layout != "rows":
        return
    names = table.how.annotator or table.item or first_of(table.labels, ANNOTATOR)
    if names is None:
        first, *others = table.profiled(table.labels)
        alike = max((first.likeness(other) for other in others), default=1.0)
        names = first.name if first.never_twice and alike == 0 else None
    items = tuple(name for name in table.labels if name != names)
    if names is not None and not table.profiles[names].never_twice:
        by = table.columns[names]
        repeated = [name for name in items if not table.profiles[name].never_twice]
        rated = next((name for name in repeated if comes_once(table.columns[name], by)), None)
        use = f"use --annotator {in_full(names)} --item"
        added = f"add a column that names what was rated, and {use} COLUMN"
        fix = f"if {quoted(rated)} names what was rated, {use} {quoted(rated)}" if rated else added
        without = " without --annotators-in rows" if table.how.annotators_in else ""
        raise DataError(
            "roles-unclear", f"{table.where}: column {quoted(names)} has several rows per annotator; {fix}{without}"
        )
    known = table.profiled(items)
    alien = [a for a in known if pooled_share([a], [b for b in known if b is not a]) < 1]
    if table.how.annotators_in is None and 2 * len(alien) > len(items):
        raise DataError(
            "column-missing",
            f"{table.where}: each row has another value of {quoted(names)}, and no column names the item; use "
            f"--annotators-in rows --annotator {in_full(names)} if columns are items, or --item COLUMN if one of them "
            f"names it (columns: {listed(items)})",
        )
    table.layout, table.item, table.labels, table.settled = "rows", names, items, True


@rule("wide", looks_at="how often values of three columns repeat", gives="long: annotator, item, label")
def find_long_in_three_columns(table: Assignment) -> None:
    """If each pair of values of two columns occurs once and each value often, each row is a label. The annotators are
    the column with fewer values, more variable numbers of rows, and names of annotators.
    """
    names = [*((table.item,) if table.item else ()), *table.labels]
    if table.how.layout is not None or len(names) != 3:
        return
    columns = table.profiled(names)
    if len(columns[0].column.codes) < _A_FEW or any(profile.never_twice for profile in columns):
        return
    labels = [
        label
        for annotator, item, label in permutations(columns, 3)
        if annotator.name < item.name and _are_entries(annotator, item, label) and label.name != table.item
    ]
    if len(labels) != 1:
        return
    label = quoted(labels[0].name)
    annotator, item = (profile for profile in columns if profile is not labels[0])
    if table.item is not None and not _may_rate(table.item, annotator if annotator.name != table.item else item):
        annotator, item = (annotator, item) if item.name == table.item else (item, annotator)
    else:
        signs = _more_like_annotators(annotator, item) if table.item is None else 0
        signs = 0 if never_rates((annotator if signs > 0 else item).name) else signs
        if signs == 0:
            one, other, third = map(in_full, (annotator.name, item.name, labels[0].name))
            raise DataError(
                "roles-unclear",
                f"{table.where}: each row is a label, but {quoted(annotator.name)} or {quoted(item.name)} may be the "
                f"annotator; use --annotator {one} --item {other} --label {third}, or --annotator {other} --item {one} "
                f"--label {third}",
            )
        annotator, item = (annotator, item) if signs > 0 else (item, annotator)
    _refuse_categories(table, annotator, item, labels[0])
    note = (
        f"each row is a label: {quoted(annotator.name)} is read as the annotator, {quoted(item.name)} as the item, "
        f"{label} as the label (change with --annotator, --item, --label)"
    )
    table.layout, table.item, table.annotator, table.labels = "long", item.name, annotator.name, (labels[0].name,)
    table.notes, table.aside_by_name = [note], ()


def _refuse_categories(table: Assignment, annotator: Profile, item: Profile, label: Profile) -> None:
    """Refuse names of categories instead of annotators: word, emotion and 1 if the word has the emotion."""
    names = [label_name(name) for name in islice(annotator.column.names, _MOST_COLUMNS)]
    if 2 * sum(map(is_category, names)) < len(names):
        return
    one, other, third = map(in_full, (annotator.name, item.name, label.name))
    raise DataError(
        "roles-unclear",
        f"{table.where}: {quoted(annotator.name)} contains categories ({listed(names)}), and {quoted(label.name)} may "
        "say whether they apply, as in a lexicon, so no column names annotators; add a column annotator, or use "
        f"--annotator {one} --item {other} --label {third} if these are annotators",
    )


def _may_rate(item: str, other: Profile) -> bool:
    """Whether a column named like subjects may be the annotator, because the other column is none by its name."""
    return is_called(item, SUBJECT) and not (calls_annotators(other.name) or calls_an_annotator(other.name))


def _are_entries(annotator: Profile, item: Profile, label: Profile) -> bool:
    """Whether pairs of annotator and item occur once, both values often, and neither shares labels with the third."""
    n = len(annotator.column.codes)
    if 3 * annotator.distinct > 2 * n or 3 * item.distinct > 2 * n or label.measured or label.constant:
        return False
    if any(min(label.share_in(profile), profile.share_in(label)) >= SHARED for profile in (annotator, item)):
        return False
    return pairs_once(annotator.column, item.column) > _NEARLY_ALL


def _more_like_annotators(a: Profile, b: Profile) -> int:
    """Return above 0 if the first is the annotator, below 0 if the second is, 0 if the signs contradict each other."""
    if named := calls_an_annotator(a.name) - calls_an_annotator(b.name):
        return named
    fewer = (2 * a.distinct <= b.distinct) - (2 * b.distinct <= a.distinct)
    uneven = [unevenness(profile.column) for profile in (a, b)]
    less_even = (uneven[0] > 1.5 * uneven[1] + 0.05) - (uneven[1] > 1.5 * uneven[0] + 0.05)
    called = [all(calls_an_annotator(label_name(n)) for n in list(profile.column.names)[:50]) for profile in (a, b)]
    people = called[0] - called[1]
    if people * fewer < 0:
        return 0  # a1, a2, …, a30 may be items
    return people or (fewer + less_even if fewer * less_even >= 0 else 0)


@rule("wide", looks_at="two columns of identifiers whose pairs occur once", gives="a refusal")
def refuse_rows_of_annotators(table: Assignment) -> None:
    """If two identifiers repeat but their pairs do not, one may name the annotator and the other the item of each row.
    Then the other columns are variables, unless they have names of annotators.
    """
    rated = [name for name in table.labels if not calls_a_time(name)]
    if table.is_declared or table.label_columns or 3 * sum(map(is_person, rated)) > len(rated):
        return
    if numbered_annotators(table.profiles):
        return
    rows = len(table.columns[table.header[0]].codes)
    called = [h for h in table.header if is_identifier(h) or is_called(h, (*ITEM, *ANNOTATOR))]
    names = [h for h in called if 1 < table.profiles[h].distinct < 2 * rows / 3]
    pairs = [(a, b) for a, b in combinations(names, 2) if pairs_once(table.columns[a], table.columns[b]) > _ALL_BUT_FEW]
    if rows < _ENOUGH or not pairs:
        return
    a, b = pairs[0]
    rest = [p for p in table.profiles.values() if p.name not in pairs[0] and p.n and not p.is_time and not p.constant]
    labels = [
        p.name
        for p in rest
        if not (p.is_text or calls_a_time(p.name) or (p.never_twice and not p.measured))
        and not any(same_within(table.columns[k], p.column) for k in (a, b))
    ]
    if not labels:
        return
    described = [any(same_within(table.columns[k], p.column) for p in rest if p.is_text) for k in (a, b)]
    traits = [p for p in rest if not (p.measured or calls_a_time(p.name))]
    depend = [sum(bool(same_within(table.columns[k], p.column)) for p in traits) for k in (a, b)]
    if max(depend) > 1 and min(depend) == 0:  # only items are described
        item, who = (a, b) if depend[0] else (b, a)
        own = tuple(name for name in labels if not is_called(name, ASIDE))
        table.layout, table.item, table.annotator, table.labels = "long", item, who, own or tuple(labels)
        note = f"each row is a label by {quoted(who)}, because {max(depend)} columns describe {quoted(item)}"
        table.notes.append(f"{note} (change with --annotator, --item)")
        table.settled = True
        return
    ways = [(b, a), (a, b)] if described[0] and not described[1] else [(a, b), (b, a)]
    each = " ".join(f"--label {in_full(name)}" for name in labels)
    (who, item), (other, second) = ways
    raise DataError(
        "roles-unclear",
        f"{table.where}: each row has one value of {quoted(a)} and {quoted(b)}, so it may have the labels of one "
        f"annotator; use --annotator {in_full(who)} --item {in_full(item)} {each} ({table.profiles[who].distinct:,} "
        f"annotators), or --annotator {in_full(other)} --item {in_full(second)} {each} "
        f"({table.profiles[other].distinct:,} annotators)",
    )


@rule("wide", looks_at="empty columns", gives="nothing")
def leave_out_nameless(table: Assignment) -> None:
    """A column without a name and without filled cells is ignored."""
    table.labels = tuple(name for name in table.labels if table.profiles[name].n or not is_no_name(name))
    table.candidates = table.labels


# -- Votes, names of annotators and compared things beside the labels --


@rule("wide", looks_at="names; totals; the most frequent category (counts.py)", gives="counts: columns of votes")
def find_votes(table: Assignment) -> None:
    """Columns named votes_yes and votes_no contain votes per category. So do columns of whole numbers whose sum is a
    column of totals, or whose largest is named by a column of classes.
    """
    if table.is_declared or table.label_columns or table.needed:
        return
    votes = find_votes_in(table.profiled([h for h in table.header if h != table.item]))
    if votes is None:
        return
    table.layout, table.labels, table.settled = "counts", votes.columns, True
    table.item = table.item or _name_of_rows(table, votes.columns)
    table.give("votes", votes.reason, *votes.columns, confidence="sure")
    for name, role, reason in votes.beside:
        table.give(role, reason, name, confidence="sure")
    table.notes.append(
        f"{listed(votes.columns)} are counts of votes per category: {votes.reason} (change with --layout)"
    )


def _name_of_rows(table: Assignment, taken: Sequence[str]) -> str | None:
    rest = [h for h in table.header if h not in taken]
    named = first_of(rest, ITEM)
    unique = [h for h in ([named] if named else rest) if table.profiles[h].never_twice]
    return next((h for h in unique if not table.profiles[h].counts_up), next(iter(unique), None))


@rule("wide", looks_at="names with the same endings; values that are not labels", gives="the annotator of each label")
def pair_names_with_labels(table: Assignment) -> None:
    """annotator1 and label1, annotator2 and label2: a column names the annotator of the column with the same ending."""
    if table.is_declared or table.label_columns:
        return
    for series in series_of(table.header):
        names = {stem: of for stem, of in series.items() if calls_annotators(stem) and len(of) > 1}
        for stem, namers in names.items():
            labels = [of for other, of in series.items() if other != stem and _have_same_endings(of, namers)]
            if len(labels) == 1 and _name_annotators(
                table, tuple(namers.values()), tuple(labels[0][k] for k in namers)
            ):
                return


def _have_same_endings(labels: Mapping[str, str], namers: Mapping[str, str]) -> bool:
    """Whether each column of labels has a column of names; hatespeech_comb beside hatespeech_G1 is a consensus."""
    rest = [(ending, name) for ending, name in labels.items() if ending not in namers]
    return labels.keys() >= namers.keys() and all(is_settled(name) or is_settled(f"{e} label") for e, name in rest)


def _name_annotators(table: Assignment, namers: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    """Assign names to columns of labels. Refuse the table if a row names an annotator twice."""
    columns = table.profiled(labels)
    if pooled_share(table.profiled(namers), columns) > _AT_ALL or any(p.is_text for p in columns):
        return False
    if not all(a.likeness(b) >= SHARED for a, b in combinations(columns, 2)):
        return False
    codes, _ = coded_together([table.columns[name] for name in namers])
    twice = sum(int(((codes[a] == codes[b]) & (codes[a] >= 0)).sum()) for a, b in combinations(range(len(namers)), 2))
    if twice:
        each = " ".join(f"--label {in_full(name)}" for name in labels)
        raise DataError(
            "roles-unclear",
            f"{table.where}: {listed(namers)} name the annotators of {listed(labels)}, but {twice:,} rows name the "
            f"same annotator twice; correct these rows, or compare the columns as annotators: {each}",
        )
    table.layout, table.labels, table.namers, table.settled = "wide", labels, namers, True
    rest = [h for h in table.header if h not in {*labels, *namers}]
    table.item = table.item if table.item in rest else _name_of_rows(table, (*labels, *namers))
    table.aside_by_name = tuple(h for h in rest if h != table.item)
    table.give("label", "labels of the annotators that another column names", *labels, confidence="sure")
    table.give("annotator", "names the annotators of labels with the same ending", *namers, confidence="sure")
    table.notes.append(f"{listed(namers)} name the annotators of {listed(labels)}")
    if table.item is not None and not table.profiles[table.item].never_twice:
        table.item = None
    return True


@rule("wide", looks_at="columns that share values but are never equal in a row", gives="compared things; a refusal")
def refuse_choices(table: Assignment) -> None:
    """model_1 and model_2, or four items of a best–worst choice, are never equal in a row. They name the things that
    were compared, and are not labels. Choices of the best and the worst are labels of no item.
    """
    if table.is_declared or table.label_columns or len(table.labels) < 2:
        return
    columns = [p for p in table.profiled(table.labels) if p.n >= _ENOUGH and p.numbers is None]
    columns = [p for p in columns if not _is_of_people(p.name)]  # people may disagree about each item of a selection
    if len(columns) < 2 or len(columns) > _FEW_COLUMNS * 2:
        return
    codes, size = coded_together([p.column for p in columns])
    compared = _never_equal(columns, codes, size)
    if not compared:
        return
    rest = [k for k in range(len(columns)) if k not in compared]
    chosen = [k for k in rest if _is_chosen(codes[k], codes[sorted(compared)])]
    names = [columns[k].name for k in sorted(compared)]
    if chosen and (len(chosen) == 1 or not _agree_at_all(codes[chosen])):
        raise DataError(
            "export-not-usable",
            f"{table.where}: {listed([columns[k].name for k in chosen])} choose among {listed(names)} of the same row, "
            "as in best–worst scaling: these are choices, not labels of an item; write one row per annotator and "
            "compared set with the columns item, annotator, label",
        )
    table.labels = tuple(name for name in table.labels if name not in names)
    table.aside_by_value += names
    table.give("group", "never equal in a row: names of compared things", *names)


def _is_of_people(name: str) -> bool:
    """Whether a name contains a word for annotators: human_annotation2, but not model_1."""
    words = re.split(r"[\W_\d]+", name.lower())
    return any(A_WORD_FOR_ANNOTATORS.fullmatch(word) and word != "model" for word in words if word)


def _never_equal(columns: Sequence[Profile], codes: NDArray[np.int64], size: int) -> set[int]:
    """Return the largest set of columns that share values and are never equal in a row."""
    if size < _MANY_VALUES:
        return set()
    apart = {
        (a, b)
        for a, b in combinations(range(len(columns)), 2)
        if columns[a].likeness(columns[b]) >= _AT_ALL * 3
        and not ((codes[a] == codes[b]) & (codes[a] >= 0)).any()
        and ((codes[a] >= 0) & (codes[b] >= 0)).sum() >= _ENOUGH
    }
    best: set[int] = set()
    for a, b in apart:
        group = {a, b}
        for c in range(len(columns)):
            if c not in group and all((min(c, k), max(c, k)) in apart for k in group):
                group.add(c)
        best = max(best, group, key=len)
    return best


def _is_chosen(codes: NDArray[np.int64], compared: NDArray[np.int64]) -> bool:
    """Whether a column always has one of the values of the compared columns in its row."""
    filled = codes >= 0
    return bool(filled.any() and (compared == codes).any(axis=0)[filled].mean() > _NEARLY_ALL)


def _agree_at_all(codes: NDArray[np.int64]) -> bool:
    return any(((a == b) & (a >= 0)).any() for a, b in combinations(codes, 2))


@rule(
    "wide", looks_at="names of annotators, and columns numbered alike", gives="annotators; other columns are set aside"
)
def keep_series_of_annotators(table: Assignment) -> None:
    """If coder1 and coder2 are annotators, a column with another name is none if its values are not their labels, or if
    its name means a consensus or a system. If it has their labels, the user decides. The same holds for label1 and
    label2, if no other column has their labels.
    """
    if table.is_declared or table.label_columns:
        return
    called = [name for name in table.labels if AN_ANNOTATOR.fullmatch(name) and table.profiles[name].n]
    strong = len(called) > 1
    series = called if strong else _numbered_alike(table)
    others = [name for name in table.labels if name not in series]
    if len(series) < 2 or not others:
        return
    mine = table.profiled(series)
    if min(a.likeness(b) for a, b in combinations(mine, 2)) < SHARED:
        return
    if not strong:
        _refuse_lesser_series(table, mine, table.profiled(others))
    alike = [name for name in others if strong and _is_named_like(name, series)]
    reasons = {name: None if name in alike else _why_no_annotator(table.profiles[name], mine) for name in others}
    unclear = [name for name, why in reasons.items() if why is None]
    people = [name for name in unclear if name in alike or _is_sure_person(name)]
    if not strong and unclear:
        return
    strange = [name for name in unclear if name not in people]
    if strange:
        table.give("annotator", "its name", *series, *people, confidence="sure")
        ignored = " ".join(f"--role {in_full(f'{name}=ignore')}" for name in strange)
        raise DataError(
            "roles-unclear",
            f"{table.where}: {listed(series)} are annotators, and {listed(strange)} may be: they have the same labels. "
            f"Use {ignored} ({len(series) + len(people)} annotators), or --annotators-in columns "
            f"{' '.join(f'--label {in_full(name)}' for name in (*series, *people, *strange))} "
            f"({len(series) + len(unclear)} annotators)",
        )
    aside = [name for name in others if name not in people]
    table.labels = tuple(name for name in table.labels if name not in aside)
    table.aside_by_value += aside
    for name in aside:
        table.give("covariate", reasons[name] or "", name)


def _refuse_lesser_series(table: Assignment, series: Sequence[Profile], others: Sequence[Profile]) -> None:
    """Refuse columns numbered alike that hardly agree if two other columns share their labels and clearly agree."""
    few = others[: 2 * _FEW_COLUMNS]
    if agreement_of(series) >= _HARDLY or not any(
        a.likeness(b) >= SHARED and agreement_of([a, b]) >= _CLEARLY for a, b in combinations(few, 2)
    ):
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed([p.name for p in series])} share labels but hardly agree, and other columns agree "
        f"more; name the annotators of one variable: {each_group(table.profiled(table.labels))}",
    )


def _is_sure_person(name: str) -> bool:
    return is_person(name) and len(name) > _INITIALS and not is_system(name)


def _is_named_like(name: str, annotators: Sequence[str]) -> bool:
    """Whether a name begins with the same word: Annot-Peter beside Annot1."""
    words = {re.split(r"[\W_\d]+", other.lower())[0] for other in annotators}
    return re.split(r"[\W_\d]+", name.lower())[0] in words


def _numbered_alike(table: Assignment) -> list[str]:
    """Return the only group of columns with one name and different endings that have the same labels."""
    found = []
    for series in series_of(table.labels):
        for of in series.values():
            columns = table.profiled(list(of.values()))
            if all(is_settled(name) or calls_a_number(name) for name in of.values()):
                continue
            if len(of) > 1 and all(a.likeness(b) >= SHARED for a, b in combinations(columns, 2)):
                found.append(list(of.values()))
    distinct = [group for k, group in enumerate(found) if group not in found[:k]]
    return distinct[0] if len(distinct) == 1 else []


def _why_no_annotator(profile: Profile, annotators: Sequence[Profile]) -> str | None:
    """Return why a column is not one of these annotators; None if it may be."""
    return next(_reasons_against(profile, annotators), None)


def _reasons_against(profile: Profile, annotators: Sequence[Profile]) -> Iterator[str]:
    if is_settled(profile.name):
        yield "its name means a consensus or the output of a system"
    if calls_a_number(profile.name):
        yield "its name means a number of labels"
    if not profile.n:
        yield "empty"
    own, theirs = pooled_share([profile], annotators), pooled_share(annotators, [profile])
    if max((profile.measures_as(other) or 0.0) for other in annotators) < SHARED:
        if own < _NEARLY_ALL:
            yield f"{1 - own:.0%} of its values are not labels of the annotators"
        if theirs < SHARED:
            yield "it lacks the usual labels of the annotators"
    codes, _ = coded_together([p.column for p in (*annotators, profile)])
    if is_majority(codes[:-1], codes[-1]):
        yield "it equals the majority of the annotators"
    if profile.n >= _ENOUGH and not is_person(profile.name):
        closest = max(agreement_of([profile, other]) for other in annotators)
        if closest < _AT_ALL:
            yield "it does not agree with the annotators more than by chance"


@rule("wide", looks_at="how often values repeat, and whether they are labels of others", gives="identifiers of rows")
def find_identifiers(table: Assignment) -> None:
    """Values that never repeat and are not labels of other columns name the rows. A column that numbers the rows may be
    the item or an annotator if its numbers are also labels elsewhere.
    """
    candidates = table.profiled(table.labels)
    identifiers = []
    for k, profile in enumerate(candidates):
        others = [other for other in candidates if other is not profile and other.n]
        first = k == 0 and table.item is None
        named = calls_described(profile.name) or (is_identifier(profile.name) and not is_person(profile.name))
        named = named and first and profile.counts_up
        if others and profile.n and (named or _identifies(profile, others, first)):
            identifiers.append(profile.name)
        elif first and len(others) > 1 and profile.n > 2 and _numbers_rows(profile, others) and not table.in_columns:
            raise DataError(
                "roles-unclear",
                f"{table.where}: column {quoted(profile.name)} numbers the rows, but its numbers are also labels in "
                f"other columns; use --item {in_full(profile.name)}, or --annotators-in columns if it is an annotator",
            )
    if not (table.in_columns and len(table.labels) - len(identifiers) < 2):
        table.identifiers = identifiers
    taken = {*table.identifiers, table.item}
    table.labels = tuple(name for name in table.labels if name not in taken)


def _identifies(profile: Profile, others: Sequence[Profile], first: bool) -> bool:
    """Whether a column clearly names rows. `first`: it is the first column, where names usually are."""
    if not profile.never_twice:
        rare = profile.n >= _ENOUGH and profile.distinct >= _NEARLY_ALL * profile.n
        return rare and len(others) > 1 and all(2 * other.distinct <= other.n for other in others)
    if any((profile.measures_as(other) or 0.0) >= SHARED for other in others):
        return _numbers_rows(profile, others)
    share = pooled_share([profile], others)
    if first and share == 0:
        return True
    repeat = any(not other.never_twice for other in others)
    return len(others) > 1 and profile.n >= _A_FEW and repeat and share < SHARED


def _numbers_rows(profile: Profile, others: Sequence[Profile]) -> bool:
    """Whether this column numbers the rows and no other does."""
    return profile.counts_up and not any(other.counts_up for other in others)


@rule("wide", looks_at="shape; names of rows and columns; agreement down and across", gives="rows")
def find_annotators_in_rows(table: Assignment) -> None:
    """A table of few rows and many columns often has one row per annotator. Names of annotators show it, or agreement,
    which is larger on the side of the items.
    """
    first = table.item or next(iter(table.identifiers), None)
    n = len(table.profiles[table.labels[0]].column.codes) if table.labels else 0
    named = table.item is not None and plain_name(table.item) not in ROW_NAMES  # not the index of a DataFrame
    if not n or named or table.how.annotators_in or table.how.layout == "wide":
        return
    if len(table.labels) < max(MANY_ITEMS, MANY_BY_ROW * n):
        return
    if all(map(calls_an_annotator, table.labels)) or of_named_annotators(table.labels):
        return
    names = table.columns[first].names if first is not None else ()
    if first is None or not all(calls_an_annotator(label_name(name)) for name in names):
        down, across = down_and_across([table.columns[name] for name in table.labels])
        if n == 1:
            raise DataError(
                "annotators-needed",
                f"{table.where}: there is a single row with {len(table.labels)} values ({listed(table.labels)}), so "
                "there is nothing to compare; give a table with the labels of several items",
            )
        if max(down, across) < _AGREE or abs(down - across) < _AGREE:
            raise DataError(
                "roles-unclear",
                f"{table.where}: {n} rows and {len(table.labels)} columns of labels, and either may be the "
                "annotators; use --annotators-in rows or --annotators-in columns",
            )
        if down <= across:
            return
    columns = f"each of {len(table.labels)} columns as an item"
    note = f"each row is read as an annotator and {columns} (change with --annotators-in columns)"
    table.layout, table.item, table.settled = "rows", first, True
    table.notes.append(note)


@rule("wide", looks_at="identifiers of rows", gives="the item")
def take_identifier_as_item(table: Assignment) -> None:
    """The first identifier names the items."""
    if table.item is None and table.identifiers:
        table.item = table.identifiers[0]
        table.notes.insert(0, _taken_as_item(table.item, _why(table.profiles[table.item])))


def _taken_as_item(column: str, why: str = "its values are all different") -> str:
    return f"column {column!r} read as the item because {why} (change with --item)"


def _why(profile: Profile) -> str:
    return "its values are all different" if profile.never_twice else "its values hardly ever repeat"


@rule("wide", looks_at="names of items", gives="a refusal")
def refuse_double_entry(table: Assignment) -> None:
    """REDCap names two entries of one record 1--1 and 1--2, with item and annotator in one cell."""
    if table.is_declared or table.item is None:
        return
    names = [label_name(name) for name in islice(table.columns[table.item].names, _MOST_ROWS)]
    if len(names) > 1 and all(_ENTRY.fullmatch(name) for name in names):
        raise DataError(
            "export-not-usable",
            f"{table.where}: {quoted(names[0])} in column {quoted(table.item)} is one of two entries of a REDCap "
            "record; split it into two columns, item for the record and annotator for the person who entered it",
        )


@rule("wide", looks_at="names, sums and agreement of columns of whole numbers (counts.py)", gives="a refusal")
def refuse_counts_per_category(table: Assignment) -> None:
    """Counts per category look like ratings."""
    if not table.is_declared:
        refuse_counts(table.item, table.profiled(table.labels), _beside(table), table.where)


@rule("wide", looks_at="whether a column follows from two others in every row", gives="computed columns")
def find_computed(table: Assignment) -> None:
    """A column that marks the agreement of two others, or is their mean, sum or difference, is not an annotator. If
    names do not show which of three columns was computed, the user must decide.
    """
    columns = table.profiled(table.labels)
    if table.is_declared or not 3 <= len(columns) <= _MOST_COLUMNS:
        return
    if not _A_FEW <= len(columns[0].column.codes) <= _MOST_ROWS:
        return
    means = means_and_sums(columns)
    rest = [profile for profile in columns if profile.name not in means]
    computed = (computed_columns(rest) if len(columns) <= _FEW_COLUMNS else {}) | means
    if not computed:
        return
    if len(columns) - len(computed) < 2:
        sure = {name: what for name, what in computed.items() if not is_person(name)}
        if not sure or len(columns) - len(sure) < 2:
            name, what = next(reversed(computed.items()))
            every = table.options_naming(table.labels)
            raise DataError(
                "roles-unclear",
                f"{table.where}: column {quoted(name)} {what} in every row; use --role {in_full(f'{name}=ignore')} if "
                f"it was computed ({len(columns) - 1} annotators), or {every} if it is an annotator ({len(columns)} "
                "annotators)",
            )
        computed = sure
    table.computed = computed
    table.labels = tuple(name for name in table.labels if name not in computed)
    table.notes += [f"column {quoted(name)} {what} and is not an annotator" for name, what in computed.items()]


@rule("wide", looks_at="which labels columns share", gives="annotators; other columns are set aside")
def keep_columns_that_share_labels(table: Assignment) -> None:
    """Annotators of the same items use the same labels. A column with other labels describes the items, and so does a
    column that numbers rows repeatedly.
    """
    rest = table.profiled(table.labels)
    if not table.in_columns:
        aside = [profile.name for profile in rest if profile.counts_again and not _has_partner(profile, rest)]
        aside = aside if len(rest) - len(aside) >= 2 else []
        aside += _texts_and_results(table, rest, aside)
        filled = [profile for profile in rest if profile.n and profile.name not in aside]
        groups = [group for group in groups_alike(filled) if len(group) > 1]
        groups = groups or [group for group in groups_alike(filled, _AT_ALL) if len(group) > 1]
        if groups:
            grouped = {name for group in groups for name in group}
            aside += _with_other_labels(table, filled, grouped)
            table.labels = tuple(name for name in table.labels if name not in aside)
        elif len(rest) > 1 and (
            (len(filled) < 2 and any(p.n for p in rest))
            or max(p.n for p in rest) > 2
            or not all(may_be_person(p.name) for p in filled)
        ):
            unlike = filled if len(filled) > 1 else rest
            people = sum(is_person(profile.name) for profile in unlike) > 1
            fix = (
                "spell equal labels alike, or use --item COLUMN --annotator COLUMN --label COLUMN if each row is a "
                "label"
                if people
                else "write a column for each annotator, or one row per label with the columns item, annotator, label"
            )
            raise DataError(
                "roles-unclear",
                f"{table.where}: no two columns share a label ({listed([p.name for p in unlike])}), so they are "
                f"not annotators who agree; {fix}",
            )
        table.aside_by_value += aside
    table.aside_by_value += table.computed


def _has_partner(profile: Profile, columns: Sequence[Profile]) -> bool:
    """Whether another column has a word of its name and the same labels: B_tone beside A_tone."""
    words = set(re.split(r"[\W_]+", profile.name.lower())) - {""}
    return any(
        other is not profile
        and words & set(re.split(r"[\W_]+", other.name.lower()))
        and profile.likeness(other) >= SHARED
        for other in columns
    )


def _texts_and_results(table: Assignment, columns: Sequence[Profile], aside: Sequence[str]) -> list[str]:
    """Return the columns of texts, and those whose names mean results such as kappa, unless they are annotators."""
    left = [p for p in columns if p.name not in aside]
    systems = sum(is_system(p.name) for p in left)
    results = [p.name for p in left if is_result(p.name) or (systems >= _SEVERAL and is_called(p.name, METRICS))]
    texts = [p.name for p in left if p.is_text and not is_person(p.name) and p.name not in results]
    times = [p.name for p in left if p.is_time and not is_person(p.name) and p.name not in {*results, *texts}]
    times = times if len(left) - len(times) > 1 else []
    table.give("covariate", "its name means a result", *results)
    table.give("text", "texts", *texts)
    table.give("time", "dates or times", *times)
    return [*results, *texts, *times]


def _with_other_labels(table: Assignment, filled: Sequence[Profile], grouped: set[str]) -> list[str]:
    """Return the columns to leave out because they share no labels. Refuse or note unclear ones."""
    aside, odd = [], []
    for profile in filled:
        others = [other for other in filled if other is not profile]
        own = pooled_share([profile], others)
        measured = any(profile.measures_as(other) is not None for other in others)
        if own >= SHARED or (profile.name in grouped and (measured or len(filled) < 3)):
            continue
        foreign = all((profile.numbers is None) != (other.numbers is None) for other in others)
        if (own == 0 and (profile.n >= _A_FEW or foreign)) or profile.in_blocks:
            aside.append(profile.name)
        elif profile.n >= _ENOUGH or (own == 0 and profile.n > 2):
            _refuse_other_variables(table, filled)
            several = sum(len(group) > 1 for group in groups_alike(filled)) > 1
            one = f"name the annotators of one variable: {each_group(filled)}"
            every = (
                f"use --role {in_full(f'{profile.name}=ignore')} if it is not an annotator ({len(filled) - 1} "
                f"annotators), or {table.options_naming([p.name for p in filled])} if it is ({len(filled)} "
                "annotators)"
            )
            raise DataError(
                "roles-unclear",
                f"{table.where}: only {own:.0%} of the labels in column {quoted(profile.name)} occur in other columns; "
                f"{one if several else every}",
            )
        else:
            odd.append(profile.name)
    if len(odd) > 1 and 2 * len(odd) >= len(filled):
        every = table.options_naming([profile.name for profile in filled])
        raise DataError(
            "roles-unclear",
            f"{table.where}: few labels of {listed(odd)} occur in other columns; name the annotators of one variable: "
            f"{each_group(filled)}, or use {every} if all of these columns are annotators ({len(filled)} annotators)",
        )
    if odd:
        note = f"few labels of {listed(odd)} occur in other columns; if not all columns are annotators, use --label"
        table.notes.append(note)
    return aside


def _refuse_other_variables(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse columns with different labels and no names of annotators: variables that one annotator labelled."""
    names = [profile.name for profile in columns]
    if 3 * sum(not may_be_person(name) for name in names) <= 2 * len(names):
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(names)} have different labels and no names of annotators, so one annotator may have "
        f"written them, and then there is nothing to compare; name the annotators of one variable: "
        f"{each_group(columns)}",
    )


@rule("wide", looks_at="the same as for counts above, without the columns left out since", gives="a refusal")
def refuse_counts_among_rest(table: Assignment) -> None:
    """Counts may become visible once a total or a description is left out."""
    if not table.is_declared and table.grid is None and table.aside_by_value:
        refuse_counts(table.item, table.profiled(table.labels), _beside(table), table.where)


def _beside(table: Assignment) -> list[Profile]:
    """Return the columns that are neither the item nor annotators."""
    return table.profiled([name for name in table.header if name not in {table.item, *table.labels}])


@rule("wide", looks_at="names; how many columns are left", gives="annotators")
def take_annotators(table: Assignment) -> None:
    """At least two annotators are needed. With coder1 and coder2, a column with another kind of name is doubtful."""
    taken = table.annotators
    if len(taken) < 2:
        columns = f", or {table.options_naming(table.candidates)} if each column is an annotator"
        raise DataError(
            "roles-unclear",
            f"{table.where}: fewer than two columns contain labels of annotators "
            f"({listed(taken or table.candidates)}); use --item COLUMN --annotator COLUMN --label COLUMN if each row "
            f"is a label{columns if len(table.candidates) > 1 else ''}",
        )
    derived = [name for name in taken if is_settled(name) or is_called(name, GENERIC)]
    derived = derived if any(is_settled(name) or _calls_an_output(name) for name in taken) else []
    if derived and not table.is_declared and all(name in derived or _calls_an_output(name) for name in taken):
        raise DataError(
            "roles-unclear",
            f"{table.where}: {listed(taken)} mean a reference and the output of a system, not annotators; use "
            f"--annotators-in columns {' '.join(f'--label {in_full(name)}' for name in taken)} to compare them",
        )
    rest = (*table.identifiers, *table.labels)
    table.aside_by_value += [name for name in rest if name not in taken and name != table.item]
    table.labels = tuple(taken)
    called = [name for name in taken if calls_an_annotator(name)] if table.grid is None else []
    strange = [name for name in taken if name not in called]
    if len(called) > 1 and 0 < len(strange) <= len(called):
        note = f"{listed(strange)} read as annotators like {listed(called)}; if wrong, name the annotators with --label"
        table.notes.append(note)


def _calls_an_output(name: str) -> bool:
    return is_system(name) or is_called(name, OUTPUTS)


@rule("wide", looks_at="whether items repeat, alone or together with other columns", gives="the item")
def take_rows_as_items(table: Assignment) -> None:
    """In a wide table, each row is an item. If a few names occur twice, rows are numbered instead. If names occur
    often, another column distinguishes them: the system that wrote the sentence, or the document that contains it.
    """
    if table.item is None or table.how.item is not None or table.how.repeats != "error" or table.key:
        return
    profile = table.profiles[table.item]
    rows = len(profile.column.codes)
    again = profile.n - profile.distinct
    if not again or not profile.n:
        return
    columns = [table.columns[name] for name in (table.item, *table.needed)]
    if table.needed and len(joined(columns).names) == rows:
        return  # --by round distinguishes the rows
    if again <= _FEW_AGAIN * rows:
        note = f"{again:,} values of column {quoted(table.item)} occur again, so each row is read as an item of its own"
        table.notes.append(f"{note} (use --item {in_full(table.item)} --repeats trials to compare the repetitions)")
        table.item = None
        return
    if key := key_of_rows(table, table.item):
        table.key, table.item = key, SIGN.join(key)
        table.give("item", f"together with {' and '.join(key[1:])}, different in every row", *key)
        table.notes.append(f"items are named by {', '.join(key)} together (change with --item)")
        return
    each = " ".join(f"--label {in_full(name)}" for name in table.labels)
    raise DataError(
        "repeated-label",
        f"{table.where}: {again:,} of {rows:,} rows repeat a value of column {quoted(table.item)}; use --item "
        f"{quoted(table.item)} --anonymous {each} if each row has the labels of one unknown annotator, or "
        f"{_either_way(f'--item {in_full(table.item)} --repeats')} if columns are annotators who labelled items again",
    )


def _either_way(options: str) -> str:
    return f"{options} first, {options} last or {options} trials"


def key_of_rows(table: Assignment, item: str) -> tuple[str, ...] | None:
    """Return the columns that distinguish the rows together with the item. Rounds and times do not."""
    rest = [
        name
        for name in table.header
        if name not in {item, *table.annotators}
        and not is_called(name, ASIDE)
        and not (profile := table.profiles[name]).is_text
        and not profile.is_time
        and not profile.constant
        and profile.n
    ]
    key = [item, *rest[:_FEW_COLUMNS]]
    if len(key) < 2 or len(joined([table.columns[name] for name in key]).names) < len(table.columns[item].codes):
        return None
    for name in reversed(key[1:]):  # the shortest key that is left
        fewer = [other for other in key if other != name]
        if len(fewer) > 1 and len(joined([table.columns[k] for k in fewer]).names) == len(table.columns[item].codes):
            key = fewer
    return tuple(key)
