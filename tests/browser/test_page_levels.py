"""The level of measurement on the page: its control, the guide, messages, and everything that uses the chosen level."""

from __future__ import annotations

import io
import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.browser.test_page_by_hand import MANY, to_measures
from tests.browser.test_page_trouble import _STRAY, GERMAN, take
from tests.browser.visitor import Visitor
from tests.command_line import Cli

pytestmark = pytest.mark.slow

HERE = "document.activeElement"
TONE = Path(__file__).parents[2] / "examples" / "garden" / "tone.csv"


def level_of(seen: Visitor, variable: str) -> Any:
    return seen.page.locator(f"#levels tr[data-variable={variable}] select")


def reading(seen: Visitor) -> Any:
    return seen.fetched(f"/api/projects/{seen.project}")["reading"]


def read_again(seen: Visitor) -> None:
    seen.page.evaluate("document.querySelector('#levels button[type=submit]').focus()")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector("#levels", state="detached")
    seen.page.wait_for_selector("#levels")


def scores(seen: Visitor) -> Any:
    """The scores of the report of the first variable."""
    frame = seen.page.frame_locator("iframe")
    frame.locator("h2.headline").wait_for()
    return json.loads(frame.locator("#accord-report").text_content())["variables"][0]["scores"]


def choose_ordinal(seen: Visitor) -> None:
    level_of(seen, "label").select_option("ordinal")
    assert seen.page.locator("#levels [role=status]").inner_text().startswith("1 level changed.")
    read_again(seen)
    assert reading(seen) == {"measurement": ["ordinal"]}


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)])
def test_assumed_level_is_asked_for_and_impossible_levels_are_refused(visitor: Any, width: int, dark: bool) -> None:
    seen = visitor(width=width, dark=dark)
    page = seen.page
    take(seen, "tone")
    asked = page.locator("#levels tr.assumed")
    assert "Are 1–5 codes, grades or amounts?" in asked.inner_text()
    names, values = (asked.locator(f".values {tag}").all_inner_texts() for tag in ("dt", "dd"))
    assert dict(zip(names, values, strict=True)) == {
        "nominal (names or codes)": "0.306",
        "ordinal (grades) (assumed)": "0.760",
        "interval (amounts)": "0.756",
    }
    select = level_of(seen, "label")
    assert select.input_value() == ""
    assert (seen.wider() <= 0, seen.complaints()) == (True, [])
    select.select_option("binary")  # accord's message is next to the control, and nothing is read
    refused = page.locator("#levels [role=alert]")
    assert "have 5 categories, so they are not binary" in refused.inner_text()
    assert select.get_attribute("aria-invalid") == "true"
    assert (seen.wider() <= 0, seen.complaints()) == (True, [])
    page.locator("#levels button[type=submit]").click()
    assert page.evaluate(f"{HERE}.tagName") == "SELECT"
    assert reading(seen) == {}
    choose_ordinal(seen)
    assert page.evaluate(f"{HERE}.tagName") == "H1"
    assert refused.inner_text() == ""
    assert asked.count() == 0
    assert select.input_value() == "ordinal"
    assert "You chose this level." in page.locator("#levels").inner_text()
    assert (seen.wider() <= 0, seen.complaints()) == (True, [])
    page.locator("#levels").get_by_role("button", name="Reset the levels").click()
    page.wait_for_selector("#levels tr.assumed")
    assert reading(seen) == {}
    assert (seen.requests, seen.errors) == ([], [])


def test_chosen_level_is_used_by_all_steps(visitor: Any, cli: Cli) -> None:
    seen = visitor()
    page = seen.page
    take(seen, "tone")
    choose_ordinal(seen)
    to_measures(seen)  # the guide does not ask again
    assert page.locator("fieldset[data-question=order]").count() == 0
    assert "the level of measurement is stated: ordinal" in page.locator("main").inner_text()
    assert page.locator(".advice .spec").first.inner_text() == "alpha(distance=ordinal)"
    assert page.locator(".chosen code").inner_text().startswith("alpha(distance=ordinal), ")
    page.locator("main form > .go button.main").click()
    (first, *_) = scores(seen)
    assert (first["measure"], f"{first['value']:.3f}") == ("alpha(distance=ordinal)", "0.760")
    summary = page.frame_locator("iframe").locator("body").inner_text()
    assert "0.760" in summary
    assert "not stated" not in summary
    assert page.locator("main .warning").count() == 0

    check(seen)
    page.wait_for_selector(".printed")
    seen.go("take")
    page.wait_for_selector("main .code")
    lines = page.locator(".code pre").all_inner_texts()
    assert "accord report tone.csv --measurement ordinal" in lines
    assert "accord check tone.csv --min alpha=0.7 --measurement ordinal" in lines
    assert any("accord.report('tone.csv', measurement=['ordinal'])" in line for line in lines)
    with zipfile.ZipFile(io.BytesIO(seen.downloaded(page.locator("#whole")))) as packed:
        for folder in ("read", "report", "check"):
            assert tomllib.loads(packed.read(f"{folder}/run.toml").decode())["reading"] == {"measurement": ["ordinal"]}
    typed = json.loads(cli("score", TONE, "-m", "alpha", "--measurement", "ordinal", "--json").out)
    assert typed["scores"][0]["value"] == first["value"]
    assert (seen.requests, seen.errors) == ([], [])


def check(seen: Visitor) -> None:
    """Check a threshold of α."""
    seen.go("ask")
    seen.page.locator("main select").first.select_option("check")
    seen.page.locator("[data-options=check] [data-option=min] textarea").fill("alpha=0.7")
    seen.page.locator("main form button.main").click()


def test_check_with_an_assumed_level_names_the_control(visitor: Any) -> None:
    for language, text in (
        ("en", "“Level of measurement”: ordinal (grades)"),
        ("de", "„Skalenniveau“: ordinal (Stufen)"),
    ):
        seen = visitor(language=language)
        take(seen, "tone")
        check(seen)
        refused = seen.page.locator("main .error")
        message = refused.locator(".what").inner_text()
        assert text in message
        assert message.endswith("[level-unknown]")
        assert "--" not in message
        refused.get_by_role("button").click()
        seen.page.wait_for_selector("#levels tr.assumed")
        assert seen.errors == []


@pytest.mark.parametrize(
    ("answer", "level", "spec", "value"),
    [
        ("grades", "ordinal", "alpha(distance=ordinal)", "0.760"),
        ("names", "nominal", "alpha", "0.306"),
    ],
)
def test_report_after_the_guide_computes_what_it_recommended(
    visitor: Any, answer: str, level: str, spec: str, value: str
) -> None:
    seen = visitor()
    page = seen.page
    take(seen, "tone")
    to_measures(seen)
    page.locator(f"fieldset[data-question=order] input[value={answer}]").check()
    page.locator(".advice:not(.beside) .spec", has_text=re.compile(f"^{re.escape(spec)}$")).wait_for()
    assert reading(seen) == {"measurement": [level]}
    assert page.locator(".chosen code", has_text=spec).count() == 1  # the default measures of this level
    page.locator("main form > .go button.main").click()
    page.wait_for_selector("iframe")
    score = next(one for one in scores(seen) if one["measure"] == spec)
    assert f"{score['value']:.3f}" == value
    assert (score["measurement"], seen.job("report")["command_line"]) == (
        level,
        f"accord report tone.csv --measurement {level}",
    )
    assert seen.errors == []


def test_measure_chosen_for_a_possible_answer_states_the_answer(visitor: Any) -> None:
    """α of names must not be computed as α of grades."""
    seen = visitor()
    page = seen.page
    take(seen, "tone")
    to_measures(seen)
    card = page.locator(".advice", has=page.locator(".spec", has_text=re.compile("^alpha$")))
    card.get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.locator("fieldset[data-question=order] input[value=names]:focus").wait_for()  # the focused button disappears
    assert reading(seen) == {"measurement": ["nominal"]}
    page.locator("main form > .go button.main").click()
    page.wait_for_selector("iframe")
    (score,) = scores(seen)
    assert (score["measure"], f"{score['value']:.3f}") == ("alpha", "0.306")
    assert seen.errors == []


def test_levels_of_several_variables(visitor: Any) -> None:
    """A step about one variable uses its level only. A variable that is not read any more loses its level."""
    seen = visitor()
    page = seen.page
    seen.drop({"many.csv": MANY})
    seen.understood()
    assert level_of(seen, "stance").input_value() == "binary"
    level_of(seen, "tone").select_option("ordinal")
    level_of(seen, "stance").select_option("nominal")
    assert page.locator("#levels [role=status]").inner_text().startswith("2 levels changed.")
    read_again(seen)
    assert set(reading(seen)["measurement"]) == {"tone=ordinal", "stance=nominal"}
    seen.go("ask")
    page.get_by_label("Variable or layer").select_option("tone")
    page.locator("main select").nth(1).select_option("score")
    page.locator("main form button.main").click()
    page.wait_for_selector(".printed")
    assert seen.job("score")["command_line"].endswith("--label tone --measurement tone=ordinal")
    assert "measurement=['tone=ordinal']" in seen.job("score")["python"]
    seen.go("understood")
    page.wait_for_selector("#levels")
    page.locator("#correct > summary").click()
    page.locator("#correct [data-option=label]").get_by_label("stance", exact=True).check()
    page.locator("#correct button[type=submit]").click()
    page.wait_for_selector("#levels tr[data-variable=tone]", state="detached")
    page.wait_for_selector("#levels tr[data-variable=stance]")
    assert reading(seen) == {"label": ["stance"], "measurement": ["stance=nominal"]}
    assert (seen.requests, seen.errors) == ([], [])


def test_report_with_an_assumed_level_names_the_control(visitor: Any) -> None:
    for language, control, step in (
        ("en", "Level of measurement", "Check the data"),
        ("de", "Skalenniveau", GERMAN["step.understood"]),
    ):
        seen = visitor(language=language)
        page = seen.page
        take(seen, "tone")
        to_measures(seen)
        page.locator("main form > .go button.main").click()
        page.wait_for_selector("iframe")
        summary = page.frame_locator("iframe").locator("body").inner_text()
        assert f"“{control}” (step “{step}”): ordinal" in summary
        assert "--measurement" not in summary
        assert "label" in page.locator("main .warning").inner_text()
        assert seen.complaints() == []
        page.locator("main .warning button").click()
        page.wait_for_selector("#levels tr.assumed")
        assert seen.errors == []


def test_messages_name_the_control(visitor: Any) -> None:
    """In the words of the page, also for a variable."""
    message = "state it with --measurement ordinal (or nominal), --measurement 'tone=ordinal' or --measurement LEVEL"
    expected = {
        "en": "“Level of measurement”: ordinal (grades) (or nominal)",
        "de": "„Skalenniveau“: ordinal (Stufen) (or nominal)",
    }
    for language, text in expected.items():
        seen = visitor(language=language)
        shown = seen.page.evaluate(
            "async (message) => (await import('/assets/messages.js')).inControls(message, 'check')", message
        )
        assert text in shown
        assert "--" not in shown
        assert seen.errors == []


def test_levels_are_in_the_language_of_the_page(visitor: Any) -> None:
    seen = visitor(language="de")
    marked = json.dumps({key: f"⟦{text}⟧" for key, text in GERMAN.items()})
    seen.context.route("**/words/de.json", lambda route: route.fulfill(body=marked, content_type="application/json"))
    seen.page.reload()
    seen.page.wait_for_selector(".drop")
    take(seen, "tone")
    assert seen.page.evaluate(_STRAY) == []
    assert "0,760" in seen.page.locator("#levels").inner_text()
    level_of(seen, "label").select_option("sets")
    assert seen.page.evaluate(_STRAY) == []
    level_of(seen, "label").select_option("circular")
    read_again(seen)
    assert seen.page.evaluate(_STRAY) == []
    to_measures(seen)
    assert seen.page.evaluate(_STRAY) == []
    assert seen.errors == []
