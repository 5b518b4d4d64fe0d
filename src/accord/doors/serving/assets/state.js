// The state of the page. The address contains the step and the project (#report/PROJECT), so that it can be opened again.
import * as api from "./api.js";

export const STEPS = ["data", "understood", "measures", "report", "decide", "compare", "plan", "ask", "take"];
export const state = { about: null, project: null, step: "data" };

export const parsed = () => {
  const [step, id] = location.hash.slice(1).split("/");
  return { step: STEPS.includes(step) ? step : "data", id: id || null };
};

export const address = (step, id = state.project?.id) => (step === "data" ? "#data" : `#${step}/${id}`);

/** Go to a step. If it is the current one, show it again. */
export function go(step, id = state.project?.id) {
  const to = address(step, id);
  if (location.hash === to) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = to;
}

export async function refresh() {
  state.project = await api.project(state.project.id);
  dispatchEvent(new Event("accord:project"));
  return state.project;
}

/** The newest job of a command that meets the condition `wanted`. */
export const latest = (command, wanted = () => true) => state.project?.jobs.find((job) => job.command === command && wanted(job));
export const isDone = (job) => job.state === "done";
export const isOpen = (job) => job.state === "queued" || job.state === "running";
/** Whether a job used the current reading options: every change of them starts a new job `read`. */
export const isCurrent = (job) => state.project.jobs.indexOf(job) < state.project.jobs.findIndex((one) => one.command === "read");
export const wasRead = () => latest("read", isDone) !== undefined;
