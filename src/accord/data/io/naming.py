"""Find the annotator and the document of each file from the names of files and folders.

A name is split only if this gives a grid: the same documents by several annotators.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.model.data import Fact, some

ONLY_DOCUMENT = "document"  # the name of the only document, if it has none
ONLY_ANNOTATOR = "annotator"
Key = tuple[str, str]  # document, annotator
Parts = tuple[str, ...]  # folders below the given one, and the file name
_SEPARATORS = ("__", ".", "_", "-", "@", " ")
_PEOPLE = re.compile(
    r"(?:ann|anno|annot|annotator|coder|rater|scorer|observer|judge|user|expert|reviewer|model|gold|curator)"
    r"(?:[\W_]*\d+|[\W_]*[a-z])?|an?\d+",
    re.IGNORECASE,
)
# Words in file names that are not annotators: parts, takes and versions of a recording, and annotated phenomena.
_NO_PEOPLE = re.compile(
    r"pre|post|before|after|baseline|followup|left|right|front|back|top|bottom|audio|video|"
    r"wav|mono|stereo|raw|clean|noisy|original|copy|backup|draft|final|old|new|corrected|"
    r"checked|fixed|train|test|dev|valid|mother|father|infant|child|adult|male|female|words|"
    r"word|phones|phonemes|phone|syllables|gesture|gestures|gaze|speech|music|noise|notes|"
    r"reading|interview|session|day|night|am|pm|part|beginning|middle|end|low|high",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\{(doc|annotator)\}")
# Matches README, README.de.md, upstream_README.md, LICENSE-MIT; but not notices.txt or notice.csv.
_ABOUT = re.compile(
    r"(?:(?:[a-z]+[ _-])?(?:readme|licen[cs]e)|copying|notice|changelog)"
    r"(?:[._ -](?!csv|tsv|tab|json|xls|ods|parquet|sav|conll|xml)[a-z]+)?(?:\.(?:txt|md|rst|html?|pdf))?",
    re.IGNORECASE,
)


def is_about_others(name: str) -> bool:
    """Return whether a file describes other files and contains no data: README.md, upstream_README.md, LICENSE."""
    return _ABOUT.fullmatch(PurePosixPath(name).name) is not None


def not_read(folder: Path, passed: Sequence[str]) -> str:
    """Return a note on skipped files in a folder; a plain fact if they are only README files and the like."""
    said = f"{folder}: not read: {', '.join(passed[:5])}{' …' if len(passed) > 5 else ''}"
    return Fact(said) if all(map(is_about_others, passed)) else said


@dataclass(frozen=True)
class Named:
    """The document and the annotator of each file, and a description of how they were found."""

    keys: tuple[Key, ...]
    said: str
    grid: bool = True  # whether names were split into document and annotator


@dataclass(frozen=True)
class _Reading:
    keys: tuple[Key, ...]
    said: str

    @property
    def annotators(self) -> list[str]:
        return list(dict.fromkeys(who for _, who in self.keys))

    @property
    def docs(self) -> list[str]:
        return list(dict.fromkeys(doc for doc, _ in self.keys))


def parts_of(paths: Sequence[str | os.PathLike[str]]) -> list[Parts]:
    """Return the paths relative to the folder that contains all of them."""
    places = [Path(path).absolute() for path in paths]
    shared = os.path.commonpath([place.parent for place in places])
    return [place.relative_to(shared).parts for place in places]


def named(
    files: Sequence[Parts],
    how: Reading,
    alike: Sequence[Hashable | None] | None = None,
    lengths: Sequence[float | None] | None = None,
    *,
    proves: bool = True,
) -> Named:
    """Return the document and annotator of each file.

    `alike` identifies a file's document, for example by its text. Files with different values have different
    documents. If it `proves` identity, files with equal values have the same document. `lengths` of recordings
    distinguish documents, but equal lengths do not prove identity. If no interpretation of the names gives a grid,
    files of one document belong to different annotators, and files of different documents to one annotator.
    """
    stems = [(*parts[:-1], PurePosixPath(parts[-1]).stem) for parts in files]
    if how.names is not None:
        return _by_pattern(how.names, stems)
    known = list(alike) if alike is not None else [None] * len(stems)
    long = list(lengths) if lengths is not None else [None] * len(stems)
    tried = {"folders": _by_folders, "files": _by_files}.get(how.annotators_in or "", _every_way)
    said = how.annotators_in in {"folders", "files"}
    proven = proves and set(known) != {None}
    found = [one for one in tried(stems) if _is_grid(one, known, long, sure=said or proven)]
    if not found:
        return _without_grid(stems, known, long, sure=how.annotators_in == "files" or proven)
    best = max(found, key=_merit)  # the first of equals, in the order of `_every_way`
    return Named(best.keys, f"{best.said} ({some(best.annotators, 6)}), {counted(len(best.docs), 'document')}")


def _every_way(stems: Sequence[Parts]) -> Iterator[_Reading]:
    yield from _by_folders(stems)
    yield from _by_names(stems)


def _by_files(stems: Sequence[Parts]) -> Iterator[_Reading]:
    """Yield interpretations for `annotators_in="files"`."""
    yield from _by_names(stems)
    yield from _by_endings(stems)


def _by_endings(stems: Sequence[Parts]) -> Iterator[_Reading]:
    """Yield interpretations of rec01 and rec01_check: a name without an ending has an annotator, too."""
    there, common = set(stems), _common(stems)
    for separator in _SEPARATORS:
        keys = []
        for *folders, name in stems:
            doc, sign, who = name.rpartition(separator)
            known = sign and (*folders, doc) in there
            keys.append(_key((*folders, doc if known else name), who if known else ONLY_ANNOTATOR, common))
        yield _Reading(tuple(keys), f"file names are {{doc}} and {{doc}}{separator}{{annotator}}")


def _by_names(stems: Sequence[Parts]) -> Iterator[_Reading]:
    yield from _by_tokens(stems)
    yield from _by_whole_names(stems)


def _by_folders(stems: Sequence[Parts]) -> Iterator[_Reading]:
    """Yield interpretations with a folder per annotator, the deepest level first."""
    common = _common(stems)
    for level in reversed(range(min(len(parts) for parts in stems) - 1)):
        keys = tuple(_key((*parts[:level], *parts[level + 1 :]), parts[level], common) for parts in stems)
        yield _Reading(keys, "folders are annotators")


def _by_tokens(stems: Sequence[Parts]) -> Iterator[_Reading]:
    """Yield interpretations with the annotator at the end or beginning of a name."""
    common = _common(stems)
    cuts: list[tuple[Callable[[str, str], tuple[str, str, str]], int, str]] = [
        (str.rpartition, 2, "{{doc}}{}{{annotator}}"),
        (str.partition, 0, "{{annotator}}{}{{doc}}"),
    ]
    for cut, who, pattern in cuts:
        for separator in _SEPARATORS:
            taken = [cut(parts[-1], separator) for parts in stems]
            if all(first and sign and last for first, sign, last in taken):
                keys = tuple(
                    _key((*parts[:-1], pieces[2 - who]), pieces[who], common)
                    for parts, pieces in zip(stems, taken, strict=True)
                )
                yield _Reading(keys, f"file names are {pattern.format(separator)}")


def _by_whole_names(stems: Sequence[Parts]) -> Iterator[_Reading]:
    """Yield the interpretation with a folder per document and a file per annotator."""
    if min(len(parts) for parts in stems) > 1:
        common = _common(stems)
        keys = tuple(_key(parts[:-1], parts[-1], common) for parts in stems)
        yield _Reading(keys, "files are annotators, folders are documents")


def _common(stems: Sequence[Parts]) -> Parts:
    """Return the folders that all files share."""
    first, shared = stems[0], 0
    while all(len(parts) > shared + 1 and parts[shared] == first[shared] for parts in stems):
        shared += 1
    return first[:shared]


def _key(doc: Parts, annotator: str, common: Parts) -> Key:
    """Return document and annotator; folders that all files share are dropped from the document."""
    shared = 0
    while shared < min(len(doc) - 1, len(common)) and doc[shared] == common[shared]:
        shared += 1
    return "/".join(doc[shared:]) or ONLY_DOCUMENT, annotator


def _is_grid(one: _Reading, known: Sequence[Hashable | None], long: Sequence[float | None], *, sure: bool) -> bool:
    """Return whether files have unique keys and at least half of the documents have several annotators.

    If only names suggest that documents are the same (not `sure`), annotators must look like names of people, because
    sessions, dates and takes form grids as well.
    """
    if len(set(one.keys)) < len(one.keys) or len(one.annotators) < 2:
        return False
    by_doc: dict[str, list[int]] = defaultdict(list)
    for k, (doc, _) in enumerate(one.keys):
        by_doc[doc].append(k)
    if not sure and not _like_people(one.annotators):
        return False
    several = sum(len(places) > 1 for places in by_doc.values())
    return 2 * several >= len(by_doc) and all(
        len({known[k] for k in places} - {None}) < 2 and _as_long([long[k] for k in places])
        for places in by_doc.values()
    )


def _as_long(lengths: Sequence[float | None]) -> bool:
    """Return whether these may be lengths of one recording; tools round and truncate."""
    given = [one for one in lengths if one is not None]
    return not given or max(given) - min(given) <= max(0.5, 0.01 * max(given))


def called_annotators(names: Sequence[str]) -> bool:
    """Return whether names contain a word for annotator: coder1, annotator_b."""
    return all(_PEOPLE.fullmatch(name) for name in names)


def _like_people(names: Sequence[str]) -> bool:
    """Return whether these look like names of people, not like numbers, dates or codes of recordings."""
    if called_annotators(names):
        return True
    if any(_NO_PEOPLE.fullmatch(part) for name in names for part in re.split(r"[\W_]+", name)):
        return False
    same = 0  # length of the common prefix
    while len({name[: same + 1] for name in names}) == 1 and same < min(map(len, names)):
        same += 1
    first = [name[same:].partition(".")[0] for name in names]  # without endings added by tools
    return all(name and sum(map(str.isdigit, name)) <= sum(map(str.isalpha, name)) // 2 for name in first)


def _merit(one: _Reading) -> tuple[float, bool, bool, float]:
    """Rank interpretations: by documents with several annotators, names of people, and completeness."""
    people = called_annotators(one.annotators)
    per_doc: dict[str, int] = defaultdict(int)
    for doc, _ in one.keys:
        per_doc[doc] += 1
    several = sum(n > 1 for n in per_doc.values()) / len(per_doc)
    return several, people, _like_people(one.annotators), len(one.keys) / (len(one.docs) * len(one.annotators))


def _without_grid(
    stems: Sequence[Parts], known: Sequence[Hashable | None], long: Sequence[float | None], *, sure: bool
) -> Named:
    """Interpret names without a grid: files of one document are annotators if this is sure or names look like it."""
    names = ["/".join(parts) for parts in _shortened(stems)]
    if len(stems) == 1:
        return Named(((stems[0][-1], stems[0][-1]),), "", grid=False)
    folders = list({"/".join(parts[:-1]) for parts in _shortened(stems)})
    if set(known) == {None} and len(folders) > 1 and not sure and _like_people(folders):
        return _other_documents_by_folder(_shortened(stems))
    one_document = len(set(known)) == 1 and _as_long(long)
    if one_document and (sure or _like_people(names)):
        return _each_an_annotator(names)
    return Named(
        tuple((name, ONLY_ANNOTATOR) for name in names),
        f"each file is a document by one annotator ({some(names, 6)}); if each file has another annotator, "
        "use --annotators-in files; if names contain the annotator, use --names, e.g. "
        "'{annotator}/{doc}' or '{doc}_{annotator}'",
        grid=False,
    )


def _each_an_annotator(names: Sequence[str]) -> Named:
    keys = tuple((ONLY_DOCUMENT, name) for name in names)
    return Named(keys, f"each file is one annotator ({some(names, 6)}), 1 document", grid=False)


def _other_documents_by_folder(stems: Sequence[Parts]) -> Named:
    """Treat folders as annotators of different documents, so that no shared documents are invented."""
    keys = tuple(
        ("/".join([*parts[:-2], parts[-1]]), parts[-2] if len(parts) > 1 else ONLY_ANNOTATOR) for parts in stems
    )
    return Named(keys, f"folders are annotators ({some(list(dict.fromkeys(who for _, who in keys)), 6)})", grid=False)


def _shortened(stems: Sequence[Parts]) -> list[Parts]:
    """Return the parts without the folders that all files share."""
    shared = len(_common(stems))
    return [parts[shared:] for parts in stems]


def _by_pattern(pattern: str, stems: Sequence[Parts]) -> Named:
    """Apply the user's pattern, such as `{doc}_{annotator}`; folders above the pattern are ignored."""
    fields = _FIELD.findall(pattern)
    if sorted(fields) not in (["annotator"], ["annotator", "doc"]):
        raise SpecError(
            "option-value",
            f"--names {quoted(pattern)}: the pattern must contain {{annotator}} and may contain {{doc}}, e.g. "
            "'{doc}_{annotator}'",
        )
    pieces = _FIELD.split(pattern)
    made = "".join(f"(?P<{p}>[^/]+)" if k % 2 else re.escape(p) for k, p in enumerate(pieces))
    keys = []
    for parts in stems:
        found = re.fullmatch(rf"(?:.*/)?{made}", "/".join(parts))
        if found is None:
            raise DataError(
                "roles-unclear",
                f"{'/'.join(parts)}: the name does not match --names {quoted(pattern)}; rename the file",
            )
        keys.append((found.groupdict().get("doc") or ONLY_DOCUMENT, found["annotator"]))
    if len(set(keys)) < len(keys):
        again = next(k for k, key in enumerate(keys) if key in keys[:k])
        doc, who = keys[again]
        raise DataError(
            "repeated-document",
            f"{'/'.join(stems[again])}: document {quoted(doc)} by {quoted(who)} occurs twice; rename or remove a file",
        )
    return Named(tuple(keys), f"file names are {pattern}")


def annotators_of(files: Sequence[Parts], how: Reading, docs: Sequence[frozenset[str]]) -> tuple[list[str], str]:
    """Return the annotator of each file, if files name their documents inside, and how annotators were found."""
    found = named(files, how, [one or None for one in docs])  # files without annotations may be of any document
    people = [who for _, who in found.keys]
    if how.names is not None or len(set(people)) > 1 or len(files) == 1:
        whole_names = how.names is None and people == [PurePosixPath(parts[-1]).stem for parts in files]
        each = f"each file is one annotator ({some(list(dict.fromkeys(people)), 6)})"
        return people, each if whole_names and len(files) > 1 else found.said
    stems = [PurePosixPath(parts[-1]).stem for parts in _shortened([tuple(p) for p in files])]
    again = len(set(stems)) < len(stems)
    whole = ["/".join((*parts[:-1], stem)) for parts, stem in zip(_shortened(files), stems, strict=True)]
    people = whole if again else stems
    shared = sum(len(one) for one in docs) > len(frozenset().union(*docs))
    return (
        (people, f"each file is one annotator ({some(people, 6)})") if shared else ([ONLY_ANNOTATOR] * len(files), "")
    )
