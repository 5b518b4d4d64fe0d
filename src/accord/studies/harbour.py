"""The reference of the experiment on texts: a short story, about as long as that of Barteld et al. 2016, our own words.

Its tokens have the part-of-speech tags of Universal Dependencies. `harbour.csv` beside this file is a table of units.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

from accord.data.model.texts import Texts


@dataclass(frozen=True)
class Harbour:
    """612 tokens, 3,602 characters, 14 tags."""

    feature: str = "pos"

    def made(self, seed: int = 0) -> Texts:  # noqa: ARG002 - the same for every seed
        """The reference; it is also what annotators start from."""
        content = files("accord.studies").joinpath("harbour.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(content.splitlines()))
        text = ""
        for row in rows:
            text += " " * (int(row["start"]) - len(text)) + row["text"]
        columns = {name: [row[name] for row in rows] for name in ("doc", "annotator", "start", "end", self.feature)}
        places = {name: [int(v) for v in columns[name]] for name in ("start", "end")}
        return Texts.of({**columns, **places}, {(rows[0]["doc"], rows[0]["annotator"]): text})
