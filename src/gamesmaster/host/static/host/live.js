// Hears that something has changed at a table, and shows it: parts of the page marked data-live-part are fetched anew,
// other pages are told by the event "table-changed".  A page that does neither, or that shows a phase (data-phase) which
// is over by now, offers to be loaded again: what somebody has written in it is never taken away.
import { ask } from "./asking.js";
import { redraw } from "./redraw.js";

const live = document.querySelector("[data-live]");
const SLOW = 15000, TURN = 1000; // a phase that is due now is asked for each second
let version = live?.dataset.version; // what the page shows: news may come before anybody here listens
let newest = version, showing = false;
let reads = 0; // how often messages were read here: what was asked for before that calls them new

document.addEventListener("messages-read", () => { reads += 1; });

function tell(words) {
  const said = live.querySelector("[role=status]");
  if (words) said.firstElementChild.textContent = words;
  said.hidden = false;
}

// Is whoever looks ready, and has written nothing that is not sent?  Then the next phase comes by itself.
function settled() {
  const fields = document.querySelectorAll("textarea:not(#text), input[type=text]"); // the desk speaks for its own
  const written = [...fields].some((field) => field.value !== field.defaultValue);
  return Boolean(document.querySelector("[data-settled]")) && !written && !document.querySelector(".desk[data-unsaved]");
}

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

// The table is at this version: the page comes to show it, after a while if that cannot be had just now.
async function changed(next) {
  newest = next;
  if (showing) return;
  showing = true;
  for (let wait = TURN; newest !== version; wait = Math.min(2 * wait, SLOW)) {
    const now = newest;
    if (await show(now).catch(() => false)) version = now;
    else await pause(wait);
  }
  showing = false;
}

// Show how the table stands now; false if the site does not answer, is in trouble, or answers what is no longer so.
async function show(now) {
  const asked = new CustomEvent("table-changed", { cancelable: true, detail: { version: now } });
  if (!document.dispatchEvent(asked)) return true;
  const parts = [...document.querySelectorAll("[data-live-part][id]")], phase = document.querySelector("[data-phase]");
  if (!parts.length) { tell(); return true; }
  const before = reads;
  const answer = await ask(location.href, { headers: { Accept: "text/html" } });
  if (answer.status === 429 || answer.status >= 500) return false;
  if (!answer.ok) { // a desk that somebody writes at says itself what is the matter
    if (!document.querySelector(".desk")) location.reload();
    return true;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (before !== reads) return false;
  const then = page.querySelector("[data-phase]");
  if (phase && phase.dataset.phase !== then?.dataset.phase) {
    if (settled()) location.reload();
    else tell(then ? then.dataset.told : "");
    return true;
  }
  for (const part of parts) {
    const fresh = page.getElementById(part.id);
    if (fresh) redraw(part, fresh);
  }
  document.dispatchEvent(new CustomEvent("table-shown"));
  return true;
}

let waited = SLOW;

async function poll() {
  waited += TURN;
  if ((waited >= SLOW || document.querySelector("[data-soon]")) && document.visibilityState === "visible") {
    waited = 0;
    try {
      const answer = await ask(live.dataset.poll);
      if (answer.status === 404) return;
      if (answer.ok) await changed((await answer.json()).version);
    } catch { /* the network is away; it comes back */ }
  }
  setTimeout(poll, TURN);
}

function listen() {
  const source = new EventSource(live.dataset.live);
  source.addEventListener("changed", (event) => changed(event.data));
  source.addEventListener("gone", () => changed("gone"));
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) poll(); });
  addEventListener("pagehide", () => source.close(), { once: true });
}

if (live && "EventSource" in window) {
  listen();
  addEventListener("pageshow", (event) => event.persisted && listen()); // somebody has come back to the page
} else if (live) {
  poll();
}
