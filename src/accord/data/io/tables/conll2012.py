"""CoNLL-2012 files → a table of chains: `#begin document (name); part 000`, coreference in the last column."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord.core.errors import DataError, counted, quoted
from accord.data.io.encodings import read_text
from accord.data.io.formats.files import may_open
from accord.data.io.naming import named, parts_of
from accord.data.io.reading import Declared, Reading
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES, MemorySource
from accord.data.kinds import CHAINS

_BEGIN = re.compile(r"#begin document \(?(?P<name>.*?)\)?;?(?:\s+part\s+(?P<part>\d+))?\s*")
_MENTION = re.compile(r"(?P<opens>\()?(?P<chain>[^()|\s]+)(?P<closes>\))?")
_NOTHING = {"-", "_", "*"}


@dataclass
class ChainsOfFiles:
    """Mentions of all files as columns, how long documents are for each annotator, and where a mention stands."""

    columns: dict[str, list[object]] = field(
        default_factory=lambda: {name: [] for name in ("doc", "annotator", "start", "end", "chain")}
    )
    lengths: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    places: list[str] = field(default_factory=list)
    said: str = ""  # how the names of files were read

    @property
    def source(self) -> _Files:
        return _Files(dict(self.columns), is_file=True, places=tuple(self.places))

    @property
    def declared(self) -> Declared:
        """Who looked at a document, also where nothing was marked, and how long it is."""
        looked = {doc: list(by) for doc, by in self.lengths.items()}
        return Declared({doc: (0, max(by.values())) for doc, by in self.lengths.items()}, looked)

    @property
    def notes(self) -> tuple[str, ...]:
        other = [doc for doc, by in self.lengths.items() if len(set(by.values())) > 1]
        said = (self.said,) if self.said else ()
        if not other:
            return said
        many = counted(len(other), "document")
        return (
            *said,
            f"{many} of which annotators have versions of different length ({quoted(other[0])} …): places may differ",
        )


@dataclass
class _Files(MemorySource):
    places: tuple[str, ...] = ()

    def place(self, row: int) -> str:
        return self.places[row]


_TABLES = (*TEXT_SUFFIXES[:3], *EXCEL_SUFFIXES, *PARQUET_SUFFIXES)  # .txt may be anything


def conll_files(paths: Sequence[Path], how: Reading) -> list[Path]:
    """The CoNLL-2012 files among the paths and in their folders, if there is nothing else; by how they begin."""
    if how.layout is not None and how.layout not in CHAINS.layouts:
        return []
    if any(p.is_dir() and any(f.suffix.lower() in _TABLES and may_open(f) for f in p.iterdir()) for p in paths):
        return []  # the tables of a folder are what it is about
    files = [f for p in paths for f in (filter(may_open, sorted(p.rglob("*conll"))) if p.is_dir() else [p])]
    return files if files and all(_is_conll(f) for f in files) else []


def _is_conll(path: Path) -> bool:
    if not path.name.lower().endswith("conll") or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(64).removeprefix(b"\xef\xbb\xbf").startswith(b"#begin document")


def read_conll(files: Sequence[Path], how: Reading) -> ChainsOfFiles:
    """One annotator in each file, as the names of files and folders say; documents are named inside."""
    found = ChainsOfFiles()
    read = named(parts_of(files), how)
    for path, (_, who) in zip(files, read.keys, strict=True):
        _add(found, path, who, how)
    found.said = read.said
    if not found.places:
        raise DataError(f"{files[0]}: no mention in the last column, where coreference stands: (12 … 12)")
    return found


def _add(found: ChainsOfFiles, path: Path, annotator: str, how: Reading) -> None:
    doc, token = path.stem, 0
    opened: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def finish() -> None:
        left = [(line, chain) for chain, starts in opened.items() for _, line in starts]
        if left:
            line, chain = min(left)
            raise DataError(f"{path}:{line}: the mention ({chain} is not closed in its document")
        opened.clear()
        if token:
            found.lengths[doc][annotator] = token

    for number, line in enumerate(read_text(path, how.encoding).splitlines(), 1):
        begins = _BEGIN.fullmatch(line) if line.startswith("#begin document") else None
        if begins:
            finish()
            part = int(begins["part"] or 0)
            doc, token = begins["name"] + (f" part {part}" if part else ""), 0
            if annotator in found.lengths.get(doc, {}):
                raise DataError(f"{path}:{number}: document {quoted(doc)} of {quoted(annotator)} was there already")
        if line.startswith("#") or not line.strip():
            continue
        for start, chain in _mentions(line.split()[-1], token, number, opened, f"{path}:{number}"):
            for name, value in zip(found.columns, (doc, annotator, start, token + 1, chain), strict=True):
                found.columns[name].append(value)
            found.places.append(f"{path}:{number}")
        token += 1
    finish()


def _mentions(
    cell: str, token: int, line: int, opened: dict[str, list[tuple[int, int]]], place: str
) -> list[tuple[int, str]]:
    """The mentions that end on a token: where they start, and their chains."""
    ended = []
    for piece in () if cell in _NOTHING else cell.split("|"):
        said = _MENTION.fullmatch(piece)
        if said is None or not (said["opens"] or said["closes"]):
            raise DataError(f"{place}: the last column is {quoted(cell)}, not coreference like (12|(7) or 12)")
        if said["opens"]:
            opened[said["chain"]].append((token, line))
        if said["closes"]:
            if not opened[said["chain"]]:
                raise DataError(f"{place}: the mention {said['chain']}) was not opened")
            ended.append((opened[said["chain"]].pop()[0], said["chain"]))
    return ended
