// The map: the empty board, fetched once and kept by the browser, and over it the layer that changes.
import { ask, FIRST, found, lack, LONGEST } from "../asking.js";
import { makeLegible, TEXT } from "./legible.js";
import { pixel, surround, wireView } from "./view.js";

const SVG = "http://www.w3.org/2000/svg";
const boards = new Map(); // address of an empty board -> the promise of its text
const layers = new Map(); // address of a layer -> the promise of its text

export const board = () => document.getElementById("board");
const sheet = () => document.getElementById("sheet");

// A layer that came with the page, drawn in one style and layout.
const given = () => document.getElementById("given-layer");

// Style and layout of the map as this window wants them: names (`data-least` is the size of the smallest) only where all
// can be read; `data-style` and `data-night` say how the reader does.
export function look(root = board()) {
  if (root === board() && given()) return { ...given().dataset };
  const { style, night, least } = root.dataset;
  const theme = document.documentElement.dataset.theme;
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  return { style: dark ? night : style, layout: least * pixel() < TEXT ? "narrow" : "wide" };
}

function text(cache, address) {
  if (!cache.has(address)) {
    const answered = ask(address).then((answer) => {
      if (!answer.ok) throw Object.assign(new Error(`${answer.status} for ${address}`), { status: answer.status });
      return answer.text();
    });
    answered.catch(() => cache.delete(address));
    cache.set(address, answered);
  }
  return cache.get(address);
}

const parsed = (svg) => document.adoptNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);

// The strip of title and key below the map, which the page tells beside it, so that the map has all the room.
const withoutStrip = (group) => { group.querySelector(":scope > g[transform]")?.remove(); return group; };

const addressOf = (style, layout, address = board().dataset.layer) => `${address}${address.includes("?") ? "&" : "?"}style=${style}&layout=${layout}`;

let later = 0, wait = FIRST;
let turn = 0; // of the drawing that was begun last: what others fetched is out of date

// Draw the map anew; again after a while, if the site does not answer or is in trouble.
export async function drawMap() {
  clearTimeout(later);
  try {
    await draw();
    wait = FIRST;
    found("map");
  } catch (error) {
    if (error.status < 500 && error.status !== 429) throw error;
    lack("map", gettext("The map could not be loaded. Trying again…"), afresh, (note) => board().append(note));
    later = setTimeout(drawMap, wait);
    wait = Math.min(2 * wait, LONGEST);
  }
}

// Draw it without waiting for what was asked for before.
function afresh() {
  boards.clear();
  layers.clear();
  drawMap();
}

// The board if it is another one, and its layer.
async function draw() {
  if (!board()) return;
  const { style, layout } = look();
  sheet().dataset.layout = layout;
  board().querySelector(".printed").src = addressOf("light", "narrow").replace("layer.svg", "map.svg"); // loaded by printing
  const address = board().getAttribute(`data-sheet-${style}-${layout}`);
  const own = turn += 1;
  const [empty, layer] = await Promise.all([text(boards, address), given() ? "" : text(layers, addressOf(style, layout))]);
  if (own !== turn || !board()) return;
  const other = sheet().dataset.drawn !== address;
  if (other) {
    const svg = withoutStrip(parsed(empty));
    svg.setAttribute("viewBox", sheet().querySelector("svg").getAttribute("viewBox"));
    svg.querySelector("title")?.remove();
    svg.querySelector(":scope > rect")?.remove(); // the sheet of paper, which ends elsewhere than the pane
    svg.removeAttribute("aria-labelledby");
    svg.removeAttribute("role");
    svg.setAttribute("aria-hidden", "true");
    sheet().replaceChildren(svg);
    sheet().dataset.drawn = address;
  }
  if (other || !sheet().dataset.draft) putLayer(layer); // a draft is drawn over it anew by the desk
  enlarge();
  board().dispatchEvent(new CustomEvent("board:drawn"));
}

function enlarge() { makeLegible(sheet().querySelector("svg"), pixel()); }

// Put a layer over the board in place of the one that is there; without a text, the one that came with the page.
export function putLayer(svg) {
  const fresh = withoutStrip(svg ? parsed(svg).firstElementChild : document.importNode(given().content.querySelector("#layer"), true));
  const old = sheet().querySelector("#layer");
  if (old) old.replaceWith(fresh);
  else sheet().querySelector("svg")?.append(fresh);
  mark([]);
  enlarge();
  for (const title of fresh.querySelectorAll("#orders title")) title.parentNode.removeAttribute("role");
}

// What was fetched of the phase being played is out of date.
export function forgetLayers() { layers.clear(); }

// Fetch a layer before it is wanted.
export function fetchLayer(address) {
  const { style, layout } = look();
  text(layers, addressOf(style, layout, address)).catch(() => {});
}

// Show provinces as goals (`can`), and one as chosen (`chosen`), and what is around it, if it is to be `near`.
let asked = null;
export function mark(goals, chosen = "", near = true) {
  if (!asked) queueMicrotask(() => { surround(...asked); asked = null; }); // the last word counts: layers are exchanged between
  asked = [chosen, near ? goals : []];
  const svg = sheet()?.querySelector("svg");
  if (!svg) return;
  svg.querySelector("#marks")?.remove();
  const group = document.createElementNS(SVG, "g");
  group.id = "marks";
  for (const [provinces, name] of [[goals, "can"], [chosen ? [chosen] : [], "chosen"]]) {
    for (const province of provinces) {
      const shape = svg.querySelector(`[data-province="${CSS.escape(province)}"]`);
      if (!shape) continue;
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#${shape.id}`);
      use.setAttribute("class", name);
      group.append(use);
    }
  }
  svg.insertBefore(group, svg.querySelector("#layer"));
}

// The orders with these keys stand out, the others step back; all are alike if there is no key.
export function spotlight(...keys) {
  const orders = sheet()?.querySelector("#orders");
  if (!orders) return;
  orders.classList.toggle("dimmed", keys.length > 0);
  for (const one of orders.children) one.classList.toggle("lit", keys.includes(one.id.slice(2)));
}

export function wireMap() {
  const here = board();
  if (!here) return;
  if (!here.dataset.wired) {
    here.dataset.wired = "yes";
    wireView(here);
    here.addEventListener("board:sized", () => {
      enlarge(); // at once: another layout is yet to be fetched
      if (look().layout !== sheet().dataset.layout) drawMap();
    });
    sheet().addEventListener("click", (event) => {
      const unit = event.target.closest("[data-unit]"), shape = event.target.closest("[data-province]");
      if (!unit && !shape) return;
      const detail = { unit: unit ? Number(unit.dataset.unit) : 0, province: shape?.dataset.province ?? "" };
      here.dispatchEvent(new CustomEvent("board:chosen", { detail }));
    });
  }
  drawMap();
}
