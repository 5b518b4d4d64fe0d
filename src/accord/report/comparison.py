"""Comparisons, groups of annotators and thresholds → text, JSON, JUnit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from xml.sax.saxutils import quoteattr

from accord._version import __version__
from accord.inference.comparison.checks import Checked
from accord.inference.comparison.compare import Comparison
from accord.inference.comparison.groups import GroupAgreement
from accord.inference.planning.designs import Crossing, Intra, Layout
from accord.inference.planning.sample_size import SampleSize
from accord.report.cells import printable
from accord.report.csv import rectangle
from accord.report.json import _plain
from accord.report.tables import Cell, Table
from accord.report.text import grid
from accord.result import Score


def dumped(value: Any) -> str:
    """One JSON object."""
    return json.dumps(_plain({"accord": __version__, **value}), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def score_object(score: Score) -> dict[str, Any]:
    """A score as in docs/output.md, without breakdowns."""
    return {
        "measure": score.measure,
        "value": score.value,
        "observed": score.observed,
        "expected": score.expected,
        "se": score.se,
        "interval": asdict(score.interval) if score.interval else None,
        "p": score.p,
        "n": score.n,
        "details": {k: v for k, v in score.details.items() if k != "matrix"},
        "kind": score.kind,
        "undefined": score.undefined,
        "signature": score.signature,
    }


# -- comparisons -----------------------------------------------------------------------------------------------------


def comparison_object(found: Comparison) -> dict[str, Any]:
    made = {
        "a": score_object(found.a),
        "b": score_object(found.b),
        "difference": found.difference,
        "se": found.se,
        "interval": asdict(found.interval),
        "p": found.p,
        "method": found.method,
        "sentence": found.sentence,
        "names": list(found.names),
        "n_common": found.n_common,
        "df": found.df,
    }
    return made if found.p_holm is None else {**made, "p_holm": found.p_holm, "comparisons": found.comparisons}


def comparisons_json(found: Sequence[Comparison]) -> str:
    """One comparison is the object itself; several are a list, corrected."""
    objects = [comparison_object(one) for one in found]
    if len(objects) == 1:
        return dumped(objects[0])
    return dumped({"comparisons": objects, "correction": "Holm"})


def comparisons_table(found: Sequence[Comparison]) -> Table:
    level = f"{found[0].interval.level * 100:.6g}%" if found else ""
    several = len(found) > 1
    columns = (
        "measure",
        "a",
        "value",
        "b",
        "value",
        "b − a",
        f"{level} interval",
        "p",
        *(("p (Holm)",) if several else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        same = one.a.measure == one.b.measure
        spec = one.a.measure if same else f"{one.a.measure}, {one.b.measure}"
        base = (spec, one.names[0], one.a.value, one.names[1], one.b.value, one.difference, one.interval, one.p)
        rows.append((*base, one.p_holm) if several else base)
    return Table("", columns, tuple(rows), tuple(dict.fromkeys(f"method: {one.method}" for one in found)))


def comparisons_text(found: Sequence[Comparison], color: bool = False) -> str:
    """The table, and a sentence for each."""
    table = grid([comparisons_table(found)], (), color)
    corrected = [f"{len(found)} comparisons: p is corrected after Holm"] if len(found) > 1 else []
    return table + "\n".join(printable(line) for line in (*corrected, *(one.sentence for one in found))) + "\n"


# -- groups of annotators --------------------------------------------------------------------------------------------


def groups_json(found: GroupAgreement) -> str:
    return dumped(
        {
            "within": {name: score_object(score) for name, score in found.within.items()},
            "between": {name: score_object(score) for name, score in found.between.items()},
            "comparisons": [comparison_object(one) for one in found.comparisons],
            "correction": "Holm",
            "notes": list(found.notes),
        }
    )


def groups_text(found: GroupAgreement, color: bool = False) -> str:
    scores = [(f"within {name}", s) for name, s in found.within.items()] + list(found.between.items())
    level = next((f"{s.interval.level * 100:.6g}%" for _, s in scores if s.interval), "")
    rows = tuple((name, s.value, s.interval, s.details["pairs"], s.n) for name, s in scores)
    columns = ("annotators", "value", f"{level} interval", "pairs", "n")
    head = Table("mean agreement of pairs", columns, rows, found.notes)
    if not found.comparisons:
        return grid([head], (), color)
    return grid([head], (), color) + "\n" + comparisons_text(found.comparisons, color)


# -- thresholds ------------------------------------------------------------------------------------------------------


def checks_json(found: Sequence[Checked]) -> str:
    return dumped(
        {
            "passed": all(one.passed for one in found),
            "checks": [
                {
                    "measure": str(one.threshold.measure),
                    one.threshold.bound: one.threshold.limit,
                    "held_against": one.held_against,
                    "passed": one.passed,
                    "reason": one.reason,
                    "score": score_object(one.score),
                }
                for one in found
            ],
        }
    )


def checks_text(found: Sequence[Checked]) -> str:
    return "".join(f"{'ok' if one.passed else 'FAILED'}  {printable(one.reason)}\n" for one in found)


def junit(found: Sequence[Checked], name: str) -> str:
    """JUnit XML, one test case per threshold, as CI servers read it."""
    failed = sum(not one.passed for one in found)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuite name={_attribute(name)} tests="{len(found)}" failures="{failed}" errors="0" skipped="0">')
    for one in found:
        bound = "at least" if one.threshold.bound == "min" else "at most"
        title = _attribute(f"{one.threshold.measure} {bound} {one.threshold.limit:g}")
        if one.passed:
            lines.append(f'  <testcase classname="accord.check" name={title}/>')
            continue
        lines.append(f'  <testcase classname="accord.check" name={title}>')
        lines.append(f'    <failure message={_attribute(one.reason)} type="threshold"/>')
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _attribute(text: str) -> str:
    """Quoted for XML; control characters cannot stand there at all."""
    return quoteattr(printable(text))


# -- designs ---------------------------------------------------------------------------------------------------------


def layout_csv(found: Layout) -> str:
    return rectangle(Table("", ("doc", "annotator"), found.rows))


def size_text(found: SampleSize) -> str:
    lines = [
        f"{found.n:,} {found.noun}s for {found.goal}",
        f"basis: {found.basis}; standard deviation per {found.noun} {found.sd:.3f}",
    ]
    if found.simulated is not None:
        lines.append(f"checked by {found.simulations} simulations of this size: {found.simulated:.3f}")
    return "\n".join([*lines, *found.notes]) + "\n"


def crossing_text(found: Crossing, color: bool = False) -> str:
    rows: list[tuple[Cell, ...]] = [("the data as they are", found.score.value, found.score.interval, found.score.se)]
    if found.two_per_item is not None:
        two = found.two_per_item
        rows.append(("two annotators per item (PC2)", two.value, two.interval, two.se))
    if found.se_full is not None:
        low, high = found.se_full
        error = f"{low:.3f}" if low == high else f"{low:.3f} to {high:.3f}"
        rows.append(("full crossing (FC1)", None, None, error))
    notes = [found.note]
    if found.se_choice is not None:
        notes.append(f"the choice of the two alone makes an error of {found.se_choice:.3f}")
    if found.se_annotators is not None:
        notes.append(
            f"if the annotators are a sample, too, {found.se_annotators:.3f} is added to the error (as squares)"
        )
    columns = (found.score.measure, "value", "interval", "standard error")
    return grid([Table("", columns, tuple(rows), tuple(notes))], (), color)


def crossing_json(found: Crossing) -> str:
    two = None if found.two_per_item is None else score_object(found.two_per_item)
    facts: dict[str, Any] = {"se_annotators": found.se_annotators, "se_choice": found.se_choice, "note": found.note}
    facts |= {"se_full": found.se_full, "full_from": found.full_from}
    return dumped({"score": score_object(found.score), "two_per_item": two, **facts})


def intra_json(found: Intra) -> str:
    each = {name: score_object(score) for name, score in found.annotators.items()}
    return dumped({"score": score_object(found.score), "annotators": each})


def intra_text(found: Intra, color: bool = False) -> str:
    rows: list[tuple[Cell, ...]] = [("all", found.score.value, found.score.interval, found.score.n)]
    rows += [(name, s.value, s.interval, s.n) for name, s in found.annotators.items()]
    notes = [f"{name}: {s.undefined}" for name, s in found.annotators.items() if s.undefined]
    notes.append("each annotator against himself; the error of all is clustered by item")
    return grid(
        [Table("", ("annotator", found.score.measure, "interval", "items"), tuple(rows), tuple(notes))], (), color
    )
