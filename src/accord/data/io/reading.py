"""How a table is to be read: all that a user can say about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.typed import check_types
from accord.data.kinds import LAYOUTS
from accord.data.model.labels import Label, label_name
from accord.data.model.repeats import Repeats

ANNOTATORS_IN = ("columns", "rows", "files", "folders", "sheets", "tiers")
PARTS = ("category", "annotator", "pair", "item")  # breakdowns of every kind of data; others may be columns
DOCUMENT = ("document", "doc")  # for units a breakdown like others; for ratings a column like others


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

    layout: str | None = None
    item: str | None = None
    annotator: str | None = None
    label: tuple[str, ...] = ()
    by: tuple[str, ...] = ()  # further columns, by whose values data are taken apart
    keep: tuple[str, ...] = ()  # further columns that are just kept: how long a label took, say
    missing: tuple[str, ...] = ()
    keep_empty: bool = False  # the empty cell is a label
    fold: tuple[str, ...] = ()  # case, space: differences to overlook
    sets: str | None = None  # separator of set-valued labels
    categories: tuple[Label, ...] | None = None  # declared, in order
    repeats: Repeats = "error"
    only: tuple[str, ...] = ()  # COLUMN=VALUE,VALUE or LABEL,LABEL
    annotators: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()  # a,b=c
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    table: str | None = None  # of a database
    doc: str | None = None  # units: the column that names the document
    start: str | None = None
    end: str | None = None
    end_is_length: bool = False
    docs: str | None = None  # a table with the extents of documents; None: docs.csv beside the units, if there
    judged: str | None = None  # a table of who looked at which document; None: judged.csv beside them, if there
    base: str | None = None  # texts: the annotator whose version all others started from
    texts: str | None = None  # texts: a folder with the texts of a table; None: the folder texts beside it, if there
    merge_symbol: str = "#"  # CorA-XML: a blank within a token
    split_symbol: str = "|"  # CorA-XML: a boundary without a blank
    format: str | None = None  # of io/formats/catalogue.py; None: recognised by content
    no_header: bool = False  # the first line of a table is a row already
    annotators_in: str | None = None  # where annotators are told apart; None: what the data suggest
    columns: str | None = None  # a wide table of several variables: {annotator}_{label}
    names: str | None = None  # what the names of files say: {doc}_{annotator}
    repair: bool = False  # spans that miss the text that is stored beside them are put right

    def __post_init__(self) -> None:
        if self.annotators_in is not None and self.annotators_in not in ANNOTATORS_IN:
            raise UnknownName("place of annotators", self.annotators_in, ANNOTATORS_IN)
        if self.base is not None and not isinstance(self.base, str):
            raise SpecError("base is the name of an annotator; (columns, text) goes with texts={annotator: text}")
        check_types(type(self), self.options)
        if self.layout is not None and self.layout not in LAYOUTS:
            raise UnknownName("layout", self.layout, LAYOUTS)
        if self.layout not in {None, "texts"} and self.about_texts:
            said = ", ".join("--" + name.replace("_", "-") for name in self.about_texts)
            raise SpecError(f"{said}: this is for texts, and the layout is {self.layout}")
        for name, times in Counter(self.label).items():
            if times > 1:
                raise SpecError(f"the column of labels {quoted(name)} is named twice")
        if self.sets == "":
            raise SpecError("the separator of sets is a character, for example |")
        for how in self.fold:
            if how not in {"case", "space"}:
                raise UnknownName("kind of folding", how, ("case", "space"))
        if self.repeats not in {"error", "first", "last", "trials"}:
            raise UnknownName("way to treat repeats", self.repeats, ("error", "first", "last", "trials"))

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


def as_tuple(key: str, value: Any) -> Any:
    """Options that take several values take one, too; names are text."""
    several = {"label", "by", "keep", "missing", "fold", "only", "annotators", "merge", "categories"}
    if key not in several:
        return value
    if value is None:
        return None if key == "categories" else ()
    if key == "annotators" and isinstance(value, Mapping):
        raise SpecError("annotators are names to keep; who looked at which document is judged={doc: [names]}")
    if isinstance(value, str):
        return tuple(value.split(",")) if key in {"annotators", "categories"} else (value,)
    values = tuple(value) if isinstance(value, Iterable) else (value,)
    return values if key == "categories" else tuple(label_name(v) for v in values)
