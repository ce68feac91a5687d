// The phases that are over as a film: by buttons, by a slider, by keys, or by itself.
import { board, drawMap, fetchLayer } from "./map.js";

const SECONDS = 3; // for which a phase is shown at normal speed
const SPEEDS = "film-speed"; // where the browser keeps the speed that was chosen
let playing = false, timer = 0;

const film = () => document.getElementById("film");
const part = (name) => document.getElementById(name);
const here = () => Number(film().dataset.at);
const last = () => Number(film().dataset.last);

// The page of a phase, and the address of its map.
const page = (number) => part("jump").options[last() - number].value;
const layer = (number) => board().dataset.layer.replace(/p=\d+/, `p=${number}`);

function go(number) {
  clearTimeout(timer);
  if (!film() || number < 0 || number > last()) return false;
  window.htmx.ajax("GET", page(number), { target: "#phase", select: "#phase", swap: "outerHTML", push: page(number) });
  return true;
}

function show() {
  const play = part("play");
  play.textContent = playing ? gettext("Pause") : gettext("Play");
  play.setAttribute("aria-label", playing ? gettext("Pause the film") : gettext("Play the film"));
}

function stop() {
  clearTimeout(timer);
  playing = false;
  if (film()) show();
}

function toggle() {
  if (playing) { stop(); return; }
  playing = true;
  show();
  go(here() < last() ? here() + 1 : 0);
}

function speed() { return Number(part("speed").value) || 1; }

// Show the phase for its time, counted from when its map is there; then the next one.
function wait() {
  clearTimeout(timer);
  if (!playing) return;
  if (here() === last()) stop();
  else timer = setTimeout(() => go(here() + 1), SECONDS * 1000 / speed());
}

function keepSpeed(chosen) {
  try { localStorage.setItem(SPEEDS, chosen); } catch { /* the browser keeps nothing */ }
}

function keptSpeed() {
  try { return localStorage.getItem(SPEEDS); } catch { return null; }
}

// The slider: the map follows while it is moved, the page when it is let go.
function wireReel() {
  const reel = part("reel");
  const name = (number) => part("jump").options[last() - number].textContent;
  const tell = () => {
    reel.setAttribute("aria-valuetext", name(Number(reel.value)));
    part("reel-name").textContent = name(Number(reel.value));
  };
  tell();
  reel.addEventListener("input", () => {
    stop();
    tell();
    board().dataset.layer = layer(Number(reel.value));
    drawMap();
  });
  reel.addEventListener("change", () => go(Number(reel.value)));
}

// Some parts outlive the phases, as the board does: nothing flickers, and what has the focus keeps it.
function wireOnce(element, wiring) {
  if (element.dataset.wired) return;
  element.dataset.wired = "yes";
  wiring(element);
}

function wireSpeed(select) {
  const kept = keptSpeed();
  if ([...select.options].some((one) => one.value === kept)) select.value = kept;
  select.addEventListener("change", () => { keepSpeed(select.value); wait(); });
}

export function wireFilm(phase) {
  wireOnce(part("play"), (play) => play.addEventListener("click", toggle));
  wireOnce(part("speed"), wireSpeed);
  part("jump").addEventListener("change", (event) => { stop(); go(last() - event.target.selectedIndex); });
  for (const link of phase.querySelectorAll("[data-step]")) link.addEventListener("click", stop);
  wireReel();
  show();
  board().addEventListener("board:drawn", () => { film().dataset.shown = here(); wait(); }, { once: true });
  if (here() < last()) fetchLayer(layer(here() + 1));
  if (location.hash === "#film" && !playing) { // a link to the film starts it
    history.replaceState(history.state, "", location.pathname);
    playing = here() < last();
    show();
  }
}

document.body.addEventListener("htmx:responseError", stop);
document.body.addEventListener("htmx:sendError", stop);
document.body.addEventListener("htmx:timeout", stop);

document.addEventListener("keydown", (event) => {
  if (!film() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [role=listbox], .pane")) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) {
    stop();
    if (go(here() + step)) event.preventDefault();
  } else if (event.key === " " && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    toggle();
  }
});
