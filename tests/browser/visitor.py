"""A user of the page of `accord serve` with a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.serving.served import Served

AXE = Path(__file__).parent / "axe" / "axe.min.js"
PATIENCE = 180_000  # ms, for busy machines
_DROP = """([zone, files]) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([text], name));
  zone.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
}"""


@dataclass
class Visitor:
    """A browser session with its external requests and its errors."""

    context: Any
    page: Any
    served: Served
    requests: list[str] = field(default_factory=list)  # to other origins
    errors: list[str] = field(default_factory=list)  # console errors and warnings, and uncaught errors

    def watch(self) -> None:
        ours = (self.served.base + "/", "data:", "blob:", "about:")
        self.context.on("request", lambda r: None if r.url.startswith(ours) else self.requests.append(r.url))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type in {"error", "warning"} else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.set_default_timeout(PATIENCE)

    def open(self, where: str = "") -> None:
        self.page.goto(self.served.url if not where else self.served.base + "/" + where)
        self.page.wait_for_selector("main h1")

    @property
    def project(self) -> str:
        return str(self.page.evaluate("location.hash.split('/')[1]"))

    def go(self, step: str) -> None:
        """Open a step with its link in the list of steps."""
        self.page.locator(f"#steps a[href^='#{step}']").click()
        self.page.wait_for_selector(f"#steps a[href^='#{step}'][aria-current]")

    def drop(self, files: Mapping[str, str]) -> None:
        zone = self.page.locator(".drop").element_handle()
        self.page.evaluate(_DROP, [zone, list(files.items())])

    def choose(self, paths: Sequence[Path]) -> None:
        """Choose files or one folder."""
        folder = paths[0].is_dir()
        self.page.locator(f".drop input{'[webkitdirectory]' if folder else ':not([webkitdirectory])'}").set_input_files(
            paths
        )

    def understood(self) -> str:
        self.page.wait_for_selector("#variable")
        return str(self.page.locator("main").inner_text())

    def fetched(self, path: str) -> Any:
        """Fetch JSON from the server within the page."""
        return self.page.evaluate("async (path) => (await fetch(path)).json()", path)

    def job(self, command: str) -> Any:
        """Return the newest job of a command."""
        found = self.fetched(f"/api/projects/{self.project}")
        return next(job for job in found["jobs"] if job["command"] == command)

    def downloaded(self, link: Any) -> bytes:
        with self.page.expect_download() as waiting:
            link.click()
        return Path(waiting.value.path()).read_bytes()

    def complaints(self) -> list[str]:
        """Return the accessibility violations of the page. Other tests check reports."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("async () => (await axe.run({exclude: [['iframe']]}, {iframes: false})).violations")
        return [f"{one['id']}: {[node['html'][:200] for node in one['nodes'][:3]]}" for one in found]

    def wider(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
