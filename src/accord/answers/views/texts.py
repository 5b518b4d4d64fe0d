"""View of texts side by side, with marked differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.answers.views.spans import MOST_LANES
from accord.answers.views.view import MOST_PLACES, DisputedPlace, DocumentView, Views, escaped, packed, places_table
from accord.data.model.texts import Texts
from accord.measures.texts.side_by_side import MISSING, SAME, SEGMENTATION, TEXT, Row, Side, TextAlignments

_AROUND = 4  # tokens around a place
_GAP = " "  # usual separator of tokens


def views_of_texts(found: TextAlignments, most: int | None = None) -> Views:
    """Return the views of documents, highest cost of differences first."""
    made = [TextsView(name, tuple(rows), found.features, found.texts) for name, rows in found.documents.items()]
    made.sort(key=lambda view: -view.cost)
    kept = made[:most]
    return Views("texts", tuple(kept), len(found.texts.docs) - len(kept))


@dataclass(frozen=True, eq=False)
class TextsView(DocumentView):
    """View of one document, with a row for each group of aligned tokens."""

    name: str
    rows: tuple[Row, ...]
    features: tuple[str, ...]
    texts: Texts

    @cached_property
    def cost(self) -> float:  # type: ignore[override]
        return float(sum(row.cost for row in self.rows))

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(self.rows[0].sides) if self.rows else ()

    @property
    def kinds(self) -> tuple[str, ...]:
        return (TEXT, SEGMENTATION, MISSING, *self.features)

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Runs of adjacent rows that differ: first row, and the row after the last."""
        differs = np.array([False, *(row.differs for row in self.rows), False])
        steps = np.diff(differs.astype(np.int8))
        return list(zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist(), strict=True))

    @cached_property
    def places(self) -> tuple[DisputedPlace, ...]:
        costs = [sum(row.cost for row in self.rows[a:b]) for a, b in self.runs]
        worst = sorted(range(len(costs)), key=lambda k: -costs[k])[:MOST_PLACES]
        return tuple(self._place(*self.runs[k], costs[k]) for k in worst)

    def _place(self, first: int, last: int, cost: float) -> DisputedPlace:
        rows = self.rows[first:last]
        kinds = dict.fromkeys(kind for row in rows for kind in row.kinds if kind != SAME)
        said = tuple((who, self._said([row.sides[who] for row in rows])) for who in self.annotators)
        return DisputedPlace(f"{first + 1}", cost, tuple(kinds), said, self._around(first, last))

    def _said(self, sides: Sequence[Side | None]) -> str:
        there = [side for side in sides if side is not None]
        words = " ".join(side.text for side in there) or "–"
        labels = "; ".join(", ".join(filter(None, side.labels)) for side in there if any(side.labels))
        return f"{words} ({labels})" if labels else words

    def _around(self, first: int, last: int) -> tuple[str, str, str]:
        def words(rows: Sequence[Row]) -> str:
            sides = (next((side for side in row.sides.values() if side is not None), None) for row in rows)
            return " ".join(side.text for side in sides if side is not None)

        before, behind = self.rows[max(0, first - _AROUND) : first], self.rows[last : last + _AROUND]
        return f"{words(before)} ", words(self.rows[first:last]), f" {words(behind)}"

    def to_dict(self) -> dict[str, Any]:
        bits = {kind: 1 << k for k, kind in enumerate(self.kinds)}
        kinds = [sum(bits[kind] for kind in row.kinds if kind != SAME) for row in self.rows]
        return {
            "kind": "texts",
            "name": self.name,
            "annotators": list(self.annotators),
            "kinds": list(self.kinds),
            "features": list(self.features),
            "cost": packed(np.array([row.cost for row in self.rows], dtype=np.float64)),
            "differs": packed(np.array(kinds, dtype=np.int64)),
            "sides": [self._side(who) for who in self.annotators],
        }

    def _side(self, who: str) -> dict[str, Any]:
        """Return one text: its tokens, separators other than one space, and parts and labels of rows that differ."""
        text = self.texts.strings[self.texts.version_of(self.name, who)]
        tokens: list[str | None] = []
        gaps: dict[str, str] = {}
        pieces: dict[str, list[list[str | int]]] = {}
        labels: dict[str, list[str]] = {}
        end = 0
        for k, row in enumerate(self.rows):
            side = row.sides[who]
            tokens.append(None if side is None else side.text)
            if side is None:
                continue
            gap = text[end : side.start]
            if gap != (_GAP if end else ""):
                gaps[str(k)] = gap
            end = side.end
            if row.differs:
                if any(gone for _, gone in side.pieces):
                    pieces[str(k)] = [[part, int(gone)] for part, gone in side.pieces]
                if any(side.labels):
                    labels[str(k)] = list(side.labels)
        return {"tokens": tokens, "gaps": gaps, "rest": text[end:], "pieces": pieces, "labels": labels}

    def html(self) -> str:
        facts = (
            f"<p>{len(self.annotators)} annotators, {len(self.rows):,} tokens side by side; "
            f"{len(self.runs):,} places differ.</p>"
        )
        who = self.annotators[:MOST_LANES]
        note = "" if len(who) == len(self.annotators) else f"<p>Shown: {escaped(', '.join(who))}.</p>"
        return facts + note + places_table(self.places, len(self.runs) - len(self.places), "cost", who)
