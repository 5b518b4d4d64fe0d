"""The documentation site builds without warnings, loads no external files, and is up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from accord.core.manual import page_text
from accord.measures.catalogue import ON_SEGMENTATIONS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FOREIGN = re.compile(r"""<(?:script|link|img|source|iframe)\b[^>]*?(?:src|href)=["'](?P<url>(?:https?:)?//[^"']+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("furo", reason="the group docs is not installed: pip install --group docs")
    pytest.importorskip("myst_parser", reason="the group docs is not installed: pip install --group docs")
    made = tmp_path_factory.mktemp("site")
    sphinx = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "-b", "html"]
    done = subprocess.run([*sphinx, DOCS, made], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return made


def test_every_page_is_on_the_site(site: Path) -> None:
    wanted = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.glob("*.md")}
    for folder in ("understand", "decisions", "contributors", "measures", "tutorials", "coming-from", "reference"):
        wanted |= {path.relative_to(DOCS).with_suffix(".html") for path in (DOCS / folder).glob("*.md")}
    assert len(wanted) > 80
    assert not [path for path in wanted if not (site / path).is_file()]


def test_site_loads_no_external_files(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        found = [one["url"] for one in FOREIGN.finditer(page.read_text(encoding="utf-8"))]
        assert not [url for url in found if "readthedocs" not in url], page.name
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\(\s*[\"']?(?:https?:)?//", styles)


def test_site_has_a_search_index(site: Path) -> None:
    assert "krippendorff" in (site / "searchindex.js").read_text(encoding="utf-8").lower()


def test_links_of_the_diagram_have_targets(site: Path) -> None:
    page = (site / "which-measure.html").read_text(encoding="utf-8")
    tree = page[page.index('<svg class="tree"') : page.index("</svg>", page.index('<svg class="tree"'))]
    targets = re.findall(r'href="#([^"]+)"', tree)
    assert len(targets) >= 14
    assert not [one for one in targets if f'id="{one}"' not in page]


def test_generated_parts_of_pages_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    from making import which_measure

    page = (DOCS / "which-measure.md").read_text(encoding="utf-8")
    assert which_measure.filled(page) == page, "run `make docs`"
    assert set(re.findall(r"<!-- made: (\w+) -->", page)) == set(which_measure.PARTS)


@pytest.mark.parametrize("cls", ON_SEGMENTATIONS, ids=lambda cls: cls.name)
def test_shared_text_is_inserted_into_pages(cls: type) -> None:
    text = page_text(cls.name) or ""
    assert "Data are segmentations: a table `doc,annotator,masses`" in text
    assert "<!--" not in text


def test_links_of_the_readme_lead_to_files() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [one for one in re.findall(r"\]\(([^)#\s]+)", text) if not one.startswith("http")]
    assert len(links) > 20
    assert not [one for one in links if not (ROOT / one).exists()]
