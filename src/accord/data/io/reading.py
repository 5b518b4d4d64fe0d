"""The reading options: how accord reads files and tables."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.core.options import Option, Parameter, parameter
from accord.core.typed import check_types
from accord.data.io.opening import stream_of
from accord.data.kinds import LAYOUTS
from accord.data.model.labels import Label, label_name
from accord.data.model.measurement import parse_levels
from accord.data.model.repeats import Repeats

ANNOTATORS_IN = ("columns", "rows", "files", "folders", "sheets", "tiers")
PARTS = ("category", "annotator", "pair", "item")  # breakdowns of every kind of data; other names may be columns
FOLDS, REPEATS = ("case", "space"), ("error", "first", "last", "trials")
READ_AS = "read as"  # the note that names the format
DOCUMENT = ("document", "doc")  # a breakdown for units, a column for ratings

# What a column can be. doc, start and end are for units. All after these are not scored.
ROLES = ("item", "annotator", "label", "votes", "doc", "start", "end", "text", "time", "duration", "group", "within",
         "family", "index", "total", "covariate", "constant", "ignore")  # fmt: skip
HEADING = "How the data are read"
_rare = partial(Option, heading=HEADING, rare=True)
_column = partial(_rare, metavar="COLUMN", complete="columns")


@dataclass(frozen=True)
class Declared:
    """Facts about a table in memory: extents of documents, and the annotators who saw them."""

    extents: Any = None
    judged: Any = None  # names, or names by document
    texts: Mapping[str, str] | None = None  # by document

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(name for name in ("extents", "judged") if getattr(self, name) is not None)


@dataclass(frozen=True)
class Reading:
    """The options of `accord.read` and of the command line."""

    layout: Annotated[
        str | None,
        _rare(
            "Layout of the table: long, wide, counts (item × category), confusion, units, pygamma (its CSV without "
            "header row), segmentations, texts or chains. Default: recognised from the columns, except counts and "
            "confusion.",
            choices=LAYOUTS,
        ),
    ] = None
    item: Annotated[
        str | None, _column("Column with the names of items; several columns together: `system+segment`.")
    ] = None
    annotator: Annotated[str | None, _column("Column with the names of annotators.")] = None
    label: Annotated[
        tuple[str, ...],
        Option(
            "Column with the labels; repeatable. In a wide table: the column of an annotator.",
            metavar="COLUMN",
            complete="columns",
            heading=HEADING,
        ),
    ] = ()
    role: Annotated[
        tuple[str, ...],
        Option(
            "Role of a column, e.g. `class=ignore` or `system+segment=item`; repeatable. `accord map DATA` lists them.",
            heading=HEADING,
            metavar="COLUMN=ROLE",
            complete="columns",
        ),
    ] = ()
    anonymous: Annotated[
        bool, _rare("No column names the annotators: each row is the label of an unknown annotator.")
    ] = False
    by: tuple[str, ...] = ()  # further columns by which data are split
    keep: tuple[str, ...] = ()  # further columns that are kept, such as the time spent on a label
    with_models: bool = False  # the question compares people and models, so both are annotators
    missing: Annotated[
        tuple[str, ...],
        Option(
            "Label to treat as missing, e.g. NA; repeatable. Empty cells are missing by default.",
            metavar="LABEL",
            heading=HEADING,
        ),
    ] = ()
    keep_empty: Annotated[bool, _rare("Treat empty cells as a label, not as missing.")] = False
    fold: Annotated[
        tuple[str, ...], _rare("Ignore differences in `case` or `space` between labels; repeatable.", choices=FOLDS)
    ] = ()
    sets: Annotated[str | None, _rare("Labels are sets with this separator, e.g. `|` in a|b.", metavar="SEPARATOR")] = (
        None
    )
    measurement: Annotated[
        tuple[str, ...],
        Option(
            "Level of measurement, also of one variable (`tone=ordinal`); repeatable: nominal, ordinal, interval, "
            "ratio, circular(24), binary, sets, text. Default: from the file or the labels.",
            metavar="[VARIABLE=]LEVEL",
            heading=HEADING,
            complete="levels",
        ),
    ] = ()
    categories: Annotated[
        tuple[Label, ...] | None,
        _rare("All categories in order, including unused ones.", metavar="A,B,C", shape="names"),
    ] = None
    repeats: Annotated[
        Repeats,
        _rare(
            "If an annotator labels an item twice: error, keep the first or last label, or compare them as trials.",
            choices=REPEATS,
        ),
    ] = "error"
    only: Annotated[
        tuple[str, ...],
        _rare("Keep only these labels, or rows with these values of a column; repeatable.", metavar="[COLUMN=]V,V"),
    ] = ()
    annotators: Annotated[tuple[str, ...], _rare("Keep only these annotators.", metavar="A,B", shape="names")] = ()
    merge: Annotated[tuple[str, ...], _rare("Merge labels A and B into C; repeatable.", metavar="A,B=C")] = ()
    encoding: Annotated[str | None, _rare("Encoding of the files, e.g. latin-1. Default: UTF-8 or UTF-16.")] = None
    delimiter: Annotated[str | None, _rare("Character between cells; `tab` for a tab. Default: detected.")] = None
    sheet: Annotated[str | None, _rare("Sheet of an Excel file.")] = None
    table: Annotated[str | None, _rare("Table or view of a database (DuckDB, SQLite, postgresql://…, mysql://…).")] = (
        None
    )
    doc: Annotated[str | None, _column("Column with the names of documents.")] = None
    start: Annotated[str | None, _column("Column with the start of units.")] = None
    end: Annotated[str | None, _column("Column with the end of units (exclusive).")] = None
    end_is_length: Annotated[bool, _rare("The end column contains lengths.")] = False
    docs: Annotated[
        str | None,
        _rare(
            "Table with the extents of documents: doc, begin, end, optionally text. Default: docs.csv beside the "
            "units.",
            metavar="TABLE",
        ),
    ] = None
    judged: Annotated[
        str | None,
        _rare(
            "Table with the documents that each annotator saw, even without marking anything: doc, annotator. Default: "
            "judged.csv beside the units.",
            metavar="TABLE",
        ),
    ] = None
    base: Annotated[
        str | None,
        _rare(
            "For texts: the name of the pre-annotation that annotators corrected. Default: base, pre, reference, "
            "original or source.",
            metavar="NAME",
        ),
    ] = None
    texts: Annotated[
        str | None,
        _rare(
            "For texts: folder with the texts of a table, as DOC.ANNOTATOR.txt, ANNOTATOR/DOC.txt or DOC.txt. Default: "
            "the folder texts beside the table.",
            metavar="FOLDER",
        ),
    ] = None
    merge_symbol: Annotated[
        str, _rare("For CorA-XML: the character in a token that stands for a blank.", metavar="SIGN")
    ] = "#"
    split_symbol: Annotated[str, _rare("For CorA-XML: the character in a token that is removed.", metavar="SIGN")] = "|"
    format: Annotated[
        str | None,
        _rare(
            "Format of the files, if accord does not recognise it; see `accord formats`.",
            metavar="NAME",
            complete="formats",
        ),
    ] = None
    no_header: Annotated[bool, _rare("The table has no header row.")] = False
    annotators_in: Annotated[
        str | None,
        _rare(
            "What distinguishes annotators: columns, rows, files, folders, sheets or tiers.",
            metavar="WHERE",
            choices=ANNOTATORS_IN,
        ),
    ] = None
    columns: Annotated[
        str | None,
        _rare("Pattern of column names with several variables, e.g. `{annotator}_{label}`.", metavar="PATTERN"),
    ] = None
    names: Annotated[
        str | None, _rare("Pattern of file names, e.g. `{doc}_{annotator}` or `{annotator}/{doc}`.", metavar="PATTERN")
    ] = None
    repair: Annotated[bool, _rare("Fix offsets that do not match the stored text.")] = False

    def __post_init__(self) -> None:
        if self.annotators_in is not None and self.annotators_in not in ANNOTATORS_IN:
            raise UnknownName("place of annotators", self.annotators_in, ANNOTATORS_IN)
        if self.base is not None and not isinstance(self.base, str):
            raise SpecError(
                "option-value",
                "base must be the name of an annotator; use (columns, text) only with texts={annotator: text}",
            )
        check_types(type(self), self.options)
        if self.layout is not None and self.layout not in LAYOUTS:
            raise UnknownName("layout", self.layout, LAYOUTS)
        if self.layout not in {None, "texts"} and self.about_texts:
            said = ", ".join("--" + name.replace("_", "-") for name in self.about_texts)
            raise SpecError(
                "option-not-for-data", f"{said}: this option is for texts, but the layout is {self.layout}; remove it"
            )
        _check_roles(self.role)
        parse_levels(self.measurement)  # refuses unknown levels
        for name, times in Counter(self.label).items():
            if times > 1:
                raise SpecError("option-value", f"--label {quoted(name)} is named twice; name each column once")
        if self.sets == "":
            raise SpecError("option-value", "--sets is empty; give the separator of sets, for example --sets '|'")
        for how in self.fold:
            if how not in FOLDS:
                raise UnknownName("kind of folding", how, FOLDS)
        if self.repeats not in REPEATS:
            raise UnknownName("way to treat repeats", self.repeats, REPEATS)

    @property
    def not_for_texts(self) -> tuple[str, ...]:
        """The given options that do not apply to texts."""
        given = ("item", "sets", "categories", "repeats", "merge")
        usual = {name: self.__dataclass_fields__[name].default for name in given}
        documents = all(column in DOCUMENT for column in self.filters)
        return (
            *(name for name, default in usual.items() if getattr(self, name) != default),
            *(() if documents else ("only",)),
        )

    @property
    def about_texts(self) -> tuple[str, ...]:
        """The given options that apply only to texts."""
        given = ("base", "texts", "merge_symbol", "split_symbol")
        return tuple(name for name in given if getattr(self, name) != self.__dataclass_fields__[name].default)

    @property
    def about_units(self) -> tuple[str, ...]:
        """The given options that apply only to units."""
        given = ("doc", "start", "end", "docs", "judged")
        return (
            *(n for n in given if getattr(self, n) is not None),
            *(("end_is_length",) if self.end_is_length else ()),
        )

    @property
    def options(self) -> dict[str, Any]:
        """All options as keywords for `read`."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def stated(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """The values of --only by column; the key "" is the label itself."""
        wanted: dict[str, tuple[str, ...]] = {}
        for text in self.only:
            column, sign, values = text.partition("=")
            key, chosen = (column, values) if sign else ("", column)
            wanted[key] = (*wanted.get(key, ()), *chosen.split(","))
        return wanted

    @property
    def roles(self) -> dict[str, str]:
        """The roles that the user declares, by column or by columns joined with +."""
        return {column: role for column, _, role in (text.rpartition("=") for text in self.role)}

    def columns_of_units(self) -> tuple[str, ...]:
        """Return `needed` for units, without the column of documents."""
        return tuple(c for c in self.needed if c not in DOCUMENT)

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.by, *self.keep, *(c for c in self.filters if c)]))


def _check_roles(given: Iterable[str]) -> None:
    for text in given:
        column, sign, role = text.rpartition("=")
        if not sign or not column:
            raise SpecError(
                "option-value",
                f"--role {quoted(text)}: write the column, = and its role, for example --role text=ignore",
            )
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)


def _declared() -> dict[str, Parameter]:
    hints = get_type_hints(Reading, include_extras=True)
    made = {field.name: parameter(field.name, hints[field.name], field.default) for field in fields(Reading)}
    return {name: one for name, one in made.items() if one is not None}


READING = _declared()  # the options of reading, as every interface shows them


def as_tuple(key: str, value: Any) -> Any:
    """Return the values of a repeatable option as a tuple of text; a single value is accepted."""
    several = {"label", "role", "measurement", "by", "keep", "missing", "fold", "only", "annotators", "merge",
               "categories"}  # fmt: skip
    if key not in several:
        return value
    if value is None:
        return None if key == "categories" else ()
    if key == "measurement" and isinstance(value, Mapping):
        return tuple(f"{variable}={level}" for variable, level in value.items())
    if key == "annotators" and isinstance(value, Mapping):
        raise SpecError(
            "option-value",
            "annotators= takes the names to keep; for the annotators who saw a document use judged={doc: [names]}",
        )
    if isinstance(value, str):
        return tuple(value.split(",")) if key in {"annotators", "categories"} else (value,)
    values = tuple(value) if isinstance(value, Iterable) else (value,)
    return values if key == "categories" else tuple(label_name(v) for v in values)


# -- saved reading options -------------------------------------------------------------------------------------------


def options_of_reading(given: Any) -> dict[str, Any]:
    """Return the options of `reading=`: a file from `accord read --save-reading`, a `Reading`, or options by name."""
    if given is None:
        return {}
    if isinstance(given, Reading):
        return given.stated
    if isinstance(given, Mapping):
        for name in given:
            if name not in READING:
                raise UnknownName("option of reading", str(name), READING)
        return dict(given)
    if isinstance(given, str | os.PathLike):
        return read_reading(Path(given))
    raise SpecError("option-value", f"reading must be a file, a Reading or a dict of options, not {quoted(given)}")


def read_reading(path: Path) -> dict[str, Any]:
    """Return the options in a reading file."""
    table = read_toml(path, "a reading that accord saved")
    table.pop("accord", None)
    found = table.pop("reading", table)
    for name in found:
        if name not in READING:
            raise DataError("saved-file-invalid", f"{path}: {UnknownName('key', name, READING)}")
    check_values(str(path), found, READING)
    return as_tuples(found)


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """Return the content of a TOML file; `what` describes the expected content in errors."""
    try:
        with stream_of(path) as file:
            return tomllib.loads(file.read().decode())
    except OSError as error:
        code = "file-missing" if isinstance(error, FileNotFoundError) else "file-unreadable"
        raise DataError(code, f"{path}: {error.strerror}; check the path") from None
    except RecursionError:
        raise DataError("saved-file-invalid", f"{path}: not {what}: too deeply nested; save it again") from None
    except ValueError as error:  # not TOML, not UTF-8, or numbers with thousands of digits
        raise DataError("saved-file-invalid", f"{path}: not {what}: {error}; correct it, or save it again") from None


_WORDS = {"flag": "true or false", "switch": "true or false", "whole": "a whole number", "number": "a number",
          "value": "a number or a text"}  # fmt: skip


def check_values(where: str, table: Mapping[str, Any], known: Mapping[str, Parameter]) -> None:
    """Check values from TOML or JSON against their declarations, because users may edit the file."""
    for key, value in table.items():
        shape = known[key].shape
        several = shape in {"texts", "numbers"} or isinstance(known[key].default, tuple)
        one_is_enough = isinstance(value, str) and (shape == "names" or not isinstance(known[key].default, tuple))
        if several and not one_is_enough:
            _check_list(where, key, value, "numbers" if shape == "numbers" else "texts")
        elif not (isinstance(value, list) and shape == "names") and not _has_shape(value, shape):
            raise DataError(
                "saved-file-invalid",
                f"{where}: {key} = {quoted(value)} is not {_WORDS.get(shape, 'a text')}; correct the file",
            )


def _check_list(where: str, key: str, value: Any, of: str) -> None:
    if not isinstance(value, list):
        raise DataError(
            "saved-file-invalid",
            f"{where}: {key} must be a list; write {key} = [{quoted(value) if isinstance(value, str) else value}]",
        )
    if not all(_has_shape(one, "number" if of == "numbers" else "label") for one in value):
        raise DataError("saved-file-invalid", f"{where}: {key} must be a list of {of}; correct the file")


def _has_shape(value: Any, shape: str) -> bool:
    """Return whether a value has a shape; True is not a number here, although it is in Python."""
    if shape in {"flag", "switch"}:
        return isinstance(value, bool)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "whole": number and isinstance(value, int),
        "number": number,
        "value": number or isinstance(value, str),
        "label": number or isinstance(value, str),
    }.get(shape, isinstance(value, str))


def as_tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
