// The guide: the units with their orders, and what may be ordered next, as lists of buttons.
import { redraw } from "../redraw.js";

const GAP = 12; // pixels between a place on the map and the question about it

export const make = (tag, words = "", attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = words;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

export class Guide {
  // `desk` knows the choices, what is chosen and what is ordered, and does what the buttons say.
  constructor(desk, root) {
    this.desk = desk;
    this.root = root;
    this.options = []; // what the buttons of the panel stand for
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("click", (event) => this.click(event));
  }

  show() {
    const { desk, root } = this, focused = root.contains(document.activeElement), { option } = document.activeElement?.dataset ?? {};
    const fresh = root.cloneNode(false);
    fresh.append(this.list(), ...(desk.unit || desk.question ? [this.panel()] : []));
    redraw(root, fresh);
    this.roving(".units button[data-unit]", desk.unit?.n);
    if (focused && !root.contains(document.activeElement)) {
      (root.querySelector(`[data-option="${option}"]`) ?? root.querySelector(".units [tabindex='0']"))?.focus({ preventScroll: true });
    }
    this.place();
  }

  focusUnit(number) { this.root.querySelector(`[data-unit="${number}"]`)?.focus({ preventScroll: true }); }

  focusOption() {
    const first = this.root.querySelector(".choices .option") ?? this.root.querySelector(".choices button");
    (first ?? this.root.querySelector("button"))?.focus({ preventScroll: true });
  }

  // -- the units ---------------------------------------------------------------------------------------------------

  list() {
    const { desk } = this, { choices } = desk;
    const list = make("ul", "", { class: "units", "aria-label": gettext("Units: choose one to order it") });
    for (const unit of choices.units) list.append(this.unit(unit));
    const free = (row) => (choices.orders ? !row.unit || !choices.units.length : !row.unit && row.fault);
    for (const row of desk.rows.filter(free)) {
      const item = make("li"), words = row.fault ? `${row.text}: ${row.fault}` : row.text;
      item.append(make("span", words, { class: "line free" }), make("button", "\u00d7", { type: "button", class: "quiet clear", "data-line": row.text, "aria-label": interpolate(gettext("Take back %(order)s"), { order: row.text }, true) }), ...this.readAs([row]));
      list.append(item);
    }
    if (choices.orders) {
      const item = make("li"), verbs = Object.keys(choices.more).map((verb) => choices.title(verb)).join(", ");
      item.append(make("button", `${verbs} \u2026`, { type: "button", class: "unit more", "data-unit": 0, "aria-pressed": String(desk.unit?.n === 0) }));
      list.append(item);
    }
    return list;
  }

  unit(unit) {
    const { desk } = this, item = make("li"), lines = desk.rowsOf(unit.n);
    const button = make("button", "", { type: "button", class: "unit", "data-unit": unit.n, "aria-pressed": String(desk.unit?.n === unit.n) });
    button.append(make("span", unit.name, { class: "name" }), make("span", desk.ordered(unit), { class: lines.length ? "line" : "line none" }));
    button.title = unit.words;
    item.append(button);
    if (lines.length) item.append(make("button", "\u00d7", { type: "button", class: "quiet clear", "data-clear": unit.n, "aria-label": interpolate(gettext("Take back the order of %(unit)s"), { unit: unit.words }, true), tabindex: "-1" }));
    item.append(...this.readAs(lines));
    return item;
  }

  // How orders were read that are not in plain words.
  readAs(rows) { return rows.filter((row) => row.read_as).map((row) => make("small", row.read_as, { class: "read-as" })); }

  // -- what may be ordered -----------------------------------------------------------------------------------------

  panel() {
    const { desk } = this, { unit, path, question, choices } = desk;
    const panel = make("div", "", { class: "choices", role: "group", "aria-label": question?.words ?? interpolate(gettext("Orders for %(unit)s"), { unit: unit.words }, true) });
    const trail = path.map((key, i) => (i === 0 || choices.names(unit, path[i - 1]) ? choices.verbs[key]?.title ?? this.label(key) : choices.name(key)));
    panel.append(make("p", question?.words ?? [unit.words, ...trail].join(" \u203a "), { class: "trail" }));
    const options = make("div", "", { class: "options" });
    this.options = question?.options ?? this.onward();
    for (const [number, option] of this.options.entries()) {
      options.append(make("button", option.words, { type: "button", class: "plain small option", "data-option": number }));
    }
    options.append(make("button", `\u2190 ${gettext("Back")}`, { type: "button", class: "quiet small back" }));
    panel.append(options);
    return panel;
  }

  // The next choices, one key each; a key that only says what goes is taken along with its verb.
  onward() {
    const { unit, path, choices } = this.desk, found = [];
    for (const [key, next] of Object.entries(choices.node(unit, path))) {
      if (path.length || !choices.names(unit, key)) found.push(this.step([...path, key], this.label(key)));
      else for (const verb of Object.keys(next)) found.push(this.step([key, verb], [choices.title(verb), choices.aside(unit, key)].filter(Boolean).join(", ")));
    }
    if (!path.length) {
      for (const [carrier, key] of choices.carriers(unit)) found.push({ unit: carrier, path: [key], words: interpolate(gettext("Go aboard %(fleet)s"), { fleet: carrier.name }, true) });
    }
    return found;
  }

  // One step on; where that leaves one order only, the order.
  step(path, words) {
    const { unit, choices } = this.desk, next = choices.node(unit, path), [only, ...more] = typeof next === "object" ? Object.keys(next) : [];
    if (!only || more.length || typeof next[only] !== "string") return { unit, path, words };
    return { unit, path: [...path, only], words: choices.words(unit, [...path, only]) };
  }

  label(key) {
    const { choices, path } = this.desk;
    if (key === "hold" && path.length > 1) return gettext("in its place");
    return key in choices.keys ? choices.name(key) : choices.title(key);
  }

  // A question about the map stands beside the place that it is about, where it hides the fewest goals; all others are
  // scrolled to.
  place() {
    const panel = this.root.querySelector(".choices"), spot = this.desk.question && this.desk.spot;
    if (!panel || matchMedia("(max-width: 699px)").matches) return;
    if (!spot) {
      panel.scrollIntoView({ block: "nearest" });
      return;
    }
    panel.classList.add("by-map");
    const { width, height } = panel.getBoundingClientRect();
    const goals = [...document.querySelectorAll("#marks .can")].map((goal) => goal.getBoundingClientRect());
    const within = (at, size, room) => Math.max(GAP, Math.min(at, room - size - GAP));
    const covered = ([left, top]) => goals.filter((goal) => {
      const x = goal.left + goal.width / 2, y = goal.top + goal.height / 2;
      return x > left - GAP && x < left + width + GAP && y > top - GAP && y < top + height + GAP;
    }).length;
    const hides = ([left, top]) => spot.x > left - GAP && spot.x < left + width + GAP && spot.y > top - GAP && spot.y < top + height + GAP;
    const corners = [GAP, -height - GAP].flatMap((down) => [GAP, -width - GAP].map((right) => [within(spot.x + right, width, innerWidth), within(spot.y + down, height, innerHeight)]));
    const cost = (corner) => covered(corner) + (hides(corner) ? goals.length + 1 : 0);
    const [left, top] = corners.sort((a, b) => cost(a) - cost(b))[0];
    panel.style.left = `${left}px`;
    panel.style.top = `${top}px`;
  }

  roving(selector, current) {
    const all = [...this.root.querySelectorAll(selector)];
    const one = all.find((b) => Number(b.dataset.unit) === current) ?? all.find((b) => b === document.activeElement) ?? all[0];
    for (const button of all) button.tabIndex = button === one ? 0 : -1;
  }

  // -- clicks and keys ---------------------------------------------------------------------------------------------

  click(event) {
    const button = event.target.closest("button"), { desk } = this;
    if (!button) return;
    if (button.matches(".back")) desk.back();
    else if (button.dataset.option) desk.take(this.options[button.dataset.option]);
    else if (button.dataset.line) desk.without(button.dataset.line);
    else if (button.dataset.clear) desk.clear(desk.choices.unit(Number(button.dataset.clear)));
    else if (button.dataset.unit) desk.choose(desk.choices.unit(Number(button.dataset.unit)));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const button = event.target.closest("button"), { desk } = this;
    if (!button) return;
    const among = button.closest(".options") ? ".option, .options .back" : ".units button[data-unit]";
    const all = [...this.root.querySelectorAll(among)], at = all.indexOf(button);
    const moves = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -at, End: all.length - 1 - at };
    if (event.key in moves && all.length) {
      event.preventDefault();
      const next = all[(at + moves[event.key] + all.length) % all.length];
      for (const one of all) if (!one.matches(".option, .back")) one.tabIndex = one === next ? 0 : -1;
      next.focus();
    } else if (event.key === "Delete" && button.dataset.unit > 0) desk.clear(desk.choices.unit(Number(button.dataset.unit)));
  }
}
