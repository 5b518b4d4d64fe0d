"""A name of another tool gives the value of that tool, or differs as documented in `accord.measures.other_tools`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import accord
from accord.measures.other_tools import NAMES, Name, of_tool

from ..refusals import raises

pd = pytest.importorskip("pandas")
DIGITS = 12


def complete(q: int = 4, annotators: int = 3) -> NDArray[np.int64]:
    rng = np.random.default_rng([q, annotators])
    own = rng.integers(1, q + 1, size=(30, 1))
    return np.where(rng.random((30, annotators)) < 0.6, own, rng.integers(1, q + 1, size=(30, annotators)))


def incomplete() -> NDArray[np.float64]:
    rows = complete().astype(float)
    rows[np.random.default_rng(1).random(rows.shape) < 0.2] = np.nan
    return rows


def value(rows: object, spec: str, **how: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", accord.NameWarning)
        return accord.score(rows, spec, interval="none", **how).value


def names_of_equal_measures(tool: str) -> list[Name]:
    """Return the names that give the same number as the tool for any data."""
    return [one for one in of_tool(tool) if one.kind == "measure" and not one.refused and not one.differs]


# -- irrCAC ------------------------------------------------------------------------------------------------------------

IN_PYTHON = {"gwet.ac1": "gwet", "fleiss.kappa": "fleiss", "conger.kappa": "conger", "bp.coeff": "bp",
             "krippen.alpha": "krippendorff"}  # fmt: skip


@pytest.mark.parametrize(
    "one", [o for o in names_of_equal_measures("irrCAC") if o.name.endswith(".raw")], ids=lambda o: o.name
)
@pytest.mark.parametrize("weights", ["identity", "quadratic"])
def test_names_of_irrcac_give_its_values(one: Name, weights: str) -> None:
    raw = pytest.importorskip("irrCAC.raw")
    stem = one.name.removesuffix(".raw")
    rows = incomplete()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas, on irrCAC's use of it
        peer = raw.CAC(pd.DataFrame(rows), weights=weights, categories=[1, 2, 3, 4], digits=DIGITS)
        est = getattr(peer, IN_PYTHON.get(stem, "gwet"))()["est"]
    wanted = est["pa"] if stem == "pa.coeff" else est["coefficient_value"]
    assert value(rows, f"irrcac::{one.name}(weights={weights}.weights)") == pytest.approx(wanted, abs=1e-9)


TABLE = [[20, 5, 1], [3, 15, 4], [2, 2, 18]]


@pytest.mark.parametrize(
    "one", [one for one in names_of_equal_measures("irrCAC") if one.name.endswith(".table")], ids=lambda o: o.name
)
def test_table_names_of_irrcac_give_its_values(one: Name) -> None:
    table = pytest.importorskip("irrCAC.table")
    stems = {"kappa2": "cohen", "scott2": "scott", "gwet.ac1": "gwet", "bp2": "bp", "krippen2": "krippendorff",
             "pa2": "gwet"}  # fmt: skip
    stem = one.name.removesuffix(".table")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = table.CAC(pd.DataFrame(TABLE, index=[1, 2, 3], columns=[1, 2, 3]), digits=DIGITS)
        est = getattr(peer, stems[stem])()["est"]
    wanted = est["pa"] if stem == "pa2" else est["coefficient_value"]
    assert value(np.array(TABLE), one.name, layout="confusion", categories=[1, 2, 3]) == pytest.approx(wanted, abs=1e-9)


# -- nltk --------------------------------------------------------------------------------------------------------------


def task(rows: NDArray[Any], distance: Any = None) -> Any:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    distances = pytest.importorskip("nltk.metrics.distance")
    triples = [(f"a{g}", f"i{i}", label) for i, row in enumerate(rows.tolist()) for g, label in enumerate(row)]
    return agreement.AnnotationTask(triples, distance=distance or distances.binary_distance)


@pytest.mark.parametrize("name", ["avg_Ao", "S", "pi", "multi_kappa", "alpha"])
def test_names_of_nltk_give_its_values(name: str) -> None:
    wanted = getattr(task(complete()), name)()
    assert value(complete(), f"nltk.{name}") == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", ["S", "pi", "multi_kappa"])
def test_names_of_nltk_that_ignore_a_distance_give_other_values(name: str) -> None:
    distances = pytest.importorskip("nltk.metrics.distance")
    peer = getattr(task(complete(), distances.interval_distance), name)()
    assert abs(value(complete(), f"nltk.{name}(distance=interval_distance)") - peer) > 0.05


@pytest.mark.parametrize("name", ["kappa", "weighted_kappa"])
def test_nltk_takes_the_mean_over_pairs(name: str) -> None:
    distances = pytest.importorskip("nltk.metrics.distance")
    weighted = name == "weighted_kappa"
    peer = getattr(task(complete(), distances.interval_distance if weighted else None), name)()
    spec = "kappa(distance=interval)" if weighted else "kappa"
    pairs = accord.score(complete(), spec, interval="none").parts["pair"]
    assert np.mean([pair.value for pair in pairs.values()]) == pytest.approx(peer, abs=1e-9)
    assert abs(value(complete(), spec) - peer) > 1e-4
    with raises("not-in-accord"):
        value(complete(), f"nltk.{name}")


# -- scikit-learn, statsmodels, krippendorff ---------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_names_of_sklearn_give_its_values(weights: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rows = complete(annotators=2)
    for labels, same in (([1, 2, 3, 4], True), ([1, 2, 4, 9], weights == "identity")):
        first, second = (np.array(labels)[rows[:, g] - 1] for g in (0, 1))
        wanted = metrics.cohen_kappa_score(first, second, weights=None if weights == "identity" else weights)
        found = value(np.stack([first, second], axis=1), f"cohen_kappa_score(weights={weights})")
        assert bool(abs(found - wanted) < 1e-9) is same
        if weights == "quadratic":
            assert value(np.stack([first, second], axis=1), "qwk") == found
    assert value(rows, "accuracy_score") == pytest.approx(metrics.accuracy_score(rows[:, 0], rows[:, 1]), abs=1e-12)


@pytest.mark.parametrize("one", list(of_tool("statsmodels")), ids=lambda one: one.name)
def test_names_of_statsmodels_give_its_values(one: Name) -> None:
    peer = pytest.importorskip("statsmodels.stats.inter_rater")
    if one.name.startswith("fleiss_kappa"):
        counts, _ = peer.aggregate_raters(complete())
        wanted = peer.fleiss_kappa(counts, **{key: str(method) for key, method in one.call.kwargs})
        assert value(complete(), one.name) == pytest.approx(wanted, abs=1e-9)
        return
    wt = one.name if one.kind == "weights" else None
    wanted = peer.cohens_kappa(np.array(TABLE), wt=wt, return_results=False)
    spec = f"cohens_kappa(wt={wt})" if wt else "cohens_kappa"
    for categories, same in (([1, 2, 3], True), ([1, 2, 9], wt is None)):
        found = value(np.array(TABLE), spec, layout="confusion", categories=categories)
        assert bool(abs(found - wanted) < 1e-9) is same


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_names_of_krippendorff_give_its_values(level: str) -> None:
    peer = pytest.importorskip("krippendorff")
    wanted = peer.alpha(incomplete().T, level_of_measurement=level)
    assert value(incomplete(), f"krippendorff.alpha(level_of_measurement={level})") == pytest.approx(wanted, abs=1e-9)
    number = ["nominal", "ordinal", "interval", "ratio"].index(level) + 1
    assert value(incomplete(), f"kalpha(level={number})") == pytest.approx(wanted, abs=1e-9)


# -- segmentations -----------------------------------------------------------------------------------------------------

MASSES = {
    "d1": {"A": [2, 3, 6, 4], "B": [2, 4, 4, 5], "C": [5, 6, 4]},
    "d2": {"A": [4, 4, 3], "B": [8, 3], "C": [3, 8]},
}


@pytest.mark.parametrize("name", ["fleiss_pi_linear", "fleiss_kappa_linear"])
def test_agreement_names_of_segeval_give_its_values(name: str) -> None:
    peer = pytest.importorskip("segeval")
    given = {doc: {who: tuple(masses) for who, masses in by.items()} for doc, by in MASSES.items()}
    data = accord.Segmentations.from_masses(MASSES)
    assert value(data, name) == pytest.approx(float(getattr(peer, name)(peer.Dataset(given))), abs=1e-9)


@pytest.mark.parametrize("name", ["boundary_similarity", "segmentation_similarity", "pk", "window_diff"])
def test_pair_names_of_segeval_give_its_values(name: str) -> None:
    peer = pytest.importorskip("segeval")
    ref, hyp = MASSES["d1"]["A"], MASSES["d1"]["B"]
    data = accord.Segmentations.from_masses({"d1": {"A": ref, "B": hyp}})
    wanted = float(getattr(peer, name)(tuple(hyp), tuple(ref)))
    assert value(data, f"segeval.{name}(reference=A)") == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("name", "options"), [("pk", ""), ("pk", ",k=3"), ("windowdiff", ",k=3"), ("ghd", "")])
def test_segmentation_names_of_nltk_give_its_values(name: str, options: str) -> None:
    peer = pytest.importorskip("nltk.metrics.segmentation")
    ref, hyp = "0100100000010", "0101000000010"
    more = {"k": 3} if options else {}
    data = accord.Segmentations.from_strings({"ref": ref, "hyp": hyp})
    found = value(data, f"nltk.{name}(reference=ref{options})")
    assert found == pytest.approx(getattr(peer, name)(ref, hyp, **more), abs=1e-9)


def test_every_tool_is_tested_here_or_listed_elsewhere() -> None:
    """The tests above cover each tool that can be installed. Other tests cover R and Java."""
    tried = {"irrCAC", "nltk", "scikit-learn", "statsmodels", "krippendorff", "segeval"}
    elsewhere = {"irr", "irrNA", "KALPHA", "ReCal", "Holsti", "AgreeStat", "pygamma-agreement", "DKPro", "INCEpTION",
                 "Label Studio", "Prodigy"}  # fmt: skip
    assert {one.tool for one in NAMES} == tried | elsewhere
