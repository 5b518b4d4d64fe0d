"""The measures on chains as their papers define them, on sets, for two annotators of one document."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, permutations

Chain = frozenset[int]
Partition = Collection[Chain]


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def muc(key: Partition, response: Partition) -> float:
    if not any(len(chain) > 1 for chain in (*key, *response)):
        return 1.0

    def recall(one: Partition, other: Partition) -> float:
        found = needed = 0
        for chain in one:
            parts = [chain & o for o in other if chain & o]
            alone = len(chain) - sum(map(len, parts))
            found += len(chain) - len(parts) - alone
            needed += len(chain) - 1
        return found / needed if needed else 0.0

    return f1(recall(key, response), recall(response, key))


def b_cubed(key: Partition, response: Partition) -> float:
    def recall(one: Partition, other: Partition) -> float:
        each = [max((len(chain & o) for o in other if m in o), default=0) / len(chain) for chain in one for m in chain]
        return sum(each) / len(each) if each else 0.0

    return f1(recall(key, response), recall(response, key))


def ceaf_e(key: Partition, response: Partition) -> float:
    few, many = sorted((list(key), list(response)), key=len)

    def gain(a: Chain, b: Chain) -> float:
        return 2 * len(a & b) / (len(a) + len(b))

    best = max(sum(map(gain, few, order)) for order in permutations(many, len(few)))
    return 2 * best / (len(few) + len(many))


def links(chains: Partition) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Pairs of mentions in one chain, and pairs that are not."""
    inside = {pair for chain in chains for pair in combinations(sorted(chain), 2)}
    return inside, {*combinations(sorted(m for chain in chains for m in chain), 2)} - inside


def links_f1(key: Partition, response: Partition) -> float:
    (one, _), (other, _) = links(key), links(response)
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def blanc(key: Partition, response: Partition) -> float:
    (ck, nk), (cr, nr) = links(key), links(response)
    each = [2 * len(a & b) / (len(a) + len(b)) for a, b in ((ck, cr), (nk, nr)) if a or b]
    if not each:
        one, other = ({m for chain in chains for m in chain} for chains in (key, response))
        return 2 * len(one & other) / (len(one) + len(other))
    return sum(each) / len(each)


def conll(key: Partition, response: Partition) -> float:
    return (muc(key, response) + b_cubed(key, response) + ceaf_e(key, response)) / 3
