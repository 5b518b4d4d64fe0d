"""Shared parts of the measures on units, and of γ, γ_cat and γ_k: dissimilarity and best alignment."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.core.result import chance_named
from accord.core.typed import is_number
from accord.data.kinds import UNITS
from accord.data.model.corpus import Corpus
from accord.measures.alignment.best import align_all, aligner
from accord.measures.chance.drawing import Annotations, annotations_of
from accord.measures.chance.expected import MODELS
from accord.measures.chance.sampling import Sampling, check_samples
from accord.measures.dissimilarities import F_CAT, Combined, Custom, Dissimilarity, label_distance, label_table
from accord.measures.distances import Distance, Nominal
from accord.measures.measure import Measure, check_kind
from accord.measures.units.unitary import ComparedUnits, UnitaryAlignments

_LARGEST = 1e9  # largest weight or cost; larger ones would lose precision


@dataclass(frozen=True, repr=False)
class UnitMeasure(Measure):
    """A measure on units of continua. Its evidence has a `corpus`, and inference resamples documents."""

    data: ClassVar[str] = "units"
    default_interval: ClassVar[str] = "bootstrap"

    def continua(self, evidence: Any) -> Corpus | None:
        found: Corpus = evidence.corpus
        return found


def document_facts(corpus: Corpus, docs: NDArray[np.intp]) -> dict[str, Any]:
    """Return the number of documents, and how many of them a measure compares and leaves out."""
    compared = np.zeros(len(corpus.docs), dtype=bool)
    compared[docs] = True
    return {
        "documents": len(corpus.docs),
        "documents_compared": len(docs),
        "left_out": corpus.left_out_but(compared),
    }


def document_notes(left_out: dict[str, int], why: str = "") -> list[str]:
    """Note documents without units that a measure leaves out."""
    empty = left_out["nothing_marked"]
    return [f"{counted(empty, 'document')} without units left out{why}"] if empty else []


WITHOUT_LENGTH = (
    "use f1, which matches points at the same position, or give points a length, for example start − 0.5 and end + 0.5"
)
NO_POSITION = f"all units have length 0, so the dissimilarity of their positions is 0/0; {WITHOUT_LENGTH}"


def points_note(points: int, units: int, effect: str) -> list[str]:
    """Note how many units have length 0, and what the measure does with them."""
    return [f"{points:,} of {counted(units, 'unit')} have length 0: {effect}"] if points else []


class RandomDraws(Protocol):
    """Number of drawn samples, and number of combinations if all were enumerated."""

    @property
    def samples(self) -> int: ...

    @property
    def combinations(self) -> int: ...


@dataclass(frozen=True, repr=False)
class AlignedMeasure(UnitMeasure):
    """A measure on the best alignment of units."""

    positional: float = 1.0
    categorical: float = 1.0
    delta: float = 1.0
    distance: Distance | None = None
    f_cat: str = "identity"
    chance: str = "auto"
    samples: int = 30
    precision: float = 0.02
    soft: bool = False
    dissimilarity: Custom | None = None

    unnamed: ClassVar[tuple[str, ...] | None] = ("distance",)
    lowest: ClassVar[float] = -math.inf
    aligns: ClassVar[bool] = True
    models: ClassVar[tuple[str, ...]] = ("auto", *MODELS)

    def __post_init__(self) -> None:
        for field, least in (("positional", 0.0), ("categorical", 0.0), ("delta", 0.0), ("precision", 0.0)):
            value = getattr(self, field)
            if not is_number(value):
                raise SpecError("measure-option", f"{self.name}: {field} must be a number, not {quoted(value)}")
            if value < least:
                raise SpecError("measure-option", f"{self.name}: {field} is {value:g}; give a number from 0")
            if value and not 1 / _LARGEST <= value <= _LARGEST:
                raise SpecError(
                    "measure-option",
                    f"{self.name}: {field} is {value:g}; choose it between {1 / _LARGEST:g} and {_LARGEST:g}",
                )
        if not self.delta > 0:
            raise SpecError(
                "measure-option",
                f"{self.name}: delta (Δ∅, the cost of a unit without counterpart) must be above 0, not {self.delta:g}",
            )
        if not 0 < self.precision < 1:
            raise SpecError(
                "measure-option",
                f"{self.name}: precision must lie between 0 and 1, for example 0.02 for 2%; not {self.precision:g}",
            )
        check_samples(self.name, self.samples)
        if not isinstance(self.soft, bool):
            raise SpecError("measure-option", f"{self.name}: soft must be true or false, not {quoted(self.soft)}")
        if self.chance not in self.models:
            raise UnknownName("chance", str(self.chance), self.models)
        if self.f_cat not in F_CAT:
            raise UnknownName("f_cat", str(self.f_cat), F_CAT)
        if self.distance is not None:
            object.__setattr__(self, "distance", label_distance(self.distance))
        self._check_dissimilarity()

    def _check_dissimilarity(self) -> None:
        if self.dissimilarity is None:
            if not self.positional + self.categorical > 0:
                raise SpecError(
                    "measure-option",
                    f"{self.name}: positional and categorical are both 0, so all units are equal; raise one of them",
                )
            return
        if not isinstance(self.dissimilarity, Custom):
            raise SpecError(
                "measure-option",
                f"{self.name}: a custom dissimilarity needs Python; create it with accord.dissimilarity(function)",
            )
        if (self.positional, self.categorical, self.delta, self.distance) != (1.0, 1.0, 1.0, None):
            raise SpecError(
                "measure-option",
                f"{self.name}: dissimilarity replaces positional, categorical, delta and distance; remove these",
            )

    @property
    def by_order(self) -> bool:
        return self.distance is not None and self.distance.uses_order

    def between_units(self, corpus: Corpus) -> Dissimilarity:
        """Return the dissimilarity for the categories of a corpus."""
        if self.dissimilarity is not None:
            return self.dissimilarity.on(corpus.categories)
        if self.categorical > 0:
            table = label_table(self.distance or Nominal(), corpus.categories, self.f_cat)
        else:
            table = np.zeros((0, 0))
        return Combined(table, float(self.positional), float(self.categorical), float(self.delta))

    def compare(self, corpus: Any, run: Run) -> ComparedUnits:
        """Return the best alignment of all comparable documents; measures with the same dissimilarity share it."""
        check_comparable(corpus, self.name)
        key = (self.dissimilarity, self.positional, self.categorical, self.delta, self.distance, self.f_cat, self.soft)
        return corpus.memo.once(("compared", key), lambda: self._compared(corpus, run))

    def _compared(self, corpus: Corpus, run: Run) -> ComparedUnits:
        docs = np.flatnonzero(corpus.comparable)
        source = annotations_of(corpus, docs)
        units = source.units()
        dissimilarity = self.between_units(corpus)
        if isinstance(dissimilarity, Custom):
            dissimilarity.check(units)
        alignment = align_all(units, aligner(dissimilarity, self.soft), run)
        return ComparedUnits(corpus, docs, source, units, alignment, dissimilarity)

    def alignments(self, data: Any, run: Run) -> UnitaryAlignments:
        return UnitaryAlignments(self.compare(data, run))

    def model_of_chance(self, corpus: Corpus) -> str:
        """Return the chance model: mix if there are enough continua, as in the paper (4.8.2); otherwise shift."""
        if self.chance != "auto":
            return self.chance
        there, wanted = _to_mix(corpus)
        return "mix" if there >= wanted else "shift"

    def same_chance(self, data: Any) -> Self:
        """Return the measure with shift fixed if it was chosen; mix stays in use as long as it is possible."""
        model = self.model_of_chance(data) if self.chance == "auto" else "mix"
        return self if model == "mix" else replace(self, chance=model)

    def why_chance(self, data: Any) -> str | None:
        """Return why the chance model was chosen; None if the user chose it."""
        by_default = self.chance == type(self).chance
        if self.chance != "auto":
            return "default" if by_default else None
        there, wanted = _to_mix(data)
        by = "default" if by_default else "auto"
        if there >= wanted and not data.twins:
            return by
        once = ", not counting copies," if data.twins else ""
        return f"{by}: {counted(there, 'document')}{once} for {wanted} annotators"

    def chance_on(self, data: Any) -> str:
        return chance_named(self.model_of_chance(data), self.why_chance(data))

    def about_chance(self, corpus: Corpus, drawn: RandomDraws | None) -> dict[str, Any]:
        """Return the details of a score about chance; without draws if chance follows the label frequencies."""
        made: dict[str, Any] = {"chance": self.model_of_chance(corpus), "chance_because": self.why_chance(corpus)}
        if drawn is None:
            return {**made, "samples": None, "combinations": None, "precision": None}
        return {
            **made,
            "samples": drawn.samples,
            "combinations": drawn.combinations or None,
            "precision": float(self.precision),
        }

    def notes_on_options(self) -> list[str]:
        if self.delta == 1.0:
            return []
        return ["delta scales all costs equally and does not change the value"]

    def chance_of(self, compared: ComparedUnits) -> tuple[Annotations, Sampling]:
        """Return the annotations from which chance draws, and the sampling plan."""
        corpus = compared.corpus
        everything = annotations_of(corpus, once_each(corpus))
        return everything, Sampling(self.model_of_chance(corpus), self.samples, float(self.precision))


def _to_mix(corpus: Corpus) -> tuple[int, int]:
    """Return the number of annotated continua, and the number needed to mix them."""
    there = int((corpus.annotators_per_doc[once_each(corpus)] > 0).sum())
    return there, int(corpus.annotators_per_doc.max())


def once_each(corpus: Corpus) -> NDArray[np.intp]:
    """Return all documents except duplicates, because a document mixed with its copy would agree perfectly."""
    return np.delete(np.arange(len(corpus.docs)), list(corpus.twins))


def check_comparable(corpus: Any, name: str) -> None:
    """Raise DataError if there is nothing to compare."""
    check_kind(name, UNITS, corpus)
    if len(corpus) == 0:
        raise DataError(
            "nothing-annotated",
            "there are no units: the files are empty, or all units were excluded; check the data, --missing, --only",
        )
    if corpus.n_annotators < 2:
        only = corpus.annotators[int(np.argmax(corpus.judged.any(axis=0)))]
        raise DataError(
            "annotators-needed",
            f"only one annotator ({quoted(only)}), but agreement needs at least two; extend --annotators (if "
            "given), name the column of the annotators with --annotator, or add the file of another annotator",
        )
    if not corpus.comparable.any():
        raise DataError(
            "nothing-shared",
            "no document with units was annotated by two annotators; check that document names match",
        )
