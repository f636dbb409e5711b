// @ts-check
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

/** Rows don't jump under a finger: they are put in order this long after the last touch. */
const REST = 5_000;

/**
 * In which order a chat's people are listed: who moves, then by the last change of state or place, newest first; those
 * who ended or never shared come last. No clock inside.
 */
export class PeopleOrder {
  /** @type {string[]} */
  #order = [];
  /** @type {Map<string, { state: string, at: number }>} */
  #states = new Map();
  #touched = -Infinity;

  /** @param {number} now of any steady clock */
  touch(now) {
    this.#touched = now;
  }

  /**
   * @param {{ user: string, name: string, person: PersonNow | undefined, moved: number | undefined }[]} people `moved` is
   *   when their position was newest
   * @param {{ time: number, steady: number }} now by the server's clock, and by a steady one
   * @returns {string[]} users
   */
  sorted(people, { time, steady }) {
    for (const { user, person } of people) {
      const state = person?.state ?? 'never';
      const known = this.#states.get(user);
      if (known?.state !== state) this.#states.set(user, { state, at: known ? time : 0 });
    }
    const users = people.map(({ user }) => user);
    const isKnown = users.length === this.#order.length && users.every((user) => this.#order.includes(user));
    if (isKnown && steady - this.#touched < REST) return this.#order;
    const ranked = people.map((each) => ({ ...each, group: groupOf(each.person), changed: Math.max(each.moved ?? 0, this.#states.get(each.user)?.at ?? 0) }));
    ranked.sort((a, b) => a.group - b.group || (a.group === 0 ? 0 : b.changed - a.changed) || a.name.localeCompare(b.name) || (a.user < b.user ? -1 : 1));
    this.#order = ranked.map(({ user }) => user);
    return this.#order;
  }
}

/** @param {PersonNow | undefined} person */
function groupOf(person) {
  if (!person || person.isGone) return 3;
  if (person.state === 'ended') return 2;
  return person.state === 'live' && (person.speed ?? 0) > 2 / 3.6 ? 0 : 1;
}
