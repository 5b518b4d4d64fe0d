"""Rules that refuse columns with shared labels that may not be annotators: measurements, grades, systems, means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from accord.core.errors import DataError, quoted
from accord.data.io.tables.assignment import Assignment, rule
from accord.data.io.tables.evidence import (
    Profile,
    agreement_of,
    coded_together,
    is_majority,
    same_within,
    settles,
)
from accord.data.io.tables.mapping import SIGN
from accord.data.io.tables.roles import (
    AN_ANNOTATOR,
    GENERIC,
    ITEM,
    OUTPUTS,
    in_full,
    is_called,
    is_identifier,
    is_no_name,
    is_person,
    is_system,
    listed,
    may_be_person,
    spellings,
)
from accord.data.io.tables.wide_rules import key_of_rows

_MOST_COLUMNS, _MOST_ROWS = 1000, 100_000  # larger tables are not examined
_A_FEW = 6  # fewer items show no pattern
_ENOUGH = 20  # rows needed to see that values never repeat or are never equal
_FEW_COLUMNS = 8  # columns that are compared with each other
_NEARLY_ALL = 0.9
_SHOW_AGREEMENT = 10  # rows needed to judge agreement
_HARDLY, _CLEARLY = 0.2, 0.4  # chance-corrected agreement
_INITIALS = 3  # letters of CDC, which may be initials or an institution
_MANY_VALUES = 5  # different values of a column of measurements, per column
_RARELY = 0.8  # share of different values of a column of names
_ALL_BUT_SOME = 0.1  # share of exceptions of a column that otherwise equals the majority
_A_TEST = re.compile(r"(?:^|[\W_])(?:pre|post)[\W_]?(?:test|score|exam)s?(?:$|[\W_])", re.IGNORECASE)
_A_COEFFICIENT = re.compile(r"kappa|krippendorff|fleiss|(?:^|_)(?:icc|alpha|p_?val(?:ue)?)(?:$|_)", re.IGNORECASE)
_LABELLED_AT = re.compile(r"(?:label+ed|annotated|rated|coded|judged|reviewed|scored)_(?:at|on|date|time)")
_SCHOOL = {"exam", "midterm", "quiz", "homework", "hw", "gpa", "assignment", "coursework", "attendance", "exams"}


@rule("wide", looks_at="agreement of columns without names of annotators", gives="a refusal; for two columns a note")
def refuse_strangers(table: Assignment) -> None:
    """Columns that hardly agree may be variables or counts. A column that always agrees may be the consensus. Shares
    such as 0.33 are means over annotators.
    """
    columns = table.profiled(table.labels)
    if table.is_declared or table.grid is not None or not len(columns) >= 2:
        return
    _refuse_results(table, columns)
    if not _SHOW_AGREEMENT <= len(columns[0].column.codes) <= _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        return
    columns = _without_majority(table, columns)
    _refuse_before_and_after(table, columns)
    _refuse_grades(table)
    _refuse_criteria(table, columns)
    _refuse_gaps(table, columns)
    _refuse_if_never_equal(table, columns)
    _refuse_names(table, columns)
    _refuse_measurements(table, columns)
    _refuse_systems(table)
    strange = [p.name for p in columns if not may_be_person(p.name)]
    if 3 * len(strange) > 2 * len(columns):
        _refuse_if_no_annotator(table, columns)
    if len(columns) <= _FEW_COLUMNS:
        _refuse_a_stranger(table, columns, strange)


def _without_majority(table: Assignment, columns: Sequence[Profile]) -> list[Profile]:
    """Leave out a column called label, class or reference beside annotators if it is mostly their majority. If it is
    not, the user decides.
    """
    generic = [p for p in columns if is_called(p.name, GENERIC)]
    named = [p for p in columns if p not in generic and not is_called(p.name, OUTPUTS)]
    people = [p for p in named if is_person(p.name) or is_system(p.name)]
    if not generic or len(people) < 2:
        return list(columns)
    codes, _ = coded_together([p.column for p in (*named, *generic)])
    for k, profile in enumerate(generic, len(named)):
        if not is_majority(codes[: len(named)], codes[k], _ALL_BUT_SOME):
            raise DataError(
                "roles-unclear",
                f"{table.where}: column {quoted(profile.name)} may be the label that the annotators "
                f"{listed([p.name for p in named])} agreed on; use --role {in_full(f'{profile.name}=ignore')} if it "
                f"is ({len(columns) - 1} annotators), or {table.options_naming(table.labels)} if it is an "
                f"annotator ({len(columns)} annotators)",
            )
        table.give("covariate", "it is the majority of the annotators, with few exceptions", profile.name)
        table.aside_by_value.append(profile.name)
    table.labels = tuple(p.name for p in columns if p not in generic)
    return table.profiled(table.labels)


def _refuse_before_and_after(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse the results of tests before and after a course: their difference is an effect, not disagreement."""
    if len(columns) != 2 or not all(p.measured and _A_TEST.search(p.name) for p in columns):
        return
    names = [p.name for p in columns]
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(names)} are measurements at two times, so their difference may be an effect and not "
        f"disagreement; use {table.options_naming(names)} to measure how well they repeat each other",
    )


def _refuse_grades(table: Assignment) -> None:
    """Refuse the points of students in exams and assignments, which are different things."""
    named = [name for name in table.header if not _SCHOOL.isdisjoint(re.split(r"[\W_\d]+", name.lower()))]
    if len(named) > 1:
        raise DataError(
            "roles-unclear",
            f"{table.where}: {listed(named)} mean parts of a course, so the columns may be grades for different work; "
            f"use {table.options_naming(table.labels)} if they are annotators",
        )


def _refuse_criteria(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse columns without names of annotators beside one time of labelling per row: one person filled them."""
    when = [name for name in table.header if _LABELLED_AT.fullmatch(spellings(name)[-1])]
    names = [p.name for p in columns]
    if not when or any(name in names for name in when) or any(map(may_be_person, names)):
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: each row has one time of labelling ({quoted(when[0])}), so {listed(names)} may be criteria of "
        f"one annotator, and then there is nothing to compare; use {table.options_naming(names)} if each column is an "
        "annotator",
    )


def _refuse_gaps(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse a word among numbers in equally many cells of each row: it may mean that others labelled the item."""
    labels = {label for p in columns for label in p.counts}
    words = {label for label in labels if isinstance(label, str)}
    if len(words) != 1 or len(labels) < 3 or table.how.missing or len(columns) < 3:
        return
    word = words.pop()
    times = np.sum([p.rows_with(word) for p in columns], axis=0)
    if times.min() < 1 or times.min() < times.max() or times.max() > len(columns) - 2:
        return
    number = int(times[0])
    raise DataError(
        "roles-unclear",
        f"{table.where}: each row has the word {quoted(word)} in {number} of {len(columns)} cells, and numbers in the "
        f"others; use --missing {in_full(word)} if it means that an annotator did not label the item, or "
        f'--missing "" if it is a label',
    )


def _refuse_names(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse words that hardly ever repeat and hardly agree: names of things, not labels."""
    rare = [p for p in columns if p.n >= _ENOUGH and p.numbers is None and p.distinct > _RARELY * p.n]
    if len(rare) == len(columns) and agreement_of(columns) < _HARDLY:
        raise DataError(
            "roles-unclear",
            f"{table.where}: the values of {listed([p.name for p in columns])} hardly ever repeat, so they may be "
            f"names or texts, not labels; use {table.options_naming(table.labels)} if each column is an "
            "annotator",
        )


def _is_named(name: str) -> bool:
    """Whether a name is that of an annotator, or missing. V, A and R1 may also be initials of anything."""
    initials = name.isupper() and len(name) <= _INITIALS
    return AN_ANNOTATOR.fullmatch(name) is not None or is_no_name(name) or (is_person(name) and not initials)


def _refuse_measurements(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse decimal numbers that hardly agree, unless most columns have names of annotators: scores, means."""
    letters = sorted(p.name for p in columns) == [chr(ord("A") + k) for k in range(len(columns))]
    named = [p for p in columns if letters or _is_named(p.name)]
    decimal = [p for p in columns if p.numbers is not None and 2 * int((p.numbers % 1 != 0).sum()) > len(p.numbers)]
    if 3 * len(named) >= 2 * len(columns) or 2 * len(decimal) <= len(columns):
        return
    if sum(p.distinct for p in decimal) > _MANY_VALUES * len(decimal) and agreement_of(columns) < _CLEARLY:
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns contain decimal numbers that hardly agree "
            f"({listed([p.name for p in columns])}), so they may be measurements or means, not labels of single "
            "annotators; give a table with the labels of each annotator, or use "
            f"{table.options_naming(table.labels)} if each column is an annotator",
        )


def _refuse_if_never_equal(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse columns that share values but are never equal in a row: they name different people or things."""
    codes, size = coded_together([p.column for p in columns])
    if codes.shape[1] < _ENOUGH or len(columns) > _FEW_COLUMNS or size > _MOST_COLUMNS:
        return
    pairs = list(combinations(codes, 2))
    counts = [np.bincount(line[line >= 0], minlength=size).astype(np.float64) for line in codes]
    expected = sum(float(a @ b) for a, b in combinations(counts, 2)) / codes.shape[1]
    if expected < _SHOW_AGREEMENT or any(((a == b) & (a >= 0)).any() for a, b in pairs):
        return
    names = [p.name for p in columns]
    others = any(name not in {*names, table.item} for name in table.header)
    rest = "--item COLUMN --annotator COLUMN --label COLUMN if other columns contain them"
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(names)} share values but are never equal in a row, so they may name different people "
        f"or things; use {table.options_naming(names)} if each column contains the labels of one annotator, or "
        f"{rest if others else 'add columns with the labels'}",
    )


def _refuse_results(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse names of two annotators beside their agreement: rater1, rater2, kappa."""
    results = [name for name in table.header if _A_COEFFICIENT.search(name)]
    if not results or len(columns) != 2 or any(p.numbers is not None for p in columns):
        return
    (a, b), _ = coded_together([p.column for p in columns])
    if ((a == b) & (a >= 0)).any():
        return
    raise DataError(
        "export-not-usable",
        f"{table.where}: {listed([p.name for p in columns])} are never equal in a row, and {listed(results)} may be "
        "their agreement, so the rows are results of a study; give the table with the labels",
    )


def _refuse_systems(table: Assignment) -> None:
    """Refuse names of systems beside at least as many names of people: gpt-4o beside Ana and Ben."""
    if table.how.with_models:
        return
    systems = [name for name in table.labels if is_system(name)]
    people = [name for name in table.labels if name not in systems]
    if not systems or len(people) < 2 or len(systems) > len(people) or not all(map(is_person, people)):
        return
    ignored = " ".join(f"--role {in_full(f'{name}=ignore')}" for name in systems)
    both = table.options_naming(table.labels)
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(systems)} may be the output of a system beside the annotators {listed(people)}; use "
        f"{ignored} to compare people only ({len(people)} annotators), or {both} to compare all "
        f"({len(table.labels)} annotators)",
    )


def _refuse_if_no_annotator(table: Assignment, columns: Sequence[Profile]) -> None:
    """Refuse columns without names of annotators that hardly agree or contain means."""
    names = listed([p.name for p in columns])
    shares = [p for p in columns if p.numbers is not None and bool((p.numbers % 1 != 0).any())]
    if len(columns) > 2 and 2 * len(shares) > len(columns) and all(map(_is_between_0_and_1, columns)):
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns contain shares or means ({names}), not labels of single annotators; give a "
            f"table with the labels of each annotator, or use {table.options_naming([p.name for p in columns])} "
            "if each column is an annotator",
        )
    if agreement_of(columns) >= _HARDLY:
        return
    refuse_repeated_item(table)
    if len(columns) > 2 or (table.aside_by_value and all(profile.measured for profile in columns)):
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns hardly agree and do not have names of annotators ({names}); name each "
            f"annotator with --label COLUMN, or use {table.options_naming([p.name for p in columns])} if all "
            f"columns are annotators{_or_counts(table, columns)}",
        )
    table.notes.append(
        f"{names} hardly agree; if they are not annotators, name the annotators with --label COLUMN, "
        "or use --layout counts for counts per category"
    )


def _or_counts(table: Assignment, columns: Sequence[Profile]) -> str:
    """Return the options for counts per category, if the columns contain whole numbers of at least 0."""
    numbers = [profile.numbers for profile in columns]
    if any(x is None or (x < 0).any() or (x % 1 != 0).any() for x in numbers):
        return ""
    names = [profile.name for profile in columns]
    return f", or {table.options_naming(names, '--layout counts')} for counts per category"


def _is_between_0_and_1(profile: Profile) -> bool:
    numbers = profile.numbers
    return numbers is not None and bool(numbers.min() >= 0 and numbers.max() <= 1)


def _refuse_a_stranger(table: Assignment, columns: Sequence[Profile], strange: Sequence[str]) -> None:
    """Refuse a column without a name of annotators that never agrees, or always agrees, with the others."""
    codes, _ = coded_together([p.column for p in columns])
    for c, profile in enumerate(columns):
        others = [p for p in columns if p is not profile]
        if profile.name not in strange or len(others) < 2:
            continue
        alone = max(agreement_of([profile, other]) for other in others)
        if alone < _HARDLY and agreement_of(others) >= _CLEARLY:
            fact = "hardly agrees with the others, who agree with each other"
        elif settles(np.delete(codes, c, axis=0), codes[c]):
            fact = "never differs from the consensus of the others"
        else:
            continue
        raise DataError(
            "roles-unclear",
            f"{table.where}: column {quoted(profile.name)} {fact}; use --role {in_full(f'{profile.name}=ignore')} if "
            f"it is not an annotator ({len(others)} annotators), or {table.options_naming(table.labels)} if it "
            f"is ({len(columns)} annotators)",
        )


def refuse_repeated_item(table: Assignment) -> None:
    """Refuse rows that repeat texts or identifiers: each row may have the labels of one unknown annotator."""
    rows = len(table.columns[table.header[0]].codes)
    names = [h for h in table.header if h not in table.labels]
    items = [p for p in table.profiles.values() if p.name in names and p.n == rows and _repeats(p, rows)]
    item = max(items, key=lambda profile: profile.distinct, default=None)
    if item is None or item.distinct < _A_FEW:
        return
    labels = [name for name in table.labels if not same_within(item.column, table.columns[name])]
    if not labels:
        return
    each = " ".join(f"--label {in_full(name)}" for name in labels)
    if key := key_of_rows(table, item.name):
        raise DataError(
            "roles-unclear",
            f"{table.where}: {listed(key)} together are different in every row, so each row may be an item that one "
            f"annotator labelled, and then there is nothing to compare; use --annotators-in columns --item "
            f"{in_full(SIGN.join(key))} {each} if each of these columns is an annotator",
        )
    raise DataError(
        "roles-unclear",
        f"{table.where}: {rows:,} rows have {item.distinct:,} different values of column {quoted(item.name)}; use "
        f"--anonymous --item {in_full(item.name)} {each} if each row has the labels of one unknown annotator, or "
        f"--annotators-in columns --item {in_full(item.name)} {each} --repeats first if each of these columns is an "
        "annotator and the first row of an item counts",
    )


def _repeats(profile: Profile, rows: int) -> bool:
    """Whether nearly all values of a column of texts or identifiers occur several times."""
    if not (profile.is_text or is_identifier(profile.name) or is_called(profile.name, ITEM)):
        return False
    times = np.bincount(profile.column.codes)
    return 2 * profile.distinct <= rows and bool((times[times > 0] > 1).mean() > _NEARLY_ALL)
