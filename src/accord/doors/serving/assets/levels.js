// The level of measurement of each variable, with its reason. The user states levels, and accord reads again.
import { button, el, fill, fresh, theirs } from "./dom.js";
import { noted } from "./messages.js";
import { state } from "./state.js";
import { statedLevels, withLevels } from "./variables.js";
import { known, many, t, value } from "./words.js";

/**
 * A form with the level of each variable with labels of items, or null if there are none. It calls `changed({reading})`
 * when the user wants to read the data again with other levels.
 */
export function levelsOf(understood, changed) {
  const kept = state.project.reading ?? {};
  const names = Object.keys(understood.variables);
  const stated = statedLevels(kept);
  const rows = names.filter((name) => understood.variables[name].measurement).map((name) => rowOf(name, understood.variables[name], stated.has(name) || stated.has("")));
  if (!rows.length) return null;
  const summary = el("p", { class: "hint", role: "status" });
  const submit = (event) => {
    event.preventDefault();
    const wrong = rows.find((row) => row.problem());
    if (wrong) wrong.select.focus();
    else changed({ reading: withLevels(kept, new Map(changes(rows).map((row) => [row.name, row.select.value])), names) });
  };
  const form = el("form", {
    onchange: () => {
      const n = changes(rows).filter((row) => !row.problem()).length;
      fill(summary, n > 0 && many("levels.changed", n));
    },
    onsubmit: submit,
  },
  el("p", {}, t("levels.lead")),
  el("table", { class: "roles levels", role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ["variable", "reading.measurement", "columns.reason"].map((key) => el("th", { scope: "col", role: "columnheader" }, t(key))))),
    el("tbody", { role: "rowgroup" }, rows.map((row) => row.node))),
  summary,
  el("div", { class: "go" },
    el("button", { type: "submit", class: "plain" }, many("levels.again", rows.length)),
    stated.size > 0 && button(t("levels.forget"), () => changed({ reading: withLevels(kept, new Map(names.map((name) => [name, ""])), names) }))));
  return el("section", { id: "levels", "aria-labelledby": "levels-title" }, el("h2", { id: "levels-title" }, t("reading.measurement")), form);
}

/** A row of the table. A level that the labels cannot have is answered with the message of accord. */
function rowOf(name, { measurement, categories }, mine) {
  const { level, basis, possible } = measurement;
  const assumed = basis === "assumed";
  const before = assumed ? "" : level;
  const why = fresh("why");
  const trouble = el("div", { id: fresh("trouble"), role: "alert" });
  const option = (one) => el("option", { value: one }, levelName(one));
  const fitting = Object.keys(possible).filter((one) => possible[one] === null);
  const others = Object.keys(possible).filter((one) => possible[one] !== null);
  const select = el("select", { "aria-label": t("levels.level_of", { name }), "aria-describedby": `${why} ${trouble.id}`, class: assumed ? "needed" : null },
    assumed && el("option", { value: "" }, t("levels.choose")),
    !assumed && mine && el("option", { value: "" }, t("columns.automatic")),
    !assumed && !fitting.includes(level) && option(level), // circular(24)
    fitting.map(option),
    others.length > 0 && el("optgroup", { label: t("levels.impossible") }, others.map(option)));
  select.value = before;
  const problem = () => possible[select.value] ?? null;
  select.addEventListener("change", () => {
    if (problem()) select.setAttribute("aria-invalid", "true");
    else select.removeAttribute("aria-invalid");
    fill(trouble, problem() && noted(problem(), "read", "p", { class: "error" }));
  });
  const node = el("tr", { role: "row", "data-variable": name, class: assumed ? "assumed" : null },
    theirs(name, "th", { scope: "row", role: "rowheader" }),
    el("td", { role: "cell" }, select, trouble),
    el("td", { role: "cell", id: why }, assumed ? question(measurement, categories) : mine ? t("levels.stated") : noted(measurement.reason, "read")));
  return { name, before, node, select, problem };
}

/** The question about a level that accord only assumes, with α at each level. */
function question({ level, reason, values }, categories) {
  const range = categories?.length ? [categories[0], categories.at(-1)] : null;
  return [
    el("p", {}, el("strong", {}, range ? t("levels.ask", { range: range.join("–") }) : t("levels.ask.any"))),
    el("p", {}, noted(reason, "read")),
    el("p", {}, t("levels.values")),
    el("dl", { class: "values" }, state.about.levels.filter((one) => one in values).map((one) => el("div", { class: one === level ? "now" : null },
      el("dt", {}, levelName(one), one === level && el("small", {}, ` ${t("levels.assumed")}`)),
      el("dd", {}, values[one] === null ? t("none") : value(values[one]))))),
  ];
}

export const levelName = (level) => (known(`measurement.${level}`) ? t(`measurement.${level}`) : theirs(level));
const changes = (rows) => rows.filter((row) => row.select.value !== row.before);

/** The variables whose level accord only assumes. */
export const assumedLevels = (understood) => Object.entries(understood.variables).filter(([, one]) => one.measurement?.basis === "assumed").map(([name]) => name);
