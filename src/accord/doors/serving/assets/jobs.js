// A job on the page: what it does, how far it is, a way to cancel it, and what came of it.
import * as api from "./api.js";
import { button, el, fill, said, speak } from "./dom.js";
import { isOpen, refresh } from "./state.js";
import { known, many, t } from "./words.js";

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
  return error.message ? told(error.message, todo) : el("div", { class: "error", role: "alert" }, el("p", { class: "what" }, t("trouble.between", { status: String(error.status) })), todo && el("p", {}, todo));
}

export const told = (line, todo) => el("div", { class: "error", role: "alert" }, said(line, "p", { class: "what" }), todo && el("p", {}, todo));

/** What a job of a command does, in words. */
export const doing = (command) => (known(`job.${command}`) ? t(`job.${command}`) : t("job.other", { command }));

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
  const held = place.contains(document.activeElement); // who stands at the button that goes is taken along
  await refresh();
  if (now.state === "done") {
    place.replaceChildren();
    await finished(now);
  } else if (now.state === "cancelled") {
    ended(place, el("div", { class: "warning", role: "status" }, el("p", {}, t("job.cancelled"))), held);
  } else {
    ended(place, told(now.error ?? "", todo), held);
  }
}

/** The last word about what ran here, and a place for the keyboard to go on from. */
export function ended(place, message, held) {
  fill(place, message);
  if (!held) return;
  message.tabIndex = -1;
  message.focus();
}

function panel(first) {
  const bar = el("progress", { "aria-label": doing(first.command) });
  const line = el("p", { class: "hint" });
  const stop = button(t("job.cancel"), async () => {
    node.focus(); // a button that is disabled cannot hold the keyboard
    stop.disabled = true;
    line.textContent = t("job.cancelling");
    try { await api.cancel(first.id); } catch (error) { fill(line, said(error.message)); }
  });
  const node = el("div", { class: "job", tabindex: "-1" }, el("p", {}, el("strong", {}, doing(first.command))), bar, line, stop, el("p", { class: "hint" }, t("job.stays")));
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
      if (job.state === "queued") line.textContent = job.place ? many("job.queued", job.place) : t("job.next");
      else fill(line, what && said(what), what ? (how ? `, ${how}` : " …") : how ?? t("job.running"));
      const quarter = share === null ? -1 : Math.floor(4 * share);
      if (quarter > spoken && how) { spoken = quarter; speak(`${doing(job.command)}: ${how}`); }
    },
  };
}

/** Without TLS, on another machine, browsers hand no clipboard out: the text is then selected, and copied as in old days. */
async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return document.execCommand("copy");
  }
}

/** A line of code with a button that copies it. */
export function code(text, label) {
  const shown = el("code", {}, text);
  const copy = button(t("copy"), async () => {
    const done = t(await copied(text, shown) ? "copied" : "copy.selected");
    copy.textContent = done;
    speak(done);
    setTimeout(() => { copy.textContent = t("copy"); }, 2000);
  }, { "aria-label": `${t("copy")}: ${label}` });
  return el("div", { class: "code" }, el("pre", { "data-said": true }, shown), copy);
}

/** The command line and the Python code that give the same. */
export function same(job) {
  return el("details", { class: "fold" }, el("summary", {}, t("same")),
    el("p", {}, t("same.where")),
    el("h3", {}, t("same.line")), code(job.command_line, t("same.line")),
    el("h3", {}, t("same.python")), code(job.python, t("same.python")));
}
