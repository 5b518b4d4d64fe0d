"""Changes of data for the metamorphic tests, each with a description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .small import UNUSED, Cuts, Items, Mentions, Small, Units, other_name, swapped

Changing = Callable[[Any, Random], Small | None]  # None if the change does not apply


@dataclass(frozen=True)
class Change:
    description: str
    make: Changing


def _shuffled(mapping: Mapping[str, Any], random: Random) -> dict[str, Any]:
    keys = list(mapping)
    random.shuffle(keys)
    return {key: mapping[key] for key in keys}


def _each(small: Small, to: Callable[[str, str, Any], Any]) -> dict[str, dict[str, Any]]:
    """Apply a function to the annotations of each annotator in each item or document."""
    return {place: {who: to(place, who, had) for who, had in done.items()} for place, done in small.places.items()}


# -- order and names -------------------------------------------------------------------------------------------


def seats(small: Items, random: Random) -> Small:
    who = small.who
    random.shuffle(who)
    return replace(small, places={place: {a: done[a] for a in who} for place, done in small.places.items()})


def order(small: Small, random: Random) -> Small:
    if isinstance(small, Items):
        return replace(small, places=_shuffled(small.places, random))
    places = _shuffled({place: _shuffled(done, random) for place, done in small.places.items()}, random)
    if isinstance(small, Units):
        return replace(small, places=places, rows=tuple(random.random() for _ in range(40)))
    if isinstance(small, Mentions):
        places = {p: {w: random.sample(ms, len(ms)) for w, ms in done.items()} for p, done in places.items()}
    return replace(small, places=places)


def people(small: Small, random: Random) -> Small:
    new = swapped(small.who, random)
    places = {place: {new[who]: had for who, had in done.items()} for place, done in small.places.items()}
    return replace(small, places=places, names={**small.names, **new})


def swap(small: Small, random: Random) -> Small:
    """Exchange the annotations of two annotators; names in specs stay."""
    first, second = small.who[:2]
    new = {first: second, second: first}
    places = {place: {new.get(who, who): had for who, had in done.items()} for place, done in small.places.items()}
    return replace(small, places=places)


def things(small: Small, random: Random) -> Small:
    old = list(small.places)
    new = [f"{random.choice('pqr')}{k}" for k in random.sample(range(10, 99), len(old))]
    return _under(small, dict(zip(old, new, strict=True)))


def _under(small: Any, new: Mapping[str, str]) -> Small:
    """Rename documents, with their extents or lengths."""
    made = replace(small, places={new[place]: done for place, done in small.places.items()})
    for known in ("extents", "lengths"):
        if hasattr(made, known):
            made = replace(made, **{known: {new[place]: it for place, it in getattr(made, known).items()}})
    return made


def labels(small: Any, random: Random) -> Small:
    if isinstance(small, Items):
        new = {family: tuple(map(other_name, names)) for family, names in small.labels.items()}
        return replace(small, labels=new, names={**small.names, "tree": "renamed"})
    if isinstance(small, Mentions):  # names of chains are local to an annotator and a document

        def renamed(place: str, who: str, had: Any) -> Any:
            new = dict(zip("xyz", random.sample("klmnxyz", 3), strict=True))
            return [(start, end, new[chain]) for start, end, chain in had]

        return replace(small, places=_each(small, renamed))
    if isinstance(small, Cuts):
        new_types = {"major": "big", "minor": "small"}
        return replace(small, places=_each(small, lambda *at: [(p, new_types[k]) for p, k in at[2]]))
    new_tags = dict(zip("abc", random.choice([("c", "a", "b"), ("z", "y", "x"), ("b", "zz", "a")]), strict=True))
    renamed_tags = _each(small, lambda *at: [(*rest, new_tags[tag]) for *rest, tag in at[2]])
    renamed_small = replace(small, places=renamed_tags, names={**small.names, **new_tags})
    if isinstance(renamed_small, Units):
        renamed_small = replace(renamed_small, categories=tuple(new_tags[tag] for tag in small.categories))
    return renamed_small  # type: ignore[no-any-return]


def order_of_labels(small: Any, random: Random) -> Small:
    if isinstance(small, Units):
        return replace(small, categories=tuple(random.sample(small.categories, 3)))
    return replace(small, order=tuple(random.sample(small.order, len(small.order))))


# -- numbers and positions -------------------------------------------------------------------------------------


def _numbers(small: Items, to: Callable[[Any], Any]) -> Items:
    new = {family: tuple(map(to, small.labels[family])) for family in ("numbers", "degrees")}
    return replace(small, labels={**small.labels, **new})


def mirror(small: Any, random: Random) -> Small:
    if isinstance(small, Items):
        new = {f: tuple(max(x) + min(x) - k for k in x) for f, x in small.labels.items() if f in ("numbers", "degrees")}
        return replace(small, order=small.order[::-1], labels={**small.labels, **new})
    if isinstance(small, Cuts):
        return replace(
            small, places=_each(small, lambda d, _, had: [(small.lengths[d] - at, k) for at, k in reversed(had)])
        )
    return _moved(small, lambda start, end: (-end, -start))


def _moved(small: Any, to: Callable[[float, float], tuple[float, float]]) -> Small:
    places = _each(small, lambda *at: sorted((*to(start, end), label) for start, end, label in at[2]))
    made = replace(small, places=places)
    if isinstance(made, Units):
        made = replace(made, extents={doc: to(*ends) for doc, ends in made.extents.items()})
    return made


def plus(small: Any, random: Random) -> Small:
    by = random.choice((3, 100))
    if isinstance(small, Items):
        return _numbers(small, lambda x: x + by)
    return _moved(small, lambda start, end: (start + 10 * by, end + 10 * by))


def times(small: Any, random: Random) -> Small:
    by = random.choice((2, 3))
    if isinstance(small, Items):
        return _numbers(small, lambda x: x * by)
    if isinstance(small, Cuts):
        lengths = {doc: by * n for doc, n in small.lengths.items()}
        return replace(small, places=_each(small, lambda *at: [(by * p, k) for p, k in at[2]]), lengths=lengths)
    return _moved(small, lambda start, end: (by * start, by * end))


def stricter(small: Items, random: Random) -> Small:
    """Add a constant to the numbers of one annotator, as additional codes."""
    numbers = small.labels["numbers"]
    one = random.choice(small.who)
    places = _each(small, lambda _, who, had: had + len(numbers) if who == one and had is not None else had)
    return replace(
        small,
        places=places,
        labels={**small.labels, "numbers": (*numbers, *(x + 10 for x in numbers))},
        order=tuple(range(2 * len(numbers))),
    )


# -- more data ------------------------------------------------------------------------------------------------


def twice(small: Small, random: Random) -> Small:
    again: Any = _under(small, {place: f"{place} again" for place in small.places})
    made: Any = replace(small, places={**small.places, **again.places})
    for known in ("extents", "lengths"):
        if hasattr(made, known):
            made = replace(made, **{known: {**getattr(small, known), **getattr(again, known)}})
    return made  # type: ignore[no-any-return]


def unused(small: Any, random: Random) -> Small:
    if isinstance(small, Units):
        return replace(small, categories=(*small.categories, "d"))
    new = {family: (*labels, UNUSED[family]) for family, labels in small.labels.items()}
    return replace(small, labels=new, order=(*small.order, len(small.order)))


def blind(small: Items, random: Random) -> Small:
    name = random.choice(("Aaron", "Eve"))
    return replace(small, places={place: {name: None, **done} for place, done in small.places.items()})


def nobody(small: Any, random: Random) -> Small:
    if isinstance(small, Units):
        length = random.randint(2, 9)
        return replace(
            small,
            places={**small.places, "e": {who: [] for who in small.who[:2]}},
            extents={**small.extents, "e": (0, length)},
        )
    at = random.randint(0, len(small.places))
    places = list(small.places.items())
    places.insert(at, ("nobody's", dict.fromkeys(small.who)))
    return replace(small, places=dict(places))


def lone(small: Any, random: Random) -> Small:
    """Add an item or document that only one annotator annotated."""
    if isinstance(small, Items):
        one = random.choice(small.who)
        return replace(
            small,
            places={**small.places, "one's": {who: random.randint(0, 3) if who == one else None for who in small.who}},
        )
    name, place = random.choice(("Aaron", "Eve")), random.choice(("c", "e"))
    source = random.choice(list(small.places))
    had = next((done for done in small.places[source].values() if done), None)
    if had is None:
        return small  # type: ignore[no-any-return]
    made = replace(small, places={**small.places, place: {name: had}})
    for known in ("extents", "lengths"):
        if hasattr(made, known):
            made = replace(made, **{known: {**getattr(small, known), place: getattr(small, known)[source]}})
    return made  # type: ignore[no-any-return]


def cut(small: Any, random: Random) -> Small | None:
    """Divide a document where no unit crosses, or a segmentation at a boundary of all annotators."""
    doc = random.choice(list(small.places))
    done = small.places[doc]
    if isinstance(small, Cuts):
        shared = set.intersection(*({at for at, _ in had} for had in done.values()))
        if not shared:
            return None
        at = random.choice(sorted(shared))
        first = {who: [(p, k) for p, k in had if p < at] for who, had in done.items()}
        second = {who: [(p - at, k) for p, k in had if p > at] for who, had in done.items()}
        kept = {place: it for place, it in small.places.items() if place != doc}
        lengths = {place: n for place, n in small.lengths.items() if place != doc}
        return replace(
            small,
            places={**kept, f"{doc} 1": first, f"{doc} 2": second},
            lengths={**lengths, f"{doc} 1": at, f"{doc} 2": small.lengths[doc] - at},
        )
    begin, end = small.extents[doc]
    every = [unit for had in done.values() for unit in had]
    free = [at for at in range(int(begin) + 1, int(end)) if not any(s < at < e for s, e, _ in every)]
    if not free:
        return None
    at = random.choice(free)
    places = {place: it for place, it in small.places.items() if place != doc}
    extents = {place: it for place, it in small.extents.items() if place != doc}
    for name, (low, high) in {f"{doc} 1": (begin, at), f"{doc} 2": (at, end)}.items():
        places[name] = {who: [u for u in had if low <= u[0] and u[1] <= high] for who, had in done.items()}
        extents[name] = (low, high)
    return replace(small, places=places, extents=extents)


CHANGES: Mapping[str, Change] = {
    "seats": Change("annotators in a different order", seats),
    "order": Change("items, documents or rows in a different order", order),
    "people": Change("annotators renamed", people),
    "swap": Change("the annotations of two annotators exchanged", swap),
    "things": Change("items or documents renamed", things),
    "labels": Change("categories or chains renamed; an order of categories is kept", labels),
    "sorted": Change("categories declared in a different order", order_of_labels),
    "mirror": Change("the scale or the continuum reversed", mirror),
    "plus": Change("a constant added to all labels or positions", plus),
    "times": Change("all labels or positions multiplied by a constant", times),
    "stricter": Change("a constant added to the labels of one annotator", stricter),
    "twice": Change("each item or document duplicated under a new name", twice),
    "cut": Change("a document divided in two at a position that no unit crosses", cut),
    "unused": Change("an unused category added", unused),
    "blind": Change("an annotator without labels added", blind),
    "nobody": Change("an item or document without any annotations added", nobody),
    "lone": Change("an item or document with a single annotator added", lone),
}
