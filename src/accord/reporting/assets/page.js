"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Dark or light: as the system has it, until somebody says otherwise.
  const kept = { get() { try { return localStorage.getItem("accord-theme"); } catch { return null; } },
                 set(theme) { try { localStorage.setItem("accord-theme", theme); } catch { /* a page may be forbidden to keep anything */ } } };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector("[data-toggle]");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const name = () => { button.textContent = dark() ? "Light" : "Dark"; };
  if (kept.get() === "dark" || kept.get() === "light") root.dataset.theme = kept.get();
  name();
  system.addEventListener("change", name);
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    kept.set(root.dataset.theme);
    name();
  });

  // On paper everything is open.
  const opened = [];
  addEventListener("beforeprint", () => {
    opened.push(...document.querySelectorAll("details:not([open])"));
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened.splice(0)) one.open = false;
  });

  // A link to what is folded opens it.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Only tables that are wider than the page need a place in the order of the keyboard.
  const fit = () => {
    for (const one of document.querySelectorAll(".scroll, .picture")) {
      if (one.scrollWidth > one.clientWidth) one.setAttribute("tabindex", "0");
      else one.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", fit);
  addEventListener("toggle", fit, true);
  fit();

  // Where one is, in the contents.
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) watcher.observe(section);
  }
})();
