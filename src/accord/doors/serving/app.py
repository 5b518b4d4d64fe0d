"""The routes of the page.

Every request needs the cookie that `GET /?token=…` sets (or, with `--password-file`, `POST /login`). Everything that
changes something needs the header `X-Accord: 1`, too. Answers are JSON unless said otherwise. What is refused is
`{"error": "one line"}` with a status of 400 and above:

    400 malformed · 401 {"error", "restarted": true}: the cookie is of a server that is gone · 403 no cookie, wrong
    token, foreign Origin or Host, X-Accord missing · 404 not there, or somebody else's · 409 not now (a job runs) ·
    413 upload too large · 422 a name or value that is wrong · 429 the queue is full

| route | body | answer |
|---|---|---|
| `GET /` | | the page: assets/page.html. `?token=…` sets the cookie and redirects to `/` |
| `GET /assets/{name}`, `GET /words/{language}.json` | | files of assets/ and words/; report.css is that of reports |
| `POST /login` | `password=…` (a form) | with --password-file: the cookie, and a redirect to `/` |
| `GET /api/about` | | About, below |
| `GET /api/check?spec=…&project=…` | | `{"spec"}`, as it is written in full, or `{"error"}`; without project no files |
| `GET /api/projects` | | `{"projects": [Project]}`, newest first |
| `POST /api/projects` | `{"name": "…"}` or nothing | 201 Project |
| `GET /api/projects/{id}` | | Project |
| `PATCH /api/projects/{id}` | `{"name", "reading": {…}, "models": [] or null}` | Project; all jobs read like this |
| `DELETE /api/projects/{id}` | | 204; its jobs are cancelled, its files removed |
| `PUT /api/projects/{id}/files/{path}` | the bytes of the file | 201 `{"path", "bytes"}`; replaces one of that name |
| `DELETE /api/projects/{id}/files/{path}` | | 204; a folder with all in it |
| `GET /api/projects/{id}/files/{path}` | | the bytes, as a download |
| `POST /api/projects/{id}/example` | `{"name": …}` of About.examples | Project, with the files of the example |
| `GET /api/projects/{id}/decisions?job=…` | | `{"decisions": {key: decision}}` about the variable that the job read |
| `PUT /api/projects/{id}/decisions` | `{"job": gold job, "decisions": {key: decision}}` | all; `""` takes one back |
| `GET /api/projects/{id}/decisions.csv?job=…` | | the file for `accord gold --decisions`, as a download |
| `POST /api/projects/{id}/jobs` | `{"command", "options": {…}}` | 201 Job |
| `GET /api/jobs/{id}?after=N` | | Job; with `after` it waits (25 s at most) until `version` is above N |
| `DELETE /api/jobs/{id}` | | Job: cancelled when it was queued or running |
| `GET /api/jobs/{id}/result` | | exactly what `accord COMMAND … --json` prints |
| `GET /api/jobs/{id}/files/{name}` | | an output; `?download=1` as a download |
| `GET /api/jobs/{id}/everything.zip` | | all outputs, run.toml, command line, Python code, decisions |
| `GET /api/projects/{id}/everything.zip` | | a folder for the newest answer of each command, and decisions |

Project: `{"id", "name", "created", "files": [{"path", "bytes"}], "bytes", "reading": {…}, "models": annotators that
are no people, or null: nobody said it, "jobs": [Job, newest first], "decisions": 3}`.

report.html has a policy of its own: show it in `<iframe sandbox="allow-scripts">`.

Decisions are kept in files of the project that `read` and all others leave aside: decisions.csv; where a job reads one
variable (`"label": ["stance"]`), decisions-about-stance.csv. Such a file can be uploaded, to go on.

A file whose path begins with `second-upload/` is the other upload to compare with: `read` and all others leave it
aside, `compare` takes it as its second table.

Job: `{"id", "project", "command", "options", "state": "queued|running|done|failed|cancelled", "version", "progress":
{"what", "done", "total"} | null, "place": in the queue | null, "seconds", "error": line | null, "command_line",
"python", "outputs": [{"name", "bytes"}]}`. `error` is what stands behind `accord: ` on the command line, or that the
job was killed, out of memory or out of time. `command_line` and `python` give the same numbers in a folder that holds
the uploaded files.

`options` are the fields of the command's plan (src/accord/plans), as JSON: names of the options of the command line
with _ for -, lists for what is repeatable. Those that say how data are read stand in `"reading": {…}` (those of
accord.data.io.Reading: layout, item, annotator, label [], missing [], categories [], annotators [], doc, start, end,
format, …), which is laid over what the project keeps. Those of intervals stand beside the others ("interval", "level",
"replicates", …). `"paths"`: which uploads (a list), where not all; `plan` takes no data unless it is told `"paths":
"all"`. What an option cannot be is said by the job: its state is failed, and `error` is the line of the command line.

| command | fields | outputs beside result.json, table.csv, text.txt (what the screen would show) |
|---|---|---|
| read | | understood.json (Understood, below) |
| advise | say [], reference, models, tree | |
| score | measures [], by [], matrix, marginals, scales [], explain, cite | table.tex, table.md |
| report | measures [], by, meaning, text, title | report.html |
| disagreements | measure | |
| gold | method, boundaries, threshold, measure, decisions (true: those of the page), to, text | see below |
| compare | measures [], spec_b, annotators_a, annotators_b, group [], by, paired, method, interval, … | |
| plan | width, difference, null, power, documents, people, per_document, crossing, replace, … | |
| annotators, influence, trend, intra, limits, replace, cite, check, meaning | as on the command line | |

Understood: `{"tables": [{"path", "columns": [{"name", "role": item|annotator|annotator's
labels|label|doc|start|end|"", "values": [first few], "distinct": 12}], "rows": [[cell, …] of the first 20]}],
"variables": {name: {"kind", "title", "about": [lines], "described": [[what, fact]], "notes": [warnings], "annotators":
[] | null, "models": [] by their names, "n_annotators", "n_items", "categories": [] in order | null (too many),
"numbers": bool, "order": "declared|alphabet|" (alphabet: words, nobody said their order), "usual": [specs], "main":
spec, "first": {"columns", "rows"}}}, "reading": {what was said}}`. It is there (with tables alone) when `read` failed,
too: the columns are what a person needs to correct it.

gold makes gold.csv, soft.jsonl, adjudicate.csv, adjudicate.json; with `to` (a format) also gold-FORMAT.zip or
gold.SUFFIX. adjudicate.json: `{"people": [], "labels": [], "in_units": bool, "total", "open", "rows": [{"key", "item"
| "doc", "start", "end", "open": bool, "tie": "label|in or out|place", "said": {annotator: label}, "alternatives":
{label: share}, "label": | null, "decided": bool, "text"}]}`, worst first: what is not settled, then what a majority or
a person settled; 5,000 rows at most. The text of an item is what the column has that the option `text` names; that of a
unit is `{"before", "inside", "after"}`; "": unknown. A decision is a label; of a unit also `-` (no unit).

About: `{"version", "languages": ["en", "de"], "password": bool, "local": bool, "limits": {"max_upload", "max_total"
(bytes), "seconds", "memory", "workers", "waiting"}, "examples": [{"name", "kind", "files", "summary"}], "measures":
[{"name", "title", "kind", "group", "summary", "source"}], "kinds": {kind: {"title", "words", "noun", "usual": [specs],
"main", "layouts"}}, "formats": [{"name", "title", "suffixes", "holds", "annotators", "written": bool}], "intervals":
{name: what}, "scales": [], "choices": {option of reading: [values]}, "commands": {command: [options]}, "guide": all of
accord.answers.advising.tree}`. The guide is the command `advise`.

The pages before one comes in (entry.py) take their words from words/LANGUAGE.json: `entry.forbidden` (This page needs
the whole URL that accord serve printed, with its token.), `entry.restarted` (This server was started anew; open the
URL it printed.), `entry.password` (This server asks for a password.), `entry.wrong` (That was not the password.),
`entry.label` (Password), `entry.enter` (Enter), `entry.go_on` (If you have just opened that URL, go on here.).
"""

from __future__ import annotations

import json
import re
import secrets
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from accord.core.errors import AccordError, one_line
from accord.doors.serving.access import Guard
from accord.doors.serving.commands import holds_decisions
from accord.doors.serving.entry import WORDS, languages
from accord.doors.serving.examples import EXAMPLES, example_named
from accord.doors.serving.house import House
from accord.doors.serving.jobs import DONE, Job, QueueFull
from accord.doors.serving.uploads import TooLarge, decided

ASSETS = Path(__file__).parent / "assets"
# The page looks like the reports.
LOOK_OF_REPORTS = Path(__file__).parents[2] / "answers" / "reporting" / "assets" / "page.css"
_WAITS = 25.0  # seconds: a question about a job is answered by then, changed or not
_MOST_DIGITS = 18
_LONGEST_FOLDER = 60  # characters of a name in a zip
_MOST_JSON = 4 << 20  # bytes of a question
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
          ".json": "application/json", ".csv": "text/csv", ".zip": "application/zip"}  # fmt: skip
# A report has a script and a policy of its own: it runs as a stranger, and reaches nothing.
_OF_REPORTS = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
# Anything else that a job made, opened by itself: it is shown, and does nothing.
_OF_OUTPUTS = "sandbox; default-src 'none'; frame-ancestors 'self'"


def application(house: House) -> Starlette:
    """All routes, behind the guard."""
    routes = [Route(path, _endpoint(house, answer), methods=[method]) for method, path, answer in _ROUTES]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(house.sweep)
            yield
            tasks.cancel_scope.cancel()

    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, access=house.access)],
        exception_handlers={HTTPException: _not_there, AccordError: _refused},
        lifespan=lifespan,
    )


Answer = Callable[[House, Request], Awaitable[Response]]


def _endpoint(house: House, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await answer(house, request)

    return endpoint


async def _not_there(_: Request, error: Any) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


async def _refused(_: Request, error: Exception) -> Response:
    status = 413 if isinstance(error, TooLarge) else 429 if isinstance(error, QueueFull) else 422
    return JSONResponse({"error": one_line(str(error))}, status)


async def _asked(request: Request) -> dict[str, Any]:
    """The JSON object of a question, if it is one."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_JSON:
            raise HTTPException(413, "the question is too long")
    try:
        found = json.loads(body or b"{}")
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()  # what is asked is said again
    except (ValueError, RecursionError):
        raise HTTPException(400, "this is no JSON") from None
    if not isinstance(found, dict):
        raise HTTPException(400, "this is no JSON object")
    return found


def _table(asked: dict[str, Any], name: str) -> dict[str, Any]:
    found = asked.get(name) or {}
    if not isinstance(found, dict):
        raise HTTPException(400, f"{name} is a JSON object")
    return found


def _file(path: Path, policy: str | None = None, download: bool = False, name: str | None = None) -> Response:
    """A file as it is; nothing of it runs but what the policy lets."""
    kind = _TYPES.get(path.suffix, "text/plain")
    headers = {} if policy is None else {"content-security-policy": policy}
    return FileResponse(path, headers=headers, media_type=kind, filename=(name or path.name) if download else None)


# -- the page -------------------------------------------------------------------------------------------------------


async def page(_: House, __: Request) -> Response:
    return _file(ASSETS / "page.html")


async def asset(_: House, request: Request) -> Response:
    path = request.path_params["path"]
    return _file(LOOK_OF_REPORTS) if path == "report.css" else _below(ASSETS, path)


async def words(_: House, request: Request) -> Response:
    return _below(WORDS, request.path_params["path"])


def _below(folder: Path, path: str) -> Response:
    """One of our own files, by its name."""
    known = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    if path not in known:
        raise HTTPException(404, "there is no such file")
    return _file(known[path])


async def about(house: House, _: Request) -> Response:
    job = house.ask_about()
    while not job.over:
        await job.changed(job.version, _WAITS)
    if job.error:
        raise HTTPException(500, job.error)
    known = json.loads(await to_thread.run_sync((job.out / "about.json").read_text, "utf-8"))
    known["examples"] = [one.as_dict() for one in EXAMPLES]
    limits, bounds = house.jobs.limits, house.jobs.bounds
    known |= {"languages": languages(), "password": house.access.password is not None, "local": house.local}
    known["limits"] = {
        "max_upload": house.bounded.upload, "max_total": house.bounded.total, "seconds": limits.seconds,
        "memory": limits.memory, "workers": bounds.workers, "waiting": bounds.waiting_each,
    }  # fmt: skip
    return JSONResponse(known)


async def check_spec(house: House, request: Request) -> Response:
    asked = request.query_params
    project = house.project(request) if "project" in asked else None
    return JSONResponse(await house.check(asked.get("spec", ""), project))


# -- projects -------------------------------------------------------------------------------------------------------


async def projects(house: House, request: Request) -> Response:
    return JSONResponse({"projects": [await house.described(one) for one in house.of(request.state.user)]})


async def new_project(house: House, request: Request) -> Response:
    asked = await _asked(request)
    project = house.new_project(request.state.user, str(asked.get("name") or "")[:200])
    return JSONResponse(await house.described(project), 201)


async def project(house: House, request: Request) -> Response:
    return JSONResponse(await house.described(house.project(request)))


async def change_project(house: House, request: Request) -> Response:
    found, asked = house.project(request), await _asked(request)
    if "name" in asked:
        found.name = str(asked["name"] or "")[:200]
    if "reading" in asked:
        found.reading = _table(asked, "reading")
    if "models" in asked:
        named = asked["models"]
        if named is not None and not (isinstance(named, list) and all(isinstance(one, str) for one in named)):
            raise HTTPException(400, "models is a list of names, or null")
        found.models = named
    return JSONResponse(await house.described(found))


async def remove_project(house: House, request: Request) -> Response:
    await house.remove(house.project(request))
    return Response(status_code=204)


async def put_file(house: House, request: Request) -> Response:
    found, path = house.project(request), request.path_params["path"]
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else None
    try:
        done = await found.receive(path, request.stream(), size, house.room(request.state.user))
    except ClientDisconnect:
        raise HTTPException(400, "the upload was broken off") from None
    if holds_decisions(path):
        try:
            await to_thread.run_sync(decided, found.file(path))
        except AccordError:
            found.remove(path)
            raise
    return JSONResponse({"path": path, "bytes": done}, 201)


async def get_file(house: House, request: Request) -> Response:
    place = house.project(request).file(request.path_params["path"])
    if not place.is_file():
        raise HTTPException(404, "there is no such file")
    return _file(place, _OF_OUTPUTS, download=True)


async def remove_file(house: House, request: Request) -> Response:
    if not await to_thread.run_sync(house.project(request).remove, request.path_params["path"]):
        raise HTTPException(404, "there is no such file")
    return Response(status_code=204)


async def example(house: House, request: Request) -> Response:
    found, asked = house.project(request), await _asked(request)
    chosen = example_named(str(asked.get("name")))
    if chosen is None:
        raise HTTPException(404, "there is no such example")
    await to_thread.run_sync(found.take, chosen)
    found.name = found.name or chosen.name
    return JSONResponse(await house.described(found))


async def decisions(house: House, request: Request) -> Response:
    return JSONResponse({"decisions": await to_thread.run_sync(decided, _decisions(house, request))})


def _decisions(house: House, request: Request) -> Path:
    """The file about the variable that a job read (`?job=…`); without one, that the project reads."""
    found, job = house.project(request), house.asked.get(request.query_params.get("job", ""))
    return found.decisions(job.options["reading"] if job is not None and job.project == found.id else found.reading)


async def decide(house: House, request: Request) -> Response:
    found, asked = house.project(request), await _asked(request)
    said = {str(key): str(value or "") for key, value in _table(asked, "decisions").items()}
    job = house.asked.get(str(asked.get("job")))
    if job is None or job.project != found.id:
        raise HTTPException(404, "there is no such job")
    table = found.decisions(job.options["reading"])
    made = await to_thread.run_sync(found.decide, said, job.out / "adjudicate.csv", table)
    return JSONResponse({"decisions": made})


async def decisions_file(house: House, request: Request) -> Response:
    place = _decisions(house, request)
    if not place.is_file():
        raise HTTPException(404, "nothing is decided yet")
    return _file(place, _OF_OUTPUTS, download=True)


# -- jobs -----------------------------------------------------------------------------------------------------------


async def new_job(house: House, request: Request) -> Response:
    found, asked = house.project(request), await _asked(request)
    options = _table(asked, "options")
    options["reading"] = found.reading | _table(options, "reading")
    job = house.new_job(found, str(asked.get("command")), options)
    return JSONResponse(house.shown(job), 201)


async def job(house: House, request: Request) -> Response:
    found = house.job(request)
    after = request.query_params.get("after", "")
    if after.isdecimal() and len(after) < _MOST_DIGITS:
        await found.changed(int(after), _WAITS)
    return JSONResponse(house.shown(found))


async def cancel_job(house: House, request: Request) -> Response:
    found = house.job(request)
    await to_thread.run_sync(house.jobs.cancel, found)
    while not found.over:
        await found.changed(found.version, _WAITS)
    return JSONResponse(house.shown(found))


async def result(house: House, request: Request) -> Response:
    return _file(_output(house.job(request), "result.json"), _OF_OUTPUTS)


async def output(house: House, request: Request) -> Response:
    place = _output(house.job(request), request.path_params["name"])
    policy = _OF_REPORTS if place.suffix == ".html" else _OF_OUTPUTS
    return _file(place, policy, download=request.query_params.get("download") == "1")


def _output(job: Job, name: str) -> Path:
    known = {one.name: one for one in job.outputs()} if job.over else {}
    if name not in known:
        raise HTTPException(404 if job.over else 409, "there is no such file" if job.over else "the job still runs")
    return known[name]


async def everything(house: House, request: Request) -> Response:
    found = house.job(request)
    if not found.over:
        raise HTTPException(409, "the job still runs")
    table = house.projects[found.project].decisions(found.options["reading"])
    files = [*found.outputs(), *([table] if table.is_file() else [])]
    return await _packed(house, {one.name: one for one in files}, f"accord-{found.command}.zip")


async def whole_project(house: House, request: Request) -> Response:
    """A folder for the newest answer of each command about each variable, and what was decided."""
    found = house.project(request)
    newest: dict[tuple[str, ...], Job] = {}
    current = True  # what was done before the data were read again is old
    for job in house.jobs_of(found):
        current = current and job.command != "read"
        if job.state == DONE:
            what = (job.command, *map(str, job.options["reading"].get("label") or ()))
            newer = newest.setdefault(what, job)
            if current and job.options.get("decisions") and not newer.options.get("decisions"):
                newest[what] = job  # somebody made it: a later look at what is disputed does not replace it
    if not newest:
        raise HTTPException(404, "nothing is done yet")
    files: dict[str, Path] = {}
    for name, job in zip(_folders(list(newest)), newest.values(), strict=True):
        files |= {f"{name}/{one.name}": one for one in job.outputs()}
    files |= {one.name: one for one in await to_thread.run_sync(found.all_decisions)}
    return await _packed(house, files, "accord.zip")


def _folders(asked: list[tuple[str, ...]]) -> list[str]:
    """Names that every system can have, one for each: commands with the variables they are about."""
    names: list[str] = []
    for one in asked:
        name = re.sub(r"[^\w-]", "_", "-".join(one))[:_LONGEST_FOLDER]
        while name.lower() in {other.lower() for other in names}:
            name += "-2"
        names.append(name)
    return names


async def _packed(house: House, files: dict[str, Path], name: str) -> Response:
    """A zip that is made for one download."""
    packed = house.private.path / f"packed-{secrets.token_hex(8)}.zip"
    await to_thread.run_sync(_pack, files, packed)
    response = _file(packed, download=True, name=name)
    response.background = BackgroundTask(packed.unlink, missing_ok=True)
    return response


def _pack(files: dict[str, Path], target: Path) -> None:
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.write(file, name)


_ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "/", page),
    ("GET", "/assets/{path:path}", asset),
    ("GET", "/words/{path:path}", words),
    ("GET", "/api/about", about),
    ("GET", "/api/check", check_spec),
    ("GET", "/api/projects", projects),
    ("POST", "/api/projects", new_project),
    ("GET", "/api/projects/{project}", project),
    ("PATCH", "/api/projects/{project}", change_project),
    ("DELETE", "/api/projects/{project}", remove_project),
    ("PUT", "/api/projects/{project}/files/{path:path}", put_file),
    ("GET", "/api/projects/{project}/files/{path:path}", get_file),
    ("DELETE", "/api/projects/{project}/files/{path:path}", remove_file),
    ("POST", "/api/projects/{project}/example", example),
    ("GET", "/api/projects/{project}/decisions", decisions),
    ("PUT", "/api/projects/{project}/decisions", decide),
    ("GET", "/api/projects/{project}/decisions.csv", decisions_file),
    ("POST", "/api/projects/{project}/jobs", new_job),
    ("GET", "/api/jobs/{job}", job),
    ("DELETE", "/api/jobs/{job}", cancel_job),
    ("GET", "/api/jobs/{job}/result", result),
    ("GET", "/api/jobs/{job}/files/{name}", output),
    ("GET", "/api/jobs/{job}/everything.zip", everything),
    ("GET", "/api/projects/{project}/everything.zip", whole_project),
)
