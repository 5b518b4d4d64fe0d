// Messages of the server. They name options as on the command line; the page shows the labels of its controls instead.
import { el, said } from "./dom.js";
import { declared, declaredReading, wordsFor } from "./options.js";
import { state } from "./state.js";
import { known, t } from "./words.js";

// Text in double quotes comes from the user's data and stays unchanged. An option may be followed by its value.
const PARTS = /"[^"]*"|(?<![\w\-"'])(?:--([a-z]+(?:-[a-z]+)*)(?![\w-])|-(m)(?= ))(?: ("[^"]*"|'[^']*'|…|[\p{L}\p{N}_][\p{L}\p{N}_=,.…-]*(?:\([^)]*\))?))?/gu;
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
  return String(message).replace(PARTS, (whole, long, short, value = "") => {
    const name = short ? "measure" : long?.replaceAll("-", "_");
    if (name === undefined) return whole;
    if (name === "say") return guideQuestion(value) ?? whole;
    const label = labelFor(name, command);
    if (label === null) return whole;
    const given = value.replace(/[.,;:-]+$/u, "");
    const rest = value.slice(given.length);
    if (given === "") return t("quoted", { label });
    const schema = schemaOf(name, command);
    if (PLACEHOLDER.test(given)) return t("quoted", { label }) + rest;
    if (!isValue(given, name, schema)) return `${t("quoted", { label })} ${value}`;
    return t("quoted.value", { label, value: worded(name, given) }) + rest;
  });
}

const declaredBy = (command, name) => (state.about.commands[command] ? declared(command)[name] : undefined);
const schemaOf = (name, command) => declaredBy(command, name) ?? declaredReading()[name] ?? OTHERS.map((one) => declaredBy(one, name)).find(Boolean);

function labelFor(name, command) {
  if (name === "models") return t("correct.models");
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
  const listed = [...(schema?.enum ?? []), ...(schema?.items?.enum ?? []), ...(VALUES[name] ?? [])];
  const proposed = { intervals: Object.keys(state.about.intervals), formats: state.about.formats.map((one) => one.name), measures: state.about.measures.map((one) => one.name) };
  return listed.includes(word) || (proposed[schema?.["x-propose"]] ?? []).includes(word) || VALUE.test(word);
}

const worded = (name, value) => (known(`${name}.${value}`) ? t(`${name}.${value}`) : value);

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
