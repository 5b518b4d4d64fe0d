"""Experiments of Mathet et al. 2012 (4), 2015 (6.3) and Barteld et al. 2016 (7), with the settings left open."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from accord.answers.simulate.errors import FRIENDLY
from accord.answers.simulate.generate import Model
from accord.answers.simulate.judging import Judge
from accord.data.model.data import Data
from accord.data.model.texts import Texts
from accord.measures.alignment.sequences import EditCosts, align_sequences
from accord.measures.catalogue import measure
from accord.measures.chance.text_edits import Alphabet, TextVersion, version_of
from accord.measures.distances.matrices import Matrix, WeightMatrix
from accord.measures.items.coefficients import CohenKappa
from accord.measures.units.gamma import Gamma


@dataclass(frozen=True)
class Harbour:
    """The reference for texts: a short story, about as long as the text of Barteld et al. 2016.

    612 tokens, 3,602 characters, 14 part-of-speech tags of Universal Dependencies. `harbour.csv` is a table of units.
    """

    feature: str = "pos"

    def made(self, seed: int = 0) -> Texts:  # noqa: ARG002 - the same for every seed
        """Return the reference, which is also the initial text of the annotators."""
        content = Path(__file__).with_name("harbour.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(content.splitlines()))
        text = ""
        for row in rows:
            text += " " * (int(row["start"]) - len(text)) + row["text"]
        columns = {name: [row[name] for row in rows] for name in ("doc", "annotator", "start", "end", self.feature)}
        places = {name: [int(v) for v in columns[name]] for name in ("start", "end")}
        return Texts.of({**columns, **places}, {(rows[0]["doc"], rows[0]["annotator"]): text})


def alignments_seen(texts: Texts) -> float:
    """Return the mean number of best alignments of the tokens of two versions (Barteld et al. 2016, section 4).

    It compares the versions forwards and backwards, with and without labels. Each comparison finds one of the best
    alignments, so more may exist.
    """
    features, alphabet = tuple(texts.features), Alphabet()
    found = []
    for doc in range(len(texts.docs)):
        first, second = (version_of(texts, v, features, alphabet, gaps=False) for v in texts.versions(doc)[:2])
        ways = [(first, second, True), (_without(first), _without(second), True)]
        ways += [(_turned(a), _turned(b), False) for a, b, _ in ways]
        found.append(len({_pairs(a, b, forwards) for a, b, forwards in ways}))
    return float(np.mean(found))


def _without(version: TextVersion) -> TextVersion:
    return TextVersion(version.letters, version.start, version.end, version.labels[:, :0], version.gap)


def _turned(version: TextVersion) -> TextVersion:
    """Return the version in reverse order."""
    n = len(version.letters)
    return TextVersion(
        version.letters[::-1].copy(),
        n - version.end[::-1],
        n - version.start[::-1],
        version.labels[::-1].copy(),
        version.gap[::-1].copy(),
    )


def _pairs(first: TextVersion, second: TextVersion, forwards: bool) -> bytes:
    costs = EditCosts(tables=(None,) * first.labels.shape[1])
    pairs = align_sequences(first.bounded(), second.bounded(), costs).pairs
    if not forwards:
        pairs = (np.array([len(first.start), len(second.start)]) - 1 - pairs)[::-1]
    return np.ascontiguousarray(pairs, dtype=np.int64).tobytes()


PREVALENCE = (3 / 11, 1 / 11, 2 / 11, 5 / 11)  # matrix B of Table 1, not rounded
TAGS = ("Noun", "Verb", "Adj", "Prep")


class ReferenceSource(Protocol):
    """A generator of a reference."""

    def made(self, seed: int = 0) -> Data: ...


@dataclass(frozen=True)
class Setting:
    """One choice of what a paper leaves open: the reference, and the size of errors at magnitude 1."""

    name: str
    reference: ReferenceSource
    error: Any


@dataclass(frozen=True)
class Experiment:
    """A figure or a panel: an error under several settings, and the compared measures.

    A claim about several experiments uses settings with the same name.
    """

    key: str
    figure: str
    title: str
    settings: tuple[Setting, ...]
    judges: tuple[Judge, ...]
    annotators: int = 3
    with_reference: bool = False  # the reference is one of the annotators
    sets: int | None = None  # number of sets in the paper, if it is smaller


def _named(*pairs: tuple[str, str]) -> tuple[Judge, ...]:
    return tuple(Judge(measure(spec), label=name) for name, spec in pairs)


def _likeness(most: float) -> tuple[tuple[float, ...], ...]:
    """Return agreement weights with this maximum for friendly categories."""
    far = max(max(row) for row in FRIENDLY)
    return tuple(
        tuple(1.0 if i == j else most * (FRIENDLY[i][j] + FRIENDLY[j][i]) / 2 / far for j in range(4)) for i in range(4)
    )


def _unlike(most: float) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(1.0 - w for w in row) for row in _likeness(most))


SHARES = (0.4, 0.3, 0.2, 0.1)
EVEN, VARIED = (50, 150), ((20, 60), (50, 150), (100, 200), (150, 350))  # lengths of all units, or by category
DENSE, SPARSE = (0, 20), (0, 200)  # gaps


def _units(lengths: tuple[Any, ...], gaps: tuple[int, int]) -> Model:
    return Model(units=50, categories=4, prevalence=SHARES, lengths=lengths, gaps=gaps)


def _places(gap: int, shares: tuple[float, ...] | None = SHARES) -> Model:
    return Model(units=10, categories=4, prevalence=shares, lengths=(100, 100), gaps=(gap, gap), documents=5)


SEGMENTS = {
    f"{low}–{high} atoms": Model(units=50, categories=0, lengths=(low, high), segmentation=True)
    for low, high in ((5, 15), (2, 40))
}
UNITS = {
    "even lengths": _units(EVEN, DENSE),
    "lengths by category": _units(VARIED, DENSE),
    "sparse": _units(EVEN, SPARSE),
    "other factors": _units(EVEN, DENSE),
}
USUAL_FACTORS, OTHER_FACTORS = {"shift": 2, "split": 5, "fp": 1}, {"shift": 8, "split": 2, "fp": 2}
PLACES = {
    "gaps of 20": _places(20),
    "gaps of 300": _places(300),
    "equal shares": _places(20, None),
}
ABUTTING = {name: _places(0, None if name == "equal shares" else SHARES) for name in PLACES}
TAGGED = Model(units=11, categories=TAGS, prevalence=PREVALENCE, lengths=(5, 5), gaps=(1, 1), documents=5)
UNTAGGED = Model(units=12, categories=TAGS, lengths=(5, 5), gaps=(1, 1), documents=5)


def _under(references: Mapping[str, ReferenceSource], error: str) -> tuple[Setting, ...]:
    """Return settings with the same error on each reference, with the factors of the setting."""
    return tuple(
        Setting(name, reference, error.format(**(OTHER_FACTORS if name == "other factors" else USUAL_FACTORS)))
        for name, reference in references.items()
    )


def _weighted(reference: ReferenceSource, options: str) -> tuple[Setting, ...]:
    """Return category errors with the usual weight of the perfect matrix, and with one that falls sooner."""
    power = 2 if "overlap" in options else 1
    usual = f"category({options})" if options else "category"
    more = ",".join(filter(None, (options, f"power={power}")))
    return Setting("usual weights", reference, usual), Setting("A falls sooner", reference, f"category({more})")


_GAMMA = "γ", "gamma(samples=9)"  # a third of it per set: errors average out over sets
_BOUNDARIES = _named(_GAMMA, ("WD", "window_diff"), ("GHD", "ghd(normalised=segments,limit=0.5)"))
_U_ALPHA = _named(("uα", "u_alpha(form=2013)"))
_CU_ALPHA = _named(("c|uα", "cu_alpha(overlaps=pairs,form=2013)"))
_SER, _KAPPA_D = _named(("SER", "ser")), _named(("κ_d", "kappa_d"))
_FIVE = (*_named(_GAMMA), *_U_ALPHA, *_CU_ALPHA, *_SER, *_KAPPA_D)
_LABELS = _named(("α", "alpha"), ("κ", "kappa"))
_SIX = (
    *_named(("BM", "percent"), ("κ", "kappa")),
    Judge(CohenKappa(weights=WeightMatrix(labels=TAGS, rows=_likeness(0.9))), label="W-κ 1"),
    Judge(CohenKappa(weights=WeightMatrix(labels=TAGS, rows=_likeness(0.5))), label="W-κ 2"),
    Judge(Gamma(distance=Matrix(labels=TAGS, rows=_unlike(0.5)), samples=9), label="GM 1 (γ, friendly)"),
    *_named(("GM 2 (γ)", _GAMMA[1])),
)
_APART = "shift(form=2015,x={shift},overlap=false)"
_LINEAR = "category(power=1)"

IN_2012 = (
    Experiment("seg-fn", "2012 Fig. 2", "false negatives", _under(SEGMENTS, "false_negative"), _BOUNDARIES),
    Experiment("seg-fp", "2012 Fig. 2", "false positives", _under(SEGMENTS, "false_positive"), _BOUNDARIES),
    Experiment("seg-shift", "2012 Fig. 2", "shifts", _under(SEGMENTS, "shift"), _BOUNDARIES),
    Experiment("seg-combi", "2012 Fig. 2", "combination",
               _under(SEGMENTS, "combination([false_negative,false_positive,shift])"), _BOUNDARIES),
    Experiment("cat-none", "2012 Fig. 3", "neither", _weighted(UNTAGGED, "prevalence=false"), _SIX),
    Experiment("cat-prev", "2012 Fig. 3", "prevalence", _weighted(TAGGED, ""), _SIX),
    Experiment("cat-overlap", "2012 Fig. 3", "overlapping", _weighted(UNTAGGED, "prevalence=false,overlap=true"), _SIX),
    Experiment("cat-both", "2012 Fig. 3", "overlapping and prevalence", _weighted(TAGGED, "overlap=true"), _SIX),
)  # fmt: skip
IN_2015 = (
    Experiment("cat", "2015 Fig. 25", "category errors", _under(PLACES, _LINEAR), (*_FIVE, *_LABELS)),
    Experiment("cat-nogap", "2015 Fig. 25", "category errors, no gaps", _under(ABUTTING, _LINEAR), _KAPPA_D),
    Experiment("pos", "2015 Fig. 26", "positional errors", _under(UNITS, _APART), _FIVE),
    Experiment("poscat", "2015 Fig. 26", "positional and categorial errors",
               _under(UNITS, f"combination([{_APART},{_LINEAR}],shares=[1,1])"), _FIVE),
    Experiment("split", "2015 Fig. 27", "splits", _under(UNITS, "fragment(x={split})"), _FIVE),
    Experiment("fp", "2015 Fig. 28", "false positives", _under(UNITS, "false_positive(x={fp})"),
               (*_named(_GAMMA), *_CU_ALPHA, *_SER)),
    # A missed unit has no factor.
    Experiment("fn", "2015 Fig. 28", "false negatives",
               _under({name: UNITS[name] for name in list(UNITS)[:-1]}, "false_negative"), _FIVE),
    Experiment("general", "2015 Fig. 30", "positions and false positives, overlapping",
               _under(UNITS, "combination([shift(form=2015,x={shift}),false_positive(x={fp})],shares=[1,1])"),
               (*_named(_GAMMA), *_CU_ALPHA)),
    Experiment("general-apart", "2015 Fig. 30", "the same without overlap",
               _under(UNITS, f"combination([{_APART},false_positive(x={{fp}},overlap=false)],shares=[1,1])"),
               (*_named(_GAMMA), *_CU_ALPHA)),
)  # fmt: skip
_TEXTS = _named(
    ("tγ Cat", "text_gamma(p_t=0,p_s=0)"),
    ("tγ Cat+Seg", "text_gamma(p_t=0,p_s=0.04)"),
    ("tγ Cat+Seg+Text", "text_gamma(p_t=0.25,p_s=0.04)"),
)
_STORY = {"the story": Harbour()}
_SEEN = (Judge(function=alignments_seen, label="alignments"),)
_SECTION_7: dict[str, Any] = {"annotators": 2, "with_reference": True, "sets": 10}
IN_2016 = (
    Experiment("text-cat", "2016 Fig. 2", "categories", _under(_STORY, "category"),
               (*_TEXTS, *_named(("α", "alpha"))), **_SECTION_7),
    Experiment("text-seg", "2016 Fig. 2", "categories and segmentation",
               _under(_STORY, "combination([token,category],shares=[0.1,1])"),
               (*_TEXTS, *_named(("α_U", "alpha_u"), ("γ", "gamma"))), **_SECTION_7),
    Experiment("text-all", "2016 Fig. 2", "categories, segmentation and text",
               _under(_STORY, "combination([text,token,category],shares=[0.5,0.1,1])"),
               (*_TEXTS, *_SEEN), **_SECTION_7),
)  # fmt: skip
EXPERIMENTS = (*IN_2012, *IN_2015, *IN_2016)
