// A text field that suggests measures while the user types.
import { el, fill, fresh, theirs } from "./dom.js";
import { many, t } from "./words.js";

const MOST = 30; // suggestions

/** `proposals(text)` returns the suggestions for a text. */
export function combobox(proposals, given = {}) {
  const id = fresh("list");
  const input = el("input", { type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...given });
  const list = el("ul", { role: "listbox", id, "aria-label": t("proposals"), hidden: true });
  const count = el("div", { class: "hidden", role: "status" });
  let at = -1;

  const close = () => { list.hidden = true; at = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const take = (text) => {
    input.value = text;
    close();
    input.focus();
    input.dispatchEvent(new Event("change"));
    if (!text.endsWith(")")) propose();
  };
  const mark = () => {
    for (const [k, one] of [...list.children].entries()) one.setAttribute("aria-selected", String(k === at));
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const propose = () => {
    const found = proposals(input.value).slice(0, MOST);
    if (!found.length || (found.length === 1 && found[0] === input.value)) { close(); return; }
    fill(list, found.map((text, k) => theirs(text, "li", { role: "option", id: `${id}-${k}`, "aria-selected": "false", onmousedown: (event) => { event.preventDefault(); take(text); } })));
    list.hidden = false;
    at = -1;
    input.setAttribute("aria-expanded", "true");
    count.textContent = many("proposals", found.length);
  };
  input.addEventListener("input", () => { if (input.value) propose(); else close(); }); // the arrow key lists all suggestions
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const n = list.children.length;
    if (event.key === "ArrowDown" && list.hidden) propose();
    else if (event.key === "ArrowDown") at = (at + 1) % n;
    else if (event.key === "ArrowUp" && !list.hidden) at = (at - 1 + n) % n;
    else if (event.key === "Escape" && !list.hidden) close();
    else if ((event.key === "Enter" || event.key === "Tab") && at >= 0) { take(list.children[at].textContent); event.preventDefault(); return; }
    else { if (event.key === "Enter") close(); return; }
    event.preventDefault();
    mark();
  });
  return { input, made: el("div", { class: "combo" }, input, list, count) };
}
