// Messages of the server. They name options as on the command line; the page shows the labels of its controls instead.
import { el, said } from "./dom.js";
import { declared, declaredReading, wordsFor } from "./options.js";
import { state } from "./state.js";
import { known, t } from "./words.js";

// Text in double quotes comes from the user's data and stays unchanged. An option may be followed by its value.
const PARTS = /"[^"]*"|(?<![\w\-"'])(?:--([a-z]+(?:-[a-z]+)*)(?![\w-])|-(m)(?=\s))(?:\s+("[^"]*"|'[^']*'|…|[\p{L}\p{N}_][\p{L}\p{N}_=,.…-]*(?:\([^)]*\))?))?/gu;
const LISTED = /(?<![\w"'-])--[a-z-]+(?: (?:…|[A-Z]{4,}))?(?= --[a-z])/gu; // an option without a value before another one
const GROUPED = /(?<![\w"'-])(--[a-z-]+ (?:"[^"]*"|'[^']*'|[^\s"']*[^\s"',;:.]))(?= --[a-z])/gu; // an option with a value before another one
const COMMANDS = /`accord ([a-z]+)`|\baccord\s([a-z]+)\b(?!\s+[-"']|\s+\S+\.\w)/gu; // not a whole command line
const PLACEHOLDER = /^(?:[A-Z]{4,}|…)$/; // COLUMN, FILE: the user chooses the value in the control
// Words that are values wherever they follow an option; core/errors.py has the same rule for Python.
const VALUE = /^(?:["'].*|[\d.]+|[a-z]\w*\.(?:json|csv)|(?:[A-Z_]|[a-z]+[=,\d]|[a-z]+-(?:\w+-)?\d).*|utf-.*|\w+\(.*\))$/u;
const VALUES = {
  annotators_in: ["columns", "rows", "files", "folders", "sheets", "tiers"],
  by: ["annotator", "category", "pair", "item", "document", "round"],
  error: ["category", "combination", "false_negative", "false_positive", "fragment", "shift", "text", "token"],
  fold: ["case", "space"],
  null: ["permutation"],
  reference: ["consensus"],
};
const STEPS = { report: "measures", gold: "decide", compare: "compare", replace: "compare", plan: "plan" }; // of commands
const OTHERS = ["score", ...Object.keys(STEPS), "annotators", "intra", "trend"]; // searched in this order

/** Return a message with labels of controls: `“Table layout”: counts` for `--layout counts`. Unknown options stay. */
export function inControls(message, command) {
  if (!state.about) return String(message); // the labels are not loaded yet
  const text = String(message).replace(LISTED, "$&,").replace(GROUPED, "$1,"); // `--item … --label …` lists two controls
  let last = null; // the previous option: its name, whether it had a value, and its end in the text
  return text.replace(PARTS, (whole, long, short, value = "", at) => {
    const name = short ? "measure" : long?.replaceAll("-", "_");
    if (name === undefined) return whole;
    if (name === "say") return guideQuestion(value) ?? whole;
    const label = labelFor(name, command);
    if (label === null) return whole;
    const given = value.replace(/[.,;:-]+$/u, "");
    const rest = value.slice(given.length);
    const valued = given !== "" && !PLACEHOLDER.test(given) && isValue(given, name, schemaOf(name, command));
    const between = last && text.slice(last.end, at);
    const again = valued && last?.valued && last.name === name && /^(?:,|,? or)\s$/u.test(between); // name the control once
    last = { name, valued, end: at + whole.length - rest.length };
    if (again) return worded(name, given) + rest;
    if (valued) return t("quoted.value", { label, value: worded(name, given) }) + rest;
    if (given === "" || PLACEHOLDER.test(given)) return t("quoted", { label }) + rest;
    return `${t("quoted", { label })} ${value}`;
  }).replace(COMMANDS, (whole, quoted, plain) => stepFor(quoted ?? plain) ?? whole);
}

/** The step of the page that runs a command. "accord read" can also be a verb in a sentence. */
function stepFor(command) {
  if (command === "formats") return t("quoted", { label: t("reading.format") }); // this control lists the formats
  if (command === "read" || !state.about.commands[command]) return null;
  const step = { ...STEPS, advise: "measures", report: "report" }[command];
  return t("quoted", { label: step ? t(`step.${step}`) : `${t("step.ask")} › ${command}` });
}

/** Whether a message names a control of the reading options. */
export const namesReading = (message, command) => [...String(message).matchAll(PARTS)].some(([, long]) => {
  const name = long?.replaceAll("-", "_");
  return name !== undefined && Boolean(declaredReading()[name]) && labelIn(command, name) === null;
});

const declaredBy = (command, name) => (state.about.commands[command] ? declared(command)[name] : undefined);
const schemaOf = (name, command) => declaredBy(command, name) ?? declaredReading()[name] ?? OTHERS.map((one) => declaredBy(one, name)).find(Boolean);

function labelFor(name, command) {
  if (name === "models") return t("correct.models");
  if (name === "json") return `${t("step.take")} › result.json`; // in the zip archive
  const own = labelIn(command, name);
  if (own !== null) return own;
  if (declaredReading()[name] && known(`reading.${name}`)) return t(`reading.${name}`);
  const other = OTHERS.find((one) => labelIn(one, name) !== null); // a control in another step: name the step, too
  return other ? [t(`step.${STEPS[other] ?? "ask"}`), ...(STEPS[other] ? [] : [other]), labelIn(other, name)].join(" › ") : null;
}

function labelIn(command, name) {
  const words = declaredBy(command, name) && wordsFor(command, name);
  return words ? t(words) : null;
}

function isValue(word, name, schema) {
  const types = [schema?.type].flat();
  if (types.includes("boolean")) return false;
  const listed = [...(schema?.enum ?? []), ...(schema?.items?.enum ?? []), ...(VALUES[name] ?? []), ...(name === "measurement" ? state.about.levels : [])];
  const proposed = { intervals: Object.keys(state.about.intervals), formats: state.about.formats.map((one) => one.name), measures: state.about.measures.map((one) => one.name) };
  return listed.includes(word) || (proposed[schema?.["x-propose"]] ?? []).includes(word) || VALUE.test(word);
}

/** The value in the words of the page; `tone=ordinal` is the level of a variable. */
function worded(name, value) {
  const at = name === "measurement" ? value.lastIndexOf("=") + 1 : 0;
  const key = `${name}.${value.slice(at)}`;
  return known(key) ? value.slice(0, at) + t(key) : value;
}

/** The guide asks the questions that `accord advise --say order=grades` answers. */
function guideQuestion(value) {
  const [question, answer = ""] = value.split("=");
  if (!known(`guide.${question}`)) return null;
  const label = t(`guide.${question}`);
  const key = `guide.${question}.${answer}`;
  return answer ? t("quoted.value", { label, value: known(key) ? t(key) : answer }) : t("quoted", { label });
}

/** A note of accord, in the terms of the page. */
export const noted = (note, command, tag = "span", given = {}) => said(inControls(note, command), tag, given);

/** An error of accord, in the terms of the page. The code at its end is shown smaller. */
export function refused(line, command) {
  const [, message, code] = /^(.*?)(?: \[([a-z-]+)\])?$/su.exec(line);
  const node = noted(message, command, "p", { class: "what" });
  if (code) node.append(el("small", {}, ` [${code}]`));
  return node;
}
