// @ts-check
/** @typedef {import('./share-record.js').MissedCause} MissedCause */

/**
 * What was seen of this page and its sensor while no position came. No sensor and no document inside; all times are by the device's clock, in
 * milliseconds.
 */
export class Silence {
  #opened;
  #listening;
  /** How long the page was out of view since the last position, without the present time. */
  #hiddenFor = 0;
  /** Since when it is out of view. @type {number | undefined} */
  #hiddenAt;

  /**
   * @param {number} now when the page was opened
   * @param {boolean} isHidden whether it is out of view
   */
  constructor(now, isHidden) {
    this.#opened = this.#listening = now;
    if (isHidden) this.#hiddenAt = now;
  }

  /** @param {number} now when the page began to listen to the sensor, after a pause or for the first time */
  listens(now) {
    this.#listening = now;
  }

  /**
   * @param {number} now
   * @param {boolean} isHidden whether the page is out of view from now on
   */
  seen(now, isHidden) {
    if (this.#hiddenAt !== undefined) this.#hiddenFor += now - this.#hiddenAt;
    this.#hiddenAt = isHidden ? now : undefined;
  }

  /**
   * A position comes: what held for most of the time since another one.
   * @param {number} since
   * @param {number} now
   * @returns {MissedCause}
   */
  causeSince(since, now) {
    const half = (now - since) / 2;
    if (this.#opened - since > half) return 'closed';
    if (this.#listening - since > half) return 'paused';
    const hidden = this.#hiddenFor + (this.#hiddenAt === undefined ? 0 : now - this.#hiddenAt);
    return hidden > half ? 'hidden' : 'silent';
  }

  /** @param {number} now when a position came */
  heard(now) {
    this.#hiddenFor = 0;
    if (this.#hiddenAt !== undefined) this.#hiddenAt = now;
  }
}
