"""References generated from a statistical model: categories, prevalence, lengths, gaps, overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError, quoted
from accord.core.spec import Named, build, parse
from accord.core.typed import checks_types
from accord.data.model.corpus import Corpus
from accord.data.model.labels import Categories
from accord.data.model.segmentations import Segmentations, as_segmentations

_PURPOSE = 61  # of the random number stream
_MOST = 1_000_000
ANNOTATOR = "reference"


@dataclass(frozen=True, repr=False)
class Model(Named):
    """Consecutive units with gaps, at whole positions.

    `categories`: their number or names; `prevalence`: their shares, equal by default, as exact as whole units allow;
    `lengths` and `gaps`: minimum and maximum, drawn uniformly, lengths also as one pair per category; `overlap`: how
    often a unit begins inside the previous one; `segmentation`: adjacent segments without labels.
    """

    units: int = 50
    categories: int | tuple[str, ...] = 4
    prevalence: tuple[float, ...] | None = None
    lengths: tuple[Any, ...] = (5, 15)
    gaps: tuple[int, int] = (0, 10)
    overlap: float = 0.0
    documents: int = 1
    segmentation: bool = False

    name: ClassVar[str] = "model"

    def __post_init__(self) -> None:
        for field, least in (("units", 1), ("documents", 1)):
            _whole(getattr(self, field), f"model: {field}", least)
        if isinstance(self.categories, int):
            _whole(self.categories, "model: categories", 0)
        elif not isinstance(self.categories, tuple | list) or len(set(map(str, self.categories))) < len(
            self.categories
        ):
            raise SpecError(
                "option-value",
                f"model: categories must be a number or a list of different names, not {quoted(self.categories)}",
            )
        else:
            object.__setattr__(self, "categories", tuple(str(c) for c in self.categories))
        self._check_prevalence()
        _pair(self.gaps, "model: gaps", 0)
        pairs = self.lengths if self._by_category else (self.lengths,)
        if self._by_category and len(pairs) != len(self.names):
            raise SpecError(
                "option-value",
                f"model: {len(pairs)} pairs of lengths given for {len(self.names)} categories; give one pair, or one "
                "per category",
            )
        for pair in pairs:
            _pair(pair, "model: lengths", 1)
        if isinstance(self.overlap, bool) or not isinstance(self.overlap, int | float) or not 0 <= self.overlap <= 1:
            raise SpecError(
                "option-value",
                f"model: overlap must be a share of the units between 0 and 1, not {quoted(self.overlap)}",
            )
        if self.segmentation and self.overlap:
            raise SpecError("option-value", "model: segments cannot overlap; leave overlap out")

    def _check_prevalence(self) -> None:
        if self.prevalence is None:
            return
        shares: Any = self.prevalence
        fine = isinstance(shares, tuple | list) and len(shares) == len(self.names)
        if not fine or not all(isinstance(p, int | float) and p >= 0 for p in shares) or abs(sum(shares) - 1) > 1e-6:
            raise SpecError(
                "option-value",
                f"model: prevalence must be one share for each of the {len(self.names)} categories, with a sum of 1",
            )
        object.__setattr__(self, "prevalence", tuple(float(p) for p in shares))

    @property
    def _by_category(self) -> bool:
        return isinstance(self.lengths, tuple | list) and all(isinstance(p, tuple | list) for p in self.lengths)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the categories."""
        if isinstance(self.categories, int):
            return tuple(f"c{k + 1:0{len(str(self.categories))}d}" for k in range(self.categories))
        return self.categories

    def made(self, seed: int = 0) -> Corpus | Segmentations:
        """Generate the reference for a seed."""
        parts = [self._document(np.random.default_rng([seed, _PURPOSE, d])) for d in range(self.documents)]
        docs = tuple(f"d{d + 1:0{len(str(self.documents))}d}" for d in range(self.documents))
        label = np.concatenate([label for _, _, label, _ in parts])
        corpus = Corpus(
            doc=np.repeat(np.arange(self.documents), self.units),
            annotator=np.zeros(self.documents * self.units, dtype=np.int64),
            start=np.concatenate([start for start, _, _, _ in parts]),
            end=np.concatenate([end for _, end, _, _ in parts]),
            label=np.full_like(label, -1) if self.segmentation else label,
            docs=docs,
            annotators=(ANNOTATOR,),
            categories=Categories(() if self.segmentation else self.names, declared=True),
            extents=np.array([[0.0, last] for _, _, _, last in parts]),
            extent_given=np.ones(self.documents, dtype=bool),
            judged=np.ones((self.documents, 1), dtype=bool),
            judged_given=True,
        )
        return as_segmentations(corpus) if self.segmentation else corpus

    def _document(self, rng: np.random.Generator) -> tuple[Floats, Floats, Ints, float]:
        label = self._labels(rng)
        pairs = np.array(self.lengths if self._by_category else [self.lengths] * max(len(self.names), 1))
        low, high = pairs[np.maximum(label, 0)].T
        length = rng.integers(low, high, endpoint=True)
        gap = rng.integers(*self.gaps, size=self.units + 1, endpoint=True)
        if self.segmentation:
            gap[:] = 0
        back = 1 + (rng.random(self.units) * np.append(0, length[:-1])).astype(np.int64)
        inside = (rng.random(self.units) < self.overlap) & (np.arange(self.units) > 0)
        step = np.where(inside, -np.minimum(back, np.append(1, length[:-1])), gap[:-1])
        end = np.cumsum(step + length)
        start = (end - length).astype(np.float64)
        return start, end.astype(np.float64), label, float(end.max() + gap[-1])

    def _labels(self, rng: np.random.Generator) -> Ints:
        q = len(self.names)
        if not q:
            return np.full(self.units, -1, dtype=np.int64)
        exact = np.array(self.prevalence or [1 / q] * q) * self.units
        count = np.floor(exact + 1e-9).astype(np.int64)
        order = np.argsort(count - exact, kind="stable")
        count[order[: self.units - int(count.sum())]] += 1  # largest remainders
        return rng.permutation(np.repeat(np.arange(q), count))


@checks_types
def generate(spec: str | None = None, *, seed: int = 0, **options: Any) -> Corpus | Segmentations:
    """Generate a reference from a statistical model: consecutive units with gaps.

    Parameters
    ----------
    spec : str, optional
        The options as text, such as `"units=50,categories=4"`. Other options are then not allowed.
    seed : int, default 0
        Random seed.
    **options
        - `units` (default 50): number of units per document.
        - `categories` (default 4): their number or names.
        - `prevalence`: shares of the categories, as exact as whole units allow. Default: equal shares.
        - `lengths` (default (5, 15)) and `gaps` (default (0, 10)): minimum and maximum, drawn uniformly; lengths also
          as one pair per category.
        - `overlap` (default 0): how often a unit begins inside the previous one.
        - `documents` (default 1): number of documents.
        - `segmentation` (default False): adjacent segments without labels.

    Returns
    -------
    Corpus or Segmentations
        Data of one annotator, "reference".

    Raises
    ------
    SpecError
        If an option is unknown or its value is impossible.

    Examples
    --------
    >>> accord.generate(units=50, categories=4, prevalence=(0.4, 0.3, 0.2, 0.1), gaps=(0, 10), seed=1)
    <Corpus: 1 document, 1 annotator, 50 units>
    """
    seed = Run(seed).seed
    if spec is not None:
        if not isinstance(spec, str):
            raise SpecError("option-value", f"a model must be a spec such as units=50,categories=4, not {quoted(spec)}")
        if options:
            raise SpecError(
                "measure-option",
                f"{next(iter(options))} cannot be combined with a spec; write it in the spec, "
                f"{spec},{next(iter(options))}=…",
            )
        text = spec if spec.startswith("model") else f"model({spec})"
        return build("model", parse(text), (Model,)).made(seed)
    unknown = [key for key in options if key not in Model.__dataclass_fields__]
    if unknown:
        raise SpecError(
            "option-value",
            f"model: unknown option {quoted(unknown[0])}; choose one of {', '.join(Model.__dataclass_fields__)}",
        )
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
    return Model(**given).made(seed)


def _whole(value: object, what: str, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST:
        raise SpecError("option-value", f"{what} must be a whole number from {least} to {_MOST:,}, not {quoted(value)}")


def _pair(value: Any, what: str, least: int) -> None:
    fine = isinstance(value, tuple | list) and len(value) == 2 and all(type(v) is int for v in value)
    if not fine or not least <= value[0] <= value[1] <= _MOST:
        raise SpecError(
            "option-value",
            f"{what} must be a minimum and a maximum, two whole numbers from {least}, not {quoted(value)}",
        )
