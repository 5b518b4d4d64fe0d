"""The texts of a table, and who looked at them: docs.csv, judged.csv, and a folder of files beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord.core.errors import DataError, quoted
from accord.data.io.formats.files import may_open
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import without_blank
from accord.data.io.tables.roles import ANNOTATOR, DOC, first_of
from accord.data.io.tables.sources import Source, open_file
from accord.data.io.tables.units import DOCS, JUDGED, cells_of
from accord.data.io.texts.annotated import content
from accord.data.io.texts.rows import TEXT, Key

FOLDER = "texts"
WAYS = "docs.csv with a column text, files in a folder texts beside the table, or --texts FOLDER"


@dataclass
class TextsBeside:
    """Texts by document and by (document, annotator), from tables and from files, which are read when asked for."""

    how: Reading
    tables: dict[str | Key, str] = field(default_factory=dict)
    looked: list[Key] = field(default_factory=list)  # who looked at what, in the order of the tables
    by_stem: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    by_folder: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))  # folder/stem
    last_parts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, tables: Sequence[Source], beside: Sequence[Source], how: Reading) -> TextsBeside:
        """What stands beside these tables; `beside` are docs.csv and judged.csv where they were found already."""
        found = cls(how)
        folders = dict.fromkeys(Path(s.name).parent for s in tables if s.is_file and Path(s.name).is_file())
        for kind, given in ((DOCS, how.docs), (JUDGED, how.judged)):
            inside = [s for s in beside if Path(s.name).stem.lower() == kind]
            paths = [Path(given)] if given else [f for d in folders if (f := d / f"{kind}.csv").is_file()]
            for source in inside if inside and not given else map(found._opened, paths):
                found._read_table(source)
        if how.texts is not None:
            if not Path(how.texts).is_dir():
                raise DataError(f"{how.texts}: there is no such folder of texts")
            found._index(Path(how.texts))
        else:
            for folder in folders:
                found._index(folder / FOLDER)
        return found

    def _opened(self, path: Path) -> Source:
        return open_file(path, encoding=self.how.encoding, delimiter=self.how.delimiter)

    def _read_table(self, source: Source) -> None:
        doc, who, text = (first_of(source.header, names) for names in (DOC, ANNOTATOR, TEXT))
        if doc is None:
            raise DataError(f"{source.name}: a table of documents has the column doc, and annotator or text")
        columns, _, _ = without_blank(*source.load([name for name in (doc, who, text) if name is not None]))
        docs = cells_of(columns[doc])
        keys: list[Key] = list(zip(docs, cells_of(columns[who]), strict=True)) if who else []
        self.looked += [key for key in keys if all(key)]
        if text is not None:
            whose: Iterable[str | Key] = keys or docs
            self.tables.update(zip(whose, cells_of(columns[text]), strict=True))

    def _index(self, folder: Path) -> None:
        for file in filter(may_open, sorted(folder.rglob("*.txt"))):
            self.by_stem[file.stem].append(file)
            self.by_folder[f"{file.parent.name}/{file.stem}"].append(file)

    def expect(self, docs: Iterable[str]) -> None:
        """The documents there are: `0002.txt` is the text of `test/0002` if there is no `train/0002`."""
        self.last_parts = Counter(self._parts(doc)[1] for doc in set(docs))

    @property
    def any(self) -> bool:
        return bool(self.tables or self.by_stem)

    def own(self, key: Key) -> str | None:
        """The annotator's own text: `DOC.ANNOTATOR.txt`, or `ANNOTATOR/DOC.txt`."""
        doc, who = key
        if key in self.tables:
            return self.tables[key]
        folder, last = self._parts(doc)
        return self._file(
            doc, [f"{folder}{last}.{who}", *([f"{last}.{who}", f"{who}/{last}"] if self._plain(doc) else [])]
        )

    def shared(self, doc: str) -> str | None:
        """The text of the document: `DOC.txt`, with its folder or without."""
        if doc in self.tables:
            return self.tables[doc]
        folder, last = self._parts(doc)
        return self._file(doc, [f"{folder}{last}", *([f"source/{last}", last] if self._plain(doc) else [])])

    def _parts(self, doc: str) -> tuple[str, str]:
        folder, slash, last = doc.rpartition("/")
        return folder.rpartition("/")[2] + slash, last

    def _plain(self, doc: str) -> bool:
        """Whether the last part of its name is the document's alone."""
        return self.last_parts[self._parts(doc)[1]] < 2

    def _file(self, doc: str, names: Sequence[str]) -> str | None:
        for name in names:
            files = (self.by_folder if "/" in name else self.by_stem).get(name, [])
            if len(files) > 1:
                raise DataError(f"{files[0]} and {files[1]}: which of them is the text of document {quoted(doc)}?")
            if files:
                return content(files[0], self.how.encoding)
        return None
