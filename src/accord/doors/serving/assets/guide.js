// The guide: the questions of `accord advise`. accord answers some from the data, the user answers the others, and accord
// recommends measures and gives reasons.
import * as api from "./api.js";
import { button, checkbox, el, fill, fresh, said, theirs } from "./dom.js";
import { run } from "./jobs.js";
import { noted } from "./messages.js";
import { go, state } from "./state.js";
import { namedModels, withLevels } from "./variables.js";
import { known, t } from "./words.js";

const ASKED = ["marked", "order", "unit", "complete", "reference"];
// The level of measurement that an answer to the question about order states.
const LEVELS = { names: "nominal", grades: "ordinal", amounts: "interval", circle: "circular", sets: "sets" };

/**
 * The guide for a variable. It calls `take(specs)` with the measures that the user chooses, and `stated()` after an answer
 * stated the level of measurement, which all further steps then use.
 */
export function guide(variable, take, stated) {
  const told = {}; // answers by question
  const offered = {}; // all possible answers, so that the user can change an answer
  const working = el("div", {});
  const questions = el("div", {});
  const advice = el("div", { "aria-live": "polite" });
  let answered = null; // the question whose answer gets the focus if the focused element disappears
  const ask = () => run(working, state.project.id, "advise",
    { ...variable.reading(), say: Object.entries(told).map(([name, answer]) => `${name}=${answer}`), ...named() }, async (job) => {
      const answer = await api.result(job.id);
      const held = document.activeElement?.closest("fieldset")?.dataset.question ?? answered; // keep the keyboard focus on the answered question
      answered = null;
      fill(questions, answer.steps.filter((step) => ASKED.includes(step.question)).map((step) => question(step, answer.ways, offered, say)));
      if (held) questions.querySelector(`[data-question="${held}"] input:checked`)?.focus();
      fill(advice, recommended(answer, take, say));
    });
  const say = async (name, answer) => {
    told[name] = answer;
    answered = name;
    const level = name === "order" ? LEVELS[answer] : undefined;
    if (!level) { ask(); return; }
    const reading = withLevels(state.project.reading ?? {}, new Map([[variable.name(), level]]), variable.names);
    state.project = await api.change(state.project.id, { reading });
    await run(working, state.project.id, "read", {}, async () => { await stated(); await ask(); });
  };
  ask();
  return el("section", { "aria-labelledby": "guide" },
    el("h2", { id: "guide" }, t("guide")), el("p", {}, t("guide.lead")), questions, working, advice);
}

/** The annotators that the user marked as models. */
const named = () => (namedModels()?.length ? { models: namedModels().join(",") } : {});

const words = (key, text) => (known(key) ? t(key) : said(text));

function question(step, ways, offered, say) {
  const title = words(`guide.${step.question}`, step.words);
  const why = el("p", { class: "hint" }, t(`guide.how.${step.how}`), step.how !== "told" && [" ", noted(step.why, "advise")]);
  if (step.how !== "told") offered[step.question] = step.how === "open" ? ways.map((way) => [way.answer, way.words]) : [step.answer, ...step.others].map((one) => [one, one]);
  const answers = offered[step.question];
  if (step.how === "data" || answers.length < 2) {
    return el("div", { class: "answered" }, el("p", {}, el("strong", {}, title), " ", words(`guide.${step.question}.${step.answer}`, step.answer)), why,
      step.question === "order" && el("p", {}, button(t("levels.open"), () => go("understood"), { class: "link" })));
  }
  const name = fresh("question");
  return el("fieldset", { "data-question": step.question }, el("legend", {}, title),
    answers.map(([one, text]) => checkbox(words(`guide.${step.question}.${one}`, text),
      { type: "radio", name, value: one, checked: one === step.answer, onchange: () => say(step.question, one) })), why);
}

function recommended(answer, take, say) {
  const open = answer.steps.find((step) => step.how === "open")?.question; // a way to answer it states the answer, too
  const choose = (one) => { take([one.spec]); if (open && one.answer) say(open, one.answer); };
  const first = answer.measures.length ? null : el("p", {}, t("guide.open"));
  const cards = [...answer.measures, ...(answer.measures.length ? [] : answer.ways)].map((one, k) => el("article", { class: `card advice${k || !answer.measures.length ? " beside" : ""}` },
    el("p", { class: "kind" }, answer.measures.length ? t(k ? "guide.beside" : "guide.recommended") : words(`guide.order.${one.answer}`, one.words)),
    theirs(one.spec, "p", { class: "spec" }), noted(one.why, "advise", "p"),
    one.misses && el("p", { class: "hint" }, t("guide.misses"), " ", noted(one.misses, "advise")),
    el("div", { class: "go" }, button(t("guide.take"), () => choose(one), { "aria-label": `${t("guide.take")}: ${one.spec}` }))));
  const notes = answer.notes.map((note) => el("li", {}, noted(note.words, "advise")));
  return [first, el("div", { class: "cards" }, cards),
    notes.length > 0 && el("details", { class: "fold" }, el("summary", {}, t("guide.notes")), el("ul", {}, notes))];
}
