"""What prevalence does to π, κ and α: where one category has nearly all labels, chance agrees nearly always."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.core.errors import quoted
from accord.core.result import Score
from accord.data.model.labels import label_name
from accord.measures.items.evidence import ItemEvidence

_SHARE = 0.8  # of the commonest category; below, chance leaves room
_FAR = 0.3  # from what is observed to the value
_ALL = 0.995  # a largest κ that limits nothing


def prevalence(evidence: ItemEvidence, score: Score) -> dict[str, Any] | None:
    """Agreement by category, and the largest κ with these shares; None where prevalence does not press the value."""
    marginals = evidence.pairable_marginals
    top = int(np.argmax(marginals))
    share = float(marginals[top] / marginals.sum())
    if score.observed is None or not share >= _SHARE or not score.observed - score.value >= _FAR:
        return None
    names = [label_name(category) for category in evidence.rows.categories]
    used = np.flatnonzero(marginals)
    agreement = np.diag(evidence.coincidences())[used] / marginals[used]
    return {
        "commonest": names[top],
        "share": share,
        "agreement": {names[k]: float(a) for k, a in zip(used, agreement, strict=True)},
        "kappa_max": _largest(evidence),
    }


def in_words(facts: dict[str, Any]) -> str:
    """One line: the share, agreement on the commonest and on the worst category, the largest κ."""
    worst = min(facts["agreement"], key=facts["agreement"].__getitem__)
    shown = dict.fromkeys([facts["commonest"], worst])
    each = ", ".join(f"on {quoted(name)} {facts['agreement'][name]:.3f}" for name in shown)
    largest = facts["kappa_max"]
    most = "" if largest is None or largest > _ALL else f"; the largest kappa with these shares is {largest:.3f}"
    return f"{facts['share']:.0%} of the labels are {quoted(facts['commonest'])}: agreement {each}{most}"


def _largest(evidence: ItemEvidence) -> float | None:
    """κ of two annotators who agree as often as their shares allow."""
    rows = evidence.rows
    if not rows.identified or rows.n_annotators != 2:
        return None
    table = evidence.confusion()
    n = table.sum()
    first, second = table.sum(axis=1) / n, table.sum(axis=0) / n
    expected = float(first @ second)
    return (float(np.minimum(first, second).sum()) - expected) / (1 - expected) if expected < 1 else None
