// Hears that something has changed at a table, and shows it: parts of the page marked data-live-part are fetched anew,
// other pages are told by the event "table-changed".  A page that does neither, or that shows a phase (data-phase) which
// is over by now, offers to be loaded again: what somebody has written in it is never taken away.
const live = document.querySelector("[data-live]");
const SLOW = 15000, TURN = 1000; // a phase that is due now is asked for each second
let version = "";

function tell(words) {
  const said = live.querySelector("[role=status]");
  if (words) said.firstElementChild.textContent = words;
  said.hidden = false;
}

// Is whoever looks ready, and has written nothing that is not sent?  Then the next phase comes by itself.
function settled() {
  const fields = document.querySelectorAll("textarea:not(#text), input[type=text]"); // the desk speaks for its own
  const written = [...fields].some((field) => field.value !== field.defaultValue);
  return Boolean(document.querySelector("[data-settled]")) && !written && !document.querySelector(".desk.unsaved");
}

async function changed(next) {
  if (next === version) return;
  const first = version === "";
  version = next;
  if (first) return;
  const asked = new CustomEvent("table-changed", { cancelable: true, detail: { version } });
  if (!document.dispatchEvent(asked)) return;
  const parts = [...document.querySelectorAll("[data-live-part][id]")], phase = document.querySelector("[data-phase]");
  if (!parts.length) { tell(); return; }
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) { // a desk that somebody writes at says itself what is the matter
    if (!document.querySelector(".desk")) location.reload();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelector("[data-phase]");
  if (phase && phase.dataset.phase !== now?.dataset.phase) {
    if (settled()) location.reload();
    else tell(now ? now.dataset.told : "");
    return;
  }
  for (const part of parts) {
    const fresh = page.getElementById(part.id);
    if (fresh && !part.contains(document.activeElement)) part.replaceWith(document.adoptNode(fresh));
  }
  document.dispatchEvent(new CustomEvent("table-shown"));
}

let waited = SLOW;

async function poll() {
  waited += TURN;
  if ((waited >= SLOW || document.querySelector("[data-soon]")) && document.visibilityState === "visible") {
    waited = 0;
    try {
      const answer = await fetch(live.dataset.poll);
      if (answer.status === 404) return;
      if (answer.ok) await changed((await answer.json()).version);
    } catch { /* the network is away; it comes back */ }
  }
  setTimeout(poll, TURN);
}

if (live && "EventSource" in window) {
  const source = new EventSource(live.dataset.live);
  source.addEventListener("changed", (event) => changed(event.data));
  source.addEventListener("gone", () => { version ||= "gone"; changed("gone again"); });
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) poll(); });
  addEventListener("pagehide", () => source.close());
} else if (live) {
  poll();
}
