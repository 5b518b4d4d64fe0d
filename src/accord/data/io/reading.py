"""How a table is to be read: all that a user can say about it."""

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
from accord.data.model.repeats import Repeats

ANNOTATORS_IN = ("columns", "rows", "files", "folders", "sheets", "tiers")
PARTS = ("category", "annotator", "pair", "item")  # breakdowns of every kind of data; others may be columns
FOLDS, REPEATS = ("case", "space"), ("error", "first", "last", "trials")
READ_AS = "read as"  # the note that names the format
DOCUMENT = ("document", "doc")  # for units a breakdown like others; for ratings a column like others

HEADING = "How the data are read"
_rare = partial(Option, heading=HEADING, rare=True)
_column = partial(_rare, metavar="COLUMN", complete="columns")


@dataclass(frozen=True)
class Declared:
    """What is said about a table in memory: how long documents are, and who looked at them."""

    extents: Any = None
    judged: Any = None  # names, or names by document
    texts: Mapping[str, str] | None = None  # by document

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(name for name in ("extents", "judged") if getattr(self, name) is not None)


@dataclass(frozen=True)
class Reading:
    """The options of `accord.read`, and of the command line."""

    layout: Annotated[
        str | None,
        _rare(
            "long, wide, counts (item × category), confusion, units, pygamma (its CSV without header), segmentations, "
            "texts, chains; all but counts and confusion are recognised without it.",
            choices=LAYOUTS,
        ),
    ] = None
    item: Annotated[str | None, _column("The column that names the item.")] = None
    annotator: Annotated[str | None, _column("The column that names the annotator.")] = None
    label: Annotated[
        tuple[str, ...],
        Option(
            "The column(s) that hold the labels (wide: the annotators' columns); repeatable.",
            metavar="COLUMN",
            complete="columns",
            heading=HEADING,
        ),
    ] = ()
    by: tuple[str, ...] = ()  # further columns, by whose values data are taken apart
    keep: tuple[str, ...] = ()  # further columns that are just kept: how long a label took, say
    missing: Annotated[
        tuple[str, ...],
        Option(
            "A label that means missing, e.g. NA; repeatable. The empty cell always is.",
            metavar="LABEL",
            heading=HEADING,
        ),
    ] = ()
    keep_empty: Annotated[bool, _rare("The empty cell is a label, not missing.")] = False
    fold: Annotated[
        tuple[str, ...], _rare("Overlook differences of `case` or `space` between labels; repeatable.", choices=FOLDS)
    ] = ()
    sets: Annotated[str | None, _rare("Labels are sets, e.g. `|` for a|b.", metavar="SEPARATOR")] = None
    categories: Annotated[
        tuple[Label, ...] | None,
        _rare("All categories, in order: counts the unused ones, orders words.", metavar="A,B,C", shape="names"),
    ] = None
    repeats: Annotated[
        Repeats, _rare("The same annotator and item twice: error, first, last, trials (repetitions).", choices=REPEATS)
    ] = "error"
    only: Annotated[
        tuple[str, ...],
        _rare("Keep these labels, or the rows with these values of a column; repeatable.", metavar="[COLUMN=]V,V"),
    ] = ()
    annotators: Annotated[tuple[str, ...], _rare("Keep these annotators.", metavar="A,B", shape="names")] = ()
    merge: Annotated[tuple[str, ...], _rare("Take labels as one; repeatable.", metavar="A,B=C")] = ()
    encoding: Annotated[str | None, _rare("If not UTF-8 or UTF-16, e.g. latin-1.")] = None
    delimiter: Annotated[str | None, _rare("Between cells; `tab` for a tab.")] = None
    sheet: Annotated[str | None, _rare("Sheet of an Excel file.")] = None
    table: Annotated[str | None, _rare("Table or view of a database: of DuckDB, SQLite, postgresql://…, mysql://…")] = (
        None
    )
    doc: Annotated[str | None, _column("The column that names the document.")] = None
    start: Annotated[str | None, _column("The column in which units begin.")] = None
    end: Annotated[str | None, _column("The column in which they end (exclusive).")] = None
    end_is_length: Annotated[bool, _rare("That column holds lengths.")] = False
    docs: Annotated[
        str | None,
        _rare(
            "Extents of documents: doc, begin, end, and perhaps text. Default: docs.csv beside the units.",
            metavar="TABLE",
        ),
    ] = None
    judged: Annotated[
        str | None,
        _rare(
            "Who looked at what, also without marking anything: doc, annotator. Default: judged.csv beside them.",
            metavar="TABLE",
        ),
    ] = None
    base: Annotated[
        str | None,
        _rare(
            "Texts: the annotator whose version the others started from. Default: base, pre, reference, original or "
            "source.",
            metavar="NAME",
        ),
    ] = None
    texts: Annotated[
        str | None,
        _rare(
            "Texts: where the texts of a table are, as DOC.ANNOTATOR.txt, ANNOTATOR/DOC.txt or DOC.txt. Default: the "
            "folder texts beside it.",
            metavar="FOLDER",
        ),
    ] = None
    merge_symbol: Annotated[str, _rare("CorA-XML: the sign in a token that means a blank.", metavar="SIGN")] = "#"
    split_symbol: Annotated[str, _rare("CorA-XML: the sign in a token that means nothing.", metavar="SIGN")] = "|"
    format: Annotated[
        str | None,
        _rare(
            "The format of the files, where their content does not tell: see `accord formats`.",
            metavar="NAME",
            complete="formats",
        ),
    ] = None
    no_header: Annotated[bool, _rare("The first line of a table is a row already.")] = False
    annotators_in: Annotated[
        str | None,
        _rare(
            "Where annotators are told apart: columns, rows, files, folders, sheets, tiers.",
            metavar="WHERE",
            choices=ANNOTATORS_IN,
        ),
    ] = None
    columns: Annotated[
        str | None,
        _rare("How the columns of several variables are called, e.g. `{annotator}_{label}`.", metavar="PATTERN"),
    ] = None
    names: Annotated[
        str | None, _rare("How files are called, e.g. `{doc}_{annotator}` or `{annotator}/{doc}`.", metavar="PATTERN")
    ] = None
    repair: Annotated[bool, _rare("Put spans right that miss the text stored beside them.")] = False

    def __post_init__(self) -> None:
        if self.annotators_in is not None and self.annotators_in not in ANNOTATORS_IN:
            raise UnknownName("place of annotators", self.annotators_in, ANNOTATORS_IN)
        if self.base is not None and not isinstance(self.base, str):
            raise SpecError(
                "option-value", "base is the name of an annotator; (columns, text) goes with texts={annotator: text}"
            )
        check_types(type(self), self.options)
        if self.layout is not None and self.layout not in LAYOUTS:
            raise UnknownName("layout", self.layout, LAYOUTS)
        if self.layout not in {None, "texts"} and self.about_texts:
            said = ", ".join("--" + name.replace("_", "-") for name in self.about_texts)
            raise SpecError("option-not-for-data", f"{said}: this is for texts, and the layout is {self.layout}")
        for name, times in Counter(self.label).items():
            if times > 1:
                raise SpecError("option-value", f"the column of labels {quoted(name)} is named twice")
        if self.sets == "":
            raise SpecError("option-value", "the separator of sets is a character, for example |")
        for how in self.fold:
            if how not in FOLDS:
                raise UnknownName("kind of folding", how, FOLDS)
        if self.repeats not in REPEATS:
            raise UnknownName("way to treat repeats", self.repeats, REPEATS)

    @property
    def not_for_texts(self) -> tuple[str, ...]:
        """Options that are said and mean nothing for texts."""
        given = ("item", "sets", "categories", "repeats", "merge")
        usual = {name: self.__dataclass_fields__[name].default for name in given}
        documents = all(column in DOCUMENT for column in self.filters)
        return (
            *(name for name, default in usual.items() if getattr(self, name) != default),
            *(() if documents else ("only",)),
        )

    @property
    def about_texts(self) -> tuple[str, ...]:
        """Options that only make sense for texts."""
        given = ("base", "texts", "merge_symbol", "split_symbol")
        return tuple(name for name in given if getattr(self, name) != self.__dataclass_fields__[name].default)

    @property
    def about_units(self) -> tuple[str, ...]:
        """Options that only make sense for units."""
        given = ("doc", "start", "end", "docs", "judged")
        return (
            *(n for n in given if getattr(self, n) is not None),
            *(("end_is_length",) if self.end_is_length else ()),
        )

    @property
    def options(self) -> dict[str, Any]:
        """As keywords for `read`."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def stated(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """--only by column; "" stands for the label itself."""
        wanted: dict[str, tuple[str, ...]] = {}
        for text in self.only:
            column, sign, values = text.partition("=")
            key, chosen = (column, values) if sign else ("", column)
            wanted[key] = (*wanted.get(key, ()), *chosen.split(","))
        return wanted

    def columns_of_units(self) -> tuple[str, ...]:
        """The same for units, whose documents are no further column."""
        return tuple(c for c in self.needed if c not in DOCUMENT)

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.by, *self.keep, *(c for c in self.filters if c)]))


def _declared() -> dict[str, Parameter]:
    hints = get_type_hints(Reading, include_extras=True)
    made = {field.name: parameter(field.name, hints[field.name], field.default) for field in fields(Reading)}
    return {name: one for name, one in made.items() if one is not None}


READING = _declared()  # the options of reading, as every interface shows them


def as_tuple(key: str, value: Any) -> Any:
    """Options that take several values take one, too; names are text."""
    several = {"label", "by", "keep", "missing", "fold", "only", "annotators", "merge", "categories"}
    if key not in several:
        return value
    if value is None:
        return None if key == "categories" else ()
    if key == "annotators" and isinstance(value, Mapping):
        raise SpecError(
            "option-value", "annotators are names to keep; who looked at which document is judged={doc: [names]}"
        )
    if isinstance(value, str):
        return tuple(value.split(",")) if key in {"annotators", "categories"} else (value,)
    values = tuple(value) if isinstance(value, Iterable) else (value,)
    return values if key == "categories" else tuple(label_name(v) for v in values)


# -- a reading that was saved ----------------------------------------------------------------------------------------


def options_of_reading(given: Any) -> dict[str, Any]:
    """`reading=`: a file that `accord read --save-reading` wrote, a `Reading`, or options by name."""
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
    raise SpecError("option-value", f"reading is a file, a Reading or a dict of options, not {quoted(given)}")


def read_reading(path: Path) -> dict[str, Any]:
    """The options in a reading file."""
    table = read_toml(path, "a reading that accord saved")
    table.pop("accord", None)
    found = table.pop("reading", table)
    for name in found:
        if name not in READING:
            raise DataError("saved-file-invalid", f"{path}: {UnknownName('key', name, READING)}")
    check_values(str(path), found, READING)
    return as_tuples(found)


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """A TOML file, or one line about why it is none."""
    try:
        with stream_of(path) as file:
            return tomllib.loads(file.read().decode())
    except OSError as error:
        raise DataError("file-unreadable", f"{path}: {error.strerror}") from None
    except RecursionError:
        raise DataError("saved-file-invalid", f"{path}: not {what}: lists within lists within lists") from None
    except ValueError as error:  # not TOML, not UTF-8, numbers of thousands of digits
        raise DataError("saved-file-invalid", f"{path}: not {what}: {error}") from None


_WORDS = {"flag": "true or false", "switch": "true or false", "whole": "a whole number", "number": "a number",
          "value": "a number or a text"}  # fmt: skip


def check_values(where: str, table: Mapping[str, Any], known: Mapping[str, Parameter]) -> None:
    """Values of TOML or JSON against what is declared: the file may have been edited by hand."""
    for key, value in table.items():
        shape = known[key].shape
        several = shape in {"texts", "numbers"} or isinstance(known[key].default, tuple)
        one_is_enough = isinstance(value, str) and (shape == "names" or not isinstance(known[key].default, tuple))
        if several and not one_is_enough:
            _check_list(where, key, value, "numbers" if shape == "numbers" else "texts")
        elif not (isinstance(value, list) and shape == "names") and not _has_shape(value, shape):
            raise DataError(
                "saved-file-invalid", f"{where}: {key} = {quoted(value)} is not {_WORDS.get(shape, 'a text')}"
            )


def _check_list(where: str, key: str, value: Any, of: str) -> None:
    if not isinstance(value, list):
        raise DataError(
            "saved-file-invalid",
            f"{where}: {key} is a list: {key} = [{quoted(value) if isinstance(value, str) else value}]",
        )
    if not all(_has_shape(one, "number" if of == "numbers" else "label") for one in value):
        raise DataError("saved-file-invalid", f"{where}: {key} is a list of {of}")


def _has_shape(value: Any, shape: str) -> bool:
    """In Python true is a number; in a kept run it is not."""
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
