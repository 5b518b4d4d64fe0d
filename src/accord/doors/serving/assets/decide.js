// Adjudication: the user decides one case at a time, also with keys. Each decision is saved immediately.
import * as api from "./api.js";
import { button, checkbox, el, field, fill, fresh, speak, theirs } from "./dom.js";
import { follow, run, same, stopWatching } from "./jobs.js";
import { moreOptions, optionOf, valuesOf } from "./options.js";
import { isCurrent, isDone, isOpen, latest, state } from "./state.js";
import { about, choice, understood } from "./variables.js";
import { known, many, sized, t } from "./words.js";

const OUT = "-"; // the decision against a unit
const TEXTS = ["text", "content", "sentence", "utterance", "comment", "tweet", "passage"]; // usual names of columns with text
const SCORED = ["item", "annotator", "label", "votes", "doc", "start", "end"]; // roles of columns that are not texts
let stopKeys = null;
/** Whether a job lists the disagreements. A job that creates the gold standard uses the decisions. */
const isPlain = ({ options }) => !options.decisions;

export async function show(place) {
  const working = el("div", {});
  const found = el("div", {});
  const seen = await understood();
  const variable = choice(seen, () => look());
  const text = texts(seen, () => look());
  const asked = () => ({ ...variable.reading(), ...(seen.variables[variable.name()]?.kind === "items" && text.value() ? { text: text.value() } : {}) });
  const done = async (job) => {
    const [cases, kept] = await Promise.all([api.output(job.id, "adjudicate.json"), api.decisions(state.project.id, job.id)]);
    if (!mine(job)) return; // the user has chosen another variable or text since
    const made = { ...kept.decisions };
    const gold = golden(asked, job, latest("gold", (one) => mine(one) && !isPlain(one) && (isDone(one) || isOpen(one))), made);
    fill(found, desk(job, cases, made, gold.changed), gold.node);
  };
  const mine = (job) => about(job, variable.reading()) && isCurrent(job) && job.options.text === asked().text;
  const look = async () => {
    stopWatching();
    working.replaceChildren();
    found.replaceChildren();
    text.show(seen.variables[variable.name()]?.kind === "items");
    const last = latest("gold", (job) => mine(job) && isPlain(job) && isDone(job)) ?? latest("gold", (job) => mine(job) && isPlain(job) && isOpen(job));
    if (last && isDone(last)) await done(last);
    else if (last) follow(working, last, done);
    else run(working, state.project.id, "gold", asked(), done, t("decide.failed"));
  };
  place.append(el("h1", {}, t("decide.title")), el("p", { class: "lead" }, t("decide.lead")), variable.node ?? "", text.node ?? "", working, found);
  await look();
}

/** The column with the text of items, if tables have further columns. By default the chosen one, one with a usual name, or one with texts. */
function texts(seen, changed) {
  const further = seen.tables.flatMap((one) => one.columns.filter((column) => !SCORED.includes(column.role)));
  const columns = [...new Set(further.map((column) => column.name))];
  if (!columns.length) return { node: null, value: () => "", show: () => {} };
  const kept = `accord-text-${state.project.id}`;
  const select = el("select", { onchange: () => { sessionStorage.setItem(kept, select.value); changed(); } },
    el("option", { value: "" }, t("none")), columns.map((name) => theirs(name, "option", { value: name })));
  const wanted = [sessionStorage.getItem(kept), latest("report")?.options.text, columns.find((name) => TEXTS.includes(name.toLowerCase())), further.find((column) => column.role === "text")?.name];
  select.value = wanted.find((name) => name === "" || columns.includes(name)) ?? "";
  const node = field(t("option.report.text"), select);
  return { node, value: () => select.value, show: (needed) => { node.hidden = !needed; } };
}

/** The cases, the current case and the decisions. */
function desk(job, cases, made, changed) {
  if (!cases.rows.length) return el("p", { class: "lead" }, t("decide.nothing"));
  const undone = []; // [key, previous decision]
  const all = cases.rows;
  let rows = all.filter((row) => row.open || row.key in made);
  if (!rows.length) rows = all;
  let at = Math.max(0, rows.findIndex((row) => !made[row.key]));
  const saved = el("p", { class: "hint", role: "status" });
  const count = el("p", {});
  const here = el("div", { class: "case", tabindex: "-1", role: "group" });
  const which = el("select", { onchange: () => { rows = which.value === "open" ? all.filter((row) => row.open || row.key in made) : all; at = 0; draw(true); } },
    el("option", { value: "open", disabled: !all.some((row) => row.open) }, t("decide.open")), el("option", { value: "all" }, t("decide.all")));
  which.value = rows === all ? "all" : "open";
  const keysOn = checkbox(t("decide.keys"), { checked: true });

  // Save in order, so that the last decision wins. A decision that could not be saved is not shown as decided.
  let saving = Promise.resolve();
  const put = (key, what) => { if (what) made[key] = what; else delete made[key]; };
  const keep = (key, what) => {
    const before = made[key] ?? "";
    put(key, what);
    saving = saving.then(async () => {
      try {
        await api.decide(state.project.id, job.id, { [key]: what });
        saved.textContent = t("decide.saved");
        changed();
      } catch (error) {
        put(key, before);
        draw();
        saved.textContent = t("decide.unsaved");
        Promise.reject(error); // main.js shows it above all steps
      }
    });
  };
  const set = (row, what) => {
    undone.push([row.key, made[row.key] ?? ""]);
    keep(row.key, what);
  };
  const decide = (what) => {
    const row = rows[at];
    set(row, what);
    speak(t("decide.decided", { label: what === OUT ? t("decide.out") : what }));
    const next = rows.findIndex((one, k) => k > at && !made[one.key]);
    if (next >= 0) at = next;
    draw(true);
  };
  const step = (by) => { at = Math.min(rows.length - 1, Math.max(0, at + by)); draw(true); };
  const undo = () => {
    const last = undone.pop();
    if (!last) return;
    const [key, before] = last;
    keep(key, before);
    const found = rows.findIndex((row) => row.key === key);
    if (found >= 0) at = found;
    speak(t("decide.undone"));
    draw(true);
  };

  const draw = (focus = false) => {
    const row = rows[at];
    const heading = fresh("case");
    const done = rows.filter((one) => made[one.key]).length;
    count.textContent = done === rows.length ? many("decide.done", done) : t("decide.count", { done, n: rows.length });
    here.setAttribute("aria-labelledby", heading);
    fill(here,
      el("header", {}, el("p", { id: heading }, t("decide.case", { k: at + 1, n: rows.length }), " ", placeOf(row)), el("p", {}, row.tie ? around(row) : t("decide.settled"))),
      passage(row),
      row.tie.includes("place") && el("p", { class: "hint" }, t("decide.place", { start: row.start, end: row.end })),
      el("div", {}, saidTable(row, cases.people)),
      el("ul", { class: "candidates" }, candidates(row, cases).map(([label, who], k) => el("li", {},
        el("button", { type: "button", class: "plain", "aria-pressed": String(made[row.key] === label), onclick: () => decide(label) },
          el("kbd", { "aria-hidden": "true" }, keys(row, cases)[k]), label === OUT ? t("decide.out") : theirs(label), who && theirs(who, "small"))))),
      otherLabel(row, cases, made, decide),
      el("div", { class: "go" },
        button(t("decide.previous"), () => step(-1), { disabled: at === 0 }),
        button(t("decide.next"), () => step(1), { disabled: at === rows.length - 1 }),
        button(t("decide.undo"), undo, { disabled: !undone.length }),
        made[row.key] && button(t("decide.take_back"), () => { set(row, ""); draw(true); })));
    if (focus) here.focus();
  };
  draw();

  const pressed = (event) => {
    if (!document.contains(here)) { stopKeys?.(); return; }
    if (!keysOn.querySelector("input").checked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, [role=region]")) return;
    const labels = candidates(rows[at], cases);
    const number = keys(rows[at], cases).indexOf(event.key);
    const act = number >= 0 ? () => decide(labels[number][0])
      : { n: () => step(1), ArrowRight: () => step(1), p: () => step(-1), ArrowLeft: () => step(-1), u: undo, o: () => here.querySelector("input")?.focus() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  stopKeys?.();
  document.addEventListener("keydown", pressed);
  stopKeys = () => document.removeEventListener("keydown", pressed);

  const key = (name, ...keys) => el("li", {}, keys.map((one) => [el("kbd", { "data-said": true }, one), " "]), t(name));
  return el("section", { "aria-label": t("decide.cases") },
    field(t("decide.which"), which), count, here, saved, keysOn,
    el("ul", { class: "keys" }, key("keys.label", "1", "…", "9"), cases.in_units && key("keys.out", "-"), key("keys.next", "n", "→"), key("keys.previous", "p", "←"), key("keys.undo", "u"), key("keys.other", "o")));
}

const around = (row) => `${t("decide.tie")} ${row.tie.split(", ").map((one) => t(`tie.${one}`)).join(", ")}`;
const placeOf = (row) => theirs(row.item ?? `${row.doc}${row.start === undefined || row.start === null ? "" : ` ${row.start}–${row.end}`}`);

function passage(row) {
  if (!row.text) return null;
  if (typeof row.text === "string") return theirs(row.text, "p", { class: "passage" });
  const { before, inside, after } = row.text;
  return el("p", { class: "passage", "data-said": true, lang: "", dir: "auto" }, before, el("mark", {}, inside), after);
}

const saidTable = (row, people) => el("dl", { class: "facts" }, people.filter((who) => row.said[who] !== undefined)
  .map((who) => [el("dt", {}, theirs(who)), el("dd", {}, row.said[who] === "" ? t("fact.empty") : theirs(row.said[who]))]));

/** The given labels, the most frequent first. For units, the last candidate is "no unit". */
function candidates(row, cases) {
  const found = Object.entries(row.alternatives).filter(([label]) => label !== "").sort((a, b) => b[1] - a[1]).map(([label]) => {
    const who = Object.entries(row.said).filter(([, what]) => what === label || (cases.in_units && what.endsWith(` ${label}`))).map(([name]) => name);
    return [label, who.join(", ")];
  });
  if (cases.in_units) found.push([OUT, ""]);
  return found;
}

/** The key of each candidate: its number, or the label itself if all labels are digits. "No unit" has the key "-", as in the file. */
function keys(row, cases) {
  const labels = candidates(row, cases).map(([label]) => label);
  const digits = labels.every((label) => /^[1-9]$/.test(label));
  return labels.map((label, k) => (label === OUT && cases.in_units ? OUT : digits ? label : k < 9 ? String(k + 1) : ""));
}

function otherLabel(row, cases, made, decide) {
  const list = fresh("labels");
  const known = Object.hasOwn(row.alternatives, made[row.key] ?? "") || made[row.key] === OUT;
  const input = el("input", { type: "text", list, autocomplete: "off", value: known ? "" : made[row.key] ?? "" });
  const form = el("form", { onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) decide(input.value.trim()); } },
    field(t("decide.other"), el("div", { class: "with" }, input, el("button", { type: "submit", class: "plain" }, t("decide.take")))),
    el("datalist", { id: list }, cases.labels.map((label) => theirs(label, "option", { value: label }))));
  input.id = fresh("other");
  form.querySelector("label").setAttribute("for", input.id);
  return form;
}

/** The form that creates the gold standard with the decisions. `last` is the job that created the previous one. */
function golden(asked, plain, last, made) {
  const working = el("div", {});
  const files = el("div", {});
  const format = el("select", {}, el("option", { value: "" }, t("gold.table")),
    state.about.formats.filter((one) => one.written).map((one) => theirs(one.title, "option", { value: one.name })));
  const method = optionOf("gold", "method", { given: last?.options.method });
  const more = moreOptions("gold", { left: ["method", "decisions"], given: last?.options });
  const done = (job) => {
    fill(files, downloads(job), same(job));
    files.querySelector("a")?.focus();
  };
  const make = () => run(working, state.project.id, "gold",
    { ...asked(), decisions: true, ...(format.value ? { to: format.value } : {}), ...valuesOf([method]), ...more.values() }, done);
  if (last && isDone(last)) fill(files, downloads(last), same(last));
  else if (last) follow(working, last, done);
  const file = el("a", { class: "plain", id: "decisions", href: api.decisionsFile(state.project.id, plain.id), download: true }, t("gold.decisions"));
  const changed = () => { file.hidden = !Object.keys(made).length; }; // without decisions there is no file
  changed();
  const node = el("section", { "aria-labelledby": "gold" },
    el("h2", { id: "gold" }, t("gold.title")), el("p", {}, t("gold.lead")),
    el("div", { class: "fields" }, field(t("gold.format"), format), method.node), more.node,
    el("div", { class: "go" }, button(t("gold.make"), make, { class: "plain main" }), file),
    working, files);
  return { node, changed };
}

// The page shows the content of these files elsewhere. The zip archive contains them.
const HIDDEN = ["adjudicate.json", "result.json", "text.txt", "shown.json", "understood.json", "command.txt", "code.py", "run.toml"];
export const downloads = (job) => el("ul", { class: "files" }, job.outputs.filter(({ name }) => !HIDDEN.includes(name)).map((one) => el("li", {},
  el("span", {}, el("a", { href: api.fileOf(job.id, one.name, true), download: one.name, "data-said": true }, one.name), known(`file.${one.name}`) && el("span", { class: "hint" }, " ", t(`file.${one.name}`))),
  el("span", { class: "hint" }, sized(one.bytes)))));
