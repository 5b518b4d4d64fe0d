// The frame around the steps: language, theme, navigation, and errors about the server.
import * as api from "./api.js";
import { el, fill, speak } from "./dom.js";
import { refusal, stopWatching } from "./jobs.js";
import { address, parsed, state, STEPS, wasRead } from "./state.js";
import { choose, language, LANGUAGES, preferred, speakIn, t } from "./words.js";
import * as ask from "./ask.js";
import * as compare from "./compare.js";
import * as data from "./data.js";
import * as decide from "./decide.js";
import * as measures from "./measures.js";
import * as plan from "./plan.js";
import * as report from "./report.js";
import * as take from "./take.js";
import * as understood from "./understood.js";

const shows = { data, understood, measures, report, decide, compare, plan, ask, take };
const main = document.getElementById("main");
const trouble = document.getElementById("trouble");

/** Show that the server does not answer, was restarted or does not recognise this browser. Return false for other errors. */
function unreachable(error) {
  const key = error instanceof api.Refused ? (error.restarted ? "trouble.restarted" : error.status === 403 ? "trouble.stranger" : null) : error instanceof api.Gone ? "trouble.gone" : null;
  if (key === null) return false;
  fill(trouble, el("div", { class: "error" }, el("p", { class: "what" }, t(key)), el("p", {}, t(`${key}.todo`)),
    key === "trouble.gone" && el("p", {}, el("button", { type: "button", class: "plain", onclick: () => show() }, t("trouble.again")))));
  return true;
}

addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError" || unreachable(event.reason)) event.preventDefault();
  else if (event.reason instanceof api.Refused) {
    event.preventDefault();
    fill(trouble, refusal(event.reason));
  }
});

function steps(step) {
  const held = document.activeElement?.closest("#steps a")?.hash; // keep the keyboard focus
  const open = { data: true, understood: state.project !== null };
  for (const name of STEPS.slice(2)) open[name] = state.project !== null && wasRead();
  const items = STEPS.map((name) => el("li", {}, open[name]
    ? el("a", { href: address(name), "aria-current": name === step ? "step" : null }, t(`step.${name}`))
    : el("span", {}, t(`step.${name}`))));
  const nav = fill(document.getElementById("steps"), el("ol", {}, items));
  if (held) nav.querySelector(`a[href="${held}"]`)?.focus();
}

let turn = 0;
async function show({ quiet = false } = {}) {
  const mine = (turn += 1);
  stopWatching();
  trouble.replaceChildren();
  const { step, id } = parsed();
  state.step = step;
  try {
    state.about ??= await api.about();
    if (id && step !== "data") state.project = await api.project(id);
    else if (step !== "data" && !state.project) { location.hash = address("data"); return; }
    if (mine !== turn) return;
    footer();
    const place = el("div", {});
    await shows[step].show(place);
    if (mine !== turn) return;
    steps(step);
    fill(main, ...place.childNodes);
    main.querySelector("h1").tabIndex = -1; // so that it can get the focus
    document.title = t("title", { step: t(`step.${step}`) });
    if (!quiet) settle();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (error instanceof api.Refused && error.status === 404) { lost(); return; }
    if (!unreachable(error)) throw error;
  }
}

/** Move the focus to the heading of the new step. */
function settle() {
  const heading = main.querySelector("h1");
  heading.focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
}

function lost() {
  state.project = null;
  history.replaceState(null, "", address("data"));
  show().then(() => fill(trouble, el("div", { class: "error" }, el("p", { class: "what" }, t("trouble.lost")))));
}

function footer() {
  fill(document.getElementById("about"), t(state.about.local ? "about.local" : "about.hosted", { version: state.about.version }));
}

/* Light and dark: the setting of the system until the user changes it. Reports store the choice under the same name. */
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const theme = document.getElementById("theme");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
const nameTheme = () => { theme.textContent = t(isDark() ? "light" : "dark"); };
const stored = { get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
                 set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* storage may be blocked */ } } };
if (["dark", "light"].includes(stored.get("accord-theme"))) root.dataset.theme = stored.get("accord-theme");
theme.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  stored.set("accord-theme", root.dataset.theme);
  nameTheme();
});
system.addEventListener("change", nameTheme);

const languages = document.getElementById("language");
languages.addEventListener("change", async () => {
  await choose(languages.value);
  nameTheme();
  await show({ quiet: true });
  speak(t("language.now"));
});

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  (main.querySelector("h1") ?? main).focus();
});
addEventListener("hashchange", () => show());
addEventListener("accord:project", () => steps(state.step)); // a result can enable further steps

await speakIn(preferred());
for (const one of LANGUAGES) languages.append(el("option", { value: one, lang: one, "data-said": true, selected: one === language }, new Intl.DisplayNames(one, { type: "language" }).of(one)));
nameTheme();
await show({ quiet: true });
