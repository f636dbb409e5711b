// @ts-check
/** @typedef {import('../wire.d.ts').Fix} Fix */

/** The world's name among the places shared in; chats go by their ids, which are digits. */
export const WORLD = 'world';

/**
 * Where this device's position goes. Says what to send; no sensor and no socket inside.
 *
 * A fix goes to every place shared in, but not where the last one sent *there* has the same six-decimal strings; a
 * place shared in later gets the last fix at once; when nothing is shared, nothing is watched.
 */
export class Sharing {
  /** @type {Set<string>} */
  places = new Set();
  /** @type {Fix | undefined} */
  lastFix;

  /** @type {Map<string, string>} */
  #lastSent = new Map();

  /** Whether the position is to be watched. */
  get isOn() {
    return this.places.size > 0;
  }

  /**
   * @param {string} place
   * @returns {{ place: string, fix: Fix }[]} what to send
   */
  start(place) {
    this.places.add(place);
    return this.#due([place]);
  }

  /** @param {string} place */
  stop(place) {
    this.places.delete(place);
    if (place === WORLD) this.#lastSent.delete(place);
    if (!this.isOn) this.lastFix = undefined;
  }

  /** Everything at once. */
  stopAll() {
    for (const place of [...this.places]) this.stop(place);
  }

  /**
   * @param {Fix} fix
   * @returns {{ place: string, fix: Fix }[]} what to send
   */
  fix(fix) {
    if (!this.isOn) return [];
    this.lastFix = fix;
    return this.#due([...this.places]);
  }

  /**
   * A place that has forgotten this device, as the world does at each connection, gets the last fix again.
   * @param {string} place
   */
  forgotten(place) {
    this.#lastSent.delete(place);
    return this.places.has(place) ? this.#due([place]) : [];
  }

  /** @param {string[]} places */
  #due(places) {
    const fix = this.lastFix;
    if (!fix) return [];
    const written = `${fix.latitude},${fix.longitude}`;
    const due = places.filter((place) => this.#lastSent.get(place) !== written);
    for (const place of due) this.#lastSent.set(place, written);
    return due.map((place) => ({ place, fix }));
  }
}
