"""Read files of annotated text: plain text, CorA-XML, CoNLL-U and other CoNLL columns.

References: CorA-XML, https://cora.readthedocs.io; CoNLL-U, https://universaldependencies.org/format.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.errors import DataError, UnknownName, counted, quoted
from accord.data.io.naming import ONLY_DOCUMENT, Contents, Key, Named, is_about_others, named, not_read, parts_of
from accord.data.io.opening import decoded, encoding_of, stream_of, unreadable
from accord.data.io.reading import Reading
from accord.data.io.unused import Unused, UnusedColumns
from accord.data.model.data import Fact
from accord.data.model.texts import Texts, words

_LARGEST = 1 << 28  # bytes of one text
_COMPARED = 1 << 20  # characters of a text that are compared with others
_SAME_TOKENS = 0.1  # two files with a smaller share of common words are of different documents
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False}


class NotAnnotatedError(DataError):
    """A file with a known suffix that contains something else; in a folder it is skipped."""


@dataclass
class FileVersion:
    """A text, its tokens as spans, and their features; `doc` is the document named in the file, if any."""

    pieces: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    features: dict[str, list[str | None]] = field(default_factory=dict)
    doc: str | None = None
    notes: list[str] = field(default_factory=list)
    size: int = 0  # characters of the text
    aside: dict[str, list[str | None]] = field(default_factory=dict)  # columns that are not compared, as in features
    unused: Unused = field(default_factory=Unused)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def append(self, text: str) -> int:
        """Add text at the end, after a blank; return its start."""
        if self.pieces:
            self.pieces.append(" ")
            self.size += 1
        begin = self.size
        self.pieces.append(text)
        self.size += len(text)
        return begin

    def add(self, token: str, features: dict[str, str | None]) -> None:
        """Add a token at the end."""
        self.start.append(self.append(token))
        self.end.append(self.size)
        for name, column in self.features.items():
            column.append(features.get(name))
        for name in [name for name in features if name not in self.features]:  # in the order of the file
            self.features[name] = [*[None] * (len(self.start) - 1), features[name]]


def read_content(path: Path, encoding: str | None) -> str:
    """Return the decoded text of a file; raise DataError if it is empty, too large or not text."""
    try:
        if path.stat().st_size > _LARGEST:
            raise DataError("file-too-large", f"{path}: larger than {_LARGEST >> 20} MB; split the text into documents")
        with stream_of(path) as file:
            raw = file.read()
    except OSError as error:
        raise unreadable(path, error) from error
    text = decoded(raw, str(path), encoding or encoding_of(raw[:4]))
    if not text.strip():
        raise DataError(
            "file-empty", f"{path}: the file {'contains only blanks' if text else 'is empty'}; add text, or remove it"
        )
    if "\0" in text:
        raise DataError(
            "encoding",
            f"{path}: NUL at character {text.index(chr(0))}; for UTF-16 without BOM use --encoding utf-16-le",
        )
    return text


def read_plain(path: Path, how: Reading) -> Sequence[FileVersion]:
    """Read plain text: tokens are separated by blanks, line ends become LF."""
    text = read_content(path, how.encoding).replace("\r\n", "\n").replace("\r", "\n")
    _, start, end = words([text])
    return [FileVersion([text], start.tolist(), end.tolist())]


def read_cora(path: Path, how: Reading) -> Sequence[FileVersion]:
    """Read CorA-XML: `<mod>` elements are tokens with text `@trans`; children with `@tag` are features."""
    from lxml import etree

    version, encoding = FileVersion(), "utf-8" if how.encoding else None
    try:
        # First parse with the parser's limits and refuse document types. Then large files are safe.
        with BytesIO(read_content(path, how.encoding).encode()) if how.encoding else stream_of(path) as file:
            if not file.read(1):
                raise DataError("file-empty", f"{path}: the file is empty; remove it")
            file.seek(0)
            _, root = next(iter(etree.iterparse(file, events=("start",), encoding=encoding, **_SAFE)))
            if root.getroottree().docinfo.doctype:
                raise DataError(
                    "unsafe-file",
                    f"{path}: the file declares a document type, which may be unsafe; remove the line <!DOCTYPE …>",
                )
            file.seek(0)
            for _, element in etree.iterparse(file, tag="{*}*", encoding=encoding, huge_tree=True, **_SAFE):
                if element.tag == "mod":
                    version.add(*_word(path, element, how, version.unused))
                    element.clear(keep_tail=False)
                elif (
                    element.tag not in _CORA
                    and next(element.iterancestors("mod", "header", "layoutinfo"), None) is None
                ):
                    version.unused.add("elements", element.tag)
    except OSError as error:
        raise unreadable(path, error) from error
    except etree.XMLSyntaxError as error:
        raise DataError(
            "file-damaged", f"{path}:{error.lineno}: invalid XML: {' '.join(error.msg.split())}; export it again"
        ) from error
    if not version.start:
        raise NotAnnotatedError(
            "format-unknown", f"{path}: no <mod> elements, so not CorA-XML; name the format with --format"
        )
    return [version]


# Elements of CorA-XML: the layout of the page, and tokens as they were printed, which annotators do not change.
_CORA = frozenset((
    "text", "cora-header", "header", "layoutinfo", "shifttags", "page", "column", "line", "token", "dipl", "tok_dipl",
    "tok_anno",
))  # fmt: skip


def _word(path: Path, word: Any, how: Reading, unused: Unused) -> tuple[str, dict[str, str | None]]:
    """Return the text and the features of a <mod>."""
    text = word.get("trans")
    if text is None:
        raise DataError("invalid-record", f"{path}:{word.sourceline}: a <mod> has no trans; add the attribute")
    for symbol, meant in ((how.merge_symbol, " "), (how.split_symbol, "")):
        text = text.replace(symbol, meant) if symbol else text
    unused.add_attributes("attributes of <mod>", word, {"trans", "utf", "ascii", "checked"})
    for child in word.iterchildren("*"):
        if child.get("tag") is None:
            unused.add("elements without a tag", child.tag)
        else:
            unused.add_attributes(f"attributes of <{child.tag}>", child, {"tag"})
    return text, {child.tag: child.get("tag") for child in word.iterchildren("*") if child.get("tag") is not None}


# -- CoNLL-U, and CoNLL with a token per line and its tags in columns: both may contain several documents --

_WIDTH = 10  # columns of CoNLL-U
_FEATURES = {"lemma": 2, "upos": 3, "xpos": 4}
_ASIDE = {"FEATS": 5, "HEAD": 6, "DEPREL": 7, "DEPS": 8, "MISC": 9}  # columns that accord does not compare
_RELATIONS, _NO_RELATIONS = ("HEAD", "DEPREL", "DEPS"), "accord does not read relations between tokens"
_SPACING = re.compile(r"SpaceAfter=No|SpacesAfter=.*|SpacesBefore=.*|SpacesInToken=.*|TokenRange=.*")
_COMMENTS = frozenset((
    "newdoc", "newdoc id", "newpar", "newpar id", "text", "sent_id", "generator", "global.columns", "udpipe_model",
    "udpipe_model_licence", "newpart", "newpart_id",
))  # fmt: skip
_COUNT = re.compile(r"\d+(-\d+|\.\d+)?")
_BEGIN = re.compile(r"#begin document \(?(.*?)\)?(?:; part (\d+))?$")


def read_conllu(path: Path, how: Reading) -> Sequence[FileVersion]:
    """Read CoNLL-U: lemma, upos and xpos are features; every `# newdoc` starts a document.

    The text is `# text`; without it, the forms with SpaceAfter. The words of a multiword line are tokens if they spell
    its form (do, n't). If they do not (du: de, le), the line is one token, with the features joined by +.
    """
    versions: list[FileVersion] = []
    version, sentence, unlike, unnamed = FileVersion(), _Sentence(), 0, 0

    def close() -> None:
        nonlocal sentence, unlike
        if sentence.rows:
            unlike += not sentence.put(version)
        sentence = _Sentence()

    for number, line in _lines(path, how):
        if line.startswith("#"):
            key, sign, value = (part.strip() for part in line[1:].partition("="))
            if key in {"newdoc id", "newdoc"}:
                close()
                if version.start:
                    versions.append(version)
                unnamed += not sign
                version = FileVersion(doc=value if sign else str(unnamed))
            elif key == "text" and sign:
                sentence.text = value
            else:
                _pass_comment(version.unused, key, named=bool(sign))
        elif not line.strip():
            close()
        else:
            sentence.add(_cells_of(line, f"{path}:{number}"), version.unused)
    close()
    versions += [version] if version.start else []
    if not versions:
        raise DataError("file-empty", f"{path}: the file contains no tokens; remove it")
    if len(versions) == 1 and unnamed:
        versions[0].doc = None
    if unlike:
        versions[0].notes.append(
            f"{path}: in {counted(unlike, 'sentence')}, the forms do not spell # text; accord uses the forms"
        )
    return versions


def _cells_of(line: str, place: str) -> list[str]:
    cells = line.split("\t")
    if len(cells) != _WIDTH or not _COUNT.fullmatch(cells[0]) or not cells[1]:
        raise DataError(
            "format-unknown",
            f"{place}: not CoNLL-U; a line needs {_WIDTH} columns between tabs, the number first, then the form",
        )
    return cells


def _pass_comment(unused: Unused, key: str, *, named: bool) -> None:
    """Count a comment, except facts that every file states. A comment with a key may be a label of the sentence."""
    if key not in _COMMENTS:
        unused.add(*(("comments of sentences", key) if named else ("comments", "without a key")), harmless=not named)


@dataclass
class _Sentence:
    rows: list[list[str]] = field(default_factory=list)
    text: str | None = None  # as # text gives it

    def add(self, cells: list[str], unused: Unused) -> None:
        """Add a token. An empty node has no position in the text."""
        if "." in cells[0]:
            unused.add("lines", "empty nodes")
        else:
            self.rows.append(cells)

    def put(self, version: FileVersion) -> bool:
        """Add the sentence to a version; False if the forms do not spell `# text`."""
        groups = list(self._tokens())
        forms = [form for form, _, _ in groups]
        spelled = "".join(form if tight else f"{form} " for form, tight, _ in groups).rstrip(" ")
        text = self.text or spelled
        spans = list(_placed(forms, text))
        fits = len(spans) == len(forms)
        if not fits:
            text, spans = spelled, list(_placed(forms, spelled))
        begin = version.append(text)
        version.start += [begin + p for p, _ in spans]
        version.end += [begin + q for _, q in spans]
        for name, column in _FEATURES.items():
            values = ["+".join([row[column] for row in rows]) for _, _, rows in groups]
            version.features.setdefault(name, []).extend(v if v.strip("_+") else None for v in values)
        for name, column in _ASIDE.items():
            values = ["+".join([_beside(row[column], name) for row in rows]) for _, _, rows in groups]
            version.aside.setdefault(name, []).extend(v if v.strip("_+") else None for v in values)
        return fits

    def _tokens(self) -> Iterator[tuple[str, bool, list[list[str]]]]:
        """Yield forms, whether the next form follows without a blank, and the rows of each form."""
        rows = iter(self.rows)
        for row in rows:
            first, dash, last = row[0].partition("-")
            tight = "SpaceAfter=No" in row[9].split("|")
            if not dash:
                yield row[1], tight, [row]
                continue
            inside = list(islice(rows, max(int(last) - int(first) + 1, 0)))
            if "".join(word[1] for word in inside) != row[1]:
                yield row[1], tight, inside
                continue
            for word in inside[:-1]:
                yield word[1], True, [word]
            yield inside[-1][1], tight, inside[-1:]


def _beside(cell: str, column: str) -> str:
    """Return a cell of a column that is not compared. MISC without the facts about blanks, which the text contains."""
    if column != "MISC" or cell == "_":
        return cell
    return "|".join(part for part in cell.split("|") if not _SPACING.fullmatch(part)) or "_"


def _placed(forms: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each form in a text, with only blanks between; stop at the first form not found."""
    at = 0
    for form in forms:
        found = text.find(form, at)
        if found < 0 or text[at:found].strip():
            return
        at = found + len(form)
        yield found, at


def _lines(path: Path, how: Reading) -> Iterator[tuple[int, str]]:
    """Return numbered lines without line ends. Unicode line separators may be part of a token."""
    return enumerate((line.rstrip("\r") for line in read_content(path, how.encoding).split("\n")), start=1)


def read_columns(path: Path, how: Reading) -> Sequence[FileVersion]:
    """Read a token per line with tags in further columns, between tabs or blanks; ten columns may be CoNLL-U.

    A number before the token is ignored. `-DOCSTART-` and `#begin document` start documents. Features are named by
    `# global.columns`, or by the number of their column.
    """
    rows, begins, names, tabs = _tabulated(path, how)
    width = len(rows[0])
    counting = width > 1 and all(_COUNT.fullmatch(cells[0]) for cells in rows)
    if counting and width == _WIDTH and tabs and not names:
        return read_conllu(path, how)
    called = [name.lower() for name in names] if len(names) == width else [f"column {k + 1}" for k in range(width)]
    cuts = dict(begins) if begins and begins[0][0] == 0 else {0: None, **dict(begins)}
    versions: list[FileVersion] = []
    for (first, doc), last in zip(cuts.items(), [*cuts, len(rows)][1:], strict=True):
        mine = [cells for cells in rows[first:last] if not counting or cells[0].isdigit()]
        if not mine:
            continue  # a document without tokens
        columns = dict(zip(called, zip(*mine, strict=True), strict=True))
        tokens = columns.pop(called[counting], ())
        columns.pop(called[0], None)  # the number
        versions.append(_of_tokens(tokens, columns, doc or str(len(versions) + 1)))
    if not versions:
        raise DataError("file-empty", f"{path}: the file contains no tokens; remove it")
    if len(versions) == 1 and not any(name for _, name in begins):
        versions[0].doc = None
    return versions


def _tabulated(path: Path, how: Reading) -> tuple[list[list[str]], list[tuple[int, str | None]], list[str], bool]:
    """Return the cells of each token, the starts of documents, the column names, and whether tabs separate columns."""
    lines = list(_lines(path, how))
    tabs = any("\t" in line for _, line in lines)
    rows: list[list[str]] = []
    begins: list[tuple[int, str | None]] = []
    names: list[str] = []
    for number, line in lines:
        cells = line.split("\t") if tabs else line.split()
        if line.startswith("# global.columns") and "=" in line:
            names = line.partition("=")[2].split()
        elif line.startswith("-DOCSTART-"):
            begins.append((len(rows), None))
        elif found := _BEGIN.match(line):
            begins.append((len(rows), "/".join(part for part in found.groups() if part)))
        elif line.strip() and not _is_comment(line, cells, tabs):
            if rows and len(cells) != len(rows[0]):
                raise DataError(
                    "invalid-record",
                    f"{path}:{number}: {counted(len(cells), 'column')}, but {len(rows[0])} in the lines above; use the "
                    "same number in each line, _ for no tag",
                )
            rows.append(cells)
    if not rows:
        raise DataError("file-empty", f"{path}: the file contains no tokens; remove it")
    return rows, begins, names, tabs


def _is_comment(line: str, cells: Sequence[str], tabs: bool) -> bool:
    """Return whether a line is a comment; # may also be a token."""
    return line.startswith("#") and (len(cells) == 1 or (not tabs and line.startswith("# ")))


def _of_tokens(tokens: Sequence[str], columns: Mapping[str, Sequence[str]], doc: str) -> FileVersion:
    """Return a version of tokens joined by blanks; _ is a missing tag."""
    ends = [end - 1 for end in accumulate(len(token) + 1 for token in tokens)]
    starts = [end - len(token) for end, token in zip(ends, tokens, strict=True)]
    features = {name: [None if cell == "_" else cell for cell in cells] for name, cells in columns.items()}
    return FileVersion([" ".join(tokens)], starts, ends, features, doc)


# -- the document and annotator of each file --

Reader = Callable[[Path, Reading], Sequence[FileVersion]]
READERS: dict[str, Reader] = {
    ".xml": read_cora,
    ".conllu": read_conllu,
    ".conll": read_columns,
    ".tsv": read_columns,
    ".txt": read_plain,
}
BASES = ("base", "pre", "reference", "original", "source", "src")  # usual names of a pre-annotation


def find_texts(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the annotated texts in and below a folder, and notes. Plain text is used if there is nothing else."""
    inside = [f for f in sorted(folder.rglob("*")) if f.is_file() and f.suffix.lower() in READERS]
    inside = [f for f in inside if not any(part.startswith(".") for part in f.relative_to(folder).parts)]
    annotated = [f for f in inside if f.suffix.lower() != ".txt"]
    chosen = [f for f in annotated or inside if not is_about_others(f.name)]
    passed = [f.name for f in sorted({*inside} - {*chosen})]
    return chosen, [not_read(folder, passed)] if passed else []


def read_text_files(files: Sequence[tuple[Path | None, Path]], how: Reading) -> Texts:
    """Read one file per annotator, with one or several documents. Each has the folder it was found in, if any."""
    read: list[tuple[Path | None, Path, FileVersion]] = []
    strange: list[str] = []
    for root, file in files:
        try:
            read += [(root, file, version) for version in READERS[file.suffix.lower()](file, how)]
        except NotAnnotatedError:
            if root is None:
                raise
            strange.append(file.name)
    if not read:
        raise DataError(
            "format-unknown",
            f"{files[0][0]}: {counted(len(files), 'XML file')}, none with <mod>, so not CorA-XML; name the format "
            "with --format",
        )
    notes = [note for _, _, version in read for note in version.notes]
    if strange:
        notes.append(f"skipped {counted(len(strange), 'XML file')} without <mod>: {', '.join(strange[:5])}")
    keys, said = _keys([(file, version) for _, file, version in read], how)
    if said:
        notes.append(Fact(said) if how.names or how.annotators_in else said)
    versions = [version for _, _, version in read]
    notes += _unused_notes(keys, versions)
    base = find_base(keys, how)
    sizes = [len(version.start) for version in versions]
    start = np.array([at for version in versions for at in version.start], dtype=np.int64)
    end = np.array([at for version in versions for at in version.end], dtype=np.int64)
    of_token = np.repeat(np.arange(len(versions)), sizes)
    names = dict.fromkeys(name for version in versions for name in version.features)
    for name in how.label:
        if name not in names:
            raise UnknownName("feature", name, names)
    coded = {name: _coded(name, versions) for name in how.label or names}
    features = {name: column for name, column in coded.items() if column[1]}  # a column with only _ is not a feature
    strings = [version.text for version in versions]
    return Texts.of_arrays(keys, strings, of_token, start, end, features, base).with_notes(*notes)


def _token_places(version: FileVersion) -> list[tuple[int, str]]:
    """Return the start and the form of each token."""
    text = version.text
    return [(start, text[start:end]) for start, end in zip(version.start, version.end, strict=True)]


def _unused_notes(keys: Sequence[Key], versions: Sequence[FileVersion]) -> list[str]:
    """Return notes on content that accord does not compare, with the tokens in which annotators differ."""
    relations, others, unused = UnusedColumns(_NO_RELATIONS), UnusedColumns(), Unused()
    for (doc, annotator), version in zip(keys, versions, strict=True):
        places = _token_places(version) if version.aside else []
        for name, values in version.aside.items():
            (relations if name in _RELATIONS else others).add(name, doc, annotator, places, values)
        unused.update(version.unused)
    return [*relations.notes(), *others.notes(), *unused.notes]


def find_base(keys: Sequence[Key], how: Reading) -> str | None:
    """Return the name of the pre-annotation: the one of --base, or one with a usual name."""
    annotators = {who for _, who in keys}
    if how.base is not None and how.base not in annotators:
        raise UnknownName("pre-annotation", how.base, sorted(annotators))
    return how.base or next((name for name in BASES if name in annotators), None)


def _coded(name: str, versions: Sequence[FileVersion]) -> tuple[Any, list[str]]:
    index: dict[str | None, int] = {None: -1}
    codes = []
    for version in versions:
        values = version.features.get(name) or [None] * len(version.start)
        for value in dict.fromkeys(values):
            index.setdefault(value, len(index) - 1)
        codes.append(np.fromiter(map(index.__getitem__, values), dtype=np.int64, count=len(values)))
    return np.concatenate(codes), [value for value in index if value is not None]


def _keys(files: Sequence[tuple[Path, FileVersion]], how: Reading) -> tuple[list[Key], str]:
    """Return (document, annotator) of every version, and how they were found. Names inside files take precedence."""
    words_of: dict[Path, set[str]] = {}
    for file, version in files:
        words_of.setdefault(file, set()).update(version.text[:_COMPARED].split())
    paths = list(words_of)
    read = _with_base(paths, how) or named(parts_of(paths), how, contents=_contents(words_of))
    by_path = dict(zip(paths, read.keys, strict=True))
    inside = [version.doc for _, version in files]
    if not read.grid and all(inside) and len({path.stem for path in paths}) == len(paths) > 1:
        by_path = {
            path: (ONLY_DOCUMENT, path.stem) for path in paths
        }  # files name their documents, so files are annotators
    keys = [(version.doc or by_path[file][0], by_path[file][1]) for file, version in files]
    seen: dict[Key, Path] = {}
    for key, (file, _) in zip(keys, files, strict=True):
        if key in seen:
            raise DataError(
                "repeated-document",
                f"{file}: document {quoted(key[0])} by {quoted(key[1])} occurs twice, first in {seen[key]}; name files "
                "DOCUMENT.ANNOTATOR, put them into folders named ANNOTATOR, or use --names",
            )
        seen[key] = file
    return keys, read.said


def _contents(words_of: Mapping[Path, set[str]]) -> Contents:
    """Return the words of each file. Annotators may change plain texts, but not the tokens of other formats."""
    plain = any(path.suffix.lower() == ".txt" for path in words_of)
    return Contents([frozenset(found) for found in words_of.values()], 0.0 if plain else _SAME_TOKENS, not plain)


def _with_base(paths: Sequence[Path], how: Reading) -> Named | None:
    """Interpret names of files with a folder of pre-annotations: source/d1.txt, target/d1.Ana.txt."""
    if how.names is not None:
        return None
    first = {path: path.parent.name for path in paths if path.parent.name in {*BASES, how.base}}
    rest = [path for path in paths if path not in first]
    if not first or len(rest) < 2:
        return None
    read = named(parts_of(rest), how)
    docs = {doc for doc, _ in read.keys}
    if not read.grid or not {path.stem for path in first} <= docs:
        return None
    key_of = dict(zip(rest, read.keys, strict=True)) | {path: (path.stem, who) for path, who in first.items()}
    return Named(tuple(key_of[path] for path in paths), read.said)
