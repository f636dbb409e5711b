// @ts-check

/** How long nothing must change before it is said. */
const AFTER_REST = 1_200;
/** How long at least between two announcements. */
const PAUSE = 5_000;

/** Says what changes often, when it has come to rest, and not what was said last. */
export class QuietAnnouncer {
  #say;
  #now;
  #last = '';
  #lastAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {(text: string) => void} say
   * @param {() => number} [now]
   */
  constructor(say, now = () => performance.now()) {
    this.#say = say;
    this.#now = now;
  }

  /** @param {string} text */
  announce(text) {
    clearTimeout(this.#timer);
    if (text === this.#last || text === '') return;
    this.#timer = setTimeout(() => this.#speak(text), Math.max(AFTER_REST, this.#lastAt + PAUSE - this.#now()));
  }

  /** @param {string} text */
  #speak(text) {
    this.#last = text;
    this.#lastAt = this.#now();
    this.#say(text);
  }
}
