"""The report shows the numbers of the results, derives its sentences from them, and escapes hostile labels."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import accord
from accord.answers.catalogue import question_named
from accord.answers.plan import load_plan
from accord.answers.reporting.assessment import Assessment
from accord.answers.reporting.page import file_name, render_page, render_pages, render_table
from accord.answers.reporting.reports import Report
from accord.core.context import Run
from accord.core.tables import Table

from ..command_line import Cli, refused

GARDEN = Path(__file__).parents[2] / "examples" / "garden"
SPANS, SENTENCES = GARDEN / "spans.csv", GARDEN / "sentences.csv"
NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "أهلا",
    "🙂",
    "x" * 10_000,
    "]]>--><!--",
    "\x1b[31m\x00",
)


@cache
def spans_report() -> Report:
    return accord.report(SPANS, jobs=1)


@cache
def sentences_report() -> Report:
    return accord.report(SENTENCES, jobs=1)


@cache
def page_html(name: str) -> str:
    return render_page({"spans": spans_report, "sentences": sentences_report, "nasty": hostile_report}[name]())


@cache
def page_tree(name: str) -> Any:
    return html.fromstring(page_html(name))


@cache
def hostile_report() -> Report:
    rows = [[NASTY[(k + (k % 4 == g)) % len(NASTY)] for g in range(3)] for k in range(35)]
    data = accord.Ratings.from_rows(rows, annotators=NASTY[:3])
    return accord.report(data, title=NASTY[0], jobs=1)


PAGES = pytest.mark.parametrize("name", ["spans", "sentences", "nasty"])


def numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def verdict_of(rows: list[list[Any]], measure: str | None = None, **how: Any) -> Assessment:
    return accord.report(accord.Ratings.from_rows(rows), None, measure, jobs=1, **how).parts[0].verdict


def verdict_text(verdict: Assessment) -> str:
    return "\n".join(verdict.lines())


# -- numbers -------------------------------------------------------------------------------------------------------


@PAGES
def test_json_of_the_page_contains_every_number_shown(name: str) -> None:
    tree = page_tree(name)
    known = set(numbers_in(json.loads(tree.get_element_by_id("accord-report").text)))
    shown = [
        float(value)
        for attribute in ("data-value", "data-low", "data-high")
        for value in tree.xpath(f"//@{attribute}")
        if value != "null"
    ]
    assert len(shown) > 50
    assert set(shown) <= known


@pytest.mark.parametrize("path", [SPANS, SENTENCES], ids=lambda path: path.stem)
def test_report_and_score_give_the_same_numbers_to_the_last_digit(cli: Cli, tmp_path: Path, path: Path) -> None:
    scored = json.loads(cli("score", path, "--json", "--seed", "3").out)["scores"]
    reported = json.loads(cli("report", path, "--json", "--seed", "3").out)
    assert cli("report", path, "--seed", "3", "-o", tmp_path / "report.html").code == 0
    tree = html.fromstring((tmp_path / "report.html").read_text(encoding="utf-8"))
    inside = json.loads(tree.get_element_by_id("accord-report").text)
    assert {"accord": accord.__version__, **inside} == reported
    for mine, theirs in zip(reported["variables"][0]["scores"], scored, strict=True):
        assert mine == {key: value for key, value in theirs.items() if key not in {"variable", "where"}}
    (table,) = tree.xpath("//section[@id='scores']//table[caption[.='scores']]")
    for row, theirs in zip(table.xpath("./tbody/tr"), scored, strict=True):
        assert row.xpath("./th")[0].text_content() == theirs["measure"]
        value, observed, expected, *_ = (float(cell) for cell in row.xpath("./td/@data-value"))
        assert (value, observed, expected) == (theirs["value"], theirs["observed"], theirs["expected"])
        (low,), (high,) = row.xpath("./td/@data-low"), row.xpath("./td/@data-high")
        assert (float(low), float(high)) == (theirs["interval"]["low"], theirs["interval"]["high"])


@pytest.mark.parametrize(("name", "measure"), [("spans", "gamma"), ("sentences", "alpha")])
def test_each_annotator_row_contains_the_numbers_of_that_annotator(name: str, measure: str) -> None:
    """Compare the table of influence row by row."""
    found = accord.influence(GARDEN / f"{name}.csv", measure, of=["annotator"], jobs=1).annotators
    where = "//section[@id='influence']//table[caption[contains(., 'without one annotator')]]/tbody/tr"
    rows = page_tree(name).xpath(where)
    assert len(rows) == len(found) == 3
    for row, one in zip(rows, found, strict=True):
        assert row.xpath("./th")[0].text_content() == one.name
        assert [float(cell) for cell in row.xpath("./td/@data-value")[:2]] == [one.without, one.change]
        bounds = (*row.xpath("./td/@data-low"), *row.xpath("./td/@data-high"))
        assert one.interval is not None
        assert tuple(map(float, bounds)) == (one.interval.low, one.interval.high)


def test_report_depends_only_on_data_options_and_seed(cli: Cli, tmp_path: Path) -> None:
    first, second = tmp_path / "a.html", tmp_path / "b.html"
    assert cli("report", SPANS, "-m", "gamma", "--seed", "2", "-o", first, "--save", tmp_path / "run.toml").code == 0
    assert cli("report", "--run", tmp_path / "run.toml", "-o", second).code == 0
    assert first.read_bytes() == second.read_bytes()


def test_plan_in_the_page_repeats_the_run(cli: Cli, tmp_path: Path) -> None:
    assert cli("report", SENTENCES, "-m", "alpha", "--level", "0.9", "-o", tmp_path / "report.html").code == 0
    tree = html.fromstring((tmp_path / "report.html").read_text(encoding="utf-8"))
    (plan,) = tree.xpath("//section[@id='methods']//pre[contains(., 'command')]")
    (tmp_path / "plan.toml").write_text(plan.text_content(), encoding="utf-8")
    kept = load_plan(tmp_path / "plan.toml", question_named("report"))
    assert (kept.options, kept.paths) == ({"measure": ("alpha",), "level": 0.9}, (str(SENTENCES),))


# -- the first screen ----------------------------------------------------------------------------------------------


def test_next_steps_follow_from_the_results() -> None:
    found = spans_report().parts[0]
    score = accord.gamma(SPANS, jobs=1)
    what, where = (step.to_dict() for step in found.verdict.steps)
    assert (what["what"], where["what"]) == ("category", "document")
    problem, notice = score.parts["category"]["PROBLEM"], score.parts["document"]["notice"]
    assert what["title"]["text"] == "Clarify the guidelines for category PROBLEM"
    assert what["said"]["numbers"] == [problem.details["share"], problem.n / 192, problem.value]
    assert problem.details["share"] > problem.n / 192
    assert where["title"]["text"] == "Discuss document notice"
    assert where["said"]["numbers"] == [notice.details["share"], notice.n / 192, notice.value, score.value]


@pytest.mark.parametrize(
    ("rows", "measure", "headline"),
    [
        ([["a", "a"]] * 6, "alpha", "undefined"),
        ([["a", "a"], ["b", "b"], ["c", "c"]] * 20 + [["a", "b"]], "alpha", "well beyond chance"),
        ([["a", "a"], ["b", "b"], ["c", "c"]] * 20, "alpha", "Annotators agree perfectly on these 60 items"),
        ([["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"]] * 10, "alpha", "not distinguishable from chance"),
        ([["a", "b"], ["b", "a"]] * 20, "alpha", "less than expected by chance"),
        ([["a", "a"], ["b", "b"], ["a", "a"], ["b", "a"]] * 20, "percent", "not corrected for chance"),
        ([["a", "a"]] * 12 + [["b", "b"]] * 12 + [["a", "b"]] * 9, "alpha", "Annotators agree beyond chance"),
        ([["a", "a"]] * 33 + [["b", "b"]] * 33 + [["a", "b"], ["b", "a"]] * 20, "alpha", "closer to chance than"),
    ],
)
def test_headline_depends_on_the_whole_interval(rows: list[list[str]], measure: str, headline: str) -> None:
    assert headline in verdict_of(rows, measure).headline


def test_headline_of_an_error_measure() -> None:
    masses = {"doc": ["d", "d", "e", "e"], "annotator": list("ABAB"), "masses": ["3 4 5", "3 3 6", "4 4 4", "4 8"]}
    assert accord.report(masses, None, "window_diff", jobs=1).parts[0].verdict.headline == "Error between annotators"


def test_remaining_disagreement_is_one_minus_the_value() -> None:
    first = sentences_report().to_dict()["variables"][0]["verdict"]["said"][0]
    assert first["numbers"] == [1 - accord.alpha(SENTENCES).value]
    assert first["text"] == "Observed disagreement is 31% of the disagreement expected by chance."


@pytest.mark.parametrize(
    ("rows", "how", "reason", "grave"),
    [
        ([["a", "a"]] * 6, {}, "The value is undefined", True),
        ([["a", "a"]] * 97 + [["a", "b"], ["b", "a"], ["b", "b"]], {}, "98% of the labels are a", True),
        ([["a", "a"]] * 95 + [["a", "b"]] * 3 + [["b", "a"]] * 3, {"measures": "ac"}, "but kappa on the same", True),
        ([["a", "a"], ["b", "b"]] * 20 + [["c", "c"]], {}, "1 of 3 categories was used fewer than 10 times", False),
        ([["a", "a"], ["b", "b"], ["a", "b"]] * 4, {}, "wide", False),
        ([["a", "a"], ["b", "b"]] * 20 + [["a", None]] * 10, {}, "10 of 50 items cannot be compared", False),
        ([["a", "a", None]] * 20 + [["b", "b", None]] * 19 + [["b", "b", "b"]], {}, "unequal amounts of work", False),
        ([["a", "a"], ["b", "b"]] * 20, {"interval": "none"}, "There is no interval", False),
    ],
)
def test_verdict_gives_reasons_for_caution(
    rows: list[list[str]], how: dict[str, Any], reason: str, grave: bool
) -> None:
    found = verdict_of(rows, how.pop("measures", "alpha"), **how)
    assert reason in verdict_text(found)
    assert found.trust == ("do not use alone" if grave else "use with caution")


def test_verdict_of_many_items_finds_no_problem() -> None:
    found = verdict_of([["a", "a"], ["b", "b"]] * 150 + [["a", "b"], ["b", "a"]] * 5, "alpha")
    assert (found.trust, found.reasons) == ("no problem found", ())


def test_few_documents_are_a_reason_for_caution() -> None:
    assert spans_report().parts[0].verdict.trust == "use with caution"
    assert "Only 4 documents: the interval may be too short." in verdict_text(spans_report().parts[0].verdict)


# -- contents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "measure", "steps"),
    [
        ({"item": list("efgh") * 2, "annotator": ["A"] * 4 + ["B"] * 4, "label": list("xxyyxyyy")}, None, 2),
        (GARDEN / "tone.csv", None, 2),
        (GARDEN.parent / "fables" / "chains.csv", None, 1),
        ({"doc": ["d"] * 3 + ["e"] * 3, "annotator": list("ABC") * 2,
          "masses": ["3 4 5", "3 3 6", "7 5", "4 4 4", "4 8", "4 4 4"]}, None, 1),
        ({"doc": ["d"] * 3 + ["e"] * 3, "annotator": list("ABC") * 2,
          "text": ["a cat sat", "a cat sits", "the cat sat", "so it goes", "so it went", "so it goes"]},
         "text_gamma(samples=2,precision=0.9)", 1),
    ],
    ids=["two annotators", "items", "chains", "segmentations", "texts"],
)  # fmt: skip
def test_report_covers_all_kinds_of_data(data: Any, measure: str | None, steps: int) -> None:
    found = accord.report(data, None, measure, jobs=1)
    tree = html.fromstring(render_page(found))
    assert len(found.parts[0].verdict.steps) == steps
    assert tree.xpath("//section[@id='documents']//*[contains(@class, 'av-static')]")
    assert tree.xpath("//svg")


def test_report_on_counts_names_no_annotators_and_explains_why() -> None:
    path = [{"item": f"i{k}", "a": 2 + k % 2, "b": 1 - k % 2} for k in range(9)]
    found = accord.report(path, layout="counts", jobs=1)
    assert "identify annotators" in html.fromstring(render_page(found)).get_element_by_id("influence").text_content()


def test_each_variable_has_its_own_section() -> None:
    rows = [{"item": f"i{k}", "annotator": who, "tone": (k + (g == k % 3)) % 2, "topic": "ab"[k % 2]}
            for k in range(12) for g, who in enumerate("ABC")]  # fmt: skip
    found = accord.report(rows, label=["tone", "topic"], jobs=1)
    tree = html.fromstring(render_page(found))
    assert [h.text_content() for h in tree.xpath("//h2")] == ["Variables", "tone", "topic", "Methods and settings"]
    assert [row.xpath("./th")[0].text_content() for row in tree.xpath("//section[@id='variables']//tbody/tr")] == [
        "tone",
        "topic",
    ]
    assert check_structure(tree) is None


def test_report_names_a_variable_that_cannot_be_scored() -> None:
    rows = [{"item": f"i{k}", "annotator": who, "tone": k % 2, "alone": k if who == "A" else None}
            for k in range(8) for who in "AB"]  # fmt: skip
    found = accord.report(rows, label=["tone", "alone"], jobs=1)
    assert [part.findings.variable for part in found.parts] == ["tone"]
    assert found.problems
    assert found.problems[0][0] == "alone"


def test_rounds_and_meaning_are_reported_on_request() -> None:
    rows = [{"item": f"{k}", "annotator": who, "label": "ab"[(k + (g == k % 5)) % 2], "round": k // 10}
            for k in range(30) for g, who in enumerate("ABC")]  # fmt: skip
    found = accord.report(rows, by="round", meaning=True, jobs=1)
    keys = [section.key for section in found.parts[0].sections]
    assert keys == [
        "read",
        "scores",
        "meaning",
        "disagreement",
        "influence",
        "places",
        "documents",
        "annotators",
        "rounds",
    ]
    assert "rounds" not in [section.key for section in sentences_report().parts[0].sections]
    tree = html.fromstring(render_page(found))
    assert {"0", "1", "2"} <= {cell.text_content() for cell in tree.xpath("//section[@id='rounds']//tbody/tr/th")}


def test_report_shows_the_text_of_items() -> None:
    rows = [{"item": f"i{k}", "annotator": who, "label": "ab"[(k + (who == "B")) % 2], "text": f"sentence {k}"}
            for k in range(6) for who in "AB"]  # fmt: skip
    assert "sentence 3" in render_page(accord.report(rows, text="text", jobs=1))


# -- the page ------------------------------------------------------------------------------------------------------


def check_structure(tree: Any) -> None:
    """Check the order of headings, unique ids, link targets, and captions and headers of tables."""
    levels = [int(h.tag[1]) for h in tree.xpath("//h1|//h2|//h3|//h4|//h5|//h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = [link[1:] for link in tree.xpath("//a/@href") if link.startswith("#")]
    assert links
    assert set(links) <= set(ids)
    for table in tree.xpath("//main//table"):
        assert table.xpath("./caption")[0].text_content().strip()
        assert table.xpath("./thead//th[@scope='col']")
        assert all(head.text_content().strip() for head in table.xpath("./thead//th"))
    for picture in tree.xpath("//svg[@role='img']"):
        assert picture.get("aria-label") or picture.get("aria-labelledby")
    assert tree.get("lang") == "en"
    assert tree.xpath("//a[@class='skip']/@href") == ["#main"]
    for landmark in ("main", "nav", "header", "footer"):
        assert len(tree.xpath(f"//body/{landmark}|//div[@class='layout']/{landmark}")) == 1


@PAGES
def test_page_structure_is_valid(name: str) -> None:
    check_structure(page_tree(name))


@PAGES
def test_report_is_valid_html(name: str) -> None:
    html5lib = pytest.importorskip("html5lib", reason="html5lib is not installed")
    html5lib.HTMLParser(strict=True).parse(page_html(name))


@PAGES
def test_page_loads_nothing_from_elsewhere(name: str) -> None:
    tree = page_tree(name)
    for attribute in ("src", "href", "action", "srcset", "data", "poster"):
        for value in tree.xpath(f"//@{attribute}"):
            assert value.startswith("#"), value
    assert not re.search(r"url\((?!#)", page_html(name))
    assert "@import" not in page_html(name)


@PAGES
def test_security_policy_allows_only_the_scripts_of_the_page(name: str) -> None:
    tree = page_tree(name)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    allowed = set(re.findall(r"'sha256-([^']+)'", policy))
    scripts = [one.text for one in tree.xpath("//script[not(@type)]")]
    assert {base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts} == allowed
    assert len(tree.xpath("//script")) == len(scripts) + len(tree.xpath("//script[@type='application/json']"))


def test_page_shows_hostile_texts_and_runs_none() -> None:
    text = page_html("nasty")
    tree = page_tree("nasty")
    assert not tree.xpath("//img|//iframe|//object|//embed|//base")
    assert not [name for name in tree.xpath("//@*") if getattr(name, "attrname", "").startswith("on")]
    shown = "".join(tree.xpath("//main//text()[not(ancestor::script)]"))
    for label in NASTY[:4]:
        assert label in shown
    assert "x" * 10_000 in shown  # in full after expanding
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "\ufffd[31m\ufffd" in shown
    assert tree.xpath("//h1")[0].text_content() == NASTY[0]
    data = json.loads(tree.get_element_by_id("accord-report").text)
    assert data["title"] == NASTY[0]


def test_long_labels_are_shortened_in_the_middle() -> None:
    summaries = page_tree("nasty").xpath("//details[@class='long']/summary")
    assert summaries
    assert all(len(one.text_content()) < 300 for one in summaries)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_text_has_enough_contrast_in_light_and_dark_themes() -> None:
    style = (Path(accord.__file__).parent / "answers" / "reporting" / "assets" / "page.css").read_text(encoding="utf-8")
    blocks = re.findall(r"\{([^{}]*--bg: [^{}]*)\}", style)
    themes = [dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block)) for block in blocks]
    assert len(themes) == 3
    assert themes[1] == themes[2]
    for theme in themes:
        for ink in ("fg", "muted", "accent", "bad", "good", "careful"):
            for paper in ("bg", "panel"):
                light, dark = sorted((luminance(theme[ink]), luminance(theme[paper])), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)
        assert (max(luminance(theme[k]) for k in ("fg", "bar")) + 0.05) / (
            min(luminance(theme[k]) for k in ("fg", "bar")) + 0.05
        ) >= 4.5


# -- large corpora, folders ----------------------------------------------------------------------------------------


@cache
def large_report() -> Report:
    rows = [
        {"doc": f"d{d}", "annotator": who, "start": 10 * k + (g * (d + k)) % 3, "end": 10 * k + 7,
         "label": "xyz"[(k + g * (d % 7 == k)) % 3]}
        for d in range(120) for g, who in enumerate("ABC") for k in range(6)
    ]  # fmt: skip
    return accord.report(rows, None, "f1", jobs=1)


def test_large_corpus_shows_its_worst_documents_and_counts_the_others() -> None:
    text = render_page(large_report())
    tree = html.fromstring(text)
    shown = len(tree.xpath("//section[contains(@class, 'av-view')]"))
    assert 1 < shown <= 40
    assert f"{120 - shown:,} more" in tree.get_element_by_id("documents").text_content()
    assert len(text.encode()) < 2_000_000


def test_each_document_has_its_own_page() -> None:
    pages = render_pages(large_report())
    assert len([name for name in pages if name.startswith("documents/")]) == 120
    index = html.fromstring(pages["index.html"])
    links = index.xpath("//ol[@class='documents']//a/@href")
    assert len(links) == 120
    assert set(links) <= set(pages)
    first = html.fromstring(pages[links[0]])
    assert first.xpath("//nav//a/@href") == ["../index.html#documents", f"../{links[1]}"]
    assert first.xpath("//link/@href|//script/@src") == ["../report.css", "../report.js"]
    check_structure(index)


def test_file_names_are_safe() -> None:
    assert file_name(1, "../../etc/passwd") == "00001-etc-passwd.html"
    assert file_name(2, "CON") == "00002-con.html"
    assert file_name(3, "🙂") == "00003.html"
    assert file_name(4, "Ü" * 10_000) == f"00004-{'u' * 40}.html"
    assert file_name(5, 'a"b<c>|?*') == "00005-a-b-c.html"


def test_new_report_replaces_an_earlier_report_in_a_folder(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    got = cli("report", SPANS, "-m", "f1", "-o", folder)
    assert (got.code, got.out) == (0, f"{folder / 'index.html'}\n")
    assert len(list((folder / "documents").iterdir())) == 4
    assert cli("report", SENTENCES, "-m", "alpha", "-o", folder).code == 0
    assert not (folder / "documents").exists()
    assert "sentences.csv" in (folder / "index.html").read_text(encoding="utf-8")
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    (folder / "mine.txt").write_text("keep", encoding="utf-8")
    refused(cli("report", SPANS, "-o", folder), "[output-exists]")
    assert (folder / "mine.txt").read_text(encoding="utf-8") == "keep"


def test_unwritable_output_paths_are_refused(cli: Cli, tmp_path: Path) -> None:
    refused(cli("report", SPANS, "-o", tmp_path / "report.pdf"), "[output-name]")
    refused(cli("report", SPANS, "-o", tmp_path / "no" / "report.html"), "[output-not-writable]")
    (tmp_path / "x.html").mkdir()
    refused(cli("report", SPANS, "-o", tmp_path / "x.html"), "[output-name]")
    (tmp_path / "file").write_text("", encoding="utf-8")
    refused(cli("report", SPANS, "-o", tmp_path / "file"), "[output-name]")
    refused(cli("report"), "[option-missing]")


def test_terminal_shows_the_first_screen_of_the_report(cli: Cli) -> None:
    got = cli("report", SENTENCES, "-m", "alpha")
    assert got.code == 0
    assert "Annotators agree well beyond chance: closer to perfect agreement than to chance" in got.out
    assert "-o report.html writes the page" in got.out


def test_undefined_value_gives_a_report_without_steps() -> None:
    found = verdict_of([["a", "a"]] * 6, "alpha")
    assert found.steps == ()
    assert math.isnan(
        accord.report(accord.Ratings.from_rows([["a", "a"]] * 6), None, "alpha").parts[0].findings.score.value
    )


def test_report_names_the_seed() -> None:
    assert Run(5).seed == 5
    assert ("seed", "5") in accord.report(SENTENCES, None, "alpha", seed=5).settings.folded[0].rows


# -- tables and steps ----------------------------------------------------------------------------------------------


def test_cells_with_sentences_keep_a_width_and_empty_columns_are_hidden() -> None:
    table = html.fromstring(
        render_table(Table("worst", ("doc", "n", ""), (("a", 1, "a rather long remark"), ("b", 2, ""))))
    )
    assert [cell.text_content() for cell in table.xpath("//*[@class='words']")] == ["a rather long remark", ""]
    bare = html.fromstring(render_table(Table("worst", ("doc", "n", ""), (("a", 1, ""), ("b", 2, "")))))
    assert len(bare.xpath("//thead//th")) == 2


def test_caption_is_complete_and_hidden_below_the_same_heading() -> None:
    long = "the category that is given most differently, on the same items"
    caption = html.fromstring(render_table(Table(long, ("a",), (("x",),)), under="Annotators")).find(".//caption")
    assert (caption.text_content(), caption.get("class")) == (long, None)
    same = html.fromstring(render_table(Table("scores", ("a",), (("x",),)), under="Scores")).find(".//caption")
    assert same.get("class") == "hidden"


def test_change_without_an_interval_names_no_annotator(tmp_path: Path) -> None:
    one = [line for line in SPANS.read_text().splitlines() if line.startswith(("doc,", "letter1,"))]
    (tmp_path / "one.csv").write_text("\n".join(one))
    found = accord.report(tmp_path / "one.csv", measures=["gamma"]).parts[0].verdict
    assert "Ben" not in verdict_text(found)
    assert "the changes without single annotators have no interval" in verdict_text(found)


def test_step_names_no_long_document_with_above_average_agreement(tmp_path: Path) -> None:
    rows = ["doc,annotator,start,end,label"]
    for k in range(60):  # only A marks one unit in six: most of the disorder, but little for the length
        rows += [f"long,{who},{10 * k},{10 * k + 5},x" for who in ("A", "B") if who == "A" or k % 6]
    for k in range(4):
        rows += [f"short{k},A,0,5,x", f"short{k},A,20,25,x", f"short{k},B,0,5,x", f"short{k},B,40,45,x"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    part = accord.report(tmp_path / "t.csv", measures=["gamma"]).parts[0]
    documents = part.findings.score.parts["document"]
    assert max(documents, key=lambda doc: documents[doc].details["share"]) == "long"
    assert documents["long"].value > part.findings.score.value
    (step,) = (step.to_dict() for step in part.verdict.steps if step.what == "document")
    assert step["title"]["text"].startswith("Discuss document short")


# -- hostile names of documents and annotators ---------------------------------------------------------------------

ODD = ("\x7f\x85\ufffe", "<script>alert(1)</script>", "__proto__", "constructor", "Case", "case", "x" * 10_000)


@cache
def odd_names_report() -> Report:
    """Units with hostile names of documents, annotators and labels."""
    rows = [
        {"doc": doc, "annotator": who, "start": 10 * k + g, "end": 10 * k + 7,
         "label": ODD[(k + d + (k == g)) % len(ODD)]}
        for d, doc in enumerate(ODD) for g, who in enumerate(ODD[1:4]) for k in range(3)
    ]  # fmt: skip
    return accord.report(rows, None, "f1", jobs=1)


def test_pages_omit_invalid_characters_and_their_data_keep_them() -> None:
    html5lib = pytest.importorskip("html5lib", reason="html5lib is not installed")
    pages = render_pages(odd_names_report())
    for name in ("index.html", *[name for name in pages if name.startswith("documents/")]):
        html5lib.HTMLParser(strict=True).parse(pages[name])
    text = render_page(odd_names_report())
    html5lib.HTMLParser(strict=True).parse(text)
    tree = html.fromstring(text)
    assert json.loads(tree.get_element_by_id("accord-report").text) == json.loads(
        json.dumps(odd_names_report().to_dict())
    )
    names = {json.loads(one.text)["name"] for one in tree.xpath("//script[@class='av-data']")}
    assert names == set(ODD)


def test_pages_not_written_by_accord_are_kept(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert cli("report", SENTENCES, "-m", "alpha", "-o", folder).code == 0
    (folder / "notes.html").write_text("<p>mine</p>", encoding="utf-8")
    refused(cli("report", SENTENCES, "-m", "alpha", "-o", folder), "[output-exists]")
    assert (folder / "notes.html").read_text(encoding="utf-8") == "<p>mine</p>"


# -- edge cases ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "how"),
    [
        ([["a", "b"], ["b", "b"]], {}),  # without one annotator, no pairs remain
        ([["a", "a", None], ["b", "a", None], ["b", "b", None]], {}),  # the third annotator gave no label
        ([{"x": "a", "a": 20, "b": 5}, {"x": "b", "a": 10, "b": 15}], {"layout": "confusion"}),
        ([{"item": i, "annotator": who, "label": "ab"[(i + (g == i % 4)) % 2], "round": i // 6}
          for i in range(18) for g, who in enumerate("ABC")], {"by": "round"}),  # items are numbers
    ],
    ids=["two items", "somebody without a label", "confusion matrix", "rounds of numbered items"],
)  # fmt: skip
def test_edge_cases_give_a_valid_page(data: Any, how: dict[str, Any]) -> None:
    rows = accord.Ratings.from_rows(data) if isinstance(data[0], list) else data
    check_structure(html.fromstring(render_page(accord.report(rows, None, "alpha", jobs=1, **how))))


@pytest.mark.parametrize(
    ("data", "measure"),
    [
        ([["a", "a", "a"], ["b", "b", "b"]] * 10, "alpha"),
        ({"doc": list("ddee"), "annotator": list("ABAB"), "masses": ["3 4", "3 4", "2 5", "2 5"]}, "window_diff"),
    ],
)
def test_full_agreement_suggests_no_next_step(data: Any, measure: str) -> None:
    rows = accord.Ratings.from_rows(data) if isinstance(data, list) else data
    found = accord.report(rows, None, measure, jobs=1)
    assert found.parts[0].verdict.steps == ()
    assert "What to do next" not in render_page(found)


def test_verdict_on_icc_mentions_neither_categories_nor_chance() -> None:
    rows = [[k % 5 + 0.5 * g + (k * g) % 3 for g in range(3)] for k in range(12)]
    found = verdict_of(rows, "icc")
    assert found.headline == "Agreement between annotators"
    assert "chance" not in verdict_text(found)
    assert "categor" not in verdict_text(found)
    assert [step.what for step in found.steps] == ["annotator", "item"]


def test_counts_of_one_use_the_singular() -> None:
    text = verdict_text(verdict_of([["a", "b"], ["b", "b"], ["a", "a"], ["a", "a"]], "alpha"))
    assert "disagree on 1 of 4 items" in text
    assert "chose both for 1 of 4 items" in text


def test_headline_uses_the_test_where_the_interval_is_wide() -> None:
    rows = [list("abbbb"), list("aaaab"), list("bbbbb"), list("aaaaa")]
    found = accord.report(rows, measures=["alpha"]).parts[0]
    score = found.findings.score
    assert score.interval.low <= 0
    assert score.p < 0.05
    assert found.verdict.headline == "Annotators agree beyond chance, but the degree of agreement is uncertain"


def test_report_of_a_crowd_skips_the_table_of_pairs() -> None:
    people = 501  # one more than the limit of the table of pairs
    seats = [(item, (item + step) % people) for item in range(people) for step in (0, 1, 7)]
    data = {
        "item": [f"item {item}" for item, _ in seats],
        "annotator": [f"who {who}" for _, who in seats],
        "label": ["ab"[(item * 7 + who * who) % 3 == 0] for item, who in seats],
    }
    (part,) = accord.report(data).parts
    sentences = {section.key: [str(one[0]) for one in section.said] for section in part.sections}
    assert "make too many pairs" in sentences["disagreement"][0]
    assert sentences["influence"][0] == "501 annotators: only the 100 with the most labels are left out in turn"
    assert part.findings.influence is not None
    assert len(part.findings.influence.annotators) == 100


def test_items_are_in_natural_order_and_numbers_have_a_minus_sign() -> None:
    rows = [["x", "y", "z"] for _ in range(12)]
    report = accord.report(accord.Ratings.from_rows(rows), None, "alpha", interval="none", jobs=1)
    assert "Resolve the disagreement on 1, 2, 3, 4, 5 and 7 more" in verdict_text(report.parts[0].verdict)
    big = html.fromstring(render_page(report)).xpath("//*[@class='big']")[0]
    assert big.text_content().endswith(f"−{abs(report.parts[0].findings.score.value):.3f}")
    assert float(big.xpath("./span/@data-value")[0]) == report.parts[0].findings.score.value
