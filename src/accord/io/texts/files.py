"""Files of annotated text → Texts: which file is whose version of which document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, UnknownName, counted, quoted
from accord.io.reading import Reading
from accord.io.texts.annotated import FileVersion, NotAnnotatedError, cora_xml, plain_text
from accord.io.texts.conll import conllu, tabular
from accord.model.texts import ONLY_DOCUMENT, Texts

Reader = Callable[[Path, Reading], Sequence[FileVersion]]
READERS: dict[str, Reader] = {
    ".xml": cora_xml,
    ".conllu": conllu,
    ".conll": tabular,
    ".tsv": tabular,
    ".txt": plain_text,
}
BASES = ("base", "pre", "reference", "original", "source")  # the names a pre-annotation goes by
_ABOUT = ("readme", "license", "licence", "copying", "notice", "changelog")  # files about the others
Key = tuple[str, str]  # document, annotator


def in_folder(folder: Path) -> tuple[list[Path], list[str]]:
    """The annotated texts of a folder and the ones below, and what to note. Plain text counts if it is all there is."""
    inside = [f for f in sorted(folder.rglob("*")) if f.is_file() and f.suffix.lower() in READERS]
    inside = [f for f in inside if not any(part.startswith(".") for part in f.relative_to(folder).parts)]
    annotated = [f for f in inside if f.suffix.lower() != ".txt"]
    chosen = [f for f in annotated or inside if not f.stem.lower().startswith(_ABOUT)]
    passed = [f.name for f in sorted({*inside} - {*chosen})]
    return chosen, [f"{folder}: not read: {', '.join(passed[:5])}{' …' if len(passed) > 5 else ''}"] if passed else []


def read_text_files(files: Sequence[tuple[Path | None, Path]], how: Reading) -> Texts:
    """One file per annotator, with a document or several. Each comes with the folder it was found in, if any."""
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
        raise DataError(f"{files[0][0]}: {counted(len(files), 'XML file')}, none with <mod>; is it CorA-XML?")
    notes = [note for _, _, version in read for note in version.notes]
    if strange:
        notes.append(f"{counted(len(strange), 'XML file')} without <mod> not read: {', '.join(strange[:5])}")
    keys = _keys([(root, file, version.doc) for root, file, version in read])
    versions = [version for _, _, version in read]
    base = base_among(keys, how)
    sizes = [len(version.start) for version in versions]
    start = np.array([at for version in versions for at in version.start], dtype=np.int64)
    end = np.array([at for version in versions for at in version.end], dtype=np.int64)
    of_token = np.repeat(np.arange(len(versions)), sizes)
    names = dict.fromkeys(name for version in versions for name in version.features)
    for name in how.label:
        if name not in names:
            raise UnknownName("feature", name, names)
    coded = {name: _coded(name, versions) for name in how.label or names}
    features = {name: column for name, column in coded.items() if column[1]}  # _ on every line is no feature
    strings = [version.text for version in versions]
    return Texts.of_arrays(keys, strings, of_token, start, end, features, base).with_notes(*notes)


def base_among(keys: Sequence[Key], how: Reading) -> str | None:
    """The annotator whose version is the pre-annotation: by the user's word, else by name."""
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


def _keys(files: Sequence[tuple[Path | None, Path, str | None]]) -> list[Key]:
    """(document, annotator) of every version.

    In a folder whose files are all called `document.annotator`, that is what they are. Else folders are annotators and
    files documents, or, in a single folder, each file is an annotator of the only document. Where files name documents
    inside, these are the documents.
    """
    folders = {file.parent for _, file, _ in files}
    dotted = {
        folder: all("." in file.stem for _, file in mine)
        for folder, mine in groupby(sorted({(f.parent, f) for _, f, _ in files}), key=lambda pair: pair[0])
    }

    def key(root: Path | None, file: Path, inside: str | None, deep: bool) -> Key:
        above = file.relative_to(root).parts[:-1] if root is not None else ()
        doc, _, who = file.stem.rpartition(".")
        if dotted[file.parent]:
            doc = "/".join([*(above if deep else ()), doc])
        elif len(folders) > 1:
            doc, who = "/".join([*above[:-1], file.stem]), file.parent.name
        else:
            doc, who = ONLY_DOCUMENT, file.stem
        return inside or doc, who

    tried = [[key(*one, deep=deep) for one in files] for deep in (False, True)]
    if any(inside for _, _, inside in files):  # files of one folder may differ before the dot, too
        tried.insert(1, [(key(*one, deep=False)[0], one[1].stem) for one in files])
        tried = tried if len({who for _, who in tried[0]}) > 1 else tried[1:]
    for keys in tried:
        if len(set(keys)) == len(keys):
            return keys
    keys = tried[0]
    again = next(k for k, one in enumerate(keys) if one in keys[:k])
    (doc, who), file, before = keys[again], files[again][1], files[keys.index(keys[again])][1]
    raise DataError(
        f"{file}: document {quoted(doc)} by {quoted(who)} is there already: {before}; "
        "files are called DOCUMENT.ANNOTATOR, or stand in a folder called ANNOTATOR"
    )
