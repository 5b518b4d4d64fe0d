// The columns of uploaded tables with their roles, as in `accord map`. The user changes roles, and accord reads again.
import { button, el, fill, fresh, theirs } from "./dom.js";
import { noted } from "./messages.js";
import { readingOf } from "./options.js";
import { state } from "./state.js";
import { withoutLevels } from "./variables.js";
import { around, known, many, t } from "./words.js";

const JOINED = ["item", "doc"]; // several columns with this role name the item or document together
const SHARED = [...JOINED, "annotator", "label", "votes"]; // several columns can have this role
const COUNTS = ["items", "documents", "n_annotators", "n_categories", "ratings", "units"];

/**
 * A form with the role of each column, or null if the upload contains no tables. It calls `changed({reading})` when the
 * user wants to read the data again with other roles.
 */
export function columnRoles(understood, changed, open) {
  const kept = state.project.reading ?? {};
  const columns = (understood?.tables ?? []).flatMap((one) => one.columns).filter((one, k, all) => all.findIndex(({ name }) => name === one.name) === k);
  if (!columns.length) return null;
  const stated = statedRoles(kept, columns.map((one) => one.name));
  const rows = columns.map((column) => rowOf(column, stated));
  const summary = el("p", { class: "hint", role: "status" });
  const form = el("form", {
    onchange: () => fill(summary, effectOf(rows)),
    onsubmit: (event) => { event.preventDefault(); changed({ reading: readingWith(kept, stated, rows) }); },
  },
  el("p", {}, t("columns.lead")),
  el("table", { class: "roles", role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ["name", "role", "reason", "examples"].map((key) => el("th", { scope: "col", role: "columnheader" }, t(`columns.${key}`))))),
    el("tbody", { role: "rowgroup" }, rows.map((row) => row.node))),
  summary,
  el("div", { class: "go" },
    el("button", { type: "submit", class: "plain main" }, t("columns.again")),
    stated.size > 0 && button(t("columns.forget"), () => changed({ reading: without(kept, ["role"]) }))));
  const asked = open || stated.size > 0 || columns.some((one) => one.role === "unclear");
  return el("details", { class: "fold", id: "columns", open: asked }, el("summary", {}, t("reading.role")), form);
}

/** Without a table of columns, the roles have a control like other reading options. */
export const roleControl = (kept, columns) => (columns.length
  ? { name: "role", node: null, value: () => kept.role }
  : readingOf("role", { given: kept.role }));

/** The roles that the user stated, by column: `a+b=item` states the role of two columns. */
function statedRoles({ role = [] }, names) {
  const stated = new Map();
  for (const text of [role].flat()) {
    const at = text.lastIndexOf("=");
    const key = text.slice(0, at);
    for (const name of names.includes(key) ? [key] : key.split("+").map((part) => part.trim())) stated.set(name, text.slice(at + 1));
  }
  return stated;
}

/** A row of the table. `before` is the role that accord uses, "" if it uses none. */
function rowOf(column, stated) {
  const { name } = column;
  const { roles } = state.about;
  const mine = stated.has(name);
  const before = stated.get(name) ?? (roles.includes(column.role) ? column.role : "");
  const unclear = before === "" && column.role === "unclear";
  const why = fresh("why");
  const select = el("select", { "aria-label": t("columns.role_of", { name }), "aria-describedby": why, class: unclear ? "needed" : null },
    (before === "" || mine) && el("option", { value: "" }, t(unclear ? "columns.choose" : "columns.automatic")),
    roles.map((role) => el("option", { value: role }, roleName(role))));
  select.value = before;
  const node = el("tr", { role: "row", "data-column": name },
    theirs(name, "th", { scope: "row", role: "rowheader" }),
    el("td", { role: "cell" }, select),
    el("td", { role: "cell", id: why }, mine ? t("columns.stated") : column.reason && noted(column.reason, "read"),
      !mine && !unclear && column.confidence === "unsure" && el("small", {}, " ", t("columns.unsure"))),
    el("td", { role: "cell" }, column.examples.map((one, k) => [k > 0 && " · ", theirs(one)])));
  return { name, before, node, role: () => select.value };
}

const roleName = (role) => (known(`role.${role}`) ? t(`role.${role}`) : theirs(role));
const changes = (rows) => rows.filter((row) => row.role() !== row.before);
const namesWith = (rows, role) => rows.filter((row) => row.role() === role).map((row) => row.name);
const without = (reading, names) => Object.fromEntries(Object.entries(reading).filter(([name]) => !names.includes(name)));

/** What accord will do with the changed roles. */
function effectOf(rows) {
  const n = changes(rows).length;
  const items = namesWith(rows, "item");
  const annotators = namesWith(rows, "annotator");
  return n > 0 && [many("columns.changed", n),
    items.length > 1 && [" ", ...around("columns.together", { names: theirs(items.join(" + ")) })],
    annotators.length > 1 && [" ", many("columns.annotators", annotators.length)]];
}

/**
 * The reading options with the changed roles. If columns share a role, all of them are stated. The table replaces the
 * options of the form that name the same columns.
 */
function readingWith(kept, before, rows) {
  const stated = new Map(before);
  const replaced = new Set(["role"]);
  const declare = (role) => { for (const name of namesWith(rows, role)) stated.set(name, role); };
  for (const row of changes(rows)) {
    const role = row.role();
    if (role) stated.set(row.name, role);
    else stated.delete(row.name);
    if (SHARED.includes(role)) declare(role);
    const option = kept[row.before] !== undefined ? row.before : row.before === "annotator" && kept.label ? "label" : null;
    if (option || row.before === "item") declare(row.before);
    if (option) replaced.add(option);
  }
  for (const role of stated.values()) replaced.add(role);
  const columns = (role) => [...rows.map((row) => row.name), ...before.keys()].filter((name, k, all) => stated.get(name) === role && all.indexOf(name) === k);
  if (columns("annotator").length > 1 || columns("votes").length) replaced.add("label");
  const role = [...new Set(stated.values())].flatMap((one) => (JOINED.includes(one) ? [`${columns(one).join("+")}=${one}`] : columns(one).map((name) => `${name}=${one}`)));
  const gone = changes(rows).filter((row) => row.before === "label").map((row) => row.name);
  return { ...withoutLevels(without(kept, [...replaced]), (name) => gone.includes(name)), ...(role.length ? { role } : {}) };
}

/** The readings that a refusal suggests, with a button for each. */
export function suggestedReadings(understood, changed) {
  const kept = state.project.reading ?? {};
  const ways = understood?.ways ?? [];
  if (!ways.length) return null;
  return el("section", { id: "ways", "aria-labelledby": "ways-title" },
    el("h2", { class: "minor", id: "ways-title" }, t("ways.title")),
    el("ul", { class: "ways" }, ways.map((way) => {
      const what = el("p", { id: fresh("way") }, Object.entries(way.reading).map(([name, value], k) => [k > 0 && "; ", optionIn(name, value, kept)]));
      const counts = Object.entries(way.variables).map(([name, found], k, all) => el("p", { class: "hint", id: `${what.id}-${k}` }, all.length > 1 && [theirs(name), ": "],
        COUNTS.filter((key) => found[key] !== undefined).map((key) => `${t(`fact.${key.replace("n_", "")}`)}: ${t("number", { n: found[key] })}`).join(" · ")));
      return el("li", {}, what, counts, button(t("ways.take"), () => changed({ reading: { ...kept, ...way.reading } }),
        { "aria-describedby": [what, ...counts].map((one) => one.id).join(" ") }));
    })));
}

/** An option with its value: “Column with the item names”: id. */
function optionIn(name, value, kept) {
  if (name === "role") return rolesIn(value.filter((text) => !(kept.role ?? []).includes(text)));
  const label = known(`reading.${name}`) ? t(`reading.${name}`) : theirs(name);
  if (value === true) return label;
  return [label, ": ", [value].flat().map((one, k) => [k > 0 && ", ", known(`${name}.${one}`) ? t(`${name}.${one}`) : theirs(one)])];
}

function rolesIn(texts) {
  const pairs = texts.map((text) => [text.slice(0, text.lastIndexOf("=")), text.slice(text.lastIndexOf("=") + 1)]);
  return [...new Set(pairs.map(([, role]) => role))].map((role, k) => [k > 0 && "; ",
    pairs.filter((pair) => pair[1] === role).map(([column], at) => [at > 0 && ", ", theirs(column)]), " → ", roleName(role)]);
}
