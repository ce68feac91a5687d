// Typing an order: what is typed is completed, in the player's own dialect, by keyboard alone.
// A combobox (ARIA): the field keeps the focus, arrow keys go through the list, Tab or Enter take what is marked.
import { ask } from "../asking.js";
import { make } from "./guide.js";

const WAIT = 120; // milliseconds after a key until the server is asked

export class Typing {
  // `desk` has the form, and takes the orders that are typed.
  constructor(desk, root) {
    this.desk = desk;
    this.root = root;
    this.field = root.querySelector("input");
    this.list = root.querySelector("[role=listbox]");
    this.told = root.querySelector("[role=status]");
    this.ways = [];
    this.marked = -1;
    this.like = ""; // the dialect of what was typed last
    this.asked = 0; // how often the server has been asked, so that late answers are known
    this.field.addEventListener("input", () => this.changed());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take(this.ways[Number(option.dataset.way)]);
    });
  }

  // -- asking ------------------------------------------------------------------------------------------------------

  changed() {
    clearTimeout(this.timer);
    this.say("");
    if (!this.field.value.trim()) this.close();
    else this.timer = setTimeout(() => this.ask(), WAIT);
  }

  async ask() {
    const number = ++this.asked, address = new URL(this.desk.root.dataset.completions, location.href);
    address.searchParams.set("text", this.field.value);
    address.searchParams.set("like", this.like);
    let found;
    try {
      const answer = await ask(address, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      found = await answer.json();
    } catch {
      return; // what is typed can be entered all the same
    }
    if (number !== this.asked || document.activeElement !== this.field) return;
    if (found.ways.length) this.like = found.dialect;
    this.show(found);
  }

  // -- the list ----------------------------------------------------------------------------------------------------

  show({ ways, title, dialect }) {
    this.ways = ways;
    this.list.replaceChildren(...ways.map((way, number) => this.option(way, number, dialect)));
    this.list.hidden = !ways.length;
    this.field.setAttribute("aria-expanded", String(ways.length > 0));
    this.mark(-1);
    if (this.list.getBoundingClientRect().bottom > innerHeight) this.root.scrollIntoView({ block: "start" });
    const number = ways.length;
    this.say(number ? interpolate(ngettext("%(number)s suggestion (%(title)s)", "%(number)s suggestions (%(title)s)", number), { number, title }, true) : gettext("None of your possible orders begins like that."));
  }

  option(way, number, dialect) {
    const option = make("li", "", { role: "option", id: `order-way-${number}`, "data-way": number, "aria-selected": "false" });
    option.append(make("span", way.order ? way.text : `${way.text.trimEnd()}\u00a0\u2026`));
    if (way.order && dialect !== "house") option.append(make("small", way.order));
    return option;
  }

  mark(number) {
    this.marked = number;
    for (const [at, option] of [...this.list.children].entries()) option.setAttribute("aria-selected", String(at === number));
    const option = this.list.children[number];
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  get open() { return !this.list.hidden; }

  close() {
    clearTimeout(this.timer);
    this.asked += 1; // an answer that is on its way comes too late
    this.ways = [];
    this.list.hidden = true;
    this.list.replaceChildren();
    this.field.setAttribute("aria-expanded", "false");
    this.mark(-1);
  }

  say(words) { this.told.textContent = words; }

  // -- keys --------------------------------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { ways, marked, open } = this, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (open) this.mark(marked < 0 && step < 0 ? ways.length - 1 : (marked + step + ways.length) % ways.length);
      else this.ask();
    } else if (event.key === "Tab" && open && !event.shiftKey) {
      event.preventDefault();
      this.take(ways[Math.max(marked, 0)]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (open && marked >= 0) this.take(ways[marked]);
      else this.enter(this.field.value);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      this.close();
      this.say("");
    }
  }

  // A whole order is entered, in the house style, in which the desk has them all; any other way leads on.
  take(way) {
    this.field.value = way.text;
    if (way.order) return this.enter(way.order);
    return this.ask();
  }

  // Give the order that is typed; what is none stays in the field, with the reason and the nearest order.
  async enter(text) {
    if (!text.trim()) return;
    this.close();
    const data = new FormData(this.desk.form);
    data.set("text", text);
    let found;
    try {
      const answer = await ask(this.desk.root.dataset.preview, { method: "POST", body: data });
      found = await answer.json();
    } catch {
      this.say(gettext("The site does not answer. What you typed is still here."));
      return;
    }
    const wrong = found.error ? [[found.error, found.hint && `(${found.hint})`].filter(Boolean).join(" ")] : found.refused.map((no) => no.told);
    if (wrong.length || !found.rows.length) {
      this.field.setAttribute("aria-invalid", "true");
      this.say(wrong.join("; ") || gettext("This is not an order."));
      return;
    }
    this.field.removeAttribute("aria-invalid");
    this.field.value = "";
    const left = await this.desk.typed(found.rows);
    this.say([...found.rows.map((row) => row.fault && `${row.text}: ${row.fault}` || row.read_as || row.text), left].join(". "));
  }
}
