// What stands on the desk is stored by itself, and one line says at all times whether it is.
// Texts are compared, not events: the page says "saved" only of the very orders that the server has told it are stored.
// What is not stored is kept in this browser, comes back when the page does, and is stored as soon as that can be.
import { ask } from "../asking.js";
import { parsed, redraw } from "../redraw.js";
import { forgetLayers } from "./map.js";

export const CLICKED = 400, TYPED = 1200; // milliseconds after a change until it is stored
const LONGEST = 60000; // milliseconds between two attempts
const RESTORED = gettext("Your unsaved orders are back; saving them…");
const plain = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).join("\n");
const news = "BroadcastChannel" in window ? new BroadcastChannel("orders") : null;

function kept(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(key));
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* a browser that keeps nothing */ }
  return null;
}

export class Keeper {
  // `desk` has root, form, text, and is told of orders that come from elsewhere (`adopt`), of words (`say`), and that its
  // orders are saved (`catchUp`).
  constructor(desk) {
    this.desk = desk;
    this.root = desk.root;
    this.form = desk.form;
    this.text = desk.text;
    this.line = this.root.querySelector("#unsaved");
    this.key = `orders.${this.root.dataset.draft}`;
    this.stored = plain(this.root.dataset.stored);
    this.version = Number(this.form.elements.based_on.value);
    this.ready = this.root.querySelector("#standing").dataset.ready === "yes";
    this.sent = []; // texts of which it is not known whether they came to be stored
    this.wait = 1000;
    this.barred = ""; // why nothing is stored by itself: newer, over, refused, gone
    this.life = new AbortController();
    const on = (target, name, work) => target.addEventListener(name, work, { signal: this.life.signal, capture: target === document });
    on(this.form, "submit", (event) => this.submit(event));
    on(this.text, "blur", () => this.save());
    on(this.root, "click", (event) => this.choose(event));
    on(window, "pagehide", () => this.leave());
    on(window, "pageshow", (event) => event.persisted && this.refresh());
    on(window, "online", () => this.again());
    on(window, "focus", () => this.again());
    on(document, "visibilitychange", () => (document.hidden ? this.save() : this.again()));
    on(document, "table-changed", () => this.refresh());
    if (news) on(news, "message", ({ data }) => data === this.root.dataset.state && this.refresh());
    on(document, "submit", (event) => this.before(event));
  }

  get unsaved() { return plain(this.text.value) !== this.stored; }

  // -- what was kept in this browser -------------------------------------------------------------------------------

  begin() {
    const found = kept(this.key);
    if (found && plain(found.text) !== this.stored) {
      this.text.value = found.text;
      this.version = found.version;
      this.sent = found.sent ?? [];
      this.desk.say(gettext("Your unsaved orders are back."));
      this.show(RESTORED);
      this.changed(CLICKED);
    } else kept(this.key, null);
    this.tellOld();
    this.refresh(); // another window may have stored orders while this page was on its way, when nobody here listened
  }

  remember() { kept(this.key, this.unsaved ? { text: this.text.value, version: this.version, sent: this.sent.slice(-5) } : null); }

  // Orders for a phase that is over, which never came to be stored: shown once more, until they are put away.
  tellOld() {
    const [user, table, ordinal, ...power] = this.root.dataset.draft.split(".");
    let keys = [];
    try { keys = Object.keys(localStorage); } catch { return; }
    for (const key of keys) {
      const [, one, two, three, ...whose] = key.split(".");
      if (!key.startsWith("orders.") || one !== user || two !== table || whose.join(".") !== power.join(".") || Number(three) >= Number(ordinal)) continue;
      const note = document.createElement("div"), words = document.createElement("p"), text = document.createElement("pre"), away = document.createElement("button");
      note.className = "note warn";
      words.textContent = gettext("You wrote these orders for a phase that is over by now. They were never saved:");
      text.textContent = kept(key)?.text ?? "";
      away.type = "button";
      away.className = "plain small";
      away.textContent = gettext("Delete them");
      away.addEventListener("click", () => { kept(key, null); note.remove(); });
      note.append(words, text, away);
      this.root.querySelector("#notice").append(note);
    }
  }

  // -- storing -----------------------------------------------------------------------------------------------------

  // The text has changed: it is stored after a pause.
  changed(pause) {
    clearTimeout(this.timer);
    this.remember();
    if (!this.unsaved && !this.busy) return this.show();
    if (this.barred === "refused") this.barred = "";
    if (this.barred) return undefined;
    this.show(this.line.textContent === RESTORED ? RESTORED : gettext("Not saved yet…"));
    this.timer = setTimeout(() => this.save(), pause);
    return undefined;
  }

  // Store what stands there, with what is said besides (`ready`); true when it is stored.
  async save(more = null) {
    clearTimeout(this.timer);
    while (this.busy) await this.busy;
    if (!more && (!this.unsaved || this.barred)) return !this.unsaved;
    if (this.barred === "over") return false;
    this.busy = this.send(more ?? {});
    let done = false;
    try { done = await this.busy; } finally { this.busy = null; }
    if (done && this.unsaved) this.changed(CLICKED);
    return done && !this.unsaved;
  }

  data(more) {
    const data = new FormData(this.form);
    data.set("based_on", this.version);
    for (const [name, value] of Object.entries(more)) data.set(name, value);
    return data;
  }

  async send(more) {
    const text = this.text.value;
    this.sent.push(plain(text));
    this.remember();
    this.show(gettext("Saving…"));
    const found = await this.ask(this.form.action, { method: "POST", body: this.data(more) });
    if (found.status === 200) return this.took(found.body, text);
    if (found.body?.stored && this.sent.includes(plain(found.body.stored.text))) { // it was this window's own
      this.stored = plain(found.body.stored.text);
      this.version = found.body.stored.version;
      return this.send(more);
    }
    this.refused(found);
    return false;
  }

  // Ask the server; status 0 when there is no answer.  A page older than its token gets a new one.
  async ask(address, options = {}, again = true) {
    let status = 0, body = null;
    try {
      const answer = await ask(address, { headers: { Accept: "application/json" }, ...options });
      status = answer.status;
      if (answer.headers.get("Content-Type")?.startsWith("application/json")) body = await answer.json();
      else if (status === 200) status = 502; // somebody else's page, such as a network's sign-in
    } catch { /* no connection, or none in time */ }
    if (status === 403 && !body && options.body && again) {
      const fresh = await this.ask(this.root.dataset.state, {}, false);
      if (!fresh.body?.token) return fresh;
      for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = fresh.body.token;
      options.body.set("csrfmiddlewaretoken", fresh.body.token);
      return this.ask(address, options, false);
    }
    return { status, body };
  }

  // The server has told what is stored now; `text` is what was sent, if that was this window's.
  took(body, text = null) {
    this.stored = plain(body.text);
    this.version = body.version;
    this.ready = body.ready;
    this.form.elements.based_on.value = body.version;
    this.sent = [];
    this.wait = 1000;
    this.barred = "";
    if (text !== null && plain(this.text.value) === plain(text) && this.unsaved) this.desk.adopt(body.text); // read as other lines
    this.remember();
    this.root.querySelector("#notice").replaceChildren();
    this.stand(body);
    forgetLayers();
    this.show();
    if (text !== null) news?.postMessage(this.root.dataset.state);
    return true;
  }

  // Put in the parts of the page that tell of the stored set; a button that has the focus and is gone gives it to "Save".
  stand(body) {
    const stands = this.root.querySelector("#stands"), after = this.root.querySelector("#receipt-place");
    const focused = stands.contains(document.activeElement) || after.contains(document.activeElement);
    for (const [place, part] of [[stands, body.stands], [after, body.receipt]]) {
      const fresh = place.cloneNode(false);
      fresh.innerHTML = part;
      redraw(place, fresh);
    }
    if (focused && document.activeElement === document.body) stands.querySelector("#save").focus({ preventScroll: true });
    for (const [id, part] of [["powers", body.powers], ["due", body.clock]]) {
      const old = document.getElementById(id);
      if (old && this.root.isConnected) redraw(old, parsed(part));
    }
    this.desk.stood();
    document.dispatchEvent(new CustomEvent("table-shown"));
  }

  refused({ status, body }) {
    const what = body?.error ? `${body.error}${body.hint ? ` (${body.hint})` : ""}` : "";
    if (status === 401) return this.bar("gone", gettext("Not saved: you are signed out. Your orders stay on this page."), body?.sign_in, gettext("Sign in again"));
    if (status === 0) return this.later(navigator.onLine === false ? gettext("you are offline") : gettext("the site does not answer"));
    if (status === 429) return this.later(gettext("you have sent too much in a short time"));
    if (status >= 500) return this.later(gettext("something is wrong with the site at the moment"));
    if (body?.code === "processing") return this.later(gettext("the phase is being adjudicated right now"));
    if (body?.notice) {
      this.root.querySelector("#notice").innerHTML = body.notice;
      document.dispatchEvent(new CustomEvent("table-shown"));
      const over = body.code !== "newer";
      return this.bar(over ? "over" : "newer", over ? this.overWords() : gettext("Not saved: other orders were saved meanwhile. Choose which to keep."));
    }
    if (body?.code === "closed") return this.bar("over", this.unsaved ? interpolate(gettext("Not saved: %(why)s"), { why: what }, true) : what);
    if (status === 403 && !body) return this.bar("refused", gettext("Not saved: your browser did not send its cookie. Load the page again; your orders will still be here."), location.href, gettext("Load it again"));
    return this.bar(status === 403 || status === 404 ? "gone" : "refused", interpolate(gettext("Not saved: %(why)s"), { why: what || gettext("this game is no longer open to you.") }, true));
  }

  overWords() { return this.unsaved ? gettext("The phase is over. What stands here was not saved, and is not part of the results.") : gettext("The phase is over."); }

  // It cannot be stored as things stand.
  bar(why, words, address = "", link = "") {
    this.barred = why;
    this.show(words, address, link);
    if (why === "gone") { // perhaps the reader signs in again elsewhere
      clearTimeout(this.check);
      this.check = setTimeout(() => this.again(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST);
    }
    for (const button of this.root.querySelectorAll("#stands button[name], #hold, #save")) button.disabled = why === "over";
  }

  // It could not be stored just now; each attempt comes later than the one before.
  later(why) {
    clearTimeout(this.timer);
    if (!this.unsaved) { // the orders are stored; a wish was not heard
      this.show(interpolate(gettext("Not done: %(why)s. Please press the button again."), { why }, true));
      return;
    }
    this.show(interpolate(gettext("Not saved: %(why)s. Trying again…"), { why }, true));
    this.timer = setTimeout(() => this.save(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST);
  }

  // The one line: what hinders or is under way; without words, the line of the stored set, if that is what stands here.
  show(words = "", address = "", link = "") {
    const hidden = !words && !this.unsaved && !this.barred;
    if (!hidden) {
      if (words) this.line.replaceChildren(words);
      if (address) {
        const to = document.createElement("a");
        to.href = address;
        to.textContent = link;
        this.line.append(" ", to);
      }
    } else this.line.replaceChildren();
    if (hidden) this.desk.catchUp();
    this.line.hidden = hidden;
    this.root.classList.toggle("unsaved", !hidden);
    this.root.toggleAttribute("data-unsaved", this.unsaved); // for whoever would load the page again
  }

  // -- what happens elsewhere --------------------------------------------------------------------------------------

  // Something was stored, or the phase is over: see what stands now.
  async refresh() {
    while (this.busy) await this.busy;
    if (this.barred === "over") return undefined;
    const { version } = this;
    const { status, body } = await this.ask(this.root.dataset.state);
    if (this.busy || !this.root.isConnected) return undefined;
    if (this.version !== version) return this.refresh(); // the answer may be from before what was stored meanwhile
    if (status === 0 || status >= 500) { // what was stored elsewhere must not be missed
      clearTimeout(this.check);
      this.check = setTimeout(() => this.refresh(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST);
      return undefined;
    }
    if (status !== 200) return this.refused({ status, body });
    if (this.barred === "gone") this.barred = "";
    const theirs = plain(body.text);
    if (body.version === this.version && body.ready === this.ready) return this.changed(CLICKED);
    if (body.version === this.version || theirs === plain(this.text.value)) return this.took(body);
    if (this.unsaved) return this.save({}); // the server tells the two apart
    this.stored = theirs;
    this.desk.adopt(body.text);
    this.took(body);
    this.desk.say(gettext("Orders saved elsewhere are shown now."));
    return undefined;
  }

  // The reader or the connection is back, perhaps after signing in or saving elsewhere.
  again() {
    if (!this.barred || this.barred === "gone") this.refresh().then(() => this.save());
  }

  // Other forms of the page, such as the sandbox's, wait until the orders are stored.
  async before(event) {
    if (event.target === this.form || event.target.method !== "post" || !(this.unsaved || this.busy) || this.barred) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const made = await this.save(); // and the buttons beside the orders are others now
    if (made) event.target.requestSubmit(event.submitter?.isConnected ? event.submitter : null);
  }

  // The page is left: what is not stored goes on its way, and stays in this browser too.
  leave() {
    this.remember();
    if (!this.unsaved || this.barred) return;
    this.sent.push(plain(this.text.value));
    this.remember();
    fetch(this.form.action, { method: "POST", body: this.data({}), keepalive: true, credentials: "same-origin", headers: { Accept: "application/json" } }).catch(() => {});
  }

  end() {
    this.life.abort();
    this.save();
  }

  // -- buttons -----------------------------------------------------------------------------------------------------

  async submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button?.dataset.take) return;
    if (this.barred === "newer") { this.line.scrollIntoView({ block: "nearest" }); return; }
    if (button?.name === "hold") {
      if (!(await this.save())) return;
      const found = await this.ask(button.formAction, { method: "POST", body: this.data({ hold: button.value }) });
      if (found.status === 200) this.took(found.body);
      else this.refused(found);
      return;
    }
    while (this.busy) await this.busy;
    const more = ["ready", "drop"].includes(button?.name) ? { [button.name]: button.value } : this.unsaved || !this.version ? {} : null;
    await this.save(more);
    if (!this.unsaved && !this.barred) this.desk.say(this.root.querySelector("#standing").textContent);
    this.root.querySelector("#all-the-same")?.focus();
  }

  async choose(event) {
    const take = event.target.closest("[data-take]")?.dataset.take;
    if (!take) return;
    event.preventDefault();
    this.barred = "";
    const { status, body } = await this.ask(this.root.dataset.state);
    if (status !== 200) { this.refused({ status, body }); return; }
    if (take === "theirs") {
      this.stored = plain(body.text);
      this.desk.adopt(body.text);
      this.took(body);
    } else {
      this.root.querySelector("#notice").replaceChildren();
      this.version = body.version;
      this.stored = plain(body.text);
      await this.save({});
    }
  }
}
