"""What is cited for what: the works behind every measure, distance and interval, by their keys."""

from __future__ import annotations

from dataclasses import dataclass, fields

from accord.answers.citing.bibliography import Work, work
from accord.answers.citing.wording import graded
from accord.measures.measure import Measure


@dataclass(frozen=True)
class Sources:
    """The works behind a measure; some of them stand for one form of it alone."""

    always: tuple[str, ...] = ()
    two: tuple[str, ...] = ()  # of two annotators
    many: tuple[str, ...] = ()  # of more
    plain: tuple[str, ...] = ()  # without weights or a distance
    weighted: tuple[str, ...] = ()  # with them


OF_MEASURES: dict[str, Sources] = {
    "percent": Sources(("artstein2008",), many=("fleiss1971",)),
    "s": Sources(("bennett1954",), many=("brennan1981",), weighted=("brennan1981",)),
    "pi": Sources(two=("scott1955",), many=("fleiss1971",)),
    "kappa": Sources(plain=("cohen1960",), weighted=("cohen1968",), many=("davies1982", "conger1980")),
    "alpha": Sources(("krippendorff2004",)),
    "ac": Sources(("gwet2008",), weighted=("gwet2014",)),
    "cronbach": Sources(("cronbach1951",)),
    "icc": Sources(("shrout1979", "mcgraw1996")),
    "lin": Sources(("lin1989",), many=("barnhart2002",)),
    "kendall_w": Sources(("kendall1939",)),
    "gamma": Sources(("mathet2015",)),
    "gamma_cat": Sources(("mathet2017",)),
    "gamma_k": Sources(("mathet2017",)),
    "alpha_u": Sources(("krippendorff1995", "krippendorff2004quality")),
    "u_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "bar_u_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "cu_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "ku_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "theta": Sources(("gwet2021",)),
    "ser": Sources(("makhoul1999",)),
    "f1": Sources(("hripcsak2005",)),
    "kappa_d": Sources(("reidsma2006", "mathet2015")),
    "alpha_d": Sources(("reidsma2008", "mathet2015")),
    "pk": Sources(("beeferman1999",)),
    "window_diff": Sources(("pevzner2002",)),
    "ghd": Sources(("bookstein2002",)),
    "boundary_edit_distance": Sources(("fournier2013",)),
    "boundary_similarity": Sources(("fournier2013",)),
    "segmentation_similarity": Sources(("fournier2012",)),
    "pi_star": Sources(("fournier2012", "fournier2013")),
    "kappa_star": Sources(("fournier2012", "fournier2013")),
    "alpha_boundaries": Sources(("krippendorff1980", "artstein2008")),
    "pi_boundaries": Sources(("siegel1988", "artstein2008")),
    "kappa_boundaries": Sources(("cohen1960", "artstein2008"), many=("davies1982",)),
    "text_gamma": Sources(("barteld2016",)),
    "chain_alpha": Sources(("passonneau2004",)),
    "link_alpha": Sources(("krippendorff2004", "artstein2008")),
    "muc": Sources(("vilain1995", "pradhan2014")),
    "b_cubed": Sources(("bagga1998", "pradhan2014")),
    "ceaf_e": Sources(("luo2005", "pradhan2014")),
    "conll": Sources(("pradhan2012", "pradhan2014")),
    "blanc": Sources(("recasens2011", "luo2014")),
    "links_f1": Sources(("popescubelis2000", "recasens2011")),
}

OF_OPTIONS: dict[tuple[str, str], tuple[str, ...]] = {  # where they are not as usual
    ("u_alpha", "form"): ("mathet2015",),
    ("window_diff", "lamprier"): ("lamprier2007",),
}

# Beside the measure's own: the usual scales are Krippendorff's and Cohen's, and are cited with α and κ.
OF_DISTANCES: dict[str, tuple[str, ...]] = {
    "jaccard": ("jaccard1912",),
    "dice": ("dice1945",),
    "passonneau": ("passonneau2004",),
    "masi": ("passonneau2006", "artstein2008"),
    "masi_nltk": ("passonneau2006",),
    "melamed_resnik": ("melamed2000", "artstein2008"),
    "geertzen_bunt": ("geertzen2006", "artstein2008"),
    "extended_senses": ("artstein2008",),
}

OF_INTERVALS: dict[str, tuple[str, ...]] = {
    "linearised": ("gwet2008",),
    "added": ("gwet2008", "agresti1998"),
    "carried": ("gwet2008",),
    "dirichlet": ("rubin1981", "agresti1998"),
    "unconditional": ("gwet2014",),
    "bootstrap": ("efron1979",),
    "bca": ("efron1987",),
    "jackknife": ("efron1993",),
    "blocks": ("kuensch1989",),
    "formula": (),  # that of the measure, below
    "fleiss_cohen_everitt": ("fleiss1969",),
    "donner_eliasziw": ("donner1992",),
    "hayes_krippendorff": ("hayes2007",),
    "krippendorff_2013": ("krippendorff2013", "hayes2007"),
    "table": ("gwet2014",),
    "irrcac": ("gwet2014",),
    "monte_carlo": ("mathet2015",),
}
OF_FORMULAS: dict[str, tuple[str, ...]] = {
    "cronbach": ("feldt1965",),
    "icc": ("shrout1979", "mcgraw1996"),
    "lin": ("lin1989",),
}


def behind_measure(measure: Measure, annotators: int | None) -> tuple[Work, ...]:
    """The works for the form of a measure that was used: κ of three annotators is not Cohen's alone."""
    sources = OF_MEASURES[measure.name]
    by_number = sources.two if annotators == 2 else sources.many
    by_degrees = sources.weighted if graded(measure) else sources.plain
    distance = getattr(measure, "distance", None)
    of_distance = OF_DISTANCES.get(str(distance).partition("(")[0], ()) if distance is not None else ()
    of_options = (key for name in _changed(measure) for key in OF_OPTIONS.get((measure.name, name), ()))
    return tuple(map(work, dict.fromkeys((*sources.always, *by_degrees, *by_number, *of_distance, *of_options))))


def _changed(measure: Measure) -> list[str]:
    return [field.name for field in fields(measure) if getattr(measure, field.name) != field.default]


def behind_interval(method: str, measure: Measure) -> tuple[Work, ...]:
    keys = OF_FORMULAS.get(measure.name, ()) if method == "formula" else OF_INTERVALS[method]
    return tuple(map(work, keys))
