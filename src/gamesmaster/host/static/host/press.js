// Press, on a page of its own and beside the board: messages count as read when they have been seen, what is being
// written is kept in this browser until it is sent, and beside the board nobody leaves it to read or to write.
import { ask } from "./asking.js";
import { redraw } from "./redraw.js";

const DWELL = 1000; // milliseconds for which the end of a message is in view until it counts as seen
const json = { Accept: "application/json" }, html = { Accept: "text/html" };
const TOKEN = "csrfmiddlewaretoken";
const token = (page = document) => page.querySelector(`input[name=${TOKEN}]`)?.value ?? "";

// Post; after somebody has signed in again elsewhere, with the new token, unless that is somebody else.
async function post(address, body, headers = json) {
  const send = () => ask(address, { method: "POST", body, headers }).catch(() => null), answer = await send();
  if (answer?.status !== 403 || !(await renew())) return answer;
  body.set(TOKEN, token());
  return send();
}

async function renew() {
  const form = document.getElementById("write"), address = form && new URL(form.action);
  const found = await ask(side ? `${side.dataset.address}${address?.search ?? ""}` : location.href, { headers: html }).catch(() => null);
  if (!form || !found?.ok) return false;
  const page = new DOMParser().parseFromString(await found.text(), "text/html"), fresh = page.getElementById("write");
  if (!fresh || fresh.dataset.user !== form.dataset.user) return false;
  for (const field of document.querySelectorAll(`input[name=${TOKEN}]`)) field.value = token(fresh);
  return true;
}

// -- seen ---------------------------------------------------------------------------------------------------------------

const inView = new Map(); // message whose end is in view -> the timer that runs for it in a visible tab
const seen = new WeakSet();

const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const letter = target.closest("[data-unread]");
    clearTimeout(inView.get(letter));
    inView.delete(letter);
    if (isIntersecting && letter) inView.set(letter, waited(letter));
  }
});

const waited = (letter) => (document.hidden ? 0 : setTimeout(() => { seen.add(letter); told(letter.closest("[data-read]")); }, DWELL));

document.addEventListener("visibilitychange", () => {
  for (const [letter, timer] of inView) {
    clearTimeout(timer);
    inView.set(letter, waited(letter));
  }
});

// A thread is read up to a message: what lies before the first one that was not seen counts.
async function told(letters) {
  if (!letters?.isConnected) return;
  const unread = [...letters.querySelectorAll("[data-unread]")], end = unread.findIndex((letter) => !seen.has(letter));
  const read = end < 0 ? unread : unread.slice(0, end);
  if (!read.length) return;
  const body = new URLSearchParams({ with: letters.dataset.with, upto: read.at(-1).dataset.number, [TOKEN]: token() });
  for (const letter of read) letter.removeAttribute("data-unread");
  const answer = await post(letters.dataset.read, body);
  if (answer?.ok) count(await answer.json());
}

// How much is new, everywhere on the page.
function count({ all, threads }) {
  const put = (tag, words) => { if (words) tag.textContent = words; else tag.remove(); };
  for (const tag of document.querySelectorAll("[data-new-all]")) put(tag, all);
  for (const tag of document.querySelectorAll("[data-new-in]")) put(tag, threads[tag.dataset.newIn]);
  if (!all) for (const form of document.querySelectorAll("[data-read-all]")) form.remove();
  document.dispatchEvent(new CustomEvent("messages-read"));
}

// -- drafts ---------------------------------------------------------------------------------------------------------------

const plain = (text) => text.replace(/\s+/g, " ").trim();
const drafts = {
  get(key) { try { return JSON.parse(localStorage.getItem(`letter.${key}`)); } catch { return null; } },
  put(key, draft) {
    try {
      if (draft) localStorage.setItem(`letter.${key}`, JSON.stringify(draft));
      else localStorage.removeItem(`letter.${key}`);
    } catch { /* a browser that keeps nothing */ }
  },
};

// What was being written comes back, unless it is among the messages that were sent.
function keepDraft(form) {
  if (!form || form.dataset.kept) return;
  form.dataset.kept = "yes";
  const text = form.elements.text, key = form.dataset.draft, draft = drafts.get(key);
  const to = () => [...form.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);
  if (draft && !text.value) {
    text.value = draft.text;
    for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = draft.to.includes(box.value);
  }
  form.addEventListener("input", () => drafts.put(key, plain(text.value) ? { text: text.value, to: to() } : null));
}

// The button says who will read the message; to all is said to nobody else.
function nameAddressees(form) {
  const boxes = [...form?.querySelectorAll(".addressees input") ?? []], button = form?.querySelector("#send");
  if (!boxes.length) return;
  const say = () => {
    const names = boxes.filter((box) => box.checked).map((box) => box.value);
    if (names.includes("all")) button.textContent = gettext("Send to all");
    else button.textContent = names.length ? interpolate(gettext("Send to %(names)s"), { names: names.join(", ") }, true) : gettext("Send");
  };
  form.addEventListener("change", ({ target }) => {
    if (boxes.includes(target) && target.checked) for (const box of boxes) if ((box.value === "all") !== (target.value === "all")) box.checked = false;
    say();
  });
  say();
}

function dropSent() {
  const sent = new Set([...document.querySelectorAll("#letters .own .text")].map((text) => plain(text.textContent)));
  let keys = [];
  try { keys = Object.keys(localStorage).filter((key) => key.startsWith("letter.")).map((key) => key.slice(7)); } catch { return; }
  for (const key of keys) if (sent.has(plain(drafts.get(key)?.text ?? ""))) drafts.put(key, null);
}

function wire() {
  for (const end of document.querySelectorAll("#letters [data-unread] .end")) watch.observe(end);
  dropSent();
  const form = document.getElementById("write");
  keepDraft(form);
  nameAddressees(form);
}

// -- beside the board -----------------------------------------------------------------------------------------------------

const side = document.getElementById("side-press");
const chosen = `side.${side?.dataset.address}`;
let query = ""; // the thread that is open, as the address has it
let asked = 0;

// Of pages that were asked for only the last counts; but whatever was asked since, what was sent is sent, and its answer says so.
async function load(next = query, body = null) {
  const number = ++asked, address = `${side.dataset.address}${next}`;
  const answer = await (body ? post(address, body, html) : ask(address, { headers: html }).catch(() => null));
  if ((number !== asked && !body) || !answer || !(answer.ok || (body && [403, 404, 409].includes(answer.status)))) return null;
  return { status: answer.status, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

function show({ page }) {
  side.replaceChildren(...[...page.body.childNodes].map((node) => document.adoptNode(node)));
  const letters = document.getElementById("letters");
  if (letters) query = `?with=${encodeURIComponent(letters.dataset.with)}`;
  wire();
  document.dispatchEvent(new CustomEvent("table-shown"));
  const first = side.querySelector("[data-unread]") ?? side.querySelector("#last");
  first?.scrollIntoView({ block: "nearest" });
}

let opening; // what somebody opened last, until it is shown
const open = (next = query) => { opening = opened(next); };

async function opened(next) {
  const found = await load(next);
  if (found) show(found);
  else if (!side.childNodes.length) location.assign(side.dataset.address.replace(/beside$/, ""));
}

// Something has come: what is being written stays as it is, and what somebody opens is shown first.
async function refresh() {
  for (let last = null; last !== opening; await last) last = opening;
  const old = document.getElementById("letters"), found = await load();
  if (!found) return;
  const fresh = found.page.getElementById("letters");
  if (!side.childNodes.length || (old && !side.contains(old))) return show(found);
  if (fresh && old && old.dataset.with === fresh.dataset.with) {
    const numbered = (letters, more = "") => [...letters.querySelectorAll(`.letter[data-number]${more}`)];
    const known = Number(numbered(old).at(-1)?.dataset.number ?? 0); // what is there stays, with what was seen of it
    for (const one of numbered(fresh, "[data-struck]")) old.querySelector(`.letter[data-number="${one.dataset.number}"]:not([data-struck])`)?.replaceWith(document.adoptNode(one));
    for (const one of numbered(fresh)) if (Number(one.dataset.number) > known) old.querySelector("#held").before(document.adoptNode(one));
    redraw(old.querySelector("#held"), fresh.querySelector("#held"));
    for (const none of old.querySelectorAll(":scope > .none")) none.hidden = Boolean(old.querySelector(".letter"));
  }
  const threads = found.page.getElementById("threads");
  if (threads) redraw(side.querySelector("#threads"), threads);
  wire();
  document.dispatchEvent(new CustomEvent("table-shown"));
  return undefined;
}

const isOpen = () => document.querySelector(".desk-side")?.dataset.side === "press";

function choose(name) {
  document.querySelector(".desk-side").dataset.side = name;
  for (const tab of document.querySelectorAll(".side-tabs [role=tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.side === name));
    tab.tabIndex = tab.dataset.side === name ? 0 : -1;
  }
  try { sessionStorage.setItem(chosen, name); } catch { /* a browser that keeps nothing */ }
  if (name === "press") open();
}

async function send(form, button) {
  const data = new FormData(form, button);
  button.disabled = true;
  const found = await load(new URL(form.action).search, data);
  button.disabled = false;
  if (!found) return said(form.dataset.failed);
  if (found.status === 403 || found.status === 404) return said(form.dataset.stale);
  if (found.status === 200) drafts.put(form.dataset.draft, null);
  show(found);
  (side.querySelector("[role=alert]") ?? side.querySelector("#last"))?.scrollIntoView({ block: "nearest" });
  side.querySelector("#letter")?.focus({ preventScroll: true });
  return undefined;
}

// A message could not be sent; it still stands there.
function said(words) {
  const note = side.querySelector("[role=alert]") ?? document.createElement("p");
  note.className = "note error";
  note.setAttribute("role", "alert");
  note.textContent = words;
  side.querySelector("#write").prepend(note);
}

if (side) {
  const tabs = document.querySelector(".side-tabs");
  tabs.hidden = false;
  document.body.classList.add("sided");
  tabs.addEventListener("click", (event) => choose(event.target.closest("[role=tab]")?.dataset.side ?? "orders"));
  tabs.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs.querySelector("[aria-selected=false]");
    event.preventDefault();
    choose(other.dataset.side);
    other.focus();
  });
  side.addEventListener("click", (event) => {
    const link = event.target.closest("[data-open]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.dataset.open);
  });
  side.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.id === "write" || event.target.matches(".change")) send(event.target, event.submitter);
    else all(event.target, event.submitter);
  });
  document.addEventListener("table-changed", () => isOpen() && refresh());
  let last = "";
  try { last = sessionStorage.getItem(chosen); } catch { /* a browser that keeps nothing */ }
  if (last === "press") choose("press");
} else document.addEventListener("table-shown", wire);

async function all(form, button) {
  const answer = await post(form.action, new FormData(form, button));
  if (!answer?.ok) return;
  count(await answer.json());
  open();
}

wire();
