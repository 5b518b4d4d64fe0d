"""What to bear in mind where a fact holds, and where authors disagree."""

from __future__ import annotations

from accord.answers.advising.shape import Dispute, Remark, Source
from accord.data.kinds import ITEMS, UNITS


def _survey(place: str) -> Source:
    return Source("artstein2008", place)


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
        (_survey("3.2"), Source("gwet2008")),
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
        (Source("mathet2015", "6.1.8"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "length_unknown",
        "How long the documents are is not known; accord takes each to end with its last unit. Measures that count "
        "gaps (uα, κ over frames) and the chance of γ depend on it: give the lengths in docs.csv (doc,begin,end).",
        (Source("mathet2015", "3.4.1, 6.3.3"),),
        kinds=(UNITS.name,),
    ),
    Remark(
        "numbers",
        "The labels are numbers. If they are a scale, near ones can count less: gamma(distance=interval).",
        (Source("mathet2015", "4.4.3"),),
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
        (Source("calderon2025"),),
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
                (_survey("3.1, 5.2"), Source("krippendorff2004")),
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
                (Source("gwet2008"),),
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
                (Source("krippendorff2004"), _survey("4.1.3")),
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
                (Source("mathet2015", "3.4, 6.1"),),
            ),
            (
                "Compare the stretches where units intersect: nothing has to be decided first, and length counts as it "
                "is. The coefficients of 2016 answer some of the objections to those of 2013.",
                (Source("krippendorff2016"),),
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
                (Source("hripcsak2005"),),
            ),
            (
                "A measure that is not corrected for chance cannot be compared between tasks: how low it falls on "
                "random annotations depends on the task.",
                (Source("mathet2015", "3.1, 6.3"),),
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
                (Source("lamprier2007"), Source("fournier2013")),
            ),
        ),
        "accord recommends π*, which rests on the edit distance and is corrected for chance.",
    ),
)
