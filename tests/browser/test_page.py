"""All steps on the page of `accord serve`, from the upload to the download of results."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.browser.visitor import Visitor
from tests.command_line import Cli

pytestmark = pytest.mark.slow

HERE = Path(__file__).parents[2]
GARDEN, SAMPLES = HERE / "examples" / "garden", HERE / "tests" / "data" / "formats"
GOLD = "section[aria-labelledby=gold]"


@dataclass(frozen=True)
class Way:
    """Data to upload, a correction of the reading, and the equivalent options of the command line."""

    data: Path
    correct: Callable[[Any], None]
    corrected: str  # text on the page after the correction
    options: tuple[str, ...]
    measure: str
    long: str = ""  # a slow measure, for cancelling; without one, --meaning is used
    dark: bool = False
    width: int = 1400
    language: str = "en"
    format: str = ""  # of the gold standard
    axe: bool = False

    @property
    def files(self) -> list[Path]:
        """The folder itself for brat, the files for ELAN."""
        return sorted(self.data.glob("*.eaf")) or [self.data]

    @property
    def decisions(self) -> str:
        return f"decisions-about-{self.options[1]}.csv" if "--label" in self.options else "decisions.csv"


def _only(variable: str) -> Callable[[Any], None]:
    """Select one of several layers."""
    return lambda form: form.locator("[data-option=label]").get_by_label(variable, exact=True).check()


def _missing(form: Any) -> None:
    form.locator("[data-option=missing] textarea").fill("thanks")


_TYPE = ("--label", "type")
WAYS = {
    "table": Way(GARDEN / "sentences.csv", _missing, "146", ("--missing", "thanks"), "alpha", axe=True),
    "brat": Way(
        HERE / "examples" / "brat", _only("type"), "Person", _TYPE, "f1", "gamma(precision=0.0005)",
        dark=True, width=320, format="brat", axe=True,
    ),
    "elan": Way(SAMPLES / "elan" / "1", _only("gaze"), "left", ("--label", "gaze"), "f1", "gamma(precision=0.003)"),
    "label_studio": Way(
        SAMPLES / "label_studio" / "1" / "tasks.json", _only("type"), "Person", _TYPE, "f1",
        "gamma(precision=0.0005)", language="de", format="label_studio",
    ),
}  # fmt: skip


@dataclass
class Walk:
    """A user who goes through the steps."""

    way: Way
    seen: Visitor
    cli: Cli

    def look(self) -> None:
        """Check for external requests, errors, horizontal overflow and accessibility violations."""
        assert (self.seen.requests, self.seen.errors) == ([], [])
        assert self.seen.wider() <= 0
        if self.way.axe:
            assert self.seen.complaints() == []

    def command_output(self, command: str, *options: object) -> Any:
        """Return the JSON of the command line for the same data and options."""
        return json.loads(self.cli(command, self.way.data, *self.way.options, *options, "--json").out)

    def bring(self) -> None:
        if self.way.data.suffix == ".csv":
            self.seen.drop({self.way.data.name: self.way.data.read_text(encoding="utf-8")})
        else:
            self.seen.choose(self.way.files)
        found = self.seen.understood()
        assert "Ana" in found
        assert "Ben" in found
        self.look()

    def correct(self) -> None:
        """Correct the reading. The page must show the facts of `accord read` with the same options."""
        page = self.seen.page
        page.locator("#correct > summary").click()
        self.way.correct(page.locator("#correct"))
        self.look()
        page.locator("#correct button[type=submit]").click()
        page.wait_for_function(
            "(text) => document.querySelector('.facts')?.innerText.includes(text)", arg=self.way.corrected
        )
        (variable,) = self.command_output("read")["variables"].values()
        assert page.locator(".facts .chips").first.inner_text().split("\n") == variable["annotators"]
        assert page.locator(".facts .chips").last.inner_text().split("\n") == variable["categories"]
        page.locator("main button.main", has_not=page.locator("form")).first.click()

    def start(self, *, long: bool) -> None:
        """Start a report from the step of measures. A long run leaves time to cancel it."""
        page = self.seen.page
        page.wait_for_selector(".advice, .answered")
        if long:
            page.locator("details.fold", has=page.locator("[role=combobox]")).locator("summary").click()
        for spec in [self.way.measure, *([self.way.long] if self.way.long else [])] if long else []:
            page.locator("[role=combobox]").fill(spec)
            page.locator("[role=combobox]").press("Enter")
            page.locator(".chosen .spec", has_text=spec).wait_for()
        if self.way.long and not long:
            page.locator(".chosen li", has_text=self.way.long).locator("button").click()
        elif not self.way.long:
            more = page.locator("[data-options=report]")
            more.locator("summary").click()
            more.locator("[data-option=meaning] input").set_checked(long)
        self.look()
        page.locator("main form > .go button.main").click()

    def cancel(self) -> None:
        page = self.seen.page
        page.locator(".job button").click()
        page.wait_for_selector("main .warning")
        assert self.seen.job("report")["state"] == "cancelled"
        self.look()
        page.locator("main .go button.main").click()

    def read_report(self) -> None:
        """Compare the numbers of the report with the command line."""
        page = self.seen.page
        page.wait_for_selector("iframe")
        self.look()
        frame = page.frame_locator("iframe")
        frame.locator("h2.headline").wait_for()
        (score,) = self.command_output("score", "-m", self.way.measure)["scores"]
        shown = json.loads(frame.locator("#accord-report").text_content())["variables"][0]["scores"][0]
        assert (shown["value"], shown["interval"]) == (score["value"], score["interval"])
        assert float(frame.locator("[data-value]").first.get_attribute("data-value")) == score["value"]

    def decide(self, into: Path) -> None:
        """Decide with the keyboard. The server stores and undoes decisions immediately."""
        page = self.seen.page
        self.seen.go("decide")
        page.wait_for_selector(".case")
        self.look()
        for key, decided in (("1", 1), ("u", 0), ("1", 1)):
            page.keyboard.press(key)
            page.wait_for_function(
                "async ([path, n]) => Object.keys((await (await fetch(path)).json()).decisions).length === n",
                arg=[f"/api/projects/{self.seen.project}/decisions", decided],
            )
        into.write_bytes(self.seen.downloaded(page.locator("#decisions")))

    def gold(self, decisions: Path) -> None:
        """Compare the gold standard with the command line, and download the format of the annotation tool."""
        page = self.seen.page
        if self.way.format:
            page.locator(f"{GOLD} select").first.select_option(self.way.format)
        page.locator(f"{GOLD} button.main").click()
        page.wait_for_selector(f"{GOLD} .files a")
        self.look()
        gold = self.seen.downloaded(page.locator(f"{GOLD} .files a", has_text=re.compile(r"^gold\.csv$")))
        expected = decisions.with_name("gold.csv")
        self.cli("gold", self.way.data, *self.way.options, "--decisions", decisions, "-o", expected)
        assert gold == expected.read_bytes()
        assert b"decision" in gold
        if self.way.format:
            assert page.locator(f"{GOLD} .files a", has_text=re.compile(r"^gold[-.](?!csv)")).count() == 1

    def take_along(self) -> None:
        page = self.seen.page
        self.seen.go("take")
        page.wait_for_selector(".code")
        self.look()
        names: set[str] = set()
        for link in page.locator("main section .go a").all():
            with zipfile.ZipFile(io.BytesIO(self.seen.downloaded(link))) as packed:
                names |= {Path(one).name for one in packed.namelist()}
        assert {"report.html", "gold.csv", self.way.decisions} <= names
        with zipfile.ZipFile(io.BytesIO(self.seen.downloaded(page.locator("#whole")))) as packed:
            whole = {Path(one).name for one in packed.namelist()}
        assert whole == names  # one link gives the files of all others
        lines = page.locator(".code pre").all_inner_texts()
        assert any(line.startswith("accord report ") and f"-m {self.way.measure}" in line for line in lines)
        assert any("accord.report(" in line for line in lines)


@pytest.mark.parametrize("name", WAYS)
def test_from_upload_to_download(visitor: Any, cli: Cli, tmp_path: Path, name: str) -> None:
    way = WAYS[name]
    walk = Walk(way, visitor(dark=way.dark, width=way.width, language=way.language), cli)
    walk.look()
    walk.bring()
    walk.correct()
    walk.start(long=True)
    walk.cancel()
    walk.start(long=False)
    walk.read_report()
    walk.decide(tmp_path / "decisions.csv")
    walk.gold(tmp_path / "decisions.csv")
    walk.take_along()


def test_compare_with_second_upload_and_plan(visitor: Any, cli: Cli) -> None:
    """Both steps show the numbers of the command line, equal to the last digit."""
    seen, sentences, tone = visitor(), GARDEN / "sentences.csv", GARDEN / "tone.csv"
    page = seen.page
    seen.drop({sentences.name: sentences.read_text(encoding="utf-8")})
    seen.understood()
    page.locator("#correct > summary").click()
    people = page.locator("fieldset", has_text="Annotators that are models")
    people.get_by_label("Ben").check()
    page.locator("#correct [data-option=categories] input").check()  # the order can be declared
    assert page.locator(".order li").count() > 1
    page.locator("#correct [data-option=categories] input").uncheck()
    page.locator("#correct button[type=submit]").click()
    marked = page.locator(".facts .chips li", has_text="Ben").locator("small", has_text="model")
    marked.wait_for()
    page.evaluate("localStorage.clear()")  # the server stores the setting with the project
    page.reload()
    marked.wait_for()
    seen.go("compare")
    page.wait_for_selector(".drop")
    assert page.locator("section[aria-labelledby=models]").get_by_label("Ben").is_checked()
    seen.drop({tone.name: tone.read_text(encoding="utf-8")})
    page.locator("#comparison button.main").click()
    page.wait_for_selector(".printed")
    there = json.loads(cli("compare", sentences, tone, "--json").out)
    here = seen.fetched(f"/api/jobs/{seen.job('compare')['id']}/result")
    assert [here[key] for key in ("difference", "se", "p")] == [there[key] for key in ("difference", "se", "p")]
    assert f"{there['difference']:.3f}" in page.locator(".printed").inner_text()
    assert seen.complaints() == []
    seen.go("plan")
    page.locator("main form button.main").click()
    page.wait_for_selector(".printed")
    planned = json.loads(cli("plan", sentences, "--width", "0.1", "--json").out)
    assert seen.fetched(f"/api/jobs/{seen.job('plan')['id']}/result") == planned
    assert str(planned["n"]) in page.locator(".printed").inner_text()
    assert (seen.requests, seen.errors, seen.complaints()) == ([], [], [])
