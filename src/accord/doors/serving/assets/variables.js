// Of several variables, the one that a question is about: a gold standard, a comparison, a plan take one at a time.
import * as api from "./api.js";
import { el, field, theirs } from "./dom.js";
import { isDone, latest, state } from "./state.js";
import { t } from "./words.js";

/** What was understood, as the newest job that read the data says it. */
export const understood = () => api.output(latest("read", isDone).id, "understood.json");

/** Every annotator, once. */
export const annotators = (seen) => [...new Set(Object.values(seen.variables).flatMap((one) => one.annotators ?? []))];

/** The columns of the tables that were uploaded. */
export const columnsOf = (seen) => [...new Set(seen.tables.flatMap((one) => one.columns.map((column) => column.name)))];

/** Annotators that somebody said are no people; null: nobody said it. */
export const namedModels = () => state.project.models;

/** A choice where there are several; `reading()` is what a job is to be told. */
export function choice(seen, changed = () => {}) {
  const names = Object.keys(seen.variables);
  if (names.length < 2) return { node: null, name: () => names[0], reading: () => ({}) };
  const kept = `accord-variable-${state.project.id}`;
  const select = el("select", { onchange: () => { sessionStorage.setItem(kept, select.value); changed(); } }, names.map((name) => theirs(name, "option", { value: name })));
  const before = sessionStorage.getItem(kept);
  if (names.includes(before)) select.value = before;
  return { node: field(t("variable"), select, { option: "label" }), name: () => select.value, reading: () => ({ reading: { label: [select.value] } }) };
}

/** Whether a job was about this variable; what the project says of reading is laid under what the job was told. */
export const about = (job, { reading = {} }) => String(job.options.reading?.label ?? "") === String(reading.label ?? state.project.reading?.label ?? "");
