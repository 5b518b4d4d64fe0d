"""Example data, one click away: those of the folder examples/, which comes with the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

# In a checkout they stand where everybody looks for them; a wheel has them in this room.
_PLACES = (Path(__file__).parent / "examples", Path(__file__).parents[4] / "examples")


@dataclass(frozen=True)
class Example:
    """Files, by the folder and their names in it; a folder goes with all that is in it."""

    name: str
    kind: str  # of the data
    folder: str
    names: tuple[str, ...]
    summary: str

    def files(self) -> dict[str, Path]:
        """Where each file is, by the path that it has in the upload."""
        place = next(one for one in _PLACES if one.is_dir()) / self.folder
        roots = [place / name for name in self.names]
        found = [file for root in roots for file in (sorted(root.rglob("*")) if root.is_dir() else [root])]
        return {file.relative_to(place).as_posix(): file for file in found if file.is_file()}

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind, "files": list(self.files()), "summary": self.summary}


EXAMPLES = (
    Example("sentences", "items", "garden", ("sentences.csv",), "Categories of sentences, by three annotators"),
    Example("tone", "items", "garden", ("tone.csv",), "Ratings on a scale from 1 to 5"),
    Example("spans", "units", "garden", ("spans.csv", "docs.csv", "judged.csv"), "Spans of four documents"),
    Example("brat", "units", ".", ("brat",), "A project of brat: two annotators, one document"),
    Example("chains", "chains", "fables", ("chains.csv", "docs.csv", "judged.csv"), "Coreference in fables"),
)


def example_named(name: str) -> Example | None:
    return next((one for one in EXAMPLES if one.name == name), None)
