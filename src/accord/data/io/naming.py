"""Find the annotator and the document of each file from the names of files, folders and archives.

A name is split only if this gives a grid: the same documents by several annotators. Where contents are known, files of
one document must have similar contents. This distinguishes DOCUMENT_ANNOTATOR from ANNOTATOR_DOCUMENT.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
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
_ARCHIVE = re.compile(r"(.+)\.zip", re.IGNORECASE)
_GENERATED = re.compile(r"[a-z]*[-_]?\d{10,}[-_]?[a-z]*", re.IGNORECASE)  # webanno2666010609129482603export
# Tools put such a prefix before the names of uploaded files: 8f3e1c2a-essay.txt.
_UPLOAD = re.compile(r"(?=[0-9a-f]*\d)(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{6,})[-_](?=.)")
_DOCUMENT = re.compile(r".+\.(?:txt|pdf|html?|xml|xmi|tsv|json|docx?|conllu?|md)", re.IGNORECASE)
_ALIKE = 0.8  # the share of common content that shows one document, if there is no other to compare with
_FEW = 0.2  # different documents share at most this much, if contents distinguish them
_APART, _TIMES = 0.25, 3  # more than in other documents: by this difference, or this many times
_MOST_PAIRS = 500  # pairs of files whose contents are compared
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


@dataclass(frozen=True)
class Contents:
    """What each file contains, such as words, positions or items. Files of one document have much in common."""

    sets: Sequence[frozenset[Hashable] | None]  # None: unknown
    least: float = 0.0  # files with a smaller overlap are of different documents
    distinctive: bool = False  # whether different documents have different contents: words, but not positions
    enough: float = _ALIKE  # this overlap shows one document if there is no other one to compare with

    def overlap(self, pairs: Sequence[tuple[int, int]]) -> float | None:
        """Return the mean share of content that two files have in common; None if it is unknown."""
        known = [(self.sets[a], self.sets[b]) for a, b in pairs[:_MOST_PAIRS]]
        shares = [len(a & b) / len(a | b) for a, b in known if a and b]
        return sum(shares) / len(shares) if shares else None

    def within_and_between(self, keys: Sequence[Key]) -> tuple[float | None, float | None]:
        """Return the overlap of files of one document, and of files of different documents by one annotator.

        Both are None if contents say nothing: annotators who mark equal intervals share positions in all documents.
        """
        by_doc, by_annotator = (_groups([key[k] for key in keys]) for k in (0, 1))
        within, between = (
            self.overlap([pair for group in groups.values() for pair in pairwise(group)])
            for groups in (by_doc, by_annotator)
        )
        if not self.distinctive and within is not None and between is not None and min(within, between) > _FEW:
            return None, None
        return within, between

    def allow(self, keys: Sequence[Key]) -> bool:
        """Return whether contents do not contradict that files of one document belong together."""
        within, between = self.within_and_between(keys)
        return within is None or (within >= self.least and (between is None or within >= between))

    def show(self, keys: Sequence[Key]) -> bool:
        """Return whether contents show that these are the documents."""
        within, between = self.within_and_between(keys)
        if within is None:
            return False
        if between is None:
            return self.distinctive and within >= self.enough
        return within >= between + _APART or (within >= _APART / 2 and within >= _TIMES * between)

    def support(self, keys: Sequence[Key]) -> float:
        """Return how much more files of one document have in common than files of different documents."""
        within, between = self.within_and_between(keys)
        return (within or 0.0) - (between or 0.0)


def _groups(names: Sequence[str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for k, name in enumerate(names):
        groups[name].append(k)
    return groups


def without_upload_prefix(name: str) -> str:
    """Return a file name without the prefix that a tool added at the upload: 8f3e1c2a-essay.txt is essay.txt."""
    return _UPLOAD.sub("", name, count=1)


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
    contents: Contents | None = None,
    proves: bool = True,
) -> Named:
    """Return the document and annotator of each file.

    `alike` identifies a file's document, for example by its text. Files with different values have different
    documents. If it `proves` identity, files with equal values have the same document. `lengths` of recordings
    distinguish documents, but equal lengths do not prove identity. `contents` of files of one document are similar.
    If no interpretation of the names gives a grid, files of one document belong to different annotators, and files of
    different documents to one annotator.
    """
    stems = _without_archives([(*parts[:-1], PurePosixPath(parts[-1]).stem) for parts in files])
    if how.names is not None:
        return _by_pattern(how.names, stems)
    contents = contents or Contents([None] * len(stems))
    known = list(alike) if alike is not None else [None] * len(stems)
    long = list(lengths) if lengths is not None else [None] * len(stems)
    tried = {"folders": _by_folders, "files": _by_files}.get(how.annotators_in or "", _every_way)
    said = how.annotators_in in {"folders", "files"}
    proven = proves and set(known) != {None}
    ways = {"": stems, "; prefixes of uploaded files are left out": _without_prefixes(stems)}
    for more, names in ways.items():
        found = [one for one in tried(names) if _is_grid(one, known, long, contents, sure=said or proven)]
        if found:
            best = max(found, key=partial(_merit, contents=contents))  # the first of equals
            shown = f"{best.said} ({some(best.annotators, 6)}), {counted(len(best.docs), 'document')}"
            return Named(best.keys, shown + more)
    return _without_grid(stems, known, long, contents, sure=how.annotators_in == "files" or proven)


def _without_archives(stems: Sequence[Parts]) -> list[Parts]:
    """Remove the suffix of archives, and archives that say nothing: generated names, and the folder of their name."""
    archives = [[_ARCHIVE.fullmatch(part) for part in parts[:-1]] for parts in stems]
    plain, shorter = [], []
    for parts, zipped in zip(stems, archives, strict=True):
        names = (*(found[1] if found else part for found, part in zip(zipped, parts, strict=False)), parts[-1])
        idle = [
            found is not None and (bool(_GENERATED.fullmatch(found[1])) or names[k + 1 : -1][:1] == (found[1],))
            for k, found in enumerate(zipped)
        ]
        plain.append(names)
        shorter.append((*(name for name, unused in zip(names, idle, strict=False) if not unused), parts[-1]))
    return shorter if len(set(shorter)) == len(set(stems)) else plain


def _without_prefixes(stems: Sequence[Parts]) -> list[Parts]:
    """Remove prefixes of uploaded files, if files stay distinct."""
    shorter = [(*parts[:-1], without_upload_prefix(parts[-1])) for parts in stems]
    return shorter if len(set(shorter)) == len(set(stems)) else list(stems)


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


def _is_grid(
    one: _Reading,
    known: Sequence[Hashable | None],
    long: Sequence[float | None],
    contents: Contents,
    *,
    sure: bool,
) -> bool:
    """Return whether files have unique keys and at least half of the documents have several annotators.

    If only names suggest that documents are the same (not `sure`), annotators must look like names of people, because
    sessions, dates and takes form grids as well.
    """
    if len(set(one.keys)) < len(one.keys) or len(one.annotators) < 2 or not contents.allow(one.keys):
        return False
    by_doc = _groups([doc for doc, _ in one.keys])
    shown = contents.show(one.keys) and not _name_other_things(one.annotators)
    if not (sure or shown or _like_people(one.annotators)):
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
    if _name_other_things(names):
        return False
    same = 0  # length of the common prefix
    while len({name[: same + 1] for name in names}) == 1 and same < min(map(len, names)):
        same += 1
    first = [name[same:].partition(".")[0] for name in names]  # without endings added by tools
    return all(name and sum(map(str.isdigit, name)) <= sum(map(str.isalpha, name)) // 2 for name in first)


def _name_other_things(names: Sequence[str]) -> bool:
    """Return whether a name contains a word for a part, take or version: pre, left, final."""
    return any(_NO_PEOPLE.fullmatch(part) for name in names for part in re.split(r"[\W_]+", name))


def _merit(one: _Reading, contents: Contents) -> tuple[float, float, bool, float, bool, float]:
    """Rank interpretations: by contents, documents with several annotators, names of people, and completeness.

    If contents show the documents, completeness counts more than names of people: in goethe-stella_01, goethe-stella_02
    and lessing-nathan_01, the annotators are 01 and 02, not stella_01.
    """
    per_doc: dict[str, int] = defaultdict(int)
    for doc, _ in one.keys:
        per_doc[doc] += 1
    several = sum(n > 1 for n in per_doc.values()) / len(per_doc)
    complete = len(one.keys) / (len(one.docs) * len(one.annotators))
    return (
        round(contents.support(one.keys), 1),
        several,
        called_annotators(one.annotators),
        complete if contents.show(one.keys) else 0.0,
        _like_people(one.annotators),
        complete,
    )


def _without_grid(
    stems: Sequence[Parts],
    known: Sequence[Hashable | None],
    long: Sequence[float | None],
    contents: Contents,
    *,
    sure: bool,
) -> Named:
    """Interpret names without a grid: files of one document are annotators if this is sure or names look like it."""
    names = ["/".join(parts) for parts in _shortened(stems)]
    if len(stems) == 1:
        return Named(((stems[0][-1], stems[0][-1]),), "", grid=False)
    folders = list({"/".join(parts[:-1]) for parts in _shortened(stems)})
    if set(known) == {None} and len(folders) > 1 and not sure and _like_people(folders):
        return _other_documents_by_folder(_shortened(stems))
    if all(len(parts) > 1 and _DOCUMENT.fullmatch(parts[-2]) for parts in stems):
        return _in_folders_of_documents(_shortened(stems))
    together = [(ONLY_DOCUMENT, name) for name in names]
    one_document = len(set(known)) == 1 and _as_long(long) and contents.allow(together)
    if one_document and (sure or _like_people(names) or contents.show(together)):
        return _each_an_annotator(names)
    return Named(
        tuple((name, ONLY_ANNOTATOR) for name in names),
        f"each file is a document by one annotator ({some(names, 6)}); if each file has another annotator, "
        "use --annotators-in files; if names contain the annotator, use --names, e.g. "
        "'{annotator}/{doc}' or '{doc}_{annotator}'",
        grid=False,
    )


def _in_folders_of_documents(stems: Sequence[Parts]) -> Named:
    """Interpret essay.txt/Ana.xmi as exported by WebAnno: the folder is named after the document."""
    keys = tuple(("/".join(parts[:-1]), parts[-1]) for parts in stems)
    people = list(dict.fromkeys(who for _, who in keys))
    return Named(keys, f"files are annotators ({some(people, 6)}), folders are documents", grid=False)


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
