"""Who seems to answer without looking, and when a model may say so."""

from __future__ import annotations

from accord.answers.consensus.models.dawid_skene import Believed
from accord.answers.consensus.models.mace import NEAR_0, knows_nobody
from accord.answers.inference.annotators.answers import Answers
from accord.answers.inference.annotators.figures import Accuracy
from accord.core.arrays import Floats

ENOUGH = 30  # labels, before κ can say that somebody answers at random, and before a model's accuracy has an interval
_TELLING = 10  # labels beside the one that all give most often, before they can seem to be given at random


def believable(
    fitted: Believed | None, answers: Answers, found: Accuracy, limit: float, notes: list[str]
) -> Floats | None:
    """MACE's word on everybody; left out where it takes all labels for made up, and they agree beyond chance."""
    if (
        fitted is not None
        and knows_nobody(fitted, answers.labelled)
        and ((found.n >= ENOUGH) & (found.p_chance <= limit)).any()
    ):
        notes.append(
            "MACE is left out: it takes nearly all labels of everybody for made up, although annotators agree beyond "
            "chance; it holds all categories for equally frequent, which fits badly where many are rare"
        )
        return None
    return None if fitted is None else fitted.accuracy


def suspicion(kappa: float, p: float, n: int, telling: int, knows: float | None, limit: float) -> str:
    """Why somebody seems to answer without looking; empty where labels are few, or nothing speaks for it.

    Where nearly all labels are the same one, giving it is what people do who look, and who do not. A model alone
    accuses nobody who agrees with the others: what MACE says counts where κ is near 0, too.
    """
    if n < ENOUGH or telling < _TELLING:
        return ""
    reasons = []
    if p > limit:
        reasons.append(f"κ with most of the others is {kappa:z.3f}, not above chance (p = {p:.3f})")
    if knows is not None and knows < NEAR_0 and not kappa >= NEAR_0:
        reasons.append(f"MACE: knows the label with a probability of {knows:.3f}")
    return "; ".join(reasons)
