"""Well-known numbers of other papers."""

from __future__ import annotations

import pytest

import accord

# Fleiss 1971: 30 patients, 6 psychiatrists, 5 diagnoses; how many chose each.
FLEISS_1971 = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip
# Krippendorff 2004, four observers and twelve units with missing data; α = .743 (nominal), .815 (ordinal), .849, .797.
KRIPPENDORFF_2004 = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip


def test_fleiss_1971() -> None:
    data = accord.Ratings.from_counts(FLEISS_1971, ["1", "2", "3", "4", "5"])
    score = accord.score(data, "fleiss")
    assert score.value == pytest.approx(0.430, abs=5e-4)
    # Printed variance .000759: Siegel & Castellan give the same test.
    assert score.details["z_test"]["siegel_castellan_1988"]["se"] ** 2 == pytest.approx(0.000759, abs=5e-6)
    # Fleiss, Nee & Landis 1979 corrected it; R's irr prints z = 17.7.
    assert score.details["z_test"]["fleiss_nee_landis_1979"]["z"] == pytest.approx(17.65, abs=5e-3)


@pytest.mark.parametrize(
    ("distance", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorff_2004(distance: str, value: float) -> None:
    assert accord.alpha(KRIPPENDORFF_2004, distance=distance).value == pytest.approx(value, abs=5e-4)


def test_cohen_1960_kappa_and_its_maximum() -> None:
    table = accord.Ratings.from_confusion([[88, 14, 18], [10, 40, 10], [2, 6, 12]], ["1", "2", "3"])
    assert accord.kappa(table).value == pytest.approx(0.492, abs=5e-4)
    [pair] = accord.marginals(table).pairs
    assert pair.kappa_max == pytest.approx(0.831, abs=5e-4)
    assert accord.score(table, "ac1").value == pytest.approx(0.576, abs=5e-5)  # Gwet 2008


def test_fleiss_cohen_everitt_1969() -> None:
    table = accord.Ratings.from_confusion([[106, 10, 4], [22, 28, 10], [2, 12, 6]], ["1", "2", "3"])
    score = accord.kappa(table, interval="fleiss_cohen_everitt")
    assert score.value == pytest.approx(0.429, abs=5e-4)
    assert score.se == pytest.approx(0.0537, abs=5e-5)
    assert score.details["se_null"] == pytest.approx(0.0555, abs=5e-5)
