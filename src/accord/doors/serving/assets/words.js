// The texts of the page: one file for each language, with the same keys.
import { el } from "./dom.js";

export const LANGUAGES = ["en", "de"];
const kept = "accord-language";
let words = {};
let rules = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
export let language = "en";

const remembered = () => { try { return localStorage.getItem(kept); } catch { return null; } };

/** The language that the user chose, else the preferred language of the browser, else English. */
export function preferred() {
  const wanted = [remembered(), ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find((one) => LANGUAGES.includes(one)) ?? LANGUAGES[0];
}

export async function speakIn(wanted) {
  words = await (await fetch(`/words/${wanted}.json`)).json();
  language = wanted;
  rules = new Intl.PluralRules(wanted);
  numbers = new Intl.NumberFormat(wanted);
  document.documentElement.lang = wanted;
  for (const one of document.querySelectorAll("[data-t]")) one.textContent = t(one.dataset.t);
  for (const one of document.querySelectorAll("[data-t-label]")) one.setAttribute("aria-label", t(one.dataset.tLabel));
}

export function choose(wanted) {
  try { localStorage.setItem(kept, wanted); } catch { /* storage may be blocked */ }
  return speakIn(wanted);
}

export const known = (key) => Object.hasOwn(words, key);

/** `t("upload.done", {file: "a.csv"})`: placeholders are {file}. */
export function t(key, values = {}) {
  if (!known(key)) throw new Error(`no words for ${key} in ${language}`);
  return words[key].replace(/\{(\w+)\}/g, (whole, name) => {
    if (!Object.hasOwn(values, name)) return whole; // a pattern such as {doc}_{annotator} is shown unchanged
    return typeof values[name] === "number" ? numbers.format(values[name]) : String(values[name]);
  });
}

/** `many("files", 3)`: singular or plural. */
export const many = (key, n, values = {}) => t(`${key}.${rules.select(n) === "one" ? "one" : "other"}`, { n, ...values });

/** The value of a measure, with three decimals as in reports. */
export const value = (n) => new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(n);

/** Text around elements: `around("see", {link: a})`. */
export function around(key, elements) {
  return words[key].split(/(\{\w+\})/).map((piece) => (/^\{\w+\}$/.test(piece) ? elements[piece.slice(1, -1)] : piece)).filter(Boolean);
}

export function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return new Intl.NumberFormat(language, { style: "unit", unit: units[step], unitDisplay: step ? "short" : "long", maximumFractionDigits: step ? 1 : 0 }).format(bytes / 1024 ** step);
}

export const sized = (bytes) => el("data", { value: bytes }, size(bytes));

/** A time, given in seconds since 1970. */
export function when(seconds) {
  const time = new Date(1000 * seconds);
  return el("time", { datetime: time.toISOString() }, time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));
}
