// Compare two uploads, and test whether a model can replace a human annotator.
import * as api from "./api.js";
import { dropzone, send } from "./data.js";
import { button, checkbox, el, fill, theirs } from "./dom.js";
import { doing, follow, run, same } from "./jobs.js";
import { moreOptions, optionOf, valuesOf } from "./options.js";
import { printed } from "./shown.js";
import { go, isCurrent, isDone, isOpen, latest, refresh, state } from "./state.js";
import { annotators, choice, columnsOf, namedModels, understood } from "./variables.js";
import { sized, t } from "./words.js";

const SECOND = "second-upload/";

export async function show(place) {
  const sending = el("div", { "aria-live": "polite" });
  const seen = await understood();
  const variable = choice(seen);
  const others = state.project.files.filter((file) => file.path.startsWith(SECOND));
  place.append(
    el("h1", {}, t("compare.title")), el("p", { class: "lead" }, t("compare.lead")),
    variable.node ?? "",
    others.length ? second(others) : el("div", {}, dropzone(sending, async (files) => {
      if (await send(sending, files, state.project.id, SECOND)) { await refresh(); go("compare"); }
    }), sending),
    ...comparison(seen, variable, others.length > 0),
    models(seen, variable) ?? "");
}

const second = (files) => el("section", { "aria-labelledby": "second" },
  el("h2", { id: "second" }, t("compare.second")),
  el("ul", { class: "files" }, files.map((file) => el("li", {}, theirs(file.path.slice(SECOND.length)), el("span", { class: "hint" }, sized(file.bytes))))),
  button(t("compare.other"), async () => {
    await api.removeFile(state.project.id, SECOND.slice(0, -1));
    await refresh();
    go("compare");
  }, { class: "link" }));

/** The form of a comparison. Without a second upload, the options state what to compare within these data. */
function comparison(seen, variable, uploaded) {
  const place = outcome("compare");
  const measure = optionOf("compare", "measure", { given: mainSpec() });
  const more = moreOptions("compare", { left: ["measure"], columns: columnsOf(seen), open: !uploaded });
  const submit = (event) => {
    event.preventDefault();
    place.start({ ...variable.reading(), ...valuesOf([measure]), ...more.values() });
  };
  const form = el("form", { onsubmit: submit, id: "comparison" }, measure.node, more.node,
    el("div", { class: "go" }, el("button", { type: "submit", class: `plain ${uploaded ? "main" : ""}` }, t("compare.run"))));
  return [uploaded ? form : el("details", { class: "fold" }, el("summary", {}, t("compare.within")), form), place.made];
}

/** The first measure of the last report. */
export function mainSpec() {
  return latest("report")?.options.measure?.[0] ?? "";
}

/** The results of a command on this page: shows the newest job and starts new ones. */
export function outcome(command) {
  const working = el("div", {});
  const found = el("div", {});
  const done = async (job) => fill(found, printed(await api.text(job.id, "text.txt"), doing(command), command), same(job));
  const last = latest(command, isCurrent);
  if (last && isOpen(last)) follow(working, last, done);
  else if (last && isDone(last)) done(last);
  return {
    made: el("div", { role: "group", "aria-label": doing(command), "aria-live": "polite" }, working, found),
    refuse: (why) => { found.replaceChildren(); fill(working, el("div", { class: "error" }, el("p", { class: "what" }, why))); },
    start: (options) => { found.replaceChildren(); return run(working, state.project.id, command, options, done); },
  };
}

/** The test whether models can replace people. */
function models(seen, variable) {
  const people = annotators(seen);
  if (people.length < 3) return null;
  const guessed = Object.values(seen.variables).flatMap((one) => one.models ?? []);
  const named = namedModels() ?? guessed;
  const place = outcome("replace");
  const boxes = people.map((who) => checkbox(theirs(who), { checked: named.includes(who) }));
  const chosen = () => people.filter((_, k) => boxes[k].querySelector("input").checked);
  const epsilon = optionOf("replace", "epsilon");
  const more = moreOptions("replace", { left: ["models", "epsilon"], columns: columnsOf(seen) });
  const test = async () => {
    if (!chosen().length) { place.refuse(t("models.none")); return; }
    if (String(chosen()) !== String(people.filter((who) => named.includes(who)))) state.project = await api.change(state.project.id, { models: chosen() });
    await place.start({ ...variable.reading(), models: chosen().join(","), ...valuesOf([epsilon]), ...more.values() });
  };
  return el("section", { "aria-labelledby": "models" },
    el("h2", { id: "models" }, t("models.title")), el("p", {}, t("models.lead")),
    el("fieldset", {}, el("legend", {}, t("correct.models")), el("div", { class: "fields" }, boxes)),
    epsilon.node, more.node,
    el("div", { class: "go" }, button(t("models.run"), test, { class: "plain main" })),
    place.made);
}
