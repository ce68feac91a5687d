// The desk: orders by pointing at the map or choosing from lists, guided by the tree of lawful orders; or typed.
// The lines in the text field are the draft; everything else shows them, and is changed through them.
import { ask, FIRST, found, lack, LONGEST } from "../asking.js";
import { wireGestures } from "./gestures.js";
import { Guide, make } from "./guide.js";
import { look, mark, putLayer } from "./map.js";
import { CLICKED, Keeper, TYPED } from "./saving.js";
import { Choices } from "./tree.js";
import { Typing } from "./typing.js";

const WAIT = 250; // milliseconds after a key before the draft is looked at
const AGAIN = 10000; // milliseconds after which saved orders that could not be drawn are drawn again
let desk = null; // the desk that is wired
let wanted = 0; // the unit to be chosen when the desk of its power has come
let next = null; // where the map was pointed at meanwhile

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

// The sign of a unit on the map; none if it is aboard of another, or has no room.
const sign = (unit) => document.querySelector(`#sheet [data-unit="${unit.n}"]`);

class Desk {
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.text = root.querySelector("#text");
    this.guide = new Guide(this, root.querySelector("#guide"));
    this.warnings = root.querySelector("#warnings");
    this.said = root.querySelector("#said");
    this.past = []; // earlier drafts: text and rows
    this.rows = this.unread; // each line, the number of the unit it is for, its verb and place
    this.idle = null; // the units that have nothing to do, as the server sees it
    this.later = ""; // the lines for later phases, below their headings
    this.unit = null; // the unit, or the whole power ({n: 0}), being ordered
    this.path = []; // the keys chosen so far
    this.question = null; // what was pointed at may mean several things: words, and options
    this.partner = null; // whom the order being given carries, if that one is to go along
    this.spot = null; // where on the screen the map was pointed at
    this.looked = null; // the draft that the server was asked about last, and its answer
    this.behind = false; // whether the map lacks the draft, because the server could not be asked about it
    this.keeper = new Keeper(this);
    this.typing = new Typing(this, root.querySelector("#typed"));
  }

  async begin() {
    this.keeper.begin();
    this.text.addEventListener("input", () => {
      this.keeper.changed(TYPED);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), WAIT);
    });
    this.root.addEventListener("click", (event) => event.target.closest("#undo") && this.undo());
    const board = document.getElementById("board");
    board.desk = this;
    if (!board.dataset.desked) {
      board.dataset.desked = "yes";
      wireGestures(board, () => board.desk);
    }
    const choices = await this.askChoices();
    if (!this.root.isConnected) return;
    found("choices");
    if (!choices) return; // typing is left
    this.choices = new Choices(choices, this.root.dataset.power);
    this.guide.root.hidden = this.choices.empty;
    this.typing.root.hidden = this.choices.empty;
    this.root.classList.add("guided");
    document.getElementById("board").classList.add("desk-open");
    await this.look();
    this.show();
    if (this.choices.empty) this.root.querySelector("#typing").open = true;
    const unit = wanted && this.choices.unit(wanted);
    wanted = 0;
    if (unit) this.choose(unit);
    if (unit && next) this.fromMap(next);
    next = null;
  }

  // The legal orders; asked for again after a while, if the site does not answer or is in trouble.
  async askChoices() {
    let press;
    for (let wait = FIRST; this.root.isConnected; wait = Math.min(2 * wait, LONGEST)) {
      const pressed = new Promise((done) => { press = done; });
      try {
        const answer = await Promise.race([ask(this.root.dataset.choices), pressed]);
        if (!answer) continue; // somebody does not want to wait for this one
        if (answer.ok) return await answer.json();
        if (answer.status < 500 && answer.status !== 429) return null;
      } catch { /* the network is away, or the answer did not come in time or was cut short */ }
      const words = gettext("The choice of orders could not be loaded. You can type orders as text. Trying again…");
      lack("choices", words, () => press(), (note) => this.guide.root.before(note));
      await Promise.race([pressed, new Promise((done) => { setTimeout(done, wait); })]);
    }
    return null;
  }

  // -- the draft ---------------------------------------------------------------------------------------------------

  // Its lines before the server has told which units they are for.
  get unread() { return this.lines.map((text) => ({ text, unit: 0 })); }

  get lines() { return this.text.value.split("\n").map((line) => line.trim()).filter(Boolean); }

  // Write these rows.  What was said of the draft before no longer holds; `said` is said of this one, with what is left
  // to do once the server has read it.
  async write(rows, said = "") {
    this.past.push({ text: this.text.value, rows: this.rows });
    this.rows = rows;
    this.text.value = [...rows.map((row) => row.text), ...(this.later ? [this.later] : [])].join("\n");
    this.keeper.changed(CLICKED);
    this.stood();
    this.show();
    this.typing.say("");
    this.say(said);
    await this.look();
    if (said && this.said.textContent === said) this.say(`${said}. ${this.left()}`);
  }

  undo() {
    if (!this.past.length) return;
    const { text, rows } = this.past.pop();
    this.text.value = text;
    this.rows = rows;
    this.keeper.changed(CLICKED);
    this.stood();
    this.say(gettext("Undone."));
    this.look();
  }

  // Orders that come from elsewhere take the place of what stands here; Undo brings that back.
  adopt(text) {
    this.past.push({ text: this.text.value, rows: this.rows });
    this.text.value = text;
    this.rows = this.remembered(this.unread);
    this.typing.say("");
    this.say("");
    this.look();
  }

  // The buttons are there anew.
  stood() { this.root.querySelector("#undo").hidden = !this.past.length; }

  // Ask the server what the draft is read as, and draw it; what it has answered of this very draft is drawn again.
  async look() {
    if (!this.root.isConnected) return;
    const { style, layout } = look(), subject = `${style} ${layout} ${this.text.value}`;
    if (this.looked?.subject === subject) {
      this.draw(this.looked.layer);
      await this.looked.answer;
      this.show(); // marks went with the layer before
      return;
    }
    const looked = { subject, layer: "" };
    this.looked = looked;
    looked.answer = this.preview(looked, style, layout);
    await looked.answer;
  }

  draw(layer) {
    const sheet = document.getElementById("sheet");
    if (!layer || !sheet.dataset.drawn) return;
    sheet.dataset.draft = "yes";
    putLayer(layer);
  }

  async preview(looked, style, layout) {
    const data = new FormData(this.form);
    data.set("style", style);
    data.set("layout", layout);
    this.behind = false;
    const { status, body: found } = await this.keeper.ask(this.root.dataset.preview, { method: "POST", body: data });
    if (this.looked !== looked || !this.root.isConnected) return;
    this.behind = !found || Boolean(found.error);
    if (this.behind) this.looked = null;
    if (!found) {
      if ((status === 0 || status >= 500) && !this.keeper.unsaved) this.timer = setTimeout(() => this.catchUp(), AGAIN);
      return;
    }
    if (found.error) {
      if (status !== 401) this.warn([`${found.error}${found.hint ? ` (${found.hint})` : ""}`]); // signed out: another line says it
      return;
    }
    looked.layer = found.layer;
    this.draw(found.layer);
    this.rows = this.remembered(found.rows);
    this.idle = new Set(found.idle);
    const slips = found.warnings.map((w) => `${w.about || ""} ${w.text} (${w.clause})`.trim());
    this.later = found.later.text;
    this.warn([...found.refused.map((no) => no.told), ...(found.later.lost ? [found.later.lost] : []), ...slips]);
    this.show();
  }

  // The orders are saved: they are drawn, if they could not be before.
  catchUp() { if (this.behind) this.look(); }

  // How an order was read is told as long as the order stands, though its line is in plain words once it is saved.
  remembered(rows) {
    const known = new Map(this.rows.filter((row) => row.read_as).map((row) => [row.text, row.read_as]));
    return rows.map((row) => ({ ...row, read_as: row.read_as || known.get(row.text) || "" }));
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
    return this.rows.filter((row) => row.unit === number && (rider === null || rider === Boolean(row.rider)));
  }

  // Does a unit want an order still?  One that goes along with another does not.
  waits(unit) { return !this.rowsOf(unit.n).length && (!this.idle || this.idle.has(unit.n)); }

  // What a unit is ordered to do, in words.
  ordered(unit) {
    const lines = this.rowsOf(unit.n).map((row) => row.text).join("; ");
    return lines || (this.waits(unit) ? gettext("no order yet") : gettext("goes along"));
  }

  // -- choosing ----------------------------------------------------------------------------------------------------

  // `focus`: the first choice is given the focus, for those who go on by keyboard.
  choose(unit, focus = true) {
    this.unit = unit;
    this.path = [];
    this.question = this.partner = null;
    this.show();
    if (focus) this.guide.focusOption();
    if (unit) this.say(interpolate(gettext("%(unit)s: choose an order."), { unit: unit.words }, true));
  }

  // Go on to a path of a unit; the end of one is an order.  A path of one end is gone to its end.
  take({ unit, path, partner = unit === this.unit && this.path.length ? this.partner : null, away = null }) {
    if (away) return this.turn(away);
    if (!path) return this.choose(unit);
    this.unit = unit;
    this.partner = partner;
    this.question = null;
    const next = this.choices.node(unit, path);
    if (typeof next === "string") return this.give(next, path);
    const only = Object.keys(next);
    if (only.length === 1 && typeof next[only[0]] === "string" && path.length > 1) return this.give(next[only[0]], [...path, only[0]]);
    this.path = path;
    this.show();
    this.guide.focusOption();
    this.say(`${this.choices.words(unit, path)}`);
    return undefined;
  }

  // An order is complete: it takes the place of the unit's former one.
  give(line, path) {
    const { unit, partner, choices } = this, given = choices.row(unit, path, line), old = this.replaced([given]);
    const rows = [...this.rows.filter((row) => !old.has(row)), given];
    const [mate, along] = this.along(path);
    if (along) rows.push({ text: along, unit: mate.n });
    const waiting = choices.units.filter((u) => u.n !== unit.n && !(along && u === mate) && this.waits(u));
    this.unit = this.question = this.partner = null;
    this.path = [];
    this.write(rows, line);
    const next = unit.n ? waiting[0] ?? unit : unit;
    this.guide.focusUnit(next.n);
  }

  // Orders that were typed take the place of their units' former ones; what is left to do is said.
  async typed(rows) {
    const old = this.replaced(rows);
    await this.write([...this.rows.filter((row) => !old.has(row)), ...rows]);
    return this.left();
  }

  // How many units have no order yet, in words.
  left() {
    const number = this.choices.units.filter((unit) => this.waits(unit)).length;
    return number ? interpolate(ngettext("%(number)s unit without an order.", "%(number)s units without an order.", number), { number }, true) : gettext("Every unit has its order.");
  }

  // Who goes along with the order being given and has no order yet, and by which: the other of army and fleet, or the
  // partner on its journey.
  along(path) {
    const { unit, partner, choices } = this, free = (one) => one && !this.rowsOf(one.n).length;
    for (const mate of unit.n ? choices.units.filter((one) => one !== unit && free(one)) : []) {
      const part = choices.part(unit, path, mate);
      if (part) return [mate, part];
    }
    return free(partner) ? [partner, this.journey(partner, choices.province(path.at(-1)))] : [null, ""];
  }

  // The order by which a unit that is carried goes to where it is carried.
  journey(unit, place) {
    const ways = this.choices.towards(unit, [], place).filter(([verb]) => verb === "move");
    const way = ways.find((path) => path.at(-1).endsWith("by convoy")) ?? ways[0];
    return way && this.choices.node(unit, way);
  }

  // A unit stays where it is: it holds or, dislodged, disbands.
  stay(unit) {
    const ways = this.choices.staying(unit);
    if (ways.length === 1) return this.take({ unit, path: ways[0] });
    return this.ask(unit, ways.map((path) => this.option(unit, path)));
  }

  // The rows whose place these orders take: the unit's own; of builds and removals, those for the same place, and the
  // earliest where more are ordered than are due; of bids, which may be the same, the earliest of too many.
  replaced(rows) {
    const bound = (number) => number && this.choices.units.some((unit) => unit.n === number);
    const old = new Set(rows.flatMap((row) => (bound(row.unit) ? this.rowsOf(row.unit, Boolean(row.rider)) : this.samePlace(row.at).filter((one) => !bound(one.unit) && !this.choices.again[one.verb]))));
    const settles = (row) => this.choices.settles(row.verb), left = this.rows.filter((row) => settles(row) && !old.has(row));
    const many = Math.max(0, left.length + rows.filter(settles).length - this.choices.due);
    for (const row of this.choices.due ? left.slice(0, many) : []) old.add(row);
    for (const [verb, most] of Object.entries(this.choices.again)) {
      const bids = [...this.rows, ...rows].filter((row) => row.verb === verb);
      for (const row of bids.slice(0, Math.max(0, bids.length - most))) old.add(row);
    }
    return old;
  }

  // Orders without a place, as waives are, and orders for a box come as often as they are wanted.
  samePlace(at) { return at && !this.choices.boxes.includes(at) ? this.rows.filter((row) => row.at === at) : []; }

  clear(unit) {
    const gone = new Set(this.rowsOf(unit.n));
    if (gone.size) this.write(this.rows.filter((row) => !gone.has(row)));
    this.say(interpolate(gettext("%(unit)s has no order now."), { unit: unit.words }, true));
  }

  back() {
    if (this.question && this.unit) this.question = null;
    else if (this.path.length) this.path = this.path.slice(0, this.path.length === 2 && this.choices.names(this.unit, this.path[0]) ? 0 : -1);
    else {
      const n = this.unit?.n ?? 0;
      this.unit = this.question = this.partner = null;
      this.show();
      this.guide.focusUnit(n);
      return;
    }
    this.show();
    this.guide.focusOption();
  }

  // -- from the map ------------------------------------------------------------------------------------------------

  // A province, or a unit, was pointed at; or the unit chosen was `led` there.
  fromMap({ unit, province, led = false }) {
    const { choices } = this;
    if (!choices) return undefined;
    if (this.root.querySelector(".seats [aria-busy=true]")) { // another desk is on its way, and the place is meant for it
      next = { unit, province, led };
      return undefined;
    }
    const other = choices.others.find((one) => one.n === unit);
    const at = province || (choices.unit(unit || -1) ?? other)?.at || this.unitsPlace(unit);
    const asked = this.question?.about ? this.question.options.filter((one) => one.unit.at === at) : [];
    if (asked.length) return asked.length > 1 ? this.ask(null, asked, this.question.words, this.question.about) : this.take(asked[0]);
    this.question = null;
    const options = this.meant(at), here = choices.at(at).filter((one) => one !== this.unit);
    if (options.length === 1 && (this.path.length || !here.length)) return this.take(options[0]);
    if (options.length) return this.ask(this.unit, [...options, ...here.map((one) => this.rather(one)), ...this.turns(at)]);
    if (led && this.unit.at !== at) return this.refuse(interpolate(gettext("%(unit)s cannot be ordered there."), { unit: this.unit.words }, true));
    if (this.unit?.n && this.unit.at === at && !here.length) return this.drop();
    const hit = here.find((one) => one.n === unit);
    if (hit && here.every((one) => sign(one))) return this.choose(hit);
    if (here.length > 1 || (here.length && this.unit?.at === at)) return this.open(at);
    if (here.length) return this.choose(here[0]);
    const elsewhere = other ?? choices.others.find((one) => one.at === at);
    if (elsewhere?.mine && !this.path.length) return this.turn(elsewhere);
    const help = elsewhere && !this.unit ? this.help(elsewhere) : [];
    if (help.length) return this.ask(null, help, interpolate(gettext("Which of your units helps %(unit)s of %(power)s?"), { unit: elsewhere.name, power: elsewhere.power }, true), elsewhere);
    const where = choices.units.length ? gettext("None of your units is there.") : gettext("There is nothing to order there.");
    return this.refuse(this.unit?.n ? interpolate(gettext("%(unit)s cannot be ordered there."), { unit: this.unit.words }, true) : where);
  }

  // What may be meant by a province: options, each a path of a unit with its words.
  meant(at) {
    const { choices, unit, path } = this, found = [];
    const add = (who, way, more = {}) => found.push({ ...this.option(who, way), ...more });
    if (unit) for (const way of choices.towards(unit, path, at)) for (const one of path.length ? [way] : choices.spread(unit, way, this.bound(at))) add(unit, one);
    if (unit?.n && !path.length) {
      for (const other of choices.at(at)) for (const way of other === unit ? [] : choices.helping(other, unit)) {
        for (const one of choices.spread(other, way, this.heading(unit))) add(other, one, { words: this.does(other, one), partner: way.at(-2) === "support" ? null : unit });
      }
      const mates = choices.mates(unit), [mate, root] = mates.find(([one]) => this.waits(one)) ?? mates[0] ?? [];
      if (mate) for (const way of choices.towards(mate, root, at)) if (choices.verb(mate, way) !== "support") add(mate, way, { words: this.does(mate, way) });
      const ways = unit.at === at ? choices.goalless(unit) : [];
      if (ways.some((way) => !choices.stays(way.at(-1)))) for (const way of ways) add(unit, way);
    }
    if (choices.orders && !unit?.n && !found.length && !path.length) for (const way of choices.towards(choices.whole, [], at)) add(choices.whole, way);
    return found;
  }

  // What one's own units can do for another power's.
  help(other) {
    const { choices } = this, ways = (unit) => choices.helping(unit, other).flatMap((way) => choices.spread(unit, way, ""));
    return choices.units.flatMap((unit) => ways(unit).map((way) => ({ unit, path: way, words: this.does(unit, way) })));
  }

  does(unit, path) { return `${unit.name}: ${this.choices.words(unit, path)}`; }

  option(unit, path) { return { unit, path, words: this.choices.words(unit, path) }; }

  rather(unit) { return { unit, words: interpolate(gettext("Order %(unit)s instead"), { unit: unit.name }, true) }; }

  // Where a unit is ordered to go, and where the one that stands at a place is.
  heading(unit) {
    for (const { text } of this.rowsOf(unit.n)) {
      const goal = this.choices.province(this.choices.pathOf(unit, text)?.at(-1));
      if (goal) return goal;
    }
    return "";
  }

  // Where the unit at a place goes, one's own or another power's that one orders as well.
  bound(at) {
    const other = this.choices.others.find((one) => one.at === at);
    return this.choices.at(at).map((one) => this.heading(one)).find(Boolean) ?? other?.goal ?? "";
  }

  // Ask which of several things is meant; `about` is another power's unit that the question is about.
  ask(unit, options, words = "", about = null) {
    this.question = { words: words || interpolate(gettext("Which order for %(unit)s?"), { unit: (unit?.n ? unit : this.choices.whole).name }, true), options, about };
    this.show();
    this.guide.focusOption();
    this.say(this.question.words);
  }

  // Units that lie together: which is meant?
  open(at) {
    const told = (unit) => `${unit.name}: ${this.ordered(unit)}`;
    const units = this.choices.at(at).map((unit) => ({ unit, get words() { return told(unit); } })); // as it stands whenever shown
    this.unit = null;
    this.path = [];
    return this.ask(null, units, gettext("Which unit?"));
  }

  drop() {
    this.unit = this.partner = null;
    this.path = [];
    this.say("");
    this.show();
  }

  // Another power's unit, where one orders for several: its desk takes this one's place, and the unit is chosen there.
  turn(other) {
    const link = [...this.root.querySelectorAll(".seats a")].find((one) => one.textContent === other.power);
    if (!link) return this.refuse(interpolate(gettext("There is nothing to order there for %(power)s."), { power: other.power }, true));
    if (link.ariaBusy) return undefined; // it is on its way
    link.ariaBusy = "true";
    document.body.addEventListener("htmx:afterRequest", () => { link.ariaBusy = null; }, { once: true });
    wanted = other.n;
    next = null;
    return link.click();
  }

  turns(at) {
    const other = this.path.length ? null : this.choices.others.find((one) => one.mine && one.at === at);
    return other ? [{ away: other, words: interpolate(gettext("Order the unit of %(power)s instead"), { power: other.power }, true) }] : [];
  }

  // The provinces that may be named by their codes.
  places() {
    const { choices, unit, path } = this, own = choices.units.map((one) => one.at);
    const { goals, helped } = choices.reach(unit ?? choices.whole, unit ? path : []);
    const others = unit ? [] : choices.others.filter((one) => one.mine || this.help(one).length).map((one) => one.at);
    return [...new Set([...own, ...goals, ...helped, ...others])];
  }

  unitsPlace(number) {
    if (!number) return "";
    const use = sign({ n: number });
    return use?.dataset.at ?? this.under(use);
  }

  // The province beneath a unit's sign.
  under(use) {
    if (!use) return "";
    const box = use.getBoundingClientRect();
    const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return stack.find((one) => one.dataset?.province)?.dataset.province ?? "";
  }

  // -- showing -----------------------------------------------------------------------------------------------------

  show() {
    if (!this.choices || !this.root.isConnected) return;
    this.guide.show();
    const { choices, unit, path } = this, about = this.question?.about, helpers = about ? this.question.options.map((one) => one.unit.at) : [];
    const goals = unit ? choices.goals(unit, path) : about ? helpers : this.sites();
    mark(goals, (unit ?? about)?.at ?? "", Boolean(unit || about));
    this.root.querySelector(".asked").hidden = choices.units.length > 0 && choices.kind === "movement"; // the line below says it
  }

  // Where the power may still build or remove, or bid: nowhere once as much is ordered as is due.
  sites() {
    const { choices, rows } = this, given = rows.filter((row) => choices.settles(row.verb));
    const bids = Object.keys(choices.again).filter((verb) => rows.filter((row) => row.verb === verb).length < choices.again[verb]);
    const open = bids.filter((verb) => choices.more[verb]).flatMap((verb) => choices.goals(choices.whole, [verb]));
    if (given.length < choices.due) open.push(...choices.goals(choices.whole, []).filter((place) => !given.some((row) => row.at === place)));
    return [...new Set(open)];
  }

  without(line) {
    const gone = this.rows.find((row) => row.text === line);
    this.write(this.rows.filter((row) => row !== gone));
    this.say(interpolate(gettext("%(order)s is taken back."), { order: line }, true));
  }
}
