// Create elements. Text from data is always inserted as text, never as HTML.

/** `el("p", {class: "note", onclick: f}, "text", child, …)`; null, undefined and false are skipped. */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((one) => one !== undefined && one !== null && one !== false));
  return made;
}

/** Text of accord, which is English in every language of the page. */
export const said = (text, tag = "span", given = {}) => el(tag, { "data-said": true, lang: "en", dir: "auto", ...given }, String(text));

/** Text from the data, in an unknown language. */
export const theirs = (text, tag = "bdi", given = {}) => el(tag, { "data-said": true, lang: "", ...given }, String(text));

export const fill = (place, ...children) => { place.replaceChildren(...children.flat(Infinity).filter(Boolean)); return place; };

let numbered = 0;
export const fresh = (name) => `${name}-${(numbered += 1)}`;

/** A control with its label above and its hint below. `option` is the declared name of the option. */
export function field(label, control, { hint, option } = {}) {
  control.id ||= fresh("f");
  const told = hint && el("p", { class: "hint", id: `${control.id}-hint` }, hint);
  if (told) control.setAttribute("aria-describedby", told.id);
  return el("div", { class: "field", "data-option": option },
    el("label", { for: control.id }, label),
    control, told);
}

export function checkbox(label, given = {}, option = null) {
  const box = el("input", { type: "checkbox", ...given });
  return el("label", { class: "choice", "data-option": option }, box, el("span", {}, label));
}

export const button = (label, onclick, given = {}) => el("button", { type: "button", class: "plain", onclick, ...given }, label);

/** A box in which a wide table scrolls. The keyboard can reach it. */
export function scrolling(table, label) {
  const around = el("div", { class: "scroll" }, table);
  // Only a table that is wider than its box gets the keyboard focus.
  new ResizeObserver(() => {
    const wide = around.scrollWidth > around.clientWidth;
    for (const [name, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": label })) {
      if (wide) around.setAttribute(name, value);
      else around.removeAttribute(name);
    }
  }).observe(around);
  return around;
}

/** Let a screen reader speak a text. The text is not visible. */
export function speak(text) {
  const place = document.getElementById("spoken");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}
