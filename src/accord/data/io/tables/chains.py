"""Read chains of mentions from tables and from CoNLL-2012 files.

Tables have mentions (`doc,annotator,start,end,chain`) or links (`doc,annotator,mention,antecedent`). accord reads
mentions as units with the chain as label, so that all options for units apply.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, counted, quoted
from accord.data.io.naming import named, parts_of
from accord.data.io.opening import may_open, read_text
from accord.data.io.reading import Declared, Reading
from accord.data.io.tables.columns import Column, cells_of, encode_column, without_blank
from accord.data.io.tables.roles import ANNOTATOR, DOC, first_of, holds_units
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES, MemorySource, Source, View
from accord.data.io.tables.units import read_all_units, tables_alone
from accord.data.io.unused import Unused, UnusedColumns
from accord.data.kinds import CHAINS
from accord.data.model.chains import Chains
from accord.data.model.corpus import Corpus

CHAIN = ("chain", "chain_id", "coref", "coref_chain", "coreference", "coref_id")
# These names may mean something else. Such a table contains chains only if the user or the measure requires it.
COULD_BE_CHAINS = ("cluster", "cluster_id", "entity", "entity_id")
MENTION = ("mention", "mention_id", "markable", "markable_id", "anaphor")
ANTECEDENT = ("antecedent", "antecedent_id")
_PLACE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*[-–:]\s*(\d+(?:\.\d+)?)\s*")


def holds(sources: Sequence[Source], how: Reading) -> bool:
    """Whether the tables contain chains: the user declares it, or the columns show it."""
    if how.layout is not None or how.item is not None or how.label:
        return how.layout in CHAINS.layouts
    return all(_form(source, CHAIN) is not None for source in tables_alone(sources))


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Chains]:
    """Read one set of chains from one or more tables. judged.csv lists which annotator saw which document."""
    beside = [s for s in sources if s not in tables_alone(sources)]
    tables = [_Mentions.of(source, how) for source in tables_alone(sources)]
    if len({table.named for table in tables}) > 1:
        first, other = (next(t.source.name for t in tables if t.named is named) for named in (True, False))
        raise DataError(
            "mixed-inputs",
            f"{first} names mentions, but {other} has start and end; read the two tables separately",
        )
    names = _numbered(tables) if tables[0].named else None
    read_as = replace(how, layout=None, label=(_COLUMN,), missing=(*how.missing, ""))
    corpus = _once(read_all_units([*tables, *beside], read_as, declared), how)
    single = int((corpus.label < 0).sum())
    alone = (f"{counted(single, 'mention')} without a chain: each counts as a chain of one mention",) if single else ()
    told = tuple(note for note in corpus.notes if not note.endswith(_OF_LABELS))
    found = Chains.of(replace(corpus, notes=told).with_notes(*alone), _apart(corpus), names)
    return {found.variable: found}


_COLUMN = "chain of the mention"  # its name while mentions are read as units
_OF_LABELS = ("all are counted", "missing (empty cell)", "missing (no value)", 'missing (declared missing: "")')


def _form(source: Source, chains: Sequence[str]) -> str | None:
    """Return how a table records chains: "chains", "links", or None if it does not."""
    header = source.header
    if first_of(header, chains) and (holds_units(header) or first_of(header, MENTION)):
        return "chains"
    return "links" if first_of(header, MENTION) and first_of(header, ANTECEDENT) else None


def _apart(corpus: Corpus) -> Ints:
    """Return a chain number for each mention. A mention without a chain gets its own."""
    label = corpus.label.astype(np.int64)
    alone = label < 0
    chain = label.copy()
    chain[alone] = len(corpus.categories) + np.arange(int(alone.sum()))
    return chain


def _once(corpus: Corpus, how: Reading) -> Corpus:
    """Keep each mention of an annotator once. If it is in two chains, --repeats decides."""
    place = np.stack([corpus.doc, corpus.annotator, corpus.start, corpus.end], axis=1)
    mention = np.unique(place, axis=0, return_inverse=True)[1].ravel()
    order = np.lexsort((np.arange(len(corpus)), mention))  # in the order of the tables
    again = np.flatnonzero(np.diff(mention[order]) == 0)
    if not len(again):
        return corpus
    differ = again[np.diff(corpus.label[order])[again] != 0]
    if len(differ) and how.repeats not in {"first", "last"}:
        one, other = (corpus.place(int(order[differ[0] + k])) for k in (0, 1))
        raise DataError(
            "repeated-label",
            f"{other}: the mention is already in another chain ({one}); correct the table, or use --repeats first or "
            "--repeats last to keep one of the two",
        )
    kept = np.ones(len(corpus), dtype=bool)
    kept[order[again] if how.repeats == "last" else order[again + 1]] = False
    return corpus.keep(kept).with_notes(f"{counted(len(again), 'mention')} repeated: each counted once")


@dataclass
class _Mentions(View):
    """A table seen as units, with the chain in a column of its own name."""

    columns: dict[str, Column]
    rows: Ints | None  # the rows of the table; None: all
    named: bool  # mentions have names, not start and end

    @classmethod
    def of(cls, source: Source, how: Reading) -> _Mentions:
        form = _form(source, (*CHAIN, *COULD_BE_CHAINS)) if how.layout in CHAINS.layouts else _form(source, CHAIN)
        form = form or ("chains" if how.label and (how.start or holds_units(source.header)) else None)
        if form is None:
            raise DataError(
                "column-missing",
                f"{source.name}: no column of chains found. A table of chains has the columns doc, annotator, start, "
                "end, chain, or doc, annotator, mention, antecedent; rename the columns, or use --label COLUMN for "
                f"the chain (columns: {', '.join(source.header[:8])})",
            )
        return _linked(source, how) if form == "links" else _chained(source, how)

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:  # noqa: ARG002
        return {name: self.columns[name] for name in wanted}, None

    def place(self, row: int) -> str:
        return self.source.place(row if self.rows is None else int(self.rows[row]))


def _chained(source: Source, how: Reading) -> _Mentions:
    header = source.header
    chain = how.label[0] if how.label else first_of(header, (*CHAIN, *COULD_BE_CHAINS))
    columns, _, rows = without_blank(*source.load(list(header)))
    if chain not in columns:
        raise DataError(
            "column-missing",
            f"{source.name}: there is no column {quoted(chain)}; use --label with one of the columns: "
            f"{', '.join(header[:8])}",
        )
    named = not holds_units(header) and how.start is None
    return _Mentions(source, {**columns, _COLUMN: columns[chain]}, rows, named)


def _linked(source: Source, how: Reading) -> _Mentions:
    """Turn links into chains. The antecedent need not be listed as a mention itself."""
    header = source.header
    columns, _, rows = without_blank(*source.load(list(header)))
    mention, antecedent = (cells_of(columns[str(first_of(header, names))]) for names in (MENTION, ANTECEDENT))
    n = len(mention)
    where = [how.doc or first_of(header, DOC), how.annotator or first_of(header, ANNOTATOR)]
    owner = list(zip(*(cells_of(columns[name]) if name in columns else [""] * n for name in where), strict=True))
    above: dict[tuple[object, str], tuple[object, str]] = {}
    row_of: dict[tuple[object, str], int] = {}

    def top(one: tuple[object, str]) -> tuple[object, str]:
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    for row in range(n):
        if not mention[row]:
            raise DataError(
                "empty-cell",
                f"{source.place(row if rows is None else int(rows[row]))}: the mention is empty; fill in its name or "
                "delete the row",
            )
        both = [(owner[row], name) for name in (mention[row], antecedent[row]) if name]
        for one in both:
            above.setdefault(one, one)
            row_of.setdefault(one, row)
        above[top(both[0])] = top(both[-1])
    at = np.array(list(row_of.values()), dtype=np.int64)
    number = {one: str(k) for k, one in enumerate(row_of)}
    made = {name: column.at(at) for name, column in columns.items()}
    made[str(first_of(header, MENTION))] = encode_column([name for _, name in row_of])
    made[_COLUMN] = encode_column([number[top(one)] for one in row_of])
    return _Mentions(source, made, at if rows is None else np.asarray(rows)[at], True)


def _numbered(tables: Sequence[_Mentions]) -> tuple[str, ...] | None:
    """Give named mentions a position: the one in the name (12-15), or the number of the name. Return all names."""
    cells = [cells_of(table.columns[str(first_of(table.header, MENTION))]) for table in tables]
    for table, names in zip(tables, cells, strict=True):
        if "" in names:
            raise DataError(
                "empty-cell",
                f"{table.place(names.index(''))}: the mention is empty; fill in its name or delete the row",
            )
    known = sorted({name for names in cells for name in names})
    said = {name: _PLACE.fullmatch(name) for name in known}
    by_place = all(said.values())
    at = {name: (float(k), float(k + 1)) for k, name in enumerate(known)}
    if by_place:
        at = {name: (float(found[1]), float(found[2])) for name, found in said.items() if found}
    for table, names in zip(tables, cells, strict=True):
        for side, column in enumerate(("start", "end")):
            table.columns[column] = encode_column([at[name][side] for name in names])
    return None if by_place else tuple(known)


# -- CoNLL-2012: `#begin document (name); part 000`, coreference in the last column --

_BEGIN = re.compile(r"#begin document \(?(?P<name>.*?)\)?;?(?:\s+part\s+(?P<part>\d+))?\s*")
_MENTION = re.compile(r"(?P<opens>\()?(?P<chain>[^()|\s]+)(?P<closes>\))?")
_NOTHING = {"-", "_", "*"}


@dataclass
class ChainsOfFiles:
    """Mentions of all files as columns, document lengths by annotator, and the location of each mention."""

    columns: dict[str, list[object]] = field(
        default_factory=lambda: {name: [] for name in ("doc", "annotator", "start", "end", "chain")}
    )
    lengths: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    places: list[str] = field(default_factory=list)
    said: str = ""  # how the names of files were interpreted
    aside: UnusedColumns = field(default_factory=UnusedColumns)
    unused: Unused = field(default_factory=Unused)

    @property
    def source(self) -> MemorySource:
        return MemorySource(dict(self.columns), is_file=True, places=tuple(self.places))

    @property
    def declared(self) -> Declared:
        """The length of each document and the annotators who saw it, also where they marked nothing."""
        looked = {doc: list(by) for doc, by in self.lengths.items()}
        return Declared({doc: (0, max(by.values())) for doc, by in self.lengths.items()}, looked)

    @property
    def notes(self) -> tuple[str, ...]:
        other = [doc for doc, by in self.lengths.items() if len(set(by.values())) > 1]
        said = (self.said,) if self.said else ()
        said = (*said, *self.aside.notes(harmless=True), *self.unused.notes)
        if not other:
            return said
        many = counted(len(other), "document")
        return (
            *said,
            f"{many} with versions of different length ({quoted(other[0])} …): positions may not correspond",
        )


_TABLES = (*TEXT_SUFFIXES[:3], *EXCEL_SUFFIXES, *PARQUET_SUFFIXES)  # .txt may contain anything


def conll_files(paths: Sequence[Path], how: Reading) -> list[Path]:
    """Return the CoNLL-2012 files, recognised by their first line; [] if there are other files."""
    if how.layout is not None and how.layout not in CHAINS.layouts:
        return []
    if any(p.is_dir() and any(f.suffix.lower() in _TABLES and may_open(f) for f in p.iterdir()) for p in paths):
        return []  # a folder with tables is read as tables
    files = [f for p in paths for f in (filter(may_open, sorted(p.rglob("*conll"))) if p.is_dir() else [p])]
    return files if files and all(_is_conll(f) for f in files) else []


def _is_conll(path: Path) -> bool:
    if not path.name.lower().endswith("conll") or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).removeprefix(b"\xef\xbb\xbf").startswith(b"#begin document")


def read_conll(files: Sequence[Path], how: Reading) -> ChainsOfFiles:
    """Read one annotator per file, named by the file or folder. The files name the documents."""
    found = ChainsOfFiles()
    read = named(parts_of(files), how)
    for path, (_, who) in zip(files, read.keys, strict=True):
        _add(found, path, who, how)
    found.said = read.said
    if not found.places:
        raise DataError(
            "invalid-chain",
            f"{files[0]}: the last column contains no mentions; write coreference there in brackets: (12 … 12)",
        )
    return found


def _add(found: ChainsOfFiles, path: Path, annotator: str, how: Reading) -> None:
    doc, token = path.stem, 0
    rows: list[list[str]] = []
    opened: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def finish() -> None:
        left = [(line, chain) for chain, starts in opened.items() for _, line in starts]
        if left:
            line, chain = min(left)
            raise DataError(
                "invalid-chain",
                f"{path}:{line}: the mention ({chain} is not closed in its document; add {chain}) at its last token",
            )
        opened.clear()
        if token:
            found.lengths[doc][annotator] = token
            _pass_columns(found.aside, rows, doc, annotator)
        rows.clear()

    for number, line in enumerate(read_text(path, how.encoding).splitlines(), 1):
        begins = _BEGIN.fullmatch(line) if line.startswith("#begin document") else None
        if begins:
            finish()
            part = int(begins["part"] or 0)
            doc, token = begins["name"] + (f" part {part}" if part else ""), 0
            if annotator in found.lengths.get(doc, {}):
                raise DataError(
                    "repeated-document",
                    f"{path}:{number}: document {quoted(doc)} of {quoted(annotator)} occurs twice; remove one, or "
                    "rename it in its #begin line",
                )
        if line.startswith("#") or not line.strip():
            known = not line.strip() or begins or line.startswith("#end document")
            found.unused.add("comments", line[1:].partition("=")[0].strip() or "#", not known)
            continue
        rows.append(line.split())
        for start, chain in _mentions(rows[-1][-1], token, number, opened, f"{path}:{number}"):
            for name, value in zip(found.columns, (doc, annotator, start, token + 1, chain), strict=True):
                found.columns[name].append(value)
            found.places.append(f"{path}:{number}")
        token += 1
    finish()


_NUMBERS = 3  # document, part and number of the token come first, then the token
_COLUMNS = ("part of speech", "parse", "lemma", "frameset", "word sense", "speaker", "named entity")


def _pass_columns(aside: UnusedColumns, rows: Sequence[Sequence[str]], doc: str, annotator: str) -> None:
    """Record the cells of columns other than the token and the chains."""
    width = min(map(len, rows))
    for k in range(_NUMBERS + 1, width - 1):
        number = k - _NUMBERS - 1
        name = _COLUMNS[number] if number < len(_COLUMNS) and width > len(_COLUMNS) + _NUMBERS else f"column {k + 1}"
        aside.add(name, doc, annotator, range(len(rows)), [None if row[k] in _NOTHING else row[k] for row in rows])


def _mentions(
    cell: str, token: int, line: int, opened: dict[str, list[tuple[int, int]]], place: str
) -> list[tuple[int, str]]:
    """Return the mentions that end on a token: start and chain."""
    ended = []
    for piece in () if cell in _NOTHING else cell.split("|"):
        said = _MENTION.fullmatch(piece)
        if said is None or not (said["opens"] or said["closes"]):
            raise DataError(
                "invalid-chain",
                f"{place}: the last column is {quoted(cell)}; write coreference as (12|(7) or 12), or - for none",
            )
        if said["opens"]:
            opened[said["chain"]].append((token, line))
        if said["closes"]:
            if not opened[said["chain"]]:
                raise DataError(
                    "invalid-chain",
                    f"{place}: the mention {said['chain']}) was not opened; add ({said['chain']} at its first token",
                )
            ended.append((opened[said["chain"]].pop()[0], said["chain"]))
    return ended
