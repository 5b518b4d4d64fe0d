"""The page on the papers has a verdict for every claim and all figures. Each measure has one colour."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from accord.answers.simulate.errors import check_error, error_type
from accord.answers.simulate.shuffle import reference_of
from accord.answers.simulate.xray import Curve
from accord.core.context import Run
from accord.core.figures import curves
from studies import page
from studies.checks import WORDS, Curves, Finding, Outcome, Verdict, settings_of, verdict
from studies.claims import CLAIMS
from studies.experiments import EXPERIMENTS, Experiment, Setting

from ..cases import for_each
from ..refusals import raises

AT = np.linspace(0, 1, 21)


def generate_curves(one: Experiment, setting: Setting, *_: object) -> tuple[Curve, ...]:
    """Return noisy lines from 1 to 0, different for each setting and measure."""
    rng = np.random.default_rng(zlib.crc32(f"{one.key} {setting.name}".encode()))
    mean = 1 - AT[:, None] ** rng.uniform(0.5, 2.0)
    return tuple(
        Curve(setting.error, judge.name, AT, mean + 0.02 * AT[:, None] * rng.normal(size=(21, 5)))
        for judge in one.judges
    )


@pytest.fixture(scope="module")
def grid() -> dict[str, dict[tuple[str, str], Curve]]:
    found: dict[str, dict[tuple[str, str], Curve]] = {}
    for one in EXPERIMENTS:
        for setting in one.settings:
            for curve in generate_curves(one, setting):
                found.setdefault(setting.name, {})[one.key, curve.measure] = curve
    return found


class Watched(dict[tuple[str, str], Curve]):
    """Curves that record which experiments are read."""

    def __init__(self, curves: Curves) -> None:
        super().__init__(curves)
        self.seen: set[str] = set()

    def __getitem__(self, key: tuple[str, str]) -> Curve:
        self.seen.add(key[0])
        return super().__getitem__(key)


@for_each("claim", CLAIMS)
def test_claim_declares_the_experiments_it_reads(claim, grid) -> None:  # type: ignore[no-untyped-def]
    """A claim reads exactly its declared experiments, under shared settings, and names its measures."""
    names = settings_of(claim)
    assert names
    curves = Watched(grid[names[0]])
    found = claim.check(curves)
    assert curves.seen == set(claim.reads)
    measures = {judge.name for one in EXPERIMENTS if one.key in claim.reads for judge in one.judges}
    assert any(name.partition(" (")[0] in found.numbers for name in measures) or "alignment" in claim.measure


def test_all_settings_are_valid() -> None:
    for one in EXPERIMENTS:
        assert len({setting.name for setting in one.settings}) == len(one.settings)
        for setting in one.settings:
            check_error(error_type(setting.error), reference_of(setting.reference.made(), {}).ground)


def test_settings_cover_choices_that_the_papers_leave_open() -> None:
    """The choices are lengths by category, density, and the factors of shifts and splits."""
    at = {one.key: {setting.name: setting for setting in one.settings} for one in EXPERIMENTS}
    assert len(at["pos"]) >= 4
    assert {str(setting.reference) for setting in at["pos"].values()} == {
        str(setting.reference) for setting in at["split"].values()
    }
    for key, other, usual in (("pos", "x=8", "x=2"), ("split", "x=2", "x=5"), ("fp", "x=2", "x=1")):
        assert other in at[key]["other factors"].error
        assert usual in at[key]["even lengths"].error
    for key in ("seg-fn", "cat", "cat-prev"):
        assert len(at[key]) >= 2


def test_page_lists_claims_settings_and_reasons(grid: dict[str, dict[tuple[str, str], Curve]]) -> None:
    text = page.written(grid, {"2012 Fig. 2": "papers/2012-fig-2.png"}, 5, 0.05, 3)
    found = [verdict(claim, grid) for claim in CLAIMS]
    assert page.summary(found) in text
    assert "5 sets at each under every setting" in text
    assert "seed 3" in text
    assert text.endswith("![2012 Fig. 2](papers/2012-fig-2.png)\n")
    table = [line for line in text.splitlines() if line.startswith("|")]
    cells = {line.replace("\\|", "").count("|") for line in table}
    assert cells == {7}  # both tables have six columns, also if a name contains |
    claims = [line for line in table if line.startswith("| 20")][: len(CLAIMS)]
    for one, line in zip(found, claims, strict=True):
        assert one.claim.text.replace("|", "\\|") in line
        assert one.words.split(":")[0] in line.replace("**", "")
        for name in one.findings if len(one.findings) > 1 else ():
            assert f"{name}: " in line
    reasons = text[text.index("## Why") : text.index("## Desiderata")]
    for one in found:
        assert (one.claim.why in reasons) or one.word == "holds" or not one.claim.why


def test_summary_counts_verdicts() -> None:
    outcomes = (Outcome.HOLDS, Outcome.HOLDS, Outcome.FAILS, Outcome.NOISE)
    found = [Verdict(CLAIMS[0], {"s": Finding(outcome, "")}) for outcome in outcomes]
    found.append(Verdict(CLAIMS[0], {"s": Finding(Outcome.HOLDS, ""), "t": Finding(Outcome.FAILS, "")}))
    counts = "2 hold, 1 hold under some settings, 1 do not hold, 1 are undecided"
    assert page.summary(found) == f"5 claims: {counts}."
    assert {one.word for one in found} == set(WORDS)


def test_page_and_figures_are_made_from_experiments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "run", generate_curves)
    drawn: dict[str, list[str]] = {}

    def save_figure(figure: curves.Curves, path: Path) -> None:
        drawn[figure.title] = [
            (name, line.name, line.low, line.look.colour)  # type: ignore[misc, union-attr]
            for name, lines in figure.panels
            for line in lines
        ]
        path.write_bytes(b"")

    monkeypatch.setattr(page, "save_figure", save_figure)
    text = page.reproduced(tmp_path / "papers", tmp_path / "papers.md", sets=5)
    names = {f"{year} Fig. {k}" for year, k in [(2012, 2), (2012, 3), *((2015, k) for k in range(24, 31)), (2016, 2)]}
    assert set(drawn) == names
    for name in names:
        path = f"papers/{name.lower().replace(' ', '-').replace('.', '')}.png"
        assert f"![{name}]({path})" in text
        assert (tmp_path / path).is_file()
    # Only figures with several settings have a band.
    assert all(band is not None for _, _, band, _ in drawn["2015 Fig. 26"])  # type: ignore[misc]
    assert all(band is None for _, _, band, _ in drawn["2016 Fig. 2"])  # type: ignore[misc]
    colours: dict[str, set[str]] = {}
    for measure, colour in measures_with_colours(drawn):
        colours.setdefault(measure, set()).add(colour)
    assert all(len(found) == 1 for found in colours.values()), colours
    for title, lines in drawn.items():
        if title != "2015 Fig. 29":  # its panels have one measure each
            assert len({colour for *_, colour in lines}) == len({measure for _, measure, *_ in lines}), title  # type: ignore[misc]


def measures_with_colours(drawn: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield each measure with its colour. In Figure 29, each panel is a measure."""
    for title, lines in drawn.items():
        for panel, line, _, colour in lines:  # type: ignore[misc]
            yield (panel if title == "2015 Fig. 29" else line), colour


def test_figure_with_a_band_is_drawn(grid: dict[str, dict[tuple[str, str], Curve]], tmp_path: Path) -> None:
    one = next(one for one in EXPERIMENTS if one.key == "split")
    curve, shade = page._over_settings(grid, one, "γ")
    assert shade is not None
    assert (shade[0] <= curve.mean).all()
    assert (curve.mean <= shade[1]).all()
    assert (shade[1] > shade[0]).any()
    path = tmp_path / "one.svg"
    page.save_figure(page._figure("Fig.", {"splits": [curve]}, {("splits", "γ"): shade}), path)
    drawn = path.read_text(encoding="utf-8")
    assert "fill-opacity: 0.13" in drawn
    assert "fill: #ffffff" in drawn  # on white


def test_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with raises("output-not-writable"):
        page.reproduced(tmp_path / "file" / "papers")


def test_experiment_runs_under_a_setting() -> None:
    one = next(one for one in EXPERIMENTS if one.key == "cat-nogap")
    stages: list[str] = []
    how = Run(0, lambda name, *_: stages.append(name), 1)
    [curve] = page.run(one, one.settings[0], 2, 0.5, how)
    assert (curve.measure, curve.sets, curve.magnitudes.tolist()) == ("κ_d", 2, [0.0, 0.5, 1.0])
    assert curve.mean[0] == 1
    assert set(stages) == {"2015 Fig. 25, category errors, no gaps, gaps of 20"}


def test_figures_outside_the_page_folder_have_an_absolute_path(tmp_path: Path) -> None:
    there = tmp_path / "figures" / "one.png"
    assert page._relative(there, tmp_path / "page.md") == "figures/one.png"
    assert page._relative(there, tmp_path / "docs" / "page.md") == there.as_posix()
