// The form with the reading options, which are the options of `accord read`.
import { roleControl } from "./columns.js";
import { button, checkbox, el, fill, fresh, speak, theirs } from "./dom.js";
import { declaredReading, readingOf } from "./options.js";
import { state } from "./state.js";
import { columnsOf, namedModels, withoutLevels } from "./variables.js";
import { t } from "./words.js";

// The groups of the form. Options that are not listed here belong to files and layout.
const GROUPS = {
  columns: ["item", "annotator", "doc", "start", "end", "end_is_length", "label", "anonymous", "role"],
  labels: ["categories", "missing", "sets", "repeats", "keep_empty", "fold", "only", "merge", "measurement"],
  people: ["models", "annotators", "everybody", "base"],
  layout: ["layout", "annotators_in", "format", "columns", "names", "sheet", "encoding", "delimiter", "no_header", "repair"],
};
const ALWAYS = ["categories", "missing", "models", "annotators", "everybody", "layout"];

const dashed = (name) => `--${name.replaceAll("_", "-")}`;
const unique = (names) => [...new Set(names)];
const groupOf = (name) => Object.keys(GROUPS).find((key) => GROUPS[key].includes(name)) ?? "layout";

/**
 * The form. It calls `changed({reading, models})` when the user wants to read the data again. `options` are the options
 * that accord suggests for these data: they are shown first, the others under "More options". Without `options`
 * (reading failed), the form shows all options.
 */
export function correcting(understood, options, changed) {
  const kept = state.project.reading ?? {};
  const columns = understood ? columnsOf(understood) : [];
  const variables = Object.values(understood?.variables ?? {});
  const people = unique(variables.flatMap((one) => one.annotators ?? []));
  const guessed = unique(variables.flatMap((one) => one.models ?? []));
  const machines = people.length ? several("models", people, t("correct.models"), (one) => (namedModels() ?? guessed).includes(one), t("hint.models")) : null;

  // Every declared option has a control. Some options have a special control.
  const own = { label: labels(kept, columns, Object.keys(understood?.variables ?? {})), categories: ordering(kept, variables), annotators: staying(kept, people), role: roleControl(kept, columns), measurement: levelControl(kept, variables) };
  const controls = Object.keys(declaredReading()).map((name) => own[name] ?? readingOf(name, { given: kept[name], columns }));
  const shown = [...(machines ? [{ name: "models", node: machines.node }] : []), ...controls.filter(({ node }) => node)];

  const submit = (event) => {
    event.preventDefault();
    const reading = {};
    for (const { name, value } of controls) if (value() !== undefined) reading[name] = value();
    const gone = (name) => reading.label && columns.includes(name) && !reading.label.includes(name);
    changed({ reading: withoutLevels(reading, gone), ...(machines ? { models: machines.chosen() } : {}) });
  };
  const first = (name) => !options || ALWAYS.includes(name) || options.includes(dashed(name)) || kept[name] !== undefined;
  const group = (wanted) => Object.entries(GROUPS).map(([key, order]) => {
    const some = shown.filter(({ name }) => groupOf(name) === key && wanted(name));
    const place = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
    some.sort((a, b) => place(a) - place(b));
    return some.length > 0 && [el("h2", { class: "minor" }, t(`correct.${key}`)), el("div", { class: "fields" }, some.map((one) => one.node))];
  });
  const form = el("form", { onsubmit: submit },
    el("p", {}, t("correct.lead")), group(first),
    options && el("details", { class: "fold" }, el("summary", {}, t("options.more")), group((name) => !first(name))),
    el("div", { class: "go" },
      el("button", { type: "submit", class: "plain main" }, t("correct.again")),
      (Object.keys(kept).length > 0 || namedModels()) && button(t("correct.forget"), () => changed({ reading: {}, models: null }))));
  return el("details", { class: "fold", id: "correct" }, el("summary", {}, t("correct.title")), form);
}

/** Levels of measurement have their own form if accord could read the data. */
const levelControl = (kept, variables) => (variables.some((one) => one.measurement)
  ? { name: "measurement", node: null, value: () => kept.measurement }
  : readingOf("measurement", { given: kept.measurement }));

/** A checkbox for each name. */
function several(name, names, legend, ticked, hint = null) {
  const boxes = names.map((one) => checkbox(theirs(one), { checked: ticked(one) }));
  const chosen = () => names.filter((_, k) => boxes[k].querySelector("input").checked);
  const node = el("fieldset", { "data-option": name }, el("legend", {}, legend), hint && el("p", { class: "hint" }, hint), el("div", { class: "fields" }, boxes));
  return { node, chosen };
}

/** Checkboxes for the annotators to keep. Annotators that were excluded before are not in the data any more. */
function staying(kept, people) {
  if (people.length < 3 && !kept.annotators) return null;
  const stay = people.length > 2 ? several("annotators", people, t("reading.annotators"), () => true) : null;
  const all = kept.annotators && checkbox(t("reading.everybody"));
  return {
    name: "annotators",
    node: el("div", { class: "wide" }, stay?.node, all),
    value: () => (stay && stay.chosen().length < people.length ? stay.chosen() : all && !all.querySelector("input").checked ? kept.annotators : undefined),
  };
}

/** Checkboxes for the columns of a table, or the layers of files, that contain labels. */
function labels(kept, columns, variables) {
  const given = kept.label ?? [];
  const names = unique([...(columns.length ? columns : variables), ...given]);
  if (!names.length) return null;
  const { node, chosen } = several("label", names, t("reading.label"), (one) => given.includes(one), t("hint.label"));
  return { name: "label", node, value: () => (chosen().length ? chosen() : undefined) };
}

/** The order of the categories: low, middle, high. */
function ordering(kept, variables) {
  const found = kept.categories ?? (variables.length === 1 && variables[0].kind === "items" ? variables[0].categories : null);
  if (!found || found.length < 2 || found.length > 200) return null;
  const names = [...found];
  const used = checkbox(t("order.use"), { checked: Boolean(kept.categories) }, "categories");
  const list = el("ol", { class: "order" });
  const box = used.querySelector("input");
  const draw = (focus) => {
    list.hidden = !box.checked;
    fill(list, names.map((name, k) => el("li", {}, theirs(name),
      button("↑", () => move(k, -1), { "aria-label": t("order.up", { name }), disabled: k === 0 }),
      button("↓", () => move(k, 1), { "aria-label": t("order.down", { name }), disabled: k === names.length - 1 }))));
    if (focus) (list.children[focus.k].querySelectorAll("button")[focus.which]).focus();
  };
  const move = (k, by) => {
    [names[k], names[k + by]] = [names[k + by], names[k]];
    const at = k + by;
    draw({ k: at, which: by < 0 ? (at === 0 ? 1 : 0) : (at === names.length - 1 ? 0 : 1) });
    speak(t("order.moved", { name: names[at], place: at + 1, n: names.length }));
  };
  box.addEventListener("change", () => draw());
  draw();
  return { name: "categories", node: el("fieldset", {}, el("legend", {}, t("reading.categories")), used, el("p", { class: "hint", id: fresh("hint") }, t("order.hint")), list), value: () => (box.checked ? names : undefined) };
}
