"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Theme: that of the system, unless the user has chosen one.
  const kept = { get() { try { return localStorage.getItem("accord-theme"); } catch { return null; } },
                 set(theme) { try { localStorage.setItem("accord-theme", theme); } catch { /* the browser may forbid storage */ } } };
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

  // Copy a text. Without access to the clipboard, select the text.
  for (const one of document.querySelectorAll("[data-copy]")) {
    one.addEventListener("click", async () => {
      const text = document.getElementById(one.dataset.copy);
      try {
        await navigator.clipboard.writeText(text.textContent);
        one.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        one.textContent = "Selected";
      }
      setTimeout(() => { one.textContent = "Copy"; }, 2000);
    });
  }

  // Open all folded parts for printing.
  const opened = [];
  addEventListener("beforeprint", () => {
    opened.push(...document.querySelectorAll("details:not([open])"));
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened.splice(0)) one.open = false;
  });

  // A link to a folded part opens it.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Only tables wider than the page need keyboard focus, for scrolling.
  const fit = () => {
    for (const one of document.querySelectorAll(".scroll, .picture")) {
      if (one.scrollWidth > one.clientWidth) one.setAttribute("tabindex", "0");
      else one.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", fit);
  addEventListener("toggle", fit, true);
  fit();

  // Mark the current section in the contents.
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const watcher = new IntersectionObserver(() => {
    // The last section that begins in the top fifth of the window; none at the top of the page.
    const here = sections.filter((one) => one.getBoundingClientRect().top < innerHeight / 5).at(-1);
    for (const [id, link] of links) {
      if (id === here?.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const section of sections) watcher.observe(section);
})();
