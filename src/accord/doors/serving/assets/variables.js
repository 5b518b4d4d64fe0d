// The choice of a variable: a gold standard, a comparison or a plan uses one variable at a time.
import * as api from "./api.js";
import { el, field, theirs } from "./dom.js";
import { isDone, latest, state } from "./state.js";
import { t } from "./words.js";

/** The data as the newest reading job understood them. */
export const understood = () => api.output(latest("read", isDone).id, "understood.json");

/** All annotators, without repetitions. */
export const annotators = (seen) => [...new Set(Object.values(seen.variables).flatMap((one) => one.annotators ?? []))];

/** The columns of the uploaded tables. */
export const columnsOf = (seen) => [...new Set(seen.tables.flatMap((one) => one.columns.map((column) => column.name)))];

/** Annotators that the user marked as models. null: the user did not choose any. */
export const namedModels = () => state.project.models;

/** The levels of measurement that the user stated, by variable; "" stands for all variables that are not named. */
export const statedLevels = ({ measurement = [] }) => new Map([measurement].flat().map((text) => [text.slice(0, Math.max(0, text.lastIndexOf("="))), text.slice(text.lastIndexOf("=") + 1)]));

/** The reading options with other levels, by variable; "" is automatic. `names` are all variables of the data. */
export function withLevels({ measurement, ...reading }, levels, names) {
  const before = statedLevels({ measurement });
  const level = (name) => levels.get(name) ?? before.get(name) ?? before.get("") ?? "";
  const made = names.filter(level).map((name) => (names.length > 1 ? `${name}=${level(name)}` : level(name)));
  return made.length ? { ...reading, measurement: made } : reading;
}

/** The reading options without the levels of variables that accord will not read any more. */
export function withoutLevels({ measurement = [], ...reading }, isGone) {
  const left = [measurement].flat().filter((text) => !isGone(text.slice(0, Math.max(0, text.lastIndexOf("=")))));
  return left.length ? { ...reading, measurement: left } : reading;
}

/** The reading options that select a variable: its labels, and its level only. */
function only(name) {
  const kept = state.project.reading ?? {};
  const { measurement = [] } = withoutLevels(kept, (other) => other !== "" && other !== name);
  return { label: [name], ...(kept.measurement ? { measurement } : {}) };
}

/** A select element if there are several variables. `reading()` returns the reading option for a job. */
export function choice(seen, changed = () => {}) {
  const names = Object.keys(seen.variables);
  if (names.length < 2) return { node: null, names, name: () => names[0], reading: () => ({}) };
  const kept = `accord-variable-${state.project.id}`;
  const select = el("select", { onchange: () => { sessionStorage.setItem(kept, select.value); changed(); } }, names.map((name) => theirs(name, "option", { value: name })));
  const before = sessionStorage.getItem(kept);
  if (names.includes(before)) select.value = before;
  return { node: field(t("variable"), select, { option: "label" }), names, name: () => select.value, reading: () => ({ reading: only(select.value) }) };
}

/** Whether a job was about this variable. The options of a job take precedence over those of the project. */
export const about = (job, { reading = {} }) => String(job.options.reading?.label ?? "") === String(reading.label ?? state.project.reading?.label ?? "");
