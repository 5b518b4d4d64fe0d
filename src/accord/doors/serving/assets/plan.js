// Plan the next round: sample sizes, and the assignment of documents to annotators.
import { checkbox, el, fill } from "./dom.js";
import { mainSpec, outcome } from "./compare.js";
import { moreOptions, optionOf, valuesOf } from "./options.js";
import { choice, columnsOf, understood } from "./variables.js";
import { t } from "./words.js";

// The first options of each question with their initial values. null: the user must enter a value.
const QUESTIONS = {
  width: { width: 0.1 },
  difference: { difference: 0.1, power: 0.8 },
  null: { null: 0.4, power: 0.8 },
  people: { documents: "100", team: null, per_document: 2, everybody: 0 },
  other: {},
};

export async function show(place) {
  const seen = await understood();
  const variable = choice(seen);
  const shown = outcome("plan");
  const fields = el("div", {});
  const pilot = checkbox(t("plan.pilot"), { checked: true });
  let options;
  const choose = (question) => {
    const layout = question === "people"; // the assignment needs no data
    const first = Object.entries(layout ? QUESTIONS[question] : { ...QUESTIONS[question], measure: mainSpec() })
      .map(([name, value]) => optionOf("plan", name, { given: value ?? undefined, needed: value === null }));
    const more = moreOptions("plan", { left: first.map((one) => one.name), columns: columnsOf(seen), open: question === "other" });
    const data = () => !layout && pilot.querySelector("input").checked;
    options = () => ({ ...valuesOf(first), ...more.values(), ...(data() ? { paths: "all", ...variable.reading() } : {}) });
    fill(fields, first.map((one) => one.node), !layout && pilot, more.node);
  };
  const group = el("fieldset", {}, el("legend", {}, t("plan.question")), Object.keys(QUESTIONS).map((question, k) =>
    checkbox(t(`plan.${question}`), { type: "radio", name: "question", value: question, checked: k === 0, onchange: () => choose(question) })));
  choose(Object.keys(QUESTIONS)[0]);
  const submit = (event) => {
    event.preventDefault();
    shown.start(options());
  };
  place.append(
    el("h1", {}, t("plan.title")), el("p", { class: "lead" }, t("plan.lead")),
    variable.node ?? "",
    el("form", { onsubmit: submit }, group, fields, el("div", { class: "go" }, el("button", { type: "submit", class: "plain main" }, t("plan.run")))),
    shown.made);
}
