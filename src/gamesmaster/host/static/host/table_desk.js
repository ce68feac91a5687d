// The desk: orders by clicking the map or choosing from lists, guided by the tree of lawful orders; or typed.
// The lines in the text field are the draft; everything else shows them, and is changed through them.
import { look, mark, putLayer } from "./table_map.js";
import { CLICKED, Keeper, TYPED } from "./table_saving.js";

const WAIT = 250; // milliseconds after a key before the draft is looked at
const VERBS = {
  hold: "Hold", move: "Move", support: "Support", convoy: "Convoy", retreat: "Retreat", disband: "Disband",
  build: "Build", remove: "Remove", waive: "Leave a build unused", board: "Go aboard", take: "Take aboard",
  land: "Land", ferry: "Ferry", make: "Build", destroy: "Destroy", designate: "Name a home centre",
  arrive: "Let it arrive", decline: "Decline it",
};
const RIDERS = new Set(["destroy"]); // beside a unit's other order
let desk = null; // the desk that is wired

export function wireDesk() {
  const root = document.querySelector("#desk .desk");
  if (!root || desk?.root === root) return;
  desk?.keeper.end();
  desk = new Desk(root);
  desk.begin();
}

// The orders are stored before another desk takes this one's place; where that fails they stay in the browser.
export async function storeDesk() { await desk?.keeper.save(); }

// Words that must not be missed, beside the map and for screen readers.
export function refuse(words) { desk?.refuse(words); }

const make = (tag, words = "", attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = words;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

class Desk {
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.text = root.querySelector("#text");
    this.guide = root.querySelector("#guide");
    this.warnings = root.querySelector("#warnings");
    this.said = root.querySelector("#said");
    this.past = []; // earlier drafts
    this.rows = this.lines.map((text) => ({ text, unit: 0 })); // each line, and the number of the unit it is for
    this.idle = null; // the units that have nothing to do, as the server sees it
    this.unit = null; // the unit, or the whole power ({n: 0}), being ordered
    this.path = []; // the keys chosen so far
    this.asked = 0; // how often the server has been asked, so that late answers are known
    this.keeper = new Keeper(this);
  }

  async begin() {
    this.keeper.begin();
    this.text.addEventListener("input", () => {
      this.keeper.changed(TYPED);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), WAIT);
    });
    this.root.addEventListener("click", (event) => event.target.closest("#undo") && this.undo());
    this.guide.addEventListener("keydown", (event) => this.key(event));
    this.guide.addEventListener("click", (event) => this.click(event));
    const board = document.getElementById("board");
    board.desk = this;
    if (!board.dataset.desked) {
      board.dataset.desked = "yes";
      board.addEventListener("board:chosen", (event) => board.desk.fromMap(event.detail));
      board.addEventListener("board:drawn", () => board.desk.look());
    }
    try {
      const answer = await fetch(this.root.dataset.choices, { credentials: "same-origin" });
      if (!answer.ok) return;
      this.choices = await answer.json();
    } catch {
      return; // typing is left
    }
    if (!this.root.isConnected) return;
    this.guide.hidden = !(this.choices.units.length || Object.keys(this.choices.more).length);
    this.guide.closest(".desk").classList.add("guided");
    await this.look();
    this.show();
    if (this.guide.hidden) this.root.querySelector("#typing").open = true;
  }

  // -- the draft ---------------------------------------------------------------------------------------------------

  get lines() { return this.text.value.split("\n").map((line) => line.trim()).filter(Boolean); }

  write(rows) {
    this.past.push(this.text.value);
    this.rows = rows;
    this.text.value = rows.map((row) => row.text).join("\n");
    this.keeper.changed(CLICKED);
    this.stood();
    this.show();
    return this.look();
  }

  undo() {
    if (!this.past.length) return;
    this.text.value = this.past.pop();
    this.keeper.changed(CLICKED);
    this.stood();
    this.say("Undone.");
    this.look();
  }

  // Orders that come from elsewhere take the place of what stands here; Undo brings that back.
  adopt(text) {
    this.past.push(this.text.value);
    this.text.value = text;
    this.look();
  }

  // The buttons are there anew.
  stood() { this.root.querySelector("#undo").hidden = !this.past.length; }

  // Ask the server what the draft is read as, and draw it.
  async look() {
    if (!this.root.isConnected) return;
    const number = ++this.asked, { style, layout } = look();
    const data = new FormData(this.form);
    data.set("style", style);
    data.set("layout", layout);
    let found;
    try {
      const answer = await fetch(this.root.dataset.preview, { method: "POST", body: data, credentials: "same-origin" });
      found = await answer.json();
    } catch {
      return;
    }
    if (number !== this.asked || !this.root.isConnected) return;
    if (found.error) {
      this.warn([`${found.error}${found.hint ? ` (${found.hint})` : ""}`]);
      return;
    }
    const sheet = document.getElementById("sheet");
    if (sheet.dataset.drawn) {
      sheet.dataset.draft = "yes";
      putLayer(found.layer);
    }
    this.rows = found.rows;
    this.idle = new Set(found.idle);
    const early = !this.lines.length && this.choices?.kind === "movement"; // nothing is ordered yet: no unit's lack is told
    this.warn(found.warnings.filter((w) => !early || w.about === "").map((w) => `${w.about || ""} ${w.text} (${w.clause})`.trim()));
    this.show();
  }

  warn(texts) { this.warnings.replaceChildren(...texts.map((text) => make("li", text))); }
  say(words) { this.said.textContent = words; }

  // What cannot be done is said beside the map as well, until the next click.
  refuse(words) {
    this.say(words);
    document.getElementById("board-said")?.remove();
    const note = make("p", words, { class: "note warn board-said", id: "board-said", "aria-hidden": "true" });
    document.getElementById("board").append(note);
    for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => note.remove(), { once: true });
  }

  // The rows that are for a unit; riders or main orders.
  rowsOf(number, rider = null) {
    return this.rows.filter(({ text, unit }) => unit === number && (rider === null || rider === /\bdestroys?\b/i.test(text)));
  }

  // Does a unit want an order still?  One that goes along with another does not.
  waits(unit) { return !this.rowsOf(unit.n).length && (!this.idle || this.idle.has(unit.n)); }

  // -- choosing ----------------------------------------------------------------------------------------------------

  get level() {
    let here = this.unit ? this.unit.tree : {};
    for (const key of this.path) here = here[key];
    return here;
  }

  province(key) { return this.choices.keys[key]?.[0] ?? ""; }

  label(key) {
    if (key in this.choices.keys) return this.choices.keys[key][1];
    if (this.path.at(-1) === "support" || this.path.at(-2) === "support") return key === "hold" ? "in its place" : key;
    if (key.startsWith("boat")) return key.replace("boat", "a boat");
    return VERBS[key] ?? key;
  }

  choose(unit) {
    this.unit = unit;
    this.path = [];
    this.show();
    const first = this.guide.querySelector(".choices button");
    (first ?? this.guide.querySelector("button"))?.focus({ preventScroll: true });
    if (unit) this.say(`${unit.words}: choose an order.`);
  }

  pick(key) {
    const next = this.level[key];
    if (typeof next === "string") return this.give(next, this.path[0] ?? key);
    this.path.push(key);
    const only = Object.keys(next);
    if (only.length === 1 && typeof next[only[0]] === "string" && this.path.length > 1) return this.give(next[only[0]], this.path[0]);
    this.show();
    this.guide.querySelector(".choices button:not(.back)")?.focus({ preventScroll: true });
    return undefined;
  }

  // An order is complete: it takes the place of the unit's former one.
  give(line, verb) {
    const unit = this.unit;
    const old = new Set(unit.n ? this.rowsOf(unit.n, RIDERS.has(verb)) : this.samePlace(line, verb));
    const rows = [...this.rows.filter((row) => !old.has(row)), { text: line, unit: unit.n }];
    const waiting = this.choices.units.filter((u) => u.n !== unit.n && this.waits(u));
    this.unit = null;
    this.path = [];
    this.say(`${line}. ${waiting.length ? `${waiting.length} without an order.` : "Every unit has its order."}`);
    this.write(rows);
    const next = unit.n ? waiting[0] ?? unit : unit;
    this.guide.querySelector(`[data-unit="${next.n}"]`)?.focus({ preventScroll: true });
  }

  // Of builds and removals, the one for the same place; waives come as often as they are wanted.
  samePlace(line, verb) {
    if (verb === "waive") return [];
    const place = (text) => text.trim().split(/\s+/).at(-1).split("/")[0].toLowerCase();
    return this.rows.filter(({ text }) => place(text) === place(line) && !/^waive/i.test(text));
  }

  clear(unit) {
    const gone = new Set(this.rowsOf(unit.n));
    if (gone.size) this.write(this.rows.filter((row) => !gone.has(row)));
    this.say(`${unit.words} has no order now.`);
  }

  back() {
    if (this.path.length) this.path.pop();
    else {
      const n = this.unit?.n ?? 0;
      this.unit = null;
      this.show();
      this.guide.querySelector(`[data-unit="${n}"]`)?.focus({ preventScroll: true });
      return;
    }
    this.show();
    this.guide.querySelector(".choices button:not(.back)")?.focus({ preventScroll: true });
  }

  // -- from the map ------------------------------------------------------------------------------------------------

  // The ways on from here that a province may mean: each a list of keys.
  meant(province) {
    const level = this.level, found = [];
    for (const [key, next] of Object.entries(level)) {
      if (this.province(key) === province) found.push([key]);
      else if (!this.path.length && typeof next === "object" && !(key in this.choices.keys)) {
        for (const deeper of Object.keys(next)) if (this.province(deeper) === province) found.push([key, deeper]);
      }
    }
    if (!this.path.length && this.unit?.at === province) {
      for (const verb of ["hold", "disband"]) if (typeof level[verb] === "string") found.push([verb]);
    }
    return found;
  }

  fromMap({ unit, province }) {
    if (!this.choices) return;
    const own = this.choices.units.find((u) => u.n === unit);
    const at = province || own?.at || this.unitsPlace(unit);
    const here = this.choices.units.filter((u) => u.at === at);
    if (this.unit) {
      const ways = this.meant(at);
      if (ways.length === 1) return ways[0].forEach((key) => this.unit && this.pick(key));
      if (ways.length) {
        this.several = { ways, at };
        this.show();
        this.guide.querySelector(".choices button:not(.back)")?.focus({ preventScroll: true });
        return undefined;
      }
    }
    if (!this.choices.units.length && Object.keys(this.choices.more).length) {
      this.unit = this.whole;
      this.path = [];
      const ways = this.meant(at);
      if (ways.length === 1) return ways[0].forEach((key) => this.unit && this.pick(key));
      this.several = ways.length ? { ways, at } : null;
      return this.show();
    }
    if (own || here.length) return this.choose(own ?? here[(here.indexOf(this.unit) + 1) % here.length]);
    const where = this.choices.units.length ? "None of your units is there." : "There is nothing to order there.";
    return this.refuse(this.unit ? `${this.unit.words} cannot be ordered there.` : where);
  }

  unitsPlace(number) {
    if (!number) return "";
    const use = document.querySelector(`#sheet [data-unit="${number}"]`);
    return use?.dataset.at ?? this.under(use);
  }

  // The province beneath a unit's sign.
  under(use) {
    if (!use) return "";
    const box = use.getBoundingClientRect();
    const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return stack.find((one) => one.dataset?.province)?.dataset.province ?? "";
  }

  get whole() { return { n: 0, at: "", name: this.root.dataset.power, words: this.root.dataset.power, tree: this.choices.more }; }

  // -- showing -----------------------------------------------------------------------------------------------------

  show() {
    if (!this.choices || !this.root.isConnected) return;
    const kept = document.activeElement?.closest?.("#guide") ? document.activeElement.dataset : null;
    this.guide.replaceChildren(this.list(), ...(this.unit ? [this.panel()] : []));
    if (kept?.unit !== undefined) this.guide.querySelector(`[data-unit="${kept.unit}"]`)?.focus({ preventScroll: true });
    this.roving(".units button[data-unit]", this.unit?.n);
    const goals = this.unit ? this.goals() : [];
    mark(goals, this.unit?.at ?? "");
    this.countDown();
  }

  // How many units want an order still.
  countDown() {
    const { kind, units } = this.choices, left = units.filter((unit) => this.waits(unit)).length;
    if (kind !== "movement" || !units.length) return;
    const many = units.length === 1 ? "1 unit" : `${units.length} units`;
    this.root.querySelector(".asked").textContent = left ? `Wanted: orders for ${left === units.length ? many : `${left} of ${many}`}.` : "Every unit has its order.";
  }

  goals() {
    const level = this.level;
    const keys = this.path.length ? Object.keys(level) : Object.keys(level.move ?? level.retreat ?? level.land ?? level.build ?? level.remove ?? level);
    return [...new Set(keys.map((key) => this.province(key)).filter(Boolean))];
  }

  list() {
    const list = make("ul", "", { class: "units", "aria-label": "Units: choose one to order it" });
    for (const unit of this.choices.units) {
      const item = make("li"), lines = this.rowsOf(unit.n).map((row) => row.text);
      const button = make("button", "", { type: "button", class: "unit", "data-unit": unit.n, "aria-pressed": String(this.unit?.n === unit.n) });
      button.append(make("span", unit.name, { class: "name" }), make("span", lines.join("; ") || (this.waits(unit) ? "no order yet" : "goes along"), { class: lines.length ? "line" : "line none" }));
      button.title = unit.words;
      item.append(button);
      if (lines.length) item.append(make("button", "\u00d7", { type: "button", class: "quiet clear", "data-clear": unit.n, "aria-label": `Take back the order of ${unit.words}`, tabindex: "-1" }));
      list.append(item);
    }
    if (Object.keys(this.choices.more).length) {
      for (const { text: line } of this.rows.filter((row) => !row.unit || !this.choices.units.length)) {
        const item = make("li");
        item.append(make("span", line, { class: "line free" }), make("button", "\u00d7", { type: "button", class: "quiet clear", "data-line": line, "aria-label": `Take back ${line}` }));
        list.append(item);
      }
      const item = make("li");
      const verbs = Object.keys(this.choices.more).map((verb) => VERBS[verb] ?? verb).join(", ");
      item.append(make("button", `${verbs} \u2026`, { type: "button", class: "unit more", "data-unit": 0, "aria-pressed": String(this.unit?.n === 0) }));
      list.append(item);
    }
    return list;
  }

  panel() {
    const panel = make("div", "", { class: "choices", role: "group", "aria-label": `Orders for ${this.unit.words}` });
    const trail = [this.unit.words, ...this.path.map((key, i) => this.trail(key, i))].join(" \u203a ");
    panel.append(make("p", trail, { class: "trail" }));
    const keys = this.several ? this.several.ways : Object.keys(this.level).map((key) => [key]);
    const options = make("div", "", { class: "options" });
    for (const way of keys) {
      const words = way.length > 1 ? `${VERBS[way[0]] ?? way[0]}: ${this.label(way[1])}` : this.label(way[0]);
      options.append(make("button", words, { type: "button", class: "plain small option", "data-way": JSON.stringify(way) }));
    }
    options.append(make("button", "\u2190 Back", { type: "button", class: "quiet small back" }));
    panel.append(options);
    this.several = null;
    return panel;
  }

  trail(key, depth) { return depth === 0 ? VERBS[key] ?? key : this.choices.keys[key]?.[1] ?? key; }

  roving(selector, current) {
    const all = [...this.guide.querySelectorAll(selector)];
    const one = all.find((b) => Number(b.dataset.unit) === current) ?? all.find((b) => b === document.activeElement) ?? all[0];
    for (const button of all) button.tabIndex = button === one ? 0 : -1;
  }

  // -- clicks and keys ---------------------------------------------------------------------------------------------

  click(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches(".back")) this.back();
    else if (button.dataset.way) JSON.parse(button.dataset.way).forEach((key) => this.unit && this.pick(key));
    else if (button.dataset.line) this.write(this.without(button.dataset.line));
    else if (button.dataset.clear) this.clear(this.choices.units.find((u) => u.n === Number(button.dataset.clear)));
    else if (button.dataset.unit === "0") this.choose(this.whole);
    else if (button.dataset.unit) this.choose(this.choices.units.find((u) => u.n === Number(button.dataset.unit)));
  }

  without(line) {
    const gone = this.rows.find((row) => row.text === line);
    return this.rows.filter((row) => row !== gone);
  }

  key(event) {
    if (event.ctrlKey && event.key === "z") { event.preventDefault(); this.undo(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const button = event.target.closest("button");
    if (!button) return;
    if (event.key === "Escape" || (event.key === "Backspace" && this.unit)) {
      event.preventDefault();
      if (this.unit) this.back();
      return;
    }
    const among = button.closest(".options") ? ".option, .options .back" : ".units button[data-unit]";
    const all = [...this.guide.querySelectorAll(among)], at = all.indexOf(button);
    const moves = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -at, End: all.length - 1 - at };
    if (event.key in moves && all.length) {
      event.preventDefault();
      const next = all[(at + moves[event.key] + all.length) % all.length];
      for (const one of all) if (!one.matches(".option, .back")) one.tabIndex = one === next ? 0 : -1;
      next.focus();
    } else if (event.key === "Delete" && button.dataset.unit > 0) {
      this.clear(this.choices.units.find((u) => u.n === Number(button.dataset.unit)));
    } else if (/^\p{L}$/u.test(event.key)) {
      const letter = event.key.toLowerCase(), turned = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      turned.find((one) => one.textContent.trim().toLowerCase().startsWith(letter))?.focus();
    }
  }
}
