"""The kinds of data, in one table: what they are called, what is measured on them, and where their parts are.

Parts live in rooms above this one, so they are named here and imported when they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from accord.core.errors import SpecError


@dataclass(frozen=True)
class Kind:
    """One kind of data; a further kind is a further entry of the table below."""

    name: str  # as measures call the data that they take
    title: str  # what was read, above its description
    words: str  # in a message: these are labels of items
    columns: str  # of a table that holds such data
    things: str  # what stands in them: a reference without units cannot be shuffled
    noun: str  # what is drawn again, left out, counted: an item, a document
    n: str  # what the n of a score counts, above its column
    usual: tuple[str, ...]  # measures that are scored when none is named
    main: str  # the one measure when one is enough: to compare, to explain
    simulated: str  # the same where annotators are simulated
    error: str  # the usual error of simulated annotators
    consensus: str  # what a consensus of annotators is, in words
    plural: str  # its name in JSON
    layouts: tuple[str, ...]  # of tables: what --layout says
    reader: str  # the module that recognises and reads tables of it: holds(), read()
    gold: str | None = None  # the module that makes a consensus: consensus(), seats()
    shuffler: str | None = None  # the class that simulates annotators on it

    def __reduce__(self) -> tuple[Any, ...]:
        """There is one of each, in every process."""
        return kind_named, (self.name,)

    def part(self, place: str | None) -> Any:
        """A module, or a class of one: `kind.part(kind.shuffler)`."""
        if place is None:
            raise SpecError("measure-for-other-data", f"this is not there for {self.words}")
        module, _, name = place.partition(":")
        found = import_module(module)
        return getattr(found, name) if name else found


ITEMS = Kind(
    name="items",
    title="ratings of items",
    words="labels of items",
    columns="columns item, annotator, label",
    things="labels of items",
    noun="item",
    n="items",
    usual=("percent", "s", "pi", "kappa", "alpha", "ac"),
    main="alpha",
    simulated="alpha",
    error="category",
    consensus="most frequent labels",
    plural="ratings",
    layouts=("long", "wide", "counts", "confusion"),
    reader="accord.data.io.tables.ratings",
    gold="accord.answers.gold.items",
    shuffler="accord.answers.simulate.shufflers:ItemShuffler",
)
UNITS = Kind(
    name="units",
    title="units of documents",
    words="units",
    columns="columns doc, annotator, start, end",
    things="units",
    noun="document",
    n="documents",
    usual=("gamma", "gamma_cat"),
    main="gamma",
    simulated="gamma",
    error="shift",
    consensus="consensus of the annotators",
    plural="units",
    layouts=("units", "pygamma"),
    reader="accord.data.io.tables.units",
    gold="accord.answers.gold.units",
    shuffler="accord.answers.simulate.shufflers:UnitShuffler",
)
SEGMENTATIONS = Kind(
    name="segmentations",
    title="segmentations of documents",
    words="segmentations",
    columns="columns doc, annotator, masses",
    things="boundaries",
    noun="document",
    n="n",  # documents, or places for a boundary: as the measure has it
    usual=("pi_star", "boundary_similarity", "window_diff", "alpha_boundaries"),
    main="boundary_similarity",
    simulated="boundary_similarity",
    error="shift",
    consensus="consensus of the annotators",
    plural="segmentations",
    layouts=("segmentations",),
    reader="accord.data.io.tables.segmentations",
    gold="accord.answers.gold.boundaries",
    shuffler="accord.answers.simulate.shufflers:BoundaryShuffler",
)
TEXTS = Kind(
    name="texts",
    title="texts",
    words="texts",
    columns="columns doc, annotator, text",
    things="texts",
    noun="document",
    n="documents",
    usual=("text_gamma",),
    main="text_gamma",
    simulated="text_gamma(p_t=0.25,p_s=0.04)",  # with rates from the data, changes would be expected
    error="combination([text,token,category],shares=[0.5,0.1,1])",  # Barteld et al. 2016, 7
    consensus="version nearest to the others",
    plural="texts",
    layouts=("texts",),
    reader="accord.data.io.texts.reader",
    gold="accord.answers.gold.texts",
    shuffler="accord.answers.simulate.shufflers:TextShuffler",
)

CHAINS = Kind(
    name="chains",
    title="chains of coreference",
    words="chains of coreference",
    columns="columns doc, annotator, start, end, chain",
    things="mentions",
    noun="document",
    n="documents",
    usual=("chain_alpha", "link_alpha", "conll"),
    main="chain_alpha",
    simulated="chain_alpha",
    error="category",  # there is no shuffler yet
    consensus="consensus of the annotators",
    plural="chains",
    layouts=("chains",),
    reader="accord.data.io.tables.chains",
)

# In the order in which a table is recognised: chains are units with one more column, and labels of items what is left.
KINDS = (TEXTS, SEGMENTATIONS, CHAINS, UNITS, ITEMS)
LAYOUTS = tuple(layout for kind in reversed(KINDS) for layout in kind.layouts)


def kind_named(name: str) -> Kind:
    """The kind that a measure's `data` names."""
    return next(kind for kind in KINDS if kind.name == name)
