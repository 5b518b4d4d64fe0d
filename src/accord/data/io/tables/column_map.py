"""The map of a table: every column with its role, the reason, how sure accord is, and examples (`accord map`).

The roles are those of the rules in layout.py. If a rule refuses the table, the map shows what was found until then, and
the refusal. Columns without a role of their own are described by their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from accord.core.errors import DataError
from accord.data.io.reading import Reading
from accord.data.io.tables.assignment import Assignment
from accord.data.io.tables.counts import calls_a_number
from accord.data.io.tables.evidence import Profile, pooled_share
from accord.data.io.tables.layout import apply_rules
from accord.data.io.tables.mapping import SIGN, parts_of_key
from accord.data.io.tables.roles import (
    ANNOTATOR,
    DOC,
    LABEL,
    LENGTH,
    START,
    ColumnRole,
    calls_an_annotator,
    describes_annotators,
    end_of,
    first_of,
    is_called,
    is_person,
    is_settled,
)
from accord.data.io.tables.sources import Source
from accord.data.kinds import ITEMS, UNITS, Kind
from accord.data.model.labels import label_name

UNCLEAR = "unclear"  # the user must decide
_SCORED = ("item", "annotator", "label", "votes")
_EXAMPLES, _LONGEST = 3, 40  # values of a column; characters of a value
_MOST_COLUMNS = 200
_TIMES = ("time", "timestamp", "date", "datetime", "created_at", "updated_at", "submitted_at", "started_at")
_DURATIONS = ("duration", "seconds", "worktimeinseconds", "lead_time", "elapsed", "time_spent", "reaction_time", "rt")
_GROUPS = ("round", "split", "batch", "genre", "site", "condition", "treatment", "group", "corpus", "domain", "source",
           "language", "lang", "outlet", "newspaper", "venue", "platform", "year", "country")  # fmt: skip
_WITHIN = (*DOC, "speaker", "patient", "author", "author_id", "session", "school", "class_id", "family_id", "video")
_TEXTS = ("text", "content", "comment", "comments", "note", "notes", "headline", "title", "abstract")


@dataclass(frozen=True)
class MappedColumn:
    """A column with its role."""

    name: str
    role: ColumnRole
    filled: int
    distinct: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class ColumnMap:
    """The columns of a table. `options` read it with the same roles; `refusal` is why accord needs an option."""

    path: str
    rows: int
    columns: tuple[MappedColumn, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    refusal: DataError | None = None


def map_columns(source: Source, applied: Source, how: Reading, given: Reading, kind: Kind, several: bool) -> ColumnMap:
    """Return the map of a table. `applied` is the table without the columns that --role leaves out, `how` the options
    that follow from the roles, `given` the options as stated.
    """
    header = source.header[:_MOST_COLUMNS]
    table = Assignment(applied, how, [name for name in how.needed if name in applied.header], several)
    roles, options, refusal = _roles_of_items(table) if kind is ITEMS else _roles_by_name(applied, how, kind)
    for name, role in given.roles.items():
        for part in parts_of_key(name, source.header):
            roles[part] = ColumnRole(role, "stated with --role", "declared")
    columns, _ = source.load(header)
    profiles = {name: Profile(name, columns[name]) for name in header}
    annotator = next((name for name, role in roles.items() if role.role == "annotator"), None)
    confidence = "unsure" if refusal is not None else "likely"
    mapped = tuple(
        MappedColumn(
            name,
            roles.get(name) or ColumnRole(*_described(profile, annotator), confidence),
            profile.n,
            profile.distinct,
            _examples(profile),
        )
        for name, profile in profiles.items()
    )
    rows = len(next(iter(columns.values())).codes) if columns else 0
    return ColumnMap(source.name, rows, mapped, options, refusal)


def _examples(profile: Profile) -> tuple[str, ...]:
    shown = (" ".join(label_name(name).split()) for name in profile.column.names)
    filled = islice((text for text in shown if text), _EXAMPLES)
    return tuple(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in filled)


# -- Labels of items --


def _roles_of_items(table: Assignment) -> tuple[dict[str, ColumnRole], dict[str, Any], DataError | None]:
    """Return the roles that the rules give, the options that state them, and the refusal if there is one."""
    try:
        apply_rules(table)
        table.roles()
    except DataError as error:
        return _unsettled(table), {}, error
    main = dict(_main_roles(table))
    roles = _known(table, tuple(main)) | {
        name: known if (known := table.known.get(name)) is not None and known.role == role.role else role
        for name, role in main.items()
    }
    return roles, _options(table), None


def _unsettled(table: Assignment) -> dict[str, ColumnRole]:
    """Return the roles that were found before a rule refused the table."""
    undecided = (name for name in table.labels if name not in table.known)
    return {**table.known, **{name: ColumnRole(UNCLEAR, "may be an annotator or not", "unsure") for name in undecided}}


def _known(table: Assignment, taken: Sequence[str]) -> dict[str, ColumnRole]:
    """Return the roles of columns beside item, annotators and labels."""
    beside = {name: role for name, role in table.known.items() if name not in taken and role.role not in _SCORED}
    return beside | {name: ColumnRole("covariate", what) for name, what in table.computed.items() if name not in taken}


def _main_roles(table: Assignment) -> Iterator[tuple[str, ColumnRole]]:
    """Yield item, annotators and labels with the usual reason."""
    items = table.key or ((table.item,) if table.item is not None else ())
    if table.layout == "rows":
        yield from ((name, ColumnRole("annotator", "each row is an annotator")) for name in items)
        yield from ((name, ColumnRole("label", "each column is an item")) for name in table.labels)
        return
    yield from ((name, ColumnRole("item", "its values are all different")) for name in items)
    if table.annotator is not None:
        yield table.annotator, ColumnRole("annotator", "its name")
    if table.grid is not None:
        for variable, columns in table.grid.items():
            for annotator, name in columns.items():
                yield name, ColumnRole("label", f"variable {variable} of annotator {annotator}")
    elif table.layout == "wide" and not table.namers:
        yield from ((name, _wide_role(table, name)) for name in table.labels)
    else:
        role = "votes" if table.layout == "counts" else "label"
        yield from ((name, ColumnRole(role, "its name")) for name in table.labels)
        yield from ((name, ColumnRole("annotator", "names the annotator of another column")) for name in table.namers)


def _wide_role(table: Assignment, name: str) -> ColumnRole:
    """Return the role of a column per annotator, with the share of its labels that occur in other columns."""
    profile = table.profiles[name]
    others = [other for other in table.profiled(table.labels) if other.name != name]
    share = pooled_share([profile], others)
    confidence = "sure" if calls_an_annotator(name) or is_person(name) else "likely"
    return ColumnRole("annotator", f"shares {share:.0%} of its labels", confidence)


def _options(table: Assignment) -> dict[str, Any]:
    """Return the reading options that state these roles; none if options cannot."""
    if table.grid is not None or table.namers:
        return {}
    item = SIGN.join(table.key) if table.key else table.item
    if table.layout == "rows":
        return {"annotators_in": "rows", "annotator": item}
    if table.anonymous:
        return {"item": item, "anonymous": True, "label": table.labels}
    if table.layout == "long" and table.annotator is not None:
        return {"layout": "long", "item": item, "annotator": table.annotator, "label": table.labels}
    if table.layout in {"wide", "counts"}:
        named = {} if item is None else {"item": item}
        return {"layout": table.layout, **named, "label": table.labels}
    return {}


# -- Units, segmentations, chains, texts --


def _roles_by_name(source: Source, how: Reading, kind: Kind) -> tuple[dict[str, ColumnRole], dict[str, Any], None]:
    """Return the roles of a table of units: the columns that the user names, or those with the usual names."""
    header = source.header
    found = {
        "doc": how.doc or first_of(header, DOC),
        "annotator": how.annotator or first_of(header, ANNOTATOR),
        "start": how.start or first_of(header, START),
        "end": how.end or end_of(header),
        "label": how.label[0] if how.label else first_of(header, LABEL),
    }
    stated = {how.doc, how.annotator, how.start, how.end, *how.label}
    roles = {
        name: ColumnRole(role, *(("stated", "declared") if name in stated else ("its name", "sure")))
        for role, name in found.items()
        if name in header
    }
    options = {role: (name,) if role == "label" else name for role, name in found.items() if name is not None}
    return roles, options if kind is UNITS else {}, None


# -- Other columns --


def _described(profile: Profile, annotator: str | None) -> tuple[str, str]:
    """Return the role and the reason of a column that is neither item nor annotator nor label."""
    return next(_descriptions(profile, annotator))


def _descriptions(profile: Profile, annotator: str | None) -> Iterator[tuple[str, str]]:
    name = profile.name
    if not profile.n:
        yield "ignore", "empty"
    if is_called(name, _DURATIONS):
        yield "duration", "its name"
    if profile.is_time or is_called(name, _TIMES):
        yield "time", "dates or times" if profile.is_time else "its name"
    if is_settled(name):
        yield "covariate", "its name means a consensus or the output of a system"
    if describes_annotators(name, annotator):
        yield "family", "its name means a trait of the annotators"
    if is_called(name, _WITHIN):
        yield "within", "its name"
    if is_called(name, _GROUPS):
        yield "group", "its name"
    if profile.is_text or is_called(name, _TEXTS):
        yield "text", "texts" if profile.is_text else "its name"
    if profile.counts_up:
        yield "index", "numbers the rows"
    if profile.constant:
        yield "constant", "the same value in every row"
    if (profile.numbers is not None and calls_a_number(name)) or is_called(name, LENGTH):
        yield "total", "its name means a number"
    if profile.never_twice:
        yield "index", "different in every row"
    yield "covariate", "not a label"


__all__ = ["ColumnMap", "MappedColumn", "map_columns"]
