"""The commands compare, influence, check, plan, intra and limits."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from accord.doors.cli import main

from ..command_line import WIDE

GROUPS = ("--group", "a=Ana,Ben", "--group", "b=Chloé")


class Typed:
    """Run a command and return its exit code, output and errors."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: object) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["accord", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = self.capsys.readouterr()
        return code, out, err


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    monkeypatch.setenv("COLUMNS", str(WIDE))
    return Typed(monkeypatch, capsys)


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    """The same items in two rounds; agreement is almost perfect in the second."""
    lines = ["item,annotator,label,round"]
    for k in range(40):
        for who in ("Ana", "Ben"):
            before = "xyz"[(k + (who == "Ben") * (k % 2)) % 3]
            after = "xyz"[(k + (who == "Ben") * (k % 10 == 0)) % 3]
            lines += [f"i{k},{who},{before},before", f"i{k},{who},{after},after"]
    path = tmp_path / "rounds.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_compare_gives_the_same_difference_by_column_and_by_files(typed: Typed, rounds: Path, tmp_path: Path) -> None:
    code, out, err = typed("compare", rounds, "--by", "round", "-m", "alpha", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["n_common"] == 40
    assert set(found) >= {"a", "b", "difference", "se", "interval", "p", "method"}
    assert found["difference"] == pytest.approx(found["b"]["value"] - found["a"]["value"])
    assert found["p"] < 0.001
    halves = {}
    for name in ("before", "after"):
        lines = rounds.read_text(encoding="utf-8").splitlines()
        halves[name] = tmp_path / f"{name}.csv"
        rows = [line.rsplit(",", 1)[0] for line in lines if line.endswith((name, "round"))]
        halves[name].write_text("\n".join(rows) + "\n", encoding="utf-8")
    code, out, _ = typed("compare", halves["before"], halves["after"], "-m", "alpha", "--json")
    again = json.loads(out)
    assert again["names"] == ["before", "after"]
    assert abs(again["difference"]) == pytest.approx(abs(found["difference"]), abs=1e-12)
    code, out, _ = typed("compare", halves["before"], halves["after"], "-m", "alpha", "-m", "kappa")
    assert "p (Holm)" in out
    assert "2 comparisons: p is corrected by Holm's method" in out


def test_compare_teams_measures_and_groups(typed: Typed, garden: Path) -> None:
    table = garden / "sentences.csv"
    code, out, _ = typed("compare", table, "--annotators-a", "Ana,Ben", "--annotators-b", "Ben,Chloé")
    assert code == 0
    assert "Ben,Chloé − Ana,Ben" in out
    code, out, _ = typed("compare", table, "-m", "alpha", "--measure-b", "kappa")
    assert "alpha and kappa" in out
    code, out, _ = typed(
        "compare", garden / "spans.csv", "--group", "people=Ana,Ben", "--group", "models=Chloé", "--json"
    )
    found = json.loads(out)
    assert set(found["within"]) == {"people"}
    assert set(found["between"]) == {"people – models"}
    assert found["comparisons"][0]["p"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare"], "name two tables"),
        (["compare", "TABLE"], "[option-missing]"),
        (["compare", "TABLE", "TABLE"], "named twice"),
        (["compare", "TABLE", "SPANS"], "only data of the same kind"),
        (["compare", "TABLE", "--annotators-a", "Xena,Ben", "--annotators-b", "Ana,Ben"], "unknown annotator"),
        (["compare", "TABLE", "--group", "people"], "--group needs a name and annotators"),
        (["compare", "TABLE", "--by", "doc", "--paired"], "no item is in both"),
        (["influence"], "name a table"),
        (["influence", "TABLE", "--json", "--csv"], "choose one"),
        (["check", "TABLE"], "no threshold given"),
        (["check", "TABLE", "--min", "alpha"], "takes a measure and a number"),
        (["check", "TABLE", "--min", "alpa=0.7"], "did you mean"),
        (["plan"], "nothing to plan"),
        (["plan", "--documents", "3"], "a layout needs documents and annotators"),
        (["plan", "--documents", "9", "--team", "3", "--per-document", "1"], "agreement cannot be measured"),
        (["plan", "--null", "0.4", "--difference", "0.1"], "two different questions"),
        (["plan", "--width", "0.1", "--difference", "0.1"], "two different questions"),
        (["plan", "--width", "0.1", "--shares", "a,b"], "--shares needs numbers"),
        (["plan", "--documents", "-5", "--team", "2"], "at least one doc, not -5"),
        (["plan", "TABLE", "--documents", "5", "--team", "2"], "a layout needs no table"),
        (["plan", "TABLE", "--width", "0.1", "--value", "0.2"], "--value is an assumption for use without a pilot"),
        (["plan", "--difference", "0.1", "--correlation", "0.5"], "--correlation needs a pilot"),
        (["plan", "--width", "0.1", "--shares", "0,0"], "two numbers above 0"),
        (["plan", "--width", "0.1", "--shares", "inf,1"], "two numbers above 0"),
        (["plan", "--width", "0.1", "--level", "95"], "between 0 and 1"),
        (["plan", "--width", "0.1", "--simulations", "-1"], "--simulations must be between 0"),
        (["compare", "TABLE", *GROUPS, "--level", "95"], "between 0 and 1"),
        (["compare", "TABLE", *GROUPS, "--replicates", "5"], "--replicates must be at least 100"),
        (["compare", "TABLE", *GROUPS, "--unpaired"], "--unpaired cannot be combined with --group"),
        (["compare", "TABLE", *GROUPS, "--measure-b", "kappa"], "--measure-b cannot be combined with --group"),
        (["compare", "TABLE", *GROUPS, "--method", "bootstrap"], "--method cannot be combined with --group"),
        (["compare", "TABLE", "--group", "a=Ana,Ana", "--group", "b=Ben"], 'occurs twice in group "a"'),
        (["compare", "TABLE", "--group", "a=Ana,Ben"], "add another --group"),
        (["compare", "TABLE", "ALONE"], "alone: only one annotator"),
        (["influence", "TABLE", "--plot", "picture.xyz"], ".png, .svg, .pdf"),
        (["influence", "TABLE", "--replicates", "5"], "--replicates must be at least 100"),
        (["influence", "TABLE", "--by", "annotatr"], 'thing to leave out "annotatr": did you mean "annotator"'),
        (["intra", "TABLE"], "no annotator labelled an item twice"),
        (["intra", "SPANS"], "alpha is for labels of items"),
    ],
)
def test_wrong_calls_give_one_line_errors(
    typed: Typed, garden: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    alone = tmp_path / "alone.csv"
    alone.write_text("item,annotator,label\n1,Xu,a\n2,Xu,b\n", encoding="utf-8")
    paths = {"TABLE": str(garden / "sentences.csv"), "SPANS": str(garden / "spans.csv"), "ALONE": str(alone)}
    code, out, err = typed(*(paths.get(word, word) for word in words))
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_influence_is_printed_and_plotted(typed: Typed, garden: Path, tmp_path: Path) -> None:
    picture = tmp_path / "influence.svg"
    code, out, err = typed("influence", garden / "sentences.csv", "-m", "alpha", "--plot", picture)
    assert (code, err) == (0, "")
    assert "without one annotator" in out
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    code, out, _ = typed("influence", garden / "spans.csv", "--by", "document", "--json", "--replicates", "100")
    found = json.loads(out)
    assert len(found["documents"]) == 4
    assert found["annotators"] == []
    code, out, _ = typed("influence", garden / "sentences.csv", "--by", "annotator", "--leave-out", "Ben", "--csv")
    assert len(out.splitlines()) == 2
    assert out.splitlines()[0].endswith("undefined,shares,items,marked,verdict")


def test_notes_on_few_documents_and_missing_intervals(typed: Typed, garden: Path) -> None:
    code, out, _ = typed("check", garden / "spans.csv", "--min", "gamma=0.1", "--use", "lower")
    assert code == 0
    assert "only 4 documents: the interval may be too short; compare with --interval jackknife" in out
    _, out, _ = typed("influence", garden / "spans.csv", "--by", "document", "--replicates", "100")
    assert out.endswith("only 4 documents: the interval may be too short\n")
    _, out, _ = typed("check", garden / "sentences.csv", "--min", "alpha=0.1", "--use", "lower", "--interval", "none")
    assert "--interval none computes no interval" in out
    _, out, _ = typed("compare", garden / "sentences.csv", "--group", "a=Ana", "--group", "b=Ben,Chloé")
    assert '"a" has one member' in out


def test_check_fails_below_the_threshold(typed: Typed, garden: Path, tmp_path: Path) -> None:
    table, report = garden / "sentences.csv", tmp_path / "junit.xml"
    code, out, err = typed("check", table, "--min", "alpha=0.6", "--junit", report)
    assert (code, err) == (0, "")
    assert out.startswith("ok  alpha ≥ 0.6 is met")
    code, out, _ = typed("check", table, "--min", "alpha=0.6", "--use", "lower", "--json")
    assert code == 1
    assert json.loads(out)["passed"] is False
    code, out, _ = typed("check", table, "--min", "alpha=0.6", "--min", "kappa=0.99", "--junit", report)
    assert code == 1
    assert 'failures="1"' in report.read_text(encoding="utf-8")


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Path]:
    """Two rounds in which three annotators correct the same eight texts; the second has more errors."""
    words = [f"{first}{last}" for first in ("ba", "ce", "di", "fo") for last in ("lo", "mer", "n", "sta", "ri")]
    rounds = []
    for often in (15, 4):
        folder = tmp_path / f"every{often}"
        folder.mkdir()
        rounds.append(folder)
        for d in range(8):
            for k, who in enumerate(("Ana", "Ben", "Chloé")):
                mine = [
                    f"{w}x" if (7 * i + 11 * d + 5 * k + i * i * k) % often == 0 else w for i, w in enumerate(words)
                ]
                (folder / f"d{d}.{who}.txt").write_text(" ".join(mine) + "\n", encoding="utf-8")
    return rounds[0], rounds[1]


def test_questions_are_answered_for_texts(typed: Typed, written: tuple[Path, Path], tmp_path: Path) -> None:
    good, bad = written
    spec = "text_gamma(p_t=0.2,p_s=0)"
    code, out, err = typed("compare", good, bad, "-m", spec, "--replicates", "200", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["difference"] < 0
    assert found["p"] < 0.05
    code, out, _ = typed("influence", good, "-m", "text_gamma", "--plot", tmp_path / "i.svg", "--replicates", "100")
    assert code == 0
    assert "without one document" in out
    assert "no features" in out
    code, out, _ = typed("check", bad, "--min", "text_gamma=0.99", "--use", "lower")
    assert code == 1
    assert "(bootstrap)" in out
    code, out, _ = typed("compare", good, "-m", "text_gamma", "--group", "people=Ana,Ben", "--group", "models=Chloé")
    assert "people – models" in out
    code, _, err = typed("compare", good, "-m", "text_gamma", "--by", "round")
    assert code == 2
    assert "separate folders" in err
    assert "[option-not-for-data]" in err
    code, out, _ = typed("plan", good, "-m", spec, "--difference", "0.1")
    assert "200 simulated studies of this size" in out


def test_crossing_plan_from_two_labels_per_item(typed: Typed, tmp_path: Path) -> None:
    lines = ["item,annotator,label"]
    for k in range(30):
        pair = ("Ana", "Ben", "Chloé")[k % 3], ("Ben", "Chloé", "Ana")[k % 3]
        lines += [f"i{k},{who},{'xyz'[(k + (k % 5 == 0) * place) % 3]}" for place, who in enumerate(pair)]
    table = tmp_path / "pc2.csv"
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out, _ = typed("plan", table, "--crossing", "-m", "ac")
    assert code == 0
    assert "full crossing (FC1)" in out
    assert " to " in out
    code, out, _ = typed("plan", table, "--crossing", "-m", "ac", "--json")
    low, high = json.loads(out)["se_full"]
    assert high == json.loads(out)["score"]["se"] == pytest.approx(low * 3**0.5)


def test_plan_and_intra(typed: Typed, garden: Path, rounds: Path, tmp_path: Path) -> None:
    where = tmp_path / "layout.csv"
    assert typed("plan", "--documents", "20", "--team", "Ana,Ben,Chloé", "-o", where)[0] == 0
    assert where.read_text(encoding="utf-8").splitlines()[0] == "doc,annotator"
    assert len(where.read_text(encoding="utf-8").splitlines()) == 41
    code, out, _ = typed("plan", garden / "sentences.csv", "-m", "alpha", "--width", "0.1")
    assert "324 items" in out
    code, out, _ = typed("plan", "-m", "kappa", "--difference", "0.2", "--simulations", "50", "--json")
    assert json.loads(out)["n"] > 50
    code, out, _ = typed("plan", garden / "sentences.csv", "-m", "ac", "--crossing")
    assert "two annotators per item (PC2)" in out
    code, out, _ = typed("intra", rounds, "-m", "alpha", "--json")
    assert code == 0
    assert set(json.loads(out)["annotators"]) == {"Ana", "Ben"}
    code, out, _ = typed("intra", rounds, "-m", "alpha")
    assert code == 0
    assert out.split()[:4] == ["annotator", "alpha", "interval", "items"]
    assert "each annotator is compared with themselves" in out


def test_limits_of_agreement_equal_those_of_python(typed: Typed, garden: Path) -> None:
    import accord

    tone = garden / "tone.csv"
    for names in ("Ana,Ben", "Ben,Ana"):
        code, out, _ = typed("limits", tone, "--annotators", names, "--json")
        assert code == 0
        assert json.loads(out).items() >= accord.bland_altman(tone, *names.split(",")).to_dict().items()
    code, out, _ = typed("limits", tone, "--annotators", "Ana,Ben")
    assert "mean difference" in out
    code, _, err = typed("limits", tone)
    assert code == 2
    assert '--annotators "Ana,Ben"' in err


def test_cronbach_without_each_annotator(typed: Typed, garden: Path) -> None:
    tone = garden / "tone.csv"
    code, out, _ = typed("score", tone, "-m", "cronbach", "--by", "annotator", "--notes")
    assert code == 0
    assert next(line for line in out.splitlines() if line.startswith("measure")).split()[-2:] == ["rows", "columns"]
    assert out.split("by annotator")[1].split()[:5] == ["annotator", "labels", "cronbach", "without", "it"]
    assert "reliability of the 3 annotators over 49 items" in out
    assert "items" not in out.split("measure")[1].split("cronbach:")[0]
    code, out, _ = typed("score", tone, "-m", "cronbach", "-m", "alpha", "--by", "annotator")
    assert out.split("by annotator")[1].split()[:6] == [
        "annotator",
        "labels",
        "cronbach",
        "without",
        "it",
        "alpha(distance=ordinal)",
    ]
