// @ts-check
import { Observable } from '../page/observable.js';

/** @typedef {import('./share-choice.js').Choice} Choice */

/** How long a start waits for the connection, in milliseconds. */
const WAITS = 120_000;

/** A *Share* that waits until the server can be asked: the only one, gone with the page, with any *Stop*, and after two minutes. */
export class AwaitedStart extends Observable {
  /** What waits. @type {{ chat: string, choice: Choice } | undefined} */
  wanted;
  /** Called when it has waited too long. */
  onLate = (/** @type {string} */ _chat) => {};

  /** @type {number | undefined} */
  #timer;

  /** @param {import('../page/scope.js').Scope} scope of the person who starts */
  constructor(scope) {
    super();
    scope.add(() => this.drop());
  }

  /**
   * @param {string} chat
   * @param {Choice} choice
   */
  wait(chat, choice) {
    this.drop();
    this.wanted = { chat, choice };
    this.#timer = setTimeout(() => {
      this.drop();
      this.onLate(chat);
    }, WAITS);
    this.changed();
  }

  /** Takes it back; what waited is returned. */
  drop() {
    const { wanted } = this;
    clearTimeout(this.#timer);
    this.wanted = undefined;
    if (wanted) this.changed();
    return wanted;
  }
}
