// @ts-check

/** How near the end counts as the end, in pixels. */
export const AT_END = 60;

/** Less than this below what is seen is the list's own margin, in pixels. */
const MARGIN = 16;

/**
 * What the reader of messages looks at: the end, the line above what is new, or what they scrolled to. It holds until the reader
 * scrolls, however often the list or its frame changes height in between.
 *
 * All positions are in pixels. A scroll to where the page itself has scrolled isn't the reader's.
 */
export class ReadingPlace {
  /** @type {'opening' | 'end' | 'news' | 'here'} */
  #at = 'end';
  #top = NaN;

  /** The messages come into sight. */
  opened() {
    this.#at = 'opening';
  }

  /** The reader wrote something, or asked for the end. */
  toEnd() {
    this.#at = 'end';
  }

  /**
   * What to bring into sight; `undefined` leaves the reader where they are.
   * @param {{ isWhole: boolean, hasNews: boolean }} list whether its newest messages are there, and the line above new ones
   * @returns {'end' | 'news' | undefined}
   */
  wanted({ isWhole, hasNews }) {
    if (this.#at === 'opening' && isWhole) this.#at = hasNews ? 'news' : 'end';
    if (this.#at === 'here') return undefined;
    return this.#at === 'news' && hasNews ? 'news' : 'end';
  }

  /**
   * The page has scrolled.
   * @param {number} top what is hidden above
   * @param {number} fromEnd what is hidden below
   */
  placed(top, fromEnd) {
    this.#top = top;
    if (this.#at === 'news' && fromEnd < AT_END) this.#at = 'end';
  }

  /**
   * The list stands where it stands: the reader may have scrolled.
   * @param {number} top
   * @param {number} fromEnd
   */
  noticed(top, fromEnd) {
    if (Math.abs(top - this.#top) < 1) return;
    this.#top = top;
    this.#at = fromEnd < AT_END ? 'end' : 'here';
  }

  /**
   * The reader opened or closed a menu in the list: the row under the finger stays in place, unless it is the last row.
   * @param {number} before how much was hidden below
   * @param {number} after
   */
  unfolded(before, after) {
    this.#at = after < AT_END && after <= before + MARGIN ? 'end' : 'here';
  }
}
