// Turns a part of the page into a fresh one and leaves alone what is the same: somebody who types there keeps the focus,
// and a press of the mouse that began before still ends as a click, on the same thing or on nothing.
const CONTROL = "button, a, input, select, textarea", ROW = "[id], [data-key], [data-number], [data-unit], [data-line], a[href]";
const NAMES = ["id", "name", "value", "href", "data-key", "data-number", "data-unit", "data-clear", "data-line"];

const said = (node) => NAMES.map((name) => node.getAttribute(name) ?? "").join("");

// What tells buttons, fields, links and rows of one kind apart.
function key(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  if (node.matches(CONTROL)) return said(node) || node.textContent;
  const named = node.matches(ROW) ? node : node.querySelector(ROW);
  return named ? said(named) : "";
}

const alike = (one, other) => one.nodeName === other.nodeName && key(one) === key(other);
const holdsFocus = (node) => node.contains(document.activeElement);

function dropTo(node, end) {
  while (node !== end) {
    const next = node.nextSibling;
    node.remove();
    node = next;
  }
}

function setAttributes(old, fresh) {
  const own = (name) => name === "open" && old.matches("details"); // the reader has opened or closed it
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !own(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
}

function change(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
  setAttributes(old, fresh);
  let at = old.firstChild;
  for (const one of [...fresh.childNodes]) {
    let same = at;
    if (key(one)) while (same && !alike(same, one) && !holdsFocus(same)) same = same.nextSibling; // what has the focus stays where it is
    if (same && alike(same, one)) {
      dropTo(at, same);
      change(same, one);
      at = same.nextSibling;
    } else old.insertBefore(document.adoptNode(one), at);
  }
  dropTo(at, null);
}

// A control that has another meaning now is another control; it gets the focus of the one whose id it bears.
export function redraw(old, fresh) {
  const { id } = holdsFocus(old) ? document.activeElement : {};
  change(old, fresh);
  if (id && document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
}

// The element that a piece of HTML is.
export const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
