"""convert: data → files of another format, which are read back before they are kept."""

from __future__ import annotations

import os
import shlex
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, ClassVar

import numpy as np

from accord.answers import options
from accord.answers.gold.settled import Gold
from accord.answers.question import question
from accord.core.context import Run, silent
from accord.core.errors import AccordError, DataError, Interface, SpecError, UnknownName, counted, quoted
from accord.core.options import Option
from accord.core.tables import Result, Table, plain
from accord.core.writing import as_utf8, check_not_read, write_together
from accord.data.door import files_of, opened_all
from accord.data.io import Reading, read_all
from accord.data.io.formats.catalogue import FORMATS, Format
from accord.data.io.formats.writing import Draft, Material
from accord.data.io.opening import lacks_room
from accord.data.io.tables import writing as tables
from accord.data.io.tables.sources import PARQUET_SUFFIXES
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, some
from accord.data.model.labels import label_name
from accord.data.model.ratings import Ratings

_DIGITS, _NOISE = 9, 1e-9  # 0.1 + 0.2 is not 0.3, and no disagreement
_TABLES = (".csv", ".tsv", ".tab")
_MOST_DECIMALS = 20  # floating point has fewer
_BY_SUFFIX = {".json": "label_studio", ".eaf": "elan", ".textgrid": "textgrid", ".rttm": "rttm", ".xmi": "uima_xmi",
              ".ann": "brat", ".conll": "iob", ".iob": "iob"}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Converted(Result):
    """What was written where, what was not, and how it is read back."""

    subject: ClassVar[str] = "Converted data"

    path: str
    format: str
    files: tuple[str, ...]
    variables: Mapping[str, str]  # as the target calls them
    notes: tuple[str, ...] = ()
    source_notes: tuple[str, ...] = ()  # what reading did not take, or understood in its own way
    reading: Mapping[str, Any] = field(default_factory=dict)  # options that it needs; none: it is read as it is
    parts: tuple[str, ...] = ()  # of a folder: what is read for each variable; none: all at once

    def summary(self) -> str:
        return f"{self.format}: {len(self.files):,} files in {self.path}" if self.files != ("",) else self.written

    @property
    def written(self) -> str:
        return f"{self.format}: {self.path}"

    @property
    def read_back(self) -> str:
        """What reads it, as its asker says it; of several variables in folders of their own, once for each."""
        places = [str(Path(self.path) / part) for part in self.parts] or [self.path]
        if not Interface.command_line:
            keywords = "".join(f", {name}={value!r}" for name, value in self.reading.items())
            return "; ".join(f"accord.read({place!r}{keywords})" for place in places)
        options = "".join(f" --{name.replace('_', '-')} {_argument(value)}" for name, value in self.reading.items())
        return "; ".join(f"accord read {shlex.quote(place)}{options}" for place in places)

    def facts(self) -> list[str]:
        return [self.summary(), f"read back equal: {self.read_back}"]

    def tables(self) -> list[Table]:
        rows = [("variable", f"{name} as {there}" if there != name else name) for name, there in self.variables.items()]
        said = (("note", self.notes), ("source", self.source_notes))
        return [Table("", ("", ""), (*rows, *((kind, note) for kind, notes in said for note in notes)))]

    def to_dict(self) -> dict[str, Any]:
        told = {"notes": list(self.notes), "source_notes": list(self.source_notes)}
        return plain({
            "path": self.path, "format": self.format, "files": [name or self.path for name in self.files],
            "variables": dict(self.variables), **told, "reading": dict(self.reading), "read_back": self.read_back,
        })  # fmt: skip

    def flat(self) -> Table:
        return Table("", ("file",), tuple((name or self.path,) for name in self.files))


def _argument(value: object) -> str:
    return " --label ".join(shlex.quote(str(one)) for one in (value if isinstance(value, tuple) else (value,)))


@question("project/ recordings/ --to textgrid")
def convert(
    data: options.Data,
    target: options.Target,
    to: Annotated[
        str | None,
        Option(
            "The format to write: table, parquet, brat, webanno_tsv, uima_xmi, label_studio, prodigy, doccano, elan, "
            "textgrid, rttm, iob. Default: by the suffix; a folder is one of tables.",
            metavar="FORMAT",
            complete="written_formats",
            heading=options.OUTPUT,
            formerly=("format",),
        ),
    ] = None,
    *,
    wide: Annotated[
        bool, Option("Tables of labels of items: a column for each annotator.", heading=options.OUTPUT)
    ] = False,
    decimals: Annotated[
        int | None,
        Option("Round positions first: 3 for ELAN, which counts milliseconds.", least=0, heading=options.OUTPUT),
    ] = None,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Converted:
    """Write data in another format; what was written is read back, and is equal.

    Without a format: a folder of tables, a table (.csv, .tsv, .parquet), or Label Studio (.json). What the format
    cannot hold, and would change agreement, is refused; what is harmless is said in the notes. Data may also be what
    `read_all` gave, or what `gold` gave: data of one annotator. The format to read is an option of reading:
    `reading={"format": "brat"}`.

    Returns
    -------
    Converted

    Raises
    ------
    DataError
        If the format cannot hold something that would change agreement, or the target cannot be written.
    SpecError
        If the format is not clear, or the target is a folder that is not empty, or part of what is converted.

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> accord.convert(rows, "labels.csv")
    <Converted table: labels.csv>
    """  # fmt: skip
    if not isinstance(target, str | os.PathLike):
        raise SpecError("option-value", f"target is a file or a folder to write, not {quoted(target)}")
    run = Run(0, progress or silent, jobs)
    place, chosen = checked_target(data, Path(target), to, reading)
    if isinstance(data, Gold):
        data = data.to_data()
    read_already = isinstance(data, Mapping) and bool(data) and all(isinstance(one, Data) for one in data.values())
    return converted(data if read_already else opened_all(data, reading, run=run), place, chosen, wide, decimals)


def checked_target(
    data: Any, path: str | Path, name: str | None, reading: Mapping[str, Any] | None = None
) -> tuple[Path, Format]:
    """Where to write, and what: refused before anything is read."""
    target = Path(path)
    chosen = target_format(target, name)
    _check_target(data, reading or {}, target, chosen)
    return target, chosen


def converted(
    found: Mapping[str, Data], target: Path, chosen: Format, wide: bool = False, decimals: int | None = None
) -> Converted:
    """Variables in another format."""
    notes = []
    if decimals is not None:
        if not 0 <= decimals <= _MOST_DECIMALS:
            raise SpecError("option-value", f"decimals: how many to keep, 0 to {_MOST_DECIMALS}, not {decimals}")
        found = {name: _rounded(data, decimals) for name, data in found.items()}
        notes.append(f"positions are rounded to {counted(decimals, 'decimal')}")
    if chosen.module is None:
        draft = tables.write(found, target.suffix.lower() if _is_table(target) else "", wide)
    else:
        if wide:
            raise SpecError("option-not-for-data", f"wide: this is for tables, and the target is {chosen.title}")
        material = Material.of(found, chosen.title)
        draft = chosen.reader.write(material)
        draft.notes[:0] = material.unheld()
    draft.notes[:0] = notes
    checked = _Checked(found, draft, chosen)
    write_together(target, draft.files, checked)
    names = {name: draft.variables.get(name, name) for name in found}
    source = tuple(dict.fromkeys(note for data in found.values() for note in data.notes))
    told, parts = tuple(dict.fromkeys(checked.notes)), tuple(draft.parts.values())
    return Converted(str(target), chosen.name, tuple(draft.files), names, told, source, checked.reading, parts)


def check_read_back(data: Data, tables: Mapping[str, str], reading: Reading) -> str:
    """Tables of the data, by name, are read back with the same rows; else nothing is to be written.

    Gives the options that reading them takes; usually none.
    """
    layout = {"layout": data.kind.layouts[0]}
    said: dict[str, Any] = {**layout, "keep_empty": reading.keep_empty, "sets": reading.sets}
    if isinstance(data, Ratings):
        said |= {"layout": "long", "item": "item", "annotator": "annotator", "label": (data.variable,)}
    wanted, trouble = _counted(data), ""
    with TemporaryDirectory(prefix="accord-") as made, warnings.catch_warnings(action="ignore"):
        try:
            for name, text in tables.items():
                (Path(made) / name).write_bytes(as_utf8(text))
        except OSError as error:
            way = ": make room there, or set TMPDIR to another folder" if lacks_room(error) else ""
            raise DataError("output-not-writable", f"{quoted(made)} cannot be written: {error.strerror}{way}") from None
        for options in ({}, layout, said):
            try:
                back = read_all([made], **options)
            except AccordError as error:
                trouble = str(error).replace(made, "…")
                continue
            if any(_counted(one) == wanted for one in back.values()):
                more = options if options is said else {}  # the measure tells which kind of data they are
                return " ".join(_option(name, value) for name, value in more.items() if value)
            trouble = "they would be read back as others"
    raise DataError("not-representable", f"a table would not hold these data: {trouble}; nothing was written")


def _option(name: str, value: object) -> str:
    option = f"--{name.replace('_', '-')}"
    return option if value is True else f"{option} {_argument(value)}"


def _counted(data: Data) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, row)) for row in data.rows()[1])


def _rounded(data: Data, decimals: int) -> Data:
    if not isinstance(data, Corpus):
        return data
    start, end, extents = (np.round(column, decimals) for column in (data.start, data.end, data.extents))
    return replace(data, start=start, end=end, extents=extents)


def _is_table(target: Path) -> bool:
    return target.suffix.lower() in (*_TABLES, *PARQUET_SUFFIXES)


def names_a_format(target: Path) -> bool:
    """Whether a place says by its suffix, or by being a folder, that data are to be written there; .csv does not."""
    suffix = target.suffix.lower()
    return not suffix or target.is_dir() or suffix in {*_BY_SUFFIX, *_TABLES[1:], *PARQUET_SUFFIXES}


def target_format(target: Path, name: str | None) -> Format:
    """The format of the target: as it is called, else by the suffix; a name without one is a folder of tables."""
    if name is None:
        suffix = target.suffix.lower()
        if suffix in PARQUET_SUFFIXES:
            name = "parquet"
        elif suffix in _TABLES or not suffix or target.is_dir():
            name = "table"
        elif suffix in _BY_SUFFIX:
            name = _BY_SUFFIX[suffix]
        else:
            raise SpecError(
                "option-missing", f"{quoted(target)}: say which format it is to be: --to {', '.join(_writable())}"
            )
    chosen = next((one for one in FORMATS if one.name == name and one.written), None)
    if chosen is None:
        raise UnknownName("format to write", name, _writable())
    return chosen


def _writable() -> list[str]:
    return [one.name for one in FORMATS if one.written]


def _check_target(data: Any, reading: Mapping[str, Any], target: Path, chosen: Format) -> None:
    """Never over the input, nor among other files."""
    inputs = [one.resolve() for one in files_of(data, reading)]
    place = target.resolve()
    if any(place == one or one in place.parents or place in one.parents for one in inputs):
        raise SpecError("output-exists", f"{quoted(target)} is, holds or is in what is converted: choose another place")
    check_not_read(target, inputs)
    if chosen.written == "folder" and target.suffix and not target.is_dir():
        raise SpecError(
            "output-name",
            f"{chosen.title} is a folder with files: name one, such as {quoted(target.stem)}, "
            f"and say --to {chosen.name}",
        )
    alone = chosen.written != "folder" and (chosen.module is not None or _is_table(target))
    if alone and target.is_dir():
        raise SpecError(
            "output-name", f"{quoted(target)} is a folder, and {chosen.title} is one file ({chosen.written})"
        )
    if not alone and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise SpecError("output-exists", f"{quoted(target)} is there already, and not empty: choose a new folder")


class _Checked:
    """Reads back what was written: as anybody would, else with the options that make it certain."""

    def __init__(self, found: Mapping[str, Data], draft: Draft, chosen: Format) -> None:
        self.found, self.draft, self.chosen = found, draft, chosen
        self.notes = list(draft.notes)
        self.reading: dict[str, Any] = {}

    def __call__(self, place: Path) -> None:
        sets = next((("sets", "|") for data in self.found.values() if _has_sets(data)), None)
        more = dict([sets]) if sets and self.chosen.module is None else {}
        named = {"format": self.chosen.name} if self.chosen.module else {}
        trouble = ""
        for reading in (more, {**named, **more}, {**named, **more, **self.draft.reading}):
            try:
                with warnings.catch_warnings(action="ignore"):  # reading the source has said what there is to say
                    back = self._back(place, reading)
                notes: list[str] = []
                trouble = self._difference(back, notes)
            except AccordError as error:
                trouble = str(error).replace(str(place.parent), "…")
                continue
            if not trouble:
                self.notes += notes
                self.reading = reading
                return
        tables_alone = self.chosen.module is None
        whole = tables_alone and "" not in self.draft.files
        other = "" if whole else "; tables (a folder) hold all units and labels"
        what = self.chosen.title if not tables_alone else "a folder of tables" if whole else "one table"
        raise DataError("not-representable", f"{what} would not hold these data: {trouble}; nothing was written{other}")

    def _back(self, place: Path, options: Mapping[str, Any]) -> dict[str, Data]:
        if not self.draft.parts:
            return read_all([str(place)], **options)
        found = {name: read_all([str(place / part)], **options) for name, part in self.draft.parts.items()}
        return {name: next(iter(data.values())) for name, data in found.items()}

    def _difference(self, back: Mapping[str, Data], notes: list[str]) -> str:
        """The first thing that is not the same, in words."""
        if len(self.found) == 1 == len(back):  # its name may be another
            pairs = [(next(iter(self.found.values())), next(iter(back.values())))]
        else:
            names = {name: self.draft.variables.get(name, name) for name in self.found}
            lost = [name for name, there in names.items() if there not in back]
            if lost or len(back) > len(names):
                return f"variables {some(list(names.values()))} are read as {some(list(back))}"
            pairs = [(data, back[names[name]]) for name, data in self.found.items()]
        for data, other in pairs:
            if isinstance(data, Corpus) and isinstance(other, Corpus):
                trouble = self._of_units(data, other, notes)
            elif isinstance(data, Ratings) and isinstance(other, Ratings):
                trouble = _first(self._labels(data), _labels(other))
            else:
                trouble = "" if data.digest == other.digest else f"the {data.kind.words} are others"
            if trouble:
                return f"{data.variable}: {trouble}" if len(pairs) > 1 else trouble
        return ""

    def _label(self, data: Data) -> Any:
        known = self.draft.labels.get(data.variable, {})
        return lambda name: known.get(name, name)

    def _labels(self, data: Ratings) -> Counter[tuple[str, ...]]:
        label, people, docs = self._label(data), self.draft.annotators, self.draft.docs
        return Counter(
            {
                (docs.get(item, item), people.get(who, who), label(name)): n
                for (item, who, name), n in _labels(data).items()
            }
        )

    def _of_units(self, data: Corpus, other: Corpus, notes: list[str]) -> str:
        docs = {name: self.draft.docs.get(name, name) for name in data.docs}
        people = {name: self.draft.annotators.get(name, name) for name in data.annotators}
        label = self._label(data)
        mine = Counter((docs[d], people[a], s, e, label(k)) for d, a, s, e, k in _units(data))
        looked = Counter((docs[d], people[a]) for d, a in _looked(data))
        trouble = _first(mine, Counter(_units(other))) or _first(looked, Counter(_looked(other)), "who looked: ")
        if trouble:
            return trouble
        there = {doc: k for k, doc in enumerate(other.docs)}
        changed = 0
        for k, (doc, name) in enumerate(docs.items()):
            if name not in there or not data.judged[k].any():
                continue
            extent, now = data.extents[k].tolist(), other.extents[there[name]].tolist()
            if not np.allclose(extent, now, rtol=0, atol=_NOISE) and data.extent_given[k]:
                before, after = (f"from {begin:g} to {end:g}" for begin, end in (extent, now))
                return f"document {quoted(doc)} goes {before}, and would go {after}"
            changed += extent != now
            text = data.texts.get(doc)
            if self.draft.texts and text is not None and not self._same(text, other.texts.get(name)):
                return f"the text of document {quoted(doc)} would be another"
        if changed:
            notes.append(
                "documents now have the length that is in the files; before, they went from the first start to the "
                "last end"
            )
        if data.texts and not self.draft.texts:
            notes.append("texts are not written: the format holds none")
        return ""

    def _same(self, text: str, other: str | None) -> bool:
        if other is None or not self.draft.blanks_alike:
            return text == other
        return len(text) == len(other) and all(
            a == b or (a.isspace() and b.isspace()) for a, b in zip(text, other, strict=True)
        )


def _has_sets(data: Data) -> bool:
    return any(isinstance(label, frozenset) for labels in data.category_sets.values() for label in labels)


def _units(data: Corpus) -> list[tuple[str, str, float, float, str]]:
    return [(d, a, round(float(s), _DIGITS), round(float(e), _DIGITS), k) for d, a, s, e, k in data.rows()[1]]


def _looked(data: Corpus) -> list[tuple[str, str]]:
    pairs = zip(*(place.tolist() for place in data.judged.nonzero()), strict=True)
    return [(data.docs[d], data.annotators[a]) for d, a in pairs]


def _labels(data: Ratings) -> Counter[tuple[str, ...]]:
    triples = zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True)
    names = data.categories.names
    return Counter((label_name(data.items[i]), data.annotators[a], names[k]) for i, a, k in triples)


def _first(mine: Counter[Any], other: Counter[Any], what: str = "") -> str:
    """What one has and the other has not."""
    lost, new = mine - other, other - mine
    if not lost and not new:
        return ""
    shown = [" · ".join(f"{cell:g}" if isinstance(cell, float) else quoted(cell, 30) for cell in next(iter(side)))
             for side in (lost, new) if side]  # fmt: skip
    if lost and new:
        return f"{what}{shown[0]} would be read as {shown[1]}"
    return f"{what}{shown[0]} would be {'lost' if lost else 'there as well'}"
