"""What was read: in words, and as plain data."""

from __future__ import annotations

from typing import Any

from accord.errors import counted
from accord.io import Data
from accord.measures.units.aligned import comparable, left_out
from accord.model.corpus import Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts

_MOST_NAMES = 1_000
KINDS: dict[type, str] = {Ratings: "ratings", Corpus: "units", Segmentations: "segmentations", Texts: "texts"}
NOUNS: dict[type, str] = {Ratings: "items", Corpus: "documents", Segmentations: "n", Texts: "documents"}


def about(data: Data) -> list[str]:
    if isinstance(data, Corpus):
        return _about_units(data)
    if isinstance(data, Texts):
        return [_about_texts(data)]
    return _about_segmentations(data) if isinstance(data, Segmentations) else _about_ratings(data)


def _about_texts(data: Texts) -> str:
    features = f"features: {', '.join(data.features)}" if data.features else "no features"
    what = [("document", len(data.docs)), ("annotator", data.n_annotators), ("token", len(data))]
    base = "with a pre-annotation" if data.has_base else "no pre-annotation"
    return ", ".join([*(counted(n, noun) for noun, n in what), features, base])


def _about_segmentations(data: Segmentations) -> list[str]:
    atoms = f"{int(data.lengths.sum()):,} atoms"
    what = [("document", len(data.docs)), ("annotator", data.n_annotators), ("boundary", len(data.position))]
    lines = [", ".join([*(counted(n, noun) for noun, n in what), atoms])]
    if single := int((data.annotators_per_doc < 2).sum()):
        lines.append(f"left out: {counted(single, 'document')} that only one annotator cut")
    return lines


def _about_ratings(ratings: Ratings) -> list[str]:
    who = f"{ratings.n_annotators:,} annotators" if ratings.identified else "annotators not identified"
    categories, labels = counted(len(ratings.categories), "category"), counted(ratings.n_ratings, "label")
    lines = [f"{counted(ratings.n_items, 'item')}, {who}, {categories}, {labels}"]
    if single := ratings.n_items - ratings.n_pairable:
        lines.append(f"left out of the comparison: {counted(single, 'item')} with one label only")
    if empty := len(ratings.items) - int((ratings.sizes > 0).sum()):
        lines.append(f"left out: {counted(empty, 'item')} without any label")
    return lines


def _about_units(corpus: Corpus) -> list[str]:
    what = [("document", len(corpus.docs)), ("annotator", corpus.n_annotators), ("category", len(corpus.categories))]
    lines = [", ".join(counted(n, noun) for noun, n in (*what, ("unit", len(corpus))))]
    out = left_out(corpus)
    if out["nothing_marked"]:
        lines.append(f"left out: {counted(out['nothing_marked'], 'document')} in which nobody marked anything")
    if out["one_annotator"]:
        lines.append(f"left out: {counted(out['one_annotator'], 'document')} that fewer than two annotators looked at")
    return lines


def summary(data: Data) -> dict[str, Any]:
    if isinstance(data, Corpus):
        return _units(data)
    if isinstance(data, Texts):
        return _texts(data)
    return _segmentations(data) if isinstance(data, Segmentations) else _ratings(data)


def _texts(data: Texts) -> dict[str, Any]:
    return {
        "documents": len(data.docs),
        "annotators": list(data.annotators[:_MOST_NAMES]),
        "n_annotators": data.n_annotators,
        "features": {name: len(column.categories) for name, column in data.features.items()},
        "tokens": len(data),
        "pre_annotation": data.has_base,
        "notes": list(data.notes),
        "digest": data.digest,
    }


def _segmentations(data: Segmentations) -> dict[str, Any]:
    return {
        "documents": len(data.docs),
        "documents_compared": int((data.annotators_per_doc > 1).sum()),
        "annotators": list(data.annotators[:_MOST_NAMES]),
        "n_annotators": data.n_annotators,
        "types": list(data.categories.names[:_MOST_NAMES]),
        "boundaries": len(data.position),
        "atoms": int(data.lengths.sum()),
        "notes": list(data.notes),
        "digest": data.digest,
    }


def _units(corpus: Corpus) -> dict[str, Any]:
    return {
        "documents": len(corpus.docs),
        "documents_compared": int(comparable(corpus).sum()),
        "left_out": left_out(corpus),
        "extents_given": int(corpus.extent_given.sum()),
        "annotators": list(corpus.annotators[:_MOST_NAMES]),
        "n_annotators": corpus.n_annotators,
        "categories": list(corpus.categories.names[:_MOST_NAMES]),
        "n_categories": len(corpus.categories),
        "units": len(corpus),
        "notes": list(corpus.notes),
        "digest": corpus.digest,
    }


def _ratings(ratings: Ratings) -> dict[str, Any]:
    return {
        "items": ratings.n_items,
        "items_compared": ratings.n_pairable,
        "annotators": list(ratings.annotators[:_MOST_NAMES]) if ratings.identified else None,
        "n_annotators": ratings.n_annotators if ratings.identified else None,
        "categories": list(ratings.categories.names[:_MOST_NAMES]),
        "n_categories": len(ratings.categories),
        "ratings": ratings.n_ratings,
        "notes": list(ratings.notes),
        "digest": ratings.digest,
    }
