
"use strict";
// Zoom and move the map: a scale and a shift of its sheets, kept within the window.
(() => {
  const map = document.getElementById("gm-map");
  const sheets = [...map.querySelectorAll(".sheet")];
  const buttons = document.getElementById("gm-buttons");
  const LARGEST = 12, STEP = 1.5, NUDGE = 80;
  let scale = 1, x = 0, y = 0;

  function show() {
    // The sheet covers the window at any scale, and never leaves it.
    x = Math.min(0, Math.max(map.clientWidth * (1 - scale), x));
    y = Math.min(0, Math.max(map.clientHeight * (1 - scale), y));
    for (const sheet of sheets) sheet.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    buttons.querySelector("[data-do=in]").disabled = scale >= LARGEST;
    buttons.querySelector("[data-do=out]").disabled = scale <= 1;
    buttons.querySelector("[data-do=all]").disabled = scale <= 1;
  }

  // Zoom by a factor; the point (px, py) of the window stays where it is.
  function zoom(factor, px = map.clientWidth / 2, py = map.clientHeight / 2) {
    const wanted = Math.min(LARGEST, Math.max(1, scale * factor));
    x = px - (px - x) * wanted / scale;
    y = py - (py - y) * wanted / scale;
    scale = wanted;
    show();
  }

  function move(dx, dy) { x += dx; y += dy; show(); }
  function all() { scale = 1; x = y = 0; show(); }

  function spot(event) {
    const box = map.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 400 : 1);
    zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), ...spot(event));
  }, { passive: false });

  // One finger or the mouse moves, two fingers zoom, two taps at one place zoom in there.
  const held = new Map();
  let moved = 0, tap = null;

  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held.set(event.pointerId, spot(event));
    moved = held.size > 1 ? Infinity : 0;
    map.classList.add("held");
  });

  function spread() {
    const [a, b] = [...held.values()];
    return { px: (a[0] + b[0]) / 2, py: (a[1] + b[1]) / 2, apart: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
  }

  map.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId) || held.size > 2) return;
    const before = held.get(event.pointerId), now = spot(event);
    const old = held.size === 2 ? spread() : null;
    held.set(event.pointerId, now);
    if (old) {
      const fresh = spread();
      x += fresh.px - old.px;
      y += fresh.py - old.py;
      zoom(fresh.apart / old.apart, fresh.px, fresh.py);
      return;
    }
    moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (moved > 4 && !map.hasPointerCapture(event.pointerId)) map.setPointerCapture(event.pointerId);
    move(now[0] - before[0], now[1] - before[1]);
  });

  function release(event) {
    if (!held.delete(event.pointerId)) return;
    if (held.size === 0) map.classList.remove("held");
    if (event.type !== "pointerup" || moved > 12) return;
    const [px, py] = spot(event), time = event.timeStamp;
    if (tap && time - tap.time < 350 && Math.hypot(px - tap.px, py - tap.py) < 30) {
      tap = null;
      zoom(2, px, py);
    } else {
      tap = { px, py, time };
    }
  }
  map.addEventListener("pointerup", release);
  map.addEventListener("pointercancel", release);

  const KEYS = {
    "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), "_": () => zoom(1 / STEP), "0": all,
    ArrowLeft: () => move(NUDGE, 0), ArrowRight: () => move(-NUDGE, 0),
    ArrowUp: () => move(0, NUDGE), ArrowDown: () => move(0, -NUDGE),
  };
  document.addEventListener("keydown", (event) => {
    const arrows = event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (arrows && !map.contains(document.activeElement) && document.activeElement !== document.body) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  const DOES = { in: () => zoom(STEP), out: () => zoom(1 / STEP), all };
  buttons.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) DOES[button.dataset.do]();
  });
  // When the window changes, or the words below are opened, what was in the middle stays there.
  let wide = map.clientWidth, high = map.clientHeight;
  new ResizeObserver(() => {
    const across = map.clientWidth / (wide || 1), down = map.clientHeight / (high || 1);
    wide = map.clientWidth;
    high = map.clientHeight;
    x *= across;
    y *= down;
    show();
  }).observe(map);

  buttons.hidden = false;
  show();
})();
