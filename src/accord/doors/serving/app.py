"""The routes of the page.

Every request needs the cookie that `GET /?token=…` sets (or, with `--password-file`, `POST /login`). A request that
changes something also needs the header `X-Accord: 1`. Answers are JSON unless the table lists another type. A refusal
is `{"error": "one line"}` with a status of 400 or above:

    400 malformed · 401 {"error", "restarted": true}: the cookie is from an earlier server · 403 no cookie,
    wrong token, foreign Origin or Host, X-Accord missing · 404 does not exist, or belongs to another user · 409 the job
    is still running · 413 upload too large · 422 wrong name or value · 429 the queue is full

| route | body | answer |
|---|---|---|
| `GET /` | | the page: assets/page.html. `?token=…` sets the cookie and redirects to `/` |
| `GET /assets/{name}`, `GET /words/{language}.json` | | files of assets/ and words/; report.css: style of reports |
| `POST /login` | `password=…` (a form) | with --password-file: the cookie, and a redirect to `/` |
| `GET /api/about` | | About, below |
| `GET /api/check?spec=…&project=…` | | `{"spec"}` in full, or `{"error"}`; with a project, it may name files |
| `GET /api/projects` | | `{"projects": [Project]}`, newest first |
| `POST /api/projects` | `{"name": "…"}` or nothing | 201 Project |
| `GET /api/projects/{id}` | | Project |
| `PATCH /api/projects/{id}` | `{"name", "reading": {…}, "models": [] or null}` | Project; its jobs use these options |
| `DELETE /api/projects/{id}` | | 204; cancels its jobs and deletes its files |
| `PUT /api/projects/{id}/files/{path}` | the bytes of the file | 201 `{"path", "bytes"}`; replaces an existing file |
| `DELETE /api/projects/{id}/files/{path}` | | 204; deletes a folder with its files |
| `GET /api/projects/{id}/files/{path}` | | the bytes, as a download |
| `POST /api/projects/{id}/example` | `{"name": …}` of About.examples | Project, with the files of the example |
| `GET /api/projects/{id}/decisions?job=…` | | `{"decisions": {key: decision}}` about the variable of the job |
| `PUT /api/projects/{id}/decisions` | `{"job": gold job, "decisions": {key: decision}}` | all; `""` deletes one |
| `GET /api/projects/{id}/decisions.csv?job=…` | | the file for `accord gold --decisions`, as a download |
| `POST /api/projects/{id}/jobs` | `{"command", "options": {…}, "language"}` | 201 Job |
| `GET /api/jobs/{id}?after=N` | | Job; with `after`, waits at most 25 s until `version` is above N |
| `DELETE /api/jobs/{id}` | | Job; cancels it if it is queued or running |
| `GET /api/jobs/{id}/result` | | the output of `accord COMMAND … --json` |
| `GET /api/jobs/{id}/files/{name}` | | an output; `?download=1` as a download |
| `GET /api/jobs/{id}/everything.zip` | | all outputs, run.toml, command line, Python code, decisions |
| `GET /api/projects/{id}/everything.zip` | | a folder for the newest result of each command, and decisions |

Project: `{"id", "name", "created", "files": [{"path", "bytes"}], "bytes", "reading": {…}, "models": annotators that
are models, or null if the user did not choose any, "jobs": [Job, newest first], "decisions": 3}`.

report.html has its own content security policy: show it in `<iframe sandbox="allow-scripts">`.

The project stores decisions in decisions.csv or, if a job reads one variable (`"label": ["stance"]`), in
decisions-about-stance.csv. No command reads these files as data. Upload such a file to continue earlier work.

Files below `second-upload/` belong to the second upload. Only `compare` reads them, as its second table.

Job: `{"id", "project", "command", "options", "state": "queued|running|done|failed|cancelled", "version", "progress":
{"what", "done", "total"} | null, "place": in the queue | null, "seconds", "error": line | null, "command_line",
"python", "outputs": [{"name", "bytes"}]}`. `error` is the message that the command line prints after `accord: `, or
states that the job was killed, ran out of memory or exceeded its time limit. `command_line` and `python` give the same
numbers in a folder with the uploaded files.

`options` are the options of the command line as JSON, with _ for - and lists for repeatable ones. About.commands
contains their JSON schemas, derived from the declarations of the commands. There `x-heading` is the group of an option,
`x-rare` marks rarely needed options, `x-propose` names the suggestions (columns, measures, …), and `x-metavar` is the
notation of the value. assets/options.js builds the forms of the page from the schemas. Reading options are in
`"reading": {…}` (the fields of accord.data.io.Reading) and override those of the project. `"paths"` is a list of
uploads; by default, a job reads all. `plan` reads data only if `"paths"` is "all" or a list. gold has two more options:
`to` (a format), and `text` (the column with the texts of items). If its option `decisions` is true, it uses the
decisions made on the page. If an option is wrong, the job fails with the message of the command line.

Every job writes result.json, table.csv, text.txt (the printed text), run.toml, command.txt and code.py. score
and compare also write table.tex and table.md; report writes report.html; read writes understood.json.

Understood: `{"tables": [{"path", "columns": [{"name", "role": a role of About.roles|unclear|"", "reason", "confidence":
sure|likely|unsure|declared|"", "examples": [at most 3], "values": [first few], "distinct": 12}], "rows": [[cell, …] of
the first 20]}], "variables": {name: {"kind", "title", "about": [lines], "described": [[what, fact]], "notes":
[warnings], "annotators": [] | null, "models": [] by their names, "n_annotators", "n_items", "categories": [] in order |
null (too many), "numbers": bool, "order": "declared|alphabet|" (alphabet: sorted, no order was declared), "usual":
[specs], "main": spec, "measurement": Level | null, "first": {"columns", "rows"}}}, "reading": {options of the user},
"ways": [{"reading": {options}, "variables": {name: {count: n}}}]}`. The columns have the roles of `accord map`; the
reading option `"role": ["a+b=item", "c=ignore"]` changes them. If `read` fails, there are no variables: the user needs
the columns to change the reading options. Then `ways` has the readings that the message suggests: options that replace
those of the user, and the counts of the data that accord reads with them.

Level: `{"level", "basis": "stated|file|labels|assumed", "reason", "possible": {level: null, or the reason why these
labels cannot have it}, "values": {level: α}}`. The reading option `"measurement": ["ordinal"]` or `["tone=ordinal"]`
states it. If it is assumed, `values` has α at each level that the labels may have, the assumed one first.

A report names controls of the page in `"language"` (default: en).

gold writes gold.csv, soft.jsonl, adjudicate.csv, adjudicate.json; with `to` (a format) also gold-FORMAT.zip or
gold.SUFFIX. adjudicate.json: `{"people": [], "labels": [], "in_units": bool, "total", "open", "rows": [{"key", "item"
| "doc", "start", "end", "open": bool, "tie": "label|in or out|place", "said": {annotator: label}, "alternatives":
{label: share}, "label": | null, "decided": bool, "text"}]}`, largest disagreement first: undecided
cases, then cases decided by a majority or a person; at most 5,000 rows. "text" is the text of an item, or `{"before",
"inside", "after"}` for a unit; "" if it is unknown. A decision is a label, or `-` for no unit.

About: `{"version", "languages": ["en", "de"], "password": bool, "local": bool, "limits": {"max_upload", "max_total"
(bytes), "seconds", "memory", "workers", "waiting"}, "examples": [{"name", "kind", "files", "summary"}], "measures":
[{"name", "title", "kind", "group", "summary", "source"}], "kinds": {kind: {"title", "words", "noun", "usual": [specs],
"main", "layouts"}}, "formats": [{"name", "title", "suffixes", "holds", "annotators", "written": bool}], "intervals":
{name: what}, "scales": [], "roles": [of a column], "levels": [of measurement], "choices": {option of reading:
[values]}, "commands": {command: JSON schema of its options}, "guide": all of accord.answers.advising.tree}`. The guide
is the command `advise`.
"""

from __future__ import annotations

import json
import re
import secrets
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
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
from accord.doors.serving.access import WORDS, Guard, languages, read_body
from accord.doors.serving.commands import holds_decisions
from accord.doors.serving.jobs import DONE, Job, QueueFull
from accord.doors.serving.projects import EXAMPLES, TooLarge, Workspace, load_decisions, record_decisions

ASSETS = Path(__file__).parent / "assets"
# The page shares the style sheet of reports.
REPORT_STYLE = Path(__file__).parents[2] / "answers" / "reporting" / "assets" / "page.css"
_LONGEST_WAIT = 25.0  # seconds until a request about an unchanged job is answered
_MOST_DIGITS = 18
_LONGEST_FOLDER = 60  # characters of a name in a zip
_LONGEST_NAME = 200  # characters of the name of a project
_LONGEST_JSON = 4 << 20  # bytes of a request
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
          ".json": "application/json", ".csv": "text/csv", ".zip": "application/zip"}  # fmt: skip
# The script of a report runs in a sandbox with its own origin and without network access.
_REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
# In any other output that the user opens, no code runs.
_OUTPUT_POLICY = "sandbox; default-src 'none'; frame-ancestors 'self'"

Endpoint = Callable[[Workspace, Request], Awaitable[Response]]


def application(workspace: Workspace) -> Starlette:
    """Return the application: all routes, protected by the guard."""
    routes = [Route(path, partial(endpoint, workspace), methods=[method]) for method, path, endpoint in _ROUTES]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(workspace.sweep)
            yield
            tasks.cancel_scope.cancel()

    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, access=workspace.access)],
        exception_handlers={HTTPException: _answer_http_error, AccordError: _answer_error},
        lifespan=lifespan,
    )


async def _answer_http_error(_: Request, error: Any) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


async def _answer_error(_: Request, error: Exception) -> Response:
    status = 413 if isinstance(error, TooLarge) else 429 if isinstance(error, QueueFull) else 422
    code = getattr(error, "code", "usage")
    return JSONResponse({"error": one_line(f"{error} [{code}]"), "code": code}, status)


async def _read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body of a request, empty without a body."""
    body = await read_body(request, _LONGEST_JSON)
    if body is None:
        raise HTTPException(413, "the request is too long")
    try:
        content = json.loads(body or b"{}")
        json.dumps(
            content, ensure_ascii=False, allow_nan=False
        ).encode()  # responses repeat it, so it must be valid JSON
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is not JSON") from None
    if not isinstance(content, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return content


def _object(content: dict[str, Any], name: str) -> dict[str, Any]:
    value = content.get(name) or {}
    if not isinstance(value, dict):
        raise HTTPException(400, f"{name} must be a JSON object")
    return value


def _send_file(path: Path, policy: str | None = None, download: bool = False, name: str | None = None) -> Response:
    """Send a file. The policy limits the code that a browser runs in it."""
    if not path.is_file():
        raise HTTPException(404, "this file does not exist")
    media_type = _TYPES.get(path.suffix, "text/plain")
    headers = {} if policy is None else {"content-security-policy": policy}
    filename = (name or path.name) if download else None
    return FileResponse(path, headers=headers, media_type=media_type, filename=filename)


# -- the page -------------------------------------------------------------------------------------------------------


async def get_page(_: Workspace, __: Request) -> Response:
    return _send_file(ASSETS / "page.html")


async def get_asset(_: Workspace, request: Request) -> Response:
    path = request.path_params["path"]
    return _send_file(REPORT_STYLE) if path == "report.css" else _send_own(ASSETS, path)


async def get_words(_: Workspace, request: Request) -> Response:
    return _send_own(WORDS, request.path_params["path"])


def _send_own(folder: Path, path: str) -> Response:
    """Send a file of the package. Only existing names are accepted, so that no path leads out of the folder."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    if path not in files:
        raise HTTPException(404, "this file does not exist")
    return _send_file(files[path])


async def get_about(workspace: Workspace, _: Request) -> Response:
    job = workspace.ask_about()
    while not job.over:
        await job.wait_for_change(job.version, _LONGEST_WAIT)
    if job.error:
        raise HTTPException(500, job.error)
    about = json.loads(await to_thread.run_sync((job.out / "about.json").read_text, "utf-8"))
    uploads, each, queue = workspace.limits, workspace.queue.job_limits, workspace.queue.queue_limits
    about |= {
        "examples": [example.as_dict() for example in EXAMPLES],
        "languages": languages(),
        "password": workspace.access.password is not None,
        "local": workspace.local,
        "limits": {
            "max_upload": uploads.file, "max_total": uploads.total, "seconds": each.seconds, "memory": each.memory,
            "workers": queue.workers, "waiting": queue.waiting_each,
        },
    }  # fmt: skip
    return JSONResponse(about)


async def check_spec(workspace: Workspace, request: Request) -> Response:
    query = request.query_params
    project = workspace.find_project(request) if "project" in query else None
    return JSONResponse(await workspace.check_spec(query.get("spec", ""), project))


# -- projects -------------------------------------------------------------------------------------------------------


async def list_projects(workspace: Workspace, request: Request) -> Response:
    projects = workspace.projects_of(request.state.user)
    return JSONResponse({"projects": [await workspace.describe_project(project) for project in projects]})


async def new_project(workspace: Workspace, request: Request) -> Response:
    content = await _read_json(request)
    project = workspace.new_project(request.state.user, str(content.get("name") or "")[:_LONGEST_NAME])
    return JSONResponse(await workspace.describe_project(project), 201)


async def get_project(workspace: Workspace, request: Request) -> Response:
    return JSONResponse(await workspace.describe_project(workspace.find_project(request)))


async def change_project(workspace: Workspace, request: Request) -> Response:
    project, content = workspace.find_project(request), await _read_json(request)
    if "name" in content:
        project.name = str(content["name"] or "")[:_LONGEST_NAME]
    if "reading" in content:
        project.reading = _object(content, "reading")
    if "models" in content:
        models = content["models"]
        if models is not None and not (isinstance(models, list) and all(isinstance(name, str) for name in models)):
            raise HTTPException(400, "models must be a list of names or null")
        project.models = models
    return JSONResponse(await workspace.describe_project(project))


async def remove_project(workspace: Workspace, request: Request) -> Response:
    await workspace.remove(workspace.find_project(request))
    return Response(status_code=204)


async def put_file(workspace: Workspace, request: Request) -> Response:
    project, path = workspace.find_project(request), request.path_params["path"]
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else None
    try:
        received = await project.receive(path, request.stream(), size, workspace.quota(request.state.user))
    except ClientDisconnect:
        raise HTTPException(400, "the upload was interrupted; try again") from None
    if holds_decisions(path):
        try:
            await to_thread.run_sync(load_decisions, project.path_of(path))
        except AccordError:
            project.remove(path)
            raise
    return JSONResponse({"path": path, "bytes": received}, 201)


async def get_file(workspace: Workspace, request: Request) -> Response:
    file = workspace.find_project(request).path_of(request.path_params["path"])
    return _send_file(file, _OUTPUT_POLICY, download=True)


async def remove_file(workspace: Workspace, request: Request) -> Response:
    if not await to_thread.run_sync(workspace.find_project(request).remove, request.path_params["path"]):
        raise HTTPException(404, "this file does not exist")
    return Response(status_code=204)


async def add_example(workspace: Workspace, request: Request) -> Response:
    project, content = workspace.find_project(request), await _read_json(request)
    example = next((example for example in EXAMPLES if example.name == content.get("name")), None)
    if example is None:
        raise HTTPException(404, "this example does not exist")
    await to_thread.run_sync(project.copy_example, example)
    project.name = project.name or example.name
    return JSONResponse(await workspace.describe_project(project))


# -- decisions ------------------------------------------------------------------------------------------------------


def _decisions_file(workspace: Workspace, request: Request) -> Path:
    """The decisions file of the variable of a job (`?job=…`), else of the project."""
    project, job = workspace.find_project(request), workspace.jobs.get(request.query_params.get("job", ""))
    if job is not None and job.project == project.id:
        return project.decisions_file(job.options["reading"])
    return project.decisions_file(project.reading)


async def get_decisions(workspace: Workspace, request: Request) -> Response:
    decisions = await to_thread.run_sync(load_decisions, _decisions_file(workspace, request))
    return JSONResponse({"decisions": decisions})


async def put_decisions(workspace: Workspace, request: Request) -> Response:
    project, content = workspace.find_project(request), await _read_json(request)
    new = {str(key): str(value or "") for key, value in _object(content, "decisions").items()}
    job = workspace.jobs.get(str(content.get("job")))
    if job is None or job.project != project.id:
        raise HTTPException(404, "this job does not exist")
    table = project.decisions_file(job.options["reading"])
    decisions = await to_thread.run_sync(record_decisions, table, job.out / "adjudicate.csv", new)
    return JSONResponse({"decisions": decisions})


async def get_decisions_file(workspace: Workspace, request: Request) -> Response:
    file = _decisions_file(workspace, request)
    if not file.is_file():
        raise HTTPException(404, "there are no decisions yet")
    return _send_file(file, _OUTPUT_POLICY, download=True)


# -- jobs -----------------------------------------------------------------------------------------------------------


async def new_job(workspace: Workspace, request: Request) -> Response:
    project, content = workspace.find_project(request), await _read_json(request)
    options = _object(content, "options")
    options["reading"] = project.reading | _object(options, "reading")
    language = content.get("language")
    language = language if language in languages() else languages()[0]
    job = workspace.new_job(project, str(content.get("command")), options, language)
    return JSONResponse(workspace.describe_job(job), 201)


async def get_job(workspace: Workspace, request: Request) -> Response:
    job = workspace.find_job(request)
    after = request.query_params.get("after", "")
    if after.isdecimal() and len(after) < _MOST_DIGITS:
        await job.wait_for_change(int(after), _LONGEST_WAIT)
    return JSONResponse(workspace.describe_job(job))


async def cancel_job(workspace: Workspace, request: Request) -> Response:
    job = workspace.find_job(request)
    await to_thread.run_sync(workspace.queue.cancel, job)
    while not job.over:
        await job.wait_for_change(job.version, _LONGEST_WAIT)
    return JSONResponse(workspace.describe_job(job))


def _check_over(job: Job) -> None:
    if not job.over:
        raise HTTPException(409, "the job is still running")


async def get_output(workspace: Workspace, request: Request) -> Response:
    job, name = workspace.find_job(request), request.path_params.get("name", "result.json")
    _check_over(job)
    files = {file.name: file for file in job.outputs()}
    if name not in files:
        raise HTTPException(404, "this file does not exist")
    policy = _REPORT_POLICY if files[name].suffix == ".html" else _OUTPUT_POLICY
    return _send_file(files[name], policy, download=request.query_params.get("download") == "1")


async def get_job_zip(workspace: Workspace, request: Request) -> Response:
    job = workspace.find_job(request)
    _check_over(job)
    table = workspace.projects[job.project].decisions_file(job.options["reading"])
    files = [*job.outputs(), *([table] if table.is_file() else [])]
    return await _send_zip(workspace, {file.name: file for file in files}, f"accord-{job.command}.zip")


async def get_project_zip(workspace: Workspace, request: Request) -> Response:
    """Send a folder for the newest result of each command and variable, and the decisions."""
    project = workspace.find_project(request)
    newest: dict[tuple[str, ...], Job] = {}
    current = True  # False for jobs older than the last reading
    for job in workspace.jobs_of(project):
        current = current and job.command != "read"
        if job.state == DONE:
            question = (job.command, *map(str, job.options["reading"].get("label") or ()))
            newer = newest.setdefault(question, job)
            if current and job.options.get("decisions") and not newer.options.get("decisions"):
                newest[question] = job  # keep a gold standard with decisions, although a later one has none
    if not newest:
        raise HTTPException(404, "there are no results yet")
    files: dict[str, Path] = {}
    for name, job in zip(folder_names(list(newest)), newest.values(), strict=True):
        files |= {f"{name}/{file.name}": file for file in job.outputs()}
    files |= {file.name: file for file in await to_thread.run_sync(project.decision_files)}
    return await _send_zip(workspace, files, "accord.zip")


def folder_names(questions: list[tuple[str, ...]]) -> list[str]:
    """Return a different folder name for each command and its variables, valid on every system."""
    names: list[str] = []
    for question in questions:
        name = re.sub(r"[^\w-]", "_", "-".join(question))[:_LONGEST_FOLDER]
        while name.lower() in {other.lower() for other in names}:
            name += "-2"
        names.append(name)
    return names


async def _send_zip(workspace: Workspace, files: dict[str, Path], name: str) -> Response:
    """Send a zip and delete it afterwards."""
    packed = workspace.folder.path / f"packed-{secrets.token_hex(8)}.zip"
    await to_thread.run_sync(_write_zip, files, packed)
    response = _send_file(packed, download=True, name=name)
    response.background = BackgroundTask(packed.unlink, missing_ok=True)
    return response


def _write_zip(files: dict[str, Path], target: Path) -> None:
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.write(file, name)


_ROUTES: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/", get_page),
    ("GET", "/assets/{path:path}", get_asset),
    ("GET", "/words/{path:path}", get_words),
    ("GET", "/api/about", get_about),
    ("GET", "/api/check", check_spec),
    ("GET", "/api/projects", list_projects),
    ("POST", "/api/projects", new_project),
    ("GET", "/api/projects/{project}", get_project),
    ("PATCH", "/api/projects/{project}", change_project),
    ("DELETE", "/api/projects/{project}", remove_project),
    ("PUT", "/api/projects/{project}/files/{path:path}", put_file),
    ("GET", "/api/projects/{project}/files/{path:path}", get_file),
    ("DELETE", "/api/projects/{project}/files/{path:path}", remove_file),
    ("POST", "/api/projects/{project}/example", add_example),
    ("GET", "/api/projects/{project}/decisions", get_decisions),
    ("PUT", "/api/projects/{project}/decisions", put_decisions),
    ("GET", "/api/projects/{project}/decisions.csv", get_decisions_file),
    ("GET", "/api/projects/{project}/everything.zip", get_project_zip),
    ("POST", "/api/projects/{project}/jobs", new_job),
    ("GET", "/api/jobs/{job}", get_job),
    ("DELETE", "/api/jobs/{job}", cancel_job),
    ("GET", "/api/jobs/{job}/result", get_output),
    ("GET", "/api/jobs/{job}/files/{name}", get_output),
    ("GET", "/api/jobs/{job}/everything.zip", get_job_zip),
)
