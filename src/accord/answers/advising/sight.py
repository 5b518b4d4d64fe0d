"""What each measure can see, and what it cannot: a line for every measure of the catalogue."""

from __future__ import annotations

from accord.answers.advising.shape import Sight

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
