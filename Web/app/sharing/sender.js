// @ts-check
import { Observable } from '../page/observable.js';
import { Store } from '../storage/store.js';
import { freshKey } from '../stream/key.js';
import { isPosition, Outbox } from './outbox.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/**
 * Sends messages, and keeps on until the server has them: over reconnects, and over reloads of the page. What is written in a
 * tab is sent by that tab; what a closed tab left, by the one in front. Keys make a second sending harmless.
 */
export class Sender extends Observable {
  /** Called when the server refuses a message. The message is removed from the store once the returned promise is settled, unless with `false`. @type {(entry: Unsent, frame: Frame) => Promise<unknown> | void} */
  onRefused = () => {};
  /** The server has stored something. */
  onSent = (/** @type {Unsent} */ _entry, /** @type {Frame} */ _frame) => {};
  /** Messages wait that this browser can't keep: they would be lost with the page. */
  onNotKept = () => {};

  #outbox = new Outbox();
  #store = new Store();
  /** The keys of the messages that the server has answered since the store was read last, and of those in `#settling`. @type {Set<string>} */
  #answered = new Set();
  /** The keys of the messages that the server has answered and that aren't removed from the store yet. @type {Set<string>} */
  #settling = new Set();
  /** The keys of the messages that are being written to the store. @type {Set<string>} */
  #keeping = new Set();
  /** The keys that wait in memory alone. @type {Set<string>} */
  #notKept = new Set();
  #isWarned = false;
  #stream;
  /** @type {string | undefined} */
  #user;
  /** @type {number | undefined} */
  #restTimer;

  /**
   * @param {Stream} stream
   * @param {import('../page/scope.js').Scope} scope of the person whose messages these are
   */
  constructor(stream, scope) {
    super();
    this.#stream = stream;
    const tell = scope.channel('yonder.unsent', () => this.#takeOver());
    stream.observe(() => this.#warn(), scope);
    scope.listen(globalThis, 'pagehide', () => tell?.({}));
    scope.listen(document, 'visibilitychange', () => this.#takeOver());
    scope.add(() => {
      clearTimeout(this.#restTimer);
      this.#user = undefined;
      this.#outbox = new Outbox();
    });
  }

  /**
   * Goes on with what this user left unsent.
   * @param {string | undefined} user
   */
  async begin(user) {
    this.#user = user;
    this.#outbox = new Outbox();
    this.#notKept.clear();
    await this.#load();
  }

  /**
   * Sends a message, and keeps it beside for as long as it waits: sending needs no database.
   * @param {string} chat
   * @param {string} tag
   * @param {{ content?: string, data?: object }} message
   */
  send(chat, tag, { content = '', data }) {
    if (!this.#user) return;
    const entry = { key: freshKey(), user: this.#user, chat, tag, content, data, time: this.#stream.now() };
    const dropped = this.#outbox.add(entry);
    this.#keeping.add(entry.key);
    this.#flush();
    this.#changed(entry);
    this.#keep(entry);
    for (const { key } of dropped) this.#store.remove('unsent', key);
  }

  /**
   * What waits to be sent, positions apart.
   * @param {string} [chat] to this chat alone
   */
  unsent(chat) {
    return this.#outbox.texts(chat);
  }

  /**
   * Whether an unsent message is still being written to the store: closing the page now would lose it.
   * @param {string} key
   */
  isBeingKept(key) {
    return this.#keeping.has(key);
  }

  /** A new connection. */
  connected() {
    this.#outbox.lost();
    this.#flush();
    this.#takeOver();
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
    this.#notKept.delete(entry.key);
    this.#letGo(entry.key, outcome === 'refused' ? this.onRefused(entry, frame) : undefined);
    if (outcome === 'sent') this.onSent(entry, frame);
    this.#flush();
    this.#changed(entry);
    return true;
  }

  /**
   * Removes an answered message from the store. A refused message that couldn't be put into a draft stays in the store, and is sent again after a reload.
   * @param {string} key
   * @param {Promise<unknown> | void} returned
   */
  async #letGo(key, returned) {
    this.#answered.add(key);
    this.#settling.add(key);
    if ((await returned) === false) return;
    await this.#store.remove('unsent', key);
    this.#settling.delete(key);
  }

  /** Sends what a closed tab left, if this tab is the one in front. */
  #takeOver() {
    if (document.visibilityState === 'visible') this.#load();
  }

  async #load() {
    const [user, outbox, answered] = [this.#user, this.#outbox, new Set(this.#settling)];
    this.#answered = answered;
    for (const entry of (user && (await this.#store.load('unsent'))) || []) {
      if (entry.user !== user || outbox !== this.#outbox || answered.has(entry.key)) continue;
      if (entry.refusal) this.#refusedByWorker(entry);
      else outbox.add(entry);
    }
    this.#flush();
    this.changed();
  }

  /**
   * The worker sent it while no page did, and the server refused it for good.
   * @param {Unsent} entry
   */
  async #refusedByWorker(entry) {
    this.#answered.add(entry.key);
    this.#outbox.forget(entry.key);
    const isOurs = await this.#store.take('unsent', entry.key);
    if (!isOurs || (await this.onRefused(entry, { type: 'error', ...entry.refusal })) !== false) return;
    // Reported once in the page's life: the next one reads it again.
    this.#settling.add(entry.key);
    await this.#store.put('unsent', entry);
  }

  /** @param {Unsent} entry */
  async #keep(entry) {
    const isKept = await this.#store.put('unsent', entry);
    this.#keeping.delete(entry.key);
    if (this.#outbox.has(entry.key)) this.#changed(entry);
    if (isKept || !this.#outbox.has(entry.key)) return;
    this.#notKept.add(entry.key);
    this.#warn();
  }

  /** With a connection there is nothing to say: the message is about to be sent. */
  #warn() {
    const isAtRisk = this.#notKept.size > 0 && this.#stream.state !== 'open';
    if (isAtRisk && !this.#isWarned) this.onNotKept();
    this.#isWarned = isAtRisk;
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
