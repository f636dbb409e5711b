// @ts-check

/**
 * From which number on a list made of several tags is whole. Each tag is asked for by itself, so each reaches back to
 * another number; the list may be shown from the latest of them.
 */
export class Reach {
  /** The oldest number of each tag's own part, 1 where everything is there. @type {Map<string, number>} */
  #from = new Map();

  /** @param {Iterable<string>} tags of which nothing is there yet */
  constructor(tags) {
    for (const tag of tags) this.#from.set(tag, Infinity);
  }

  /** The number from which every tag is whole; infinite before all of them were answered. */
  get from() {
    return Math.max(...this.#from.values());
  }

  /** Whether there may be something older. */
  get hasOlder() {
    return Number.isFinite(this.from) && this.from > 1;
  }

  /**
   * The newest messages of a tag came, at most `limit` of them.
   * @param {string} tag
   * @param {number[]} numbers of those that came
   * @param {number} limit
   */
  answered(tag, numbers, limit) {
    this.#from.set(tag, numbers.length < limit ? 1 : Math.min(...numbers));
  }

  /** Those tags that have to be asked for what is older, so that the list reaches further. */
  get lagging() {
    const { from } = this;
    return [...this.#from].flatMap(([tag, own]) => (own === from ? [tag] : []));
  }

  /**
   * Older messages of a tag came.
   * @param {string} tag
   * @param {number | undefined} previous before which there may be more
   */
  extended(tag, previous) {
    this.#from.set(tag, Math.min(this.#from.get(tag) ?? 1, previous ?? 1));
  }
}
