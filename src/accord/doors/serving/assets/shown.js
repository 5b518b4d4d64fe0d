// Show results of accord: tables and printed text.
import { el, said, scrolling, theirs } from "./dom.js";
import { inControls } from "./messages.js";
import { t } from "./words.js";

const WIDE = 80; // characters

/** The text that the command line prints. Sentences name the controls of the page; rows of tables stay unchanged. */
export const printed = (text, label, command) => scrolling(el("pre", { class: "printed", "data-said": true, lang: "en" }, sentences(text, command)), label);

function sentences(text, command) {
  const joined = text.replace(/(?<=[ \n](?:--[a-z-]+|-m|accord))\n +(?=\S)/g, " "); // an option and its value in one line
  return joined.split("\n").map((line) => (/\S {2}|^ *accord /.test(line) ? line : folded(line, inControls(line, command)))).join("\n");
}

/** A changed line in lines of the usual width. */
function folded(line, changed) {
  if (changed === line) return line;
  const indent = /^ */.exec(line)[0];
  const lines = [indent];
  for (const word of changed.trim().split(" ")) {
    const longer = lines.at(-1).trim() ? `${lines.at(-1)} ${word}` : lines.at(-1) + word;
    if (longer.length <= WIDE) lines[lines.length - 1] = longer;
    else lines.push((indent || "  ") + word);
  }
  return lines.join("\n");
}

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
