"""Wording of a methods section: measure and form, chance model, value and interval."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.answers.citing.bibliography import graded
from accord.core.errors import counted
from accord.core.prose import Phrase, Style
from accord.core.result import Score
from accord.core.spec import written
from accord.core.tables import Interval, percent
from accord.measures.measure import Measure

NAMES: dict[str, str] = {
    "percent": "percent agreement",
    "s": "Bennett's S",
    "pi": "Scott's π",
    "kappa": "Cohen's κ",
    "alpha": "Krippendorff's α",
    "ac": "Gwet's AC1",
    "cronbach": "Cronbach's α",
    "icc": "the intraclass correlation",
    "lin": "Lin's concordance correlation",
    "kendall_w": "Kendall's W",
    "gamma": "γ",
    "gamma_cat": "γ_cat",
    "gamma_k": "γ_k",
    "alpha_u": "Krippendorff's α_U",
    "u_alpha": "Krippendorff's uα",
    "bar_u_alpha": "Krippendorff's |uα",
    "cu_alpha": "Krippendorff's cuα",
    "ku_alpha": "Krippendorff's (k)uα",
    "theta": "Gwet's θ_G",
    "ser": "the slot error rate",
    "f1": "F1 between annotators",
    "kappa_d": "κ over the atoms of the continuum",
    "alpha_d": "α over the atoms of the continuum",
    "pk": "P_k",
    "window_diff": "WindowDiff",
    "ghd": "the generalised Hamming distance",
    "boundary_edit_distance": "boundary edit distance",
    "boundary_similarity": "boundary similarity",
    "segmentation_similarity": "segmentation similarity",
    "pi_star": "π*",
    "kappa_star": "κ*",
    "alpha_boundaries": "Krippendorff's α over potential boundaries",
    "pi_boundaries": "multi-π over potential boundaries",
    "kappa_boundaries": "κ over potential boundaries",
    "text_gamma": "tγ",
    "chain_alpha": "Krippendorff's α on chains of coreference",
    "link_alpha": "Krippendorff's α on links of coreference",
    "muc": "MUC F1 between annotators",
    "b_cubed": "B³ F1 between annotators",
    "ceaf_e": "entity CEAF F1 between annotators",
    "conll": "the CoNLL score between annotators",
    "blanc": "BLANC between annotators",
    "links_f1": "F1 of coreference links",
}
_SYMBOLS = {"cronbach": "α", "chain_alpha": "α", "link_alpha": "α", "links_f1": "F1", "percent": "agreement",
            "boundary_edit_distance": "BED"}  # fmt: skip
# By method of interval. `{noun}` is the resampled unit, `{replicates}` the number of replicates.
METHODS: dict[str, str] = {
    "linearised": "the linearised standard error over items and the t distribution",
    "added": "the linearised standard error with pseudo-items of the weight of two items and the t distribution",
    "carried": "the linearised standard error over items and the t distribution with the effective number of items",
    "dirichlet": "percentiles of a Dirichlet posterior with a prior of the weight of two items, {replicates} draws",
    "unconditional": "the standard error over items and annotators and the normal distribution",
    "bootstrap": "the percentile bootstrap over {noun}s with {replicates} replicates",
    "bca": "the BCa bootstrap over {noun}s with {replicates} replicates",
    "jackknife": "the jackknife over {noun}s and the t distribution",
    "blocks": "the block bootstrap over stretches of one continuum with {replicates} replicates",
    "formula": "the formula of the measure",
    "fleiss_cohen_everitt": "the large-sample standard error and the normal distribution",
    "donner_eliasziw": "inversion of a χ² goodness-of-fit test",
    "hayes_krippendorff": "the bootstrap over pairs of labels with {tenfold} replicates",
    "krippendorff_2013": "the bootstrap over pairs of labels with the number of draws of 2013 and {tenfold} replicates",
    "table": "the linearised standard error from the contingency table and the t distribution",
    "irrcac": "the linearised standard error as in irrCAC and the t distribution",
    "monte_carlo": "the normal distribution of the mean of the random samples",
}
# Distances with a special name. The others have their name in a spec.
DISTANCES: dict[str, str] = {
    "jaccard": "Jaccard distance",
    "dice": "Dice distance",
    "passonneau": "Passonneau's distance",
    "masi": "MASI distance d_P·d_J",
    "masi_nltk": "MASI distance 1 − J·M, as in NLTK",
    "melamed_resnik": "Melamed and Resnik's distance",
    "geertzen_bunt": "Geertzen and Bunt's distance",
    "extended_senses": "the distance of extended senses",
    "levenshtein": "Levenshtein distance",
}
_WINDOWS = {
    "half_mean": "half the mean length of the reference's segments",
    "segeval": "half the mean length of segments, as in segeval",
    "nltk": "half the mean length of segments, as in NLTK",
}
_SETTINGS = {  # options with a special wording
    ("soft", True): "a soft alignment",
    ("singletons", False): "singletons excluded",
    ("standardised", True): "standardised numbers",
    ("lamprier", True): "windows beyond the ends of the text",
    ("unmarked", "absent"): "mentions marked only by other annotators excluded",
    ("unmarked", "singleton"): "mentions marked only by other annotators as singletons",
}
_ICC = {
    "1": "one-way random effects",
    "2": "two-way random effects, absolute agreement",
    "3": "two-way mixed effects, consistency",
}
_CHANCE = {
    "mix": "chance from combining annotations of different documents",
    "shift": "chance from annotations shifted along their documents",
    "statistical": "chance from random units with the observed numbers, gaps, lengths and frequencies",
    "frequencies": "chance from the frequencies of labels",
}
_IN_GAMMA = ("positional", "categorical", "delta", "distance", "chance", "samples", "precision", "dissimilarity")
_SAID = {  # options with a separate wording
    "gamma": _IN_GAMMA,
    "gamma_cat": _IN_GAMMA,
    "gamma_k": (*_IN_GAMMA, "category"),
    "ku_alpha": ("category", "distance"),
    "cu_alpha": ("distance",),
    "text_gamma": ("features", "distance", "text", "p_t", "p_s", "samples", "precision"),
    "icc": ("form",),
    "pk": ("k", "window"),
    "window_diff": ("k", "window"),
}
_COUNTED = {"categories": "category", "units": "unit", "tokens": "token", "boundaries": "boundary",
            "mentions": "mention"}  # fmt: skip


@dataclass(frozen=True)
class Signed:
    """Contents of a signature besides the spec: `accord 0.1.0 | alpha | linearised 0.95 | seed 0 | data …`."""

    version: str | None = None
    replicates: int | None = None
    seed: str | None = None
    method: str = ""  # of the requested interval
    level: float | None = None  # of the interval; None: no interval
    populations: tuple[str, ...] = ()  # populations of the sample: 200 items
    tests: bool = False  # a test of a given value, or permutations

    @classmethod
    def of(cls, signature: str) -> Signed:
        if not signature:
            return cls()
        # Split from the right, because a spec may contain a path with any character.
        head, how, seed, _ = signature.rsplit(" | ", 3)
        words = how.split()
        replicates = int(words[words.index("replicates") - 1]) if "replicates" in words else None
        populations = tuple(" ".join(words[k + 1 : k + 3]) for k, word in enumerate(words) if word == "of")
        version = head.partition(" | ")[0].removeprefix("accord ")
        method, level = ("", None) if words[0] == "no" else (words[0], float(words[1]))
        return cls(version, replicates, seed.removeprefix("seed "), method, level, populations, "against" in words)


def symbol(measure: Measure) -> str:
    """Return the symbol before the equals sign: α, ICC(2,1), AC2."""
    if measure.name == "icc":
        return f"ICC({_form(measure)[0]},{'k' if _form(measure).endswith('k') else '1'})"
    if measure.name == "ac":
        return "AC2" if graded(measure) else "AC1"
    return _SYMBOLS.get(measure.name) or measure.symbol or measure.name


def named(measure: Measure, annotators: int | None) -> str:
    """Return the usual name of the measure in the form that was used."""
    many = annotators is not None and annotators > 2
    if measure.name == "kappa":
        name = "weighted κ" if graded(measure) else "κ"
        return f"{name} for more than two annotators" if many else f"Cohen's {name}"
    if measure.name == "pi":
        return "Fleiss's κ, or multi-π" if many else "Scott's π"
    if measure.name == "ac":
        return f"Gwet's {symbol(measure)}"
    if measure.name == "icc":
        of = "mean of all annotators" if _form(measure).endswith("k") else "single annotator"
        return f"the intraclass correlation {symbol(measure)}, {_ICC[_form(measure)[0]]}, {of}"
    return NAMES[measure.name]


def _form(measure: Measure) -> str:
    return str(getattr(measure, "form", "2"))


def form(measure: Measure, score: Score, function: str = "") -> str:
    """Describe the form: distance or weights, dissimilarity, options, chance model and samples."""
    facts = score.details
    made: list[str] = []
    if measure.name in {"gamma", "gamma_cat", "gamma_k"}:
        made += [f"a custom dissimilarity ({function})"] if function else _dissimilarity(measure, facts)
    elif measure.name == "text_gamma":
        made += _texts(facts)
    elif (weights := getattr(measure, "weights", None)) is not None and graded(measure):
        made.append(_called(weights, "weights"))
    elif (distance := getattr(measure, "distance", None)) is not None:
        made.append(_called(distance, "distance"))
    elif "distance" in facts and measure.name in {"alpha", "cu_alpha", "ku_alpha"}:
        made.append(_called(facts["distance"], "distance"))
    if getattr(measure, "category", None) is not None:
        made.append(f"category {written(measure.category)}")  # type: ignore[attr-defined]
    if measure.name in {"pk", "window_diff"}:
        made.append(_window(measure, facts))
    made += _options(measure)
    made += _chance(facts)
    return ", ".join(filter(None, made))


def _called(spec: object, noun: str) -> str:
    """Name a distance: ordinal distance, Passonneau's distance, circular distance with period=12."""
    name, _, settings = str(spec).partition("(")
    said = DISTANCES.get(name) if noun == "distance" else None
    return (said or f"{name} {noun}") + (f" with {settings.removesuffix(')')}" if settings else "")


def _dissimilarity(measure: Any, facts: Mapping[str, Any]) -> list[str]:
    return [
        f"positional and categorical dissimilarity (weights {measure.positional:g} and {measure.categorical:g}, "
        f"Δ∅ = {measure.delta:g})",
        f"{_called(facts.get('distance', measure.distance or 'nominal'), 'distance')} between labels",
    ]


def _texts(facts: Mapping[str, Any]) -> list[str]:
    features = facts.get("features") or {}
    distances = {"text": facts.get("text_distance", "nominal"), **features}
    return [f"{_called(distance, 'distance')} of {name}" for name, distance in distances.items()]


def _window(measure: Any, facts: Mapping[str, Any]) -> str:
    found = facts.get("k", measure.k)
    sizes = found if isinstance(found, Sequence) else [found]
    shown = " to ".join(dict.fromkeys(str(size) for size in (sizes[0], sizes[-1]))) if sizes else ""
    how = "" if measure.k is not None else f", {_WINDOWS[measure.window]}"
    return f"k = {shown}{how}"


def _options(measure: Measure) -> list[str]:
    """Describe the other options that differ from their defaults, in words or as settings of the spec."""
    said = {"weights", "distance", *_SAID.get(measure.name, ())}
    values = {
        field.name: getattr(measure, field.name)
        for field in dataclasses.fields(measure)
        if field.name not in said and getattr(measure, field.name) != field.default
    }
    words = {name: _SETTINGS.get((name, value)) for name, value in values.items() if isinstance(value, bool | str)}
    settings = [f"{name}={written(value)}" for name, value in values.items() if not words.get(name)]
    noun = "the setting" if len(settings) == 1 else "the settings"
    return [*filter(None, words.values()), *([f"{noun} {' and '.join(settings)}"] if settings else [])]


def _chance(facts: Mapping[str, Any]) -> list[str]:
    """Describe the chance model and its samples."""
    if "chance" not in facts:
        return []
    made = [_by_chance(facts["chance"])]
    if "p_t" in facts:
        made.append(f"p_t = {facts['p_t']:.3g} and p_s = {facts['p_s']:.3g}")
    if facts.get("combinations"):
        made.append(f"all {facts['combinations']:,} combinations")
    if facts.get("samples"):
        made.append(f"{facts['samples']:,} random samples for a precision of {facts['precision']:g}")
    return made


def _by_chance(models: str) -> str:
    """Name the chance model. Documents may need several: `mix or shift`."""
    return " or ".join(_CHANCE.get(model, f"chance from {model}") for model in models.split(" or "))


def value(score: Score, measure: Measure, style: Style, sign: str | None = None) -> list[Phrase]:
    """Format the value: `α = 0.760, 95% CI [0.672, 0.848]`, or the reason why it is undefined."""
    sign = symbol(measure) if sign is None else sign
    latin = style.italics and len(sign) == 1 and sign.isascii()
    made = [Phrase(sign, "italic" if latin else "plain")]
    if math.isnan(score.value):
        return [*made, Phrase(f" undefined ({score.undefined or 'the measure gives no reason'})")]
    bounded = score.kind == "agreement"
    made.append(Phrase(f" = {style.number(score.value, bounded)}"))
    if Signed.of(score.signature).tests and score.p is not None:
        made += [Phrase(", "), Phrase("p", "italic" if style.italics else "plain"), Phrase(_tested(score, style))]
    if score.interval is not None:
        made.append(
            Phrase(
                f", {interval_named(score.interval)} {style.limits(score.interval.low, score.interval.high, bounded)}"
            )
        )
    return [*made, Phrase(_without(score))]


def _without(score: Score) -> str:
    """Give the reason for a missing interval that was requested: `, without a 95% CI (…)`."""
    signed = Signed.of(score.signature)
    if score.interval is not None or signed.level is None:
        return ""
    reason = str(score.details.get("interval", "")).partition(": ")[2].partition(";")[0]
    without = f", without a {percent(signed.level)} CI"
    return f"{without} ({reason})" if reason else f"{without} by {_by(signed.method, score, signed)}"


def _tested(score: Score, style: Style) -> str:
    """Format a requested test: ` = .022 for a value of 0.4 (by the linearised interval)`."""
    return style.set(score.tested.removeprefix("p"))


def interval_named(interval: Interval) -> str:
    """Name the interval: 95% CI, credible interval, or Monte Carlo interval."""
    kinds = {"dirichlet": "credible interval", "monte_carlo": "Monte Carlo interval"}
    return f"{percent(interval.level)} {kinds.get(interval.method, 'CI')}"


def method(score: Score) -> str:
    """Describe the method of the interval; empty without an interval."""
    if score.interval is None:
        return ""
    signed = Signed.of(score.signature)
    how = _by(score.interval.method, score, signed)
    drawn = " and ".join(f"{int(n):,} {what}" for n, what in map(str.split, signed.populations))
    return f"{how}, corrected for a population of {drawn}" if drawn else how


def _by(name: str, score: Score, signed: Signed) -> str:
    noun, many = (compared(score) or ("item",))[0], signed.replicates or 0
    return METHODS[name].format(noun=noun, replicates=f"{many:,}", tenfold=f"{10 * many:,}")


def compared(score: Score) -> tuple[str, int, int] | None:
    """Return the compared things, their number and the total; None if the score does not contain them."""
    for noun in ("document", "item"):
        if f"{noun}s_compared" in score.details:
            return noun, int(score.details[f"{noun}s_compared"]), int(score.details[f"{noun}s"])
    return None


def annotators_of(score: Score) -> str:
    many = score.details.get("annotators")
    return counted(int(many), "annotator") if many else ""


def number_of(score: Score) -> str:
    """Return "53 of 54 items"; empty if the score does not contain the numbers."""
    found = compared(score)
    if found is None:
        return ""
    noun, some, all_ = found
    return counted(some, noun) if some == all_ else f"{some:,} of {counted(all_, noun)}"


def more_of(score: Score) -> list[str]:
    """Return further counts: 5 categories, 192 units. Numbers on a scale are no categories."""
    without = {"categories"} if score.details.get("distance") in {"interval", "ratio"} else set()
    return [
        counted(int(many), noun)
        for plural, noun in _COUNTED.items()
        if (many := score.details.get(plural)) and plural not in without
    ]
