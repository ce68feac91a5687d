// Looking around on the map: zoom and pan of the sheet within its pane.  Scale 1 shows the whole map, and is the least.
//
// Whose gesture it is: the desk listens on the board or within it, this module on the document, so the desk hears each
// event first.  What the desk takes (a `pointerdown` on a unit that it can order, a `dblclick` there) it marks by
// `event.preventDefault()`.  All else is ours: a drag pans, two fingers and the wheel zoom where they are, a double
// click zooms in.  After a drag that panned no `click` reaches the sheet.
//
// What somebody zoomed to is kept for each table while the window is open, over phases and reloads.  `surround()` shows
// a unit's surroundings for the time of an order only, and only where a page is too narrow for desk and map.
// `board:sized` says that the map may be shown at another size.
//
// The pane is measured at first, and then only when the observer reports a size.  Between two frames it may have a size
// that is gone by the next one, and the observer reports nothing of that.
const LARGEST = 10, STEP = 1.5, NUDGE = 80; // NUDGE in pixels
const LARGE = 1100, NEAR = 160; // in units of the map: a province that is not shown whole, and what is near a place
const MAP = 4000; // units of the map in its width, about
const SLOP = 6; // pixels that a click may stray
const CLOSE = 3; // the scale at which surroundings are shown at most
const ROOM = 0.8; // of that scale, where what lies around counts as well
const BESIDE = matchMedia("(min-width: 62rem)"); // the desk stands beside the map
const FIELDS = "input, textarea, select, [contenteditable]";
const within = (low, value, high) => Math.min(high, Math.max(low, value));
let view = null; // that of the board on the page
let pressed = false; // a finger or a button of the mouse is down

class View {
  constructor(board) {
    this.board = board;
    this.pane = board.querySelector(".pane");
    this.sheet = board.querySelector(".sheet");
    this.key = `view ${board.dataset.layer.split("?")[0]}`;
    this.held = new Map(); // pointer -> where it is
    this.taken = new Set(); // pointers that are the desk's while they are alone
    this.measure();
    this.put(this.remembered() ?? this.whole);
    this.kept = this.now;
    new ResizeObserver(() => { this.measure(); this.show(); this.tell(); }).observe(this.pane);
    this.pane.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.pane.addEventListener("click", (event) => {
      if (this.dragged) event.stopPropagation();
      this.dragged = false;
    }, { capture: true });
    this.pane.addEventListener("pointermove", (event) => this.pointermove(event));
    const buttons = board.querySelector(".zoom");
    buttons.querySelector("[data-zoom=full]").hidden = !document.fullscreenEnabled;
    buttons.hidden = false;
    buttons.addEventListener("click", (event) => this.does[event.target.closest("[data-zoom]")?.dataset.zoom]?.());
  }

  does = {
    in: () => this.zoom(STEP),
    out: () => this.zoom(1 / STEP),
    fit: () => this.keep(this.whole),
    full: () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else (this.board.closest(".table-page") ? document.documentElement : this.board).requestFullscreen();
    },
  };

  // -- where one is: a scale, and the point of the map in the middle of the pane ---------------------------------------

  measure() { [this.wide, this.high] = [this.pane.clientWidth, this.pane.clientHeight]; }

  // The map's own measures: its viewBox, and where it lies in the pane at scale 1, in pixels.
  get map() {
    const { x, y, width, height } = this.sheet.querySelector("svg").viewBox.baseVal;
    const { wide, high } = this, unit = Math.min(wide / width, high / height) || 1;
    return { x, y, width, height, wide, high, unit, left: (wide - width * unit) / 2, top: (high - height * unit) / 2 };
  }

  get whole() {
    const { x, y, width, height } = this.map;
    return { scale: 1, x: x + width / 2, y: y + height / 2 };
  }

  // How far the sheet is shifted, in pixels: never so far that the pane is empty where there is more of the map.
  shift({ scale, x, y }, map = this.map) {
    const along = (middle, pane, edge, length) => {
      const long = length * map.unit * scale;
      return long <= pane ? (pane - pane * scale) / 2 : within(pane - edge * scale - long, pane / 2 - scale * (edge + middle * map.unit), -edge * scale);
    };
    return [along(x - map.x, map.wide, map.left, map.width), along(y - map.y, map.high, map.top, map.height)];
  }

  put({ scale, x, y }) {
    this.now = { scale: within(1, scale, LARGEST), x, y };
    this.show();
  }

  // What somebody chose to look at.
  keep(place, glide = true) {
    this.sheet.classList.toggle("glide", glide);
    this.put(place);
    this.kept = this.now;
    try { sessionStorage.setItem(this.key, JSON.stringify(this.kept)); } catch { /* a browser that keeps nothing */ }
    this.tell();
  }

  remembered() {
    try { return JSON.parse(sessionStorage.getItem(this.key)); } catch { return null; }
  }

  // The map may want other signs and letters at another size.
  tell() { this.board.dispatchEvent(new Event("board:sized")); }

  show() {
    const map = this.map, { scale } = this.now, [right, down] = this.shift(this.now, map);
    const point = (shift, pane, edge) => ((pane / 2 - shift) / scale - edge) / map.unit;
    this.now = { scale, x: map.x + point(right, map.wide, map.left), y: map.y + point(down, map.high, map.top) };
    this.sheet.style.transform = scale === 1 ? "" : `translate(${right}px, ${down}px) scale(${scale})`;
    this.pane.classList.toggle("zoomed", scale > 1);
    for (const [name, idle] of [["in", scale >= LARGEST], ["out", scale <= 1], ["fit", scale <= 1]]) {
      this.board.querySelector(`[data-zoom=${name}]`).setAttribute("aria-disabled", String(idle));
    }
  }

  // Zoom by a factor; what is at (px, py) of the pane stays there, and goes along by what the fingers have moved.
  zoom(factor, [px, py] = [this.wide / 2, this.high / 2], [across, down] = [0, 0], glide = true) {
    const map = this.map, { scale } = this.now, [right, low] = this.shift(this.now, map);
    const next = within(1, scale * factor, LARGEST);
    const middle = (at, shift, moved, pane, edge) => ((pane / 2 - at - moved + (at - shift) * next / scale) / next - edge) / map.unit;
    this.keep({ scale: next, x: map.x + middle(px, right, across, map.wide, map.left), y: map.y + middle(py, low, down, map.high, map.top) }, glide);
  }

  pan(across, down, glide = false) { this.zoom(1, undefined, [across, down], glide); }

  // -- wheel, mouse and fingers ----------------------------------------------------------------------------------------

  spot(event) {
    const box = this.pane.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // Where the page itself must be scrolled past the map, the wheel is left to it unless Ctrl is held, as by a pinch.
  wheel(event) {
    const own = document.fullscreenElement || (BESIDE.matches && this.board.closest(".table-grid"));
    if (event.defaultPrevented || !(own || event.ctrlKey)) return;
    event.preventDefault();
    const pixels = event.deltaY * [1, 24, 400][event.deltaMode];
    this.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), this.spot(event), [0, 0], false);
  }

  // A finger that the desk has taken is ours with a second one beside it: two fingers always zoom.
  pointerdown(event) {
    this.dragged = false;
    if (event.button === 0) this.held.set(event.pointerId, this.spot(event));
    if (event.defaultPrevented) this.taken.add(event.pointerId);
    if (this.held.size > 1) this.taken.clear();
    this.far = this.held.size > 1 ? Infinity : 0;
  }

  // The middle of the fingers, and how far they are apart.
  spread() {
    const [a, b = a] = [...this.held.values()];
    return { at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
  }

  pointermove(event) {
    if (!this.held.has(event.pointerId) || this.held.size > 2) return;
    const old = this.spread();
    this.held.set(event.pointerId, this.spot(event));
    const fresh = this.spread(), across = fresh.at[0] - old.at[0], down = fresh.at[1] - old.at[1];
    this.far += Math.hypot(across, down);
    if (this.taken.has(event.pointerId) || this.far < SLOP || (this.now.scale === 1 && this.held.size === 1)) return;
    if (!this.pane.hasPointerCapture(event.pointerId)) this.pane.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.pane.classList.add("held");
    this.zoom(fresh.apart / old.apart, old.at, [across, down], false);
  }

  pointerup(event) {
    this.held.delete(event.pointerId);
    this.taken.delete(event.pointerId);
    if (!this.held.size) this.pane.classList.remove("held");
  }

  // -- keys --------------------------------------------------------------------------------------------------------------

  keys = {
    "+": this.does.in, "=": this.does.in, "-": this.does.out, _: this.does.out, 0: this.does.fit, "Shift+F": this.does.full,
    ArrowLeft: () => this.pan(NUDGE, 0, true), ArrowRight: () => this.pan(-NUDGE, 0, true),
    ArrowUp: () => this.pan(0, NUDGE, true), ArrowDown: () => this.pan(0, -NUDGE, true),
  };

  // -- for the time of an order ----------------------------------------------------------------------------------------

  // The signs of units within the shape of a province, as boxes [left, top, right, bottom] of the map.
  standing(shape) {
    const back = shape.getScreenCTM().inverse();
    return [...this.sheet.querySelectorAll("[data-unit]")].map((unit) => {
      const box = unit.getBoundingClientRect();
      const from = new DOMPoint(box.left, box.top).matrixTransform(back), to = new DOMPoint(box.right, box.bottom).matrixTransform(back);
      return [from.x - NEAR, from.y - NEAR, to.x + NEAR, to.y + NEAR];
    }).filter(([left, top, right, bottom]) => shape.isPointInFill(new DOMPoint((left + right) / 2, (top + bottom) / 2)));
  }

  // What is to be seen of a province: all of it, or of a large one the units; of a goal only the middle.
  part(province, goal) {
    const shape = this.sheet.querySelector(`[data-province="${CSS.escape(province)}"]`);
    if (!shape) return [];
    const { x, y, width, height } = shape.getBBox(), large = Math.max(width, height) > LARGE;
    const units = goal || !large ? [] : this.standing(shape);
    if (units.length) return units;
    const half = (length) => goal || large ? Math.min(length / 2, NEAR) : length / 2;
    const [across, down] = [half(width), half(height)], [cx, cy] = [x + width / 2, y + height / 2];
    return [[cx - across, cy - down, cx + across, cy + down]];
  }

  // The smallest view that has a province and the goals.
  around(province, goals) {
    const boxes = [...this.part(province, false), ...goals.flatMap((goal) => this.part(goal, true))];
    if (!boxes.length) return null;
    const side = (n, choose) => choose(...boxes.map((box) => box[n]));
    const [left, top, right, bottom] = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
    const { wide, high, unit } = this.map;
    const scale = Math.min(CLOSE, wide / (unit * (right - left)), high / (unit * (bottom - top))) * 0.92;
    return { scale, x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  // While something is dragged the map stays where it is.
  surround(province, goals) {
    if (BESIDE.matches || pressed) return;
    const place = province || goals.length ? this.around(province, goals) : null;
    this.sheet.classList.add("glide");
    this.put(place && place.scale > this.kept.scale ? place : this.kept);
    if (place) this.uncover();
  }

  // The page is scrolled so far that the choices, at the bottom of the window, leave the map free.
  uncover() {
    const { top, bottom } = this.pane.getBoundingClientRect();
    const choices = document.querySelector(".choices");
    if (choices && top > 0 && bottom > choices.getBoundingClientRect().top) window.scrollBy({ top });
  }
}

export function wireView(board) {
  view = new View(board);
}

// A unit's place and the goals it has, while it is being ordered; without any, back to what was looked at before.
export function surround(province, goals) { view?.surround(province, goals); }

// How many pixels a unit of the map is shown as, at the scale that somebody chose; over the whole window without a map.
export function pixel() { return view ? view.map.unit * view.kept.scale : innerWidth / MAP; }

const ours = (event) => view?.pane.contains(event.target) && !event.defaultPrevented;
for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
  document.addEventListener(name, (event) => {
    pressed = name === "pointerdown";
    if (!pressed) view?.pointerup(event); // wherever it is let go
  }, { capture: true });
}
document.addEventListener("pointerdown", (event) => view?.pane.contains(event.target) && view.pointerdown(event));
document.addEventListener("dblclick", (event) => ours(event) && view.zoom(2, view.spot(event)));
document.addEventListener("keydown", (event) => {
  const key = event.shiftKey && /^f$/i.test(event.key) ? "Shift+F" : event.key; // letters alone are codes of provinces
  const here = view?.board.contains(event.target) || (key === "Shift+F" && !event.target.closest(FIELDS));
  if (!view || !here || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(key in view.keys) || (key.startsWith("Arrow") && event.target !== view.pane)) return;
  event.preventDefault();
  view.keys[key]();
});

// Show these provinces and some of what is around them, unless somebody has looked elsewhere before.
export function lookAt(provinces) {
  const place = view && !view.remembered() && view.around("", provinces);
  if (place) view.keep({ ...place, scale: Math.max(1, place.scale * ROOM) }, false);
}
