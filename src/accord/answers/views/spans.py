"""View of a document as lanes of annotators, with links between aligned units.

It shows units, boundaries of segments and mentions of chains.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from accord.answers.views.view import (
    AGREEMENT,
    BOUNDARIES,
    KINDS,
    LABEL,
    MISSING,
    MOST_PLACES,
    MOST_TEXT,
    DisputedPlace,
    DocumentView,
    Views,
    escaped,
    more,
    packed,
    places_table,
)
from accord.core.arrays import Bools, Floats, Ints
from accord.core.errors import counted
from accord.core.excerpts import before, behind
from accord.data.model.chains import Chains
from accord.data.model.segmentations import Segmentations
from accord.measures.segmentations.boundary_similarity import BoundarySimilarity
from accord.measures.units.unitary import UnitaryAlignments

_AROUND = 30  # characters of text around a place
MOST_LANES = 12  # annotators in a static table


@dataclass(frozen=True)
class Words:
    """Terms for one kind of data, also used by the script."""

    unit: str = "unit"
    category: str = "category"
    cost: str = "disorder"
    kinds: Mapping[str, str] = field(default_factory=lambda: dict(zip(KINDS, KINDS, strict=True)))
    note: str = ""  # further explanation of the view
    ticks: bool = False  # annotations are points
    chains: bool = False  # selecting a chain highlights all its mentions


@dataclass(frozen=True, eq=False)
class Spans(DocumentView):
    """View of a document: units sorted by lane and start, and groups of aligned units in document order."""

    name: str
    annotators: tuple[str, ...]  # one lane each
    lane: Ints
    start: Floats
    end: Floats
    label: Ints  # -1: no label
    categories: tuple[str, ...]  # categories used in this document
    colours: Ints  # index of each category in the whole data
    first: Ints  # group g has the units members[first[g]] to members[first[g + 1]]
    members: Ints
    costs: Floats  # of each group
    causes: Mapping[str, Floats]  # components of the cost
    extent: tuple[float, float]
    text: str | None = None
    words: Words = Words()
    quotes: tuple[str, ...] | None = None  # names of places, for data without a text

    @classmethod
    def of(
        cls,
        name: str,
        annotators: Sequence[str],
        columns: tuple[Ints, Floats, Floats, Ints],
        categories: Sequence[str],
        groups: tuple[Ints, Ints, Floats, Mapping[str, Floats]],
        extent: tuple[float, float],
        **further: Any,
    ) -> Spans:
        """Make a view from columns (lane, start, end, label) in any order and groups (number, unit, cost, causes)."""
        lane, start, end, label = columns
        order = np.lexsort((-end, start, lane))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        used = np.unique(label[label >= 0])
        new = np.full(len(categories) + 1, -1, dtype=np.int64)
        new[used] = np.arange(len(used))
        number, unit, costs, causes = groups
        begins = np.full(len(costs), np.inf)
        np.minimum.at(begins, number, start[unit])
        ends = np.full(len(costs), -np.inf)
        np.maximum.at(ends, number, end[unit])
        by_place = np.lexsort((ends, begins))
        rank = np.empty(len(by_place), dtype=np.int64)
        rank[by_place] = np.arange(len(by_place))
        in_order = np.lexsort((place[unit], rank[number]))
        sizes = np.bincount(rank[number], minlength=len(costs))
        return cls(
            name,
            tuple(annotators),
            lane[order],
            start[order].astype(np.float64),
            end[order].astype(np.float64),
            new[label[order]],
            tuple(categories[k] for k in used),
            used,
            np.concatenate([[0], np.cumsum(sizes)]),
            place[unit[in_order]],
            costs[by_place],
            {cause: values[by_place] for cause, values in causes.items()},
            extent,
            **further,
        )

    @property
    def cost(self) -> float:  # type: ignore[override]
        return float(self.costs.sum())

    @cached_property
    def _group(self) -> Ints:
        return np.repeat(np.arange(len(self.costs)), np.diff(self.first))

    def _spread(self, values: Any) -> tuple[Any, Any]:
        """Return the minimum and maximum of each group."""
        of_member = np.asarray(values, dtype=np.float64)[self.members]
        least, most = np.full(len(self.costs), np.inf), np.full(len(self.costs), -np.inf)
        np.minimum.at(least, self._group, of_member)
        np.maximum.at(most, self._group, of_member)
        return least, most

    @cached_property
    def differs(self) -> Mapping[str, Bools]:
        """The kinds of difference in each group: missing unit, boundaries, label."""
        starts, ends, labels = self._spread(self.start), self._spread(self.end), self._spread(self.label)
        return {
            MISSING: np.diff(self.first) < len(self.annotators),
            BOUNDARIES: (starts[0] != starts[1]) | (ends[0] != ends[1]),
            LABEL: labels[0] != labels[1],
        }

    @cached_property
    def disputed(self) -> Bools:
        return np.any(list(self.differs.values()), axis=0) if len(self.costs) else np.zeros(0, dtype=bool)

    @cached_property
    def rows(self) -> Ints:
        """The row of each unit in its lane. Overlapping units are in different rows, longer units first."""
        made = np.zeros(len(self.start), dtype=np.int64)
        busy: list[tuple[float, int]] = []
        free: list[int] = []
        lane, rows = -1, 0
        columns = (self.lane, self.start, np.maximum(self.end, np.nextafter(self.start, np.inf)))
        for k, (mine, start, end) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
            if mine != lane:
                lane, rows, busy, free = mine, 0, [], []
            while busy and busy[0][0] <= start:
                heapq.heappush(free, heapq.heappop(busy)[1])
            if not free:
                free, rows = [rows], rows + 1
            made[k] = heapq.heappop(free)
            heapq.heappush(busy, (end, int(made[k])))
        return made

    # -- as places -----------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> tuple[DisputedPlace, ...]:
        found = np.flatnonzero(self.disputed)
        worst = found[np.argsort(-self.costs[found], kind="stable")][:MOST_PLACES]
        return tuple(self._place(int(g)) for g in worst)

    def _place(self, group: int) -> DisputedPlace:
        mine = self.members[self.first[group] : self.first[group + 1]]
        start, end = float(self.start[mine].min()), float(self.end[mine].max())
        said = dict.fromkeys(self.annotators, "–")
        for u in mine.tolist():
            said[self.annotators[self.lane[u]]] = self._said(u)
        kinds = tuple(self.words.kinds[kind] for kind, found in self.differs.items() if found[group])
        return DisputedPlace(
            self._where(start, end), float(self.costs[group]), kinds, tuple(said.items()), self._quote(start, end)
        )

    def _where(self, start: float, end: float) -> str:
        return f"{start:.10g}" if self.words.ticks and start == end else f"{start:.10g}–{end:.10g}"

    def _said(self, unit: int) -> str:
        place = self._where(float(self.start[unit]), float(self.end[unit]))
        label = self.categories[self.label[unit]] if self.label[unit] >= 0 else ""
        return f"{label} ({place})" if label else place

    def _quote(self, start: float, end: float) -> tuple[str, str, str] | None:
        if self.quotes is not None:
            return "", self.quotes[int(start)], ""
        if self.text is None:
            return None
        a, b = int(start), int(end)
        return before(self.text, a, _AROUND), self.text[a:b], behind(self.text, b, _AROUND)

    # -- for the page --------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        words = self.words
        return {
            "kind": "spans",
            "name": self.name,
            "annotators": list(self.annotators),
            "categories": list(self.categories),
            "colours": self.colours.tolist(),
            "extent": list(self.extent),
            "text": self.text,
            "quotes": None if self.quotes is None else list(self.quotes),
            "words": {
                "unit": words.unit,
                "category": words.category,
                "cost": words.cost,
                "kinds": dict(words.kinds),
                "note": words.note,
            },
            "ticks": words.ticks,
            "chains": words.chains,
            "units": {
                "lane": packed(self.lane),
                "row": packed(self.rows),
                "start": packed(self.start),
                "end": packed(self.end),
                "label": packed(self.label + 1),  # 0: none
            },
            "groups": {
                "size": packed(np.diff(self.first)),
                "members": packed(self.members),
                "cost": packed(self.costs),
                "causes": {cause: packed(values) for cause, values in self.causes.items()},
            },
        }

    def html(self) -> str:
        found = int(self.disputed.sum())
        facts = (
            f"<p>{counted(len(self.annotators), 'annotator')}, {counted(len(self.start), self.words.unit)}; "
            f"{found:,} of {len(self.costs):,} places differ.</p>"
        )
        note = f"<p>{escaped(self.words.note)}</p>" if self.words.note else ""
        shown = self.annotators[:MOST_LANES]
        hidden = more(len(self.annotators) - len(shown), "annotators")
        left = found - len(self.places)
        return "\n".join(
            filter(None, [facts, note, self._marked(), places_table(self.places, left, self.words.cost, shown), hidden])
        )

    def _marked(self) -> str:
        """Return the text with marks for agreement and disagreement."""
        if self.text is None:
            return ""
        text = self.text[:MOST_TEXT]
        depth = np.zeros((2, len(text) + 2), dtype=np.int64)
        starts, ends = self._spread(self.start)[0], self._spread(self.end)[1]
        bounds = (np.clip(values, 0, len(text)).astype(np.int64) for values in (starts, ends))
        for a, b, disputed in zip(*(values.tolist() for values in bounds), self.disputed.tolist(), strict=True):
            depth[int(disputed), a] += 1
            depth[int(disputed), b] -= 1
        agreed, disputed = (np.cumsum(row)[: len(text)] > 0 for row in depth)
        state = np.where(disputed, 2, np.where(agreed, 1, 0))
        cuts = [0, *(np.flatnonzero(np.diff(state)) + 1).tolist(), len(text)]
        parts = []
        for a, b in pairwise(cuts):
            piece = escaped(text[a:b])
            kind = ("", "av-agreed", "av-disputed")[state[a]] if b > a else ""
            parts.append(f'<mark class="{kind}">{piece}</mark>' if kind else piece)
        left = more(len(self.text) - len(text), "characters")
        key = (
            '<p class="av-key"><mark class="av-agreed">all annotators agree</mark> '
            '<mark class="av-disputed">annotators differ</mark></p>'
        )
        return f'<p class="av-text" dir="auto">{"".join(parts)}</p>{left}{key}'


def kinds_named(label: str | None = LABEL, boundaries: str | None = BOUNDARIES) -> dict[str, str]:
    """Return the names of the kinds of disagreement that can occur."""
    named = {MISSING: MISSING, BOUNDARIES: boundaries, LABEL: label, AGREEMENT: AGREEMENT}
    return {kind: name for kind, name in named.items() if name is not None}


def merged(owner: Ints, pairs: Ints) -> Ints:
    """Merge pairs in the given order and number the resulting groups.

    A group has at most one element of each owner.
    """
    root = list(range(len(owner)))
    owners = [1 << int(a) for a in owner]

    def top(k: int) -> int:
        while root[k] != k:
            root[k] = root[root[k]]
            k = root[k]
        return k

    for one, other in pairs.tolist():
        a, b = top(one), top(other)
        if a != b and not owners[a] & owners[b]:
            root[b] = a
            owners[a] |= owners[b]
    return np.unique([top(k) for k in range(len(root))], return_inverse=True)[1].astype(np.int64)


def pairs_within(key: Ints) -> Ints:
    """Return all pairs of positions with the same key, the smaller position first."""
    order = np.argsort(key, kind="stable")
    _, sizes = np.unique(key, return_counts=True)
    first = np.cumsum(sizes) - sizes
    made = [np.zeros((0, 2), dtype=np.int64)]
    for size in np.unique(sizes).tolist():
        a, b = np.triu_indices(size, 1)
        begin = first[sizes == size][:, None]
        made.append(np.stack([(begin + a).ravel(), (begin + b).ravel()], axis=1))
    return np.sort(order[np.concatenate(made)], axis=1)


# -- units: each document with its unitary alignments ------------------------------------------------------------------


def views_of_units(found: UnitaryAlignments, most: int | None = None) -> Views:
    """Return the views of the aligned documents, largest disorder first."""
    corpus, compared, alignment = found.corpus, found.compared, found.compared.alignment
    ranked = np.argsort(-alignment.totals, kind="stable")[:most]
    groups = np.argsort(alignment.continuum, kind="stable")
    group_ends = np.searchsorted(alignment.continuum[groups], np.arange(len(compared.docs) + 1))
    member_ends = np.searchsorted(alignment.members_group, np.arange(len(alignment.disorder) + 1))
    words = Words() if len(corpus.categories) else Words(kinds=kinds_named(label=None))
    made = []
    for c in ranked.tolist():
        doc = int(compared.docs[c])
        mine = groups[group_ends[c] : group_ends[c + 1]]
        sizes = member_ends[mine + 1] - member_ends[mine]
        first = np.cumsum(sizes) - sizes
        members = np.repeat(member_ends[mine] - first, sizes) + np.arange(int(sizes.sum()))
        entries, unit = np.unique(compared.source.unit[alignment.members_unit[members]], return_inverse=True)
        lanes = np.cumsum(corpus.judged[doc]) - 1
        name = corpus.docs[doc]
        made.append(
            Spans.of(
                name,
                [who for who, looked in zip(corpus.annotators, corpus.judged[doc], strict=True) if looked],
                (
                    lanes[corpus.annotator[entries]],
                    corpus.start[entries],
                    corpus.end[entries],
                    corpus.label[entries].astype(np.int64),
                ),
                corpus.categories.names,
                (
                    np.repeat(np.arange(len(mine)), sizes),
                    unit,
                    alignment.disorder[mine],
                    {cause: cost[mine] for cause, cost in found.causes.items()},
                ),
                (float(corpus.extents[doc, 0]), float(corpus.extents[doc, 1])),
                text=corpus.texts.get(name),
                words=words,
            )
        )
    return Views("units", tuple(made), len(corpus.docs) - len(made), corpus.categories.names)


# -- segmentations: close boundaries of different annotators are near misses -------------------------------------------

NEAR = BoundarySimilarity().n_t - 1  # largest distance of a near miss in atoms, as in boundary similarity
_NEAR_MISS = "near miss"
_BOUNDARY_WORDS = Words(
    unit="boundary",
    category="type",
    cost="edits",
    kinds=kinds_named(label="type", boundaries=_NEAR_MISS),
    note=(
        f"A boundary is after the atom with its number. Boundaries at a distance of up to {NEAR} are a near miss. "
        "Edits are the mean over pairs of annotators: 1 for a missing boundary or another type, "
        f"distance/{NEAR + 1} for a near miss."
    ),
    ticks=True,
)


def views_of_segmentations(data: Segmentations, most: int | None = None) -> Views:
    made = [_view_of_boundaries(data, int(d)) for d in np.flatnonzero(data.comparable)]
    made.sort(key=lambda view: -view.cost)
    kept = made[:most]
    return Views("segmentations", tuple(kept), len(data.docs) - len(kept), data.categories.names)


def _view_of_boundaries(data: Segmentations, doc: int) -> Spans:
    rows = np.flatnonzero(data.doc == doc)
    rows = rows[np.argsort(data.annotator[rows], kind="stable")]
    counts = data.offsets[rows + 1] - data.offsets[rows]
    inside = [np.arange(data.offsets[r], data.offsets[r + 1]) for r in rows]
    at = np.concatenate([np.zeros(0, dtype=np.int64), *inside])
    lane = np.repeat(np.arange(len(rows)), counts)
    position, label = data.position[at], data.label[at].astype(np.int64)
    group = merged(lane, _near_boundaries(lane, position, label))
    costs, causes = _boundary_costs(lane, position, label, group, len(rows))
    several = len(data.categories) > 1
    return Spans.of(
        data.docs[doc],
        [data.annotators[int(data.annotator[r])] for r in rows],
        (lane, position.astype(np.float64), position.astype(np.float64), label if several else np.full(len(at), -1)),
        data.categories.names,
        (group, np.arange(len(at)), costs, causes),
        (0.0, float(data.lengths[doc])),
        words=_BOUNDARY_WORDS
        if several
        else replace(_BOUNDARY_WORDS, kinds=kinds_named(label=None, boundaries=_NEAR_MISS)),
    )


def _near_boundaries(lane: Ints, position: Ints, label: Ints) -> Ints:
    """Return pairs of boundaries that may match, nearest first. Different types match only at the same position."""
    order = np.argsort(position, kind="stable")
    found = []
    for step in range(1, len(order)):
        one, other = order[:-step], order[step:]
        apart = position[other] - position[one]
        near = apart <= NEAR
        if not near.any():
            break
        typed = label[one] != label[other]
        fits = near & (lane[one] != lane[other]) & ((apart == 0) | ~typed)
        found.append(np.stack([apart, typed, position[one], lane[one], lane[other], one, other], axis=1)[fits])
    if not found:
        return np.zeros((0, 2), dtype=np.int64)
    pairs = np.concatenate(found)
    return pairs[np.lexsort(pairs[:, 4::-1].T)][:, 5:]


def _boundary_costs(lane: Ints, position: Ints, label: Ints, group: Ints, n: int) -> tuple[Floats, dict[str, Floats]]:
    """Return the mean edit cost between the boundaries of two annotators."""
    many = int(group.max()) + 1 if len(group) else 0
    near, types, absent = np.zeros(many), np.zeros(many), np.zeros(many)
    order = np.lexsort((lane, group))
    ends = np.searchsorted(group[order], np.arange(many + 1))
    everyone = n * (n - 1) / 2
    for g in range(many):
        mine = order[ends[g] : ends[g + 1]]
        a, b = np.triu_indices(len(mine), 1)
        near[g] = np.abs(position[mine[a]] - position[mine[b]]).sum() / (NEAR + 1)
        types[g] = (label[mine[a]] != label[mine[b]]).sum()
        absent[g] = everyone - len(a)
    causes = {_NEAR_MISS: near / everyone, "type": types / everyone, "absence": absent / everyone}
    return sum(causes.values(), np.zeros(many)), causes


# -- chains: chains of different annotators that share most mentions have the same colour ------------------------------

_CHAIN_WORDS = Words(
    unit="mention",
    category="chain",
    cost="pairs that differ",
    kinds=kinds_named(label="chain", boundaries=None),
    note=(
        "Chains of different annotators with shared mentions have the same name and colour. Chains that share most "
        "mentions are matched first. Pairs that differ: the share of pairs of annotators in which one annotator lacks "
        "the mention or has it in another chain."
    ),
    chains=True,
)
_LONGEST_NAME = 30  # characters of the name of a chain


def views_of_chains(data: Chains, most: int | None = None) -> Views:
    made = [_view_of_chains(data, int(d)) for d in np.flatnonzero(data.comparable)]
    made.sort(key=lambda view: -view.cost)
    kept = made[:most]
    return Views("chains", tuple(kept), len(data.docs) - len(kept))


def _view_of_chains(data: Chains, doc: int) -> Spans:
    mentions = data.mentions
    mine = np.flatnonzero(mentions.doc == doc)
    looked = np.flatnonzero(data.judged[doc])
    lane = np.searchsorted(looked, mentions.annotator[mine])
    start, end = mentions.start[mine], mentions.end[mine]
    name = data.docs[doc]
    text, quotes = mentions.texts.get(name), None
    extent = float(mentions.extents[doc, 0]), float(mentions.extents[doc, 1])
    if data.mention_names is not None:  # named mentions are numbered through the document
        known, number = np.unique(start, return_inverse=True)
        start, end = number.astype(np.float64), (number + 1).astype(np.float64)
        quotes, text = tuple(data.mention_names[int(k)] for k in known), None
        extent = 0.0, float(len(known))
    place = _mention_places(lane, start, end)
    entity = _shared_chains(lane, data.chain[mine], place)
    names = _chain_names(entity, start, end, text, quotes)
    costs, causes = _chain_costs(entity, place, len(looked))
    return Spans.of(
        name,
        [data.annotators[int(a)] for a in looked],
        (lane, start, end, entity),
        names,
        (place, np.arange(len(mine)), costs, causes),
        extent,
        text=text,
        quotes=quotes,
        words=_CHAIN_WORDS,
    )


def _mention_places(lane: Ints, start: Floats, end: Floats) -> Ints:
    """Number the places of mentions. A further mention of the same annotator at a place gets its own number."""
    key = np.stack([start, end], axis=1)
    _, where = np.unique(key, axis=0, return_inverse=True)
    order = np.lexsort((lane, where.ravel()))
    same = np.zeros(len(order), dtype=np.int64)
    for k in range(1, len(order)):
        one, other = order[k - 1], order[k]
        if where.ravel()[one] == where.ravel()[other] and lane[one] == lane[other]:
            same[other] = same[one] + 1
    both = np.stack([where.ravel(), same], axis=1)
    return np.unique(both, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


def _shared_chains(lane: Ints, chain: Ints, place: Ints) -> Ints:
    """Return the number of the chain of each mention, shared by annotators. The largest chain is 0."""
    _, first, own = np.unique(chain, return_index=True, return_inverse=True)
    own = own.ravel()
    together = own[pairs_within(place)]
    pairs, shared = np.unique(np.sort(together, axis=1), axis=0, return_counts=True)
    of_chain = merged(lane[first], pairs[np.lexsort((pairs[:, 1], pairs[:, 0], -shared))])
    of_mention = of_chain[own]
    sizes = np.bincount(of_mention)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[of_mention]


def _chain_names(
    entity: Ints, start: Floats, end: Floats, text: str | None, quotes: tuple[str, ...] | None
) -> list[str]:
    """Name each chain by its number and, if known, its most frequent mention."""
    said: list[Counter[str]] = [Counter() for _ in range(int(entity.max()) + 1 if len(entity) else 0)]
    if text is None and quotes is None:
        return [f"chain {k + 1}" for k in range(len(said))]
    for k, a, b in zip(entity.tolist(), start.tolist(), end.tolist(), strict=True):
        said[k][" ".join((text[int(a) : int(b)] if text is not None else (quotes or ())[int(a)]).split())] += 1
    made = []
    for k, words in enumerate(said):
        best = max(words, key=lambda word: (words[word], len(word)))
        made.append(f"{k + 1} {best if len(best) <= _LONGEST_NAME else best[: _LONGEST_NAME - 1] + '…'}")
    return made


def _chain_costs(entity: Ints, place: Ints, n: int) -> tuple[Floats, dict[str, Floats]]:
    many = int(place.max()) + 1 if len(place) else 0
    size = np.bincount(place, minlength=many).astype(np.float64)
    pairs = pairs_within(place)
    other = entity[pairs[:, 0]] != entity[pairs[:, 1]]
    apart = np.bincount(place[pairs[:, 0]], weights=other, minlength=many)
    everyone = n * (n - 1) / 2
    causes = {"chain": apart / everyone, "absence": (everyone - size * (size - 1) / 2) / everyone}
    # Two annotators without the mention agree.
    none = (n - size) * (n - size - 1) / 2
    causes["absence"] = causes["absence"] - none / everyone
    return causes["chain"] + causes["absence"], causes
