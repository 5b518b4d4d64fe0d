"""What there is: measures, distances, intervals, formats; and how data are understood."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files

from accord.dissimilarities import LABEL_DISTANCES
from accord.distances import DISTANCES, WEIGHTS, Distance
from accord.errors import UnknownName
from accord.inference.intervals.methods import METHODS
from accord.inference.scales import SCALES
from accord.io import Reading, read_all
from accord.io.catalogue import FORMATS
from accord.measures.catalogue import MEASURES, ON_ITEMS, ON_SCALES, ON_SEGMENTATIONS, ON_TEXTS, ON_UNITS, measure
from accord.measures.units.aligned import comparable
from accord.model.corpus import Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts
from accord.report.text import grid
from accord.tables import Table


def _columns(title: str, rows: Iterable[tuple[str, ...]]) -> None:
    """A listing: a table whose columns have no names."""
    listed = tuple(rows)
    sys.stdout.write(f"{grid([Table(title, ('',) * len(listed[0]), listed)])}\n")


def measures() -> None:
    _columns("measures of agreement on items", [(m.name, m.title, m.source) for m in ON_ITEMS])
    _columns("measures on scales", [(m.name, m.title, m.source) for m in ON_SCALES])
    _columns("measures of agreement on units", [(m.name, m.title, m.source) for m in ON_UNITS])
    _columns("measures on segmentations", [(m.name, m.title, m.source) for m in ON_SEGMENTATIONS])
    _columns("measures on texts", [(m.name, m.title, m.source) for m in ON_TEXTS])
    _columns("also known as", [(m.name, ", ".join(m.aliases)) for m in MEASURES if m.aliases])
    _columns("distance= on items", [(d.name, d.summary) for d in DISTANCES])
    _columns("distance= on units, divided by its largest", [(d.name, d.summary) for d in LABEL_DISTANCES])
    _columns("weights=", [_weights_line(d) for d in WEIGHTS])
    _columns("--interval", [(name, what) for name, (_, what) in METHODS.items()])
    _columns("--scale", [(s.name, s.source) for s in SCALES])
    sys.stdout.write("accord measures NAME explains one.\n")


def _weights_line(weights: type[Distance]) -> tuple[str, str]:
    """A distance that also serves as weights is turned around: w = 1 − d/d_max."""
    if weights.name == "nominal":
        return "identity", "1 for the same label, 0 for another"
    turned = weights in DISTANCES
    return weights.name, f"1 − d/max, d = {weights.summary}" if turned else weights.summary


def explain(name: str) -> None:
    """The page of a measure, as it stands in the documentation."""
    chosen = measure(name)
    page = files("accord").joinpath("pages", f"{chosen.name}.md")
    if not page.is_file():
        raise UnknownName("measure", name, [m.name for m in MEASURES])
    sys.stdout.write(page.read_text(encoding="utf-8"))


def formats() -> None:
    _columns("accord reads", [(f.name, f.suffixes, f.holds) for f in FORMATS])


def understood(paths: list[str], how: Reading) -> None:
    for variable, data in read_all(list(paths), **how.options).items():
        if isinstance(data, Corpus):
            what, rows = "units of documents", _units(data)
        elif isinstance(data, Texts):
            what, rows = "texts", _texts(data)
        elif isinstance(data, Segmentations):
            what, rows = "segmentations of documents", _segmentations(data)
        else:
            what, rows = "ratings of items", _ratings(data)
        _columns(f"{variable}: {what}", [*rows, *(("note", note) for note in data.notes), ("digest", data.digest)])


def _ratings(ratings: Ratings) -> list[tuple[str, str]]:
    return [
        ("items", f"{ratings.n_items:,} ({ratings.n_pairable:,} with two labels or more)"),
        ("annotators", f"{ratings.n_annotators:,}: {_some(ratings.annotators)}"),
        ("categories", _some(ratings.categories.names)),
        ("labels", f"{ratings.n_ratings:,}"),
    ]


def _texts(data: Texts) -> list[tuple[str, str]]:
    features = [f"{name} ({len(column.categories):,})" for name, column in data.features.items()]
    return [
        ("documents", f"{len(data.docs):,}: {_some(data.docs)}"),
        ("annotators", f"{data.n_annotators:,}: {_some(data.annotators)}"),
        ("tokens", f"{len(data):,}"),
        ("features", _some(features) or "none"),
        ("pre-annotation", "yes" if data.has_base else "no"),
    ]


def _segmentations(data: Segmentations) -> list[tuple[str, str]]:
    return [
        ("documents", f"{len(data.docs):,} ({int((data.annotators_per_doc > 1).sum()):,} can be compared)"),
        ("annotators", f"{data.n_annotators:,}: {_some(data.annotators)}"),
        ("boundaries", f"{len(data.position):,} on {int(data.lengths.sum()):,} atoms"),
        ("types", _some(data.categories.names)),
    ]


def _units(corpus: Corpus) -> list[tuple[str, str]]:
    given = int(corpus.extent_given.sum())
    looked = "as given" if corpus.judged_given else "those who marked something"
    return [
        (
            "documents",
            f"{len(corpus.docs):,} ({int(comparable(corpus).sum()):,} can be compared): {_some(corpus.docs)}",
        ),
        ("extents", f"{given:,} given, {len(corpus.docs) - given:,} from the first start to the last end"),
        ("annotators", f"{corpus.n_annotators:,}: {_some(corpus.annotators)}"),
        ("who looked", looked),
        ("categories", _some(corpus.categories.names) or "none: units without labels"),
        ("units", f"{len(corpus):,}"),
    ]


def _some(names: Sequence[str], most: int = 20) -> str:
    return ", ".join(names[:most]) + (f" … ({len(names):,})" if len(names) > most else "")
