"""Variables → layers with features, as UIMA has them: `NamedEntity.value`; a variable `label` is `Label.value`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from accord.data.io.formats.layers import DKPRO, STRUCTURE
from accord.data.io.formats.writing import Draft, Mark, Material, renamed

_CUSTOM = "webanno.custom."
_NAMED_ENTITY = (f"{DKPRO}ner.type.NamedEntity", {"value", "identifier"})


class Annotation(NamedTuple):
    start: int
    end: int
    features: dict[str, str]


@dataclass(frozen=True)
class Layer:
    """A type, and the feature that each of its variables is; a variable of units without labels is none."""

    kind: str
    features: Mapping[str, str]  # by variable

    def annotations(self, marks: Mapping[str, Sequence[Mark]]) -> list[Annotation]:
        """What variables mark at one place are features of one annotation."""
        places: dict[tuple[int, int], dict[str, list[str | None]]] = defaultdict(dict)
        for variable in self.features:
            for mark in marks[variable]:
                at = (int(mark.start), int(mark.end))
                places[at].setdefault(variable, []).append(mark.label)
        return [
            Annotation(*at, {self.features[name]: label for name, label in zip(there, some, strict=True) if label})
            for at, there in sorted(places.items())
            for some in zip_longest(*there.values())
        ]

    @property
    def named(self) -> list[str]:
        """Its features."""
        return [feature for feature in self.features.values() if feature]


def layers_of(names: Sequence[str], bare: Sequence[str], draft: Draft) -> list[Layer]:
    """Layers of variables; those in `bare` have no labels, and are a layer without features."""
    there = renamed(names, lambda name: _layer(name) if name in bare else ".".join(_layer_and_feature(name)),
                    "variable", draft)  # fmt: skip
    draft.variables |= there
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name, called in there.items():
        layer, _, feature = called.partition(".")
        found[layer][name] = feature
    kind, usual = _NAMED_ENTITY
    return [
        Layer(kind if layer == "NamedEntity" and set(features.values()) <= usual else f"{_CUSTOM}{layer}", features)
        for layer, features in found.items()
    ]


def _layer_and_feature(name: str) -> tuple[str, str]:
    layer, _, feature = name.rpartition(".")
    return (_layer(layer), _identifier(feature)) if layer and feature else (_layer(name), "value")


def _layer(name: str) -> str:
    made = _identifier(name)
    made = made[0].upper() + made[1:]
    return f"{made}Layer" if made in STRUCTURE else made


def _identifier(name: str) -> str:
    """A name as Java has them."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return made if made[:1].isalpha() else f"x{made}"


def without_labels(material: Material) -> list[str]:
    """Variables of units that have no labels; elsewhere all units have one."""
    bare = [name for name, corpus in material.units.items() if not len(corpus.categories)]
    labelled = {name: corpus for name, corpus in material.units.items() if name not in bare}
    Material(labelled, {}, material.title).needs_labels()
    return bare
