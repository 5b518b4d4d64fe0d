"""The page of `accord serve` with errors, hostile data, other users and stopped servers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.browser.visitor import Visitor
from tests.serving.served import Served

pytestmark = pytest.mark.slow

SERVING = Path(__file__).parents[2] / "src" / "accord" / "doors" / "serving"
GERMAN = json.loads((SERVING / "words" / "de.json").read_text(encoding="utf-8"))
EXAMPLE = "article:has(h3:text-is('{}')) button"
# Visible or spoken texts that come neither from the language file nor from accord nor from the data.
_STRAY = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const letters = /\\p{L}/u;
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    const said = parentElement.closest("[data-said], noscript, .brand, time, data");
    if (letters.test(data) && !said && !data.includes("⟦")) found.push(data);
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) {
      const heard = one.getAttribute(name) ?? "";
      if (name === "placeholder" && "said" in one.dataset) continue;  // a default of accord
      if (letters.test(heard) && !heard.includes("⟦")) found.push(heard);
    }
  return found;
}"""


def take(seen: Visitor, example: str) -> None:
    seen.page.locator(EXAMPLE.format(example)).click()
    seen.understood()


def test_error_of_a_broken_file_is_shown_and_can_be_corrected(visitor: Any) -> None:
    seen = visitor(width=320, dark=True)
    seen.drop({"spans.csv": "doc,annotator,start,end,label\nd,Ana,0,4,X\nd,Ben,5,3,X\nd,Ana,6,2,Y\nd,Ben,0,4,X\n"})
    seen.page.wait_for_selector("main .error")
    message = seen.page.locator("main .error .what").inner_text()
    assert re.search(r"spans\.csv:3: .*end.*“The end column contains lengths”.*\[[a-z-]+\]$", message)
    assert "--" not in message
    assert "Traceback" not in seen.page.locator("main").inner_text()
    assert "/" not in message.partition(":")[0]  # the name of the upload, not the path on the server
    assert seen.complaints() == []
    form = seen.page.locator("#correct")
    assert form.get_attribute("open") is not None
    form.locator("[data-option=end_is_length] input").check()
    form.locator("button[type=submit]").click()
    assert "Ana" in seen.understood()
    assert seen.page.locator("main .error").count() == 0
    assert (seen.requests, seen.errors) == ([], [])


def test_markup_in_data_is_shown_as_text(visitor: Any) -> None:
    alert = '"><img src=x onerror=alert(1)>'
    seen = visitor(width=320)
    dialogs: list[str] = []
    seen.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    rows = "".join(
        f'{k},Ana,"{alert.replace(chr(34), chr(34) * 2)}",<b>It</b> says {k}\n{k},<b>Ben</b>,{k % 2},\n'
        for k in range(9)
    )
    seen.drop({"&lt;i&gt;.csv": f"item,annotator,label,text\n{rows}"})
    assert alert in seen.understood()
    seen.go("decide")
    seen.page.wait_for_selector(".case")
    assert re.fullmatch(r"<b>It</b> says \d", seen.page.locator(".case .passage").inner_text())  # the text of the case
    assert seen.page.locator("main img, main b").count() == 0
    assert seen.wider() <= 0
    assert (dialogs, seen.requests, seen.errors) == ([], [], [])


def test_users_do_not_see_projects_of_other_users(visitor: Any) -> None:
    one, other = visitor(), visitor()
    take(one, "sentences")
    other.open()
    assert other.page.locator("#earlier").count() == 0
    job = one.job("read")["id"]
    for path in (f"/api/projects/{one.project}", f"/api/jobs/{job}", f"/api/jobs/{job}/result"):
        assert other.page.evaluate("async (path) => (await fetch(path)).status", path) == 404
    other.errors.clear()  # the console lists the 404 responses
    other.open(f"#understood/{one.project}")
    other.page.wait_for_selector("#trouble .error")
    assert "sentences" not in other.page.locator("#trouble").inner_text()
    one.open()
    assert one.page.locator("#earlier").count() == 1


def test_running_job_is_shown_after_reopening(visitor: Any) -> None:
    seen = visitor()
    take(seen, "spans")
    seen.page.locator("main .go button.main").first.click()
    seen.page.wait_for_selector("#guide")
    more = seen.page.locator("[data-options=report]")
    more.locator("summary").click()
    more.locator("[data-option=meaning] input").check()
    seen.page.locator("main form > .go button.main").click()
    seen.page.wait_for_selector(".job progress")
    seen.page.close()
    seen.page = seen.context.new_page()
    seen.watch()
    seen.open()
    card = seen.page.locator("#earlier").locator("xpath=..").locator("article").first
    assert "Creating the report" in card.inner_text()
    card.locator("a").click()
    seen.page.locator(".job button").click()
    seen.page.wait_for_selector("main .warning")
    assert seen.job("report")["state"] == "cancelled"
    assert (seen.requests, seen.errors) == ([], [])


def test_all_visible_words_come_from_the_language_file(visitor: Any) -> None:
    """The test marks all texts of the language file. Unmarked texts must come from accord or the data."""
    seen = visitor(language="de")
    marked = json.dumps({key: f"⟦{text}⟧" for key, text in GERMAN.items()})
    seen.context.route("**/words/de.json", lambda route: route.fulfill(body=marked, content_type="application/json"))
    seen.page.reload()
    seen.page.wait_for_selector("main h1")
    assert seen.page.locator("h1").inner_text() == f"⟦{GERMAN['data.title']}⟧"
    assert seen.page.locator("html").get_attribute("lang") == "de"
    assert seen.page.evaluate(_STRAY) == []
    take(seen, "brat")
    seen.page.locator("#correct > summary").click()
    assert seen.page.evaluate(_STRAY) == []
    steps = {
        "measures": "#guide",
        "report": "h1",
        "decide": ".case",
        "compare": ".drop",
        "plan": "form",
        "ask": "form",
        "take": ".code",
    }
    for step, there in steps.items():
        seen.go(step)
        seen.page.wait_for_selector(f"main {there}")
        assert seen.page.evaluate(_STRAY) == [], step
    assert seen.errors == []


def test_language_and_theme_are_remembered(visitor: Any) -> None:
    seen = visitor()
    seen.page.locator("#language").select_option("de")
    seen.page.wait_for_function("(text) => document.querySelector('h1').innerText === text", arg=GERMAN["data.title"])
    paper = "getComputedStyle(document.body).backgroundColor"
    light = seen.page.evaluate(paper)
    seen.page.locator("#theme").click()
    dark = seen.page.evaluate(paper)
    assert dark != light
    seen.page.reload()
    seen.page.wait_for_selector("main h1")
    assert seen.page.locator("h1").inner_text() == GERMAN["data.title"]
    assert seen.page.evaluate(paper) == dark


def test_ended_or_restarted_server_is_reported(visitor: Any, tmp_path: Path) -> None:
    first = Served.start(tmp_path)
    try:
        seen = visitor(at=first)
        take(seen, "sentences")
    finally:
        first.stop()
    seen.page.locator("#steps a").first.click()
    seen.page.wait_for_selector("#trouble .error")
    assert "does not answer" in seen.page.locator("#trouble").inner_text()
    second = Served.start(tmp_path, "--port", first.base.rpartition(":")[2])
    try:
        seen.page.locator("#trouble button").click()
        seen.page.wait_for_function("() => document.querySelector('#trouble').innerText.includes('restarted')")
        assert seen.complaints() == []
    finally:
        second.stop()


def test_page_can_be_used_by_keyboard(visitor: Any) -> None:
    seen = visitor()
    here = "document.activeElement"
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate(f"{here}.id") == "skip"
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate(f"{here}.tagName") == "H1"
    for _ in range(40):
        seen.page.keyboard.press("Tab")
        if "tone" in (seen.page.evaluate(f"{here}.getAttribute('aria-label')") or ""):
            break
    seen.page.keyboard.press("Enter")
    seen.understood()
    assert seen.page.evaluate(f"{here}.tagName") == "H1"  # the next step starts with focus on the heading
    for _ in range(40):
        seen.page.keyboard.press("Tab")
        if "main" in seen.page.evaluate(f"{here}.className").split():
            break
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector("#guide")
    assert seen.page.evaluate(f"{here}.tagName") == "H1"
    _type_specs(seen)


def _type_specs(seen: Any) -> None:
    """Errors of a spec appear while typing, also for screen readers. The page does not accept an invalid spec."""
    page = seen.page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('summary:has(+ form)')"):
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("alpha(distanc=ordinal)")
    status = page.locator("form.field [role=status]", has_text='unknown option of alpha "distanc": did you mean')
    status.wait_for()
    field = page.locator("[role=combobox]")
    assert field.get_attribute("aria-invalid") == "true"
    assert status.get_attribute("id") in field.get_attribute("aria-describedby").split()
    page.keyboard.press("Enter")
    assert seen.complaints() == []
    assert page.locator(".chosen .spec").count() == 0
    field.fill("alpha(ordinal)")
    page.locator("form.field", has_text="alpha(distance=ordinal)").locator(".hint code").wait_for()
    assert field.get_attribute("aria-invalid") is None
    page.keyboard.press("Enter")
    page.locator(".chosen .spec", has_text="alpha(ordinal)").wait_for()
    assert (field.input_value(), seen.errors) == ("", [])
