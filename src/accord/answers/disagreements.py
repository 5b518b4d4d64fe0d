"""`disagreements`: items or units on which annotators differ, worst first, and confused labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from accord.answers import options
from accord.answers.gold.gold import gold
from accord.answers.gold.settled import Gold, table_for_people, versions_table
from accord.answers.levels import has_many_numbers, notes_on_levels
from accord.answers.question import question
from accord.answers.scoring import kinds_of
from accord.core.context import Run, silent
from accord.core.errors import SpecError
from accord.core.figures.bars import Stacked
from accord.core.options import Option
from accord.core.tables import Drawing, Result, Table, plain
from accord.data.door import opened
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.labels import label_name
from accord.data.model.ratings import Ratings


@dataclass(frozen=True, repr=False)
class Disagreements(Result):
    """Items or units with the label of each annotator, and ranked pairs of confused labels."""

    found: Gold

    @property
    def pairs(self) -> tuple[tuple[str, str, int], ...]:
        """Two labels, and the number of pairs of annotators who gave them to the same item or unit.

        Empty for more than 12 numbers on a scale, where the distance matters and not which two numbers differ.
        """
        if self.found.source is not None and has_many_numbers(self.found.source):
            return ()
        counts: Counter[tuple[str, str]] = Counter()
        for row in self.found.rows:
            labels = sorted(row.labels.values())
            counts.update((a, b) for k, a in enumerate(labels) for b in labels[k + 1 :] if a != b)
        return tuple((a, b, n) for (a, b), n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def summary(self) -> str:
        what = "units" if self.found.in_units else f"{self.found.noun}s"
        return f"annotators differ on {len(self.found.disputed):,} of {len(self.found.rows):,} {what}"

    def facts(self) -> list[str]:
        return [self.summary(), *self.found.notes]

    def tables(self) -> list[Table]:
        listed = self._with_ranges(table_for_people(self.found.disputed, self.found.people, self.found.in_units))
        pairs = Table("confused labels", ("label", "other label", "pairs of annotators"), self.pairs)
        return [listed.first(), pairs.first()] if self.pairs else [listed.first()]

    def _with_ranges(self, listed: Table) -> Table:
        """Add the range of the labels of each item, if they are ordered."""
        ranges = [label_name(row.range) for row in self.found.disputed if row.range is not None]
        if not ranges:
            return listed
        at = listed.columns.index("item") + 1
        rows = tuple((*row[:at], width, *row[at:]) for row, width in zip(listed.rows, ranges, strict=True))
        words = isinstance(self.found.source, Ratings) and not self.found.source.categories.numeric
        return replace(
            listed,
            columns=(*listed.columns[:at], "range", *listed.columns[at:]),
            rows=rows,
            notes=(*listed.notes, f"range: highest minus lowest label{', in ranks' if words else ''}"),
        )

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"confused": self._confused} if self.pairs else {}

    def _confused(self) -> Stacked:
        rows = tuple((f"{a or '(none)'} – {b or '(none)'}", (float(n),)) for a, b, n in self.pairs)
        title = "confused labels"
        return Stacked(title, "two labels", ("pairs",), rows, "pairs of annotators", title)

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "disputed": [
                    {**dict(zip(self.found.columns, row.place, strict=False)), "said": dict(row.versions),
                     "text": row.text, "cost": row.cost, "distance": row.distance, "range": row.range,
                     "entropy": row.entropy}
                    for row in self.found.disputed
                ],
                "rows": len(self.found.rows),
                "confused": [{"a": a, "b": b, "pairs": n} for a, b, n in self.pairs],
                "notes": list(self.found.notes),
            }
        )  # fmt: skip

    def flat(self) -> Table:
        listed = versions_table(self.found.disputed, self.found.people, self.found.in_units)
        at = listed.columns.index("not settled") + 1
        rows = tuple(
            (*cells[:at], row.cost, row.distance, row.range, *cells[at:])
            for cells, row in zip(listed.rows, self.found.disputed, strict=True)
        )
        columns: tuple[str, ...] = (*listed.columns[:at], "differing pairs", "distance", "range", *listed.columns[at:])
        return Table("", columns, rows)


@question("spans.csv --csv")
def disagreements(
    data: options.Data,
    *,
    measure: Annotated[options.Measure, Option("Measure whose alignment is used.")] = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Disagreements:
    """List items or units on which annotators differ, worst first.

    The table shows the label of each annotator. The order depends on the level of measurement: items are sorted by
    the distance between their labels if these are numbers, grades or sets, and by the number of differing pairs if
    they are names. A second table counts the labels that annotators confuse; more than 12 numbers have none.

    Returns
    -------
    Disagreements

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> accord.disagreements(rows).pairs
    (('a', 'b', 1),)
    """
    run = Run(seed, progress or silent, jobs)
    given = opened(data, reading, kinds_of(measure), run)
    if given.kind not in {ITEMS, UNITS}:
        raise SpecError(
            "measure-for-other-data",
            f"disagreements can be listed for labels of items and for units, not for {given.kind.words}; accord report "
            "shows where annotators differ",
        )
    found = gold(given, threshold=0.0, measure=measure, seed=seed, progress=progress, jobs=jobs)
    if isinstance(given, Ratings):  # the other notes are about the gold standard
        found = replace(found, notes=notes_on_levels({given.variable: given}, ()))
    return Disagreements(found)
