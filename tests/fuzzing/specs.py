"""Random specs of measures: valid, unusual and invalid ones."""

from __future__ import annotations

import dataclasses
from random import Random

from accord.measures.catalogue import MEASURES
from accord.measures.distances import DISTANCES, WEIGHTS

from .words import CELLS, LABELS, NONSENSE, NUMBERS, some

WORDS = (
    "auto", "mix", "shift", "statistical", "frequencies", "identity", "nominal", "ordinal", "interval", "ratio",
    "linear",
    "exact", "overlap", "token", "joined", "atomic", "layered", "gap", "merge", "error", "first", "scaled", "unit",
    "te",
    "optimal", "greedy", "pooled", "mean", "segments", "half_mean", "segeval", "pair", "all", "2k", "1", "3k",
    "levenshtein",
    "sqrt", "square", "absent", "singleton", "differs", "jaccard", "passonneau", "true", "false", "slots", "reference",
)  # fmt: skip
_NAMES = tuple(cls.name for cls in MEASURES)
_DISTANCES = tuple({cls.name for cls in (*DISTANCES, *WEIGHTS)})
_SIGNS = ("(", ")", "[", "]", ",", "=", '"', "'", " ", "\\", "((", "]]", "\0", "é", "\n")
_FEW = ("2", "3")  # few samples, for speed


def spec(rng: Random) -> str:
    """Return a spec; three in four have valid syntax."""
    made = _measure(rng)
    if rng.random() < 0.25:
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(made) + 1)
            made = rng.choice(
                (made[:at] + rng.choice(_SIGNS) + made[at:], made[:at] + made[at + 1 :], made[:at], made * 2)
            )
    return made


def right(rng: Random, kind: str) -> str:
    """Return a fast measure for this kind of data, with options that may be wrong."""
    cls = rng.choice([cls for cls in MEASURES if cls.data == kind])
    return _with_options(rng, cls, 2)


def _measure(rng: Random) -> str:
    if rng.random() < 0.05:
        return some(rng, NONSENSE, LABELS, CELLS)
    if rng.random() < 0.03:
        deep = rng.choice((3, 39, 41, 400))
        return "alpha(distance=" + rng.choice("[(") * deep + "1" + rng.choice("])") * deep + ")"
    return _with_options(rng, rng.choice(MEASURES), 4)


def _with_options(rng: Random, cls: type, most: int) -> str:
    usual = {f.name: f.default for f in dataclasses.fields(cls)}
    fields = list(usual)
    chosen = rng.sample(fields, rng.randint(0, min(most, len(fields))))
    inside = [f"{name}={_value(rng, name, usual[name])}" for name in chosen]
    for name, value in (("samples", "2"), ("precision", "0.5")):  # for speed
        if name in fields and name not in chosen:
            inside.append(f"{name}={value}")
    if rng.random() < 0.1:
        inside.insert(0, _value(rng, ""))
    return f"{cls.name}({','.join(inside)})" if inside or rng.random() < 0.1 else str(cls.name)


def _value(rng: Random, name: str, usual: object = None) -> str:
    if name == "samples":
        return rng.choice((*_FEW, "0", "-1", "1", "x", "2.5", "nan", "true", "[]", "99999999999999999999"))
    if name == "precision":
        return rng.choice(("0.5", "0.9", "1", "0", "-1", "nan", "inf", "x", "1e-300", "2"))
    if isinstance(usual, bool | int | float | str) and rng.random() < 0.5:
        return rng.choice(("true", "false")) if isinstance(usual, bool) else str(usual)
    what = rng.random()
    if what < 0.8:
        return rng.choice(WORDS if what < 0.35 else NUMBERS) if what < 0.6 else _distance(rng)
    if what < 0.9:
        return f"[{','.join(rng.choice(NUMBERS + WORDS) for _ in range(rng.randint(0, 3)))}]"
    quoted = some(rng, NONSENSE, CELLS, LABELS).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _distance(rng: Random) -> str:
    name = rng.choice(_DISTANCES)
    if rng.random() < 0.6:
        return name
    inner = rng.choice(
        (some(rng, NUMBERS), '"costs.csv"', '"nowhere.csv"', "[]", "[1,2]", "x=1", rng.choice(_NAMES), name)
    )
    return f"{name}({inner})"
