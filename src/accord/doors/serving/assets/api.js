// Requests to the server. Requests that change something need a header that forms of other sites cannot send.
import { language } from "./words.js";

const CHANGES = { "X-Accord": "1" };

/** The server refused a request, with an error message of one line. */
export class Refused extends Error {
  constructor(status, { error = "", restarted = false } = {}) {
    super(error);
    this.status = status; // a proxy may refuse without a message
    this.restarted = restarted;
  }
}

/** The server does not answer. */
export class Gone extends Error {}

async function ask(method, path, body, signal) {
  const json = body !== undefined;
  const headers = { ...(method === "GET" ? {} : CHANGES), ...(json ? { "Content-Type": "application/json" } : {}) };
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: json ? JSON.stringify(body) : undefined, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Gone(error.message);
  }
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
  return answer.status === 204 ? null : answer.json();
}

const query = (values) => new URLSearchParams(values).toString();
const escaped = (path) => path.split("/").map(encodeURIComponent).join("/");

export const about = () => ask("GET", "/api/about");
export const check = (spec, project, signal) => ask("GET", `/api/check?${query({ spec, project })}`, undefined, signal);
export const projects = async () => (await ask("GET", "/api/projects")).projects;
export const project = (id) => ask("GET", `/api/projects/${id}`);
export const create = (name) => ask("POST", "/api/projects", { name });
export const change = (id, what) => ask("PATCH", `/api/projects/${id}`, what);
export const remove = (id) => ask("DELETE", `/api/projects/${id}`);
export const removeFile = (id, path) => ask("DELETE", `/api/projects/${id}/files/${escaped(path)}`);
export const example = (id, name) => ask("POST", `/api/projects/${id}/example`, { name });
export const decisions = (id, job) => ask("GET", `/api/projects/${id}/decisions?${query({ job })}`);
export const decide = (id, job, made) => ask("PUT", `/api/projects/${id}/decisions`, { job, decisions: made });
export const start = (id, command, options) => ask("POST", `/api/projects/${id}/jobs`, { command, options, language });
export const job = (id, after, signal) => ask("GET", `/api/jobs/${id}${after === undefined ? "" : `?${query({ after })}`}`, undefined, signal);
export const cancel = (id) => ask("DELETE", `/api/jobs/${id}`);
export const result = (id) => ask("GET", `/api/jobs/${id}/result`);
export const output = (id, name) => ask("GET", fileOf(id, name));
export const text = async (id, name) => (await fetch(fileOf(id, name))).text();

export const fileOf = (id, name, download = false) => `/api/jobs/${id}/files/${escaped(name)}${download ? "?download=1" : ""}`;
export const everything = (id) => `/api/jobs/${id}/everything.zip`;
export const wholeProject = (id) => `/api/projects/${id}/everything.zip`;
export const decisionsFile = (id, job) => `/api/projects/${id}/decisions.csv?${query({ job })}`;

/** Upload a file and report the bytes sent so far. fetch does not report progress, so this uses XMLHttpRequest. */
export function upload(id, path, file, sent, signal) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/api/projects/${id}/files/${escaped(path)}`);
    request.setRequestHeader("X-Accord", CHANGES["X-Accord"]);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => sent(event.loaded));
    request.addEventListener("load", () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* a proxy may answer with HTML */ }
      if (request.status < 400) done(answer);
      else fail(new Refused(request.status, answer));
    });
    request.addEventListener("error", () => fail(new Gone(path)));
    request.addEventListener("abort", () => fail(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
