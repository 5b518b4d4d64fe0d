// The options of a command: a control for each, under the headings that the command declares.
import { checkbox, el, field, fresh, said, theirs } from "./dom.js";
import { state } from "./state.js";
import { known, t } from "./words.js";

const DATA = ["paths", "reading"]; // the upload and the reading options

/** The declared options of a command, and the reading options: JSON schemas by name. */
export const declared = (command) => state.about.commands[command].properties;
export const declaredReading = () => declared("read").reading.properties;

/** All options of a command except those in `left`, folded. `given` are the values of an earlier job. */
export function moreOptions(command, { left = [], given = {}, columns = [], open = false } = {}) {
  const controls = Object.entries(declared(command)).filter(([name]) => !DATA.includes(name) && !left.includes(name))
    .map(([name]) => optionOf(command, name, { given: given[name], columns }));
  return {
    node: el("details", { class: "fold", "data-options": command, open }, el("summary", {}, t("options.more")), grouped(controls)),
    values: () => valuesOf(controls),
  };
}

/** The values that differ from the defaults, by name. */
export const valuesOf = (controls) => Object.fromEntries(controls.map((one) => [one.name, one.value()]).filter(([, value]) => value !== undefined));

/** Controls under their declared headings. Rarely needed options are last. */
export function grouped(controls) {
  const headings = [...new Set(controls.map((one) => one.schema["x-heading"] ?? ""))];
  return headings.map((heading) => {
    const some = controls.filter((one) => (one.schema["x-heading"] ?? "") === heading);
    some.sort((a, b) => Boolean(a.schema["x-rare"]) - Boolean(b.schema["x-rare"]));
    return el("fieldset", {}, heading && el("legend", {}, headed(heading)), el("div", { class: "fields" }, some.map((one) => one.node)));
  });
}

function headed(heading) {
  const key = heading.toLowerCase().replaceAll(" ", "_");
  return known(`heading.${key}`) ? t(`heading.${key}`) : said(heading);
}

/** The key of the label of a command's option, if the page has one. */
export const wordsFor = (command, name) => [`option.${command}.${name}`, `option.${name}`].find(known);

/** The control of an option of a command. */
export function optionOf(command, name, more = {}) {
  const words = wordsFor(command, name);
  return controlOf(name, declared(command)[name], { words, hint: words && `hint.${words}`, ...more });
}

/** The control of a reading option. */
export const readingOf = (name, more = {}) => controlOf(name, declaredReading()[name], { words: `reading.${name}`, hint: `hint.${name}`, usual: t("correct.as_understood"), split: true, ...more });

/**
 * The control of an option, chosen by its schema. `value()` is undefined if the user does not change the default. The
 * label is the text with the key `words`. Without it, the label is the name of the option and the hint its declared help.
 */
export function controlOf(name, schema, { given, columns = [], words, hint, usual, needed = false, split = false } = {}) {
  const translated = words && known(words);
  const label = translated ? t(words) : said(title(name));
  const below = translated ? (hint && known(hint) ? t(hint) : null) : said(plain(schema.description));
  const wanted = kindOf(schema, columns);
  const { control, value, node, list } = wanted(name, schema, { given, columns, label, usual, needed, split });
  const made = node ?? field(label, control, { hint: wanted === lines ? [below, " ", t("options.lines")] : below, option: name });
  if (list) made.append(list);
  if (node && below) node.append(el("span", { class: "hint" }, below));
  return { name, schema, node: made, value };
}

const title = (name) => { const words = name.replaceAll("_", " "); return words[0].toUpperCase() + words.slice(1); };
/** The declared help without backquotes and dashes of options. */
const plain = (text) => text.replaceAll("`", "").replace(/--([a-z][a-z-]*)/g, (_, flag) => flag.replaceAll("-", " "));

/** The values to choose from: declared ones, or names of columns, files, intervals, formats and scales. */
function choices(schema, columns) {
  const named = { columns, intervals: Object.keys(state.about.intervals), formats: state.about.formats.map((one) => one.name), scales: state.about.scales };
  if (schema.format === "path") return state.project.files.map((file) => file.path);
  return (schema.enum ?? named[schema["x-propose"]] ?? []).filter((one) => one !== null);
}

function kindOf(schema, columns) {
  const types = [schema.type].flat();
  if (types.includes("boolean")) return types.includes("null") ? yesOrNo : flag;
  if (types[0] === "array") return schema.items.enum ? boxes : lines;
  if (types.includes("integer") || String(types.filter((one) => one !== "null")) === "number") return number;
  return choices(schema, columns).length ? select : text;
}

/* Each function returns a control that gets its label from `field`, or a node with a label, and a function for its value. */

function flag(name, schema, { given, label }) {
  const node = checkbox(label, { checked: given ?? schema.default ?? false }, name);
  const box = node.querySelector("input");
  return { node: el("div", { class: "flag" }, node), value: () => (box.checked === (schema.default ?? false) ? undefined : box.checked) };
}

function yesOrNo(name, schema, { given }) {
  const control = el("select", {}, el("option", { value: "" }, byDefault(schema)), [true, false].map((one) => el("option", { value: String(one) }, t(one ? "options.yes" : "options.no"))));
  control.value = given === undefined ? "" : String(given);
  return { control, value: () => (control.value === "" ? undefined : control.value === "true") };
}

function boxes(name, schema, { given = [], label }) {
  const all = schema.items.enum.map((one) => [one, checkbox(worded(name, one), { checked: given.includes(one) })]);
  const node = el("fieldset", { "data-option": name }, el("legend", {}, label), all.map(([, box]) => box));
  const ticked = () => all.filter(([, box]) => box.querySelector("input").checked).map(([one]) => one);
  return { node, value: () => (ticked().length ? ticked() : undefined) };
}

function lines(name, schema, { given = [] }) {
  const control = el("textarea", { rows: 2, spellcheck: "false", "data-said": true, placeholder: pattern(schema) });
  control.value = [given].flat().join("\n");
  const number = schema.items.type === "number";
  const typed = () => control.value.split("\n").map((line) => line.trim()).filter(Boolean);
  return { control, value: () => (typed().length ? typed().map((line) => (number && !isNaN(line) ? Number(line) : line)) : undefined) };
}

function number(name, schema, { given, needed }) {
  const whole = [schema.type].flat().includes("integer");
  const control = el("input", { type: "number", step: whole ? "1" : "any", min: schema.minimum, "data-said": true, placeholder: placeholder(schema), value: given ?? "", required: needed });
  return { control, value: () => (control.value === "" ? undefined : Number(control.value)) };
}

function select(name, schema, { given, columns, usual, needed }) {
  const all = choices(schema, columns).filter((one) => one !== "default"); // the first entry
  const shown = given && !all.includes(given) ? [...all, given] : all;
  const control = el("select", { required: needed }, el("option", { value: "" }, usual ?? byDefault(schema, name)),
    shown.map((one) => el("option", { value: one }, worded(name, one))));
  control.value = given ?? "";
  return { control, value: () => control.value || undefined };
}

function text(name, schema, { given, needed, split }) {
  const list = schema["x-propose"] === "measures" && el("datalist", { id: fresh("measures") }, state.about.measures.map((one) => theirs(one.name, "option", { value: one.name })));
  const control = el("input", { type: "text", list: list && list.id, "data-said": true, placeholder: placeholder(schema), value: [given ?? ""].flat().join(","), required: needed, autocomplete: "off", spellcheck: "false" });
  const value = () => {
    const typed = control.value.trim();
    if (!typed) return undefined;
    if (split && [schema.type].flat().includes("array")) return typed.split(",").map((one) => one.trim());
    return [schema.type].flat().includes("number") && !isNaN(typed) ? Number(typed) : typed; // a number or a word
  };
  return { control, value, list };
}

const isSaid = (value) => value !== undefined && value !== null && String(value) !== "";
const placeholder = (schema) => (isSaid(schema.default) ? String(schema.default) : pattern(schema));
const pattern = (schema) => (/[^A-Z]/.test(schema["x-metavar"] ?? "") ? schema["x-metavar"] : null); // A,B=C shows the notation, NAME does not
const byDefault = (schema, name) => {
  if (schema["x-propose"] === "columns" || schema.format === "path") return t("none");
  const value = known(`${name}.${schema.default}`) ? t(`${name}.${schema.default}`) : schema.default;
  return isSaid(value) && schema.default !== "default" ? t("options.usual", { value }) : t("options.unsaid");
};
const worded = (name, value) => (known(`${name}.${value}`) ? t(`${name}.${value}`) : theirs(value));
