// The first step: upload files, choose example data, or open an earlier upload.
import * as api from "./api.js";
import { button, el, fill, said, speak, theirs } from "./dom.js";
import { ended, refusal } from "./jobs.js";
import { go, isOpen, state } from "./state.js";
import { known, many, size, sized, t, when } from "./words.js";

export async function show(place) {
  const projects = (await api.projects()).filter((one) => one.files.length);
  const sending = el("div", { class: "sending", "aria-live": "polite" });
  place.append(
    el("h1", {}, t("data.title")),
    el("p", { class: "lead" }, t(state.about.local ? "data.lead" : "data.lead.hosted")),
    dropzone(sending, async (files) => {
      const project = await send(sending, files);
      if (project) go("understood", project);
    }),
    sending,
    examples(sending),
    earlier(projects) ?? "",
  );
}

/** An area for files that the user drops or chooses. It calls `take(files)` with {path, file} of each. */
export function dropzone(sending, take) {
  const chosen = (event) => {
    const files = [...event.target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    event.target.value = "";
    if (files.length) take(files);
  };
  const input = (given, label, kind) => el("label", { class: `plain ${kind}` }, label, el("input", { type: "file", multiple: true, onchange: chosen, ...given }));
  const zone = el("div", { class: "drop" },
    el("p", { class: "big-words" }, t("drop.here")),
    el("p", { class: "hint" }, t("drop.what")),
    el("div", { class: "go" }, input({}, t("drop.files"), "main"), input({ webkitdirectory: true }, t("drop.folder"), "")),
    el("p", { class: "hint" }, t("drop.limit", { size: size(state.about.limits.max_upload) })));
  const over = (event) => { event.preventDefault(); zone.classList.add("over"); };
  zone.addEventListener("dragenter", over);
  zone.addEventListener("dragover", over);
  zone.addEventListener("dragleave", (event) => { if (!zone.contains(event.relatedTarget)) zone.classList.remove("over"); });
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const files = await dropped(event.dataTransfer);
    if (files.length) take(files);
    else fill(sending, el("div", { class: "error" }, el("p", {}, t("drop.nothing"))));
  });
  return zone;
}

/** The dropped files. Files in folders have a path. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ path: file.name, file }));
  const found = [];
  const walk = async (entry) => {
    if (entry.isFile) {
      found.push({ path: entry.fullPath.replace(/^\//, ""), file: await new Promise((done, fail) => entry.file(done, fail)) });
      return;
    }
    const reader = entry.createReader();
    for (;;) { // readEntries returns a folder in portions
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) break;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return found;
}

const hidden = ({ path }) => path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");
const nameOf = (files) => {
  const top = files[0].path.split("/")[0];
  return files.every(({ path }) => path.split("/")[0] === top) ? top : `${top} …`;
};

/** Upload files into a new project, or below `prefix` of an existing one. Return its id, or null if an upload failed. */
export async function send(place, all, into = null, prefix = "") {
  const files = all.filter((one) => !hidden(one));
  if (!files.length) { fill(place, el("div", { class: "error" }, el("p", {}, t("drop.nothing")))); return null; }
  const stop = new AbortController();
  const bar = el("progress", { max: Math.max(1, files.reduce((sum, { file }) => sum + file.size, 0)), value: 0, "aria-label": t("sending") });
  const line = el("p", { class: "hint" });
  fill(place, el("div", { class: "job" }, el("p", {}, el("strong", {}, t("sending"))), bar, line, button(t("job.cancel"), () => stop.abort())));
  let project = into;
  try {
    project ??= (await api.create(nameOf(files))).id;
    let before = 0;
    for (const [k, { path, file }] of files.entries()) {
      fill(line, t("sending.file", { k: k + 1, n: files.length }), " ", theirs(path));
      await api.upload(project, prefix + path, file, (sent) => { bar.value = before + sent; }, stop.signal);
      before += file.size;
    }
    place.replaceChildren();
    speak(many("sent", files.length));
    return project;
  } catch (error) {
    if (into === null && project !== null) api.remove(project).catch(() => {});
    if (error.name === "AbortError") ended(place, el("div", { class: "warning" }, el("p", {}, t("sending.cancelled"))), true);
    else fill(place, refusal(error, error instanceof api.Refused && error.status === 413 ? t("sending.too_large") : null));
    return null;
  }
}

function examples(sending) {
  const take = async (name) => {
    const project = await api.create(name);
    try {
      await api.example(project.id, name);
      go("understood", project.id);
    } catch (error) {
      fill(sending, refusal(error));
    }
  };
  return el("section", { "aria-labelledby": "examples" },
    el("h2", { id: "examples" }, t("examples")),
    el("p", {}, t("examples.lead")),
    el("div", { class: "cards" }, state.about.examples.map((one) => el("article", { class: "card" },
      theirs(one.name, "h3"), known(`example.${one.name}`) ? el("p", {}, t(`example.${one.name}`)) : said(one.summary, "p"),
      el("div", { class: "go" }, button(t("examples.take"), () => take(one.name), { "aria-label": `${t("examples.take")}: ${one.name}` }))))));
}

function earlier(projects) {
  if (!projects.length) return null;
  const list = el("section", { "aria-labelledby": "earlier" }, el("h2", { id: "earlier" }, t("earlier")), el("p", {}, t("earlier.lead")));
  const cards = el("div", { class: "cards" });
  for (const project of projects) {
    const open = project.jobs.find(isOpen);
    const newest = open ?? project.jobs[0];
    const step = { read: "understood", report: "report", gold: "decide", compare: "compare", replace: "compare", plan: "plan" }[newest?.command] ?? "understood";
    const card = el("article", { class: "card" },
      theirs(project.name, "h3"),
      el("p", { class: "hint" }, many("files", project.files.length), " · ", sized(project.bytes), " · ", when(project.created)),
      open && el("p", {}, el("strong", {}, t(`job.${open.command}`))),
      el("div", { class: "go" },
        el("a", { class: "plain", href: `#${step}/${project.id}`, "aria-label": `${t(open ? "earlier.watch" : "earlier.open")}: ${project.name}` }, t(open ? "earlier.watch" : "earlier.open")),
        button(t("earlier.remove"), async () => {
          await api.remove(project.id);
          card.remove();
          if (state.project?.id === project.id) state.project = null;
          if (!cards.children.length) list.remove();
          speak(t("earlier.removed"));
          document.querySelector("h1").focus();
        }, { class: "link", "aria-label": `${t("earlier.remove")}: ${project.name}` })));
    cards.append(card);
  }
  list.append(cards);
  return list;
}
