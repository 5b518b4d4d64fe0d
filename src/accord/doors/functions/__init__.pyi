"""Written by `make stub`. Do not edit: change the measures or the declaration of `score`."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, Unpack

from accord.core.result import NamedScores, Score
from accord.doors.functions.making import DistanceLike, FeaturesLike, PairLike, SimilarityLike
from accord.measures.dissimilarities import Custom

class _Options(TypedDict, total=False):
    interval: str
    level: float
    replicates: int
    items_population: int | None
    annotators_population: int | None
    null: float | str | None
    seed: int
    progress: Callable[[str, int, int], None] | None
    jobs: int | None
    by: str | Sequence[str]
    layout: str | None
    item: str | None
    annotator: str | None
    label: str | Sequence[Any] | None
    role: str | Sequence[Any] | None
    anonymous: bool
    missing: str | Sequence[Any] | None
    keep_empty: bool
    fold: str | Sequence[Any] | None
    sets: str | None
    measurement: str | Sequence[Any] | None
    categories: str | Sequence[Any] | None
    repeats: Literal['error', 'first', 'last', 'trials']
    only: str | Sequence[Any] | None
    annotators: str | Sequence[Any] | None
    merge: str | Sequence[Any] | None
    encoding: str | None
    delimiter: str | None
    sheet: str | None
    table: str | None
    doc: str | None
    start: str | None
    end: str | None
    end_is_length: bool
    docs: Any
    judged: Any
    base: Any
    texts: Any
    merge_symbol: str
    split_symbol: str
    format: str | None
    no_header: bool
    annotators_in: str | None
    columns: str | None
    names: str | None
    repair: bool
    extents: Any
    reading: Any

def percent(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Percent agreement."""

def s(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Bennett's S (Brennan–Prediger)."""

def pi(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Scott's π (Fleiss's κ, K)."""

def kappa(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Cohen's κ (Davies–Fleiss, Conger)."""

def alpha(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Krippendorff's α."""

def ac(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Gwet's AC1/AC2."""

def cronbach(data: Any, second: Any = None, *, standardised: bool = False, **options: Unpack[_Options]) -> Score:
    """Cronbach's α, consistency of a sum."""

def icc(data: Any, second: Any = None, *, form: str | int = "2", **options: Unpack[_Options]) -> Score:
    """intraclass correlation, six forms."""

def lin(data: Any, second: Any = None, **options: Unpack[_Options]) -> Score:
    """Lin's concordance correlation."""

def kendall_w(data: Any, second: Any = None, **options: Unpack[_Options]) -> Score:
    """Kendall's W, the same order."""

def gamma(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "auto",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    reference: str | None = None,
    exact_chance: bool = False,
    **options: Unpack[_Options],
) -> Score:
    """γ, agreement on units and their labels."""

def gamma_cat(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "frequencies",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    **options: Unpack[_Options],
) -> Score:
    """γ_cat, agreement on the labels of aligned units."""

def gamma_k(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "frequencies",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    category: str | None = None,
    **options: Unpack[_Options],
) -> Score:
    """γ_k, agreement on one category of aligned units."""

def alpha_u(data: Any, *, grain: float | None = None, overlaps: str = "error", **options: Unpack[_Options]) -> Score:
    """α_U, agreement on the boundaries of units, by category."""

def u_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    form: int = 2016,
    **options: Unpack[_Options],
) -> Score:
    """uα, agreement on where units and gaps are."""

def bar_u_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    **options: Unpack[_Options],
) -> Score:
    """|uα, units against gaps."""

def cu_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    distance: DistanceLike | None = None,
    form: int = 2016,
    **options: Unpack[_Options],
) -> Score:
    """cuα, agreement on the labels of common passages."""

def ku_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    distance: DistanceLike | None = None,
    form: int = 2016,
    category: str | None = None,
    **options: Unpack[_Options],
) -> Score:
    """(k)uα, agreement on one category of common passages."""

def theta(
    data: Any,
    *,
    random: float = 0.5,
    scale: str = "nominal",
    zones: str = "joined",
    unpaired: str = "gap",
    grain: float | None = None,
    overlaps: str = "error",
    **options: Unpack[_Options],
) -> Score:
    """θ_G, agreement on zones and their labels."""

def ser(
    data: Any,
    *,
    reference: str | None = None,
    per: str = "reference",
    overlap: bool = True,
    **options: Unpack[_Options],
) -> Score:
    """SER, the slot error rate."""

def f1(
    data: Any,
    *,
    reference: str | None = None,
    match: str = "exact",
    labels: bool = True,
    **options: Unpack[_Options],
) -> Score:
    """F1 between annotators."""

def kappa_d(
    data: Any,
    *,
    atom: float | None = None,
    overlaps: str = "error",
    coefficient: str | None = None,
    **options: Unpack[_Options],
) -> Score:
    """κ_d, κ over the atoms of the continuum."""

def alpha_d(
    data: Any,
    *,
    atom: float | None = None,
    overlaps: str = "error",
    coefficient: str | None = None,
    **options: Unpack[_Options],
) -> Score:
    """α_d, α over the atoms of the continuum."""

def pk(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    k: int | None = None,
    window: str = "half_mean",
    **options: Unpack[_Options],
) -> Score:
    """P_k, segmentation error."""

def window_diff(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    k: int | None = None,
    window: str = "half_mean",
    weighted: bool = False,
    lamprier: bool | str = False,
    **options: Unpack[_Options],
) -> Score:
    """WindowDiff, segmentation error."""

def ghd(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
    normalised: bool | str = False,
    limit: float | None = None,
    **options: Unpack[_Options],
) -> Score:
    """Generalised Hamming distance."""

def boundary_edit_distance(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    **options: Unpack[_Options],
) -> Score:
    """Boundary edit distance."""

def boundary_similarity(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    **options: Unpack[_Options],
) -> Score:
    """Boundary similarity B."""

def segmentation_similarity(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    **options: Unpack[_Options],
) -> Score:
    """Segmentation similarity S."""

def pi_star(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    on: SimilarityLike | None = None,
    rates: str = "pooled",
    **options: Unpack[_Options],
) -> Score:
    """π*, chance-corrected boundary similarity."""

def kappa_star(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    on: SimilarityLike | None = None,
    rates: str = "pooled",
    **options: Unpack[_Options],
) -> Score:
    """κ*, chance-corrected boundary similarity."""

def alpha_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    **options: Unpack[_Options],
) -> Score:
    """α over potential boundaries."""

def pi_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    **options: Unpack[_Options],
) -> Score:
    """K (multi-π) over potential boundaries."""

def kappa_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    **options: Unpack[_Options],
) -> Score:
    """κ over potential boundaries."""

def text_gamma(
    data: Any,
    *,
    features: FeaturesLike | None = None,
    distance: DistanceLike | None = None,
    text: DistanceLike | None = None,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    p_t: float | None = None,
    p_s: float | None = None,
    prior_t: PairLike | None = None,
    prior_s: PairLike | None = None,
    gaps: bool = False,
    fold_unicode: bool = False,
    samples: int = 30,
    precision: float = 0.02,
    **options: Unpack[_Options],
) -> Score:
    """tγ, agreement on text, tokens and their labels."""

def chain_alpha(
    data: Any,
    *,
    distance: str = "passonneau",
    unmarked: str = "differs",
    **options: Unpack[_Options],
) -> Score:
    """Krippendorff's α on coreference chains."""

def link_alpha(data: Any, **options: Unpack[_Options]) -> Score:
    """Krippendorff's α on coreference links."""

def muc(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """MUC F1 between annotators."""

def b_cubed(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """B³ F1 between annotators."""

def ceaf_e(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """Entity CEAF (φ₄) F1 between annotators."""

def conll(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """CoNLL score between annotators."""

def blanc(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """BLANC between annotators."""

def links_f1(data: Any, *, reference: str | None = None, singletons: bool = True, **options: Unpack[_Options]) -> Score:
    """F1 of coreference links."""

def icc_forms(data: Any, second: Any = None, **options: Unpack[_Options]) -> NamedScores:
    """All six forms of the intraclass correlation, by name."""
