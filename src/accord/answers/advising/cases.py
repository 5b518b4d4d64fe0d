"""The cases of the decision tree with their measures, remarks on data, disputed questions, limits of measures."""

from __future__ import annotations

from typing import Any

from accord.answers.advising.tree import (
    FIRST,
    QUESTIONS,
    AdviceCase,
    AdviceSource,
    Dispute,
    Recommendation,
    Remark,
    Sight,
)
from accord.data.kinds import CHAINS, ITEMS, SEGMENTATIONS, TEXTS, UNITS


def _survey(place: str) -> AdviceSource:
    return AdviceSource("artstein2008", place)


_PERCENT = Recommendation(
    "percent",
    "Easy to understand. Report it only beside a coefficient: few categories or a frequent one raise it.",
    (_survey("2.3"),),
)
_AC = AdviceSource("gwet2008"), _survey("3.2")

CASES: tuple[AdviceCase, ...] = (
    AdviceCase(
        "names",
        "labels without an order",
        ITEMS.name,
        (
            Recommendation(
                "kappa",
                "Agreement of each annotator with {reference}: use the pairs with {reference}. Chance uses the shares "
                "of each annotator.",
                (AdviceSource("cohen1960"), _survey("3.1")),
                needs=("reference", "identified"),
                options="--by pair --matrix",
            ),
            Recommendation(
                "alpha",
                "Allows any number of annotators, missing labels and small samples. Chance uses the pooled shares of "
                "all annotators, so the value describes the procedure.",
                (_survey("3.1, 5.2"), AdviceSource("krippendorff2004")),
                options="--by category",
            ),
            Recommendation(
                "kappa",
                "Describes these annotators: chance uses the shares of each. Many reviewers expect it. With more "
                "annotators it is close to α.",
                (AdviceSource("cohen1960"), _survey("3.1")),
                needs=("identified",),
                unless=("reference", "crowd"),
            ),
            Recommendation(
                "ac",
                "Stays high if one category is frequent, where α and κ fall. Report both, and the value of the rare "
                "category.",
                _AC,
                needs=("skewed",),
                options="--by category --marginals",
            ),
            _PERCENT,
        ),
        ("bias", "prevalence", "threshold"),
    ),
    AdviceCase(
        "grades",
        "ordered grades",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=ordinal)",
                "A near miss counts less. Only the order matters: steps need not be equal. Allows missing labels and "
                "any number of annotators.",
                (_survey("2.6, 5.2"),),
            ),
            Recommendation(
                "kappa(weights=quadratic)",
                "The weighted κ that clinical journals expect. It squares differences; words count as 1, 2, 3 etc.",
                (AdviceSource("cohen1968"), _survey("2.6.2")),
                needs=("identified",),
                unless=("crowd",),
            ),
            Recommendation(
                "ac(weights=ordinal)",
                "Stays high if one grade is frequent, where the others fall. Report both.",
                (AdviceSource("gwet2014"), _survey("3.2")),
                needs=("skewed",),
            ),
            Recommendation(
                "icc",
                "For grades that are numbers with equal steps: the share of the variance between items. Form 2: "
                "annotators are a sample, and a constant difference counts as disagreement.",
                (AdviceSource("shrout1979"), AdviceSource("mcgraw1996")),
                needs=("identified", "numbers", "complete"),
            ),
            Recommendation(
                "icc(form=1)",
                "For grades that are numbers with equal steps, and different annotators on each item, or unknown "
                "annotators.",
                (AdviceSource("shrout1979"),),
                needs=("numbers", "gaps"),
            ),
            Recommendation(
                "alpha(distance=nominal)", "Ignores the order: agreement on the exact grade.", (_survey("2.6.1"),)
            ),
        ),
        ("weights", "bias", "threshold"),
    ),
    AdviceCase(
        "amounts",
        "measured or counted numbers",
        ITEMS.name,
        (
            Recommendation(
                "lin",
                "Deviation of each annotator from equality with {reference}. Scatter and a constant difference both "
                "count.",
                (AdviceSource("lin1989"),),
                needs=("reference", "identified", "numbers"),
                options="--by pair",
            ),
            Recommendation(
                "icc",
                "The share of the variance between items. Form 2: annotators are a sample, and a constant difference "
                "counts as disagreement.",
                (AdviceSource("shrout1979"), AdviceSource("mcgraw1996")),
                needs=("identified", "numbers", "complete"),
            ),
            Recommendation(
                "alpha(distance=interval)",
                "Allows missing numbers and any number of annotators. It squares differences.",
                (_survey("2.6.1"),),
                needs=("numbers",),
            ),
            Recommendation(
                "icc(form=1)",
                "For different annotators on each item, or unknown annotators.",
                (AdviceSource("shrout1979"),),
                needs=("numbers", "gaps"),
            ),
            Recommendation(
                "lin",
                "Closeness to equality, pair by pair: 1 if all values are equal.",
                (AdviceSource("lin1989"), AdviceSource("barnhart2002")),
                needs=("identified", "numbers", "complete"),
                unless=("reference",),
            ),
        ),
        ("weights",),
    ),
    AdviceCase(
        "circle",
        "cyclic labels",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=circular)",
                "23 o'clock and midnight are neighbours. Set the period with circular(24); the default is the range of "
                "the labels plus 1.",
                (AdviceSource("krippendorff2004"),),
            ),
        ),
        ("weights",),
    ),
    AdviceCase(
        "sets",
        "sets of labels",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=masi)",
                "Overlapping sets agree in part, most if one contains the other. nltk's form of MASI, "
                "alpha(distance=masi_nltk), gives other values.",
                (_survey("4.4.1, 5.2"),),
            ),
            Recommendation(
                "alpha(distance=jaccard)",
                "Uses only the share of common members. Report which distance you chose.",
                (AdviceSource("jaccard1912"), _survey("4.4.2")),
            ),
            Recommendation("alpha(distance=nominal)", "Agreement on the exact set.", (_survey("2.6.1"),)),
        ),
        ("weights",),
    ),
    AdviceCase(
        "tree",
        "hierarchical labels",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=melamed_resnik({tree}))",
                "A general label and a more specific one below it agree in part.",
                (AdviceSource("melamed2000"), _survey("4.5, 5.2")),
                needs=("tree",),
            ),
            Recommendation(
                "alpha(distance=geertzen_bunt({tree}))",
                "Only a label and its ancestors agree in part. Sister labels differ completely.",
                (AdviceSource("geertzen2006"), _survey("4.2")),
                needs=("tree",),
            ),
            Recommendation("alpha(distance=nominal)", "Ignores the hierarchy.", (_survey("2.6.1"),)),
        ),
        ("weights",),
    ),
    AdviceCase(
        "things",
        "separate units",
        UNITS.name,
        (
            Recommendation(
                "gamma(reference={reference})",
                "Aligns the units of each annotator with {reference}. Compares positions and labels together, "
                "corrected for chance.",
                (AdviceSource("mathet2015", "4"),),
                needs=("reference",),
                unless=("points",),
                options="--by annotator --explain",
            ),
            Recommendation(
                "f1(reference={reference})",
                "Recall and precision against {reference}, usual in entity recognition. Not corrected for chance.",
                (AdviceSource("hripcsak2005"),),
                needs=("reference",),
                options="--by annotator",
            ),
            Recommendation(
                "gamma",
                "Aligns the units of all annotators. Compares positions and labels together, allows overlaps, and "
                "shows the sources of disagreement.",
                (AdviceSource("mathet2015", "2, 6"),),
                unless=("reference", "points"),
                options="--by category --explain",
            ),
            Recommendation(
                "gamma_cat",
                "Compares only the labels of aligned units.",
                (AdviceSource("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "f1",
                "Units with equal position and label, usual in entity recognition. Not corrected for chance.",
                (AdviceSource("hripcsak2005"),),
                unless=("reference",),
            ),
        ),
        ("alignment", "negatives", "threshold"),
    ),
    AdviceCase(
        "stretches",
        "units that divide a continuum",
        UNITS.name,
        (
            Recommendation(
                "u_alpha",
                "Compares the label of each place, marked or not. Every second or character counts the same.",
                (AdviceSource("krippendorff2016"),),
                needs=("apart",),
                unless=("points",),
            ),
            Recommendation(
                "cu_alpha",
                "Compares only the labels of places marked by both.",
                (AdviceSource("krippendorff2016"),),
                needs=("apart", "labels"),
                unless=("points",),
            ),
            Recommendation(
                "gamma",
                "Counts units instead of seconds. It detects split units and allows overlaps.",
                (AdviceSource("mathet2015", "6.1"),),
                unless=("points",),
            ),
            Recommendation(
                "kappa_d",
                "κ over frames or characters, for comparison with other work. It ignores splits, and agreement on gaps "
                "raises it.",
                (AdviceSource("reidsma2006"), AdviceSource("mathet2015", "3.4.1")),
                needs=("apart", "labels"),
                unless=("points",),
            ),
        ),
        ("alignment", "threshold"),
    ),
    AdviceCase(
        "given",
        "predefined units",
        UNITS.name,
        (
            Recommendation(
                "gamma_cat",
                "Only labels can differ. With a name for each unit (columns item, annotator, label), alpha and the "
                "other measures for items apply too.",
                (AdviceSource("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "gamma", "Close to α for predefined units.", (AdviceSource("mathet2015", "6.3.3"),), unless=("points",)
            ),
        ),
        ("bias", "prevalence", "threshold"),
    ),
    AdviceCase(
        "boundaries",
        "segmentations",
        SEGMENTATIONS.name,
        (
            Recommendation(
                "window_diff(reference={reference})",
                "Error against {reference}, usual in topic segmentation. Near misses count in part. Not corrected for "
                "chance.",
                (AdviceSource("pevzner2002"), _survey("4.3.1")),
                needs=("reference",),
            ),
            Recommendation(
                "pi_star",
                "Near misses count in part. Corrected for chance.",
                (AdviceSource("fournier2012"), AdviceSource("fournier2013")),
            ),
            Recommendation(
                "boundary_similarity",
                "The share of boundaries that need no edit. Not corrected for chance.",
                (AdviceSource("fournier2013"),),
            ),
            Recommendation(
                "alpha_boundaries",
                "Each possible boundary is an item. A near miss is a full error, so the value underestimates "
                "agreement.",
                (_survey("4.3.1"),),
            ),
            Recommendation(
                "window_diff",
                "Error (0 is perfect), for comparison with work on topic segmentation.",
                (AdviceSource("pevzner2002"),),
                unless=("reference",),
            ),
        ),
        ("near_misses", "threshold"),
    ),
    AdviceCase(
        "texts",
        "corrected texts",
        TEXTS.name,
        (
            Recommendation(
                "text_gamma",
                "Compares letters, tokens and labels although the texts differ. The chance model accounts for "
                "pre-annotation.",
                (AdviceSource("barteld2016"),),
                options="--by kind",
            ),
        ),
    ),
    AdviceCase(
        "chains",
        "coreference chains",
        CHAINS.name,
        (
            Recommendation(
                "conll(reference={reference})",
                "The mean of MUC, B³ and CEAF against {reference}, as for systems. Not corrected for chance.",
                (AdviceSource("pradhan2012"), AdviceSource("pradhan2014")),
                needs=("reference",),
            ),
            Recommendation(
                "chain_alpha",
                "The label of a mention is its chain. Overlapping chains agree in part. Corrected for chance.",
                (_survey("4.4.1"), AdviceSource("passonneau2004")),
            ),
            Recommendation(
                "link_alpha",
                "Each pair of mentions is an item: linked or not. Report both, because the choice changes the value.",
                (_survey("4.4.2"),),
            ),
            Recommendation(
                "conll",
                "Usual in coreference resolution. Not corrected for chance.",
                (AdviceSource("pradhan2012"),),
                unless=("reference",),
            ),
        ),
        ("weights", "threshold"),
    ),
)


# -- remarks on data with certain facts, and disputed questions --------------------------------------------------------

REMARKS: tuple[Remark, ...] = (
    Remark(
        "alone",
        "With only one annotator, nothing can be compared. Let a second person annotate a part. If the same person "
        "annotates it again, use accord intra.",
    ),
    Remark(
        "two",
        "Two annotators may share an unusual interpretation. Krippendorff recommends three or more.",
        (_survey("4.1.1, 5.2"),),
        "plan {data} -m {first} --width 0.1",
    ),
    Remark(
        "many",
        "With {annotators} annotators, κ, π and α are close to each other. Check which annotators agree.",
        (_survey("3.1"),),
        "annotators {data}",
        (ITEMS.name,),
    ),
    Remark(
        "crowd",
        "Annotators change from item to item ({per_item} of {annotators} on each), so the shares of each one are "
        "unreliable. Use α or π instead of κ.",
        (_survey("3.1"),),
        "annotators {data}",
        (ITEMS.name,),
    ),
    Remark(
        "gaps",
        "{missing} of the labels are missing. α, π, κ and AC use all pairs of labels. icc (forms 2 and 3), lin and "
        "kendall_w exclude incomplete items.",
        (_survey("2.6.1"),),
        kinds=(ITEMS.name,),
    ),
    Remark(
        "unseen",
        "Some annotators did not see some documents: {missing} of the pairs are missing and are excluded. If an "
        "annotator saw a document and marked nothing, list both in judged.csv (doc,annotator).",
        kinds=(UNITS.name,),
    ),
    Remark(
        "counts",
        "The data do not name the annotators, so κ and bias are not available.",
        kinds=(ITEMS.name,),
    ),
    Remark(
        "skewed",
        "{largest} of the labels are {category}. Expected agreement is then high, and coefficients can be low although "
        "most labels agree. Report rare categories separately.",
        _AC,
        "score {data} -m alpha -m ac --by category --marginals",
        (ITEMS.name,),
    ),
    Remark(
        "rare",
        "{rare} used fewer than five times: too few to assess agreement there.",
        (_survey("4.1.1"),),
        "score {data} --by category",
        (ITEMS.name, UNITS.name),
    ),
    Remark(
        "few",
        "With {n} {things} the interval will be wide. accord plan computes the required number.",
        (_survey("4.1.2"),),
        "plan {data} -m {first} --width 0.1",
    ),
    Remark(
        "one_document",
        "With one document there is no interval over documents. For a long document, resample blocks.",
        (),
        "score {data} --interval blocks",
        (UNITS.name,),
    ),
    Remark(
        "overlaps",
        "Units of one annotator overlap. γ, SER and F1 allow this; uα, cuα and κ over frames do not.",
        (AdviceSource("mathet2015", "6.1.8"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "points",
        "All units have length 0. f1 and ser match points at the same position; γ, uα, θ_G and κ over frames are "
        "undefined. To allow differences, give points a length, for example start − 0.5 and end + 0.5.",
        (AdviceSource("mathet2015", "4.4.2"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "length_unknown",
        "The lengths of documents are unknown; accord uses the end of the last unit. uα, κ over frames and the chance "
        "model of γ depend on them: add docs.csv (doc,begin,end).",
        (AdviceSource("mathet2015", "3.4.1, 6.3.3"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "numbers",
        "The labels are numbers. For a scale, use gamma(distance=interval).",
        (AdviceSource("mathet2015", "4.4.3"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "in_between",
        "For measurements, also report limits of agreement: differences in the unit of measurement.",
        (),
        "limits {data} --annotators {pair}",
        (ITEMS.name,),
    ),
    Remark(
        "models",
        "{models_are}. Score human annotators separately, and test whether the model can replace one of them.",
        (AdviceSource("calderon2025"),),
        "replace {data} --models {models}",
        (ITEMS.name,),
    ),
    Remark(
        "models_elsewhere",
        "{models_are}. Score human annotators separately (--annotators), then each model against them.",
        (),
    ),
)

DISPUTES: tuple[Dispute, ...] = (
    Dispute(
        "bias",
        "κ or α",
        (
            (
                "Only κ is valid if annotators use the categories in different shares (Hsu & Field 2003; Di Eugenio & "
                "Glass 2004).",
                (_survey("3.1"),),
            ),
            (
                "Both are valid. κ describes these annotators, π and α any annotators. The purpose decides: for the "
                "reliability of a procedure, use π or α.",
                (_survey("3.1, 5.2"), AdviceSource("krippendorff2004")),
            ),
        ),
        "accord recommends α and also lists κ. --marginals tests whether the shares differ.",
    ),
    Dispute(
        "prevalence",
        "Prevalence",
        (
            (
                "A low coefficient with high agreement is a paradox: expected agreement is overestimated. AC1 corrects "
                "it.",
                (AdviceSource("gwet2008"),),
            ),
            (
                "It is correct: if one category is common, careless labelling also gives high agreement. Agreement on "
                "rare categories is the test.",
                (_survey("3.2"),),
            ),
        ),
        "If one category is frequent, accord shows α and AC, and each category separately.",
    ),
    Dispute(
        "threshold",
        "Thresholds",
        (
            (
                "0.8 for good reliability, 0.67 for tentative conclusions (Krippendorff 1980); later 0.8 as the "
                "minimum.",
                (AdviceSource("krippendorff2004"), _survey("4.1.3")),
            ),
            (
                "Above 0.4 is moderate, above 0.6 substantial (Landis & Koch 1977).",
                (_survey("4.1.3"),),
            ),
            (
                "No threshold fits all purposes; if one is needed, 0.8. Report the method, the interval and the "
                "confusions.",
                (_survey("5.3"),),
            ),
        ),
        "accord uses a verbal scale only with --scale. accord meaning shows which errors give a value.",
    ),
    Dispute(
        "weights",
        "Distances and weights",
        (
            (
                "Labels that are not equally distinct need α with a distance, at least hierarchies and sets.",
                (_survey("5.2"),),
            ),
            (
                "The choice changes the value: the same chains gave 0.642, 0.654 and 0.691. Thresholds do not "
                "transfer.",
                (_survey("4.4.2, 4.4.3"),),
            ),
        ),
        "Choose the distance before you see the value, and report it with the unweighted value.",
    ),
    Dispute(
        "alignment",
        "Aligning units",
        (
            (
                "Align units: only an alignment shows which units correspond, detects splits and allows overlaps.",
                (AdviceSource("mathet2015", "3.4, 6.1"),),
            ),
            (
                "Compare intersections: no alignment must be chosen, and length counts. The coefficients of 2016 "
                "answer some objections.",
                (AdviceSource("krippendorff2016"),),
            ),
        ),
        "accord has both: γ for separate units, uα for a divided continuum. docs/unitizing.md compares them.",
    ),
    Dispute(
        "negatives",
        "F1 or a coefficient",
        (
            (
                "F1: the number of unmarked units is unknown, and κ approaches F1 as it grows.",
                (AdviceSource("hripcsak2005"),),
            ),
            (
                "Without chance correction, values cannot be compared between tasks.",
                (AdviceSource("mathet2015", "3.1, 6.3"),),
            ),
        ),
        "accord recommends γ, and F1 in addition.",
    ),
    Dispute(
        "near_misses",
        "Near misses of boundaries",
        (
            (
                "A coefficient over single places underestimates agreement. Windows or weights fit better.",
                (_survey("4.3.1"),),
            ),
            (
                "Windows give errors near the ends less weight and need a size. An edit distance does not.",
                (AdviceSource("lamprier2007"), AdviceSource("fournier2013")),
            ),
        ),
        "accord recommends π*, which uses the edit distance and is corrected for chance.",
    ),
)


# -- what each measure compares, and its main limitation: one line for every measure of the catalogue ------------------

_SURE = "equal labels"
_NO_CHANCE = "no chance correction"
_SPLITS = "ignores splits; agreement on gaps raises it"
_BIAS = "hides bias between annotators, which lowers expected agreement"

SIGHT: dict[str, Sight] = {
    # labels of items
    "percent": Sight(_SURE, f"{_NO_CHANCE}: few categories or a frequent one raise it"),
    "s": Sight("equal labels beyond uniform guessing", "ignores the frequencies of categories"),
    "pi": Sight(
        "agreement beyond chance, for any annotators with these shares",
        "counts bias as disagreement, without showing it separately",
    ),
    "kappa": Sight("agreement beyond chance, for these annotators", _BIAS),
    "alpha": Sight("agreement beyond chance, with missing labels, distances, small samples",
                   "does not show bias: use --marginals"),
    "ac": Sight(
        "agreement beyond chance, with a small correction if one category is frequent",
        "hides disagreement on rare categories: use --by category",
    ),
    # numbers on a scale
    "cronbach": Sight("consistency of a sum or mean of annotators", "ignores constant differences"),
    "icc": Sight("share of variance between items", "numbers only; low if items hardly vary"),
    "lin": Sight("deviation from equality: scatter and constant difference", "does not show single outliers"),
    "kendall_w": Sight("rank order of the items", "ignores the size of differences"),
    # units
    "gamma": Sight("positions and labels of aligned units, splits, overlaps", "ignores agreement on unmarked places"),
    "gamma_cat": Sight("labels of aligned units", "ignores units of only one annotator"),
    "gamma_k": Sight("labels of aligned units, one category", "ignores other categories"),
    "alpha_u": Sight("boundaries and lengths by category, squared", "counts a confused label as two misses"),
    "u_alpha": Sight("label of each place, marked or not", "ignores splits; rejects overlaps"),
    "bar_u_alpha": Sight("marked or unmarked places", "ignores labels"),
    "cu_alpha": Sight("labels of places marked by both", "ignores places marked by one; ignores splits"),
    "ku_alpha": Sight("labels of places marked by both, one category", "ignores other categories"),
    "theta": Sight("marked zones and their labels", "ignores chance of positions: near 1 with many zones"),
    "ser": Sight("wrong, missing and spurious units against a reference", f"{_NO_CHANCE}; ignores distance"),
    "f1": Sight("matching units", f"{_NO_CHANCE}; ignores near misses without match="),
    "kappa_d": Sight("label of each frame or character", _SPLITS),
    "alpha_d": Sight("label of each frame or character", _SPLITS),
    # segmentations
    "pk": Sight("whether two places are in one segment", f"{_NO_CHANCE}; ignores the number of boundaries between"),
    "window_diff": Sight("number of boundaries in a window", f"{_NO_CHANCE}; depends on the window"),
    "ghd": Sight("cost of moving, adding and deleting boundaries", f"{_NO_CHANCE}; costs must be chosen"),
    "boundary_edit_distance": Sight("number of edits", f"{_NO_CHANCE}; grows with the text"),
    "boundary_similarity": Sight("boundaries, near misses in part", _NO_CHANCE),
    "segmentation_similarity": Sight("boundaries, near misses in part", "places without boundaries raise it"),
    "pi_star": Sight(
        "boundaries beyond chance, near misses in part",
        "counts bias as disagreement, without showing it separately",
    ),
    "kappa_star": Sight("boundaries beyond chance, near misses in part", _BIAS),
    "alpha_boundaries": Sight("boundaries beyond chance", "ignores near misses without distance="),
    "pi_boundaries": Sight("boundaries beyond chance", "ignores near misses"),
    "kappa_boundaries": Sight("boundaries beyond chance", "ignores near misses; hides bias between annotators"),
    # texts
    "text_gamma": Sight("letters, tokens and labels beyond chance", "not for overlapping or scattered units"),
    # chains
    "chain_alpha": Sight("chains with shared mentions, beyond chance",
                         "does not separate missing mentions from other chains: unmarked=absent"),
    "link_alpha": Sight("pairs of mentions, linked or not, beyond chance", "long chains dominate"),
    "muc": Sight("links to add", f"{_NO_CHANCE}; ignores singletons"),
    "b_cubed": Sight("mentions with their chains", f"{_NO_CHANCE}; singletons raise it"),
    "ceaf_e": Sight("chains aligned one to one", f"{_NO_CHANCE}; long and short chains count the same"),
    "conll": Sight("the mean of MUC, B³ and CEAF", f"{_NO_CHANCE}; hides which of the three changed"),
    "blanc": Sight("links and non-links separately", _NO_CHANCE),
    "links_f1": Sight("links of two mentions", f"{_NO_CHANCE}; long chains dominate"),
}  # fmt: skip


def case_named(name: str) -> AdviceCase:
    return next(case for case in CASES if case.name == name)


def tree_as_dict() -> dict[str, Any]:
    """Return the decision tree as plain data for web pages: questions, cases, remarks, disputes, limits of measures."""
    return {
        "first": FIRST,
        "questions": [one.to_dict() for one in QUESTIONS],
        "cases": [one.to_dict() for one in CASES],
        "remarks": [one.to_dict() for one in REMARKS],
        "disputes": [one.to_dict() for one in DISPUTES],
        "sight": {name: one.to_dict() for name, one in SIGHT.items()},
    }
