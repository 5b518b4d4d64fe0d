// The third step: choose measures. The guide recommends some; users can also type names.
import * as api from "./api.js";
import { combobox } from "./combobox.js";
import { button, el, fill, fresh, said, speak, theirs } from "./dom.js";
import { guide } from "./guide.js";
import { refusal, told } from "./jobs.js";
import { refused } from "./messages.js";
import { moreOptions } from "./options.js";
import { go, latest, refresh, state } from "./state.js";
import { choice, columnsOf, understood as whatWasUnderstood } from "./variables.js";
import { t } from "./words.js";

const SOON = 400; // ms after the last key

export async function show(place) {
  let understood = await whatWasUnderstood();
  const asked = el("div", {});
  const variable = choice(understood, () => fill(asked, guide(variable, add, stated)));
  const last = latest("report")?.options ?? {};
  const chosen = [...(last.measure ?? [])];
  const list = el("ul", { class: "chosen", "aria-label": t("chosen") });
  const heading = el("h2", { tabindex: "-1" }, t("chosen"));
  const remove = (spec) => {
    const k = chosen.indexOf(spec);
    chosen.splice(k, 1);
    draw();
    (list.querySelectorAll("button")[Math.min(k, chosen.length - 1)] ?? heading).focus(); // the focused button was removed
    speak(t("chosen.removed", { spec }));
  };
  const draw = () => fill(list, chosen.length ? chosen.map((spec) => el("li", {},
    theirs(spec, "code", { class: "spec" }), said(about(spec), "p", { class: "hint" }),
    button(t("chosen.remove"), () => remove(spec), { class: "link", "aria-label": `${t("chosen.remove")}: ${spec}` })))
    : el("li", {}, el("p", { class: "hint" }, t("chosen.usual"), " ", theirs(usual(understood).join(", "), "code"))));
  const add = (specs) => {
    for (const spec of specs) if (!chosen.includes(spec)) chosen.push(spec);
    draw();
    speak(t("chosen.added", { spec: specs.join(", ") }));
  };
  const stated = async () => { understood = await whatWasUnderstood(); draw(); }; // other default measures
  draw();
  fill(asked, guide(variable, add, stated));

  const before = latest("report");
  const trouble = el("div", {}, before?.state === "failed" && told(before.error ?? "", null, "report"));
  const more = moreOptions("report", { left: ["measure"], given: last, columns: columnsOf(understood) });
  const start = async (event) => {
    event.preventDefault();
    trouble.replaceChildren();
    try {
      await api.start(state.project.id, "report", { measure: chosen, ...more.values() });
    } catch (error) {
      fill(trouble, refusal(error, null, "report"));
      trouble.scrollIntoView({ block: "nearest" });
      return;
    }
    await refresh();
    go("report");
  };
  place.append(
    el("h1", {}, t("measures.title")), el("p", { class: "lead" }, t("measures.lead")),
    variable.node ?? "", asked,
    heading, trouble, list, typing(add),
    more.node,
    el("form", { onsubmit: start }, el("div", { class: "go" }, el("button", { type: "submit", class: "plain main" }, t("measures.run")))));
}

const usual = (understood) => [...new Set(Object.values(understood.variables).flatMap((one) => one.usual))];
const about = (spec) => {
  const found = state.about.measures.find((one) => one.name === spec.split("(")[0].trim());
  return found ? found.title : "";
};

/** Suggest names of measures and, after a bracket, the specs in their manual pages. */
function proposals(text) {
  const specs = state.about.measures.flatMap((one) => [one.name, ...[...one.summary.matchAll(/`(\w+\([^`]*\))`/g)].map((found) => found[1])]);
  return [...new Set(specs)].filter((one) => one.startsWith(text) && (text.includes("(") || !one.includes("(")));
}

/** A field for specs as on the command line. Errors are shown while the user types. */
function typing(add) {
  const { input, made } = combobox(proposals);
  const check = checking(input);
  const take = async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text || !(await check.now())) return;
    add([text]);
    input.value = "";
    check.clear();
  };
  input.id = fresh("spec");
  const hint = fresh("hint");
  input.setAttribute("aria-describedby", `${hint} ${check.node.id}`);
  return el("details", { class: "fold" }, el("summary", {}, t("typing.title")),
    el("form", { onsubmit: take, class: "field" },
      el("label", { for: input.id }, t("typing.spec")),
      el("div", { class: "with" }, made, el("button", { type: "submit", class: "plain" }, t("typing.add"))),
      check.node,
      el("p", { class: "hint", id: hint }, t("typing.hint"))));
}

/** Let the server check a spec. Show the full spec or the error beside the field, also to screen readers. */
function checking(input) {
  const node = el("div", { id: fresh("checked"), role: "status" });
  let asking = new AbortController();
  let soon;
  const tell = (wrong, ...lines) => {
    if (wrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    fill(node, lines);
  };
  const stop = () => { clearTimeout(soon); asking.abort(); asking = new AbortController(); };
  const clear = () => { stop(); tell(false); };
  const now = async () => {
    stop();
    const text = input.value.trim();
    const { spec, error } = await api.check(text, state.project.id, asking.signal);
    if (error) tell(true, el("div", { class: "error" }, refused(error, "report")));
    else tell(false, spec !== text && el("p", { class: "hint" }, t("typing.full"), " ", theirs(spec, "code")));
    return !error;
  };
  const typed = () => {
    const text = input.value.trim();
    const known = proposals(text);
    if (!text || (known.length && !known.includes(text))) { clear(); return; } // an incomplete name is not an error
    stop();
    soon = setTimeout(now, SOON);
  };
  input.addEventListener("input", typed);
  input.addEventListener("change", typed);
  return { node, now, clear };
}
