"""The material of a writer (annotations of documents, labels of items), and the draft of the files to write.

A writer refuses data if the target would change agreement, and adds notes about harmless changes. accord reads the
draft back before it keeps the files.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from accord.core.errors import DataError, counted, quoted
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, some
from accord.data.model.labels import Label, label_name
from accord.data.model.ratings import Ratings

FOLDERS: dict[str, Any] = {
    "names": "{annotator}/{doc}",
    "annotators_in": "folders",
}  # a file per annotator and document
_LONGEST = 200  # bytes of a file name; most systems allow 255 with the suffix
# Characters that some systems do not allow in file names, or that hide a file.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]|^[.~]|^__MACOSX|[. ]$|^ ')


class Mark(NamedTuple):
    """A stretch marked by an annotator."""

    start: float
    end: float
    label: str | None


@dataclass
class Draft:
    """Files by path below the target ("": the target), notes about unwritten data, and options to read them back."""

    reading: dict[str, Any] = field(default_factory=dict)  # the options that read them back correctly
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    # Names in the target, if they differ:
    docs: dict[str, str] = field(default_factory=dict)
    annotators: dict[str, str] = field(default_factory=dict)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)  # by variable
    variables: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)  # folders of variables that are read separately
    texts: bool = True  # whether the format stores texts
    blanks_alike: bool = False  # whether blanks of texts may change

    def add(self, path: str, content: str | bytes) -> None:
        try:
            self.files[path] = content.encode("utf-8") if isinstance(content, str) else content
        except UnicodeEncodeError as error:
            sign = quoted(error.object[error.start : error.end].encode("unicode_escape").decode())
            raise DataError(
                "encoding",
                f"{path or 'the file'}: {sign} is half of a surrogate pair, which UTF-8 cannot represent; "
                "remove it from the data",
            ) from None


@dataclass(frozen=True)
class Material:
    """Variables of units, and of labels of items."""

    units: Mapping[str, Corpus]
    labels: Mapping[str, Ratings]
    title: str  # of the format, in messages

    @classmethod
    def of(cls, found: Mapping[str, Data], title: str) -> Material:
        for name, data in found.items():
            if not isinstance(data, Corpus | Ratings):
                raise DataError(
                    "measure-for-other-data",
                    f"{title} can store units and labels of items, and {quoted(name)} is "
                    f"{data.kind.words}; use --to table",
                )
            if isinstance(data, Ratings) and (not data.identified or not data.named):
                raise DataError(
                    "counts-without-annotators",
                    f"{quoted(name)}: counts do not record annotators, which {title} needs; "
                    "read a table with the columns item,annotator,label",
                )
        return cls(
            {name: data for name, data in found.items() if isinstance(data, Corpus)},
            {name: data for name, data in found.items() if isinstance(data, Ratings)},
            title,
        )

    # -- documents -------------------------------------------------------------------------------------------------

    @cached_property
    def looked(self) -> dict[str, list[str]]:
        """The annotators who saw each document, in any variable."""
        found: dict[str, dict[str, None]] = {}
        for corpus in self.units.values():
            for doc, row in zip(corpus.docs, corpus.judged.tolist(), strict=True):
                annotator = [name for name, there in zip(corpus.annotators, row, strict=True) if there]
                if annotator:
                    found.setdefault(doc, {}).update(dict.fromkeys(annotator))
        return {doc: sorted(found[doc]) for doc in sorted(found)}

    @cached_property
    def texts(self) -> dict[str, str]:
        return {doc: text for corpus in self.units.values() for doc, text in corpus.texts.items()}

    @cached_property
    def extents(self) -> dict[str, tuple[float, float, bool]]:
        """Start and end of documents, and whether the data state them."""
        found: dict[str, tuple[float, float, bool]] = {}
        for corpus in self.units.values():
            rows = zip(corpus.docs, corpus.extents.tolist(), corpus.extent_given.tolist(), strict=True)
            for doc, (begin, end), given in rows:
                low, high, known = found.get(doc, (begin, end, given))
                found[doc] = (min(low, begin), max(high, end), known or given)
        return found

    @cached_property
    def marks(self) -> dict[tuple[str, str], dict[str, list[Mark]]]:
        """Sorted marks by document and annotator, and by variable."""
        found: dict[tuple[str, str], dict[str, list[Mark]]] = defaultdict(lambda: {name: [] for name in self.units})
        for name, corpus in self.units.items():
            labels = (*corpus.categories.names, None)
            columns = (corpus.doc, corpus.annotator, corpus.start, corpus.end, corpus.label)
            for d, a, start, end, k in zip(*(c.tolist() for c in columns), strict=True):
                found[corpus.docs[d], corpus.annotators[a]][name].append(Mark(_plain(start), _plain(end), labels[k]))
        for by_variable in found.values():
            for marks in by_variable.values():
                marks.sort(key=lambda mark: (mark.start, mark.end, mark.label or ""))
        return found

    def versions(self) -> Iterator[tuple[str, str, dict[str, list[Mark]]]]:
        """Yield document, annotator, and the marks of each variable."""
        for doc, people in self.looked.items():
            for annotator in people:
                yield doc, annotator, self.marks[doc, annotator]

    @property
    def annotators(self) -> list[str]:
        return sorted({annotator for people in self.looked.values() for annotator in people})

    def all_marks(self) -> Iterator[tuple[str, str, str, Mark]]:
        """Yield document, annotator, variable and mark."""
        for (doc, annotator), by_variable in sorted(self.marks.items()):
            for variable, marks in by_variable.items():
                for mark in marks:
                    yield doc, annotator, variable, mark

    def answers(self, variable: str) -> Iterator[tuple[str, str, Label]]:
        """Yield item, annotator and label of a variable of items."""
        data = self.labels[variable]
        for i, a, k in zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True):
            yield label_name(data.items[i]), data.annotators[a], data.categories[k]

    # -- requirements of formats ------------------------------------------------------------------------------------

    def needs_units(self) -> None:
        """Raise if there are labels of items."""
        if self.labels:
            listed = some([quoted(name) for name in self.labels], 3)
            other = "choose units with --label, or " if self.units else ""
            raise DataError(
                "not-representable",
                f"{self.title} cannot store labels of items, which {listed} contain; {other}"
                "use --to table, --to label_studio, --to prodigy or --to doccano",
            )

    def only_one(self, names: Collection[str], what: str = "") -> str:
        """Return the only variable. Raise if there are several."""
        if len(names) != 1:
            listed = some([quoted(name) for name in names], 4)
            raise DataError(
                "not-representable",
                f"{self.title} can store one variable{what}, and the data have {listed}; choose one with --label",
            )
        return next(iter(names))

    def needs_texts(self) -> None:
        """Raise unless every document has a text and units are marked in its characters."""
        without = [doc for doc in self.looked if doc not in self.texts]
        if without:
            raise DataError(
                "not-representable",
                f"{self.title} needs texts, and {counted(len(without), 'document')} (e.g. {quoted(without[0])}) "
                "have none; add a column text to docs.csv, or use --to elan, --to textgrid or --to rttm",
            )
        for doc, annotator, _, mark in self.all_marks():
            if not (isinstance(mark.start, int) and isinstance(mark.end, int)):
                self._refuse(doc, annotator, mark, "does not have whole numbers as offsets")
            if not 0 <= mark.start <= mark.end <= len(self.texts[doc]):
                self._refuse(doc, annotator, mark, f"is outside its text of {len(self.texts[doc]):,} characters")

    def needs_labels(self) -> None:
        """Raise unless every unit has one label."""
        for doc, annotator, _, mark in self.all_marks():
            if mark.label is None:
                self._refuse(doc, annotator, mark, "has no label")
        for name, corpus in self.units.items():
            if any(isinstance(label, frozenset) for label in corpus.categories):
                raise DataError(
                    "not-representable",
                    f"{self.title} can store one label per unit, and labels of {quoted(name)} are sets; use --to table",
                )

    def needs_lengths(self) -> None:
        for doc, annotator, _, mark in self.all_marks():
            if mark.start == mark.end:
                self._refuse(doc, annotator, mark, "has no length")

    def needs_no_overlap(self) -> None:
        """Raise if units of one annotator and one variable overlap."""
        for (doc, annotator), by_variable in sorted(self.marks.items()):
            for marks in by_variable.values():
                for before, mark in pairwise(marks):
                    if mark.start < before.end:
                        self._refuse(doc, annotator, mark, f"overlaps {before.start:g}–{before.end:g}")

    def needs_one_line(self) -> None:
        """Raise if a label has line breaks, tabs or several blanks in a row."""
        for name in self.label_names:
            if name != " ".join(name.split()):
                raise DataError(
                    "not-representable",
                    f"{self.title} cannot store label {quoted(name)}, because it has tabs, line breaks, "
                    "several blanks in a row, or blanks at the start or end; rename it with --merge",
                )

    def needs_tiers(self) -> None:
        """Raise unless all units have a label and a length and do not overlap, as tiers and columns require."""
        self.needs_units()
        self.needs_labels()
        self.needs_lengths()
        self.needs_no_overlap()
        self.needs_one_line()

    def _refuse(self, doc: str, annotator: str, mark: Mark, why: str) -> None:
        raise DataError(
            "not-representable",
            f"{self.title} cannot store {mark.start:g}–{mark.end:g} {quoted(mark.label or '', 30)} of "
            f"{quoted(annotator)} in {quoted(doc)}, which {why}; use --to table",
        )

    @property
    def label_names(self) -> list[str]:
        return sorted({mark.label for *_, mark in self.all_marks() if mark.label is not None})

    # -- data that is not written ---------------------------------------------------------------------------------

    def unheld(self) -> list[str]:
        """Return notes on data that no native format stores and agreement does not need."""
        notes = []
        everything: list[tuple[str, Corpus | Ratings]] = [*self.units.items(), *self.labels.items()]
        for name, data in everything:
            if data.features:
                notes.append(f"{name}: accord does not write further columns: {some(list(data.features))}")
            if data.categories.declared:
                notes.append(
                    f"{name}: accord does not write the order of categories; use --categories again when reading"
                )
        unseen = sorted({doc for corpus in self.units.values() for doc in corpus.docs} - set(self.looked))
        if unseen:
            notes.append(f"{counted(len(unseen), 'document')} that no annotator saw, not written: {some(unseen, 5)}")
        return notes


def _plain(value: float) -> float:
    return int(value) if float(value).is_integer() else value


def number(value: float) -> str:
    """Return the shortest text that is read back as the same number."""
    return repr(_plain(value))


def renamed(names: Iterable[str], change: Callable[[str], str], what: str, draft: Draft) -> dict[str, str]:
    """Return the names in the target. Add a note if some differ, and raise if two become equal."""
    made = {name: change(name) for name in names}
    other = {name: new for name, new in made.items() if new != name}
    taken: dict[str, str] = {}
    for name, new in made.items():
        if new in taken:
            raise DataError(
                "not-representable",
                f"{what}s {quoted(taken[new])} and {quoted(name)} would both be named {quoted(new)} in the output; "
                "rename one in the data",
            )
        taken[new] = name
    if other:
        first = next(iter(other))
        draft.notes.append(f"{counted(len(other), what)} renamed: {quoted(first)} as {quoted(other[first])}"
                           + (" …" if len(other) > 1 else ""))  # fmt: skip
    return made


def file_name(name: str) -> str:
    """Return a valid file name. Other characters are written as %2F, and long names are shortened."""
    made = _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)
    return made if len(made.encode("utf-8", "replace")) <= _LONGEST else shortened(made, _LONGEST // 5)


def shortened(name: str, most: int = 150) -> str:
    """Return the start of a long name with a hash. Short names stay unchanged."""
    if len(name) <= most:
        return name
    told = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{name[:most].rstrip(' .')}~{told}"


def file_names(material: Material, draft: Draft) -> None:
    """Name documents and annotators as files and folders."""
    draft.docs = renamed(material.looked, file_name, "document", draft)
    draft.annotators = renamed(material.annotators, file_name, "annotator", draft)


def underlined(name: str) -> str:
    """Replace blanks by underscores."""
    return re.sub(r"\s", "_", name)


def names_of_label(label: Label) -> list[str]:
    """Return the names of the members of a set, or of the single label."""
    return sorted(map(label_name, label)) if isinstance(label, frozenset) else [label_name(label)]


def tokens(text: str, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    """Return words and punctuation marks of a text, split at the starts and ends of units."""
    cuts = sorted({int(at) for mark in marks for at in (mark.start, mark.end)})
    found: list[tuple[int, int]] = []
    at = 0
    for token in re.finditer(r"\w+|[^\w\s]", text):
        low, high = token.span()
        while at < len(cuts) and cuts[at] <= low:
            at += 1
        while at < len(cuts) and cuts[at] < high:
            found.append((low, cuts[at]))
            low, at = cuts[at], at + 1
        found.append((low, high))
    return found
