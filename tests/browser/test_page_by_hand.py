"""Keyboard focus, changed answers, reopened pages, passwords, and copying without a clipboard."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.browser.test_page_trouble import take
from tests.browser.visitor import Visitor
from tests.serving.served import Served

pytestmark = pytest.mark.slow

HERE = "document.activeElement"
GOLD = "section[aria-labelledby=gold]"
PASSWORD = "correct horse battery staple"  # noqa: S105 - used only in this test
MANY = "item,annotator,stance,tone,text\n" + "".join(
    f"{k},{who},{'for' if (k + n) % 3 else 'against'},{1 + (k * n) % 3},What {k} says\n"
    for k in range(8)
    for n, who in enumerate(("Ana", "Ben", "Chloé", "Dora"))
)


def to_measures(seen: Visitor) -> None:
    seen.page.locator("main .go button.main").first.click()
    seen.page.wait_for_selector(".answered")


def test_guide_answers_can_be_changed_and_focus_is_kept(visitor: Any) -> None:
    seen = visitor()
    take(seen, "tone")
    to_measures(seen)
    page, order = seen.page, seen.page.locator("fieldset[data-question=order]")
    for answer, spec in (("amounts", "icc"), ("grades", "alpha(distance=ordinal)")):
        order.locator(f"input[value={answer}]").focus()
        page.keyboard.press("Space")
        page.locator(".advice .spec", has_text=spec).first.wait_for()
        assert order.locator("input").count() == 3  # 1 to 5 are not cyclic
        page.wait_for_function(f"(answer) => {HERE}.value === answer", arg=answer)
    shown = page.locator("main").inner_text()
    assert "Your answer." in shown
    assert "your answer" not in shown  # the reason of the command line, which the page replaces
    page.locator(".advice button").first.click()
    page.locator(".chosen button").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{HERE}.tagName === 'H2'")
    assert seen.errors == []


def test_focus_is_kept_when_a_job_is_cancelled(visitor: Any) -> None:
    seen = visitor()
    take(seen, "spans")
    to_measures(seen)
    more = seen.page.locator("[data-options=report]")
    more.locator("summary").click()
    more.locator("[data-option=meaning] input").check()
    seen.page.locator("main form > .go button.main").click()
    seen.page.locator(".job button").focus()
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector("main .warning")
    seen.page.wait_for_function(f"{HERE}.className.includes('warning')")
    assert seen.errors == []


def test_decisions_about_one_of_several_variables(visitor: Any) -> None:
    """Each variable has separate decisions. Decided cases keep their original reason."""
    seen = visitor()
    page, count = seen.page, seen.page.locator("main section[aria-label] > p").first
    seen.drop({"many.csv": MANY})
    seen.understood()
    seen.go("decide")
    page.wait_for_selector(".case")
    assert page.locator(".passage").inner_text().startswith("What ")
    open_cases = int(count.inner_text().split()[2])
    for _ in range(open_cases):
        page.keyboard.press("1")
    page.locator(".case", has_text=f"Case {open_cases} of {open_cases}").wait_for()
    page.locator(f"{GOLD} button.main").click()
    page.locator(f"{GOLD} .files a", has_text="gold.csv").wait_for()
    page.get_by_label("Variable or layer").select_option("tone")
    page.locator(".case kbd", has_text="3").first.wait_for()
    assert count.inner_text().startswith("0 of ")
    page.get_by_label("Variable or layer").select_option("stance")
    page.locator(".case", has_text="for").first.wait_for()
    page.reload()
    page.wait_for_selector(".case")
    assert "are decided" in count.inner_text()
    assert "no majority" in page.locator(".case header").inner_text()
    assert page.locator(f"{GOLD} .files a", has_text="gold.csv").count() == 1  # the file remains
    page.get_by_label("Column with the text").select_option("")  # starts a new search without decisions
    page.wait_for_selector(".case:not(:has(.passage))")
    seen.go("take")
    lines = page.locator(".code pre").all_inner_texts()
    made = "accord gold many.csv --decisions decisions-about-stance.csv --label stance"
    assert made in lines
    with zipfile.ZipFile(io.BytesIO(seen.downloaded(page.locator("#whole")))) as packed:
        assert packed.read("gold-stance/command.txt").decode().strip() == made
    assert seen.errors == []


def test_excluded_annotators_can_be_included_again(visitor: Any) -> None:
    seen = visitor()
    page = seen.page
    seen.drop({"many.csv": MANY})
    seen.understood()
    for label, left in (("Dora", ["Ana", "Ben", "Chloé"]), ("excluded", ["Ana", "Ben", "Chloé", "Dora"])):
        page.locator("#correct > summary").click()
        page.locator("#correct .choice", has_text=label).last.click()
        page.locator("#correct button[type=submit]").click()
        page.wait_for_function(
            "(left) => document.querySelector('.facts .chips')?.innerText === left", arg="\n".join(left)
        )
    assert seen.errors == []


def test_folder_with_any_name_can_be_uploaded(visitor: Any, tmp_path: Path) -> None:
    """The name may equal the internal name of the second upload."""
    folder = tmp_path / "second"
    folder.mkdir()
    (folder / "many.csv").write_text(MANY, encoding="utf-8")
    seen = visitor()
    seen.choose([folder])
    assert "Chloé" in seen.understood()


def test_unanswered_guide_questions_use_the_words_of_the_page(visitor: Any) -> None:
    seen = visitor()
    take(seen, "sentences")
    seen.go("compare")
    section = seen.page.locator("section[aria-labelledby=models]")
    section.locator("button.main").click()
    assert section.locator(".error").inner_text() == "First tick the annotators that are models."
    section.get_by_label("Ben").check()
    section.locator("button.main").click()
    section.locator(".printed, .error .what", has_text="Ana").first.wait_for()
    assert seen.fetched(f"/api/projects/{seen.project}")["models"] == ["Ben"]  # the project stores the answer


def test_copy_button_works_without_clipboard_access(visitor: Any) -> None:
    """Browsers offer no clipboard on a team server without TLS."""
    seen = visitor()
    seen.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    seen.open()
    take(seen, "sentences")
    fold = seen.page.locator("details.fold", has=seen.page.locator(".code"))
    fold.locator("summary").click()
    fold.locator(".code button").first.click()
    seen.page.locator(".code button", has_text="Copied").wait_for()
    assert seen.page.evaluate("String(getSelection())") == "accord read sentences.csv"
    assert seen.errors == []


def test_password_opens_the_page(visitor: Any, tmp_path: Path) -> None:
    """The referrer policy must let the browser send the origin of the form."""
    file = tmp_path / "password.txt"
    file.write_text(PASSWORD)
    file.chmod(0o600)
    server = Served.start(tmp_path, "--password-file", str(file))
    try:
        seen = visitor(at=server)
        for password, there in (("guess", "text=password is wrong"), (PASSWORD, ".drop")):
            seen.page.locator("#password").fill(password)
            seen.page.keyboard.press("Enter")
            seen.page.wait_for_selector(there)
        take(seen, "sentences")
        seen.page.goto(f"{server.base}/login")  # the session stays the same
        seen.page.wait_for_selector("#earlier")
    finally:
        server.stop()
