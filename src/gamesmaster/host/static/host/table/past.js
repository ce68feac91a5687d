// A phase that is over: an order in the list is shown on the map, with those that stopped it.
import { board, spotlight } from "./map.js";
import { wireFilm } from "./film.js";

export function wirePast() {
  const phase = document.getElementById("phase");
  if (!phase) return;
  if (!phase.dataset.wired) {
    phase.dataset.wired = "yes";
    board().dataset.layer = phase.dataset.layer; // the board itself outlives the phases
    wireFilm(phase);
  }
  for (const row of phase.querySelectorAll("li[data-key]:not([data-wired])")) {
    row.dataset.wired = "yes";
    const keys = [row.dataset.key, ...row.dataset.by.split(" ").filter(Boolean)];
    row.addEventListener("pointerenter", () => spotlight(...keys));
    row.addEventListener("pointerleave", () => spotlight());
    row.addEventListener("focusin", () => spotlight(...keys));
    row.addEventListener("focusout", () => spotlight());
  }
}
