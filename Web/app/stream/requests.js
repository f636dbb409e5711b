// @ts-check
import { sayRefusal } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */

/**
 * What was asked with a key and isn't answered yet. A key makes it safe to ask again after a reconnect: the server
 * answers the first time's number.
 */
export class Requests {
  /** @type {Map<string, { frame: Frame, resolve: (frame: Frame) => void, reject: (refusal: Error) => void }>} */
  #pending = new Map();

  /**
   * @param {Frame} frame with a key
   * @returns {Promise<Frame>}
   */
  add(frame) {
    return new Promise((resolve, reject) => {
      this.#pending.set(frame.key, { frame, resolve, reject });
    });
  }

  /**
   * Asks no more. What was sent already may still be done.
   * @param {string} key
   * @param {Error} reason
   */
  cancel(key, reason) {
    this.#pending.get(key)?.reject(reason);
    this.#pending.delete(key);
  }

  /** On a new connection: everything unanswered. */
  resume() {
    return [...this.#pending.values()].map(({ frame }) => frame);
  }

  /**
   * @param {Frame} frame
   * @returns {boolean} whether it answered one
   */
  receive(frame) {
    const request = frame.key === undefined ? undefined : this.#pending.get(frame.key);
    if (!request) return false;
    this.#pending.delete(frame.key);
    if (frame.type === 'error') {
      request.reject(new Refused(frame.code, frame.message, frame.retryAfter));
    } else {
      request.resolve(frame);
    }
    return true;
  }
}

/** The server said no: `code` is for programs, `message` for people. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {number} [retryAfter] milliseconds
   */
  constructor(code, message, retryAfter) {
    super(sayRefusal(code, message));
    this.name = 'Refused';
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
