// How pages ask the site: an answer that does not come in time counts as none, and the page says what it lacks meanwhile.
export const FIRST = 1000, LONGEST = 60000; // milliseconds until what could not be had is asked for again
const PATIENCE = 10000, READING = 60000; // milliseconds until an answer must begin, and until it must have been read

export async function ask(address, options = {}) {
  const stop = new AbortController(), late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    return await fetch(address, { signal: stop.signal, ...options });
  } finally {
    clearTimeout(late);
    setTimeout(() => stop.abort(), READING);
  }
}

// Say what the page lacks, with a button that asks for it at once (`again`); `place` puts the note into the page.
export function lack(id, words, again, place) {
  if (document.getElementById(`lack-${id}`)) return;
  const note = document.createElement("p"), button = document.createElement("button");
  note.id = `lack-${id}`;
  note.className = "note warn lack";
  note.setAttribute("role", "status");
  button.type = "button";
  button.className = "plain small";
  button.textContent = gettext("Try again now");
  button.addEventListener("click", () => { note.remove(); again(); });
  note.append(words, " ", button);
  place(note);
}

// The page lacks it no longer.
export function found(id) { document.getElementById(`lack-${id}`)?.remove(); }
