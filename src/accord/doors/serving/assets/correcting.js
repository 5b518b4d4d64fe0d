// What a user can say about data that were understood otherwise than they are meant: the options of `accord read`.
import { button, checkbox, el, field, fill, fresh, named, speak, theirs } from "./dom.js";
import { state } from "./state.js";
import { namedModels } from "./variables.js";
import { t } from "./words.js";

const COLUMNS = ["item", "annotator", "doc", "start", "end"];
const CHOICES = { layout: ["long", "wide", "counts", "confusion", "units", "pygamma", "segmentations", "texts", "chains"],
                  annotators_in: ["columns", "rows", "files", "folders", "sheets", "tiers"],
                  repeats: ["error", "first", "last", "trials"] };
const TYPED = ["sets", "columns", "names", "sheet", "encoding", "delimiter"];
const ALWAYS = ["categories", "missing", "models", "annotators", "layout"];

const dashed = (name) => `--${name.replaceAll("_", "-")}`;
const unique = (names) => [...new Set(names)];

/**
 * The form; `changed({reading, models})` when it is to be read again. `options` are those that accord names for such
 * data: they stand first, the others behind "more". Where nothing could be read, all stand there.
 */
export function correcting(understood, options, changed) {
  const kept = state.project.reading ?? {};
  const columns = unique((understood?.tables ?? []).flatMap((one) => one.columns.map((column) => column.name)));
  const variables = Object.values(understood?.variables ?? {});
  const people = unique(variables.flatMap((one) => one.annotators ?? []));
  const controls = {};

  const select = (name, values, shown = (value) => theirs(value, "option", { value })) => {
    const given = kept[name] ?? "";
    const all = unique([...values, ...(given && !values.includes(given) ? [given] : [])]);
    const made = el("select", {}, el("option", { value: "" }, t("correct.as_understood")), all.map(shown));
    made.value = given;
    controls[name] = () => made.value || undefined;
    return field(t(`reading.${name}`), made, { option: dashed(name), hint: hint(name) });
  };
  const typed = (name) => {
    const made = el("input", { type: "text", value: kept[name] ?? "", autocomplete: "off", spellcheck: "false" });
    controls[name] = () => made.value || undefined;
    return field(t(`reading.${name}`), made, { option: dashed(name), hint: hint(name) });
  };
  const column = (name) => (columns.length ? select(name, columns) : typed(name));
  const flag = (name) => {
    const made = checkbox(t(`reading.${name}`), { checked: Boolean(kept[name]) }, dashed(name));
    controls[name] = () => made.querySelector("input").checked || undefined;
    return made;
  };
  const choice = (name) => select(name, CHOICES[name], (value) => el("option", { value }, t(`${name}.${value}`)));
  const format = () => select("format", state.about.formats.map((one) => one.name),
    (value) => theirs(state.about.formats.find((one) => one.name === value)?.title ?? value, "option", { value }));
  const several = (name, names, legend, ticked) => {
    const boxes = names.map((one) => {
      const made = checkbox(theirs(one), { checked: ticked(one) });
      made.querySelector("input").value = one;
      return made;
    });
    const chosen = () => boxes.map((one) => one.querySelector("input")).filter((box) => box.checked).map((box) => box.value);
    const made = el("fieldset", {}, el("legend", {}, legend, named(name && dashed(name))),
      hintFor(name), el("div", { class: "fields" }, boxes));
    return { made, chosen };
  };

  const label = labels(kept, columns, Object.keys(understood?.variables ?? {}), several, controls, typed);
  const missing = el("input", { type: "text", value: (kept.missing ?? []).join(", "), autocomplete: "off", spellcheck: "false" });
  controls.missing = () => (missing.value.trim() ? missing.value.split(",").map((one) => one.trim()).filter(Boolean) : undefined);
  const order = ordering(kept, variables);
  if (order) controls.categories = order.chosen;
  else if (kept.categories) controls.categories = () => kept.categories;
  const stay = people.length > 2 ? several("annotators", people, t("reading.annotators"), () => true) : null;
  const all = kept.annotators && checkbox(t("reading.everybody")); // whoever was left out is not among those that were read
  controls.annotators = () => (stay && stay.chosen().length < people.length ? stay.chosen() : all?.querySelector("input").checked ? undefined : kept.annotators);
  const guessed = unique(variables.flatMap((one) => one.models ?? []));
  const machines = people.length ? several(null, people, t("correct.models"), (one) => (namedModels() ?? guessed).includes(one)) : null;

  const submit = (event) => {
    event.preventDefault();
    const reading = {};
    for (const [name, value] of Object.entries(controls)) if (value() !== undefined) reading[name] = value();
    for (const [name, value] of Object.entries(kept)) if (!(name in controls)) reading[name] = value; // what the form does not show stays
    changed({ reading, ...(machines ? { models: machines.chosen() } : {}) });
  };
  const fields = {
    columns: [...COLUMNS.map((name) => [name, column(name)]), ["end_is_length", flag("end_is_length")], ["label", label]],
    labels: [["categories", order?.made], ["missing", field(t("reading.missing"), missing, { option: "--missing", hint: t("hint.missing") })], ["sets", typed("sets")],
             ["repeats", choice("repeats")], ["keep_empty", flag("keep_empty")]],
    people: [["models", machines?.made], ["annotators", stay?.made], ["annotators", all]],
    layout: [["layout", choice("layout")], ["annotators_in", choice("annotators_in")], ["format", format()],
             ...TYPED.filter((name) => name !== "sets").map((name) => [name, typed(name)]), ["no_header", flag("no_header")], ["repair", flag("repair")]],
  };
  const first = (name) => !options || ALWAYS.includes(name) || options.includes(dashed(name)) || kept[name] !== undefined;
  const group = (wanted) => Object.entries(fields).map(([key, all]) => {
    const some = all.filter(([name, made]) => made && wanted(name)).map(([, made]) => made);
    return some.length > 0 && [el("h2", { class: "minor" }, t(`correct.${key}`)), el("div", { class: "fields" }, some)];
  });
  const form = el("form", { onsubmit: submit },
    el("p", {}, t("correct.lead")), group(first),
    options && el("details", { class: "fold" }, el("summary", {}, t("correct.more")), group((name) => !first(name))),
    el("div", { class: "go" },
      el("button", { type: "submit", class: "plain main" }, t("correct.again")),
      (Object.keys(kept).length > 0 || namedModels()) && button(t("correct.forget"), () => changed({ reading: {}, models: null }))));
  return el("details", { class: "fold", id: "correct" }, el("summary", {}, t("correct.title")), form);
}

const hint = (name) => (["item", "annotator", "doc", "start", "end", "encoding", "sheet"].includes(name) ? null : t(`hint.${name}`));
const hintFor = (name) => (name === "label" || name === null ? el("p", { class: "hint" }, t(name === null ? "hint.models" : "hint.label")) : null);

/** Of a table the columns that hold labels; of files the layers. */
function labels(kept, columns, variables, several, controls, typed) {
  const given = kept.label ?? [];
  const names = unique([...(columns.length ? columns : variables), ...given]);
  if (!names.length) {
    const made = typed("label");
    const one = controls.label;
    controls.label = () => (one() === undefined ? undefined : [one()]);
    return made;
  }
  const { made, chosen } = several("label", names, t("reading.label"), (one) => given.includes(one));
  controls.label = () => (chosen().length ? chosen() : undefined);
  return made;
}

/** Categories in the order that is meant: low, middle, high. */
function ordering(kept, variables) {
  const found = kept.categories ?? (variables.length === 1 && variables[0].kind === "items" ? variables[0].categories : null);
  if (!found || found.length < 2 || found.length > 200) return null;
  const names = [...found];
  const used = checkbox(t("order.use"), { checked: Boolean(kept.categories) }, "--categories");
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
  return { made: el("div", {}, used, el("p", { class: "hint", id: fresh("hint") }, t("order.hint")), list), chosen: () => (box.checked ? names : undefined) };
}
