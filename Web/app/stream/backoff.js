// @ts-check

/** How long to wait before the next attempt: doubling, with jitter, up to half a minute. */
export class Backoff {
  #attempts = 0;
  #random;
  #first;

  /** @param {() => number} [random] in 0..<1 @param {number} [first] the longest first wait, in milliseconds */
  constructor(random = Math.random, first = 500) {
    this.#random = random;
    this.#first = first;
  }

  /** Milliseconds. */
  next() {
    const ceiling = Math.min(30_000, this.#first * 2 ** this.#attempts);
    this.#attempts += 1;
    return Math.round(ceiling * (0.5 + this.#random() / 2));
  }

  /** After one that worked. */
  reset() {
    this.#attempts = 0;
  }
}
