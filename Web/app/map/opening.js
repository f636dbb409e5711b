// @ts-check
/** @typedef {import('./first-picture.js').Picture} Picture */

/** How long the first picture waits for all that belongs into it, in milliseconds. */
export const PATIENCE = 1_500;
/** How long a person who is found later still moves the map: after everything is known, and at most while the reader's position is awaited. */
const LATE = 2_000;
const LATE_AT_MOST = 15_000;

/**
 * When the map is moved to the people of a view that was opened, and when it is left alone. No clock and no map inside.
 *
 * The page moves the map for the first time when the server has answered with all people, or after 1.5 seconds. It moves the map again
 * for a person whose position comes up to two seconds after these answers, and never once the reader has moved the map.
 */
export class Opening {
  #begun;
  #until = Infinity;
  #last = Infinity;
  #who = '';
  #isOver = false;

  /** @param {number} now in milliseconds, as all times here */
  constructor(now) {
    this.#begun = now;
  }

  /** Whether the map is left alone from now on. */
  get isOver() {
    return this.#isOver;
  }

  /** Leaves the map alone: the reader chose what it shows. */
  end() {
    this.#isOver = true;
  }

  /**
   * What to move the map to now.
   * @param {Picture | undefined} picture of those who are known
   * @param {object} known
   * @param {string} known.who everybody in it, as one text
   * @param {boolean} known.isReady whether it has all people and the map's levels are known
   * @param {boolean} known.isSettled whether the reader isn't waited for, either
   * @param {number} known.now
   * @returns {Picture | undefined} `undefined` to leave the map as it is
   */
  next(picture, { who, isReady, isSettled, now }) {
    if (this.#isOver || !picture) return undefined;
    if (now > this.#until || now > this.#last) {
      this.end();
      return undefined;
    }
    if (!isReady && now - this.#begun < PATIENCE) return undefined;
    if (isReady && this.#last === Infinity) this.#last = now + LATE_AT_MOST;
    if (isSettled) this.#until = Math.min(this.#until, now + LATE);
    if (who === this.#who) return undefined;
    this.#who = who;
    return picture;
  }
}
