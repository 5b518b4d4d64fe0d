"""Apply the roles that the user declares: `--role COLUMN=ROLE`, and items that several columns name together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column
from accord.data.io.tables.evidence import joined
from accord.data.io.tables.sources import Source, View

SIGN = "+"  # between the columns that name the items together
_JOINED = ("item", "doc", "start", "end")  # roles that are options; several columns name an item or document together
_OPTIONS = (*_JOINED, "annotator", "label")


@dataclass
class Mapped(View):
    """A table without the columns that are not scored, and with a column for each key of several columns."""

    keys: tuple[tuple[str, ...], ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        return (*map(SIGN.join, self.keys), *(name for name in self.source.header if name not in self.hidden))

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        made = {SIGN.join(key): key for key in self.keys if SIGN.join(key) in wanted}
        parts = [part for key in made.values() for part in key]
        real = dict.fromkeys([*(name for name in wanted if name not in made), *parts])
        loaded, inside = self.source.load(list(real), cells)
        return {
            name: joined([loaded[k] for k in made[name]]) if name in made else loaded[name] for name in wanted
        }, inside


def parts_of_key(name: str, header: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a name such as system+segment. A column with that very name comes first."""
    return (name,) if name in header else tuple(part.strip() for part in name.split(SIGN))


def with_key(source: Source, key: Sequence[str]) -> Source:
    """Return the table with a column for several columns together."""
    return source if len(key) < 2 else Mapped(source, (tuple(key),))


def apply_roles(sources: Sequence[Source], how: Reading) -> tuple[list[Source], Reading]:
    """Return the tables and the reading with the declared roles as item, annotator, label or hidden columns."""
    several = [name for name in (how.item, how.doc, how.annotator) if name is not None and SIGN in name]
    if not how.role and not several:
        return list(sources), how
    for name in how.roles:
        if not any(set(parts_of_key(name, source.header)) <= set(source.header) for source in sources):
            known = tuple(dict.fromkeys(column for source in sources for column in source.header))
            missing = next((part for part in parts_of_key(name, known) if part not in known), name)
            raise UnknownName("column", missing, known)
    how = _as_options(how)
    tables = [_mapped(source, how) for source in sources]
    header = {column for source in sources for column in source.header}
    keys = {name: SIGN.join(parts_of_key(getattr(how, name), tuple(header))) for name in ("item", "doc", "annotator")
            if getattr(how, name) is not None}  # fmt: skip
    return tables, replace(how, role=(), **keys)  # type: ignore[arg-type]


def _as_options(how: Reading) -> Reading:
    """Return the reading with roles of items, annotators and labels as the options of that name."""
    columns: dict[str, list[str]] = {}
    for name, role in how.roles.items():
        columns.setdefault(role, []).append(name)
    annotators, labels = columns.get("annotator", []), columns.get("label", [])
    for role in _OPTIONS:
        if getattr(how, role) and columns.get(role):
            raise SpecError(
                "option-value", f"--role gives columns the role {role}, and so does --{role}; use one of them"
            )
    options: dict[str, object] = {role: SIGN.join(columns[role]) for role in _JOINED if role in columns}
    if len(annotators) == 1:
        options["annotator"] = annotators[0]
    elif annotators:  # each column is an annotator
        if labels:
            raise SpecError(
                "option-value",
                f"--role gives {len(annotators)} columns the role annotator and {quoted(labels[0])} the role label; if "
                "each column is an annotator, leave out the role label",
            )
        options |= {"label": tuple(annotators), "layout": how.layout or "wide"}
    if labels:
        options["label"] = tuple(labels)
    if votes := columns.get("votes"):
        if labels or annotators:
            raise SpecError("option-value", "--role votes cannot be combined with the roles annotator or label")
        options |= {"label": tuple(votes), "layout": "counts"}
    return replace(how, **options)  # type: ignore[arg-type]


def _mapped(source: Source, how: Reading) -> Source:
    """Return the table with its keys of several columns, and without columns that are not scored."""
    keys = [
        parts
        for name in (how.item, how.doc, how.annotator)
        if name is not None and len(parts := parts_of_key(name, source.header)) > 1
    ]
    for key in keys:
        for part in key:
            if part not in source.header:
                raise UnknownName("column", part, source.header)
    said = {how.item, how.annotator, how.doc, how.start, how.end, *how.label, *how.needed}
    scored = (*_OPTIONS, "votes")
    of_keys = {part for key in keys for part in key}
    unscored = {name for name, role in how.roles.items() if role not in scored}
    hidden = tuple(name for name in source.header if name in (of_keys | unscored) - said)
    left = [name for name in source.header if name not in hidden]
    if not left:
        raise DataError(
            "column-missing", f"{source.name}: --role leaves no column to score; give a column the role label"
        )
    return Mapped(source, tuple(dict.fromkeys(keys)), hidden) if keys or hidden else source
