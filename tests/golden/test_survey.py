"""Golden cases of survey: every worked number of Artstein & Poesio 2008 about coefficients on items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.marginals import marginals
from accord.data.model.labels import arrange
from accord.measures.distances import distance
from accord.measures.distances.trees import Tree, leaf_overlap

Golden = Callable[[str], Any]

COEFFICIENT = {
    "S": "s",
    "cohen_kappa": "kappa",
    "krippendorff_alpha_nominal": "alpha",
    "krippendorff_alpha": "alpha",
    "weighted_kappa": "kappa",
    "krippendorff_alpha_interval": "alpha(distance=interval)",
    "A_e (K / multi-pi)": "pi",
    "observed_agreement": "percent",
}
SETS = {
    "passonneau_distance": "passonneau",
    "jaccard_distance": "jaccard",
    "dice_distance": "dice",
}
# Arithmetic without data in the text, or measures of other families.
NOT_HERE = (
    "chance_agreement_uniform", "p^2", "p^2 rare", "A_e single distribution", "lower bound -A_e/(1-A_e)", "reported",
    "joint common", "0.9025*0.95", "alpha_U pair distance", "sum of distances centred", "agr_i (Utt2)",
    "agr_i (Utt100)", "P(STAT)", "P(IREQ)", "A_e multi-pi", "melamed_resnik item agreement (product, original)",
)  # fmt: skip


def pairs_of(params: dict[str, Any]) -> dict[tuple[str, str], float] | None:
    given = params.get("distance")
    return {tuple(key.split("-")): value for key, value in given.items()} if given else None  # type: ignore[misc]


def table(case: dict[str, Any]) -> accord.Ratings:
    data = case["data"]
    # The survey's rows are coder B, its columns coder A.
    return accord.Ratings.from_confusion(np.array(data["confusion_matrix"]).T, data["categories"], ("A", "B"))


def test_worked_numbers_equal_the_printed_values(golden: Golden) -> None:
    checked = 0
    for case in golden("survey/survey.json")["cases"]:
        name, want = case["measure"], pytest.approx(case["expected"], abs=1e-9)
        params = case["params"]
        if name in NOT_HERE or case.get("recomputable") is False:
            continue
        checked += 1
        pairs = pairs_of(params)
        options = {"distance": pairs} if pairs else {}
        if name == "A_e":
            score = accord.score(table(case), {"S": "s"}.get(params["coefficient"], params["coefficient"]))
            assert score.expected == want, case["id"]
        elif name in {"D_e alpha", "D_e weighted kappa"}:
            function = accord.alpha if name == "D_e alpha" else accord.kappa
            assert function(table(case), **options).details["expected_disagreement"] == want, case["id"]
        elif name == "A_e (K / multi-pi)":
            assert accord.pi(table(case)).expected == want
        elif name == "annotator_bias B":
            assert marginals(table(case)).bias == want
        elif name == "kappa - pi":
            assert accord.kappa(table(case)).value - accord.pi(table(case)).value == want
        elif name == "pi=kappa":
            delta, eps = round(case["data"]["delta"] * 100), round(case["data"]["eps"] * 100)
            data = accord.Ratings.from_confusion([[100 - delta - 2 * eps, eps], [eps, delta]], ["common", "rare"])
            assert accord.pi(data).value == want
            assert accord.kappa(data).value == want
        elif name in SETS or name == "masi_distance":
            kind = SETS.get(name) or ("masi" if "survey" in params["definition"] else "masi_nltk")
            a, b = frozenset(case["data"]["A"]), frozenset(case["data"]["B"])
            categories = arrange([a, b])
            matrix = distance(kind).space(categories, np.ones(len(categories))).to(np.eye(len(categories)))
            assert matrix.max() == want, case["id"]
        elif name in {"melamed_resnik_distance", "melamed_resnik item agreement (min)"}:
            tree = {child: parent for parent, below in case["data"]["hierarchy"].items() if isinstance(below, list)
                    for child in below}  # fmt: skip
            tree = {parent: "" for parent in case["data"]["hierarchy"] if parent != "leaf_mass"} | tree
            found = (
                float(leaf_overlap(Tree(tree), case["data"]["tags"], by_level=False)[0, 1])
                if len(set(case["data"]["tags"])) > 1
                else 0.0
            )
            assert (1 - found if "agreement" in name else found) == want, case["id"]
        elif "ratings" in case["data"]:
            assert accord.score(case["data"]["ratings"], COEFFICIENT[name]).value == want
        else:
            measure = type(accord.measure(COEFFICIENT[name]))(**options)
            score = accord.score(table(case), measure)
            assert (score.observed if name == "observed_agreement" else score.value) == want, case["id"]
    assert checked >= 45
