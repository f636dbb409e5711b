// @ts-check

/** By how much the device's clock and the monotonic one may part before the offset counts for nothing, in milliseconds. */
const APART = 2_000;

/**
 * The server's time, by the device's clock and what was measured between the two: first by a greeting, which says nothing of its way,
 * then by each answer to a ping, which is exact to half of the round trip.
 */
export class ServerClock {
  /** How far the server's clock is ahead of the device's, in milliseconds; `undefined` before the first greeting. @type {number | undefined} */
  offset;

  /** How far off the offset may be, in milliseconds. */
  #error = Infinity;
  /** @type {number | undefined} */
  #askedAt;
  #wall;
  #monotonic;
  /** How far the device's clock was ahead of the monotonic one, when that was looked at last. */
  #ahead;
  /** How far the device's clock was ahead of the monotonic one when the offset was measured. */
  #aheadThen;

  /**
   * @param {() => number} [wall] the device's clock, in milliseconds since 1970
   * @param {() => number} [monotonic] a clock that nobody sets, in milliseconds
   */
  constructor(wall = () => Date.now(), monotonic = () => performance.now()) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#ahead = this.#aheadThen = wall() - monotonic();
  }

  /**
   * The server's time.
   * @param {number} offset what to take for the offset
   */
  now(offset) {
    return this.#wall() + offset;
  }

  /** Whether the device's clock was set, or the device slept, since the offset was measured: the server's time may be hours off. */
  get isUnsure() {
    return Math.abs(this.#wall() - this.#monotonic() - this.#aheadThen) > APART;
  }

  /**
   * The server's time, which is never later than it is: while the time is unsure, the time since the offset was measured is that of the
   * monotonic clock, which may stand while the device sleeps.
   * @param {number} offset what to take for the offset
   */
  sure(offset) {
    return this.isUnsure ? this.#monotonic() + this.#aheadThen + offset : this.now(offset);
  }

  /**
   * Whether the device's clock was set, or the device slept, since it was looked at last. Then the offset is to be measured again, and the
   * next answer counts, however slow it is.
   */
  hasParted() {
    const ahead = this.#wall() - this.#monotonic();
    const isApart = Math.abs(ahead - this.#ahead) > APART;
    this.#ahead = ahead;
    if (isApart) {
      this.#error = Infinity;
      // What was asked for before isn't measured by one clock.
      this.#askedAt = undefined;
    }
    return isApart;
  }

  /** @param {number} time the server's, as it greeted */
  greeted(time) {
    this.offset = time - this.#wall();
    this.#aheadThen = this.#wall() - this.#monotonic();
    this.#error = Infinity;
    this.#askedAt = undefined;
  }

  /** A ping leaves. One that waits for its answer is measured from its own departure. */
  asked() {
    this.#askedAt ??= this.#monotonic();
  }

  /** @param {number} time the server's, as it answered the ping */
  answered(time) {
    if (this.#askedAt === undefined) return;
    const error = (this.#monotonic() - this.#askedAt) / 2;
    this.#askedAt = undefined;
    const offset = Math.round(time + error - this.#wall());
    // A slower answer says less, unless the two can't both be right: then the device's clock was set.
    const isApart = Math.abs(offset - (this.offset ?? 0)) > error + this.#error;
    this.#aheadThen = this.#wall() - this.#monotonic();
    if (error > this.#error && !isApart) return;
    this.offset = offset;
    this.#error = error;
  }
}
