"""Distances between labels, and agreement weights (which are distances turned around: w = 1 − d/d_max).

A distance is a frozen value whose repr is its spec. `space(categories, marginals)` gives its arithmetic on the
categories of a data set. The catalogues are at the end of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import DataError, SpecError, quoted
from accord.hierarchy import Tree, leaf_overlap, related_levels
from accord.io.sidefiles import read_matrix, read_parents
from accord.model.labels import Categories, Label, label_name, plain
from accord.spaces import LARGEST_TABLE, Floats, Points, Same, Space, Table
from accord.spec import Call, Named, build, parse


@dataclass(frozen=True, repr=False)
class Distance(Named):
    """Base of all distances and weights."""

    needs_numbers: ClassVar[bool] = False  # labels must be numbers
    uses_order: ClassVar[bool] = False  # words are taken in their order
    depends_on_data: ClassVar[bool] = False  # the distance itself changes with the marginals
    summary: ClassVar[str] = ""

    def space(self, categories: Categories, marginals: Floats) -> Space:
        """`marginals`: how often each category occurs on items with two labels or more."""
        raise NotImplementedError

    def _table(self, matrix: Callable[[], Floats], q: int) -> Table:
        if q > LARGEST_TABLE:
            raise SpecError(
                f"{self} compares every two of {q:,} different labels, more than {LARGEST_TABLE:,}; "
                "round the numbers, or use nominal, ordinal, interval or quadratic, which need no table"
            )
        return Table(matrix())


# -- distances -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Nominal(Distance):
    name: ClassVar[str] = "nominal"
    aliases: ClassVar[tuple[str, ...]] = ("identity", "binary")
    summary: ClassVar[str] = "0 for the same label, 1 for another"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return Same(len(categories))


@dataclass(frozen=True, repr=False)
class Ordinal(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    depends_on_data: ClassVar[bool] = True
    summary: ClassVar[str] = "Krippendorff's: squared number of labels between two ranks, from the data"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        # Σ_{g=c..k} n_g − (n_c + n_k)/2 is the difference of two mid-ranks.
        return Points.on_line(np.cumsum(marginals) - marginals / 2)


@dataclass(frozen=True, repr=False)
class IntervalDistance(Distance):
    name: ClassVar[str] = "interval"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "(c − k)²"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return Points.on_line(categories.values)


@dataclass(frozen=True, repr=False)
class Ratio(Distance):
    name: ClassVar[str] = "ratio"
    needs_numbers: ClassVar[bool] = True
    summary: ClassVar[str] = "((c − k)/(c + k))², for numbers from 0"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(lambda: _ratio(categories.values), len(categories))


@dataclass(frozen=True, repr=False)
class Circular(Distance):
    period: float | None = None
    name: ClassVar[str] = "circular"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "sin²(π(c − k)/period): hours, weekdays, angles; period = range + 1 by default"

    def __post_init__(self) -> None:
        if self.period is not None and not (isinstance(self.period, int | float) and self.period > 0):
            raise SpecError(f"circular: period must be a positive number, not {self.period}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        x = categories.positions
        period = self.period or (float(np.ptp(x)) + 1 if len(x) else 1.0)
        angle = 2 * np.pi * x / period
        points = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2  # |a − b|² is then sin² of half the angle
        return Points(points, _largest_on_circle(x, period))


@dataclass(frozen=True, repr=False)
class Bipolar(Distance):
    name: ClassVar[str] = "bipolar"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "(c − k)²/((c + k − 2min)(2max − c − k)): a step near the poles counts more"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(lambda: _bipolar(categories.positions), len(categories))


@dataclass(frozen=True, repr=False)
class SetDistance(Distance):
    """Labels are sets: `a|b` in a file, frozensets in Python."""

    separator: str = "|"

    def __post_init__(self) -> None:
        if not isinstance(self.separator, str) or not self.separator:
            raise SpecError(f'{self.name}: the separator is text, for example {self.name}(separator=";")')

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        sets = [as_set(label, self.separator) for label in categories]
        return self._table(lambda: self._matrix(sets), len(categories))

    def _matrix(self, sets: list[frozenset[Label]]) -> Floats:
        return np.array([[0.0 if a == b else self.between(a, b) for b in sets] for a in sets]).reshape(len(sets), -1)

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Jaccard(SetDistance):
    name: ClassVar[str] = "jaccard"
    summary: ClassVar[str] = "sets: 1 − |A∩B|/|A∪B|"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return 1.0 - len(a & b) / len(a | b)


@dataclass(frozen=True, repr=False)
class Dice(SetDistance):
    name: ClassVar[str] = "dice"
    summary: ClassVar[str] = "sets: 1 − 2|A∩B|/(|A| + |B|)"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return 1.0 - 2 * len(a & b) / (len(a) + len(b))


@dataclass(frozen=True, repr=False)
class Passonneau(SetDistance):
    name: ClassVar[str] = "passonneau"
    summary: ClassVar[str] = "sets (Passonneau 2004): 0 equal, 1/3 subset, 2/3 overlap, 1 disjoint"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        if a <= b or b <= a:
            return 1 / 3
        return 2 / 3 if a & b else 1.0


@dataclass(frozen=True, repr=False)
class Masi(SetDistance):
    name: ClassVar[str] = "masi"
    summary: ClassVar[str] = "sets: d_passonneau · d_jaccard, as Artstein & Poesio 2008 (4.4.1) define it"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        return Passonneau().between(a, b) * Jaccard().between(a, b)


@dataclass(frozen=True, repr=False)
class MasiNltk(SetDistance):
    name: ClassVar[str] = "masi_nltk"
    summary: ClassVar[str] = "sets: 1 − J·M, as Passonneau 2006 and nltk define MASI"

    def between(self, a: frozenset[Label], b: frozenset[Label]) -> float:
        monotonicity = 1.0 - Passonneau().between(a, b)
        return 1.0 - (1.0 - Jaccard().between(a, b)) * monotonicity


@dataclass(frozen=True, repr=False)
class MelamedResnik(Distance):
    file: str
    mass: str = "leaves"
    name: ClassVar[str] = "melamed_resnik"
    aliases: ClassVar[tuple[str, ...]] = ("hierarchy",)
    summary: ClassVar[str] = (
        "hierarchy: 1 − Σ min(P(l|A), P(l|B)) over leaves; file has label,parent; mass=leaves or levels"
    )

    def __post_init__(self) -> None:
        _file_name(self.name, self.file)
        if self.mass not in {"leaves", "levels"}:
            raise SpecError(f"melamed_resnik: mass is leaves or levels, not {quoted(self.mass)}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        return self._table(lambda: leaf_overlap(tree, categories.names, self.mass == "levels"), len(categories))


@dataclass(frozen=True, repr=False)
class GeertzenBunt(Distance):
    file: str
    step: float = 0.75
    level: float = 1.0
    name: ClassVar[str] = "geertzen_bunt"
    summary: ClassVar[str] = (
        "hierarchy: (1 − step^Δ)·level^(Γ−1) between ancestor and offspring, else 1; file has label,parent"
    )

    def __post_init__(self) -> None:
        _file_name(self.name, self.file)
        for option in ("step", "level"):
            value = getattr(self, option)
            if not (isinstance(value, int | float) and 0 < value <= 1):
                raise SpecError(f"geertzen_bunt: {option} lies between 0 and 1, not {value}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        return self._table(lambda: related_levels(tree, categories.names, self.step, self.level), len(categories))


@dataclass(frozen=True, repr=False)
class Matrix(Distance):
    """Any distances, from a CSV file or from `labels` and `rows`. Without labels, rows are in the categories' order."""

    file: str = ""
    labels: tuple[object, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    name: ClassVar[str] = "matrix"
    summary: ClassVar[str] = 'any matrix from a CSV: matrix("costs.csv"), labels in the first row and column'
    meaning: ClassVar[str] = "distances"

    def __post_init__(self) -> None:
        if self.file:
            _file_name(self.name, self.file)
        if bool(self.file) == bool(self.rows):
            raise SpecError(f'{self.name}: name a file, {self.name}("file.csv"), or give labels and rows')

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(lambda: self._chosen(categories), len(categories))

    def _chosen(self, categories: Categories) -> Floats:
        """The matrix over the categories of the data, checked."""
        if self.file:
            labels, values = read_matrix(self.file)
        else:
            try:
                values = np.array(self.rows, dtype=np.float64)
            except (TypeError, ValueError):
                raise SpecError("a matrix of labels is square, and all its cells are numbers") from None
            names = self.labels or categories.labels
            labels = tuple(label_name(label) for label in names)
        where = self.file or "the matrix"
        q = len(labels)
        if values.shape != (q, q):
            raise SpecError(
                f"{where} is {' × '.join(map(str, values.shape))}, but there are {q} labels: it must be {q} × {q}"
            )
        _check_matrix(values, labels, where, self.meaning)
        for label in categories.names:
            if label not in labels:
                raise DataError(f"label {quoted(label)} has no row in {where}: add one, or leave the label out")
        at = [labels.index(name) for name in categories.names]
        return values[np.ix_(at, at)]


# -- weights: 1 for the same label, less for a far one ----------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Power(Distance):
    exponent: float
    name: ClassVar[str] = "power"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − (|x − y|/range)^a (Warrens 2014)"

    def __post_init__(self) -> None:
        if not (isinstance(self.exponent, int | float) and self.exponent >= 0):
            raise SpecError(f"power: the exponent is a number from 0, not {self.exponent}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, float(self.exponent))


@dataclass(frozen=True, repr=False)
class Linear(Distance):
    name: ClassVar[str] = "linear"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − |x − y|/range"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 1.0)


@dataclass(frozen=True, repr=False)
class Quadratic(Distance):
    name: ClassVar[str] = "quadratic"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − (x − y)²/range²"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 2.0)


@dataclass(frozen=True, repr=False)
class Radical(Distance):
    name: ClassVar[str] = "radical"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − √(|x − y|/range)"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return _power(self, categories, 0.5)


@dataclass(frozen=True, repr=False)
class OrdinalWeights(Distance):
    name: ClassVar[str] = "ordinal"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "Gwet's: 1 − C(|k − l| + 1, 2)/max, by ranks"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        def matrix() -> Floats:
            apart = np.abs(categories.ranks[:, None] - categories.ranks)
            return _to_one(apart * (apart + 1) / 2)

        return self._table(matrix, len(categories))


@dataclass(frozen=True, repr=False)
class RatioWeights(Distance):
    name: ClassVar[str] = "ratio"
    uses_order: ClassVar[bool] = True
    summary: ClassVar[str] = "1 − ((x − y)/(x + y))²/max"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        return self._table(lambda: _to_one(_ratio(categories.positions)), len(categories))


@dataclass(frozen=True, repr=False)
class WeightMatrix(Matrix):
    name: ClassVar[str] = "matrix"
    summary: ClassVar[str] = 'agreement weights from a CSV: matrix("weights.csv"), 1 on the diagonal'
    meaning: ClassVar[str] = "weights"

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        # Weights are taken as they are, also where none of them is 0.
        table = self._table(lambda: 1.0 - self._chosen(categories), len(categories))
        return Table(table.matrix, largest=1.0)


# -- shared arithmetic -----------------------------------------------------------------------------------------


def _power(weights: Distance, categories: Categories, exponent: float) -> Space:
    x = categories.positions
    width = float(np.ptp(x)) if len(x) else 0.0
    scaled = x / width if width > 0 else x * 0.0
    if exponent == 0:
        return Same(len(categories))
    if exponent == 2:
        return Points.on_line(scaled)
    return weights._table(lambda: np.abs(scaled[:, None] - scaled) ** exponent, len(categories))


def _ratio(x: Floats) -> Floats:
    if (x < 0).any():
        raise DataError(f"the ratio distance needs numbers from 0; {x.min():g} is below")
    total = x[:, None] + x
    quotient = np.divide(x[:, None] - x, total, out=np.zeros_like(total), where=total > 0)
    return quotient**2


def _bipolar(x: Floats) -> Floats:
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, 0.0)
    total = x[:, None] + x
    below = (total - 2 * low) * (2 * high - total)
    square = (x[:, None] - x) ** 2
    return np.divide(square, below, out=np.zeros_like(square), where=below > 0)


def _largest_on_circle(x: Floats, period: float) -> float:
    """The largest sin²: for each position the one nearest to the opposite point."""
    if not len(x):
        return 0.0
    around = np.sort(x % period)
    opposite = (around + period / 2) % period
    after = np.searchsorted(around, opposite) % len(x)
    neighbours = np.stack([around[after], around[after - 1]])
    return float((np.sin(np.pi * (neighbours - around) / period) ** 2).max())


def _to_one(distance: Floats) -> Floats:
    largest = distance.max(initial=0.0)
    return distance / largest if largest > 0 else distance


def _file_name(name: str, file: object) -> None:
    if not isinstance(file, str):
        raise SpecError(f'{name}: name a file, {name}("file.csv"), not {quoted(file)}')


def _check_matrix(values: Floats, labels: tuple[str, ...], where: str, meaning: str) -> None:
    def cell(bad: NDArray[np.bool_]) -> str:
        i, j = np.argwhere(bad)[0]
        return f"{where}: {quoted(labels[i])} and {quoted(labels[j])}"

    if not (np.abs(values) < 1e100).all():
        raise DataError(f"{cell(~(np.abs(values) < 1e100))}: such a large number cannot be reckoned with")
    uneven = ~np.isclose(values, values.T, rtol=0, atol=1e-12)
    if uneven.any():
        i, j = np.argwhere(uneven)[0]
        raise DataError(
            f"{cell(uneven)}: {values[i, j]:g} one way, {values[j, i]:g} the other; the matrix must be symmetric"
        )
    diagonal = 1.0 if meaning == "weights" else 0.0
    off = np.diag(values) != diagonal
    if off.any():
        label = labels[int(np.argmax(off))]
        raise DataError(f"{where}: {quoted(label)} with itself must be {diagonal:g}: {meaning} are expected here")
    bad = (values < 0) | (values > 1) if meaning == "weights" else values < 0
    if bad.any():
        raise DataError(
            f"{cell(bad)}: {meaning} {'lie between 0 and 1' if meaning == 'weights' else 'are not negative'}"
        )


def as_set(label: Label, separator: str = "|") -> frozenset[Label]:
    """A label as a set: `a|b` → {a, b}; the empty text is the empty set."""
    if isinstance(label, frozenset):
        return label
    if isinstance(label, str):
        return frozenset(part.strip() for part in label.split(separator) if part.strip())
    return frozenset([label])


# -- the catalogues --------------------------------------------------------------------------------------------

DISTANCES: tuple[type[Distance], ...] = (
    Nominal,
    Ordinal,
    IntervalDistance,
    Ratio,
    Circular,
    Bipolar,
    Jaccard,
    Dice,
    Passonneau,
    Masi,
    MasiNltk,
    MelamedResnik,
    GeertzenBunt,
    Matrix,
)

WEIGHTS: tuple[type[Distance], ...] = (
    Nominal,
    Linear,
    Quadratic,
    Radical,
    OrdinalWeights,
    RatioWeights,
    Circular,
    Bipolar,
    Power,
    WeightMatrix,
)


def distance(given: object) -> Distance:
    """A distance from its spec, a value, or a matrix."""
    return _chosen("distance", given, DISTANCES, Matrix)


def weights(given: object) -> Distance:
    """Agreement weights from their spec, a value, or a matrix."""
    return _chosen("weights", given, WEIGHTS, WeightMatrix)


def _chosen(kind: str, given: object, catalogue: tuple[type[Distance], ...], matrix: type[Matrix]) -> Distance:
    if isinstance(given, Distance):
        if not isinstance(given, catalogue):
            raise SpecError(f"{given} is not one of the {kind}: {', '.join(c.name for c in catalogue)}")
        return given
    if isinstance(given, str):
        given = parse(given)
    if isinstance(given, Call):
        other, named = (WEIGHTS, "weights") if kind == "distance" else (DISTANCES, "distance")
        if not _has(given.name, catalogue) and _has(given.name, other):
            raise SpecError(f"{given.name} is no {kind}: write {named}={given}")
        return build(kind, given, catalogue)
    if isinstance(given, Mapping):
        return _from_pairs(given, matrix)
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.zeros(0)
    if rows.ndim != 2:
        raise SpecError(f"{kind} {quoted(given)}: give a name, a square matrix of numbers, or pairs of labels")
    return matrix(rows=tuple(tuple(row) for row in rows.tolist()))


def _has(name: str, catalogue: tuple[type[Distance], ...]) -> bool:
    return any(name.lower() in (cls.name, *cls.aliases) for cls in catalogue)


def _from_pairs(given: Mapping[object, object], matrix: type[Matrix]) -> Distance:
    """{("a", "b"): 0.5, …}: the other direction and the diagonal follow."""
    pairs: dict[tuple[Label, Label], float] = {}
    for pair, value in given.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(value, int | float):
            raise SpecError('pairs of labels are written {("a", "b"): 0.5, …}')
        pairs[plain(pair[0]), plain(pair[1])] = float(value)
    labels = list(dict.fromkeys(label for pair in pairs for label in pair))
    same = 1.0 if matrix is WeightMatrix else 0.0
    rows = []
    for a in labels:
        row = []
        for b in labels:
            value = same if a == b else pairs.get((a, b), pairs.get((b, a)))
            if value is None:
                raise SpecError(f"no value for the pair {quoted(a)}, {quoted(b)}")
            row.append(float(value))
        rows.append(tuple(row))
    return matrix(labels=tuple(labels), rows=tuple(rows))
