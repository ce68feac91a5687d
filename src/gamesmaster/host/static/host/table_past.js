// Phases that are over: leafing by keys, the flip-book, an order in the list shown on the map.
import { fetchLayer, spotlight } from "./table_map.js";

const SECONDS = 2.5;
let playing = 0;

function stop() {
  clearInterval(playing);
  playing = 0;
  const button = document.getElementById("play");
  if (button) button.textContent = "Play";
}

function step(by) {
  const link = document.querySelector(`#phase [data-step="${by}"]`);
  if (!link || !link.hasAttribute("hx-get")) return false;
  link.click();
  return true;
}

export function wirePast() {
  const phase = document.getElementById("phase");
  if (!phase || phase.dataset.wired) return;
  phase.dataset.wired = "yes";
  const play = document.getElementById("play"), next = phase.querySelector('a[data-step="1"][hx-get]');
  play.hidden = false;
  play.textContent = playing ? "Stop" : "Play";
  if (!next) stop();
  play.addEventListener("click", () => {
    if (playing) return stop();
    play.textContent = "Stop";
    playing = setInterval(() => step(1) || stop(), SECONDS * 1000);
    if (!step(1)) stop();
  });
  document.getElementById("jump").addEventListener("change", (event) => { location.href = event.target.value; });
  if (next) {
    const at = new URL(next.href).pathname.match(/^(.*)p\/(\d+)\/$/);
    if (at) fetchLayer(`${at[1]}layer.svg?p=${at[2]}`);
  }
  for (const row of phase.querySelectorAll("li[data-key]")) {
    row.addEventListener("pointerenter", () => spotlight(row.dataset.key));
    row.addEventListener("pointerleave", () => spotlight(""));
    row.addEventListener("focusin", () => spotlight(row.dataset.key));
    row.addEventListener("focusout", () => spotlight(""));
  }
}

document.addEventListener("keydown", (event) => {
  if (!document.getElementById("phase") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [role=listbox], .pane")) return;
  if (event.key === "ArrowLeft" && step(-1)) event.preventDefault();
  if (event.key === "ArrowRight" && step(1)) event.preventDefault();
});
