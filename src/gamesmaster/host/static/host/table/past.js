// A phase that is over: an order in the list is shown on the map.
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
    row.addEventListener("pointerenter", () => spotlight(row.dataset.key));
    row.addEventListener("pointerleave", () => spotlight(""));
    row.addEventListener("focusin", () => spotlight(row.dataset.key));
    row.addEventListener("focusout", () => spotlight(""));
  }
}
