"""Words with an order: low < medium < high, strongly disagree < agree, months, stage I < stage II, 18-24 < 25-34.

`recognise_scale` returns labels in the order of their scale. It is strict, because a wrong order gives wrong values:
all labels must be on one scale, and words that are also names of categories (positive, neutral, negative; yes, no,
maybe; agree, disagree) are a scale only beside a word that shows degrees, such as "very" or "strongly".
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accord.core.errors import quoted


@dataclass(frozen=True)
class WordScale:
    """Labels in the order of a scale."""

    order: tuple[str, ...]
    reason: str
    period: float | None = None  # of weekdays and months


# Each scale from lowest to highest; words in one entry are synonyms. Without one of the words after it, the labels may
# be names of categories.
_SCALES: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = tuple(
    (tuple(words.split(", ")), frozenset(needs.split(", ")) if needs else frozenset())
    for words, needs in (
        ("none, very low, low, medium low, middle/medium/moderate/mid, medium high, high, very high", "low, high"),
        ("none/absent, trace, minimal, very mild, mild, moderate, marked, severe, very severe, extreme/critical",
         "mild, severe"),
        ("never, almost never, rarely/seldom, sometimes/occasionally, often/frequently, usually, almost always, always",
         ""),
        ("completely disagree/totally disagree, strongly disagree, disagree, somewhat disagree/slightly disagree, "
         "neutral/undecided/neither/neither agree nor disagree, somewhat agree/slightly agree, agree, strongly agree, "
         "completely agree/totally agree",
         "strongly disagree, strongly agree, somewhat disagree, somewhat agree, slightly disagree, slightly agree, "
         "completely disagree, completely agree, totally disagree, totally agree"),
        ("very negative/strongly negative, negative, somewhat negative/slightly negative/weakly negative, "
         "neutral/mixed, somewhat positive/slightly positive/weakly positive, positive, "
         "very positive/strongly positive",
         "very negative, very positive, strongly negative, strongly positive, somewhat negative, somewhat positive, "
         "slightly negative, slightly positive, weakly negative, weakly positive"),
        ("terrible/awful, very bad/very poor, bad/poor, fair, ok/okay/average/mediocre/acceptable, good, very good, "
         "excellent/outstanding/perfect", ""),
        ("very small/tiny, small, medium, large/big, very large/huge", "small, large, big"),
        ("beginner/novice, elementary, intermediate, advanced, expert", ""),
        ("very easy, easy, medium/moderate, hard/difficult, very hard/very difficult", "easy"),
        ("very weak, weak, moderate/medium, strong, very strong", "weak"),
        ("very short, short, medium, long, very long", "short"),
        ("impossible, very unlikely, unlikely, possible, likely/probable, very likely, certain", "unlikely, likely"),
        ("very dissatisfied, dissatisfied, neutral/neither, satisfied, very satisfied",
         "very dissatisfied, very satisfied"),
        ("never true, not at all, a little/slightly/a little bit, somewhat, moderately, quite a bit/mostly, "
         "very/very much/a lot, extremely/completely", ""),
        ("not relevant/irrelevant, marginally relevant, somewhat relevant/partially relevant/partly relevant, "
         "relevant, highly relevant/very relevant, perfectly relevant",
         "marginally relevant, somewhat relevant, partially relevant, partly relevant, highly relevant, "
         "very relevant, perfectly relevant"),
        ("no, rather no, partly/partially, rather yes, yes", "partly, partially, rather no, rather yes"),
        ("a1, a2, b1, b2, c1, c2", ""),
        ("sd, d, n, a, sa", "sd, sa"),
        ("xxs, xs, s, m, l, xl, xxl", "xs, xl"),
        ("très faible, faible, moyen/moyenne, élevé/élevée/fort/forte, très élevé/très élevée/très fort/très forte",
         "faible"),
        ("jamais, rarement, parfois, souvent, toujours", ""),
        ("pas du tout d'accord, pas d'accord/plutôt pas d'accord, neutre/ni d'accord ni pas d'accord, "
         "d'accord/plutôt d'accord, tout à fait d'accord", "pas du tout d'accord, tout à fait d'accord"),
        ("muy bajo/muy baja, bajo/baja, medio/media/moderado/moderada, alto/alta, muy alto/muy alta", "bajo, baja"),
        ("nunca, casi nunca/rara vez/raramente, a veces/às vezes, a menudo/frecuentemente/frequentemente, "
         "siempre/sempre", ""),
        ("totalmente en desacuerdo/muy en desacuerdo, en desacuerdo, neutral/ni de acuerdo ni en desacuerdo, "
         "de acuerdo, totalmente de acuerdo/muy de acuerdo",
         "totalmente en desacuerdo, muy en desacuerdo, totalmente de acuerdo, muy de acuerdo"),
        ("molto basso/molto bassa, basso/bassa, medio/media, alto/alta, molto alto/molto alta", "basso, bassa"),
        ("muito baixo/muito baixa, baixo/baixa, médio/média, alto/alta, muito alto/muito alta", "baixo, baixa"),
        ("zeer laag, laag, gemiddeld/midden, hoog, zeer hoog", "laag"),
        ("nie, selten, manchmal, oft/häufig, meistens, immer", ""),
        ("keine, sehr niedrig/sehr gering, niedrig/gering, mittel, hoch, sehr hoch", "niedrig, gering, hoch"),
        ("trifft nicht zu/trifft gar nicht zu/trifft überhaupt nicht zu, trifft eher nicht zu, teils/teils teils, "
         "trifft eher zu, trifft zu, trifft voll zu/trifft völlig zu", ""),
        ("stimme gar nicht zu/stimme überhaupt nicht zu, stimme nicht zu, stimme eher nicht zu, neutral/teils teils, "
         "stimme eher zu, stimme zu, stimme voll zu/stimme völlig zu",
         "stimme gar nicht zu, stimme überhaupt nicht zu, stimme eher nicht zu, stimme eher zu, stimme voll zu, "
         "stimme völlig zu"),
    )
)  # fmt: skip
_CYCLES: tuple[tuple[str, ...], ...] = (
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
     "dezember"),
    ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
)  # fmt: skip
_DEGREES = ("not", "not at all", "minimally", "barely", "slightly", "a little", "a bit", "mildly", "somewhat", "partly",
            "partially", "fairly", "moderately", "mostly", "", "quite", "very", "highly", "strongly", "extremely",
            "completely")  # fmt: skip
_UPPER = _DEGREES.index("slightly")  # degrees from here on show a scale; "not" only shows the opposite
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_NUMBERED = re.compile(
    r"(?:stage|stadium|grade|level|degree|phase|tier|step|rank|stufe|grad) ?(\d{1,2}|[ivx]{1,4})([a-d]?)"
)
_STARS = re.compile(r"(\d(?:\.5)?) ?(?:stars?|points?|sterne?|punkte?)")
_RANGE = re.compile(r"(\d+(?:\.\d+)?) ?(?:-|–|to|bis) ?(\d+(?:\.\d+)?)")
_BELOW = re.compile(r"(?:<|<=|≤|under|below|up to) ?(\d+(?:\.\d+)?)")
_ABOVE = re.compile(r"(?:>|>=|≥|over|above) ?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?(?:\+|and more|and over|or more)")
_FEWEST = 3  # with two labels, an order changes no value
_MOST = 24


def recognise_scale(labels: Sequence[object]) -> WordScale | None:
    """Return labels in the order of their scale; None if they are not on one scale or are fewer than three."""
    if not _FEWEST <= len(labels) <= _MOST or not all(isinstance(label, str) for label in labels):
        return None
    names = [str(label) for label in labels]
    words = {name: _plain(name) for name in names}
    if len(set(words.values())) < len(names) or "" in words.values():
        return None  # Low and low: the user must decide whether they are the same
    for recognise in (_by_words, _by_cycle, _by_degrees, _by_number, _by_range):
        found = recognise(list(words.values()))
        if found is not None:
            rank, what, period = found
            order = tuple(sorted(names, key=lambda name: rank[words[name]]))
            shown = " < ".join(order[:8]) + (" …" if len(order) > 8 else "")
            return WordScale(order, f"{what}: {shown}", period)
    return None


_Found = tuple[Mapping[str, float], str, float | None] | None


def _plain(name: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)  # VeryLow
    return re.sub(r"[\s_\-/]+", " ", words.casefold()).strip(" .!")


def _by_words(words: Sequence[str]) -> _Found:
    for scale, needs in _SCALES:
        rank = {_plain(word): k for k, entry in enumerate(scale) for word in entry.split("/")}
        if all(word in rank for word in words) and (not needs or needs & set(words)):
            ranks = {word: float(rank[word]) for word in words}
            return (ranks, "words with an order", None) if len(set(ranks.values())) == len(words) else None
    return None


def _by_cycle(words: Sequence[str]) -> _Found:
    for cycle in _CYCLES:
        if all(word in cycle for word in words):
            what = "names of months" if len(cycle) == 12 else "names of weekdays"
            return {word: float(cycle.index(word)) for word in words}, what, float(len(cycle))
    return None


def _by_degrees(words: Sequence[str]) -> _Found:
    """Recognise degrees of one word: not toxic < somewhat toxic < very toxic."""
    for stem in sorted({word.rpartition(" ")[2] for word in words}):
        rank = {f"{degree} {stem}".strip(): float(k) for k, degree in enumerate(_DEGREES)}
        for prefix in ("un", "ir", "im", "in", "non"):
            rank.setdefault(prefix + stem, 0.0)
        above = [word for word in words if rank.get(word, 0.0) >= _UPPER and word != stem]
        if above and all(word in rank for word in words) and len({rank[word] for word in words}) == len(words):
            return {word: rank[word] for word in words}, f"degrees of {quoted(stem)}", None
    return None


def _by_number(words: Sequence[str]) -> _Found:
    """Recognise stage I, stage II; grade 1, grade 2; 3 stars; and Roman numerals."""
    for parse, what in ((_stage, "numbered stages"), (_stars, "numbers of stars"), (_roman, "Roman numerals")):
        ranks = {word: parse(word) for word in words}
        if len(set(ranks.values())) == len(words) and not any(math.isnan(rank) for rank in ranks.values()):
            return ranks, what, None
    return None


def _stage(word: str) -> float:
    found = _NUMBERED.fullmatch(word)
    if found is None:
        return math.nan
    number = float(found[1]) if found[1].isdecimal() else _ROMAN.get(found[1], math.nan)
    return number + (ord(found[2]) - ord("a") + 1) / 10 if found[2] else number


def _stars(word: str) -> float:
    found = _STARS.fullmatch(word)
    return math.nan if found is None else float(found[1])


def _roman(word: str) -> float:
    return float(_ROMAN.get(word, math.nan))


def _by_range(words: Sequence[str]) -> _Found:
    """Recognise ranges of numbers that do not overlap: under 18, 18-24, 25-34, 65+."""
    limits: dict[str, tuple[float, float]] = {}
    for word in words:
        text = word.replace(",", "")
        parsed = _inside(text) or _below(text) or _above(text)
        if parsed is None:
            return None
        limits[word] = parsed
    ordered = sorted(limits.values())
    if sum(math.isfinite(low) and math.isfinite(high) for low, high in ordered) < 2:
        return None
    apart = all(a[1] <= b[0] for a, b in itertools.pairwise(ordered)) and len(set(ordered)) == len(words)
    return ({word: max(low, -1e300) for word, (low, _) in limits.items()}, "ranges of numbers", None) if apart else None


def _inside(text: str) -> tuple[float, float] | None:
    # _plain turns the hyphen of 18-24 into a space.
    found = _RANGE.fullmatch(text) or re.fullmatch(r"(\d+(?:\.\d+)?) (\d+(?:\.\d+)?)", text)
    return None if found is None or float(found[1]) >= float(found[2]) else (float(found[1]), float(found[2]))


def _below(text: str) -> tuple[float, float] | None:
    found = _BELOW.fullmatch(text)
    return None if found is None else (-math.inf, float(found[1]))


def _above(text: str) -> tuple[float, float] | None:
    found = _ABOVE.fullmatch(text)
    return None if found is None else (float(found[1] or found[2]), math.inf)
