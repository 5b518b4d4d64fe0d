"""Rules that refuse columns of one annotator: attributes of people and studies, times, scores of systems, aspects."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from accord.core.errors import DataError, quoted
from accord.data.io.tables.assignment import Assignment, rule
from accord.data.io.tables.evidence import Profile, agreement_of
from accord.data.io.tables.roles import (
    ANNOTATOR,
    GENERIC,
    LABEL,
    OUTPUTS,
    calls_an_annotator,
    calls_annotators,
    calls_described,
    in_full,
    is_called,
    is_consensus,
    is_no_name,
    is_person,
    is_settled,
    is_stimulus,
    is_system,
    is_variable,
    listed,
    may_be_person,
)
from accord.data.io.tables.variables import Grid

_A_FEW = 6  # fewer rows show no pattern
_ENOUGH = 20  # rows in which a column never has a mark without another
_SEVERAL = 3  # columns that form a series
_SURELY = 2 / 3  # agreement from which on columns with unknown names are read as annotators
_MOST_ROWS, _MOST_COLUMNS = 100_000, 1000  # larger tables are not examined
_TIME_POINT = re.compile(
    r"t[ _.\-]?\d+|(?:time|wave|week|month|year|day|visit|welle|woche|jahr)[ _.\-]?\d+|baseline|"
    r"(?:pre|post|before|after|follow[ _\-]?up)(?:[ _.\-]?(?:test|score|exam|survey|\d+))*|(?:19|20)\d\d",
    re.IGNORECASE,
)
# Words for annotators that roles.py does not use as names of columns, and words for one of two labels.
_OTHER_PEOPLE = {"juez", "jueza", "juge", "giudice", "juiz", "richter", "richterin", "beurteiler", "beurteilerin",
                 "prüfer", "prüferin", "experte", "expertin", "experto", "perito", "human", "person", "dr", "doctor",
                 "ra", "pi", "mturk", "crowd", "amateur", "volunteer", "juror", "jury", "voter", "vote", "eval", "rev",
                 "obs", "member", "respondent", "author", "researcher", "investigator", "colleague", "analyst",
                 "panelist", "specialist", "surgeon", "dentist", "linguist", "speaker", "listener", "viewer", "tester",
                 "screener", "inspector", "derm", "path", "interviewer", "moderator", "operator", "technician",
                 "scientist", "peer", "intern", "assistant", "tutor", "instructor", "lecturer", "professor", "ans",
                 "resp", "lbl"}  # fmt: skip
_ONE_OF_TWO = {"first", "second", "third", "primary", "secondary", "round", "pass", "session", "opinion", "read",
               "reading", "test", "retest", "run", "team", "lab", "group", "original", "replication"}  # fmt: skip
_MEAN = {"mean", "average", "avg", "mittelwert", "moyenne", "media"}
_SPREAD = {"sd", "std", "stdev", "stddev", "se", "sem", "variance"}
_WORKER = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d]{8,}")  # identifiers of workers: ASFBT1Y7WIMR2
_MISSPELLED = re.compile(r"an+ot+at[oeu]")
_REPEATED = {"trial", "time", "day"}
_NO_INITIALS = set("dfiqtvxyz")  # letters before numbers that seldom call annotators: X1, v_000
_SCORES = {"score", "scores", "rating", "quality", "result", "points", "win", "wins"}
_SIDES = ({"left", "right"}, {"l", "r"}, {"links", "rechts"}, {"od", "os"})


@rule("wide", looks_at="names", gives="a refusal")
def refuse_norms(table: Assignment) -> None:
    """valence.mean beside valence.sd are means over raters, so no labels of single raters are left."""
    if table.is_declared or table.label_columns:
        return
    words = {name: [w for w in re.split(r"[\W_]+", name.lower()) if w] for name in table.labels}
    means = [name for name, of in words.items() if not _MEAN.isdisjoint(of)]
    spreads = {tuple(w for w in of if w not in _SPREAD) for of in words.values() if not _SPREAD.isdisjoint(of)}
    paired = [name for name in means if tuple(w for w in words[name] if w not in _MEAN) in spreads]
    rest = [name for name in table.labels if _MEAN.isdisjoint(words[name]) and _SPREAD.isdisjoint(words[name])]
    if not paired or sum(map(_may_annotate, rest)) > 1:
        return
    raise DataError(
        "export-not-usable",
        f"{table.where}: {listed(paired)} are means over raters, with their standard deviations, so the labels of "
        "single raters are not in this table; give the table with the ratings of each rater",
    )


@rule("wide", looks_at="names of rows and columns; marks that imply others", gives="a refusal")
def refuse_attributes(table: Assignment) -> None:
    """D1, D2 and D3 of a study, T1 and T2 of a subject, scores of systems and answers of a person are attributes of the
    row. One annotator wrote them, so there is nothing to compare.
    """
    columns = table.profiled(table.labels)
    if table.is_declared or not 1 < len(columns) <= _MOST_COLUMNS:
        return
    if table.grid is not None:
        _refuse_times_of_variables(table, table.grid)
        return
    names = [profile.name for profile in columns]
    if len(names) < _SEVERAL and all(p.measured and _TIME_POINT.fullmatch(p.name) for p in columns):
        return  # tests before and after a course, for another rule
    for why in (_are_times(table, names), _are_described(table, names), _are_sides(names), _are_numbered(names),
                _are_scores(table, names), _are_implied(columns)):  # fmt: skip
        if why is not None:
            raise DataError(
                "roles-unclear",
                f"{table.where}: {why}, so one annotator may have written them, and then there is nothing to compare; "
                f"use {_rows_or(table, names)}{_item_of_rows(table)}{table.options_naming(names)} if each column is an "
                "annotator",
            )


def _refuse_times_of_variables(table: Assignment, grid: Grid) -> None:
    """Refuse times instead of annotators: T1_mood, T2_mood, T1_sleep and T2_sleep."""
    people = list(dict.fromkeys(who for of in grid.values() for who in of))
    if not all(_TIME_POINT.fullmatch(who) for who in people):
        return
    first = next(iter(grid.values()))
    each = " ".join(f"--label {in_full(name)}" for name in first.values())
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(people)} mean times, so {listed(list(first.values()))} may differ because of time, "
        f"not because annotators disagree; use {each} to measure how well they repeat each other",
    )


def _item_of_rows(table: Assignment) -> str:
    """Return the option that names the rows, if the column with a name of items repeats: subject_id beside study_id."""
    key = _described_key(table)
    repeats = table.item is not None and not table.profiles[table.item].never_twice
    return f"--item {in_full(key)} " if repeats and key is not None else ""


def _rows_or(table: Assignment, names: Sequence[str]) -> str:
    """Return the options for annotators in rows, if columns have names of stimuli: face_001."""
    key = _described_key(table)
    if key is None or not all(is_stimulus(re.sub(r"[\W_]*\d+$", "", name)) for name in names):
        return ""
    return f"--annotators-in rows --annotator {in_full(key)} if each row is an annotator and columns are items, or "


def _are_times(table: Assignment, names: Sequence[str]) -> str | None:
    times = [name for name in names if _TIME_POINT.fullmatch(name.strip())]
    if len(times) < len(names) or (len(times) < _SEVERAL and _described_key(table) is None):
        return None
    return f"{listed(names)} mean times"


def _are_described(table: Assignment, names: Sequence[str]) -> str | None:
    key = _described_key(table)
    if key is None or _SEVERAL * sum(map(_may_annotate, names)) > len(names) or _end_in_people(names):
        return None
    return f"the rows are described by {quoted(key)}, and {listed(names)} may be attributes of it"


def _end_in_people(names: Sequence[str]) -> bool:
    """Whether names have one beginning and end in different people: include_AB and include_CD, Inspector A."""
    halves = [re.fullmatch(r"(.+)[_ .\-]([^\W\d_]+)", name.strip()) for name in names]
    stems = {half[1] for half in halves if half}
    ends = [half[2] for half in halves if half]
    if len(stems) > 1 or len(ends) < len(names):
        return False
    return all(map(is_person, ends)) and (all(len(end) > 1 for end in ends) or _calls_people(stems.pop()))


def _described_key(table: Assignment) -> str | None:
    """Return the column with a name of people or studies that names the rows."""
    rest = [name for name in table.header if name not in table.labels]
    keys = [name for name in rest if calls_described(name) and table.profiles[name].never_twice]
    return next(iter(keys), None)


def _may_annotate(name: str) -> bool:
    """Whether a name may be an annotator or a label by one: a person, initials, R1, winner2."""
    if _TIME_POINT.fullmatch(name.strip()):
        return False
    if is_no_name(name) or _WORKER.fullmatch(name):
        return True
    stem = re.sub(r"[\d\W_]+$", "", name)
    if stem != name:
        return _calls_people(stem)
    return may_be_person(name)


def _calls_people(stem: str) -> bool:
    """Whether a name without its number may call annotators or their labels: coder, R, rating, Ana."""
    plain = stem.strip(" _.-:").lower()
    words = [word for word in re.split(r"[\W_\d]+", plain) if word]
    if len(plain) <= 1:
        return plain not in _NO_INITIALS
    if calls_annotators(stem) or is_called(plain, (*ANNOTATOR, *LABEL)) or _MISSPELLED.search(plain):
        return True
    if is_variable(stem.strip(" _.-:")) or (len(words) > 1 and len(words[-1]) == 1 and words[-1] not in _NO_INITIALS):
        return True  # tone1, hate_G1
    known = {*_OTHER_PEOPLE, *_ONE_OF_TWO, *LABEL}
    return any(w in known or (len(w) > 2 and w not in _REPEATED and is_person(w)) for w in words)


def _are_sides(names: Sequence[str]) -> str | None:
    """Whether two names differ only in left and right: r.eye and l.eye."""
    words = [set(re.split(r"[\W_]+", name.lower())) for name in names]
    if len(names) != 2 or (words[0] ^ words[1]) not in _SIDES or not words[0] & words[1]:
        return None
    return f"{listed(names)} are two sides of one thing"


def _are_numbered(names: Sequence[str]) -> str | None:
    """Whether most names differ only in a number, and do not call annotators: X1, v_000, task1_success."""
    series: dict[tuple[str, str], list[str]] = {}
    for pattern in (r"(.*?)(\d+)()", r"(\D*?)(\d+)(\D.*)"):
        for name in names:
            if (found := re.fullmatch(pattern, name.strip())) and not is_no_name(name):
                series.setdefault((found[1], found[3]), []).append(name)
    (stem, _), group = max(series.items(), key=lambda one: len(one[1]), default=(("", ""), []))
    if len(group) < _SEVERAL or 3 * len(group) < 2 * len(names) or not stem.strip(" _.-") or _calls_people(stem):
        return None
    return f"{listed(group)} may number questions or features of each row"


def _are_scores(table: Assignment, names: Sequence[str]) -> str | None:
    """Whether all columns are scores of systems: gpt4_score, or gpt4 beside a text out_gpt4."""
    if table.how.with_models or not all(map(is_system, names)):
        return None
    scored = all(not _SCORES.isdisjoint(re.split(r"[\W_]+", name.lower())) for name in names)
    texts = [p.name.lower() for p in table.profiles.values() if p.is_text and p.name not in names]
    written = all(any(name.lower() in text for text in texts) for name in names)
    return f"{listed(names)} may be scores of these systems" if scored or written else None


def _are_implied(columns: Sequence[Profile]) -> str | None:
    """Whether marks in one column are the condition of marks in all others, which are finer: hate, target, aggressive.

    Annotators disagree in both directions.
    """
    if len(columns) < _SEVERAL or not _ENOUGH <= len(columns[0].column.codes) <= _MOST_ROWS:
        return None
    if any(calls_an_annotator(p.name) or is_no_name(p.name) for p in columns):
        return None
    numbers = [p.calculable for p in columns]
    marks = np.array([x for x in numbers if x is not None])
    if len(marks) < len(columns) or not np.isin(marks, (0, 1)).all() or agreement_of(columns) >= _SURELY:
        return None
    for k, profile in enumerate(columns):
        others = np.delete(marks, k, axis=0)
        alone = (marks[k] == 1) & (others == 0).any(axis=0)
        if (others <= marks[k]).all() and others.any(axis=1).all() and alone.sum() >= _ENOUGH / 2:
            return f"{listed([p.name for p in columns if p is not profile])} are 1 only where {profile.name} is 1"
    return None


@rule("wide", looks_at="names; agreement", gives="a refusal")
def refuse_aspects(table: Assignment) -> None:
    """food, service and price may be aspects that one annotator judged: aspects of one text have the same labels, and
    they correlate. Only high agreement shows that columns with such names are annotators.
    """
    columns = table.profiled(table.labels)
    if table.is_declared or table.grid is not None or not 1 < len(columns) <= _MOST_COLUMNS:
        return
    if not _A_FEW < len(columns[0].column.codes) <= _MOST_ROWS:
        return
    names = [profile.name for profile in columns]
    if len(names) < _SEVERAL and not all(map(_may_be_aspect, names)):
        return  # two words such as Kowalczyk and Nowak are mostly surnames
    strange = [name for name in names if not (may_be_person(name) or _may_annotate(name))]
    if 3 * len(strange) <= 2 * len(names) or any(map(is_consensus, table.header)) or _end_in_people(names):
        return
    if agreement_of(columns) >= _SURELY:
        return
    raise DataError(
        "roles-unclear",
        f"{table.where}: {listed(strange)} may be names of annotators, or aspects that one annotator judged; use "
        f"{table.options_naming(names)} if each column is an annotator",
    )


def _may_be_aspect(name: str) -> bool:
    """Whether a name is a word in small letters, and no reference or output of a system: food."""
    return name[:1].islower() and not is_settled(name) and not is_called(name, (*GENERIC, *OUTPUTS))
