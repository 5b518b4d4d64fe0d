"""Colours are stable, and readers can distinguish them with colour blindness and in grey."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from accord.core.figures.bars import CAUSES
from accord.core.figures.style import BASE, Look, colours, hatches, lightness, luminance, mix_colours, on, shade

NAMES = [f"c{k:02}" for k in range(24)]


def test_colour_depends_only_on_the_set_of_categories() -> None:
    found = colours(NAMES)
    assert colours(reversed([*NAMES, *NAMES])) == found  # type: ignore[arg-type]
    assert hatches(NAMES[::-1]) == hatches(NAMES)
    assert list(colours("ab").values()) == list(BASE[:2])


@pytest.mark.parametrize("many", [2, 4, 8, 24])
def test_any_two_categories_differ_in_grey(many: int) -> None:
    """Their lightness or their hatch differs."""
    colour, hatch = colours(NAMES[:many]), hatches(NAMES[:many])
    for a, b in combinations(NAMES[:many], 2):
        apart = abs(lightness(colour[a]) - lightness(colour[b]))
        assert apart >= 10 or hatch[a] != hatch[b], (a, b, apart)


def simulate_colour_blindness(colour: str, lacks: str) -> tuple[float, ...]:
    """Return a colour as seen without one type of cones (Machado et al. 2009, severity 1), in linear light."""
    matrix = {
        "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
        "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
        "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    }[lacks]
    rgb = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    light = (min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0), 1) for row in matrix)
    return tuple(12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in light)


@pytest.mark.parametrize("lacks", ["protan", "deutan", "tritan"])
def test_any_two_categories_differ_for_colour_blind_readers(lacks: str) -> None:
    colour, hatch = colours(NAMES[:8]), hatches(NAMES[:8])
    for a, b in combinations(NAMES[:8], 2):
        one, other = (simulate_colour_blindness(colour[name], lacks) for name in (a, b))
        apart = sum((x - y) ** 2 for x, y in zip(one, other, strict=True)) ** 0.5
        assert apart >= 0.15 or hatch[a] != hatch[b], (a, b, apart)


def test_causes_of_disorder_differ_in_grey() -> None:
    for mine in (("position", "category", "absence"), ("text", "segmentation", "missing")):
        for a, b in combinations(mine, 2):
            assert abs(lightness(CAUSES[a][0]) - lightness(CAUSES[b][0])) >= 20 or CAUSES[a][1] != CAUSES[b][1]


def test_text_is_readable_on_every_colour() -> None:
    """WCAG requires a contrast of 4.5."""
    for colour in [*colours(NAMES).values(), *(shade(k / 50) for k in range(51))]:
        dark, light = sorted((luminance(colour), luminance(on(colour))))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def test_shades_get_darker() -> None:
    light = [lightness(shade(k / 20)) for k in range(21)]
    assert all(a > b for a, b in pairwise(light))
    assert shade(-3) == shade(0)
    assert shade(7) == shade(1)


def test_lines_differ_in_style_and_marker() -> None:
    looks = [Look.number(k) for k in range(16)]
    assert len({(str(look.line), look.mark, look.colour) for look in looks}) == 16
    assert len({(str(look.line), look.mark) for look in looks[:8]}) == 8


def test_lightness_and_mixing_give_known_values() -> None:
    assert lightness("#FFFFFF") == pytest.approx(100)
    assert lightness("#000000") == 0
    assert lightness("#777777") == pytest.approx(50.03, abs=0.05)
    assert mix_colours("#000000", "#FFFFFF", 0.5) == "#808080"
    assert (on("#FFFFFF"), on("#000000")) == ("#000000", "#FFFFFF")
