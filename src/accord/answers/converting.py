"""`convert`: write data in another format and read the files back to verify them."""

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

_DIGITS, _NOISE = 9, 1e-9  # positions that differ by floating-point noise are equal
_TABLES = (".csv", ".tsv", ".tab")
_MOST_DECIMALS = 20  # more than floating point has
_BY_SUFFIX = {".json": "label_studio", ".eaf": "elan", ".textgrid": "textgrid", ".rttm": "rttm", ".xmi": "uima_xmi",
              ".ann": "brat", ".conll": "iob", ".iob": "iob"}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Converted(Result):
    """The written files, what was not written, and how to read them back."""

    subject: ClassVar[str] = "Converted data"

    path: str
    format: str
    files: tuple[str, ...]
    variables: Mapping[str, str]  # names of the variables in the target format
    notes: tuple[str, ...] = ()
    source_notes: tuple[str, ...] = ()  # notes from reading the source
    reading: Mapping[str, Any] = field(default_factory=dict)  # options needed to read the target; empty if none
    parts: tuple[str, ...] = ()  # files per variable in a folder; empty if all are read at once

    def summary(self) -> str:
        return f"{self.format}: {len(self.files):,} files in {self.path}" if self.files != ("",) else self.written

    @property
    def written(self) -> str:
        return f"{self.format}: {self.path}"

    @property
    def read_back(self) -> str:
        """How to read the files, as a command or Python call; one per variable if each has its own folder."""
        places = [str(Path(self.path) / part) for part in self.parts] or [self.path]
        if not Interface.command_line:
            keywords = "".join(f", {name}={value!r}" for name, value in self.reading.items())
            return "; ".join(f"accord.read({place!r}{keywords})" for place in places)
        options = "".join(f" --{name.replace('_', '-')} {_argument(value)}" for name, value in self.reading.items())
        return "; ".join(f"accord read {shlex.quote(place)}{options}" for place in places)

    def facts(self) -> list[str]:
        return [self.summary(), f"verified: the written data are equal when read with: {self.read_back}"]

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
            "Output format: table, parquet, brat, webanno_tsv, uima_xmi, label_studio, prodigy, doccano, elan, "
            "textgrid, rttm, iob. Default: from the suffix; a folder of tables without one.",
            metavar="FORMAT",
            complete="written_formats",
            heading=options.OUTPUT,
            formerly=("format",),
        ),
    ] = None,
    *,
    wide: Annotated[
        bool, Option("For tables of labels of items: one column per annotator.", heading=options.OUTPUT)
    ] = False,
    decimals: Annotated[
        int | None,
        Option(
            "Round positions to this many decimals. ELAN needs 3, because it stores milliseconds.",
            least=0,
            heading=options.OUTPUT,
        ),
    ] = None,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Converted:
    """Write data in another format; verify the result by reading it back.

    Without a format, the suffix decides: a table (.csv, .tsv, .parquet), Label Studio (.json), or a folder of tables.
    accord refuses if the format cannot represent something that affects agreement. It notes other losses. Data may also
    be the result of `read_all` or of `gold` (data of one annotator). The input format is a reading option:
    `reading={"format": "brat"}`.

    Returns
    -------
    Converted

    Raises
    ------
    DataError
        If the format cannot represent something that affects agreement, or the target cannot be written.
    SpecError
        If the format is unclear, or the target is a folder that is not empty or overlaps with the input.

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> accord.convert(rows, "labels.csv")
    <Converted table: labels.csv>
    """  # fmt: skip
    if not isinstance(target, str | os.PathLike):
        raise SpecError("option-value", f"target must be a file or a folder to write, not {quoted(target)}")
    run = Run(0, progress or silent, jobs)
    place, chosen = checked_target(data, Path(target), to, reading)
    if isinstance(data, Gold):
        data = data.to_data()
    read_already = isinstance(data, Mapping) and bool(data) and all(isinstance(one, Data) for one in data.values())
    return converted(data if read_already else opened_all(data, reading, run=run), place, chosen, wide, decimals)


def checked_target(
    data: Any, path: str | Path, name: str | None, reading: Mapping[str, Any] | None = None
) -> tuple[Path, Format]:
    """Return the target and its format; refuse before reading."""
    target = Path(path)
    chosen = target_format(target, name)
    _check_target(data, reading or {}, target, chosen)
    return target, chosen


def converted(
    found: Mapping[str, Data], target: Path, chosen: Format, wide: bool = False, decimals: int | None = None
) -> Converted:
    """Write variables in another format."""
    notes = []
    if decimals is not None:
        if not 0 <= decimals <= _MOST_DECIMALS:
            raise SpecError("option-value", f"--decimals must be between 0 and {_MOST_DECIMALS}, not {decimals}")
        found = {name: _rounded(data, decimals) for name, data in found.items()}
        notes.append(f"positions were rounded to {counted(decimals, 'decimal')}")
    if chosen.module is None:
        draft = tables.write(found, target.suffix.lower() if _is_table(target) else "", wide)
    else:
        if wide:
            raise SpecError(
                "option-not-for-data", f"--wide applies to tables, and the target is {chosen.title}; leave it out"
            )
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
    """Check that tables are read back with the same rows, before they are written.

    Return the options needed to read them; usually none.
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
            way = "; free disk space there, or set TMPDIR to another folder" if lacks_room(error) else ""
            raise DataError("output-not-writable", f"{quoted(made)} cannot be written: {error.strerror}{way}") from None
        for options in ({}, layout, said):
            try:
                back = read_all([made], **options)
            except AccordError as error:
                trouble = str(error).replace(made, "…")
                continue
            if any(_counted(one) == wanted for one in back.values()):
                more = options if options is said else {}  # the measure implies the kind of data
                return " ".join(_option(name, value) for name, value in more.items() if value)
            trouble = "they would be read back differently"
    raise DataError("not-representable", f"a table cannot represent these data: {trouble}; nothing was written")


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
    """Whether the suffix, or a folder, indicates that data are to be written there; .csv does not."""
    suffix = target.suffix.lower()
    return not suffix or target.is_dir() or suffix in {*_BY_SUFFIX, *_TABLES[1:], *PARQUET_SUFFIXES}


def target_format(target: Path, name: str | None) -> Format:
    """Return the target format: as named, else by the suffix; a name without suffix is a folder of tables."""
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
                "option-missing",
                f"{quoted(target)}: the suffix does not determine the format; name a format with --to: "
                f"{', '.join(_writable())}",
            )
    chosen = next((one for one in FORMATS if one.name == name and one.written), None)
    if chosen is None:
        raise UnknownName("format to write", name, _writable())
    return chosen


def _writable() -> list[str]:
    return [one.name for one in FORMATS if one.written]


def _check_target(data: Any, reading: Mapping[str, Any], target: Path, chosen: Format) -> None:
    """Refuse to overwrite the input or to write among other files."""
    inputs = [one.resolve() for one in files_of(data, reading)]
    place = target.resolve()
    if any(place == one or one in place.parents or place in one.parents for one in inputs):
        raise SpecError("output-exists", f"{quoted(target)} overlaps with the input; choose another target")
    check_not_read(target, inputs)
    if chosen.written == "folder" and target.suffix and not target.is_dir():
        raise SpecError(
            "output-name",
            f"{chosen.title} is written as a folder of files; name a folder, such as {quoted(target.stem)}, "
            f"with --to {chosen.name}",
        )
    alone = chosen.written != "folder" and (chosen.module is not None or _is_table(target))
    if alone and target.is_dir():
        raise SpecError(
            "output-name",
            f"{quoted(target)} is a folder, and {chosen.title} is written as one file; name a file ({chosen.written})",
        )
    if not alone and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise SpecError("output-exists", f"{quoted(target)} already exists and is not empty; choose a new folder")


class _Checked:
    """Read back the written files, without options if possible, else with the options needed."""

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
                with warnings.catch_warnings(action="ignore"):  # the source was already read with warnings
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
        other = "" if whole else "; a folder of tables can represent all units and labels: name a target without suffix"
        what = self.chosen.title if not tables_alone else "a folder of tables" if whole else "one table"
        raise DataError(
            "not-representable", f"{what} cannot represent these data: {trouble}; nothing was written{other}"
        )

    def _back(self, place: Path, options: Mapping[str, Any]) -> dict[str, Data]:
        if not self.draft.parts:
            return read_all([str(place)], **options)
        found = {name: read_all([str(place / part)], **options) for name, part in self.draft.parts.items()}
        return {name: next(iter(data.values())) for name, data in found.items()}

    def _difference(self, back: Mapping[str, Data], notes: list[str]) -> str:
        """Describe the first difference."""
        if len(self.found) == 1 == len(back):  # its name may differ
            pairs = [(next(iter(self.found.values())), next(iter(back.values())))]
        else:
            names = {name: self.draft.variables.get(name, name) for name in self.found}
            lost = [name for name, there in names.items() if there not in back]
            if lost or len(back) > len(names):
                return f"variables {some(list(names.values()))} would be read as {some(list(back))}"
            pairs = [(data, back[names[name]]) for name, data in self.found.items()]
        for data, other in pairs:
            if isinstance(data, Corpus) and isinstance(other, Corpus):
                trouble = self._of_units(data, other, notes)
            elif isinstance(data, Ratings) and isinstance(other, Ratings):
                trouble = _first(self._labels(data), _labels(other))
            else:
                trouble = "" if data.digest == other.digest else f"the {data.kind.words} would differ"
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
        trouble = _first(mine, Counter(_units(other))) or _first(
            looked, Counter(_looked(other)), "documents each annotator saw: "
        )
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
                return f"document {quoted(doc)} extends {before}, and would extend {after}"
            changed += extent != now
            text = data.texts.get(doc)
            if self.draft.texts and text is not None and not self._same(text, other.texts.get(name)):
                return f"the text of document {quoted(doc)} would differ"
        if changed:
            notes.append(
                "documents have the length stated in the files; in the source they extend from the first start to the "
                "last end"
            )
        if data.texts and not self.draft.texts:
            notes.append("the texts of documents were not written because the format has no place for them")
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
    """Describe what one side has and the other lacks."""
    lost, new = mine - other, other - mine
    if not lost and not new:
        return ""
    shown = [" · ".join(f"{cell:g}" if isinstance(cell, float) else quoted(cell, 30) for cell in next(iter(side)))
             for side in (lost, new) if side]  # fmt: skip
    if lost and new:
        return f"{what}{shown[0]} would be read as {shown[1]}"
    return f"{what}{shown[0]} would be {'lost' if lost else 'added'}"
