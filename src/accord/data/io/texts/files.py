"""Files of annotated text → Texts: which file is whose version of which document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.errors import DataError, UnknownName, counted, quoted
from accord.data.io.naming import ONLY_DOCUMENT, Key, Named, is_about_others, named, not_read, parts_of
from accord.data.io.reading import Reading
from accord.data.io.texts.annotated import FileVersion, NotAnnotatedError, cora_xml, plain_text
from accord.data.io.texts.conll import conllu, tabular
from accord.data.model.data import Fact
from accord.data.model.texts import Texts

Reader = Callable[[Path, Reading], Sequence[FileVersion]]
READERS: dict[str, Reader] = {
    ".xml": cora_xml,
    ".conllu": conllu,
    ".conll": tabular,
    ".tsv": tabular,
    ".txt": plain_text,
}
BASES = ("base", "pre", "reference", "original", "source", "src")  # the names a pre-annotation goes by


def in_folder(folder: Path) -> tuple[list[Path], list[str]]:
    """The annotated texts of a folder and the ones below, and what to note. Plain text counts if it is all there is."""
    inside = [f for f in sorted(folder.rglob("*")) if f.is_file() and f.suffix.lower() in READERS]
    inside = [f for f in inside if not any(part.startswith(".") for part in f.relative_to(folder).parts)]
    annotated = [f for f in inside if f.suffix.lower() != ".txt"]
    chosen = [f for f in annotated or inside if not is_about_others(f.name)]
    passed = [f.name for f in sorted({*inside} - {*chosen})]
    return chosen, [not_read(folder, passed)] if passed else []


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
    keys, said = _keys([(file, version.doc) for _, file, version in read], how)
    if said:
        notes.append(Fact(said) if how.names or how.annotators_in else said)
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


def _keys(files: Sequence[tuple[Path, str | None]], how: Reading) -> tuple[list[Key], str]:
    """(document, annotator) of every version, and how names were read. Documents that files name inside are these."""
    paths = list(dict.fromkeys(file for file, _ in files))
    read = _with_base(paths, how) or named(parts_of(paths), how)
    by_path = dict(zip(paths, read.keys, strict=True))
    if not read.grid and all(inside for _, inside in files) and len({path.stem for path in paths}) == len(paths) > 1:
        by_path = {path: (ONLY_DOCUMENT, path.stem) for path in paths}  # documents are known: files are annotators
    keys = [(inside or by_path[file][0], by_path[file][1]) for file, inside in files]
    seen: dict[Key, Path] = {}
    for key, (file, _) in zip(keys, files, strict=True):
        if key in seen:
            raise DataError(
                f"{file}: document {quoted(key[0])} by {quoted(key[1])} is there already: {seen[key]}; "
                "files are called DOCUMENT.ANNOTATOR, or stand in a folder called ANNOTATOR; --names says it otherwise"
            )
        seen[key] = file
    return keys, read.said


def _with_base(paths: Sequence[Path], how: Reading) -> Named | None:
    """A folder of pre-annotations beside files that are called otherwise: source/d1.txt, target/d1.Ana.txt."""
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
