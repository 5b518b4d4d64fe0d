// Show results of accord: tables and printed text.
import { el, said, scrolling, theirs } from "./dom.js";
import { t } from "./words.js";

/** The text that the command line prints. */
export const printed = (text, label) => scrolling(el("pre", { class: "printed", "data-said": true, lang: "en" }, text), label);

/** A table. Without column names it has no header row. */
export function table({ title, columns, rows, notes = [], numeric = [] }) {
  const named = columns.some(Boolean);
  const made = el("table", {},
    title && el("caption", {}, theirs(title)),
    named && el("thead", {}, el("tr", {}, columns.map((name, k) => el("th", { scope: "col", class: numeric[k] ? "r" : null }, said(name))))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, k) => cellOf(cell, k, numeric[k]))))));
  return [scrolling(made, title || t("table")), notes.length ? el("ul", { class: "notes" }, notes.map((note) => el("li", {}, said(note)))) : null];
}

const cellOf = (cell, k, numeric) => el(k === 0 ? "th" : "td", { class: numeric ? "r" : null, ...(k === 0 ? { scope: "row" } : {}) }, theirs(cell ?? ""));
