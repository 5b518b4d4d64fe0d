"""CoNLL-U, and CoNLL with a token per line and its tags in columns: both may hold several documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from pathlib import Path

from accord.core.errors import DataError, counted
from accord.data.io.reading import Reading
from accord.data.io.texts.annotated import FileVersion, content

_WIDTH = 10  # columns of CoNLL-U
_FEATURES = {"lemma": 2, "upos": 3, "xpos": 4}
_COUNT = re.compile(r"\d+(-\d+|\.\d+)?")
_BEGIN = re.compile(r"#begin document \(?(.*?)\)?(?:; part (\d+))?$")


def conllu(path: Path, how: Reading) -> Sequence[FileVersion]:
    """CoNLL-U: lemma, upos and xpos are features; every `# newdoc` is a document.

    The text is `# text`, else the forms with SpaceAfter. The words of a multiword line are tokens where they spell it
    (do, n't); where they do not (du: de, le), the line is one token, with their features joined by +.
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
        elif not line.strip():
            close()
        else:
            cells = line.split("\t")
            if len(cells) != _WIDTH or not _COUNT.fullmatch(cells[0]) or not cells[1]:
                raise DataError(
                    f"{path}:{number}: not CoNLL-U: a line has {_WIDTH} columns between tabs, the number first, "
                    "then the form"
                )
            if "." not in cells[0]:  # an empty node has no place in the text
                sentence.rows.append(cells)
    close()
    versions += [version] if version.start else []
    if not versions:
        raise DataError(f"{path}: no token in it")
    if len(versions) == 1 and unnamed:
        versions[0].doc = None
    if unlike:
        versions[0].notes.append(f"{path}: {counted(unlike, 'sentence')} whose # text is not what their forms spell")
    return versions


@dataclass
class _Sentence:
    rows: list[list[str]] = field(default_factory=list)
    text: str | None = None  # as # text gives it

    def put(self, version: FileVersion) -> bool:
        """Behind what is there, with a blank between; False where the forms are not those of the text."""
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
        return fits

    def _tokens(self) -> Iterator[tuple[str, bool, list[list[str]]]]:
        """Forms, whether the next one follows without a blank, and the rows that each stands for."""
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


def _placed(forms: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Where forms stand in a text, one behind the other with blanks at most between; ends where one does not."""
    at = 0
    for form in forms:
        found = text.find(form, at)
        if found < 0 or text[at:found].strip():
            return
        at = found + len(form)
        yield found, at


def _lines(path: Path, how: Reading) -> Iterator[tuple[int, str]]:
    """Numbered, without their ends; a line separator of Unicode may be part of a token."""
    return enumerate((line.rstrip("\r") for line in content(path, how.encoding).split("\n")), start=1)


def tabular(path: Path, how: Reading) -> Sequence[FileVersion]:
    """A token per line, its tags in further columns, between tabs or blanks; ten with a number are CoNLL-U.

    A number before the token is passed over. `-DOCSTART-` and `#begin document` begin documents; features are called
    by the number of their column, or as `# global.columns` says.
    """
    rows, begins, names, tabs = _tabulated(path, how)
    width = len(rows[0])
    counting = width > 1 and all(_COUNT.fullmatch(cells[0]) for cells in rows)
    if counting and width == _WIDTH and tabs and not names:
        return conllu(path, how)
    called = [name.lower() for name in names] if len(names) == width else [f"column {k + 1}" for k in range(width)]
    cuts = dict(begins) if begins and begins[0][0] == 0 else {0: None, **dict(begins)}
    versions: list[FileVersion] = []
    for (first, doc), last in zip(cuts.items(), [*cuts, len(rows)][1:], strict=True):
        mine = [cells for cells in rows[first:last] if not counting or cells[0].isdigit()]
        if not mine:
            continue  # a document that begins and has no token
        columns = dict(zip(called, zip(*mine, strict=True), strict=True))
        tokens = columns.pop(called[counting], ())
        columns.pop(called[0], None)  # the number
        versions.append(_of_tokens(tokens, columns, doc or str(len(versions) + 1)))
    if not versions:
        raise DataError(f"{path}: no token in it")
    if len(versions) == 1 and not any(name for _, name in begins):
        versions[0].doc = None
    return versions


def _tabulated(path: Path, how: Reading) -> tuple[list[list[str]], list[tuple[int, str | None]], list[str], bool]:
    """The cells of each token; at which of them documents begin; the names of columns; whether tabs divide them."""
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
                raise DataError(f"{path}:{number}: {counted(len(cells), 'column')}, but {len(rows[0])} before")
            rows.append(cells)
    if not rows:
        raise DataError(f"{path}: no token in it")
    return rows, begins, names, tabs


def _is_comment(line: str, cells: Sequence[str], tabs: bool) -> bool:
    """A token may be #, too."""
    return line.startswith("#") and (len(cells) == 1 or (not tabs and line.startswith("# ")))


def _of_tokens(tokens: Sequence[str], columns: Mapping[str, Sequence[str]], doc: str) -> FileVersion:
    """Tokens with blanks between; _ is no tag."""
    ends = [end - 1 for end in accumulate(len(token) + 1 for token in tokens)]
    starts = [end - len(token) for end, token in zip(ends, tokens, strict=True)]
    features = {name: [None if cell == "_" else cell for cell in cells] for name, cells in columns.items()}
    return FileVersion([" ".join(tokens)], starts, ends, features, doc)
