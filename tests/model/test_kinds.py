# ruff: noqa: ARG002 - methods have the arguments of their protocol
"""The table of kinds is correct, and a kind defined in this test is read, scored, compared and shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

import accord
from accord.core.arrays import Bools, Codes, Floats, Ints
from accord.core.context import Run
from accord.data import io, kinds
from accord.data.kinds import ITEMS, KINDS, Kind, kind_named
from accord.data.model.data import Data, LabelColumn, Rectangle, joined_names
from accord.data.model.labels import Categories
from accord.measures import catalogue
from accord.measures.measure import Measure, check_kind

from ..command_line import Cli
from ..refusals import raises

CLASSES = {
    "items": accord.Ratings,
    "units": accord.Corpus,
    "segmentations": accord.Segmentations,
    "texts": accord.Texts,
    "chains": accord.Chains,
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_table_of_kinds_matches_the_classes(kind: Kind) -> None:
    assert CLASSES[kind.name].kind is kind is kind_named(kind.name)
    for spec in (*kind.usual, kind.main, kind.simulated):
        assert accord.measure(spec).data == kind.name
    reader = kind.part(kind.reader)
    assert callable(reader.holds)
    assert callable(reader.read)
    if kind.gold is not None:
        assert callable(kind.part(kind.gold).consensus)
        assert callable(kind.part(kind.gold).seats)
    if kind.shuffler is not None:
        assert kind.part(kind.shuffler)().size is not None


# -- another kind: marks out of ten that annotators give to documents -----------------------------------------------

MARKS = replace(
    ITEMS,
    name="marks", title="marks of documents", words="marks", columns="columns doc, annotator, mark", things="marks",
    noun="document", n="documents", usual=("closeness",), main="closeness", plural="marks", layouts=("marks",),
    reader="fifth_reader", gold=None, shuffler=None,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Marks(Data):
    """Marks with one row per document and one column per annotator."""

    table: Floats
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    notes: tuple[str, ...] = ()
    variable: str = "mark"

    kind: ClassVar[Kind] = MARKS

    @property
    def names(self) -> Sequence[str]:
        return self.docs

    @property
    def digest(self) -> str:
        return str(hash((self.docs, self.annotators, self.table.tobytes())))

    def __len__(self) -> int:
        return int((~np.isnan(self.table)).sum())

    @property
    def took_part(self) -> Bools:
        return (~np.isnan(self.table)).any(axis=0)

    @property
    def category_sets(self) -> Mapping[str, Categories]:
        return {}

    @property
    def comparable(self) -> Bools:
        return (~np.isnan(self.table)).sum(axis=1) > 1

    @property
    def left_out(self) -> dict[str, int]:
        return {"one_annotator": int((~self.comparable).sum())}

    def about(self) -> list[str]:
        return [f"{len(self.docs)} documents, {self.n_annotators} annotators, {len(self)} marks"]

    def summary(self) -> dict[str, Any]:
        return {"documents": len(self.docs), "n_annotators": self.n_annotators, "digest": self.digest}

    def described(self) -> list[tuple[str, str]]:
        return [("documents", str(len(self.docs)))]

    def rows(self) -> Rectangle:
        return ("doc", "annotator", "mark"), ()

    def only_annotators(self, names: Sequence[str]) -> Marks:
        kept = [k for k, name in enumerate(self.annotators) if name in names]
        return replace(self, table=self.table[:, kept], annotators=tuple(self.annotators[k] for k in kept))

    def only_named(self, names: Collection[str]) -> Marks:
        kept = [k for k, name in enumerate(self.docs) if name in names]
        return replace(self, table=self.table[kept], docs=tuple(self.docs[k] for k in kept))

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def by(self, column: str) -> dict[str, Marks]:
        raise accord.UnknownName("column", column, ())

    def label_column(self, feature: str | None = None) -> LabelColumn:
        codes: Codes = np.zeros(0, dtype=np.int64)
        return LabelColumn((), codes)

    def without_category(self, code: int, feature: str | None = None) -> Marks:
        raise NotImplementedError

    def with_categories_of(self, other: Marks) -> tuple[Marks, Marks]:
        return self, other

    def joined(self, other: Marks, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Marks:
        table = np.full((len(self.docs) + len(other.docs), len(annotators)), np.nan)
        table[: len(self.docs), mine], table[len(self.docs) :, others] = self.table, other.table
        return replace(self, table=table, docs=joined_names(self.docs, other.docs), annotators=annotators)


@dataclass(frozen=True, eq=False)
class Distances:
    """The mean distance between two marks of each document."""

    far: Floats
    names: Sequence[str]
    times: Floats

    def weighted(self, times: Floats) -> Distances:
        return replace(self, times=times)


@dataclass(frozen=True, repr=False)
class Closeness(Measure):
    """One minus a tenth of the mean distance."""

    name: ClassVar[str] = "closeness"
    title: ClassVar[str] = "Closeness of marks"
    source: ClassVar[str] = "this test"
    data: ClassVar[str] = "marks"
    default_interval: ClassVar[str] = "bootstrap"

    def observe(self, data: Marks, run: Run) -> Distances:
        check_kind(self.name, MARKS, data)
        rows = data.table[data.comparable]
        apart = np.abs(rows[:, :, None] - rows[:, None, :])[:, *np.triu_indices(rows.shape[1], 1)]
        names = [name for name, there in zip(data.docs, data.comparable, strict=True) if there]
        return Distances(np.nanmean(apart, axis=1), names, np.ones(len(names)))

    def estimate(self, evidence: Distances) -> accord.Score:
        mean = float(evidence.times @ evidence.far / evidence.times.sum())
        return accord.Score(1 - mean / 10, str(self), n=int(evidence.times.sum()))

    def explain(self, evidence: Distances, score: accord.Score) -> dict[str, Any]:
        return {"annotators": 3}


def read_marks(sources: Sequence[Any], how: Any, declared: Any) -> dict[str, Marks]:
    columns, _ = sources[0].load(("doc", "annotator", "mark"))
    doc, who, mark = (columns[name] for name in ("doc", "annotator", "mark"))
    table = np.full((len(doc.names), len(who.names)), np.nan)
    table[doc.codes, who.codes] = np.array([float(str(name)) for name in mark.names])[mark.codes]
    return {"mark": Marks(table, tuple(map(str, doc.names)), tuple(map(str, who.names)))}


@pytest.fixture
def marks_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Register the kind, its reader and its measure, and write a file of marks."""
    reader: Any = ModuleType("fifth_reader")
    reader.holds = lambda sources, _: all("mark" in source.header for source in sources)
    reader.read = read_marks
    monkeypatch.setitem(sys.modules, "fifth_reader", reader)
    for module in (kinds, io):
        monkeypatch.setattr(module, "KINDS", (MARKS, *KINDS))
    monkeypatch.setattr(catalogue, "MEASURES", (*catalogue.MEASURES, Closeness))
    path = tmp_path / "marks.csv"
    rows = [f"d{d},{who},{(d * 3 + g * (d % 3)) % 11}" for d in range(9) for g, who in enumerate("ABC")]
    path.write_text("\n".join(["doc,annotator,mark", *rows]), encoding="utf-8")
    return path


def test_additional_kind_is_read_scored_compared_and_shown(marks_file: Path, cli: Cli) -> None:
    data = accord.read(marks_file)
    assert isinstance(data, Marks)
    (score,) = accord.score(marks_file)
    assert (score.measure, score.n) == ("closeness", 9)
    assert score.interval is not None
    assert score.interval.method == "bootstrap"
    assert accord.compare(data.only_annotators("AB"), data.only_annotators("AC")).n_common == 9
    found = accord.influence(data, of=["annotator", "document"], replicates=100)
    assert (found.noun, len(found.units), len(found.annotators)) == ("document", 9, 3)
    assert accord.check(marks_file, {"closeness": 0.1}).passed
    assert accord.sample_size("closeness", width=0.2, pilot=marks_file, simulations=20).noun == "document"
    with raises("measure-for-other-data"):
        accord.alpha(data)
    with raises("measure-for-other-data"):
        accord.shuffle(data.only_annotators("A"))
    shown = json.loads(cli("score", marks_file, "--json").out)
    assert (shown["data"]["kind"], shown["scores"][0]["value"]) == ("marks", score.value)
    assert "mark: marks of documents" in cli("read", marks_file).out
    assert "closeness" in cli("score", marks_file, "--markdown").out
