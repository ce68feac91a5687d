// What stands on the map is large enough to be read, at every size at which the map is shown: signs and texts that would
// be smaller grow about their middle.  Signs that would cover each other move apart; codes give way to signs, and one
// without any room is not shown until somebody zooms in.
export const TEXT = 8; // pixels
const SIGN = 20;
const SIDE = 100, LETTER = 0.355; // of a sign, in its own units; from the base of a text to its middle, in sizes of its font
const APART = 0.75, ASTRAY = 0.4; // of a sign's side: how near two signs may be, and how far one may leave its place
const ROUNDS = 6; // in which signs move apart
const PLACED = /translate\((\S+) (\S+)\)scale\((\S+?)\)(.*)/;
const own = new WeakMap(); // element -> what its attributes said before it grew

const kept = (element, read) => own.get(element) ?? own.set(element, read()).get(element);
const size = (text) => Number(text.getAttribute("font-size"));
const within = (low, value, high) => Math.min(high, Math.max(low, value));

// The smallest text of a sign, as a share of its side.
function letter(sign) {
  const drawn = sign.matches("use") ? sign.ownerDocument.querySelector(sign.getAttribute("href")) : sign;
  const inner = drawn?.querySelector("text") ?? drawn?.querySelector("use");
  return !inner ? 1 : inner.matches("use") ? letter(inner) : size(inner) / SIDE;
}

// A sign at the size at which it can be read, with how much it has grown.
function grown(sign, pixel) {
  const was = kept(sign, () => {
    const [, x, y, scale, more] = sign.getAttribute("transform").match(PLACED);
    return { at: [Number(x), Number(y)], scale: Number(scale), more, letter: letter(sign) };
  });
  const scale = Math.max(was.scale, Math.max(SIGN, TEXT / was.letter) / (SIDE * pixel));
  return { sign, was, scale, at: [...was.at], size: [SIDE * scale, SIDE * scale], grew: scale > was.scale };
}

// Move signs that have grown apart, none far from its place.
function part(signs) {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [number, one] of signs.entries()) {
      for (const other of signs.slice(number + 1)) {
        const apart = [0, 1].map((axis) => one.at[axis] - other.at[axis]), far = Math.hypot(...apart) || 1;
        const lack = APART * (one.size[0] + other.size[0]) / 2 - far;
        if (lack <= 0 || !(one.grew || other.grew)) continue;
        for (const axis of [0, 1]) {
          for (const [moved, way] of [[one, 0.5], [other, -0.5]]) {
            const home = moved.was.at[axis], most = moved.grew ? ASTRAY * moved.size[0] : 0;
            moved.at[axis] = within(home - most, moved.at[axis] + way * lack * apart[axis] / far, home + most);
          }
        }
      }
    }
  }
}

// How far a text reaches into a sign or another text, across and down; nothing where either is not positive.
const overlap = (a, b) => [0, 1].map((axis) => (a.size[axis] + b.size[axis]) / 2 - Math.abs(a.at[axis] - b.at[axis]));

// A code, clear of the signs: each moves it the shorter way out.
function placed(text, pixel, signs) {
  const was = kept(text, () => ({
    at: [Number(text.getAttribute("x")), Number(text.getAttribute("y")) - LETTER * size(text)], turn: text.getAttribute("transform") ?? "",
    wide: Number(text.getAttribute("textLength")), high: size(text),
  }));
  const growth = Math.max(1, TEXT / (was.high * pixel)), box = { text, was, growth, at: [...was.at], size: [was.wide * growth, 0.8 * was.high * growth] };
  for (const sign of was.turn ? [] : signs.filter((one) => one.grew)) {
    const into = overlap(box, sign), axis = into[0] < into[1] ? 0 : 1;
    if (Math.min(...into) > 0) box.at[axis] += box.at[axis] < sign.at[axis] ? -into[axis] : into[axis];
  }
  return box;
}

const moved = ({ at, was }) => Math.hypot(at[0] - was.at[0], at[1] - was.at[1]);
const covers = (box) => (other) => Math.min(...overlap(box, other)) > 0.15 * box.size[1];

// Make all of a map legible; `pixel` is how many pixels a unit of the map is shown as.
export function makeLegible(svg, pixel) {
  const signs = [...svg.querySelectorAll("[data-unit], [data-mark]")].map((sign) => grown(sign, pixel));
  part(signs);
  for (const { sign, was, at, scale } of signs) {
    sign.setAttribute("transform", `translate(${at.map(Math.round).join(" ")})scale(${scale.toPrecision(3)})${was.more}`);
  }
  const [homes, codes] = [[], []];
  for (const text of svg.querySelectorAll("#names text, #homes text")) (text.previousElementSibling?.matches("circle") ? homes : codes).push(text);
  for (const text of homes) text.style.display = size(text) * pixel < TEXT ? "none" : "";
  const boxes = codes.map((text) => placed(text, pixel, signs)).sort((a, b) => moved(a) - moved(b)), shown = [];
  for (const box of boxes) {
    const { text, was, growth, at } = box, crowded = growth > 1 && [...shown, ...signs].some(covers(box));
    text.style.display = crowded ? "none" : "";
    if (!crowded) shown.push(box);
    const [x, y] = was.at;
    text.setAttribute("transform", growth === 1 && !moved(box) ? was.turn : `${was.turn} translate(${at.map(Math.round).join(" ")}) scale(${growth.toPrecision(3)}) translate(${-x} ${-y})`);
  }
}
