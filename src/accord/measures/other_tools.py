"""Measures, weights and distances under the names that other tools give them.

`accord score -m kappam.fleiss` accepts such a name, `accord measures kappam.fleiss` explains it, and the pages in
docs/coming-from show this table. Where a name is also a name of accord, a prefix chooses the other tool: `nltk.kappa`,
`irr::icc`. Where the number may differ, a warning says how. Where it is another number altogether, the name is refused,
and the message names an alternative.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from accord.core.errors import NameWarning, SpecError, UnknownName, warn
from accord.core.spec import Call, parse, written

KINDS = ("measure", "weights", "distance")
LISTWISE = "leaves out every item that lacks a label; accord uses what is there"
BY_RANK = "takes the categories that occur as steps 1, 2, 3 …; accord takes numbers as they are, so that a gap counts"


@dataclass(frozen=True)
class Tool:
    """Another program, and the page about it."""

    name: str
    title: str
    page: str
    prefixes: tuple[str, ...] = ()  # of irr::kappa2, nltk.kappa


@dataclass(frozen=True)
class Name:
    """A name in another tool, and the spec in accord."""

    tool: str
    name: str  # as it is written there, with the options that decide
    here: str  # a spec
    differs: str = ""  # why the number differs; empty: it does not
    when: str = ""  # only with this option
    refused: bool = False  # the number is never the same
    options: Mapping[str, str] = field(default_factory=dict, hash=False)  # how options are called here
    kind: str = "measure"  # or weights, distance

    @property
    def call(self) -> Call:
        return parse(self.name)

    def in_words(self) -> str:
        """kappam.fleiss (irr) is pi here, the same number."""
        here = self.here if self.kind == "measure" else f"{self.kind}={self.here}"
        opening = f"{self.name} ({self.tool})"
        if self.refused:
            return f"{opening} is not in accord: it {self.differs}"
        return f"{opening} is {here} here" + (f"; {self.number}" if self.differs else ", the same number")

    @property
    def number(self) -> str:
        """Why the number there differs."""
        return f"{f'with {self.when}, ' if self.when else ''}{self.tool} {self.differs}" if self.differs else ""


TOOLS = (
    Tool("irr", "irr (R)", "r", ("irr",)),
    Tool("irrCAC", "irrCAC (R and Python)", "r", ("irrcac",)),
    Tool("irrNA", "irrNA (R)", "r", ("irrna",)),
    Tool("KALPHA", "KALPHA (SPSS and SAS)", "content-analysis"),
    Tool("ReCal", "ReCal", "content-analysis", ("recal",)),
    Tool("Holsti", "Holsti's method", "content-analysis"),
    Tool("AgreeStat", "AgreeStat", "content-analysis", ("agreestat",)),
    Tool("nltk", "nltk", "python", ("nltk",)),
    Tool("scikit-learn", "scikit-learn", "python", ("sklearn",)),
    Tool("statsmodels", "statsmodels", "python", ("statsmodels",)),
    Tool("krippendorff", "krippendorff", "python", ("krippendorff",)),
    Tool("segeval", "segeval", "segeval", ("segeval",)),
    Tool("pygamma-agreement", "pygamma-agreement", "pygamma-agreement", ("pygamma", "pygamma_agreement")),
    Tool("DKPro", "DKPro Statistics", "dkpro", ("dkpro",)),
    Tool("INCEpTION", "INCEpTION", "annotation-tools", ("inception",)),
    Tool("Label Studio", "Label Studio", "annotation-tools"),
    Tool("Prodigy", "Prodigy", "annotation-tools", ("prodigy",)),
)

_WEIGHTS = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
_OF_PAIRS = (
    "is the mean of κ over the pairs of annotators; -m kappa --by pair has each of them, and for two it is kappa"
)

NAMES = (
    # irr 0.84
    Name("irr", "kappam.fleiss", "pi", LISTWISE),
    Name("irr", "kappam.fleiss(exact=TRUE)", "kappa", LISTWISE),
    Name("irr", "kappam.light", "kappa", _OF_PAIRS, refused=True),
    Name("irr", "kappa2", "kappa", LISTWISE, options={"weight": "weights"}),
    Name("irr", "agree", "percent", "is the percentage of items on which all annotators give the same label: for two "
         "of them that is 100 · percent", refused=True),
    Name("irr", "kripp.alpha", "alpha", "counts every pair of labels in full where none is missing, and so is below α "
         "for three annotators or more: by (1 − α)·(m − 2)/((m − 1)(n − 1)), of n labels by m annotators",
         options={"method": "distance"}),
    Name("irr", "icc", 'icc(form="1")', LISTWISE),
    Name("irr", "icc(model=oneway)", 'icc(form="1")', LISTWISE),
    Name("irr", "icc(unit=average)", 'icc(form="1k")', LISTWISE),
    Name("irr", "icc(model=oneway,unit=average)", 'icc(form="1k")', LISTWISE),
    Name("irr", "icc(model=twoway)", 'icc(form="3")'),
    Name("irr", "icc(model=twoway,type=agreement)", "icc"),
    Name("irr", "icc(model=twoway,type=agreement,unit=average)", 'icc(form="2k")'),
    Name("irr", "icc(model=twoway,type=consistency)", 'icc(form="3")'),
    Name("irr", "icc(model=twoway,type=consistency,unit=average)", 'icc(form="3k")'),
    Name("irr", "kendall", "kendall_w", "does not correct for ties unless it is told correct=TRUE; accord does"),
    Name("irr", "kendall(correct=TRUE)", "kendall_w"),
    Name("irr", "unweighted", "identity", kind="weights"),
    Name("irr", "equal", "linear", BY_RANK, kind="weights"),
    Name("irr", "squared", "quadratic", BY_RANK, kind="weights"),
    # irrCAC 1.0 (R) and 0.4 (Python)
    Name("irrCAC", "pa.coeff.raw", "percent"),
    Name("irrCAC", "gwet.ac1.raw", "ac"),
    Name("irrCAC", "fleiss.kappa.raw", "pi"),
    Name("irrCAC", "conger.kappa.raw", "kappa"),
    Name("irrCAC", "bp.coeff.raw", "s"),
    Name("irrCAC", "krippen.alpha.raw", "alpha"),
    Name("irrCAC", "pa.coeff.dist", "percent"),
    Name("irrCAC", "gwet.ac1.dist", "ac"),
    Name("irrCAC", "fleiss.kappa.dist", "pi"),
    Name("irrCAC", "bp.coeff.dist", "s"),
    Name("irrCAC", "krippen.alpha.dist", "alpha"),
    Name("irrCAC", "pa2.table", "percent"),
    Name("irrCAC", "kappa2.table", "kappa"),
    Name("irrCAC", "scott2.table", "pi"),
    Name("irrCAC", "gwet.ac1.table", "ac"),
    Name("irrCAC", "bp2.table", "s"),
    Name("irrCAC", "krippen2.table", "alpha"),
    *(Name("irrCAC", f"{one}{sign}weights", one, kind="weights") for one in _WEIGHTS for sign in "._"),
    # irrNA 0.2
    Name("irrNA", "iccNA", "icc", "prints six numbers; each has a spec: icc(form=\"1\"), \"2\", \"3\", \"1k\", \"2k\", "
         "\"3k\"", refused=True),
    Name("irrNA", "kendallNA", "kendall_w", "takes the mean of Spearman's ρ over the pairs of annotators, and corrects "
         "ties pair by pair; accord leaves out items that not everybody rated"),
    # SPSS and the web calculators of content analysis
    Name("KALPHA", "kalpha", "alpha", options={"level": "distance"}),
    Name("KALPHA", "kalpha(level=1)", "alpha"),
    Name("KALPHA", "kalpha(level=2)", "alpha(distance=ordinal)"),
    Name("KALPHA", "kalpha(level=3)", "alpha(distance=interval)"),
    Name("KALPHA", "kalpha(level=4)", "alpha(distance=ratio)"),
    Name("ReCal", "average_pairwise_percent_agreement", "percent"),
    Name("ReCal", "average_pairwise_cohens_kappa", "kappa", _OF_PAIRS, refused=True),
    Name("Holsti", "holsti", "percent", "counts an item that one of two annotators left out as a disagreement; accord "
         "compares the items that both labelled"),
    Name("AgreeStat", "brennan-prediger", "s"),
    # nltk 3.9
    Name("nltk", "avg_Ao", "percent"),
    Name("nltk", "S", "s", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "pi", "pi", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "kappa", "kappa", _OF_PAIRS, refused=True),
    Name("nltk", "multi_kappa", "kappa", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "weighted_kappa", "kappa", "is the mean of weighted κ over the pairs of annotators; "
         "-m 'kappa(distance=interval)' --by pair has each of them, and for two it is that", refused=True),
    Name("nltk", "alpha", "alpha"),
    Name("nltk", "pk", "pk(window=nltk)"),
    Name("nltk", "windowdiff", "window_diff", "has no window of its own: give k"),
    Name("nltk", "ghd", "ghd"),
    Name("nltk", "binary_distance", "nominal", kind="distance"),
    Name("nltk", "interval_distance", "interval", kind="distance"),
    Name("nltk", "jaccard_distance", "jaccard", kind="distance"),
    Name("nltk", "masi_distance", "masi_nltk", kind="distance"),
    # scikit-learn 1.5
    Name("scikit-learn", "cohen_kappa_score", "kappa", BY_RANK, "weights"),
    Name("scikit-learn", "qwk", "kappa(weights=quadratic)", BY_RANK),
    Name("scikit-learn", "quadratic_weighted_kappa", "kappa(weights=quadratic)", BY_RANK),
    Name("scikit-learn", "accuracy_score", "percent"),
    # statsmodels 0.14
    Name("statsmodels", "cohens_kappa", "kappa", BY_RANK, "wt", options={"wt": "weights"}),
    Name("statsmodels", "fleiss_kappa", "pi"),
    Name("statsmodels", "fleiss_kappa(method=fleiss)", "pi"),
    Name("statsmodels", "fleiss_kappa(method=randolph)", "s"),
    Name("statsmodels", "fleiss_kappa(method=uniform)", "s"),
    Name("statsmodels", "ca", "linear", BY_RANK, kind="weights"),
    Name("statsmodels", "fc", "quadratic", BY_RANK, kind="weights"),
    # krippendorff 0.6
    Name("krippendorff", "alpha", "alpha", options={"level_of_measurement": "distance"}),
    # segeval 2.0
    Name("segeval", "boundary_similarity", "boundary_similarity(matching=greedy)"),
    Name("segeval", "segmentation_similarity", "segmentation_similarity(matching=greedy)"),
    Name("segeval", "boundary_edit_distance", "boundary_edit_distance(matching=greedy)", "lists the edits; accord "
         "gives what they cost"),
    Name("segeval", "pk", "pk(window=segeval)"),
    Name("segeval", "window_diff", "window_diff(window=segeval)"),
    Name("segeval", "fleiss_pi_linear", "pi_star(on=boundary_similarity(matching=greedy),rates=mean)"),
    Name("segeval", "fleiss_kappa_linear", "kappa_star(on=boundary_similarity(matching=greedy))"),
    # pygamma-agreement 0.5
    Name("pygamma-agreement", "compute_gamma", "gamma(chance=statistical)", "draws other random annotations, and "
         "leaves the cost of labels at 1 where delta_empty is another", options={"precision_level": "precision"}),
    Name("pygamma-agreement", "gamma_cat", "gamma_cat", "counts units without a counterpart, and takes chance from "
         "random annotations"),
    Name("pygamma-agreement", "gamma_k", "gamma_k", "counts units without a counterpart, and is 1 for a category that "
         "is never aligned"),
    # DKPro Statistics 2.2
    Name("DKPro", "PercentageAgreement", "percent"),
    Name("DKPro", "BennettSAgreement", "s"),
    Name("DKPro", "RandolphKappaAgreement", "s"),
    Name("DKPro", "ScottPiAgreement", "pi"),
    Name("DKPro", "FleissKappaAgreement", "pi"),
    Name("DKPro", "CohenKappaAgreement", "kappa"),
    Name("DKPro", "HubertKappaAgreement", "kappa"),
    Name("DKPro", "WeightedKappaAgreement", "kappa"),
    Name("DKPro", "KrippendorffAlphaAgreement", "alpha", "is 1 where only one category was used, in older versions 0; "
         "accord says that α is undefined there"),
    Name("DKPro", "KrippendorffAlphaUnitizingAgreement", "alpha_u", "is 0 where nobody marked anything; accord says "
         "that it is undefined"),
    # tools in which people annotate
    Name("INCEpTION", "cohen_kappa_pairwise", "kappa", "compares the places that both annotators of a pair marked, "
         "and takes the mean over documents; -m kappa_d counts all places, -m f1 asks who found them", refused=True),
    Name("Label Studio", "task_agreement", "percent", "is the mean over the pairs of annotators of a task, or the "
         "share of the most frequent answer, and takes nothing off for chance; -m percent --by item is the first for "
         "choices, -m f1 --by document comes near it for spans", refused=True),
    Name("Prodigy", "metric.iaa.binary", "ac", "prints three numbers: -m percent -m alpha -m ac", refused=True),
    Name("Prodigy", "metric.iaa.doc", "ac", "prints three numbers: -m percent -m alpha -m ac", refused=True),
    Name("Prodigy", "metric.iaa.span", "f1", "is F1 of the spans, by label; -m f1 --by category, and match=overlap "
         "where it is asked for partial matches", refused=True),
)  # fmt: skip


def translated(kind: str, call: Call, own: Collection[str]) -> Call:
    """A call of another tool as a call of accord; a call of accord as it is."""
    found = _found(kind, call, own)
    if found is None:
        if call.name.lower() not in own:
            raise UnknownName(kind, call.name, [*own, *(name for sort, name in _rows() if sort == kind)])
        return call
    if found.refused:
        raise SpecError(found.in_words())
    if found.differs and (not found.when or found.when in dict(call.kwargs)):
        warn(found.in_words(), NameWarning)
    here, decided = parse(found.here), dict(found.call.kwargs)
    given = tuple((found.options.get(key, key), value) for key, value in call.kwargs if key not in decided)
    args, kwargs = here.args + call.args, here.kwargs + given
    return Call(here.name, args, kwargs, bare=not (args or kwargs))


def about(text: str, own: Collection[str]) -> Name | None:
    """The entry of a name of another tool; None if accord has the name, or no tool has."""
    call = parse(text)
    return next((found for kind in KINDS if (found := _found(kind, call, own)) is not None), None)


def of_tool(name: str) -> Iterator[Name]:
    """The entries of a tool, in order."""
    return (one for one in NAMES if one.tool == name)


def _found(kind: str, call: Call, own: Collection[str]) -> Name | None:
    """The entry of the named tool that matches most of the given options."""
    tool, bare = _without_prefix(call.name)
    given = _options(call)
    rows = [one for one in _rows().get((kind, bare.lower()), ()) if _options(one.call) <= given]
    rows = [
        one for one in rows if one.tool == tool or (tool is None and (bare.lower() not in own or _options(one.call)))
    ]
    return max(rows, key=lambda one: len(_options(one.call)), default=None)


@cache
def _rows() -> dict[tuple[str, str], list[Name]]:
    """By kind and name."""
    found: dict[tuple[str, str], list[Name]] = {}
    for one in NAMES:
        found.setdefault((one.kind, one.call.name.lower()), []).append(one)
    return found


def _options(call: Call) -> set[tuple[str, str]]:
    return {(key, written(value).lower()) for key, value in call.kwargs}


def _without_prefix(name: str) -> tuple[str | None, str]:
    """irr::kappa2 → irr, kappa2."""
    prefixes = ((prefix, tool.name) for tool in TOOLS for prefix in tool.prefixes)
    for prefix, tool in prefixes:
        match = re.fullmatch(rf"{re.escape(prefix)}(?:::|\.)(\w.*)", name, re.IGNORECASE)
        if match:
            return tool, match[1]
    return None, name
