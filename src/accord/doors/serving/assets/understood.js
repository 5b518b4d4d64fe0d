// The second step: show how accord read the data, and let the user change the reading options.
import * as api from "./api.js";
import { columnRoles, suggestedReadings } from "./columns.js";
import { correcting } from "./correcting.js";
import { button, el, fill, speak, theirs } from "./dom.js";
import { follow, refusal, run, same } from "./jobs.js";
import { levelsOf } from "./levels.js";
import { noted } from "./messages.js";
import { table } from "./shown.js";
import { go, isDone, isOpen, latest, refresh, state } from "./state.js";
import { namedModels } from "./variables.js";
import { many, t } from "./words.js";

const COUNTS = ["items", "documents", "ratings", "units", "boundaries", "tokens", "mentions", "chains"];
const MOST = 60; // names shown at most

export async function show(place) {
  const title = el("h1", {}, t("understood.title"));
  const working = el("div", {});
  const found = el("div", {});
  const fix = el("div", {});
  place.append(title, el("p", { class: "lead" }, theirs(state.project.name)), working, found, fix);

  const done = async (job, again = false) => {
    const [understood, answer] = await Promise.all([api.output(job.id, "understood.json"), api.result(job.id)]);
    fill(found, view(understood, answer.variables, job, levelsOf(understood, change)), right());
    fill(fix, columnRoles(understood, change, false), corrections(understood, answer.options));
    if (again) { title.focus(); speak(t("understood.again")); }
  };
  const failed = async () => {
    const last = latest("read");
    if (!last || isDone(last) || isOpen(last)) return;
    found.replaceChildren();
    const seen = last.outputs.some((one) => one.name === "understood.json") && await api.output(last.id, "understood.json");
    const open = corrections(seen || null);
    open.open = true;
    fill(fix, suggestedReadings(seen || null, change), columnRoles(seen || null, change, true), open, other());
  };
  const read = async () => {
    await run(working, state.project.id, "read", {}, (job) => done(job, true), t("understood.failed"));
    await failed();
  };
  const change = async (what) => {
    working.replaceChildren();
    try {
      state.project = await api.change(state.project.id, what);
    } catch (error) {
      fill(working, refusal(error));
      working.scrollIntoView({ block: "center" });
      return;
    }
    title.focus(); // the form disappears
    found.replaceChildren();
    fix.replaceChildren();
    await read();
  };
  const corrections = (understood, options) => correcting(understood, options, change);

  const last = latest("read");
  if (last && isDone(last)) await done(last);
  else if (!last || last.state === "cancelled") read();
  else if (isOpen(last)) follow(working, last, done, t("understood.failed")).then(failed);
  else { await follow(working, last, done, t("understood.failed")); await failed(); }
}

const right = () => el("div", { class: "go" },
  button(t("understood.right"), async () => { await refresh(); go("measures"); }, { class: "plain main" }),
  el("p", { class: "hint" }, t("understood.wrong")));

const other = () => el("div", { class: "go" }, button(t("understood.other"), () => go("data")));

function view(understood, answer, job, levels) {
  const names = Object.keys(answer);
  const place = el("div", {});
  const look = (name) => fill(place, variable(name, understood.variables[name] ?? {}, answer[name]));
  look(names[0]);
  const tabs = names.length > 1 && el("div", { class: "tabs", role: "group", "aria-label": t("understood.variables") });
  if (tabs) {
    for (const name of names) {
      const tab = button("", () => {
        for (const one of tabs.children) one.setAttribute("aria-pressed", String(one === tab));
        look(name);
      }, { "aria-pressed": String(name === names[0]) });
      tab.append(theirs(name));
      tabs.append(tab);
    }
  }
  return [
    tabs && el("p", {}, many("understood.several", names.length)), tabs, place, levels,
    ...understood.tables.map(asUploaded),
    same(job),
  ];
}

function variable(name, understood, answer) {
  const facts = el("dl", { class: "facts" });
  const fact = (key, ...what) => facts.append(el("dt", {}, t(`fact.${key}`)), el("dd", {}, what));
  fact("kind", t(`kind.${answer.kind}`));
  for (const key of COUNTS) {
    if (typeof answer[key] !== "number") continue;
    const compared = answer[`${key}_compared`];
    fact(key, t("number", { n: answer[key] }), compared !== undefined && compared !== answer[key] ? ` (${t("fact.compared", { n: compared })})` : "");
  }
  const people = answer.annotators;
  fact("annotators", people ? chips(people, answer.n_annotators, (who) => (models(understood).includes(who) ? t("fact.model") : null)) : t("fact.unknown"));
  const labels = answer.categories ?? answer.types;
  if (labels?.length) fact(understood.order === "declared" ? "categories.ordered" : "categories", chips(labels, answer.n_categories ?? labels.length));
  const notes = answer.notes ?? [];
  return el("section", { "aria-labelledby": "variable" },
    el("h2", { id: "variable" }, theirs(name)), facts,
    notes.length > 0 && el("div", { class: "warning" }, el("p", {}, el("strong", {}, t("understood.notes"))), el("ul", {}, notes.map((note) => el("li", {}, noted(note, "read"))))),
    answer.first?.rows.length > 0 && table({ title: t("understood.first"), columns: answer.first.columns, rows: answer.first.rows }));
}

const models = (understood) => namedModels() ?? understood.models ?? [];

function chips(names, total, note = () => null) {
  const shown = names.slice(0, MOST);
  return el("ul", { class: "chips" },
    shown.map((name) => el("li", {}, name === "" ? t("fact.empty") : theirs(name), note(name) && el("small", {}, ` ${note(name)}`))),
    total > shown.length && el("li", {}, t("fact.more", { n: total - shown.length })));
}

const asUploaded = (one) => el("details", { class: "fold" },
  el("summary", {}, t("understood.uploaded"), " ", theirs(one.path)),
  table({ title: "", columns: one.columns.map((column) => column.name), rows: one.rows }));
