"""The pieces of work that are compared. Data are made from a seed, the same for accord and its peer."""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import asdict

import numpy as np

from benchmarks.measure import Cost, timed


def table(items: int, annotators: int, categories: int) -> np.ndarray:
    """Annotators who agree with a hidden truth seven times in ten."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, categories, items)
    noise = rng.integers(0, categories, (items, annotators))
    return np.where(rng.random((items, annotators)) < 0.7, truth[:, None], noise)


def accord_score(spec: str, items: int, annotators: int, categories: int) -> Cost:
    import accord
    import accord.run  # the first use of a room imports it; imports are timed on their own

    rows = table(items, annotators, categories)
    accord.score(rows[:100], spec)
    return timed(lambda: accord.score(rows, spec).value)


def krippendorff_alpha(items: int, annotators: int, categories: int) -> Cost:
    import krippendorff

    rows = table(items, annotators, categories).T.astype(np.float64)
    return timed(lambda: float(krippendorff.alpha(rows, level_of_measurement="nominal")))


def nltk(method: str, items: int, annotators: int, categories: int) -> Cost:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nltk.metrics.agreement import AnnotationTask

    rows = table(items, annotators, categories).tolist()
    triples = [(f"A{g}", i, label) for i, row in enumerate(rows) for g, label in enumerate(row)]
    return timed(lambda: float(getattr(AnnotationTask(triples), method)()))


def continuous(items: int) -> Cost:
    import accord

    rng = np.random.default_rng(0)
    rows = rng.normal(size=items)[:, None] + rng.normal(size=(items, 2))
    accord.score(rows[:100], "alpha(distance=interval)")
    return timed(lambda: accord.score(rows, "alpha(distance=interval)").value)


def bootstrap(items: int, annotators: int, categories: int) -> Cost:
    import accord

    rows = table(items, annotators, categories)
    accord.score(rows[:100], "alpha", interval="bootstrap", replicates=100)
    return timed(lambda: accord.score(rows, "alpha", interval="bootstrap", replicates=2000).value)


def csv_duckdb(path: str) -> Cost:
    import duckdb

    query = f"select count(*) from (select item, label, count(*) from read_csv('{path}') group by item, label)"
    return timed(lambda: float(duckdb.connect().execute(query).fetchall()[0][0]))


def csv_accord(path: str) -> Cost:
    """Imports included: what a user waits for."""

    def work() -> float:
        import accord

        return accord.score(path, "alpha").value

    return timed(work)


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    cost = globals()[name](*(int(a) if a.isdigit() else a for a in arguments))
    sys.stdout.write(json.dumps(asdict(cost)) + "\n")
