"""Measures, weights and distances under the names that other tools give them.

`accord score -m kappam.fleiss` accepts these names, `accord measures kappam.fleiss` explains them, and the pages in
docs/coming-from show this table. If accord has a measure of the same name, a prefix selects the other tool:
`nltk.kappa`, `irr::icc`. If the number may differ, accord prints a warning with the reason. If the other tool computes
a different quantity, accord refuses the name and suggests an alternative.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from accord.core.errors import NameWarning, SpecError, UnknownName, warn
from accord.core.spec import Call, parse, written

KINDS = ("measure", "weights", "distance")
LISTWISE = "leaves out every item that lacks a label; accord uses its other labels"
BY_RANK = "takes the categories that occur as steps 1, 2, 3 …; accord uses their numeric values"


@dataclass(frozen=True)
class Tool:
    """Another program and its page in docs/coming-from."""

    name: str
    title: str
    page: str
    prefixes: tuple[str, ...] = ()  # of irr::kappa2, nltk.kappa


@dataclass(frozen=True)
class Name:
    """A name in another tool, and its spec in accord."""

    tool: str
    name: str  # as the other tool spells it, with the options that select the spec
    here: str  # a spec
    differs: str = ""  # why the number differs; empty if it is the same
    when: str = ""  # the number differs only if this option is given
    refused: bool = False  # the other tool computes a different quantity
    options: Mapping[str, str] = field(default_factory=dict, hash=False)  # their option names → ours
    kind: str = "measure"  # or weights, distance

    @property
    def call(self) -> Call:
        return parse(self.name)

    def in_words(self) -> str:
        """Describe the entry: "kappam.fleiss (irr) is pi here, the same number"."""
        here = self.here if self.kind == "measure" else f"{self.kind}={self.here}"
        opening = f"{self.name} ({self.tool})"
        if self.refused:
            return f"{opening} is not in accord: it {self.differs}"
        return f"{opening} is {here} here" + (f"; {self.number}" if self.differs else ", the same number")

    @property
    def number(self) -> str:
        """Explain why the other tool gives a different number; empty if it does not."""
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
_OF_PAIRS = "is the mean of κ over the pairs of annotators; -m kappa --by pair has each pair; for two it is kappa"

NAMES = (
    # irr 0.84
    Name("irr", "kappam.fleiss", "pi", LISTWISE),
    Name("irr", "kappam.fleiss(exact=TRUE)", "kappa", LISTWISE),
    Name("irr", "kappam.light", "kappa", _OF_PAIRS, refused=True),
    Name("irr", "kappa2", "kappa", LISTWISE, options={"weight": "weights"}),
    Name("irr", "agree", "percent", "is the percentage of items on which all annotators give the same label; for two "
         "annotators it is 100 · percent", refused=True),
    Name("irr", "kripp.alpha", "alpha(distance=nominal)", "gives each pair of labels the weight 1 if no label is "
         "missing; with n labels by m > 2 annotators its α is lower by (1 − α)·(m − 2)/((m − 1)(n − 1))",
         options={"method": "distance"}),
    Name("irr", "icc", "icc(form=1)", LISTWISE),
    Name("irr", "icc(model=oneway)", "icc(form=1)", LISTWISE),
    Name("irr", "icc(unit=average)", "icc(form=1k)", LISTWISE),
    Name("irr", "icc(model=oneway,unit=average)", "icc(form=1k)", LISTWISE),
    Name("irr", "icc(model=twoway)", "icc(form=3)"),
    Name("irr", "icc(model=twoway,type=agreement)", "icc(form=2)"),
    Name("irr", "icc(model=twoway,type=agreement,unit=average)", "icc(form=2k)"),
    Name("irr", "icc(model=twoway,type=consistency)", "icc(form=3)"),
    Name("irr", "icc(model=twoway,type=consistency,unit=average)", "icc(form=3k)"),
    Name("irr", "kendall", "kendall_w", "corrects for ties only with correct=TRUE; accord always does"),
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
    Name("irrCAC", "krippen.alpha.raw", "alpha(distance=nominal)"),
    Name("irrCAC", "pa.coeff.dist", "percent"),
    Name("irrCAC", "gwet.ac1.dist", "ac"),
    Name("irrCAC", "fleiss.kappa.dist", "pi"),
    Name("irrCAC", "bp.coeff.dist", "s"),
    Name("irrCAC", "krippen.alpha.dist", "alpha(distance=nominal)"),
    Name("irrCAC", "pa2.table", "percent"),
    Name("irrCAC", "kappa2.table", "kappa"),
    Name("irrCAC", "scott2.table", "pi"),
    Name("irrCAC", "gwet.ac1.table", "ac"),
    Name("irrCAC", "bp2.table", "s"),
    Name("irrCAC", "krippen2.table", "alpha(distance=nominal)"),
    *(Name("irrCAC", f"{one}{sign}weights", one, kind="weights") for one in _WEIGHTS for sign in "._"),
    # irrNA 0.2
    Name("irrNA", "iccNA", "icc(form=2)", "prints six numbers; each has a spec: icc(form=1), 2, 3, 1k, 2k, 3k",
         refused=True),
    Name("irrNA", "kendallNA", "kendall_w", "uses the mean of Spearman's ρ over the pairs of annotators, and corrects "
         "ties for each pair; accord leaves out items with a missing rating"),
    # SPSS and the web calculators of content analysis
    Name("KALPHA", "kalpha", "alpha", options={"level": "distance"}),
    Name("KALPHA", "kalpha(level=1)", "alpha(distance=nominal)"),
    Name("KALPHA", "kalpha(level=2)", "alpha(distance=ordinal)"),
    Name("KALPHA", "kalpha(level=3)", "alpha(distance=interval)"),
    Name("KALPHA", "kalpha(level=4)", "alpha(distance=ratio)"),
    Name("ReCal", "average_pairwise_percent_agreement", "percent"),
    Name("ReCal", "average_pairwise_cohens_kappa", "kappa", _OF_PAIRS, refused=True),
    Name("Holsti", "holsti", "percent", "counts an item that only one of two annotators labelled as half a "
         "disagreement; accord compares the items that both labelled"),
    Name("AgreeStat", "brennan-prediger", "s"),
    # nltk 3.9
    Name("nltk", "avg_Ao", "percent"),
    Name("nltk", "S", "s", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "pi", "pi", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "kappa", "kappa", _OF_PAIRS, refused=True),
    Name("nltk", "multi_kappa", "kappa", "ignores the distance in the chance agreement", "distance"),
    Name("nltk", "weighted_kappa", "kappa", "is the mean of weighted κ over the pairs of annotators; "
         "-m 'kappa(distance=interval)' --by pair has each pair; for two it is the same number", refused=True),
    Name("nltk", "alpha", "alpha(distance=nominal)"),
    Name("nltk", "pk", "pk(window=nltk)"),
    Name("nltk", "windowdiff", "window_diff", "has no default window: give k"),
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
    Name("krippendorff", "alpha", "alpha(distance=interval)", options={"level_of_measurement": "distance"}),
    # segeval 2.0
    Name("segeval", "boundary_similarity", "boundary_similarity(matching=greedy)"),
    Name("segeval", "segmentation_similarity", "segmentation_similarity(matching=greedy)"),
    Name("segeval", "boundary_edit_distance", "boundary_edit_distance(matching=greedy)", "lists the edits; accord "
         "gives their cost"),
    Name("segeval", "pk", "pk(window=segeval)"),
    Name("segeval", "window_diff", "window_diff(window=segeval)"),
    Name("segeval", "fleiss_pi_linear", "pi_star(on=boundary_similarity(matching=greedy),rates=mean)"),
    Name("segeval", "fleiss_kappa_linear", "kappa_star(on=boundary_similarity(matching=greedy))"),
    # pygamma-agreement 0.5
    Name("pygamma-agreement", "compute_gamma", "gamma(chance=statistical)", "draws different random annotations, "
         "and keeps the cost of labels at 1 for any delta_empty", options={"precision_level": "precision"}),
    Name("pygamma-agreement", "gamma_cat", "gamma_cat", "counts unaligned units as disagreement, and computes "
         "chance from random annotations"),
    Name("pygamma-agreement", "gamma_k", "gamma_k", "counts unaligned units, and gives 1 for a category that is "
         "never aligned"),
    # DKPro Statistics 2.2
    Name("DKPro", "PercentageAgreement", "percent"),
    Name("DKPro", "BennettSAgreement", "s"),
    Name("DKPro", "RandolphKappaAgreement", "s"),
    Name("DKPro", "ScottPiAgreement", "pi"),
    Name("DKPro", "FleissKappaAgreement", "pi"),
    Name("DKPro", "CohenKappaAgreement", "kappa"),
    Name("DKPro", "HubertKappaAgreement", "kappa"),
    Name("DKPro", "WeightedKappaAgreement", "kappa"),
    Name("DKPro", "KrippendorffAlphaAgreement", "alpha", "gives 1 (older versions 0) if only one category occurs; "
         "accord reports α as undefined"),
    Name("DKPro", "KrippendorffAlphaUnitizingAgreement", "alpha_u", "gives 0 if no annotator marked a unit; accord "
         "reports the value as undefined"),
    # annotation tools
    Name("INCEpTION", "cohen_kappa_pairwise", "kappa", "compares only positions that both annotators of a pair "
         "marked, and takes the mean over documents; -m kappa_d compares all positions, -m f1 counts missed spans",
         refused=True),
    Name("Label Studio", "task_agreement", "percent", "is the mean over the pairs of annotators of a task, or the "
         "share of the most frequent answer, without correction for chance; -m percent --by item is the first for "
         "choices, -m f1 --by document is similar for spans", refused=True),
    Name("Prodigy", "metric.iaa.binary", "ac", "prints three numbers: -m percent -m alpha -m ac", refused=True),
    Name("Prodigy", "metric.iaa.doc", "ac", "prints three numbers: -m percent -m alpha -m ac", refused=True),
    Name("Prodigy", "metric.iaa.span", "f1", "is F1 of the spans, by label; use -m f1 --by category, with "
         "match=overlap for partial matches", refused=True),
)  # fmt: skip


def translated(kind: str, call: Call, own: Collection[str]) -> Call:
    """Translate a call of another tool into a call of accord; return a call of accord unchanged."""
    found = _found(kind, call, own)
    if found is None:
        if call.name.lower() not in own:
            raise UnknownName(kind, call.name, [*own, *(name for sort, name in _rows() if sort == kind)])
        return call
    if found.refused:
        raise SpecError("not-in-accord", found.in_words())
    if found.differs and (not found.when or found.when in dict(call.kwargs)):
        warn(found.in_words(), NameWarning)
    here, decided = parse(found.here), dict(found.call.kwargs)
    given = tuple((found.options.get(key, key), value) for key, value in call.kwargs if key not in decided)
    kept = tuple((key, value) for key, value in here.kwargs if not _replaced(key, dict(given)))
    args, kwargs = here.args + call.args, kept + given
    return Call(here.name, args, kwargs, bare=not (args or kwargs))


def _replaced(key: str, given: Collection[str]) -> bool:
    """Whether given options replace one of the table: a distance or weights replace a distance."""
    return key == "distance" and bool({"distance", "weights"} & set(given))


def about(text: str, own: Collection[str]) -> Name | None:
    """Find the entry of another tool's name; None if accord uses the name itself or no tool has it."""
    call = parse(text)
    return next((found for kind in KINDS if (found := _found(kind, call, own)) is not None), None)


def of_tool(name: str) -> Iterator[Name]:
    """List the entries of a tool, in order."""
    return (one for one in NAMES if one.tool == name)


def _found(kind: str, call: Call, own: Collection[str]) -> Name | None:
    """Find the entry that matches the most of the given options."""
    tool, bare = _without_prefix(call.name)
    given = _options(call)
    rows = [one for one in _rows().get((kind, bare.lower()), ()) if _options(one.call) <= given]
    rows = [
        one for one in rows if one.tool == tool or (tool is None and (bare.lower() not in own or _options(one.call)))
    ]
    return max(rows, key=lambda one: len(_options(one.call)), default=None)


@cache
def _rows() -> dict[tuple[str, str], list[Name]]:
    """Group the entries by kind and name."""
    found: dict[tuple[str, str], list[Name]] = {}
    for one in NAMES:
        found.setdefault((one.kind, one.call.name.lower()), []).append(one)
    return found


def _options(call: Call) -> set[tuple[str, str]]:
    return {(key, written(value).lower()) for key, value in call.kwargs}


def _without_prefix(name: str) -> tuple[str | None, str]:
    """Split a prefix off: irr::kappa2 → irr, kappa2."""
    prefixes = ((prefix, tool.name) for tool in TOOLS for prefix in tool.prefixes)
    for prefix, tool in prefixes:
        match = re.fullmatch(rf"{re.escape(prefix)}(?:::|\.)(\w.*)", name, re.IGNORECASE)
        if match:
            return tool, match[1]
    return None, name
