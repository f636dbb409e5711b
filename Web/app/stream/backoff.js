// @ts-check

/** How long to wait before the next attempt to connect: doubling, with jitter, up to half a minute. */
export class Backoff {
  #attempts = 0;
  #random;

  /** @param {() => number} random in 0..<1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** Milliseconds. */
  next() {
    const ceiling = Math.min(30_000, 500 * 2 ** this.#attempts);
    this.#attempts += 1;
    return Math.round(ceiling * (0.5 + this.#random() / 2));
  }

  /** After a connection that worked. */
  reset() {
    this.#attempts = 0;
  }
}
