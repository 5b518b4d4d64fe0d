"""The kinds of data in one table: their names, their usual measures, and the modules that handle them.

These modules depend on this one, so they are named here and imported when they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from accord.core.errors import SpecError


@dataclass(frozen=True)
class Kind:
    """One kind of data. To add a kind, add an entry to the table below."""

    name: str  # the value of a measure's `data`
    title: str  # the heading above a description of the data
    words: str  # in messages: these are labels of items
    columns: str  # the columns of a table with this kind of data
    things: str  # what annotators produce: labels, units, boundaries
    noun: str  # the unit of resampling and counting: an item, a document
    n: str  # the heading of the column with the n of a score
    usual: tuple[str, ...]  # the measures that accord computes if the user names none
    main: str  # the default of commands that take one measure
    simulated: str  # the default measure for simulated annotators
    error: str  # the default error of simulated annotators
    consensus: str  # a description of the consensus of annotators
    plural: str  # the name in JSON
    layouts: tuple[str, ...]  # the values of --layout for tables of this kind
    reader: str  # the module that recognises and reads its tables: holds(), read()
    gold: str | None = None  # the module that computes a consensus: consensus(), seats()
    shuffler: str | None = None  # the class that simulates annotators

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpickle to the one instance of this process."""
        return kind_named, (self.name,)

    def part(self, place: str | None) -> Any:
        """Import a module, or a class of a module: `kind.part(kind.shuffler)`."""
        if place is None:
            raise SpecError(
                "measure-for-other-data", f"this is not available for {self.words}; use another kind of data"
            )
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
    n="n",  # documents or potential boundaries, depending on the measure
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
    simulated="text_gamma(p_t=0.25,p_s=0.04)",  # rates estimated from the data would include the simulated changes
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
    error="category",  # unused: chains have no shuffler
    consensus="consensus of the annotators",
    plural="chains",
    layouts=("chains",),
    reader="accord.data.io.tables.chains",
)

# In the order of recognition: chains are units with one more column; tables that fit no other kind are items.
KINDS = (TEXTS, SEGMENTATIONS, CHAINS, UNITS, ITEMS)
LAYOUTS = tuple(layout for kind in reversed(KINDS) for layout in kind.layouts)


def kind_named(name: str) -> Kind:
    """Return the kind with this name, as in a measure's `data`."""
    return next(kind for kind in KINDS if kind.name == name)
