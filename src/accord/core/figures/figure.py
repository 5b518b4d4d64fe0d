"""The base of all figures, and figures as files and as parts of a page."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from accord.core.errors import DataError, SpecError, UnknownName, printable, quoted
from accord.core.figures.style import EMBEDDED_INK, EMBEDDED_PAPER, FONT, OURS, drawing
from accord.core.tables import Drawing, Table
from accord.core.writing import check_place, write_bytes

ONE, TWO = 3.35, 6.9  # inches: one and two columns of a paper
WIDTHS = {"one": ONE, "two": TWO}


class Figure:
    """Base of all figures. A kind of figure is a frozen dataclass with these methods."""

    kind: ClassVar[str]  # a value of `--kind`
    title: str  # above the figure

    @property
    def caption(self) -> str:
        """What the figure shows, for the text below it."""
        raise NotImplementedError

    def table(self) -> Table:
        """Return all numbers of the figure."""
        raise NotImplementedError

    def drawn(self) -> Table:
        """Return the numbers that the figure shows; a figure may omit some of many."""
        return self.table()

    def draw(self, ax: Any) -> None:
        """Draw on existing axes, within `drawing()`."""
        raise NotImplementedError

    def size(self, width: float) -> tuple[float, float]:
        """Return width and height in inches, for an available width."""
        raise NotImplementedError

    @property
    def grid(self) -> tuple[int, int]:
        """The numbers of panels down and across."""
        return 1, 1

    @property
    def heights(self) -> tuple[float, ...]:
        """The relative heights of the rows of panels."""
        return (1.0,) * self.grid[0]

    def draw_panels(self, axes: Sequence[Any]) -> None:
        """Draw on several axes."""
        (ax,) = axes
        self.draw(ax)

    def made(self, width: float) -> tuple[Any, Any]:
        """Return a Matplotlib figure and its axes, within `drawing()`; without pyplot, so that no figure stays open."""
        from matplotlib.figure import Figure as Canvas

        down, across = self.grid
        canvas = Canvas(figsize=self.size(width), layout="constrained", facecolor="none", label=OURS)
        axes = canvas.subplots(down, across, squeeze=False, height_ratios=self.heights)
        self.draw_panels(list(axes.flat))
        return canvas, axes

    def plot(self, ax: Any = None, width: float = TWO) -> Any:
        """Draw on the given axes or on new ones; return the axes, an array if there are panels."""
        down, across = self.grid
        several = down * across > 1
        with drawing():
            if ax is None:
                canvas, axes = self.made(width)
                canvas.set_facecolor("white")
                return axes if several else axes[0, 0]
            given = list(getattr(ax, "flat", [ax]))
            if isinstance(ax, str) or not all(hasattr(one, "get_position") for one in given):
                raise SpecError(
                    "option-value", "ax must be Matplotlib axes; to write a file use save_plot('picture.svg')"
                )
            if len(given) < down * across:
                raise SpecError(
                    "option-value", f"this plot has several panels; give an array of {down} × {across} axes as ax"
                )
            self.draw_panels(given)
            return ax


# -- files and parts of a page, with reproducible bytes ----------------------------------------------------------------


FORMATS = ("png", "svg", "pdf")
_DPI = 200
_NOTHING: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None, "Type": None, "Format": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}
_NAMED = re.compile(r'(\bid="|url\(#|href="#)')
_REFERENCE = re.compile(r'(?:url\(|href=")#([^")]+)')
_IDENTITY = re.compile(r' id="([^"]*)"')
_ELEMENT = re.compile(r"<[^>]*>")
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_PATH = re.compile(r' d="([^"]*)"')
_COMMAND = re.compile(r" ?([A-Za-z]) ?")
_NOT_TURNED = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_UNSEEN = re.compile(r'<path d="[^"]*"(?: clip-path="[^"]*")? fill="none"/>\s*')
_FAMILY = f" font-family=\"'{FONT}'\""
_STYLE = re.compile(r' style="([^"]*)"')
# Cut the style element, because it would apply to the whole page.
_CUT = re.compile(
    r"<\?xml.*?\?>\s*|<!DOCTYPE.*?>\s*|<metadata>.*?</metadata>\s*|<defs>\s*<style.*?</style>\s*</defs>\s*", re.DOTALL
)


def is_picture(path: Path) -> bool:
    """Return whether the file name has the suffix of a picture."""
    return path.suffix.lower().lstrip(".") in FORMATS


def check_path(path: Path) -> str:
    """Return the format of a file name; raise SpecError early if it is not a picture."""
    if not is_picture(path):
        raise SpecError(
            "option-value",
            f"{quoted(path.name)}: use a file name that ends in {', '.join(f'.{name}' for name in FORMATS)}, for "
            "example "
            f"{quoted((path.stem or 'plot') + '.svg')}",
        )
    check_place(path)
    return path.suffix.lower().lstrip(".")


def inches(width: str) -> float:
    """Return the width of one or two columns of a paper, in inches."""
    if width not in WIDTHS:
        raise UnknownName("width", width, WIDTHS)
    return WIDTHS[width]


def save_figure(figure: Drawing, path: str | Path, width: float = TWO) -> None:
    """Write a PNG, SVG or PDF file, depending on the suffix, completely or not at all."""
    path = Path(path)
    kind = check_path(path)
    try:
        write_bytes(path, as_bytes(figure, kind, width))
    except OSError as error:
        raise DataError(
            "output-not-writable",
            f"{quoted(path)} cannot be written: {error.strerror}; free space, or write to another folder",
        ) from None


def as_bytes(figure: Drawing, kind: str, width: float = TWO, dpi: float = _DPI) -> bytes:
    """Return the content of a picture file."""
    into = io.BytesIO()
    with drawing(as_text=kind == "svg"):
        canvas, _ = figure.made(width)
        canvas.savefig(into, format=kind, dpi=dpi, metadata=_NOTHING[kind], facecolor="white")
    content = into.getvalue()
    return _families(content.decode()).encode() if kind == "svg" else content


def as_svg(figure: Drawing, dark: bool = False, width: float = TWO, prefix: str | None = None) -> str:
    """Return an `<svg>` element for a page, with text in the page's colour, no background, no external references.

    `dark`: use a dark background colour if the page has no `--bg`. `prefix`: makes ids unique.
    """
    into = io.StringIO()
    with drawing(as_text=True, embedded=True):
        canvas, _ = figure.made(width)
        canvas.savefig(into, format="svg", metadata=_NOTHING["svg"], facecolor="none")
    plain = _slim(_STYLE.sub(_attributes, _CUT.sub("", into.getvalue())))
    prefix = f"f{hashlib.blake2b(plain.encode(), digest_size=5).hexdigest()}-" if prefix is None else prefix
    body = _NAMED.sub(lambda found: f"{found[1]}{prefix}", plain)
    body = _families(body).replace(EMBEDDED_INK, "currentColor")
    body = body.replace(EMBEDDED_PAPER.lower(), f"var(--bg, {'#14171c' if dark else '#ffffff'})")
    named = f'stroke-linejoin="round"{_families(_FAMILY)} role="img" aria-labelledby="{prefix}title {prefix}desc"'
    title, caption = (html.escape(printable(text)) for text in (figure.title, figure.caption))
    about = f'<title id="{prefix}title">{title}</title><desc id="{prefix}desc">{caption}</desc>'
    head, rest = body.split(">", 1)
    return f"{head} {named}>{about}{rest}".strip()


def _slim(svg: str) -> str:
    """Reduce the size to about a third: round to hundredths of a point, and remove invisible elements."""
    short = {name: str(k) for k, name in enumerate(dict.fromkeys(_REFERENCE.findall(svg)))}
    svg = _IDENTITY.sub(lambda found: f' id="{short[found[1]]}"' if found[1] in short else "", svg)
    svg = _REFERENCE.sub(lambda found: found[0].replace(found[1], short[found[1]]), svg)
    svg = _ELEMENT.sub(lambda found: _LONG.sub(_hundredths, _NOT_TURNED.sub("", found[0])), svg)
    svg = _PATH.sub(_closely, svg)
    return _ungrouped(_UNSEEN.sub("", svg.replace(_FAMILY, "")))


def _closely(path: re.Match[str]) -> str:
    return f' d="{_COMMAND.sub(lambda found: found[1], " ".join(path[1].split()))}"'


def _hundredths(number: re.Match[str]) -> str:
    return f"{float(number[0]):z.2f}".rstrip("0").rstrip(".")


def _ungrouped(svg: str) -> str:
    """Remove groups without attributes."""
    kept: list[bool] = []

    def element(found: re.Match[str]) -> str:
        tag = found[0]
        if tag == "</g>":
            return tag if kept.pop() else ""
        if tag.startswith(("<g>", "<g ")):
            kept.append(tag != "<g>")
            return tag if kept[-1] else ""
        return tag

    return re.sub(r"\s*\n\s*", "\n", _ELEMENT.sub(element, svg))


def _families(svg: str) -> str:
    """Add Verdana, which has the same widths, for machines without DejaVu."""
    return svg.replace(f"'{FONT}'", f"'{FONT}', Verdana, sans-serif")


def _attributes(style: re.Match[str]) -> str:
    """Convert a style to attributes, because a page may forbid styles."""
    parts = (part.partition(":") for part in style[1].split(";") if part.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in parts)
