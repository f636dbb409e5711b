// @ts-check

/** @typedef {{ giveUp: AbortController, isSent: boolean }} Start `isSent` once the server was asked */

/** Why a start was given up: somebody stopped meanwhile. */
const STOPPED = new Error('stopped');

/** A person's starts that the server hasn't answered: one a chat. */
export class Starts {
  /** @type {Map<string, Start>} */
  #starts = new Map();

  /** @param {import('../page/scope.js').Scope} scope of the person who starts */
  constructor(scope) {
    scope.add(() => this.drop());
  }

  /** @param {string} chat */
  has(chat) {
    return this.#starts.has(chat);
  }

  /** Whether the server hasn't answered one yet. */
  get areUnderWay() {
    return this.#starts.size > 0;
  }

  /**
   * @param {string} chat
   * @returns {Start}
   */
  begin(chat) {
    const start = { giveUp: new AbortController(), isSent: false };
    this.#starts.set(chat, start);
    return start;
  }

  /**
   * @param {string} chat
   * @param {Start} start
   */
  end(chat, start) {
    if (this.#starts.get(chat) === start) this.#starts.delete(chat);
  }

  /**
   * Any *Stop* drops every start that waits.
   * @returns {string[]} the chats of those that the server was asked for, which a stop there has to end
   */
  drop() {
    const sent = [...this.#starts].flatMap(([chat, { isSent }]) => (isSent ? [chat] : []));
    for (const { giveUp } of this.#starts.values()) giveUp.abort(STOPPED);
    this.#starts.clear();
    return sent;
  }

  /**
   * Whether a *Stop* gave a start up.
   * @param {Start} start
   */
  isStopped({ giveUp }) {
    return giveUp.signal.reason === STOPPED;
  }
}
