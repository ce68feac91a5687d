// Gestures on the map and codes by keyboard: they tell the desk which unit and which province are meant.
const SVG = "http://www.w3.org/2000/svg";
const FAR = 8; // pixels from which on a press is a drag
const FIELDS = "input, textarea, select, [contenteditable]";

const sheet = () => document.getElementById("sheet");
const province = (x, y) => document.elementsFromPoint(x, y).find((one) => one.dataset?.province)?.dataset.province ?? "";
const unitAt = (target) => target?.closest?.("#sheet [data-unit]");

// Wire a board once; `desk` gives the desk that stands beside it now.
export function wireGestures(board, desk) {
  const gestures = new Gestures(desk);
  board.addEventListener("board:chosen", ({ detail }) => desk()?.fromMap(detail));
  board.addEventListener("board:drawn", () => desk()?.look());
  board.addEventListener("pointerdown", (event) => gestures.press(event), true);
  board.addEventListener("click", (event) => gestures.click(event), true);
  board.addEventListener("dblclick", (event) => gestures.twice(event), true);
  document.addEventListener("keydown", (event) => gestures.key(event), true); // before the map's own keys
  document.addEventListener("pointerdown", () => { gestures.spelling = false; }, true);
}

class Gestures {
  constructor(desk) {
    this.desk = desk;
    this.drag = null;
    this.typed = ""; // letters of a code
    this.spelling = false; // whether the last key was a letter
    this.ends = false; // whether the key that is down ends a code
  }

  // A unit of one's own beneath the pointer, by its number.
  own(event) {
    const number = Number(unitAt(event.target)?.dataset.unit);
    return number && this.desk()?.choices?.unit(number) ? number : 0;
  }

  // -- dragging ----------------------------------------------------------------------------------------------------

  // A press on a unit that may be ordered is the desk's; the map pans at any other.
  press(event) {
    const desk = this.desk();
    if (desk) desk.spot = { x: event.clientX, y: event.clientY };
    this.dragged = false;
    if (!event.isPrimary) return this.cancel(); // two fingers are the map's
    const number = event.button === 0 ? this.own(event) : 0;
    if (!number) return;
    event.preventDefault(); // so the map knows that it is not its own
    const drag = { number, sign: event.target, x: event.clientX, y: event.clientY, life: new AbortController() };
    const on = (name, work) => document.addEventListener(name, work, { signal: drag.life.signal });
    this.drag?.life.abort();
    this.drag = drag;
    on("pointermove", (moved) => moved.isPrimary && this.move(moved));
    on("pointerup", (up) => up.isPrimary && this.drop(up));
    on("pointercancel", () => this.cancel());
    on("keydown", (key) => key.key === "Escape" && this.cancel());
  }

  move(event) {
    const { drag } = this;
    if (!this.dragged && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!this.dragged) {
      this.dragged = true;
      drag.before = this.desk().unit;
      this.desk().choose(this.desk().choices.unit(drag.number), false);
      const svg = sheet().querySelector("svg");
      drag.line = document.createElementNS(SVG, "line");
      drag.line.id = "dragged";
      svg.append(drag.line);
      drag.matrix = svg.getScreenCTM().inverse();
      this.point("1", drag);
    }
    this.point("2", { x: event.clientX, y: event.clientY });
  }

  point(end, { x, y }) {
    const at = new DOMPoint(x, y).matrixTransform(this.drag.matrix);
    this.drag.line.setAttribute(`x${end}`, at.x);
    this.drag.line.setAttribute(`y${end}`, at.y);
  }

  drop(event) {
    const desk = this.desk(), { drag, dragged } = this, over = document.elementFromPoint(event.clientX, event.clientY);
    const number = Number(unitAt(over)?.dataset.unit ?? 0), place = province(event.clientX, event.clientY);
    this.end();
    if (!desk) return;
    if (!dragged) {
      if (!drag.sign.isConnected && number === drag.number) this.clickAnew(number);
      return;
    }
    desk.spot = { x: event.clientX, y: event.clientY };
    if (over?.closest("#sheet") && (number || place)) desk.fromMap({ unit: number, province: number ? "" : place, led: true });
  }

  // The map was drawn anew between a press and its release: the browser tells of no click on a sign that is gone.
  clickAnew(unit) {
    this.dragged = true; // should one tell of it after all, that click is none
    this.desk().fromMap({ unit, province: "" });
  }

  // A drag that comes to nothing leaves chosen what was chosen before.
  cancel() {
    const { drag } = this;
    this.end();
    if (drag?.line) this.desk()?.choose(drag.before, false);
  }

  end() {
    this.drag?.line?.remove();
    this.drag?.life.abort();
    this.drag = null;
  }

  // The click that ends a drag is none.
  click(event) {
    if (!this.dragged || !event.target.closest("#sheet")) return;
    event.stopPropagation();
    this.dragged = false;
  }

  // A unit clicked twice holds.
  twice(event) {
    const number = this.own(event);
    if (!number) return;
    event.preventDefault();
    this.desk().stay(this.desk().choices.unit(number));
  }

  // -- keys --------------------------------------------------------------------------------------------------------

  key(event) {
    const desk = this.desk(), { target } = event, end = event.key === "Enter" || event.key === " ";
    if (!event.repeat) this.ends = end && (this.spelling || this.typed !== "");
    this.spelling = false;
    if (!desk?.choices || !desk.root.isConnected || event.defaultPrevented || target.closest(FIELDS)) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z") {
      event.preventDefault();
      desk.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== document.body && !target.closest("#guide, #board")) return; // keys elsewhere are not for the map
    if (event.key === "Escape") this.escape(event);
    else if (event.key === "Backspace") this.rub(event);
    else if (end && this.ends) this.enter(event);
    else if (/^\d$/.test(event.key) || (/^\p{L}$/u.test(event.key) && !event.shiftKey)) this.letter(event); // letters with Shift are the map's
  }

  escape(event) {
    const desk = this.desk();
    if (this.typed) this.show("");
    else if (desk.unit || desk.question) { event.preventDefault(); desk.back(); }
  }

  rub(event) {
    event.preventDefault();
    if (this.typed) this.show(this.typed.slice(0, -1));
    else this.escape(event);
  }

  // The code has ended.  One that was taken already orders nothing more, and the button with the focus is not pressed.
  enter(event) {
    event.preventDefault();
    const { typed } = this;
    if (!typed) return;
    this.show("");
    this.desk().spot = null;
    this.desk().fromMap({ unit: 0, province: this.desk().places().find((place) => place.toLowerCase() === typed) ?? typed.toUpperCase() });
  }

  // A letter more: a code that can be no other is taken at once, one that others begin with when it has ended.
  letter(event) {
    this.spelling = true;
    const desk = this.desk(), typed = this.typed + event.key.toLowerCase();
    const fit = desk.places().filter((place) => place.toLowerCase().startsWith(typed));
    if (fit.length || this.typed) event.preventDefault();
    if (!fit.length) {
      if (this.typed) desk.refuse(interpolate(gettext("Nothing to order begins with “%(letters)s”."), { letters: typed.toUpperCase() }, true));
      this.show("");
      return;
    }
    this.show(typed);
    if (fit.length > 1 || fit[0].toLowerCase() !== typed) return;
    this.show("");
    desk.spot = null;
    desk.fromMap({ unit: 0, province: fit[0] });
  }

  // What was typed so far, beside the map.
  show(typed) {
    this.typed = typed;
    document.getElementById("board-typed")?.remove();
    if (!typed) return;
    const note = document.createElement("p");
    note.id = "board-typed";
    note.className = "note board-said";
    note.setAttribute("role", "status");
    note.textContent = `${typed.toUpperCase()}…`;
    document.getElementById("board").append(note);
  }
}
