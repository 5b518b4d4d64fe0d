"""The few pages that one sees before coming in: they need no other file. Their words stand with those of the page."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from functools import cache
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse

WORDS = Path(__file__).parent / "words"
_STYLE = """
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1rem; }
input, button { font: inherit; padding: .4rem .6rem; }
"""
_ASKS = ("password", "wrong")  # pages with a form
_PAGE = Template("""<!DOCTYPE html>
<html lang="$language">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>accord</title><style>$style</style></head>
<body><main><h1>accord</h1><p>$says</p>$rest</main></body>
</html>
""")
_FORM = Template("""<form method="post" action="/login">
<p><label for="password">$label</label><br>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>$enter</button></p></form>""")


def page(request: Request, why: str, status: int) -> HTMLResponse:
    """`why`: forbidden, restarted, password, wrong, name, foreign; each is a sentence of the words, `entry.WHY`."""
    language = _preferred(request.headers.get("accept-language", ""))
    words = {name: html.escape(text) for name, text in _words(language).items()}
    if why in _ASKS:
        rest = _FORM.substitute(label=words["label"], enter=words["enter"])
    elif why == "name":
        rest = ""  # whatever this name leads to, it is not us
    else:
        rest = f'<p><a href="/">{words["go_on"]}</a></p>'  # from a link elsewhere, browsers send the cookie only now
    made = _PAGE.substitute(language=language, style=_STYLE, says=words[why], rest=rest)
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {"content-security-policy": policy}
    if why in _ASKS:  # without a referrer, browsers do not say either where a form comes from: it would be a stranger's
        headers["referrer-policy"] = "same-origin"
    return HTMLResponse(made, status, headers)


def languages() -> list[str]:
    """English first."""
    return sorted((file.stem for file in WORDS.glob("*.json")), key=lambda name: (name != "en", name))


def _preferred(accepted: str) -> str:
    """The first language that the browser asks for and that there is."""
    asked = [part.partition(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    return next((one for one in asked if one in languages()), "en")


@cache
def _words(language: str) -> dict[str, str]:
    """What stands under entry.NAME."""
    found: dict[str, str] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return {name.removeprefix("entry."): text for name, text in found.items() if name.startswith("entry.")}
