// The lawful orders of a power as choices within choices, and what a province pointed at may mean in them.
// A path is a list of keys from the root of a unit's tree; at the end of a whole path stands the text of an order.
export class Choices {
  // `found` is what the server tells of a power: `units` with a tree each, `more` for the power as a whole, `keys` and
  // `verbs`; how many orders of a verb may be the same (`again`), the `boxes`, and the `others`: the units of other powers, of which some are `mine` to order as well.
  constructor(found, power) {
    Object.assign(this, { units: found.units, more: found.more, keys: found.keys, verbs: found.verbs, kind: found.kind, due: found.due, again: found.again ?? {}, boxes: found.boxes, others: found.others ?? [] });
    this.whole = { n: 0, at: "", key: "", name: power, words: power, tree: this.more };
  }

  get empty() { return !this.units.length && !this.orders; }
  get orders() { return Object.keys(this.more).length > 0; } // does the power as a whole have any?
  unit(number) { return number === 0 ? this.whole : this.units.find((unit) => unit.n === number); }
  at(place) { return this.units.filter((unit) => unit.at === place); }
  province(key) { return this.keys[key]?.[0] ?? ""; }
  node(unit, path) { return path.reduce((level, key) => level?.[key], unit.tree); }

  // A first key that says what goes: a fleet alone or with an army aboard, or an army from where its fleet takes it.
  names(unit, key) { return Boolean(unit.n && this.province(key)) && typeof unit.tree[key] === "object"; }

  // Is a key, after so many others, a place that can be meant?
  means(unit, key, depth) { return this.province(key) && !(depth === 0 && this.names(unit, key)); }

  // What kind of order a verb makes: it helps another unit, leaves its unit where it is, or stands beside another order.
  helps(verb) { return Boolean(this.verbs[verb]?.helps); }
  stays(verb) { return Boolean(this.verbs[verb]?.stays); }
  rider(verb) { return Boolean(this.verbs[verb]?.rider); }
  settles(verb) { return ["build", "remove", "waive"].includes(verb); } // an order of which so many are due
  title(verb) { return this.verbs[verb]?.title ?? verb; } // as a list has it

  // The row of an order that has been chosen: what the server will tell of it.
  row(unit, path, text) {
    const verb = this.verb(unit, path);
    return { text, unit: unit.n, verb, rider: this.rider(verb), at: unit.n ? unit.at : this.province(path.at(-1)) };
  }

  // The verb of a path.
  verb(unit, path) { return path[this.names(unit, path[0]) ? 1 : 0]; }

  // -- what a province means ---------------------------------------------------------------------------------------

  // The paths that go on from `path` to the nearest key that means this province.
  towards(unit, path, place) {
    const found = [];
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        const here = [...so, key];
        if (this.means(unit, key, so.length)) { if (this.province(key) === place) found.push(here); }
        else if (typeof next === "object") walk(next, here);
        else if (key === "hold" && so.length > 1 && this.province(so.at(-1)) === place) found.push(here); // help in place
      }
    };
    walk(this.node(unit, path), path);
    return found;
  }

  // Orders that want no goal: whole paths.
  goalless(unit) {
    const found = [];
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        if (typeof next === "string" && !this.province(key)) found.push([...so, key]);
        else if (typeof next === "object" && !so.some((one) => this.helps(one)) && (!so.length || !this.province(key))) walk(next, [...so, key]);
      }
    };
    walk(unit.tree, []);
    return found;
  }

  // How a unit stays where it is.
  staying(unit) { return this.goalless(unit).filter((path) => this.stays(path.at(-1))); }

  // The provinces that may be meant next: goals to go to, those of mates among them, and places of units that may be helped.
  reach(unit, path, mates = path.length ? [] : this.mates(unit)) {
    const goals = new Set(), helped = new Set();
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        const here = [...so, key];
        if (this.means(unit, key, so.length)) (so.length > path.length && this.helps(so.at(-1)) ? helped : goals).add(this.province(key));
        else if (typeof next === "object") walk(next, here);
        else if (key === "hold" && so.length > 1 && this.province(so.at(-1))) goals.add(this.province(so.at(-1)));
      }
    };
    walk(this.node(unit, path), path);
    for (const [mate, root] of mates) for (const goal of this.reach(mate, root, []).goals) goals.add(goal);
    return { goals, helped };
  }

  // Provinces to be shown as goals.
  goals(unit, path) {
    const { goals, helped } = this.reach(unit, path);
    return [...(goals.size ? goals : helped)];
  }

  // The fleets beside an army that may go with it aboard, each with the key that says so.
  carriers(unit) {
    if (!unit.n || unit.key.includes("/")) return [];
    return this.at(unit.at).flatMap((other) => Object.keys(other.tree)
      .filter((key) => key.startsWith(`${unit.key.split(" ")[0]}/`) && this.names(other, key)).map((key) => [other, key]));
  }

  // Those whose orders concern a unit as much as its own: the fleet that may take it along, or carries it, and the army
  // that it carries; each with the path from which on they do.
  mates(unit) {
    const pair = !unit.n ? [] : unit.aboard ? this.at(unit.at).filter((one) => one.key.includes("/"))
      : unit.key.includes("/") ? this.at(unit.at).filter((one) => one.aboard) : [];
    return [...this.carriers(unit).map(([carrier, key]) => [carrier, [key]]), ...pair.map((one) => [one, []])];
  }

  // What a unit can do for another, or with it: paths that end with the other's name, or where it takes this one aboard.
  helping(unit, other) {
    const roots = [[], ...Object.keys(unit.tree).filter((key) => this.names(unit, key)).map((key) => [key])];
    const helps = Object.keys(this.verbs).filter((verb) => this.helps(verb));
    const ends = helps.flatMap((verb) => [[verb, other.key], [verb, `${other.power} ${other.key}`]]);
    const all = roots.flatMap((root) => [...ends, ["board", other.key.split(" ").at(-1)]].map((end) => [...root, ...end]));
    return all.filter((path) => this.node(unit, path.slice(0, -1))?.[path.at(-1)]);
  }

  // The order by which a mate takes its part in what a unit is ordered: to go aboard or take aboard, to sail to where an
  // army is to land from; none if it has no part in it.
  part(unit, path, mate) {
    const [root, verb] = this.names(unit, path[0]) ? path : ["", path[0]], whence = this.province(root);
    const place = (one) => one.key.split(" ").at(-1);
    let way = [];
    if (verb === "take" && path.at(-2) === mate.key) way = ["board", place(unit)];
    else if (verb === "board" && path.at(-1) === place(mate)) way = ["take", unit.key, "hold"];
    else if (whence && whence !== unit.at && mate.at === unit.at) way = ["move", whence];
    const order = this.node(mate, way);
    return typeof order === "string" ? order : "";
  }

  // A path of help to a unit, with the goals that are told apart: in place, along with its order, anywhere else.
  spread(unit, path, goal) {
    const next = this.node(unit, path);
    if (typeof next === "string" || !this.helps(path.at(-2))) return [path];
    const ends = Object.keys(next), same = goal && ends.find((key) => this.province(key) === goal);
    const told = ends.filter((key) => key === "hold" || key === same);
    const left = ends.filter((key) => !told.includes(key)), leads = typeof next[left[0]] === "string";
    return [...told.map((key) => [...path, key]), ...(left.length === 1 && leads ? [[...path, left[0]]] : left.length ? [path] : [])];
  }

  // The path of an order by its text.
  pathOf(unit, line) {
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        const found = typeof next === "string" ? next === line && [...so, key] : walk(next, [...so, key]);
        if (found) return found;
      }
      return null;
    };
    return walk(unit.tree, []);
  }

  // -- in words ----------------------------------------------------------------------------------------------------

  // A path in words, as a button says it; one that goes on ends with dots.
  words(unit, path) {
    const named = this.names(unit, path[0]), [verb, ...rest] = named ? path.slice(1) : path;
    const open = typeof this.node(unit, path) === "object";
    const helps = this.helps(verb);
    const told = rest.map((key, i) => (helps && i ? this.where(verb, key) : this.name(key, helps)));
    if (helps && open && told.length) told.push(gettext("to …"));
    const [first = "\u2026", second = ""] = told, slots = { unit: first, thing: first, goal: helps ? second : first };
    const says = verb ? this.verbs[verb]?.says ?? verb : "";
    const coast = says && told.length && !says.includes("{") ? ` ${first}` : ""; // of a unit that is transformed
    const said = (says.replace(/\{(\w+)\}/g, (slot, name) => slots[name] ?? slot) + coast).trim();
    return [said, named && this.aside(unit, path[0])].filter(Boolean).join(", ");
  }

  where(verb, key) { return key === "hold" ? (verb === "take" ? "" : gettext("in place")) : interpolate(gettext("to %(goal)s"), { goal: this.name(key) }, true); }

  name(key, short = false) {
    const said = this.keys[key]?.[1] ?? key;
    return short ? said.split(", ")[0] : said;
  }

  // What goes, where a fleet may go alone or not; or whence.
  aside(unit, key) {
    if (this.province(key) !== unit.at) return interpolate(gettext("from %(place)s"), { place: this.name(key).split(", ").at(-1) }, true);
    if (key.includes("/")) return gettext("with an army aboard");
    return Object.keys(unit.tree).some((root) => root.includes("/")) ? gettext("without an army") : "";
  }
}
