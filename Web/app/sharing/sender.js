// @ts-check
import { Observable } from '../page/observable.js';
import { Store } from '../storage/store.js';
import { freshKey } from '../stream/key.js';
import { isPosition, Outbox } from './outbox.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** Sends messages, and keeps on until the server has them: over reconnects, and over reloads of the page. */
export class Sender extends Observable {
  /** Somebody has to hear of a refusal. */
  onRefused = (/** @type {Unsent} */ _entry, /** @type {Frame} */ _frame) => {};

  #outbox = new Outbox();
  #store = new Store();
  #stream;
  /** @type {string | undefined} */
  #user;
  /** @type {number | undefined} */
  #restTimer;

  /** @param {Stream} stream */
  constructor(stream) {
    super();
    this.#stream = stream;
  }

  /**
   * Goes on with what this user left unsent.
   * @param {string | undefined} user
   */
  async begin(user) {
    this.#user = user;
    this.#outbox = new Outbox();
    const outbox = this.#outbox;
    for (const entry of (user && (await this.#store.load('unsent'))) || []) {
      if (entry.user === user && outbox === this.#outbox) outbox.add(entry);
    }
    this.#flush();
    this.changed();
  }

  /**
   * Keeps a message, then sends it: what is shown as waiting survives the page.
   * @param {string} chat
   * @param {string} tag
   * @param {{ content?: string, data?: object }} message
   */
  async send(chat, tag, { content = '', data }) {
    if (!this.#user) return;
    const outbox = this.#outbox;
    const entry = { key: freshKey(), user: this.#user, chat, tag, content, data, time: this.#stream.now() };
    await this.#store.put('unsent', entry);
    if (outbox !== this.#outbox) return;
    for (const { key } of this.#outbox.add(entry)) this.#store.remove('unsent', key);
    this.#flush();
    this.#changed(entry);
  }

  /**
   * What waits to be sent to a chat, positions apart.
   * @param {string} chat
   */
  unsent(chat) {
    return this.#outbox.texts(chat);
  }

  /** A new connection. */
  connected() {
    this.#outbox.lost();
    this.#flush();
  }

  /**
   * @param {Frame} frame
   * @returns {boolean} whether it answered something sent from here
   */
  receive(frame) {
    const received = this.#outbox.receive(frame, performance.now());
    if (!received) return false;
    const { entry, outcome } = received;
    if (outcome === 'later') {
      this.#flushLater();
      return true;
    }
    this.#store.remove('unsent', entry.key);
    if (outcome === 'refused') this.onRefused(entry, frame);
    this.#flush();
    this.#changed(entry);
    return true;
  }

  /**
   * Unsent positions are shown nowhere: thousands of them, sent after a day offline, cost no views.
   * @param {Unsent} entry
   */
  #changed(entry) {
    if (!isPosition(entry)) this.changed();
  }

  #flush() {
    if (this.#stream.state !== 'open' || this.#stream.hello?.user !== this.#user) return;
    for (const frame of this.#outbox.due(performance.now())) this.#stream.send(frame);
  }

  #flushLater() {
    clearTimeout(this.#restTimer);
    const rest = Math.max(0, this.#outbox.restsUntil - performance.now());
    // A timer may end early by less than a millisecond.
    this.#restTimer = setTimeout(() => this.#flush(), Math.ceil(rest) + 1);
  }
}
