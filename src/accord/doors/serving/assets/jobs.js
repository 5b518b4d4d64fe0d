// A job on the page: its progress, a button that cancels it, and its result or error.
import * as api from "./api.js";
import { button, el, fill, said, speak } from "./dom.js";
import { namesReading, noted, refused } from "./messages.js";
import { go, isOpen, refresh, state } from "./state.js";
import { known, many, t } from "./words.js";

const SOON = 250; // ms
let watching = new AbortController();

/** Stop following jobs when the user leaves a step. The jobs continue. */
export function stopWatching() {
  watching.abort();
  watching = new AbortController();
}

/** The message of a refused request. Errors about the server itself are thrown: main.js shows them above all steps. */
export function refusal(error, todo, command = "read") {
  if (!(error instanceof api.Refused) || error.restarted || error.status === 403) throw error;
  return error.message ? told(error.message, todo, command) : el("div", { class: "error", role: "alert" }, el("p", { class: "what" }, t("trouble.between", { status: String(error.status) })), todo && el("p", {}, todo));
}

/** An error message of a command. `todo`: what the user can do. The reading options have their own step, so a button opens it. */
export const told = (line, todo, command = "read") => el("div", { class: "error", role: "alert" }, refused(line, command), todo && el("p", {}, todo),
  command !== "read" && state.about && namesReading(line, command) && el("p", {}, button(t(line.endsWith("[level-unknown]") ? "levels.open" : "report.correct"), () => go("understood"))));

/** Name what a job of a command does. */
export const doing = (command) => (known(`job.${command}`) ? t(`job.${command}`) : t("job.other", { command }));

/** Start a job and follow it in `place`. Call `finished(job)` when it is done. */
export async function run(place, project, command, options, finished, todo) {
  place.replaceChildren();
  try {
    await follow(place, await api.start(project, command, options), finished, todo);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(place, refusal(error, todo, command));
  }
}

/** Show a job until it ends. `todo`: what the user can do if it fails. */
export async function follow(place, job, finished, todo) {
  const signal = watching.signal;
  const shown = panel(job);
  let now = job;
  const late = setTimeout(() => fill(place, shown.node), SOON); // do not show a panel for short jobs
  try {
    while (isOpen(now)) {
      shown.update(now);
      now = await api.job(now.id, now.version, signal);
    }
  } finally {
    clearTimeout(late);
  }
  if (signal.aborted) return;
  const held = place.contains(document.activeElement); // the focused button disappears, so the focus must move
  await refresh();
  if (now.state === "done") {
    place.replaceChildren();
    await finished(now);
  } else if (now.state === "cancelled") {
    ended(place, el("div", { class: "warning", role: "status" }, el("p", {}, t("job.cancelled"))), held);
  } else {
    ended(place, told(now.error ?? "", todo, now.command), held);
  }
}

/** Show the final message of a job, and give it the keyboard focus if `held`. */
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
    node.focus(); // a disabled button cannot keep the focus
    stop.disabled = true;
    line.textContent = t("job.cancelling");
    try { await api.cancel(first.id); } catch (error) { fill(line, noted(error.message, first.command)); }
  });
  const node = el("div", { class: "job", tabindex: "-1" }, el("p", {}, el("strong", {}, doing(first.command))), bar, line, stop, el("p", { class: "hint" }, t("job.stays")));
  let spoken = -1;
  return {
    node,
    update(job) {
      if (stop.disabled) return;
      const { what, done, total } = job.progress ?? {};
      const share = total && done < total ? done / total : null; // at 100% the next part begins
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

/** Copy a text. Browsers give no access to the clipboard without TLS: then select the text and copy it with execCommand. */
async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return document.execCommand("copy");
  }
}

/** Code with a button that copies it. */
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

/** The command line and the Python code that give the same result. */
export function same(job) {
  return el("details", { class: "fold" }, el("summary", {}, t("same")),
    el("p", {}, t("same.where")),
    el("h3", {}, t("same.line")), code(job.command_line, t("same.line")),
    el("h3", {}, t("same.python")), code(job.python, t("same.python")));
}
