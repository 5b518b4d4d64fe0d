"""Chunks in CoNLL columns: a token and its tags on each line; a blank line ends a sentence.

Files: .conll, .iob, .bio, .tsv, .txt with tags of IOB1, IOB2, BIOES or BILOU; a file or folder per annotator, or
a column each with --annotators-in columns.
Keeps: chunks as units. Each column of chunks is a variable, named by `# global.columns =`. The text is the tokens
separated by blanks, or the content of `# text =` before each sentence.
Skips and counts: other columns, with the tokens in which annotators differ, and comments.
Reference: Tjong Kim Sang and De Meulder (2003), Introduction to the CoNLL-2003 Shared Task. CoNLL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each
from accord.data.io.formats.writing import (
    FOLDERS,
    Draft,
    Mark,
    Material,
    file_names,
    renamed,
    tokens,
    underlined,
)
from accord.data.io.reading import Reading
from accord.data.io.unused import Unused, UnusedColumns
from accord.data.model.data import some

_TAG = re.compile(r"O|[BIESLUM]-.+")
_BARE = re.compile(r"O|[BIESLUM](?:-.+)?")  # chunks of one kind need no name if the suffix shows that these are tags
_OF_CHUNKS = (".conll", ".iob", ".iob2", ".bio", ".tags")
_DOCUMENT = re.compile(r"#\s*(?:newdoc(?:\s+id)?|id|doc_id|document)\s*[=:]\s*(?P<name>\S.*?)\s*")
_TEXT, _COLUMNS = "# text = ", "# global.columns = "
_ALONE = {".conll", ".iob", ".iob2", ".bio"}  # these files are recognised even without chunks
_KNOWN = frozenset(("newdoc", "newpar", "sent_id", "text", "global.columns", "id", "doc_id", "document"))
_NOTHING = frozenset(("_", "-", "O", ""))  # cells without a tag
_STARTS, _ENDS = "BSU", "ESLU"
_NAMELESS = "chunk"


@dataclass
class _Tokens:
    """A document: its text, the positions of its tokens, and the tags of each token."""

    name: str | None
    text: list[str] = field(default_factory=list)
    size: int = 0
    spans: list[tuple[int, int]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)  # tokens before which a sentence begins
    columns: list[str] = field(default_factory=list)  # names of columns, if the file states them
    sentences: list[tuple[int, str]] = field(default_factory=list)  # the first token of each, and its stated text
    unused: Unused = field(default_factory=Unused)

    @property
    def form(self) -> int:
        """The column of tokens."""
        return self.columns.index("FORM") if "FORM" in self.columns else 0

    def add(self, cells: list[str], line: int) -> None:
        token = cells[self.form]
        between = "\n" if len(self.spans) in self.breaks else " "
        if self.spans:
            self.text.append(between)
            self.size += 1
        self.spans.append((self.size, self.size + len(token)))
        self.text.append(token)
        self.size += len(token)
        self.rows.append(cells)
        self.lines.append(line)

    def placed(self) -> bool:
        """Locate tokens in the text stated by `# text =`. Return False if the tokens do not occur in it."""
        if not self.sentences:
            return True
        spans: list[tuple[int, int]] = []
        begin = 0
        firsts = [first for first, _ in self.sentences]
        for (first, text), behind in zip(self.sentences, [*firsts[1:], len(self.rows)], strict=True):
            at = 0
            for row in self.rows[first:behind]:
                found = text.find(row[self.form], at)
                if found < 0:
                    return False
                at = found + len(row[self.form])
                spans.append((begin + found, begin + at))
            begin += len(text) + 1
        if len(spans) < len(self.rows):
            return False
        self.text, self.spans = ["\n".join(text for _, text in self.sentences)], spans
        return True


def recognises(file: File) -> bool:
    """Whether all lines have the same number of columns and the last column contains chunks."""
    if file.suffix not in {*_OF_CHUNKS, ".tsv", ".txt", ""}:
        return False
    lines = file.beginning.split("\n")
    rows = [
        _cells(line)
        for line in lines[:2000][: -1 if len(lines) > 1 else None]
        if line.strip() and not _is_comment(line)
    ]
    alone = file.suffix in _ALONE and any(line.startswith("# newdoc id = ") for line in lines[:2])
    if not rows:
        return alone
    if (len(rows) < 2 and not alone) or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return False
    like = _tag_of(file)
    tags = [row[-1] for row in rows]
    return all(map(like.fullmatch, tags)) if alone else _is_chunks(tags, like)


def _tag_of(file: File) -> re.Pattern[str]:
    return _BARE if file.suffix in _OF_CHUNKS else _TAG


def _is_comment(line: str) -> bool:
    """Whether a line is a comment. A token may start with # too."""
    if line.startswith((_TEXT, _COLUMNS, "# newdoc id = ", "-DOCSTART-")):
        return True
    return line.startswith(("# ", "#\t")) and not _TAG.fullmatch(_cells(line)[-1])


def _cells(line: str) -> list[str]:
    return line.rstrip("\r\n").split("\t") if "\t" in line else line.split()


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    found = each(partial(_documents, how=how), mine, run)
    apart = [file.name for file, docs in zip(mine, found, strict=True) for one in docs if not one.placed()]
    export = Export()
    keys = export.name_files(mine, how, ["\n".join("".join(doc.text) for doc in docs) for docs in found])
    if apart:
        export.notes.append(
            f"`# text` does not match the tokens, so accord uses the tokens as the text: {some(apart, 3)}"
        )
    aside = UnusedColumns()
    for file, docs, (doc, of_file) in zip(mine, found, keys, strict=True):
        width = min((len(row) for one in docs for row in one.rows), default=0)
        columns = _columns(docs, width, _tag_of(file))
        if not columns:
            raise DataError(
                "invalid-record", f"{file.name}: no column contains chunks; expected tags like B-PER, I-PER and O"
            )
        for number, one in enumerate(docs, 1):
            called = one.name or (doc if len(docs) == 1 else f"{doc} {number}")
            export.document(called, "".join(one.text))
            export.unused.update(one.unused)
            _pass_columns(aside, one, called, of_file, [k for k in range(width) if k not in columns])
            for k in columns:
                variable, annotator = _roles(k, columns, of_file, how, one.columns)
                export.saw(called, annotator)
                for first, last, label in _chunks([row[k] for row in one.rows]):
                    export.unit(variable, called, annotator, one.spans[first][0], one.spans[last][1], label,
                                place=f"{file.name}:{one.lines[first]}")  # fmt: skip
    export.notes += aside.notes(harmless=True)
    return export


def _pass_columns(aside: UnusedColumns, one: _Tokens, doc: str, annotator: str, columns: Sequence[int]) -> None:
    """Record the cells of columns that are not chunks."""
    for k in columns:
        if k != one.form:
            name = one.columns[k] if k < len(one.columns) else f"column {k + 1}"
            values = [None if row[k] in _NOTHING else row[k] for row in one.rows]
            aside.add(name, doc, annotator, one.spans, values)


def _pass_comment(unused: Unused, line: str) -> None:
    """Count a comment, except facts that every file states. A comment with a key may be a label of the sentence."""
    key, sign, _ = (part.strip() for part in line.lstrip("#").partition("="))
    if not line.startswith("-DOCSTART-") and key.split(" ")[0].rstrip(":") not in _KNOWN:
        unused.add(*(("comments of sentences", key) if sign else ("comments", "without a key")), harmless=not sign)


def _roles(column: int, columns: Sequence[int], annotator: str, how: Reading, names: Sequence[str]) -> tuple[str, str]:
    """Return variable and annotator of a column."""
    if how.annotators_in == "columns":
        return "label", names[column] if names else f"column {column + 1}"
    if names:
        return names[column], annotator
    return ("label" if len(columns) == 1 else f"column {column + 1}"), annotator


def _columns(docs: Sequence[_Tokens], width: int, like: re.Pattern[str]) -> list[int]:
    """Return the columns of chunks. If the file names its columns, they include columns without chunks."""
    names = docs[0].columns if docs else []
    rows = [row for one in docs for row in one.rows]
    if not names:
        return [k for k in range(1, width) if _is_chunks([row[k] for row in rows], like)]
    told = [k for k in range(len(names)) if k != docs[0].form and (k < width or not rows)]
    return [k for k in told if all(like.fullmatch(row[k]) for row in rows)]


def _is_chunks(tags: Sequence[str], like: re.Pattern[str]) -> bool:
    return all(like.fullmatch(tag) for tag in tags) and any(tag != "O" for tag in tags)


def _are_numbered(lines: Sequence[str]) -> bool:
    """Whether the first column numbers the tokens of a sentence, and the second column contains the tokens."""
    rows = [_cells(line) for line in lines if line.strip() and not _is_comment(line)]
    if not rows or any(len(row) < 3 or not row[0].isdecimal() for row in rows):
        return False
    numbers = [int(row[0]) for row in rows]
    return numbers[0] in {0, 1} and all(b in {a + 1, numbers[0]} for a, b in pairwise(numbers))


def _documents(file: File, how: Reading) -> list[_Tokens]:
    documents, width = [_Tokens(None)], 0
    names: list[str] = []
    lines = file.text(how.encoding).split("\n")
    skipped = 1 if _are_numbered(lines) else 0
    for number, line in enumerate(lines, 1):
        current = documents[-1]
        if not line.strip():
            current.breaks.add(len(current.spans))
            continue
        if _is_comment(line):
            name = _DOCUMENT.fullmatch(line.strip())
            if line.startswith(_TEXT):
                current.sentences.append((len(current.rows), line[len(_TEXT) :]))
            elif line.startswith(_COLUMNS):
                names = line[len(_COLUMNS) :].split()[skipped:]
            elif line.startswith("-DOCSTART-") or name:
                documents.append(_Tokens(name["name"] if name else None))
            documents[-1].columns = names
            _pass_comment(documents[-1].unused, line)
            continue
        cells = _cells(line)[skipped:]
        width = width or len(cells)
        if len(cells) != width:
            raise DataError(
                "invalid-record",
                f"{file.name}:{number}: {len(cells)} columns, but lines above have {width}: {quoted(line, 40)}; "
                "add or remove columns",
            )
        if current.form >= len(cells):
            raise DataError(
                "invalid-record",
                f"{file.name}:{number}: no column {current.form + 1} with the token: {quoted(line, 40)}; "
                "correct `# global.columns =`, or add the column",
            )
        current.add(cells, number)
    return [document for document in documents if document.spans or document.sentences]


def _chunks(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first token, last token and label of each chunk, in any of the schemes."""
    first: int | None = None
    label = ""
    for k, tag in enumerate([*tags, "O"]):
        sign, _, name = tag.partition("-")
        if first is not None and (sign in _STARTS or tag == "O" or name != label):
            yield first, k - 1, label or _NAMELESS
            first = None
        if tag != "O":
            if first is None:
                first, label = k, name
            if sign in _ENDS:
                yield first, k, label or _NAMELESS
                first = None


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a file per annotator and document: tokens, and an IOB2 column per variable. A line is a sentence."""
    material.needs_units()
    material.needs_texts()
    material.needs_tiers()
    draft = Draft(dict(FOLDERS))
    file_names(material, draft)
    draft.variables = renamed(material.units, underlined, "variable", draft)
    for doc, annotator, marks in material.versions():
        text = material.texts[doc]
        lines = [f"# global.columns = FORM {' '.join(draft.variables.values())}", f"# newdoc id = {draft.docs[doc]}"]
        lines += _sentences(text, marks, doc)
        draft.add(f"{draft.annotators[annotator]}/{draft.docs[doc]}.conll", "\n".join(lines) + "\n")
    return draft


def _sentences(text: str, marks: dict[str, list[Mark]], doc: str) -> Iterator[str]:
    found = tokens(text, [mark for one in marks.values() for mark in one])
    tags = [_tags(found, one, doc) for one in marks.values()]
    begin, k = 0, 0
    for line in text.split("\n"):
        yield f"{_TEXT}{line}"
        while k < len(found) and found[k][0] < begin + len(line):
            start, end = found[k]
            yield "\t".join([text[start:end], *(column[k] for column in tags)])
            k += 1
        yield ""
        begin += len(line) + 1


def _tags(found: Sequence[tuple[int, int]], marks: Sequence[Mark], doc: str) -> list[str]:
    tags = ["O"] * len(found)
    first, last = ({place[side]: k for k, place in enumerate(found)} for side in (0, 1))
    for mark in marks:
        begin, end = first.get(int(mark.start)), last.get(int(mark.end))
        if begin is None or end is None:
            raise DataError(
                "not-representable",
                f"IOB marks whole tokens, and {mark.start}–{mark.end} {quoted(mark.label)} in {quoted(doc)} "
                "starts or ends with a blank; use --to brat",
            )
        for k in range(begin, end + 1):
            tags[k] = f"{'B' if k == begin else 'I'}-{mark.label}"
    return tags
