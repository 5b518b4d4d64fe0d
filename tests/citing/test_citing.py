"""A sentence for the methods section: every measure and interval has a wording and sources, and BibTeX is valid."""

from __future__ import annotations

import inspect
import json
import math
import re
import subprocess
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import accord
from accord.answers.advising.cases import tree_as_dict
from accord.answers.citing import cited, wording
from accord.answers.citing.bibliography import (
    OF_DISTANCES,
    OF_FORMULAS,
    OF_INTERVALS,
    OF_MEASURES,
    OF_OPTIONS,
    WORKS,
    Work,
    behind_interval,
    behind_measure,
    software,
    work,
)
from accord.core.manual import page_text
from accord.core.result import Score
from accord.core.tables import Interval
from accord.doors.rendering.for_papers import render_latex
from accord.measures import dissimilarities as labels
from accord.measures.catalogue import MEASURES
from accord.measures.distances import DISTANCES
from accord.measures.intervals.methods import INTERVALS
from accord.measures.measure import Measure

from ..cases import for_each
from ..command_line import Cli
from ..contract.kinds import KINDS
from ..needs import BIBTEX
from ..refusals import raises

ROOT = Path(__file__).resolve().parents[2]
SPECS = [(kind.name, spec) for kind in KINDS for spec in kind.specs]


@cache
def scored(kind: str, spec: str) -> Score:
    found = next(one for one in KINDS if one.name == kind)
    return accord.score(found.read(found.rows), spec, jobs=1)


# -- sources ---------------------------------------------------------------------------------------------------------


@for_each("cls", MEASURES)
def test_every_measure_has_a_wording_and_sources(cls: type[Measure]) -> None:
    assert cls.name in wording.NAMES
    for annotators in (2, 3, None):
        works = behind_measure(cls(), annotators)
        assert works, (cls.name, annotators)
        for one in works:
            assert one in WORKS


def test_tables_contain_only_known_names() -> None:
    names = {cls.name for cls in MEASURES}
    assert set(OF_MEASURES) == set(wording.NAMES) == names
    assert set(OF_INTERVALS) == set(wording.METHODS) == set(INTERVALS) - {"none"}
    assert set(OF_FORMULAS) == {cls.name for cls in MEASURES if cls.default_interval == "formula"}
    known = {cls.name for cls in DISTANCES} | {name for _, one in inspect.getmembers(labels, inspect.isclass)
                                               if isinstance(name := getattr(one, "name", None), str)}  # fmt: skip
    assert set(OF_DISTANCES) <= known


@for_each("cls", MEASURES)
def test_every_interval_has_sources(cls: type[Measure]) -> None:
    for method in {*INTERVALS} - {"none"}:
        if method != "formula" or cls.name in OF_FORMULAS:
            assert behind_interval(method, cls())


@for_each("cls", MEASURES)
def test_page_of_a_measure_names_its_sources(cls: type[Measure]) -> None:
    """The page names the first author and the year of each source."""
    page = page_text(cls.name) or ""
    sources = OF_MEASURES[cls.name]
    for key in (*sources.always, *sources.two, *sources.many, *sources.plain, *sources.weighted):
        one = work(key)
        first = one.authors[0].partition(",")[0]
        assert re.search(rf"{first}[^()]*\([^)]*{one.year}", page), (cls.name, key)


def test_every_work_is_cited() -> None:
    used = {key for s in OF_MEASURES.values() for key in (*s.always, *s.two, *s.many, *s.plain, *s.weighted)}
    used |= {
        key
        for table in (OF_DISTANCES, OF_INTERVALS, OF_FORMULAS, OF_OPTIONS)
        for keys in table.values()
        for key in keys
    }
    tree = json.dumps(tree_as_dict())  # advice cites works that no measure cites
    used |= {one.key for one in WORKS if f'"work": "{one.key}"' in tree}
    assert used == {one.key for one in WORKS}


# -- references ------------------------------------------------------------------------------------------------------


def entry(bibtex: str) -> tuple[str, str, dict[str, str]]:
    """Return the type, the key and the fields of an entry. Check that braces match."""
    kind, key, body = re.fullmatch(r"@(\w+)\{(\w+),\n(.*)\n\}", bibtex, re.DOTALL).groups()  # type: ignore[union-attr]
    fields = dict(re.findall(r"^  (\w+) += \{(.*)\},$", body, re.MULTILINE))
    assert len(fields) == body.count("\n") + 1
    for text in fields.values():
        depth = 0
        for sign in re.sub(r"\\.", "", text):
            depth += {"{": 1, "}": -1}.get(sign, 0)
            assert depth >= 0
        assert depth == 0
    return kind, key, fields


@for_each("one", [*WORKS, software()])
def test_work_gives_a_bibtex_entry_and_a_reference_line(one: Work) -> None:
    kind, key, fields = entry(one.reference.bibtex)
    assert (kind, key) == (one.entry, one.key)
    assert one.reference.bibtex.isascii()
    needed = {"article": "journal", "book": "publisher", "inproceedings": "booktitle", "phdthesis": "school"}
    assert fields["author"]
    assert fields["title"]
    assert needed.get(kind, "title") in fields
    assert fields.get("year", "") == one.year
    text = one.reference.text
    assert one.title in text
    assert text.startswith(one.authors[0].partition(",")[0])
    assert f"({one.year})" in text or not one.year
    assert "--" not in text
    assert not re.search(r"[&%#_](?<!\\[&%#_])", fields["title"] + fields.get("journal", ""))


def test_works_have_different_keys_and_titles() -> None:
    for one, other in combinations([*WORKS, software()], 2):
        assert one.key != other.key
        assert one.title != other.title or one.year != other.year


@BIBTEX.skip_if_missing()
def test_bibtex_processes_all_works_without_a_warning(tmp_path: Path) -> None:
    assert BIBTEX.path is not None
    bibtex = "\n\n".join(one.reference.bibtex for one in (*WORKS, software()))
    (tmp_path / "all.bib").write_text(bibtex, encoding="ascii")
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n", encoding="ascii")
    done = subprocess.run([BIBTEX.path, "all"], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout
    assert "arning" not in done.stdout, done.stdout
    assert (tmp_path / "all.bbl").read_text(encoding="utf-8").count("\\bibitem") == len(WORKS) + 1


def test_accord_is_cited_as_in_citation_cff() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    fields = {key: text.strip().strip('"') for key, _, text in (line.strip("- ").partition(":") for line in lines)}
    one = software()
    assert (one.title, one.authors[0]) == (fields["title"], fields["name"])
    assert one.note == f"Version {fields['version']}" == f"Version {accord.__version__}"


def test_reference_has_complete_text_and_bibtex_authors() -> None:
    found = work("mathet2015").reference
    assert found.text == (
        "Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for "
        "inter-annotator agreement measure and alignment. Computational Linguistics, 41(3), 437–479. "
        "https://doi.org/10.1162/COLI_a_00227"
    )
    assert (
        entry(found.bibtex)[2]["author"] == r"Mathet, Yann and Widl{\"o}cher, Antoine and M{\'e}tivier, Jean-Philippe"
    )


# -- the sentence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "spec"), SPECS)
def test_sentence_cites_every_score(kind: str, spec: str) -> None:
    score = scored(kind, spec)
    made = cited(score)
    assert made.sentence.startswith(
        "Agreement of 3 annotators on " if score.kind == "agreement" else "Disagreement of 3 annotators on "
    )
    assert made.sentence.endswith(f"computed with accord {accord.__version__} (seed 0).")
    assert f" = {score.value:.3f}" in made.sentence
    for one in accord.MEASURES:
        if one.name == accord.measure(spec).name:
            assert wording.named(accord.measure(spec), 3) in made.sentence
    if score.interval is not None:
        assert f"95% CI [{score.interval.low:.3f}, {score.interval.high:.3f}] by " in made.sentence
    keys = [one.key for one in made.references]
    assert len(set(keys)) == len(keys)
    assert keys[-1] == "accord"
    in_text = {key for paragraph in made.paragraphs for phrase in paragraph for key in phrase.keys}
    assert in_text == set(keys)


@for_each("method", [name for name in INTERVALS if name != "none"])
def test_sentence_names_every_interval_method(method: str) -> None:
    signature = f"accord 9.9 | pi | {method} 0.9 500 replicates | seed 3 | data 00"
    score = Score(0.5, "pi", interval=Interval(0.4, 0.6, 0.9, method), signature=signature)
    sentence = cited(score).sentence
    assert "{" not in sentence
    assert "90% " in sentence
    assert sentence.endswith("computed with accord 9.9 (seed 3).")
    assert ("credible" in sentence) == (method == "dirichlet")
    assert ("Monte Carlo" in sentence) == (method == "monte_carlo")
    if "replicates" in wording.METHODS[method]:
        assert any(words in sentence for words in ("500 replicates", "500 draws", "5,000 replicates"))


def test_sentences_have_the_expected_wording(garden: Path) -> None:
    tone, spans = garden / "tone.csv", garden / "spans.csv"
    assert accord.cite(tone, "alpha(ordinal)").sentence == (
        "Agreement of 3 annotators on 54 items (5 categories) was measured with Krippendorff's α with ordinal distance "
        "(Krippendorff, 2004), α = 0.760, 95% CI [0.672, 0.848] by the linearised standard error over "
        "items and the t distribution (Gwet, 2008); computed with accord 0.1.0 (seed 0)."
    )
    icc = accord.cite(tone, "icc(form=3k)", style="apa").sentence
    assert "the intraclass correlation ICC(3,k), two-way mixed effects, consistency, mean of all annotators" in icc
    assert re.search(r"ICC\(3,k\) = \.\d\d, 95% CI \[\.\d\d, \.\d\d\] by ", icc)
    gamma = accord.cite(spans, seed=4).sentence
    assert "γ with positional and categorical dissimilarity (weights 1 and 1, Δ∅ = 1), nominal distance" in gamma
    assert re.search(
        r"chance from combining annotations of different documents, \d+ random samples "
        r"for a precision of 0.02 \(Mathet et al., 2015\)",
        gamma,
    )
    assert "by the percentile bootstrap over documents with 2,000 replicates (Efron, 1979)" in gamma
    assert gamma.endswith("(seed 4).")


@pytest.mark.parametrize(
    ("spec", "annotators", "name", "keys"),
    [
        ("kappa", 2, "Cohen's κ", ["cohen1960"]),
        ("kappa(linear)", 2, "Cohen's weighted κ with linear weights", ["cohen1968"]),
        ("kappa", 3, "κ for more than two annotators", ["cohen1960", "conger1980", "davies1982"]),
        ("kappa(weights=identity)", 2, "Cohen's κ", ["cohen1960"]),
        ("pi", 2, "Scott's π", ["scott1955"]),
        ("pi", 5, "Fleiss's κ, or multi-π", ["fleiss1971"]),
        ("ac", 2, "Gwet's AC1", ["gwet2008"]),
        ("ac(quadratic)", 2, "Gwet's AC2 with quadratic weights", ["gwet2008", "gwet2014"]),
        ("alpha(distance=masi)", 2, "Krippendorff's α with MASI distance d_P·d_J",
         ["artstein2008", "krippendorff2004"]),
        ("alpha(distance=masi_nltk)", 2, "Krippendorff's α with MASI distance 1 − J·M, as in NLTK",
         ["krippendorff2004", "passonneau2006"]),
        ("chain_alpha(distance=masi)", 3, "Krippendorff's α on chains of coreference with MASI distance d_P·d_J",
         ["artstein2008", "passonneau2004"]),
        ("icc", 2, "the intraclass correlation ICC(2,1), two-way random effects, absolute agreement, single annotator",
         ["mcgraw1996", "shrout1979"]),
        ("window_diff(k=4,lamprier=true)", 2, "WindowDiff with k = 4, windows beyond the ends of the text",
         ["lamprier2007", "pevzner2002"]),
        ("gamma(soft=true)", 2, "γ with positional and categorical dissimilarity (weights 1 and 1, Δ∅ = 1), nominal "
         "distance between labels, a soft alignment", ["mathet2015"]),
        ("pk(k=3,pooled=true)", 2, "P_k with k = 3, the setting pooled=true", ["beeferman1999"]),
        ("chain_alpha(unmarked=absent)", 3, "Krippendorff's α on chains of coreference with Passonneau's distance, "
         "mentions marked only by other annotators excluded", ["passonneau2004"]),
        ("alpha(distance=circular(period=12))", 2, "Krippendorff's α with circular distance with period=12",
         ["krippendorff2004"]),
        ("gamma(categorical=2,distance=ordinal)", 2, "γ with positional and categorical dissimilarity (weights 1 and 2"
         ", Δ∅ = 1), ordinal distance between labels", ["mathet2015"]),
    ],
)  # fmt: skip
def test_form_of_a_measure_decides_the_cited_works(spec: str, annotators: int, name: str, keys: list[str]) -> None:
    made = cited(Score(0.5, str(accord.measure(spec)), details={"annotators": annotators}))
    assert f"was measured with {name} (" in made.sentence
    assert [key for phrase in made.paragraphs[0] for key in phrase.keys] == [*keys, "accord"]


def test_brackets_sort_works_by_author_and_group_works_of_one_author() -> None:
    assert "quadratic weights (Gwet, 2008, 2014)," in cited(Score(0.5, "ac(weights=quadratic)")).sentence
    assert "(Fournier, 2013; Fournier & Inkpen, 2012)," in cited(Score(0.5, "pi_star")).sentence


def test_error_measure_is_described_as_disagreement() -> None:
    error, agreement = Score(0.2, "pk(k=3)", kind="error"), Score(0.5, "pi_star")
    assert cited(error).sentence.startswith("Disagreement was measured with P_k")
    both = cited([error, agreement]).sentence
    assert both.startswith("Agreement was measured with π* ")
    assert "π* = 0.500; disagreement with P_k with k = 3 " in both
    named = cited({"one": [error, agreement], "two": [error, agreement]}).sentence
    assert named.startswith("Agreement was measured with π* ")
    assert "; disagreement with P_k" in named


def test_sentence_reports_a_requested_interval_that_is_not_available(garden: Path) -> None:
    made = accord.cite(garden / "tone.csv", "alpha", interval="donner_eliasziw").sentence
    assert "without a 95% CI (it is defined for pi of two annotators" in made
    assert " CI" not in accord.cite(garden / "tone.csv", "alpha", interval="none").sentence


@pytest.mark.parametrize("options", [{}, {"samples": 5, "precision": 0.5, "chance": "shift"}])
def test_sentence_names_a_custom_dissimilarity(garden: Path, options: dict[str, object]) -> None:
    def far(one: object, other: object) -> object:
        return abs(one.start - other.start) / 100  # type: ignore[attr-defined]

    mine = accord.dissimilarity(far)
    score = accord.gamma(garden / "spans.csv", dissimilarity=mine, interval="none", jobs=1, **options)  # type: ignore[arg-type]
    sentence = cited(score).sentence
    assert "was measured with γ with a custom dissimilarity (far" in sentence
    chance = ("chance from annotations shifted along", "combining annotations of different documents")
    assert any(words in sentence for words in chance)
    assert "(Mathet et al., 2015), γ = " in sentence


def test_sentence_names_population_and_test(garden: Path) -> None:
    tone = accord.read(garden / "tone.csv")
    drawn = accord.cite(tone, "pi", interval="unconditional", items_population=2000, annotators_population=10)
    assert "corrected for a population of 2,000 items and 10 annotators (Gwet, 2014)" in drawn.sentence
    tested = accord.cite(tone, "pi", null=0.4, style="apa")
    p = accord.pi(tone, null=0.4).p
    assert p is not None
    shown = f"{p:.3f}".removeprefix("0")
    assert f"π = .31, p = {shown} for a value of .4 (by the linearised interval), 95% CI" in tested.sentence
    assert ("p", "italic") in [(phrase.text, phrase.form) for phrase in tested.paragraphs[0]]
    assert " p " not in accord.cite(tone, "pi").sentence


def test_sentence_names_several_measures_with_their_distances(garden: Path) -> None:
    made = accord.cite(garden / "tone.csv", ["alpha", "icc"]).sentence
    assert made.startswith("Agreement of 3 annotators was measured with Krippendorff's α with ordinal distance")
    assert " on 54 items, α = " in made
    assert " on 49 of 54 items, ICC(2,1) = " in made
    assert made.count("computed with") == 1
    alike = accord.cite(garden / "sentences.csv", ["alpha", "pi"]).sentence
    assert alike.startswith("Agreement of 3 annotators on 53 of 54 items (5 categories) was measured with")
    assert alike.count("Gwet, 2008") == 1


def test_sentence_names_the_measure_once_for_several_data(garden: Path) -> None:
    scores = {
        "tone": accord.score(garden / "tone.csv", ["alpha"]),
        "act": accord.score(garden / "sentences.csv", ["alpha"]),
    }
    made = accord.cite(scores, style="apa").sentence
    assert made.count("Krippendorff's α with ordinal distance") == 1
    assert made.count("Krippendorff's α with nominal distance") == 1
    assert "tone (3 annotators, 54 items, 5 categories), alpha(distance=ordinal) = .76" in made
    assert "; act (3 annotators, 53 of 54 items, 5 categories), alpha = .69" in made


def test_undefined_value_is_cited_with_its_reason() -> None:
    made = accord.cite([["a", "a"], ["a", "a"]], "pi", style="apa")
    assert "π undefined (only one category occurs" in made.sentence
    assert math.isnan(accord.pi([["a", "a"], ["a", "a"]]).value)


def test_names_from_data_are_escaped() -> None:
    made = cited(Score(0.5, 'ku_alpha(category="</p><b>\\\\input{x}")', details={"annotators": 2}))
    assert "<b>" not in made._repr_html_()
    assert "\\textbackslash{}" in render_latex(made)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: accord.cite([Score(1.0, "mine")]), "not-in-accord"),
        (lambda: accord.cite(Score(1.0, "pi"), "pi"), "option-conflict"),
        (lambda: accord.cite([["a", "b"], ["a", "a"]], "pi", style="mla"), 'unknown-name: "mla"'),
        (lambda: accord.cite([["a", "b"], ["a", "a"]], mising="NA"), "unknown-name"),
        (lambda: cited([]), "not-in-accord"),
    ],
)
def test_invalid_calls_are_refused(call: object, code: str) -> None:
    with raises(code):
        call()  # type: ignore[operator]


# -- on the command line ---------------------------------------------------------------------------------------------


def test_cite_command_prints_sentence_references_and_json(garden: Path, cli: Cli) -> None:
    path = str(garden / "tone.csv")
    shown = cli("cite", path).out
    made = accord.cite(path)
    assert " ".join(shown.split()).startswith(made.sentence)  # alpha is the main measure of items
    for one in made.references:
        assert " ".join(one.bibtex.split()) in " ".join(shown.split())
        assert " ".join(one.text.split()) in " ".join(shown.split())
    printed = json.loads(cli("cite", path, "--json").out)
    assert printed["sentence"] == made.sentence
    assert [one["key"] for one in printed["references"]] == ["gwet2008", "krippendorff2004", "accord"]
    assert cli("cite", path, "--bibtex").out == made.bibtex
    both = cli("cite", path, "--bibtex", "--json")
    assert (both.code, "--bibtex and --json cannot both be printed" in both.err) == (2, True)
    assert "- Krippendorff, K. (2004). *Content Analysis: An Introduction to Its Methodology* (2nd ed.). Sage." in cli(
        "cite", path, "--markdown"
    ).out  # fmt: skip


def test_cite_command_writes_references_and_saves_the_run(garden: Path, cli: Cli, tmp_path: Path) -> None:
    bib, run = tmp_path / "references.bib", tmp_path / "run.toml"
    made = cli("cite", garden / "tone.csv", "-m", "pi", "--style", "apa", "--bibtex", "-o", bib, "--save", run)
    assert (made.code, made.out) == (0, "")
    assert bib.read_text(encoding="utf-8").startswith("@article{fleiss1971,")
    assert "π = ." in cli("cite", "--run", run).out


def test_score_command_prints_the_citation(garden: Path, cli: Cli) -> None:
    path = str(garden / "tone.csv")
    made = accord.cite(accord.score(path, ["alpha", "pi"])).sentence
    assert made in " ".join(cli("score", path, "-m", "alpha", "-m", "pi", "--cite").out.split())
    assert (
        json.loads(cli("score", path, "-m", "alpha", "-m", "pi", "--cite", "--json").out)["citation"]["sentence"]
        == made
    )
    assert "citation" not in json.loads(cli("score", path, "-m", "alpha", "--json").out)
    paper = cli("score", path, "-m", "alpha", "--cite", "--latex").out
    assert r"Krippendorff's $\alpha$ with ordinal distance~\cite{krippendorff2004}, $\alpha$ = 0.760" in paper
    assert r"\bibitem{krippendorff2004} Krippendorff, K. (2004)." in paper
    marked = cli("score", path, "-m", "kendall_w", "--cite", "--style", "apa", "--markdown").out
    assert "*W* = .90, 95% CI " in marked
