"""Configuration of the documentation site (`make docs`). Building and reading it needs no network."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]  # use the checkout, whether accord is installed or not

from pygments.lexers.special import TextLexer  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.project import Project  # noqa: E402

import making  # noqa: E402
from accord._version import __version__  # noqa: E402
from accord.core.manual import whole  # noqa: E402

project = "accord"
author = "The accord authors"
copyright = "The accord authors, MIT licence"  # noqa: A001 - the name that Sphinx expects
version = release = __version__

making.write()

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_site", "measures/shared", "plots/*.txt", "**/*.ipynb"]
nitpicky = True

myst_enable_extensions = ["deflist", "colon_fence", "attrs_block", "attrs_inline"]
myst_heading_anchors = 4  # so that `page.md#a-heading` is checked
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # included parts of the README begin below the first level

html_theme = "furo"
html_title = f"accord {version}"
html_static_path = ["_static"]
html_css_files = ["accord.css"]
html_copy_source = False
html_show_sphinx = False

pygments_style = "default"
pygments_dark_style = "github-dark"
highlight_language = "none"  # most blocks are printed output
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"font-stack--monospace": "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"},
    "dark_css_variables": {"font-stack--monospace": "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"},
}

# docs/measures is a symbolic link to the pages of the package. Sphinx resolves links, so map the paths back.
PAGES = (HERE.parent / "src" / "accord" / "pages").resolve()
_document_of = Project.path2doc


def _path2doc(self: Project, filename: str) -> str | None:
    path = Path(filename)
    return _document_of(self, HERE / "measures" / path.relative_to(PAGES) if path.is_relative_to(PAGES) else filename)


Project.path2doc = _path2doc


_PATH = re.compile(r"(?<![`\w/])docs/([\w-]+)\.md")


def _prepared(_: Sphinx, name: str, source: list[str]) -> None:
    """Insert shared parts into pages. In pages of measures, turn paths of other pages into links."""
    source[0] = whole(source[0])
    if name.startswith("measures/"):
        source[0] = _linked(source[0])


def _linked(text: str) -> str:
    """Turn `docs/intervals.md` into a link, except in code blocks."""
    lines = (line if line.startswith("    ") else _PATH.sub(r"[\1](/\1.md)", line) for line in text.split("\n"))
    return "\n".join(lines)


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", _prepared)
