"""The roles of columns on the page of `accord serve`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser.test_page_trouble import _STRAY, GERMAN
from tests.browser.visitor import Visitor
from tests.serving.test_column_roles import EXPERTS, IGNORED

pytestmark = pytest.mark.slow

HERE = "document.activeElement"
ITEMS = "system,segment,rater,q,comment\n" + "".join(
    f"s{s},g{g},{who},{(s + g + n) % 3},c{s * g}\n"
    for s in range(3)
    for g in range(4)
    for n, who in enumerate(("Ana", "Ben"))
)


def role_of(seen: Visitor, column: str) -> Any:
    return seen.page.get_by_label(f"Role of column {column}", exact=True)


def read_again(seen: Visitor) -> None:
    """Read with the chosen roles and wait for the result."""
    before = seen.job("read")["id"]
    seen.page.locator("#columns button[type=submit]").click()
    seen.page.wait_for_function(
        "async ([path, id]) => { const job = (await (await fetch(path)).json()).jobs[0];"
        " return job.id !== id && !['queued', 'running'].includes(job.state); }",
        arg=[f"/api/projects/{seen.project}", before],
    )
    seen.page.wait_for_selector("#columns")


def reading(seen: Visitor) -> Any:
    return seen.fetched(f"/api/projects/{seen.project}")["reading"]


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)])
def test_unclear_column_can_be_ignored(visitor: Any, width: int, dark: bool) -> None:
    seen = visitor(width=width, dark=dark)
    page = seen.page
    seen.drop({"experts.csv": EXPERTS})
    page.wait_for_selector("main .error")
    assert page.locator("#columns").get_attribute("open") is not None
    assert role_of(seen, "Machine").input_value() == ""
    assert role_of(seen, "id").input_value() == "item"
    assert page.locator("#ways li").count() == 2
    assert "Annotators: 3" in page.locator("#ways li").first.inner_text()
    assert "--" not in page.locator("main .error .what").inner_text()
    assert (seen.wider() <= 0, seen.complaints()) == (True, [])
    role_of(seen, "Machine").select_option("ignore")
    assert page.locator("#columns [role=status]").inner_text().startswith("1 role changed.")
    page.evaluate("document.querySelector('#columns button[type=submit]').focus()")
    page.keyboard.press("Enter")
    seen.understood()
    assert page.locator(".facts .chips").first.inner_text().split("\n") == ["ExpertA", "ExpertB", "ExpertC"]
    assert page.evaluate(f"{HERE}.tagName") == "H1"
    assert reading(seen) == IGNORED
    assert "You chose this role." in page.locator("#columns tr[data-column=Machine]").inner_text()
    assert (seen.wider() <= 0, seen.complaints()) == (True, [])
    page.locator("#columns").get_by_role("button", name="Reset the roles").click()
    page.wait_for_selector("main .error")
    assert reading(seen) == {}
    page.locator("#ways button").last.click()
    seen.understood()
    assert page.locator(".facts .chips").first.locator("bdi").all_inner_texts() == [
        "ExpertA", "ExpertB", "ExpertC", "Machine",
    ]  # fmt: skip
    assert (seen.requests, seen.errors) == ([], [])


def test_columns_that_share_a_role_are_stated_together(visitor: Any) -> None:
    """An item of several columns, a column per annotator, and the options of the form that the table replaces."""
    seen = visitor()
    seen.drop({"experts.csv": EXPERTS})
    seen.page.wait_for_selector("main .error")
    role_of(seen, "Machine").select_option("annotator")
    seen.page.locator("#columns [role=status]", has_text="4 columns contain the labels").wait_for()
    read_again(seen)
    assert reading(seen) == {"role": [f"{name}=annotator" for name in ("ExpertA", "ExpertB", "ExpertC", "Machine")]}
    role_of(seen, "Machine").select_option("")
    role_of(seen, "ExpertC").select_option("ignore")
    read_again(seen)
    assert reading(seen) == {"role": ["ExpertA=annotator", "ExpertB=annotator", "ExpertC=ignore"]}
    assert "ExpertB" in seen.understood()

    seen = visitor()
    seen.drop({"items.csv": ITEMS})
    seen.understood()
    seen.page.locator("#columns > summary").click()
    role_of(seen, "comment").select_option("ignore")
    read_again(seen)
    assert reading(seen) == {"role": ["comment=ignore"]}
    role_of(seen, "segment").select_option("group")
    read_again(seen)
    assert set(reading(seen)["role"]) == {"comment=ignore", "system=item", "segment=group"}
    role_of(seen, "segment").select_option("item")
    assert "system + segment" in seen.page.locator("#columns [role=status]").inner_text()
    read_again(seen)
    assert set(reading(seen)["role"]) == {"comment=ignore", "system+segment=item"}
    assert "12" in seen.understood()
    seen.page.locator("#correct > summary").click()
    seen.page.locator("#correct [data-option=missing] textarea").fill("9")
    seen.page.locator("#correct button[type=submit]").click()
    seen.page.wait_for_selector("#columns")
    assert set(reading(seen)["role"]) == {"comment=ignore", "system+segment=item"}  # the form keeps the roles
    assert reading(seen)["missing"] == ["9"]
    assert seen.errors == []


def test_names_of_columns_are_shown_as_text(visitor: Any) -> None:
    alert = "<img src=x onerror=alert(1)>"
    seen = visitor(width=390)
    seen.drop({"t.csv": EXPERTS.replace("Machine", alert)})
    seen.page.wait_for_selector("#columns")
    assert alert in seen.page.locator("#columns tbody").inner_text()
    role_of(seen, alert).select_option("ignore")
    read_again(seen)
    assert reading(seen) == {"role": [f"{alert}=ignore"]}
    assert seen.page.locator("main img").count() == 0
    assert (seen.wider() <= 0, seen.errors) == (True, [])


def test_roles_and_suggestions_are_in_the_language_of_the_page(visitor: Any) -> None:
    seen = visitor(language="de")
    marked = json.dumps({key: f"⟦{text}⟧" for key, text in GERMAN.items()})
    seen.context.route("**/words/de.json", lambda route: route.fulfill(body=marked, content_type="application/json"))
    seen.page.reload()
    seen.page.wait_for_selector(".drop")
    seen.drop({"experts.csv": EXPERTS})
    seen.page.wait_for_selector("#ways")
    assert seen.page.evaluate(_STRAY) == []
    seen.page.locator("#columns tr[data-column=Machine] select").select_option("annotator")
    assert seen.page.evaluate(_STRAY) == []
    read_again(seen)
    assert seen.page.evaluate(_STRAY) == []
    assert seen.errors == []
