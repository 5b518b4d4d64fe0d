"""The cases, and for each the measures that fit it: the first is the one to report, the others stand beside it."""

from __future__ import annotations

from accord.answers.advising.shape import Case, Recommendation, Source
from accord.data.kinds import CHAINS, ITEMS, SEGMENTATIONS, TEXTS, UNITS


def _survey(place: str) -> Source:
    return Source("artstein2008", place)


_PERCENT = Recommendation(
    "percent",
    "What readers understand at once. Report it beside a coefficient, never alone: it is high where categories are few "
    "or one is frequent.",
    (_survey("2.3"),),
)
_AC = Source("gwet2008"), _survey("3.2")

CASES: tuple[Case, ...] = (
    Case(
        "names",
        "labels of items, names without an order",
        ITEMS.name,
        (
            Recommendation(
                "kappa",
                "How well each annotator agrees with {reference}: look at the pairs with {reference}. Chance comes "
                "from the shares of each, because a standard and an annotator are not interchangeable.",
                (Source("cohen1960"), _survey("3.1")),
                needs=("reference", "identified"),
                options="--by pair --matrix",
            ),
            Recommendation(
                "alpha",
                "Takes any number of annotators, missing labels and small samples. Chance comes from the shares of "
                "all annotators together, so the value is about the procedure, not about these annotators.",
                (_survey("3.1, 5.2"), Source("krippendorff2004")),
                options="--by category",
            ),
            Recommendation(
                "kappa",
                "Is about these very annotators: chance comes from the shares of each. Many reviewers expect it; "
                "with more annotators it comes close to α.",
                (Source("cohen1960"), _survey("3.1")),
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
    Case(
        "grades",
        "labels of items, grades in an order",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=ordinal)",
                "A near miss counts less, and only the order is used: steps need not be equal. Takes missing labels "
                "and any number of annotators.",
                (_survey("2.6, 5.2"), Source("krippendorff2004")),
            ),
            Recommendation(
                "kappa(weights=quadratic)",
                "The weighted κ that clinical journals expect. It takes the grades as numbers, or numbers words 1, 2, "
                "3 …, and squares their differences.",
                (Source("cohen1968"), _survey("2.6.2")),
                needs=("identified",),
                unless=("crowd",),
            ),
            Recommendation(
                "ac(weights=ordinal)",
                "One grade has most of the labels. AC2 subtracts little there, where the others fall; report both.",
                (Source("gwet2014"), _survey("3.2")),
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
    Case(
        "amounts",
        "labels of items, numbers that were measured or counted",
        ITEMS.name,
        (
            Recommendation(
                "lin",
                "How far {reference} and each other annotator lie from the line on which both are equal: spread and "
                "a constant difference both count.",
                (Source("lin1989"),),
                needs=("reference", "identified", "numbers"),
                options="--by pair",
            ),
            Recommendation(
                "icc",
                "The share of the variance that is between items. Form 2: the annotators are a sample of those who "
                "might do it, and one who is always higher counts as disagreeing.",
                (Source("shrout1979"), Source("mcgraw1996")),
                needs=("identified", "numbers", "complete"),
            ),
            Recommendation(
                "alpha(distance=interval)",
                "Takes missing numbers and any number of annotators, and squares differences.",
                (_survey("2.6.1"), Source("krippendorff2004")),
                needs=("numbers",),
            ),
            Recommendation(
                "icc(form=1)",
                "Every item has annotators of its own, or it is not known whose the numbers are.",
                (Source("shrout1979"),),
                needs=("numbers", "gaps"),
            ),
            Recommendation(
                "lin",
                "How far from being equal the annotators are, pair by pair.",
                (Source("lin1989"), Source("barnhart2002")),
                needs=("identified", "numbers", "complete"),
                unless=("reference",),
            ),
        ),
        ("weights",),
    ),
    Case(
        "circle",
        "labels of items that go round, like hours",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=circular)",
                "23 o'clock and midnight are neighbours. The period is the range of the labels and 1 unless you say "
                "it: circular(24).",
                (Source("krippendorff2004"),),
            ),
        ),
        ("weights",),
    ),
    Case(
        "sets",
        "labels of items, sets of several members",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=masi)",
                "A set that is right in part counts in part, most where one contains the other. Weighted measures are "
                "almost unavoidable for sets, says the survey.",
                (_survey("4.4.1, 5.2"), Source("passonneau2006")),
            ),
            Recommendation(
                "alpha(distance=jaccard)",
                "The same by the share of common members alone: simpler to explain. The choice changes the value, so "
                "say which one you took.",
                (Source("jaccard1912"), _survey("4.4.2")),
            ),
            Recommendation(
                "alpha",
                "Beside them: how often is the whole set the same?",
                (_survey("2.6.1"),),
            ),
        ),
        ("weights",),
    ),
    Case(
        "tree",
        "labels of items, of which some are kinds of others",
        ITEMS.name,
        (
            Recommendation(
                "alpha(distance=melamed_resnik({tree}))",
                "A general label and a specific one below it agree in part.",
                (Source("melamed2000"), _survey("4.5, 5.2")),
                needs=("tree",),
            ),
            Recommendation(
                "alpha(distance=geertzen_bunt({tree}))",
                "Partial agreement between a label and those above it alone; labels beside each other differ wholly.",
                (Source("geertzen2006"), _survey("4.2")),
                needs=("tree",),
            ),
            Recommendation("alpha", "Beside them: all labels as names.", (_survey("2.6.1"),)),
        ),
        ("weights",),
    ),
    Case(
        "things",
        "units that annotators found: things of their own",
        UNITS.name,
        (
            Recommendation(
                "gamma(reference={reference})",
                "Every annotator against {reference}: units are aligned, and places and labels judged together, beyond "
                "chance.",
                (Source("mathet2015", "4"),),
                needs=("reference",),
                options="--by annotator --explain",
            ),
            Recommendation(
                "f1(reference={reference})",
                "Recall and precision against {reference}, as entity recognition reports them; not corrected for "
                "chance.",
                (Source("hripcsak2005"),),
                needs=("reference",),
                options="--by annotator",
            ),
            Recommendation(
                "gamma",
                "Aligns the units of all annotators at once, judges places and labels together, takes overlaps, and "
                "shows where the disagreement is.",
                (Source("mathet2015", "2, 6"),),
                unless=("reference",),
                options="--by category --explain",
            ),
            Recommendation(
                "gamma_cat",
                "The labels of the units that were aligned, by themselves: do they differ about what, or about where?",
                (Source("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "f1",
                "What entity recognition reports: units that match, place and label. Where most of the text is not "
                "marked, κ would come close to it; it is not corrected for chance.",
                (Source("hripcsak2005"),),
                unless=("reference",),
            ),
        ),
        ("alignment", "negatives", "threshold"),
    ),
    Case(
        "stretches",
        "units that divide up the whole",
        UNITS.name,
        (
            Recommendation(
                "u_alpha",
                "Every second or character counts the same, marked or not: the question is what each place is.",
                (Source("krippendorff2016"),),
                needs=("apart",),
            ),
            Recommendation(
                "cu_alpha",
                "The labels of what both marked, by themselves.",
                (Source("krippendorff2016"),),
                needs=("apart", "labels"),
            ),
            Recommendation(
                "gamma",
                "Counts units, not seconds: it sees that one annotator splits what another takes as one, and it takes "
                "overlaps.",
                (Source("mathet2015", "6.1"),),
            ),
            Recommendation(
                "kappa_d",
                "κ over frames or characters, where people report that. It does not see a split, and agreement on gaps "
                "raises it.",
                (Source("reidsma2006"), Source("mathet2015", "3.4.1")),
                needs=("apart", "labels"),
            ),
        ),
        ("alignment", "threshold"),
    ),
    Case(
        "given",
        "units that were given, so that labels alone were chosen",
        UNITS.name,
        (
            Recommendation(
                "gamma_cat",
                "Places are the same for all, so that only labels can differ. If you give each unit a name, as a table "
                "with the columns item, annotator, label, alpha and all other measures of items can be used.",
                (Source("mathet2017"),),
                needs=("labels",),
            ),
            Recommendation(
                "gamma",
                "On given units it behaves almost as α does.",
                (Source("mathet2015", "6.3.3"),),
            ),
        ),
        ("bias", "prevalence", "threshold"),
    ),
    Case(
        "boundaries",
        "segmentations: boundaries between parts",
        SEGMENTATIONS.name,
        (
            Recommendation(
                "window_diff(reference={reference})",
                "The error against {reference} that work on topic segmentation reports; near misses count in part. Not "
                "corrected for chance.",
                (Source("pevzner2002"), _survey("4.3.1")),
                needs=("reference",),
            ),
            Recommendation(
                "pi_star",
                "Near misses of a boundary count in part, and chance is taken out.",
                (Source("fournier2012"), Source("fournier2013")),
            ),
            Recommendation(
                "boundary_similarity",
                "The same before chance is taken out: the share of boundaries that need no edit.",
                (Source("fournier2013"),),
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
                (Source("pevzner2002"), _survey("4.3.1")),
                unless=("reference",),
            ),
        ),
        ("near_misses", "threshold"),
    ),
    Case(
        "texts",
        "texts that annotators corrected, and their labels",
        TEXTS.name,
        (
            Recommendation(
                "text_gamma",
                "The only one that compares letters, tokens and labels although annotators changed the text; chance "
                "knows what was pre-annotated.",
                (Source("barteld2016"),),
                options="--by kind",
            ),
        ),
    ),
    Case(
        "chains",
        "chains of coreference",
        CHAINS.name,
        (
            Recommendation(
                "conll(reference={reference})",
                "The mean of MUC, B³ and CEAF against {reference}, as systems are scored; not corrected for chance.",
                (Source("pradhan2012"), Source("pradhan2014")),
                needs=("reference",),
            ),
            Recommendation(
                "chain_alpha",
                "The label of a mention is its chain, and chains that share mentions agree in part; beyond chance.",
                (_survey("4.4.1"), Source("passonneau2004")),
            ),
            Recommendation(
                "link_alpha",
                "Every two mentions are an item, linked or not. The choice among such measures changes the value, so "
                "give both.",
                (_survey("4.4.2"), Source("krippendorff2004")),
            ),
            Recommendation(
                "conll",
                "What work on coreference resolution reports; not corrected for chance.",
                (Source("pradhan2012"),),
                unless=("reference",),
            ),
        ),
        ("weights", "threshold"),
    ),
)
