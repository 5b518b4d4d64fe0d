// The report of `accord report`, in a sandboxed frame: its script can run but not reach the page.
import * as api from "./api.js";
import { button, el, fill, speak, theirs } from "./dom.js";
import { follow, same } from "./jobs.js";
import { assumedLevels } from "./levels.js";
import { go, isCurrent, isDone, isOpen, latest, refresh } from "./state.js";
import { understood } from "./variables.js";
import { around, t } from "./words.js";

export async function show(place) {
  const title = el("h1", {}, t("report.title"));
  const working = el("div", {});
  const found = el("div", {});
  place.append(title, working, found);
  const done = async (job, watched = true) => {
    fill(found, view(job, assumedLevels(await understood())));
    if (watched) { title.focus(); speak(t("report.ready")); }
  };
  const last = latest("report");
  if (!last) {
    fill(found, el("p", { class: "lead" }, t("report.none")), measures("report.choose", "main"));
  } else if (isOpen(last)) {
    follow(working, last, done, t("report.failed")).then(() => {
      if (!found.childNodes.length) fill(found, otherwise());
    });
  } else if (isDone(last)) {
    await done(last, false);
  } else {
    await follow(working, last, done, t("report.failed"));
    fill(found, otherwise());
  }
}

const measures = (words, kind = "") => el("div", { class: "go" }, button(t(words), async () => { await refresh(); go("measures"); }, { class: `plain ${kind}` }));

/** Buttons if there is no report: change the measures or the reading options. */
const otherwise = () => {
  const made = measures("report.change", "main");
  made.append(button(t("report.correct"), () => go("understood")));
  return made;
};

function view(job, assumed) {
  const address = api.fileOf(job.id, "report.html");
  const next = (step) => button(t(`report.${step}`), () => go(step));
  const old = !isCurrent(latest("report")) && el("div", { class: "warning" }, el("p", {}, t("report.old")), button(t("report.renew"), () => go("measures")));
  const ask = !old && assumed.length > 0 && el("div", { class: "warning" },
    el("p", {}, around("levels.report", { names: theirs(assumed.join(", ")) })), button(t("levels.open"), () => go("understood")));
  return [
    old, ask,
    el("div", { class: "go" },
      el("a", { class: "plain", href: address, target: "_blank", rel: "noopener" }, t("report.apart")),
      el("a", { class: "plain", href: api.fileOf(job.id, "report.html", true), download: "report.html" }, t("report.download")),
      button(t("report.change"), () => go("measures"))),
    el("iframe", { class: "frame", src: address, sandbox: "allow-scripts allow-popups", title: t("report.frame") }),
    el("h2", {}, t("next")),
    el("div", { class: "go" }, next("decide"), next("compare"), next("plan"), next("take")),
    same(job),
  ];
}
