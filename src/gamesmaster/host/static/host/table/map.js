// The map: the empty board, fetched once and kept by the browser, and over it the layer that changes.
import { shownWidth, surround, wireView } from "./view.js";

const SVG = "http://www.w3.org/2000/svg";
const NARROW = 720; // pixels of the whole map below which it has larger signs, and only codes for names
export const FIRST = 1000, LONGEST = 60000; // milliseconds until what could not be had is asked for again
const boards = new Map(); // address of an empty board -> the promise of its text
const layers = new Map(); // address of a layer -> the promise of its text

export const board = () => document.getElementById("board");
const sheet = () => document.getElementById("sheet");

// A layer that came with the page, drawn in one style and layout.
const given = () => document.getElementById("given-layer");

// Style and layout of the map as this window wants them; `data-style` and `data-night` say how the reader does.
export function look(root = board()) {
  if (root === board() && given()) return { ...given().dataset };
  const { style, night } = root.dataset;
  const theme = document.documentElement.dataset.theme;
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  return { style: dark ? night : style, layout: shownWidth() < NARROW ? "narrow" : "wide" };
}

function text(cache, address) {
  if (!cache.has(address)) {
    const found = fetch(address, { credentials: "same-origin" }).then((answer) => {
      if (!answer.ok) throw Object.assign(new Error(`${answer.status} for ${address}`), { status: answer.status });
      return answer.text();
    });
    found.catch(() => cache.delete(address));
    cache.set(address, found);
  }
  return cache.get(address);
}

const parsed = (svg) => document.adoptNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);

// The strip of title and key below the map, which the page tells beside it, so that the map has all the room.
const withoutStrip = (group) => { group.querySelector(":scope > g[transform]")?.remove(); return group; };

function layerAddress() {
  const { style, layout } = look();
  const address = board().dataset.layer;
  return `${address}${address.includes("?") ? "&" : "?"}style=${style}&layout=${layout}`;
}

let later = 0, wait = FIRST;

// Draw the map anew; again after a while, if the site does not answer or is in trouble.
export async function drawMap() {
  clearTimeout(later);
  try {
    await draw();
    wait = FIRST;
  } catch (error) {
    if (error.status < 500 && error.status !== 429) throw error;
    later = setTimeout(drawMap, wait);
    wait = Math.min(2 * wait, LONGEST);
  }
}

// The board if it is another one, and its layer.
async function draw() {
  if (!board()) return;
  const { style, layout } = look();
  sheet().dataset.layout = layout;
  const address = board().getAttribute(`data-sheet-${style}-${layout}`);
  const over = board().dataset.layer;
  const [empty, layer] = await Promise.all([text(boards, address), given() ? "" : text(layers, layerAddress())]);
  if (!board() || board().dataset.layer !== over || look().layout !== layout) return;
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
  board().dispatchEvent(new CustomEvent("board:drawn"));
}

// Put a layer over the board in place of the one that is there; without a text, the one that came with the page.
export function putLayer(svg) {
  const fresh = withoutStrip(svg ? parsed(svg).firstElementChild : document.importNode(given().content.querySelector("#layer"), true));
  const old = sheet().querySelector("#layer");
  if (old) old.replaceWith(fresh);
  else sheet().querySelector("svg")?.append(fresh);
  mark([]);
  for (const title of fresh.querySelectorAll("#orders title")) title.parentNode.removeAttribute("role");
}

// What was fetched of the phase being played is out of date.
export function forgetLayers() { layers.clear(); }

// Fetch a layer before it is wanted.
export function fetchLayer(address) {
  const { style, layout } = look();
  text(layers, `${address}${address.includes("?") ? "&" : "?"}style=${style}&layout=${layout}`).catch(() => {});
}

// Show provinces as goals (`can`), and one as chosen (`chosen`), and what is around it.
let asked = null;
export function mark(goals, chosen = "") {
  if (!asked) queueMicrotask(() => { surround(...asked); asked = null; }); // the last word counts: layers are exchanged between
  asked = [chosen, goals];
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

// The order of one unit stands out, the others step back; none if there is no key.
export function spotlight(key) {
  const orders = sheet()?.querySelector("#orders");
  if (!orders) return;
  orders.classList.toggle("dimmed", Boolean(key));
  for (const one of orders.children) one.classList.toggle("lit", Boolean(key) && one.id === `o-${key}`);
}

export function wireMap() {
  const here = board();
  if (!here) return;
  if (!here.dataset.wired) {
    here.dataset.wired = "yes";
    wireView(here);
    here.addEventListener("board:sized", () => sheet().dataset.layout && look().layout !== sheet().dataset.layout && drawMap());
    sheet().addEventListener("click", (event) => {
      const unit = event.target.closest("[data-unit]"), shape = event.target.closest("[data-province]");
      if (!unit && !shape) return;
      const detail = { unit: unit ? Number(unit.dataset.unit) : 0, province: shape?.dataset.province ?? "" };
      here.dispatchEvent(new CustomEvent("board:chosen", { detail }));
    });
  }
  drawMap();
}
