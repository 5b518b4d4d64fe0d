// Analyses without a step of their own. Each form is built from the declared options of the command.
import { outcome } from "./compare.js";
import { el, field, fill, said } from "./dom.js";
import { moreOptions, optionOf, valuesOf } from "./options.js";
import { latest, state } from "./state.js";
import { choice, columnsOf, understood } from "./variables.js";
import { known, t } from "./words.js";

const ELSEWHERE = ["read", "advise", "report", "gold", "compare", "replace", "plan"]; // other steps run these

export async function show(place) {
  const seen = await understood();
  const variable = choice(seen);
  const commands = Object.keys(state.about.commands).filter((command) => !ELSEWHERE.includes(command));
  const select = el("select", { onchange: () => choose(select.value) }, commands.map((command) => said(command, "option", { value: command })));
  const form = el("div", {});
  const choose = (command) => {
    const shown = outcome(command);
    const { description, required } = state.about.commands[command];
    const given = latest(command)?.options ?? {};
    const columns = columnsOf(seen);
    const first = required.map((name) => optionOf(command, name, { given: given[name], columns, needed: true }));
    const more = moreOptions(command, { left: required, given, columns, open: true });
    const submit = (event) => {
      event.preventDefault();
      shown.start({ ...variable.reading(), ...valuesOf(first), ...more.values() });
    };
    fill(form, known(`ask.${command}`) ? el("p", {}, t(`ask.${command}`)) : said(description, "p"), el("form", { onsubmit: submit }, first.map((one) => one.node), more.node,
      el("div", { class: "go" }, el("button", { type: "submit", class: "plain main" }, t("ask.run")))), shown.made);
  };
  place.append(el("h1", {}, t("ask.title")), el("p", { class: "lead" }, t("ask.lead")), variable.node ?? "", field(t("ask.command"), select), form);
  const last = state.project.jobs.find((job) => commands.includes(job.command));
  select.value = last?.command ?? commands[0];
  choose(select.value);
}
