"""One object, as in docs/output.md."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any

from accord._version import __version__
from accord.inference.scales import verdict
from accord.report.tables import Table
from accord.result import Score
from accord.run import Group, Results

_MOST_PARTS = 1_000  # a breakdown that was not asked for is left out above this


def render(results: Results) -> str:
    return json.dumps(_plain(as_object(results)), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def records(table: Table) -> str:
    """A table as a list of objects, a line each."""
    rows = (json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) for row in table.rows)
    return "[" + ",\n ".join(rows) + "]\n"


def as_object(results: Results) -> dict[str, Any]:
    kind = next(data.kind.plural for data in results.variables.values())
    data: dict[str, Any] = {"paths": list(results.plan.paths), "kind": kind}
    summaries = {variable: data.summary() for variable, data in results.variables.items()}
    if len(summaries) == 1:
        data |= next(iter(summaries.values()))
    else:
        data["variables"] = summaries
    data["advice"] = list(results.notes)
    scores = [_score(score, group, results) for group in results.groups for score in group.scores]
    made: dict[str, Any] = {"accord": __version__, "data": data, "scores": scores}
    problems = [{**_where(group), "problem": group.problem} for group in results.groups if group.problem]
    if problems:
        made["problems"] = problems
    explained = [{**_where(g), "places": _places(g)} for g in results.groups if g.explained is not None]
    if explained:
        made["explained"] = explained
    compared = [{**_where(g), **dataclasses.asdict(g.marginals)} for g in results.groups if g.marginals is not None]
    if compared:
        made["marginals"] = compared
    return made


def _places(group: Group) -> list[dict[str, Any]]:
    assert group.explained is not None  # noqa: S101
    return [
        {
            "document": place.doc,
            "disorder": place.disorder,
            **place.causes,
            "units": {
                who: None if u is None else {"start": u.start, "end": u.end, "label": u.label}
                for who, u in place.units.items()
            },
        }
        for place in group.explained.worst()
    ]


def _where(group: Group) -> dict[str, Any]:
    return {"variable": group.variable, "where": dict(group.where)}


def _score(score: Score, group: Group, results: Results) -> dict[str, Any]:
    return {
        "measure": score.measure,
        "value": score.value,
        "observed": score.observed,
        "expected": score.expected,
        "se": score.se,
        "interval": dataclasses.asdict(score.interval) if score.interval else None,
        "p": score.p,
        "n": score.n,
        "parts": _parts(score, results.parts),
        "details": dict(score.details),
        "kind": score.kind,
        "undefined": score.undefined,
        "signature": score.signature,
        **_where(group),
        **({"scales": {s.name: verdict(s, score) for s in results.scales}} if results.scales else {}),
    }


def _parts(score: Score, asked: tuple[str, ...]) -> dict[str, Any]:
    made = {}
    for by in score.parts:
        if by not in asked and (by == "item" or _too_many(score, by)):
            continue
        made[by] = {
            name: {
                "value": s.value,
                "observed": s.observed,
                "expected": s.expected,
                "n": s.n,
                "undefined": s.undefined,
                **s.details,
            }
            for name, s in score.parts[by].items()
        }
    return made


def _too_many(score: Score, by: str) -> bool:
    """Without computing the breakdown: pairs grow with the square of the annotators."""
    annotators, categories = score.details.get("annotators") or 0, score.details.get("categories") or 0
    documents = score.details.get("documents") or 0
    pairs = annotators**2 // 2
    size = {"category": categories, "annotator": pairs, "pair": pairs, "document": documents}.get(by, 0)
    return bool(size > _MOST_PARTS)


def _plain(value: Any) -> Any:
    """Plain JSON: NaN is null, NumPy numbers are numbers."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
