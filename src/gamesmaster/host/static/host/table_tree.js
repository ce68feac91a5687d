// The lawful orders of a power as choices within choices, and what a province pointed at may mean in them.
// A path is a list of keys from the root of a unit's tree; at the end of a whole path stands the text of an order.
const WORDS = {
  hold: () => "Hold",
  disband: () => "Disband",
  waive: () => "Leave a build unused",
  move: (goal = "…") => `Move to ${goal}`,
  retreat: (goal = "…") => `Retreat to ${goal}`,
  land: (goal = "…") => `Land in ${goal}`,
  board: (goal = "…") => `Board the fleet in ${goal}`,
  support: (unit = "…", goal = "") => `Support ${unit}${goal && ` ${goal}`}`,
  convoy: (unit = "…", goal = "") => `Convoy ${unit}${goal && ` ${goal}`}`,
  ferry: (unit = "…", goal = "") => `Ferry ${unit}${goal && ` ${goal}`}`,
  take: (unit = "…") => `Take ${unit} aboard`,
  make: (boat = "a boat") => `Build ${boat}`,
  destroy: (boat = "a boat") => `Destroy ${boat}`,
  build: (unit = "…") => `Build ${unit}`,
  remove: (unit = "…") => `Remove ${unit}`,
  designate: (goal = "…") => `Name ${goal} a home centre`,
  arrive: (unit = "…") => `Put out ${unit}`,
  decline: (unit = "…") => `Decline ${unit}`,
};
const HELPS = new Set(["support", "convoy", "ferry", "take"]); // what one unit does for another
const STAYS = new Set(["hold", "disband"]);

export class Choices {
  // `found` is what the server tells of a power: `units` with a tree each, `more` for the power as a whole, and `keys`.
  constructor(found, power) {
    Object.assign(this, { units: found.units, more: found.more, keys: found.keys, kind: found.kind, others: found.others ?? [] });
    this.whole = { n: 0, at: "", key: "", name: power, words: power, tree: this.more };
  }

  get empty() { return !this.units.length && !this.orders; }
  get orders() { return Object.keys(this.more).length > 0; } // does the power as a whole have any?
  unit(number) { return number === 0 ? this.whole : this.units.find((unit) => unit.n === number); }
  at(place) { return this.units.filter((unit) => unit.at === place); }
  province(key) { return this.keys[key]?.[0] ?? ""; }
  node(unit, path) { return path.reduce((level, key) => level?.[key], unit.tree); }

  // A first key that says what goes: a fleet alone, or with an army aboard.
  names(unit, key) { return Boolean(unit.n) && this.province(key) === unit.at && typeof unit.tree[key] === "object"; }

  // The verb of a path.
  verb(unit, path) { return path[this.names(unit, path[0]) ? 1 : 0]; }

  // -- what a province means ---------------------------------------------------------------------------------------

  // The paths that go on from `path` to the nearest key that means this province.
  towards(unit, path, place) {
    const found = [];
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        const here = [...so, key], at = this.province(key);
        if (at && !(here.length === 1 && this.names(unit, key))) { if (at === place) found.push(here); }
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
        else if (typeof next === "object" && !so.some((one) => HELPS.has(one)) && (!so.length || !this.province(key))) walk(next, [...so, key]);
      }
    };
    walk(unit.tree, []);
    return found;
  }

  // How a unit stays where it is.
  staying(unit) { return this.goalless(unit).filter((path) => STAYS.has(path.at(-1))); }

  // The provinces that may be meant next: goals to go to, and places of units that may be helped.
  reach(unit, path) {
    const goals = new Set(), helped = new Set();
    const walk = (level, so) => {
      for (const [key, next] of Object.entries(level)) {
        const at = this.province(key), here = [...so, key];
        if (at && !(here.length === 1 && this.names(unit, key))) (so.length > path.length && HELPS.has(so.at(-1)) ? helped : goals).add(at);
        else if (typeof next === "object") walk(next, here);
        else if (key === "hold" && so.length > 1 && this.province(so.at(-1))) goals.add(this.province(so.at(-1)));
      }
    };
    walk(this.node(unit, path), path);
    if (!path.length) for (const [carrier, root] of this.carriers(unit)) for (const goal of this.goals(carrier, [root])) goals.add(goal);
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

  // What a unit can do for another: paths that end with the other's name.
  helping(unit, other) {
    const roots = [[], ...Object.keys(unit.tree).filter((key) => this.names(unit, key)).map((key) => [key])];
    const all = roots.flatMap((root) => [...HELPS].map((verb) => [...root, verb, other.key]));
    return all.filter((path) => this.node(unit, path.slice(0, -1))?.[other.key]);
  }

  // A path of help to a unit, with the goals that are told apart: in place, along with its order, anywhere else.
  spread(unit, path, goal) {
    const next = this.node(unit, path);
    if (typeof next === "string" || !HELPS.has(path.at(-2))) return [path];
    const ends = Object.keys(next), same = goal && ends.find((key) => this.province(key) === goal);
    const told = ends.filter((key) => key === "hold" || key === same);
    return [...told.map((key) => [...path, key]), ...(ends.length > told.length ? [path] : [])];
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
    const helps = HELPS.has(verb);
    const told = rest.map((key, i) => (helps && i ? this.where(verb, key) : this.name(key, helps)));
    if (helps && open && told.length) told.push("to …");
    const said = verb ? (WORDS[verb] ?? (() => verb))(...told) : "";
    return [said, named && this.aside(unit, path[0])].filter(Boolean).join(", ");
  }

  where(verb, key) { return key === "hold" ? (verb === "take" ? "" : "in place") : `to ${this.name(key)}`; }

  name(key, short = false) {
    if (key.startsWith("boat")) return key.replace("boat", "a boat");
    const said = this.keys[key]?.[1] ?? key;
    return short ? said.split(", ")[0] : said;
  }

  // What goes, where a fleet may go alone or not.
  aside(unit, key) {
    if (key.includes("/")) return "with an army aboard";
    return Object.keys(unit.tree).length > 1 ? "without an army" : "";
  }
}
