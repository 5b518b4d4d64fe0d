"""The cases and the measures for each, what to bear in mind, where authors disagree, and what each measure can see."""

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
    "What readers understand at once. Report it beside a coefficient, never alone: it is high where categories are few "
    "or one is frequent.",
    (_survey("2.3"),),
)
_AC = AdviceSource("gwet2008"), _survey("3.2")

CASES: tuple[AdviceCase, ...] = (
    AdviceCase(
        "names",
        "labels of items, names without an order",
        ITEMS.name,
        (
            Recommendation(
                "kappa",
                "How well each annotator agrees with {reference}: look at the pairs with {reference}. Chance comes "
                "from the shares of each, because a standard and an annotator are not interchangeable.",
                (AdviceSource("cohen1960"), _survey("3.1")),
                needs=("reference", "identified"),
                options="--by pair --matrix",
            ),
            Recommendation(
                "alpha",
                "Takes any number of annotators, missing labels and small samples. Chance comes from the shares of "
                "all annotators together, so the value is about the procedure, not about these annotators.",
                (_survey("3.1, 5.2"), AdviceSource("krippendorff2004")),
                options="--by category",
            ),
            Recommendation(
                "kappa",
                "Is about these very annotators: chance comes from the shares of each. Many reviewers expect it; "
                "with more annotators it comes close to α.",
                (AdviceSource("cohen1960"), _survey("3.1")),
                needs=("identified",),
                unless=("reference", "crowd"),
            ),
            Recommendation(
                "ac",
                "One category has most of the labels. AC1 subtracts little there, where α and κ fall; report both, and "
                "the value of the rare category by itself.",
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
        "labels of items, grades in an order",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=ordinal)",
                "A near miss counts less, and only the order is used: steps need not be equal. Takes missing labels "
                "and any number of annotators.",
                (_survey("2.6, 5.2"), AdviceSource("krippendorff2004")),
            ),
            Recommendation(
                "kappa(weights=quadratic)",
                "The weighted κ that clinical journals expect. It takes the grades as numbers, or numbers words 1, 2, "
                "3 …, and squares their differences.",
                (AdviceSource("cohen1968"), _survey("2.6.2")),
                needs=("identified",),
                unless=("crowd",),
            ),
            Recommendation(
                "ac(weights=ordinal)",
                "One grade has most of the labels. AC2 subtracts little there, where the others fall; report both.",
                (AdviceSource("gwet2014"), _survey("3.2")),
                needs=("skewed",),
            ),
            Recommendation(
                "alpha",
                "The same without the order, beside the first: how often do they give the very same grade?",
                (_survey("2.6.1"),),
            ),
        ),
        ("weights", "bias", "threshold"),
    ),
    AdviceCase(
        "amounts",
        "labels of items, numbers that were measured or counted",
        ITEMS.name,
        (
            Recommendation(
                "lin",
                "How far {reference} and each other annotator lie from the line on which both are equal: spread and "
                "a constant difference both count.",
                (AdviceSource("lin1989"),),
                needs=("reference", "identified", "numbers"),
                options="--by pair",
            ),
            Recommendation(
                "icc",
                "The share of the variance that is between items. Form 2: the annotators are a sample of those who "
                "might do it, and one who is always higher counts as disagreeing.",
                (AdviceSource("shrout1979"), AdviceSource("mcgraw1996")),
                needs=("identified", "numbers", "complete"),
            ),
            Recommendation(
                "alpha(distance=interval)",
                "Takes missing numbers and any number of annotators, and squares differences.",
                (_survey("2.6.1"), AdviceSource("krippendorff2004")),
                needs=("numbers",),
            ),
            Recommendation(
                "icc(form=1)",
                "Every item has annotators of its own, or it is not known whose the numbers are.",
                (AdviceSource("shrout1979"),),
                needs=("numbers", "gaps"),
            ),
            Recommendation(
                "lin",
                "How far from being equal the annotators are, pair by pair.",
                (AdviceSource("lin1989"), AdviceSource("barnhart2002")),
                needs=("identified", "numbers", "complete"),
                unless=("reference",),
            ),
        ),
        ("weights",),
    ),
    AdviceCase(
        "circle",
        "labels of items that go round, like hours",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=circular)",
                "23 o'clock and midnight are neighbours. The period is the range of the labels and 1 unless you say "
                "it: circular(24).",
                (AdviceSource("krippendorff2004"),),
            ),
        ),
        ("weights",),
    ),
    AdviceCase(
        "sets",
        "labels of items, sets of several members",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=masi)",
                "A set that is right in part counts in part, most where one contains the other. Weighted measures are "
                "almost unavoidable for sets, says the survey.",
                (_survey("4.4.1, 5.2"), AdviceSource("passonneau2006")),
            ),
            Recommendation(
                "alpha(distance=jaccard)",
                "The same by the share of common members alone: simpler to explain. The choice changes the value, so "
                "say which one you took.",
                (AdviceSource("jaccard1912"), _survey("4.4.2")),
            ),
            Recommendation(
                "alpha",
                "Beside them: how often is the whole set the same?",
                (_survey("2.6.1"),),
            ),
        ),
        ("weights",),
    ),
    AdviceCase(
        "tree",
        "labels of items, of which some are kinds of others",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=melamed_resnik({tree}))",
                "A general label and a specific one below it agree in part.",
                (AdviceSource("melamed2000"), _survey("4.5, 5.2")),
                needs=("tree",),
            ),
            Recommendation(
                "alpha(distance=geertzen_bunt({tree}))",
                "Partial agreement between a label and those above it alone; labels beside each other differ wholly.",
                (AdviceSource("geertzen2006"), _survey("4.2")),
                needs=("tree",),
            ),
            Recommendation("alpha", "Beside them: all labels as names.", (_survey("2.6.1"),)),
        ),
        ("weights",),
    ),
    AdviceCase(
        "things",
        "units that annotators found: things of their own",
        UNITS.name,
        (
            Recommendation(
                "gamma(reference={reference})",
                "Every annotator against {reference}: units are aligned, and places and labels judged together, beyond "
                "chance.",
                (AdviceSource("mathet2015", "4"),),
                needs=("reference",),
                options="--by annotator --explain",
            ),
            Recommendation(
                "f1(reference={reference})",
                "Recall and precision against {reference}, as entity recognition reports them; not corrected for "
                "chance.",
                (AdviceSource("hripcsak2005"),),
                needs=("reference",),
                options="--by annotator",
            ),
            Recommendation(
                "gamma",
                "Aligns the units of all annotators at once, judges places and labels together, takes overlaps, and "
                "shows where the disagreement is.",
                (AdviceSource("mathet2015", "2, 6"),),
                unless=("reference",),
                options="--by category --explain",
            ),
            Recommendation(
                "gamma_cat",
                "The labels of the units that were aligned, by themselves: do they differ about what, or about where?",
                (AdviceSource("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "f1",
                "What entity recognition reports: units that match, place and label. Where most of the text is not "
                "marked, κ would come close to it; it is not corrected for chance.",
                (AdviceSource("hripcsak2005"),),
                unless=("reference",),
            ),
        ),
        ("alignment", "negatives", "threshold"),
    ),
    AdviceCase(
        "stretches",
        "units that divide up the whole",
        UNITS.name,
        (
            Recommendation(
                "u_alpha",
                "Every second or character counts the same, marked or not: the question is what each place is.",
                (AdviceSource("krippendorff2016"),),
                needs=("apart",),
            ),
            Recommendation(
                "cu_alpha",
                "The labels of what both marked, by themselves.",
                (AdviceSource("krippendorff2016"),),
                needs=("apart", "labels"),
            ),
            Recommendation(
                "gamma",
                "Counts units, not seconds: it sees that one annotator splits what another takes as one, and it takes "
                "overlaps.",
                (AdviceSource("mathet2015", "6.1"),),
            ),
            Recommendation(
                "kappa_d",
                "κ over frames or characters, where people report that. It does not see a split, and agreement on gaps "
                "raises it.",
                (AdviceSource("reidsma2006"), AdviceSource("mathet2015", "3.4.1")),
                needs=("apart", "labels"),
            ),
        ),
        ("alignment", "threshold"),
    ),
    AdviceCase(
        "given",
        "units that were given, so that labels alone were chosen",
        UNITS.name,
        (
            Recommendation(
                "gamma_cat",
                "Places are the same for all, so that only labels can differ. If you give each unit a name, as a table "
                "with the columns item, annotator, label, alpha and all other measures of items can be used.",
                (AdviceSource("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "gamma",
                "On given units it behaves almost as α does.",
                (AdviceSource("mathet2015", "6.3.3"),),
            ),
        ),
        ("bias", "prevalence", "threshold"),
    ),
    AdviceCase(
        "boundaries",
        "segmentations: boundaries between parts",
        SEGMENTATIONS.name,
        (
            Recommendation(
                "window_diff(reference={reference})",
                "The error against {reference} that work on topic segmentation reports; near misses count in part. Not "
                "corrected for chance.",
                (AdviceSource("pevzner2002"), _survey("4.3.1")),
                needs=("reference",),
            ),
            Recommendation(
                "pi_star",
                "Near misses of a boundary count in part, and chance is taken out.",
                (AdviceSource("fournier2012"), AdviceSource("fournier2013")),
            ),
            Recommendation(
                "boundary_similarity",
                "The same before chance is taken out: the share of boundaries that need no edit.",
                (AdviceSource("fournier2013"),),
            ),
            Recommendation(
                "alpha_boundaries",
                "Every place where a boundary might be is an item. A near miss is as wrong as any other, so it "
                "underestimates agreement; earlier work reports it.",
                (_survey("4.3.1"),),
            ),
            Recommendation(
                "window_diff",
                "An error, 0 is perfect: to compare with work on topic segmentation.",
                (AdviceSource("pevzner2002"), _survey("4.3.1")),
                unless=("reference",),
            ),
        ),
        ("near_misses", "threshold"),
    ),
    AdviceCase(
        "texts",
        "texts that annotators corrected, and their labels",
        TEXTS.name,
        (
            Recommendation(
                "text_gamma",
                "The only one that compares letters, tokens and labels although annotators changed the text; chance "
                "knows what was pre-annotated.",
                (AdviceSource("barteld2016"),),
                options="--by kind",
            ),
        ),
    ),
    AdviceCase(
        "chains",
        "chains of coreference",
        CHAINS.name,
        (
            Recommendation(
                "conll(reference={reference})",
                "The mean of MUC, B³ and CEAF against {reference}, as systems are scored; not corrected for chance.",
                (AdviceSource("pradhan2012"), AdviceSource("pradhan2014")),
                needs=("reference",),
            ),
            Recommendation(
                "chain_alpha",
                "The label of a mention is its chain, and chains that share mentions agree in part; beyond chance.",
                (_survey("4.4.1"), AdviceSource("passonneau2004")),
            ),
            Recommendation(
                "link_alpha",
                "Every two mentions are an item, linked or not. The choice among such measures changes the value, so "
                "give both.",
                (_survey("4.4.2"), AdviceSource("krippendorff2004")),
            ),
            Recommendation(
                "conll",
                "What work on coreference resolution reports; not corrected for chance.",
                (AdviceSource("pradhan2012"),),
                unless=("reference",),
            ),
        ),
        ("weights", "threshold"),
    ),
)


# -- what to bear in mind where a fact holds, and where authors disagree -----------------------------------------------

REMARKS: tuple[Remark, ...] = (
    Remark(
        "alone",
        "There is only one annotator, so nothing can be compared. Somebody else has to annotate at least a part again; "
        "if the same person does it later, accord intra compares the two.",
    ),
    Remark(
        "two",
        "Two annotators may share a reading of the guidelines that nobody else has. Krippendorff asks for three or "
        "more.",
        (_survey("4.1.1, 5.2"),),
        "plan {data} -m {first} --width 0.1",
    ),
    Remark(
        "many",
        "With {annotators} annotators κ, π and α come close to each other, so the choice among them matters little. "
        "Who agrees with whom matters more.",
        (_survey("3.1"),),
        "annotators {data}",
        (ITEMS.name,),
    ),
    Remark(
        "crowd",
        "Annotators change from item to item ({per_item} of {annotators} on each): none of them "
        "labelled enough for their own shares to mean much. Take α or π, whose chance comes from all together, not κ.",
        (_survey("3.1"),),
        "annotators {data}",
        (ITEMS.name,),
    ),
    Remark(
        "gaps",
        "{missing} of the labels are missing. α, π, κ and AC use every pair of labels that there is; icc of forms 2 "
        "and 3, lin and kendall_w leave out every item that is not complete.",
        (_survey("2.6.1"),),
        kinds=(ITEMS.name,),
    ),
    Remark(
        "unseen",
        "Not everybody looked at every document: {missing} of the pairs are missing. If somebody looked and marked "
        "nothing, say so in judged.csv (doc,annotator); otherwise such documents are left out.",
        kinds=(UNITS.name,),
    ),
    Remark(
        "counts",
        "The data do not say who gave which label, so there is no κ, and nobody can tell who leans where.",
        kinds=(ITEMS.name,),
    ),
    Remark(
        "skewed",
        "{largest} of the labels are {category}. Chance agreement is then high, and coefficients fall although most "
        "labels are equal. Authors disagree whether that is a flaw; whatever you report, show the rare categories by "
        "themselves.",
        (_survey("3.2"), AdviceSource("gwet2008")),
        "score {data} -m alpha -m ac --by category --marginals",
        (ITEMS.name,),
    ),
    Remark(
        "rare",
        "{rare} used fewer than five times, which is too few to say anything about agreement there. Krippendorff asks "
        "for five agreements by chance in each category, and that takes more.",
        (_survey("4.1.1"),),
        "score {data} --by category",
        (ITEMS.name, UNITS.name),
    ),
    Remark(
        "few",
        "With {n} {things} the interval will be wide. accord plan says how many it takes.",
        (_survey("4.1.2"),),
        "plan {data} -m {first} --width 0.1",
    ),
    Remark(
        "one_document",
        "There is only one document, so there is no interval over documents; for one long document, blocks of it are "
        "drawn instead.",
        (),
        "score {data} --interval blocks",
        (UNITS.name,),
    ),
    Remark(
        "overlaps",
        "Units of one annotator overlap: γ, SER and F1 can handle that; uα, cuα and κ over frames cannot.",
        (AdviceSource("mathet2015", "6.1.8"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "length_unknown",
        "How long the documents are is not known; accord takes each to end with its last unit. Measures that count "
        "gaps (uα, κ over frames) and the chance of γ depend on it: give the lengths in docs.csv (doc,begin,end).",
        (AdviceSource("mathet2015", "3.4.1, 6.3.3"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "numbers",
        "The labels are numbers. If they are a scale, near ones can count less: gamma(distance=interval).",
        (AdviceSource("mathet2015", "4.4.3"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "in_between",
        "For measurements, show the differences as well: limits of agreement say in the unit itself how far two "
        "annotators are apart.",
        (),
        "limits {data} --annotators {pair}",
        (ITEMS.name,),
    ),
    Remark(
        "models",
        "{models_are}. Agreement among people and agreement with a model are different questions: score the "
        "people by themselves, and test whether the model may stand in for one of them.",
        (AdviceSource("calderon2025"),),
        "replace {data} --models {models}",
        (ITEMS.name,),
    ),
    Remark(
        "models_elsewhere",
        "{models_are}. Score the people by themselves (--annotators), and then each model against them.",
        (),
    ),
)

DISPUTES: tuple[Dispute, ...] = (
    Dispute(
        "bias",
        "κ or α, where annotators use the categories differently?",
        (
            (
                "κ is the only index that may be applied where the shares differ, and most discourse annotation is "
                "like that (Hsu & Field 2003; Di Eugenio & Glass 2004).",
                (_survey("3.1, which reports both"),),
            ),
            (
                "Both work whatever the shares are. κ is about these very annotators, π and α about any. Choose one by "
                "the purpose and not by the shares; for the reliability of a procedure that is π or α.",
                (_survey("3.1, 5.2"), AdviceSource("krippendorff2004")),
            ),
        ),
        "accord recommends α, and lists κ for those who need it; --marginals tests whether the shares differ.",
    ),
    Dispute(
        "prevalence",
        "High agreement and a low coefficient, because one category is frequent: a flaw?",
        (
            (
                "Yes, a paradox: chance agreement is overestimated where annotators rarely guess. AC1 was made to "
                "repair it.",
                (AdviceSource("gwet2008"),),
            ),
            (
                "No: where one category is very common, high agreement also comes from labelling without looking. The "
                "test is agreement on the rare categories, and that is what κ and α measure.",
                (_survey("3.2"),),
            ),
        ),
        "accord shows α and AC side by side, with each category by itself, where one category is frequent.",
    ),
    Dispute(
        "threshold",
        "How high is high enough?",
        (
            (
                "0.8 for good reliability, 0.67 for tentative conclusions; later 0.8 as the minimum for any serious "
                "purpose (Krippendorff 1980, 2004).",
                (AdviceSource("krippendorff2004"), _survey("4.1.3")),
            ),
            (
                "Above 0.4 is moderate, above 0.6 substantial: many medical researchers find this appropriate (Landis "
                "& Koch 1977).",
                (_survey("4.1.3"),),
            ),
            (
                "If a threshold has to be set, 0.8; but no single one fits all purposes, and it should be no condition "
                "of publication. Report the method, the interval and the confusions.",
                (_survey("5.3"),),
            ),
        ),
        "accord judges no value unless you ask (--scale); accord meaning says what kind of annotators would give it.",
    ),
    Dispute(
        "weights",
        "Which distance or weights?",
        (
            (
                "α with a distance is indispensable where labels are not equally distinct: in hierarchies and sets at "
                "least.",
                (_survey("5.2"),),
            ),
            (
                "The choice changes the value: the same chains gave 0.642, 0.654 and 0.691 under three distances. "
                "Values under different weights cannot be compared, and thresholds do not carry over.",
                (_survey("4.4.2, 4.4.3"),),
            ),
        ),
        "Choose before you look, say what you chose, and give the value without weights beside it.",
    ),
    Dispute(
        "alignment",
        "Align units, or compare place by place?",
        (
            (
                "Align: a unit is a thing. Without an alignment one cannot say which units belong together, splits go "
                "unseen, and overlaps cannot be handled.",
                (AdviceSource("mathet2015", "3.4, 6.1"),),
            ),
            (
                "Compare the stretches where units intersect: nothing has to be decided first, and length counts as it "
                "is. The coefficients of 2016 answer some of the objections to those of 2013.",
                (AdviceSource("krippendorff2016"),),
            ),
        ),
        "accord has both: γ comes first for things, uα for what is divided up. docs/unitizing.md shows where they "
        "differ.",
    ),
    Dispute(
        "negatives",
        "F1 or a coefficient, where most of the text is not marked?",
        (
            (
                "F1: nobody can count the units that were not marked, and κ comes close to F1 as their number grows.",
                (AdviceSource("hripcsak2005"),),
            ),
            (
                "A measure that is not corrected for chance cannot be compared between tasks: how low it falls on "
                "random annotations depends on the task.",
                (AdviceSource("mathet2015", "3.1, 6.3"),),
            ),
        ),
        "accord recommends γ, and F1 beside it for those who know F1.",
    ),
    Dispute(
        "near_misses",
        "Boundaries: is a near miss a miss?",
        (
            (
                "A coefficient over single places underestimates agreement: annotators agree on the bulk of segments "
                "and not on where exactly they end. Windows or weights fit better.",
                (_survey("4.3.1"),),
            ),
            (
                "Windows count errors near the ends of a text less, and their size has to be chosen; an edit distance "
                "between boundaries has no window.",
                (AdviceSource("lamprier2007"), AdviceSource("fournier2013")),
            ),
        ),
        "accord recommends π*, which rests on the edit distance and is corrected for chance.",
    ),
)


# -- what each measure can see, and what it cannot: a line for every measure of the catalogue --------------------------

_SURE = "labels that are equal"
_NO_CHANCE = "what chance would give"

SIGHT: dict[str, Sight] = {
    # labels of items
    "percent": Sight(_SURE, f"{_NO_CHANCE}: few categories, or a frequent one, raise it"),
    "s": Sight(
        "labels that are equal, beyond guessing evenly", "which categories are frequent: it takes all as equally likely"
    ),
    "pi": Sight("agreement beyond chance, for any annotators with these shares", "that annotators lean differently"),
    "kappa": Sight("agreement beyond chance, for these annotators", "systematic leaning: chance takes it out"),
    "alpha": Sight("agreement beyond chance, with gaps, degrees, small samples", "who leans where: --marginals"),
    "ac": Sight("agreement where one category is frequent", "disagreement about a rare category: --by category"),
    # numbers on a scale
    "cronbach": Sight("whether a sum or mean of annotators is consistent", "that one is always higher"),
    "icc": Sight(
        "how much of the variance is between items", "anything but numbers; it is low where items hardly vary"
    ),
    "lin": Sight("how far two are from being equal: spread, and a constant difference", "single items far off"),
    "kendall_w": Sight("whether all put the items in the same order", "how far apart numbers are"),
    # units
    "gamma": Sight("places and labels of aligned units, splits, overlaps", "agreement that nothing is there"),
    "gamma_cat": Sight("labels of aligned units", "units that only one annotator has"),
    "gamma_k": Sight("the same for one category", "all other categories"),
    "alpha_u": Sight(
        "boundaries and lengths, by category, squared", "that one label was taken for another: it counts as two misses"
    ),
    "u_alpha": Sight("what every place is, marked or not", "splits; overlaps are refused"),
    "bar_u_alpha": Sight("where something is marked", "labels"),
    "cu_alpha": Sight("labels of what both marked", "what only one marked; splits"),
    "ku_alpha": Sight("the same for one category", "all other categories"),
    "theta": Sight("zones that either marked, and their labels", "chance of places: near 1 where zones are many"),
    "ser": Sight("units that are wrong, missing or too many, against a reference", f"{_NO_CHANCE}; how far off"),
    "f1": Sight("units that match", f"{_NO_CHANCE}; near misses, unless match= says so"),
    "kappa_d": Sight("the label of every frame or character", "splits; agreement on gaps raises it"),
    "alpha_d": Sight("the label of every frame or character", "splits; agreement on gaps raises it"),
    # segmentations
    "pk": Sight("whether two places are in one segment", f"{_NO_CHANCE}; how many boundaries lie between"),
    "window_diff": Sight("how many boundaries lie in a window", f"{_NO_CHANCE}; it depends on the window"),
    "ghd": Sight("what it costs to move, add and delete boundaries", f"{_NO_CHANCE}; costs have to be chosen"),
    "boundary_edit_distance": Sight("the number of edits between two", f"{_NO_CHANCE}; it grows with the text"),
    "boundary_similarity": Sight("boundaries, near misses in part", _NO_CHANCE),
    "segmentation_similarity": Sight(
        "boundaries, near misses in part", "much of it: places without boundaries raise it"
    ),
    "pi_star": Sight("boundaries beyond chance, near misses in part", "that annotators lean differently"),
    "kappa_star": Sight("boundaries beyond chance, near misses in part", "systematic leaning: chance takes it out"),
    "alpha_boundaries": Sight("boundaries beyond chance", "that a near miss is near, unless distance= says so"),
    "pi_boundaries": Sight("boundaries beyond chance", "that a near miss is near"),
    "kappa_boundaries": Sight("boundaries beyond chance", "that a near miss is near; systematic leaning"),
    # texts
    "text_gamma": Sight("letters, tokens and labels, beyond chance", "units that overlap or lie scattered: use gamma"),
    # chains
    "chain_alpha": Sight(
        "chains that share mentions, beyond chance", "whether a miss is of the mention or of its chain: unmarked=absent"
    ),
    "link_alpha": Sight(
        "every two mentions, linked or not, beyond chance", "short chains: a long one has many more links, and decides"
    ),
    "muc": Sight("links that have to be added", f"{_NO_CHANCE}; mentions that stand alone"),
    "b_cubed": Sight("mentions, each with its chain", f"{_NO_CHANCE}; mentions that stand alone raise it"),
    "ceaf_e": Sight("chains, aligned one to one", f"{_NO_CHANCE}; a long chain counts like a short one"),
    "conll": Sight("the mean of MUC, B³ and CEAF", f"{_NO_CHANCE}; which of the three moved"),
    "blanc": Sight("links and non-links, each by itself", _NO_CHANCE),
    "links_f1": Sight("links of two mentions", f"{_NO_CHANCE}; long chains count more than short ones"),
}


def case_named(name: str) -> AdviceCase:
    return next(case for case in CASES if case.name == name)


def tree_as_dict() -> dict[str, Any]:
    """All of the tree as plain data, for pages in other languages: questions, cases, remarks, disputes, sight."""
    return {
        "first": FIRST,
        "questions": [one.to_dict() for one in QUESTIONS],
        "cases": [one.to_dict() for one in CASES],
        "remarks": [one.to_dict() for one in REMARKS],
        "disputes": [one.to_dict() for one in DISPUTES],
        "sight": {name: one.to_dict() for name, one in SIGHT.items()},
    }
