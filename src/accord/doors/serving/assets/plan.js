// The next round: how many items or documents, and who gets which.
import { checkbox, el, field, fill } from "./dom.js";
import { mainSpec, outcome } from "./compare.js";
import { choice, understood } from "./variables.js";
import { t } from "./words.js";

const QUESTIONS = ["width", "difference", "null", "people"];

export async function show(place) {
  const variable = choice(await understood());
  const shown = outcome("plan");
  const fields = el("div", {});
  const controls = {};
  const number = (name, value, given = {}) => {
    const made = el("input", { type: "number", step: "any", value, ...given });
    controls[name] = () => (made.value === "" ? undefined : Number(made.value));
    return field(t(`plan.${name}.ask`), made, { option: `--${name.replaceAll("_", "-")}` });
  };
  const text = (name, value = "") => {
    const made = el("input", { type: "text", required: true, value, autocomplete: "off", spellcheck: "false" });
    controls[name] = () => made.value.trim() || undefined;
    return field(t(`plan.${name}.ask`), made, { option: `--${name.replaceAll("_", "-")}` });
  };
  const measure = () => {
    const made = el("input", { type: "text", value: mainSpec(), autocomplete: "off", spellcheck: "false" });
    controls.measure = () => made.value.trim() || undefined;
    return field(t("compare.measure"), made, { option: "--measure", hint: t("compare.measure.hint") });
  };
  const forms = {
    width: () => [number("width", 0.1, { min: "0.001", max: "2" }), measure()],
    difference: () => [number("difference", 0.1, { min: "0.001", max: "2" }), number("power", 0.8, { min: "0.01", max: "0.999" }), measure()],
    null: () => [number("null", 0.4, { min: "-1", max: "1" }), number("power", 0.8, { min: "0.01", max: "0.999" }), measure()],
    people: () => [text("documents", "100"), text("people"), number("per_document", 2, { min: "1", step: "1" }), number("everybody", 0, { min: "0", step: "1" })],
  };
  const choose = (question) => {
    for (const name of Object.keys(controls)) delete controls[name];
    fill(fields, forms[question]());
  };
  const group = el("fieldset", {}, el("legend", {}, t("plan.question")), QUESTIONS.map((question, k) => {
    const made = checkbox(t(`plan.${question}`), { type: "radio", name: "question", value: question, checked: k === 0, onchange: () => choose(question) });
    return made;
  }));
  choose(QUESTIONS[0]);
  const submit = (event) => {
    event.preventDefault();
    const options = {};
    for (const [name, value] of Object.entries(controls)) if (value() !== undefined) options[name] = value();
    if (!("documents" in controls)) Object.assign(options, { paths: "all" }, variable.reading()); // the data are the pilot; who gets what needs none
    shown.start(options);
  };
  place.append(
    el("h1", {}, t("plan.title")), el("p", { class: "lead" }, t("plan.lead")),
    variable.node ?? "",
    el("form", { onsubmit: submit }, group, fields, el("div", { class: "go" }, el("button", { type: "submit", class: "plain main" }, t("plan.run")))),
    shown.made);
}
