// A job on the page: what it does, how far it is, a way to cancel it, and what came of it.
import * as api from "./api.js";
import { button, el, fill, said, speak } from "./dom.js";
import { isOpen, refresh } from "./state.js";
import { many, t } from "./words.js";

const SOON = 250; // ms
let watching = new AbortController();

/** Whoever leaves a step stops watching; the job goes on. */
export function stopWatching() {
  watching.abort();
  watching = new AbortController();
}

/** What was refused, in the words of accord; a server that is gone is said above all steps. */
export function refusal(error, todo) {
  if (!(error instanceof api.Refused) || error.restarted || error.status === 403) throw error;
  return told(error.message, todo);
}

export const told = (line, todo) => el("div", { class: "error", role: "alert" }, said(line, "p", { class: "what" }), todo && el("p", {}, todo));

/** Starts a job in its place on the page, and follows it: `finished(job)` when it is done. */
export async function run(place, project, command, options, finished, todo) {
  place.replaceChildren();
  try {
    await follow(place, await api.start(project, command, options), finished, todo);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(place, refusal(error, todo));
  }
}

/** Shows a job until it ends. `todo`: what one can do where it failed. */
export async function follow(place, job, finished, todo) {
  const signal = watching.signal;
  const shown = panel(job);
  let now = job;
  const late = setTimeout(() => fill(place, shown.node), SOON); // what is done at once need not be announced
  try {
    while (isOpen(now)) {
      shown.update(now);
      now = await api.job(now.id, now.version, signal);
    }
  } finally {
    clearTimeout(late);
  }
  if (signal.aborted) return;
  await refresh();
  if (now.state === "done") {
    place.replaceChildren();
    await finished(now);
  } else if (now.state === "cancelled") {
    fill(place, el("div", { class: "warning", role: "status" }, el("p", {}, t("job.cancelled"))));
  } else {
    fill(place, told(now.error ?? "", todo));
  }
}

function panel(first) {
  const bar = el("progress", { "aria-label": t(`job.${first.command}`) });
  const line = el("p", { class: "hint" });
  const stop = button(t("job.cancel"), async () => {
    stop.disabled = true;
    line.textContent = t("job.cancelling");
    try { await api.cancel(first.id); } catch (error) { fill(line, said(error.message)); }
  });
  const node = el("div", { class: "job" }, el("p", {}, el("strong", {}, t(`job.${first.command}`))), bar, line, stop, el("p", { class: "hint" }, t("job.stays")));
  let spoken = -1;
  return {
    node,
    update(job) {
      if (stop.disabled) return;
      const { what, done, total } = job.progress ?? {};
      const share = total && done < total ? done / total : null; // what is whole is followed by more
      if (share === null) bar.removeAttribute("value");
      else { bar.max = 1; bar.value = share; }
      const how = share === null ? null : t("job.share", { percent: Math.floor(100 * share) });
      if (job.state === "queued") line.textContent = many("job.queued", job.place ?? 0);
      else fill(line, what && said(what), what && how && ", ", how ?? t("job.running"));
      const quarter = share === null ? -1 : Math.floor(4 * share);
      if (quarter > spoken && how) { spoken = quarter; speak(`${t(`job.${job.command}`)}: ${how}`); }
    },
  };
}

/** A line of code with a button that copies it. */
export function code(text, label) {
  const copy = button(t("copy"), async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = t("copied");
    speak(t("copied"));
    setTimeout(() => { copy.textContent = t("copy"); }, 2000);
  }, { "aria-label": `${t("copy")}: ${label}` });
  return el("div", { class: "code" }, el("pre", { "data-said": true }, el("code", {}, text)), copy);
}

/** The command line and the Python code that give the same. */
export function same(job) {
  return el("details", { class: "fold" }, el("summary", {}, t("same")),
    el("p", {}, t("same.where")),
    el("h3", {}, t("same.line")), code(job.command_line, t("same.line")),
    el("h3", {}, t("same.python")), code(job.python, t("same.python")));
}
