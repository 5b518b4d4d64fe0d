"""A reference → several annotators who err independently of each other; the reference is not among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import DataError, SpecError, quoted
from accord.io import read
from accord.model.corpus import Continuum, Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.simulate.base import ErrorType
from accord.simulate.catalogue import error_type
from accord.simulate.columns import Cuts, Ground, Ints, Marks, TextGround

_PURPOSE = 60  # of the generators of errors
MOST_ANNOTATORS = 1000


@dataclass(frozen=True, eq=False)
class Reference:
    """What is shuffled: the marks of one annotator, or the segmentation."""

    data: Corpus | Segmentations
    judged: NDArray[np.bool_] | None = None  # documents × annotators who look at them; all by default

    def __post_init__(self) -> None:
        data = self.data
        who = np.unique(data.annotator) if isinstance(data, Segmentations) else np.flatnonzero(data.judged.any(axis=0))
        if not len(data):
            what = "boundaries" if isinstance(data, Segmentations) else "units"
            raise DataError(f"the reference has no {what}: there is nothing to shuffle")
        if len(who) != 1:
            names = [data.annotators[a] for a in who]
            shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
            raise DataError(
                f"the reference has {len(names)} annotators ({shown}): which one is it? choose it with --reference"
            )

    @cached_property
    def ground(self) -> Ground | TextGround:
        return Ground.of(self.data) if isinstance(self.data, Corpus) else TextGround.of(self.data)

    @property
    def n_docs(self) -> int:
        return len(self.data.docs)

    def shuffled(self, annotators: Sequence[Erring], keys: Sequence[Sequence[int]]) -> Corpus | Segmentations:
        """One set of annotations per key, each with a copy of every document; set s begins at document s · n_docs."""
        names = tuple(f"A{a + 1}" for a in range(len(annotators)))
        docs = self.data.docs
        if len(keys) > 1:
            docs = tuple(f"{s + 1}/{doc}" for s in range(len(keys)) for doc in self.data.docs)
        drawn = [
            (s, a, one.applied(self.ground, np.random.default_rng([*key, _PURPOSE, a])))
            for s, key in enumerate(keys)
            for a, one in enumerate(annotators)
        ]
        if isinstance(self.data, Corpus):
            return self._corpus(drawn, docs, names, len(keys))
        return self._segmentations(drawn, docs, names, len(keys))

    def _corpus(
        self, drawn: list[tuple[int, int, Any]], docs: tuple[str, ...], names: tuple[str, ...], sets: int
    ) -> Corpus:
        reference = self.data
        assert isinstance(reference, Corpus)  # noqa: S101 - its kind is known here
        looked = np.tile(reference.judged.any(axis=1), sets)
        judged = np.repeat(looked[:, None], len(names), axis=1)
        made = Corpus(
            doc=np.concatenate([marks.doc + s * self.n_docs for s, _, marks in drawn]),
            annotator=np.concatenate([np.full(len(marks), a, dtype=np.int64) for _, a, marks in drawn]),
            start=np.concatenate([marks.start for _, _, marks in drawn]),
            end=np.concatenate([marks.end for _, _, marks in drawn]),
            label=np.concatenate([marks.label for _, _, marks in drawn]),
            docs=docs,
            annotators=names,
            categories=reference.categories,
            extents=np.tile(reference.extents, (sets, 1)),
            extent_given=np.tile(reference.extent_given, sets),
            judged=judged,
            judged_given=True,
            variable=reference.variable,
        )
        if self.judged is None or self.judged.all():
            return made
        judged = np.tile(self.judged, (sets, 1))
        return replace(made.keep(judged[made.doc, made.annotator]), judged=judged)

    def _segmentations(
        self, drawn: list[tuple[int, int, Any]], docs: tuple[str, ...], names: tuple[str, ...], sets: int
    ) -> Segmentations:
        reference = self.data
        assert isinstance(reference, Segmentations)  # noqa: S101 - its kind is known here
        there = np.repeat(np.isin(np.arange(self.n_docs), reference.doc)[:, None], len(names), axis=1)
        there = np.tile(there if self.judged is None else there & self.judged, (sets, 1)).ravel()
        doc = np.concatenate([cuts.doc + s * self.n_docs for s, _, cuts in drawn])
        who = np.concatenate([np.full(len(cuts), a, dtype=np.int64) for _, a, cuts in drawn])
        position = np.concatenate([cuts.position for _, _, cuts in drawn])
        label = np.concatenate([cuts.label for _, _, cuts in drawn])
        order = np.lexsort((label, position, who, doc))
        seat_doc, seat = np.divmod(np.arange(len(docs) * len(names)), len(names))
        order = order[there[(doc * len(names) + who)[order]]]
        counts = np.bincount(doc * len(names) + who, minlength=len(seat_doc))[there]
        return Segmentations(
            doc=seat_doc[there],
            annotator=seat[there],
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            position=position[order],
            label=label[order],
            docs=docs,
            annotators=names,
            categories=reference.categories,
            lengths=np.tile(reference.lengths, sets),
            variable=reference.variable,
        )


@dataclass(frozen=True)
class Erring:
    """An annotator: which error, and how much of it."""

    error: ErrorType
    magnitude: float

    def applied(self, ground: Ground | TextGround, rng: np.random.Generator) -> Marks | Cuts:
        if isinstance(ground, Ground):
            return self.error.units(ground.marks, ground, self.magnitude, rng)
        return self.error.boundaries(ground.cuts, ground, self.magnitude, rng)


def shuffle(
    reference: Any,
    error: Any = "shift",
    *,
    magnitude: float | Sequence[float] = 0.3,
    annotators: int = 3,
    seed: int = 0,
    **reading: Any,
) -> Corpus | Segmentations:
    """Annotators who err: `shuffle(gold, "shift(form=2015)", magnitude=0.3, annotators=3, seed=1)`.

    A list of magnitudes, or of errors, has one for each annotator: `magnitude=[0.1, 0.1, 0.6]` is a weak third one.
    """
    source = reference_of(reference, reading)
    errors = error if isinstance(error, list) else [error]
    magnitudes = list(magnitude) if isinstance(magnitude, list | tuple | np.ndarray) else [magnitude]
    many = check_annotators(annotators)
    if isinstance(error, list) or len(magnitudes) > 1:
        lengths = {len(given) for given in (errors, magnitudes) if len(given) > 1}
        if len(lengths) > 1 or (lengths and annotators not in {3, *lengths}):
            raise SpecError(f"{annotators} annotators, {len(errors)} errors, {len(magnitudes)} magnitudes: one each")
        many = lengths.pop() if lengths else many
    each = [error_type(errors[a % len(errors)]) for a in range(many)]
    how_much = [check_magnitude(magnitudes[a % len(magnitudes)]) for a in range(many)]
    for one in set(each):
        one.check(source.ground)
    return source.shuffled([Erring(e, m) for e, m in zip(each, how_much, strict=True)], [(check_seed(seed),)])


def reference_of(data: Any, reading: dict[str, Any]) -> Reference:
    """A reference from what was read already, or is read now."""
    if isinstance(data, Reference):
        return data
    if isinstance(data, Continuum):
        data = data.alone
    if not isinstance(data, Corpus | Segmentations | Ratings):
        data = read(data, **reading)
    elif reading:
        raise SpecError(f"{', '.join(reading)}: say this when reading: accord.read(data, …)")
    if not isinstance(data, Corpus | Segmentations):
        raise DataError("a reference has units (columns start, end) or boundaries, and these are labels of items")
    return Reference(data)


def check_magnitude(value: object) -> float:
    """Between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= float(value) <= 1:
        raise SpecError(f"a magnitude lies between 0 and 1, and this is {quoted(value)}")
    return float(value)


def check_annotators(many: object) -> int:
    if isinstance(many, bool) or not isinstance(many, int) or not 1 <= many <= MOST_ANNOTATORS:
        raise SpecError(f"annotators is a whole number from 1 to {MOST_ANNOTATORS:,}, not {quoted(many)}")
    return many


def check_seed(seed: int) -> int:
    if seed < 0:
        raise SpecError("the seed is a whole number from 0")
    return int(seed)


def keyed(magnitude: float) -> int:
    """A magnitude as a part of a seed: the same for every step that meets it."""
    return math.floor(magnitude * 1e6 + 0.5)


def one_set(batch: Corpus | Segmentations, number: int, n_docs: int) -> Corpus | Segmentations:
    """A set of a batch, by itself."""
    mine = np.arange(len(batch.docs)) // n_docs == number
    if isinstance(batch, Corpus):
        return batch.only_docs(mine)
    kept = batch.keep(mine[batch.doc])
    first: Ints = np.cumsum(mine) - 1
    docs = tuple(d for d, m in zip(batch.docs, mine, strict=True) if m)
    return replace(kept, doc=first[kept.doc], docs=docs, lengths=batch.lengths[mine])
