"""Names of other tools: each has a spec, names of accord take precedence, and differences are reported or refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import accord
from accord.measures.catalogue import measure, own_names
from accord.measures.distances import distance, weights
from accord.measures.other_tools import NAMES, TOOLS, Name, about

from .cases import for_each
from .command_line import Cli, refused
from .conftest import EXAMPLES
from .refusals import raises

ANXIETY = [
    [3, 3, 2], [3, 6, 1], [3, 4, 4], [4, 6, 4], [5, 2, 3], [5, 4, 2], [2, 2, 1], [3, 4, 6], [5, 3, 1], [2, 3, 1],
    [2, 2, 1], [6, 3, 2], [1, 3, 3], [5, 3, 3], [2, 2, 1], [2, 2, 1], [1, 1, 3], [2, 3, 3], [4, 3, 2], [3, 4, 2],
]  # fmt: skip
DIAGNOSES = [
    "444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334", "114444", "555555", "144444",
    "124444", "222333", "144444", "224445", "333335", "111455", "111112", "224444", "133555", "555555", "244444",
    "224555", "114444", "144445", "222224", "111155", "224444", "133333", "555555",
]  # fmt: skip
READS = {"measure": measure, "weights": weights, "distance": distance}


def value(rows: object, spec: str) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", accord.NameWarning)
        return accord.score(rows, spec, interval="none").value


@for_each("one", NAMES)
def test_every_name_of_other_tools_has_the_spec_of_the_table(one: Name) -> None:
    here = READS[one.kind](one.here)
    assert str(here) == one.here or one.here == "identity"
    tool = next(tool for tool in TOOLS if tool.name == one.tool)
    prefix = f"{tool.prefixes[0]}." if tool.prefixes else ""
    assert about(prefix + one.name, own_names()) == one
    if one.refused:
        with raises("not-in-accord"):
            READS[one.kind](prefix + one.name)
    elif one.differs and not one.when:
        with pytest.warns(accord.NameWarning) as caught:
            assert READS[one.kind](prefix + one.name) == here
        assert one.in_words() in [str(warning.message) for warning in caught]
    else:
        assert READS[one.kind](prefix + one.name) == here


def test_names_shared_by_two_tools_have_the_same_spec() -> None:
    """A name without a prefix must not be ambiguous."""
    meant: dict[tuple[str, str], set[tuple[str, bool]]] = {}
    for one in NAMES:
        if one.name.lower() not in own_names():
            meant.setdefault((one.kind, str(one.call).lower()), set()).add((one.here, one.refused))
    assert {name: there for name, there in meant.items() if len(there) > 1} == {}


@for_each("name", own_names())
def test_names_of_accord_take_precedence(name: str) -> None:
    """`kappa` is a name of accord and of nltk; accord gives no warning."""
    assert name in (type(measure(name)).name, *type(measure(name)).aliases)
    assert about(name, own_names()) is None


@for_each(
    ("there", "here"),
    [
        ("kappam.fleiss", "pi"),
        ("KAPPAM.FLEISS", "pi"),
        ("kappam.fleiss(exact=TRUE)", "kappa"),
        ("kappam.fleiss(exact=true)", "kappa"),
        ("kappam.fleiss(exact=FALSE)", None),  # accord has no such option
        ("kappa2(weight=squared)", "kappa(weights=quadratic)"),
        ("kappa2(weight=equal)", "kappa(weights=linear)"),
        ("kripp.alpha(method=ordinal)", "alpha(distance=ordinal)"),
        ("krippendorff.alpha(level_of_measurement=ratio)", "alpha(distance=ratio)"),
        ("kalpha(level=2)", "alpha(distance=ordinal)"),
        ("gwet.ac1.raw(weights=quadratic)", "ac(weights=quadratic)"),
        ("gwet.ac1.raw(linear)", "ac(weights=linear)"),
        ("cohens_kappa(wt=fc)", "kappa(weights=quadratic)"),
        ("kappa(weights=quadratic.weights)", "kappa(weights=quadratic)"),
        ("alpha(distance=masi_distance)", "alpha(distance=masi_nltk)"),
        ("irr::icc", "icc(form=1)"),
        ("irr::icc(type=agreement,model=twoway)", "icc(form=2)"),
        ("nltk.pk(k=3)", "pk(k=3,window=nltk)"),
        ("qwk(weights=linear)", None),  # quadratic by definition
    ],
)
def test_options_of_other_tools_are_translated(there: str, here: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", accord.NameWarning)
        if here is None:
            with pytest.raises(accord.SpecError):
                measure(there)
        else:
            assert str(measure(there)) == here


def test_warning_about_an_option_is_given_only_with_that_option() -> None:
    assert str(measure("cohen_kappa_score")) == "kappa"  # no warning (warnings are errors in tests)
    with pytest.warns(accord.NameWarning, match="with weights, scikit-learn takes the categories that occur as steps"):
        measure("cohen_kappa_score(weights=linear)")


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("measure", "kapam.fleiss", "kappam.fleiss"),
        ("measure", "krippen.alfa.raw", "krippen.alpha.raw"),
        ("weights", "sqared", "squared"),
        ("distance", "masi_distanz", "masi_distance"),
    ],
)
def test_misspelt_name_of_another_tool_is_refused_with_a_suggestion(kind: str, wrong: str, right: str) -> None:
    with raises("unknown-name", f'did you mean "{right}"?'):
        READS[kind](wrong)


# -- the R package irr ------------------------------------------------------------------------------------------------
# Printed by irr 0.84.1: kappam.fleiss(diagnoses) 0.43, kappam.fleiss(diagnoses, exact=TRUE) 0.442,
# kappam.light(diagnoses) 0.459, icc(anxiety, model="twoway", type="agreement") 0.198 (its reference manual). With more
# digits: its function kripp.alpha under R 4.2.2, and pyirr 0.84.1.2, a Python port of irr, on the data sets of irr.


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [("kappam.fleiss", 0.43024452006014074), ("kappam.fleiss(exact=TRUE)", 0.44180854032933287)],
)
def test_kappam_fleiss_on_diagnoses_of_irr(spec: str, wanted: float) -> None:
    assert value([list(row) for row in DIAGNOSES], spec) == pytest.approx(wanted, abs=1e-12)


def test_mean_kappa_over_pairs_equals_kappam_light() -> None:
    pairs = accord.kappa([list(row) for row in DIAGNOSES], interval="none").parts["pair"]
    assert np.mean([pair.value for pair in pairs.values()]) == pytest.approx(0.45941214443459544, abs=1e-12)


@pytest.mark.parametrize(
    ("weight", "without_gap", "with_gap"),
    [("unweighted", 0.11949685534591195, -0.0062893081761006), ("equal", 0.18918918918918934, 0.14590747330960857),
     ("squared", 0.29676511954993035, 0.25203252032520285)],
)  # fmt: skip
def test_kappa2_on_anxiety(weight: str, without_gap: float, with_gap: float) -> None:
    """Raters 1 and 2 use all grades. Raters 2 and 3 never use 5, so irr treats 6 as the grade after 4."""
    spec = f"kappa2(weight={weight})"
    assert value([row[:2] for row in ANXIETY], spec) == pytest.approx(without_gap, abs=1e-12)
    pair = [row[1:] for row in ANXIETY]
    assert value([[5 if x == 6 else x for x in row] for row in pair], spec) == pytest.approx(with_gap, abs=1e-12)
    if weight != "unweighted":
        assert value(pair, spec) < with_gap - 0.015


@pytest.mark.parametrize(
    ("method", "wanted"),
    [("nominal", -0.0324008498584), ("ordinal", 0.221847851608), ("interval", 0.163065545244),
     ("ratio", 0.134528470567)],
)  # fmt: skip
def test_kripp_alpha_on_a_complete_table(method: str, wanted: float) -> None:
    """For more than two raters it differs by the term in the table of names."""
    alpha = value(ANXIETY, f"kripp.alpha(method={method})")
    m, n = 3, 60
    assert alpha - (1 - alpha) * (m - 2) / ((m - 1) * (n - 1)) == pytest.approx(wanted, abs=1e-11)


@pytest.mark.parametrize(
    ("method", "wanted"),
    [("nominal", 0.743421052632), ("ordinal", 0.815387503755), ("interval", 0.849107142857), ("ratio", 0.797402774712)],
)
def test_kripp_alpha_with_gaps(method: str, wanted: float) -> None:
    """Krippendorff's example, `nmm` of irr."""
    rows = ["11 1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", " 555", "  11", "  3 "]
    given = [[None if label == " " else int(label) for label in row] for row in rows]
    assert value(given, f"kripp.alpha(method={method})") == pytest.approx(wanted, abs=1e-11)


def test_icc_and_kendall_on_anxiety() -> None:
    assert value(ANXIETY, "icc(model=twoway,type=agreement)") == pytest.approx(0.198, abs=5e-4)
    assert value(ANXIETY, "kendall(correct=TRUE)") == pytest.approx(0.5396568759543698, abs=1e-12)
    assert abs(value(ANXIETY, "irr::kendall") - 0.501921470342523) > 0.03  # irr without the correction for ties


# -- the command line --------------------------------------------------------------------------------------------------


def test_measures_command_explains_names_of_other_tools(cli: Cli) -> None:
    for name, line, page in (
        ("kappam.fleiss", "kappam.fleiss (irr) is pi here; irr leaves out every item", "# pi: "),
        ("gwet.ac1.raw", "gwet.ac1.raw (irrCAC) is ac here, the same number", "# ac: "),
        ("kappam.light", "kappam.light (irr) is not in accord: it is the mean of κ", "# kappa: "),
        ("squared", "squared (irr) is weights=quadratic here", "docs/coming-from/r.md"),
        ("irrCAC", "krippen.alpha.raw", "alpha"),
    ):
        got = cli("measures", name)
        assert got.code == 0
        assert line in got.out
        assert page in got.out


@pytest.mark.parametrize("command", ["score", "influence", "check"])
def test_differences_are_reported_once(cli: Cli, command: str) -> None:
    asked = ["--min", "kappam.fleiss=0.1"] if command == "check" else ["-m", "kappam.fleiss"]
    got = cli(command, EXAMPLES / "garden" / "sentences.csv", *asked, "--json")
    assert got.err == (
        "accord: kappam.fleiss (irr) is pi here; irr leaves out every item that lacks a label; "
        "accord uses its other labels\n"
    )
    assert '"measure": "pi"' in got.out  # the spec of accord


def test_name_without_an_equivalent_is_refused(cli: Cli) -> None:
    got = cli("score", EXAMPLES / "garden" / "sentences.csv", "-m", "kappam.light")
    refused(got, "[not-in-accord]", "--by")
