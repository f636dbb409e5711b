/** SplitMix64, as in Swift's tests: the same seed gives the same numbers. */
export class SeededGenerator {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = BigInt(seed);
  }

  /** @param {number} bound a number in 0..<bound */
  below(bound) {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let value = this.#state;
    value = BigInt.asUintN(64, (value ^ (value >> 30n)) * 0xbf58476d1ce4e5b9n);
    value = BigInt.asUintN(64, (value ^ (value >> 27n)) * 0x94d049bb133111ebn);
    return Number((value ^ (value >> 31n)) % BigInt(bound));
  }
}
