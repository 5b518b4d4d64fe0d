// Downloads: files, and the command lines and Python code that give the same results.
import * as api from "./api.js";
import { code } from "./jobs.js";
import { downloads } from "./decide.js";
import { el, theirs } from "./dom.js";
import { isCurrent, isDone, state } from "./state.js";
import { known, t } from "./words.js";

export async function show(place) {
  const newest = new Map(); // the newest job of each command and variable
  for (const job of state.project.jobs) {
    const what = `${job.command} ${job.options.reading?.label ?? ""}`;
    if (isDone(job) && (!newest.has(what) || isMade(job, newest.get(what)))) newest.set(what, job);
  }
  place.append(
    el("h1", {}, t("take.title")), el("p", { class: "lead" }, t("take.lead")),
    newest.size ? el("div", { class: "go" }, el("a", { class: "plain main", id: "whole", href: api.wholeProject(state.project.id), download: "accord.zip" }, t("take.whole"))) : "",
    ...[...newest.values()].map(one));
}

/** A gold standard with decisions is kept, although a newer job only lists disagreements. */
const isMade = (job, newer) => job.options.decisions && !newer.options.decisions && isCurrent(job);

function one(job) {
  const id = `take-${job.id}`;
  return el("section", { "aria-labelledby": id },
    el("h2", { id }, known(`take.${job.command}`) ? t(`take.${job.command}`) : theirs(job.command), job.options.reading?.label && [": ", theirs(job.options.reading.label.join(", "))]),
    el("div", { class: "go" }, el("a", { class: "plain", href: api.everything(job.id), download: `accord-${job.command}.zip` }, t("take.everything"))),
    downloads(job),
    el("h3", {}, t("same.line")), code(job.command_line, t("same.line")),
    el("h3", {}, t("same.python")), code(job.python, t("same.python")));
}
