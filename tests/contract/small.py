"""Small random data of every kind, as plain values that the tests can change, and functions that read them.

All are {item or document: {annotator: annotations}}, so most changes work for every kind.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import accord

WHO = ("Ana", "Ben", "Cleo", "Dora")
TAGS = ("a", "b", "c")

# The labels of the codes: ordered words, numbers from 0, degrees, sets, nodes of a tree.
LABELS: Mapping[str, tuple[Any, ...]] = {
    "words": ("awful", "poor", "good", "superb"),
    "numbers": (0, 1, 2.5, 7),
    "degrees": (0, 90, 180, 300),
    "sets": (frozenset("x"), frozenset("xy"), frozenset("xyz"), frozenset("w")),
    "nodes": ("dog", "puppy", "cat", "oak"),
}
UNUSED: Mapping[str, Any] = {
    "words": "perfect", "numbers": 9, "degrees": 330, "sets": frozenset("wz"), "nodes": "plant",
}  # fmt: skip
PARENTS = {"animal": "", "dog": "animal", "cat": "animal", "puppy": "dog", "plant": "", "oak": "plant"}
MATRIX = {("awful", "poor"): 0.4, ("awful", "good"): 1, ("awful", "superb"): 0.9, ("poor", "good"): 0.3,
          ("poor", "superb"): 1, ("good", "superb"): 0.7}  # fmt: skip


def other_name(label: Any) -> Any:
    """Return another name, which has another place in alphabetical order."""
    return frozenset(map(other_name, label)) if isinstance(label, frozenset) else f"{str(label)[::-1]} too"


@cache
def tree(renamed: bool) -> str:
    """Write a file of labels and their parents, and return its path."""
    name = other_name if renamed else str
    rows = [f"{name(label)},{name(parent) if parent else ''}\n" for label, parent in PARENTS.items()]
    path = Path(tempfile.mkdtemp(prefix="accord-tree-")) / "tree.csv"
    path.write_text("label,parent\n" + "".join(rows), encoding="utf-8")
    return str(path)


@dataclass(frozen=True)
class Small:
    """Data of one kind. accord reads them in the order of the dictionaries."""

    places: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str] = field(default_factory=dict)  # new names of annotators and categories in specs

    kind: ClassVar[str]

    @property
    def who(self) -> list[str]:
        return list(dict.fromkeys(who for done in self.places.values() for who in done))

    def read(self, wanted: str) -> Any:
        """Return the data as accord reads them; `wanted` selects the labels, or types of boundaries."""
        raise NotImplementedError


@dataclass(frozen=True)
class Items(Small):
    """Codes of labels; None for a missing label."""

    order: tuple[int, ...] = (0, 1, 2, 3)  # declared order of the categories
    labels: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: LABELS)

    kind: ClassVar[str] = "items"

    def read(self, wanted: str) -> accord.Ratings:
        labels, who = self.labels[wanted], self.who
        rows = [[None if done.get(a) is None else labels[done[a]] for a in who] for done in self.places.values()]
        order = [labels[k] for k in self.order if k < len(labels)]
        return accord.Ratings.from_rows(rows, who, list(self.places), order)


@dataclass(frozen=True)
class Units(Small):
    """(start, end, label) of each unit; documents have extents."""

    extents: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    categories: tuple[str, ...] = TAGS  # declared categories
    rows: tuple[int, ...] | None = None  # the order of the rows

    kind: ClassVar[str] = "units"

    def read(self, wanted: str) -> accord.Corpus:
        numbers = {"a": 1, "b": 2, "c": 5} if wanted == "numbers" else {}
        rows = [(d, w, s, e, numbers.get(k, k)) for d, done in self.places.items() for w, us in done.items()
                for s, e, k in us]  # fmt: skip
        if self.rows:
            rows = [rows[k] for k in sorted(range(len(rows)), key=lambda k: self.rows[k % len(self.rows)])]  # type: ignore[index]
        columns = dict(
            zip(("doc", "annotator", "start", "end", "label"), map(list, zip(*rows, strict=True)), strict=True)
        )
        judged = {doc: list(done) for doc, done in self.places.items()}
        declared = {} if numbers else {"categories": list(self.categories)}
        found = accord.read(columns, extents=dict(self.extents), judged=judged, **declared)
        assert isinstance(found, accord.Corpus)
        return found


@dataclass(frozen=True)
class Cuts(Small):
    """(position, type) of each boundary; documents have lengths."""

    lengths: Mapping[str, int] = field(default_factory=dict)

    kind: ClassVar[str] = "segmentations"

    def read(self, wanted: str) -> accord.Segmentations:
        typed = wanted == "types"
        places: Any = {
            doc: {who: cuts if typed else [at for at, _ in cuts] for who, cuts in done.items()}
            for doc, done in self.places.items()
        }
        return accord.Segmentations.from_boundaries(places, dict(self.lengths))


@dataclass(frozen=True)
class Written(Small):
    """(word, tag) of each token."""

    kind: ClassVar[str] = "texts"

    def read(self, wanted: str) -> accord.Texts:  # noqa: ARG002
        columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "pos": []}
        texts: dict[Any, str] = {}
        for doc, done in self.places.items():
            for who, tokens in done.items():
                at = 0
                for word, tag in tokens:
                    for column, value in zip(columns.values(), (doc, who, at, at + len(word), tag), strict=True):
                        column.append(value)
                    at += len(word) + 1
                texts[doc, who] = " ".join(word for word, _ in tokens)
        return accord.Texts.of(columns, texts)


@dataclass(frozen=True)
class Mentions(Small):
    """(start, end, chain) of each mention."""

    kind: ClassVar[str] = "chains"

    def read(self, wanted: str) -> accord.Chains:  # noqa: ARG002
        rows = [(doc, who, *m) for doc, done in self.places.items() for who, ms in done.items() for m in ms]
        names = ("doc", "annotator", "start", "end", "chain")
        found = accord.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        assert isinstance(found, accord.Chains)
        return found


# -- random data -----------------------------------------------------------------------------------------------


def items(random: Random) -> Items:
    """2–4 annotators, 3–7 items; one category may be much more frequent than the others, some labels missing."""
    often = random.choice([(0,), (0,) * 6, ()])
    cells = [*often, 0, 1, 2, 3, *random.choice([(), (None,), (None, None)])]
    who = WHO[: random.randint(2, 4)]
    return Items({f"i{k}": {a: random.choice(cells) for a in who} for k in range(random.randint(3, 7))})


def ratings(random: Random) -> Items:
    """Numbers on a scale: half of them are complete."""
    cells = [0, 1, 2, 3, *random.choice([(), (None,)])]
    who = WHO[: random.randint(2, 4)]
    return Items({f"i{k}": {a: random.choice(cells) for a in who} for k in range(random.randint(4, 7))})


def _people(random: Random) -> list[str]:
    return list(WHO[: random.randint(2, 3)])


def units(random: Random) -> Units:
    """Units of one annotator do not overlap, some are adjacent. An annotator may have no units."""
    places: dict[str, dict[str, list[Any]]] = {}
    extents: dict[str, tuple[float, float]] = {}
    for d in range(random.randint(2, 3)):
        begin, length = random.randint(0, 3), random.randint(6, 14)
        extents[f"d{d}"] = (begin, begin + length)
        places[f"d{d}"] = {who: _track(random, begin, begin + length) for who in _people(random)}
        if not any(places[f"d{d}"].values()):
            places[f"d{d}"]["Ana"] = [(begin, begin + 2, "a")]
    return Units(places, extents=extents)


def decimal_units(random: Random) -> Units:
    """Like `units`, but all positions differ, so no two alignments are equally good."""
    whole = units(random)
    places = {
        place: {who: [(s + round(random.uniform(0.01, 0.4), 3), e + round(random.uniform(-0.4, -0.01), 3), k)
                      for s, e, k in had] for who, had in done.items()}
        for place, done in whole.places.items()
    }  # fmt: skip
    return Units(places, extents=whole.extents)


def _track(random: Random, at: int, end: int) -> list[tuple[int, int, str]]:
    made: list[tuple[int, int, str]] = []
    while at < end and len(made) < 4:
        to = min(at + random.randint(1, 5), end)
        label = random.choice(["", *TAGS])
        if label:
            made.append((at, to, label))
        at = to
    return made


def cuts(random: Random) -> Cuts:
    places, lengths = {}, {}
    for d in range(random.randint(2, 4)):
        lengths[f"d{d}"] = random.randint(6, 14)
        inside = range(1, lengths[f"d{d}"])
        places[f"d{d}"] = {
            who: [(p, random.choice(("major", "minor"))) for p in sorted(random.sample(inside, random.randint(1, 4)))]
            for who in _people(random)
        }
    return Cuts(places, lengths=lengths)


def written(random: Random) -> Written:
    """Texts of four words with few corrections and few different tags."""
    places: dict[str, dict[str, Any]] = {}
    for d in range(random.randint(2, 3)):
        text = [(random.choice(("so", "ab", "abbot", "tide")), random.choice(TAGS)) for _ in range(4)]
        places[f"d{d}"] = {
            who: [(random.choice((word, word, word, word + "s")), random.choice((tag, tag, "c"))) for word, tag in text]
            for who in _people(random)
        }
    return Written(places)


def mentions(random: Random) -> Mentions:
    places: dict[str, dict[str, Any]] = {}
    for d in range(random.randint(2, 3)):
        places[f"d{d}"] = {
            who: [(5 * m, 5 * m + 3, name) for m in range(6) if (name := random.choice(("", *"xxyyz")))]
            or [(0, 3, "x")]
            for who in _people(random)
        }
    return Mentions(places)


MADE: Mapping[str, Callable[[Random], Small]] = {
    "items": items, "scales": ratings, "aligned": decimal_units, "units": units, "segmentations": cuts,
    "texts": written, "chains": mentions,
}  # fmt: skip


def swapped(names: Sequence[str], random: Random) -> dict[str, str]:
    """Map names to new names in another order; old names can belong to other annotators."""
    new = [*names[1:], "Abe"]
    random.shuffle(new)
    return dict(zip(names, new, strict=True))
