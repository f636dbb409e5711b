// @ts-check

/** How many kinds are on the map at once: with 300 of each, what a phone draws without effort. */
export const KINDS_AT_MOST = 6;

/** Where it is kept on this device. */
const KEPT = 'yonder.places';

/**
 * Which entities somebody wants on their map. What they have not decided about is shown while there is room, so that
 * an owner's places are seen at once.
 */
export class Choice {
  /** @type {Record<string, boolean>} */
  #decided;
  #shelf;

  /** @param {Pick<import('../storage/shelf.js').Shelf, 'value' | 'put'>} shelf */
  constructor(shelf) {
    this.#shelf = shelf;
    const kept = Object.entries(Object(shelf.value(KEPT)));
    this.#decided = Object.fromEntries(kept.filter(([, isShown]) => typeof isShown === 'boolean'));
  }

  /**
   * @param {string[]} all entities that could be shown, by name
   * @returns {string[]} those that are
   */
  chosen(all) {
    const wanted = all.filter((name) => this.#decided[name] === true).slice(0, KINDS_AT_MOST);
    const undecided = all.filter((name) => this.#decided[name] === undefined);
    const shown = new Set([...wanted, ...undecided.slice(0, KINDS_AT_MOST - wanted.length)]);
    return all.filter((name) => shown.has(name));
  }

  /**
   * @param {string} name
   * @param {boolean} isShown
   */
  decide(name, isShown) {
    this.#decided = { ...this.#decided, [name]: isShown };
    this.#shelf.put(KEPT, JSON.stringify(this.#decided));
  }
}
