"""Compare each kind of figure with its baseline picture.

`make pictures` draws the baselines again. Look at them before you commit them. Blurring removes small differences
between versions of fonts and Matplotlib.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from accord.core.figures.figure import ONE, WIDTHS, as_bytes
from accord.core.figures.heatmap import PairMatrix
from accord.core.figures.style import drawing

from .samples import EVERY

HERE = Path(__file__).parent
BASELINE = HERE / "baseline"
DPI = 80
TOLERANCE = 4.0  # of 255: root mean square difference of blurred pixels


def pixels(png: bytes) -> np.ndarray[Any, Any]:
    from matplotlib.image import imread

    found = np.asarray(imread(io.BytesIO(png)), dtype=np.float64)[..., :3] * 255
    high, wide = (n // 3 * 3 for n in found.shape[:2])
    return found[:high, :wide].reshape(high // 3, 3, wide // 3, 3, 3).mean(axis=(1, 3))  # type: ignore[no-any-return]


def apart(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    return float(np.sqrt(((one - other) ** 2).mean()))


@pytest.mark.parametrize("name", EVERY)
def test_picture_equals_its_baseline(name: str, tmp_path: Path) -> None:
    drawn = as_bytes(EVERY[name], "png", ONE, DPI)
    path = BASELINE / f"{name}.png"
    if os.environ.get("ACCORD_PICTURES") == "write":
        path.write_bytes(drawn)
    wanted, found = pixels(path.read_bytes()), pixels(drawn)
    assert found.shape == wanted.shape
    (tmp_path / f"{name}.png").write_bytes(drawn)
    assert apart(found, wanted) < TOLERANCE, f"{path} and {tmp_path / name}.png differ"


def test_comparison_detects_a_changed_value() -> None:
    from dataclasses import replace

    figure = EVERY["confusion"]
    other = replace(figure, counts=((20, 3, 1), (2, 15, 4), (12, 5, 10)))
    assert apart(pixels(as_bytes(figure, "png", ONE, DPI)), pixels(as_bytes(other, "png", ONE, DPI))) > TOLERANCE


def test_every_baseline_has_a_figure() -> None:
    assert {path.stem for path in BASELINE.glob("*.png")} == set(EVERY)
    assert sum(path.stat().st_size for path in BASELINE.glob("*.png")) < 400_000


@pytest.mark.parametrize("name", EVERY)
def test_picture_is_readable_in_grey(name: str) -> None:
    """Text and lines remain visible without colour."""
    grey = pixels(as_bytes(EVERY[name], "png", ONE, DPI)).mean(axis=2)
    assert grey.max() > 250
    assert grey.min() < 120
    assert (grey < 200).mean() > 0.005


def test_names_of_many_annotators_fit_into_the_figure() -> None:
    names = tuple(f"annotator{k:02}" for k in range(30))
    values = tuple(tuple(((i * j) % 7) / 7 for j in range(30)) for i in range(30))
    for width in WIDTHS.values():
        with drawing():
            canvas, axes = PairMatrix("agreement of pairs", names, values).made(width)
            FigureCanvasAgg(canvas).draw()
            box = axes[0, 0].get_tightbbox(canvas.canvas.get_renderer())
            assert box.y0 >= 0
            assert box.y1 <= canvas.bbox.height
