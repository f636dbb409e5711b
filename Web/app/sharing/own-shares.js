// @ts-check
import { ShareBook } from '../freshness/share-book.js';
import { stateAt } from '../freshness/freshness.js';
import { Observable } from '../page/observable.js';
import { freshKey } from '../stream/key.js';

/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {{ until?: number, arrival?: { latitude: number, longitude: number, radius: number }, keep: 'kept' | 'expiring' }} Wish */

/** Every running share of the reader, from whatever device, as the server keeps them. */
export class OwnShares extends Observable {
  /** Whether this server keeps shares. Without, positions alone say that somebody shares. */
  isKnown = false;

  #book = new ShareBook();
  #stream;

  /** @param {import('../stream/stream.js').Stream} stream */
  constructor(stream) {
    super();
    this.#stream = stream;
  }

  follow() {
    this.#stream.subscribe({ query: 'shares' }, {
      answer: (frame, isFirst) => {
        this.isKnown = true;
        this.#book.answer(frame, isFirst);
        this.changed();
      },
      change: (frame) => {
        this.#book.change(frame);
        this.changed();
      },
      ended: () => this.clear(),
    });
  }

  clear() {
    this.isKnown = false;
    this.#book.clear();
    this.changed();
  }

  /** Whether all that run have been told. */
  get isCurrent() {
    return this.#book.isCurrent;
  }

  /** @returns {Share[]} those that run now, newest first */
  get running() {
    const now = this.#stream.now();
    return this.#book.running.filter(({ freshness, until }) => stateAt(freshness, now) !== 'ended' && (until === null || until > now))
      .sort((a, b) => b.started - a.started);
  }

  /**
   * The newest that runs in a chat.
   * @param {string} chat
   */
  in(chat) {
    return this.running.find((share) => share.chat === chat);
  }

  /** @param {string} id */
  get(id) {
    return this.#book.shares.get(id);
  }

  /**
   * @param {string} chat
   * @param {Wish} wish
   * @returns {Promise<Share>}
   */
  async start(chat, { until, arrival, keep }) {
    const { share } = await this.#stream.request({ type: 'share', key: freshKey(), chat, keep, ...(until ? { until } : {}), ...(arrival ? { arrival } : {}) });
    this.#book.put(share);
    this.changed();
    return share;
  }

  /**
   * @param {Share} share
   * @param {number | null} until
   */
  async extend({ chat, share }, until) {
    const answer = await this.#stream.request({ type: 'changeShare', key: freshKey(), chat, share, until });
    if (answer.share) this.#book.put(answer.share);
    this.changed();
  }

  /** @param {Share} share */
  async stop({ chat, share }) {
    this.#book.remove(share);
    this.changed();
    await this.#stream.request({ type: 'stopShare', key: freshKey(), chat, share });
  }

  /**
   * Asks somebody of a chat for one position.
   * @param {string} chat
   * @param {string} user
   */
  async ask(chat, user) {
    if (!this.isKnown) throw new Error('This server keeps no shares.');
    await this.#stream.request({ type: 'ask', key: freshKey(), chat, user });
  }

  /** Ends every share of the reader, from any device. */
  async stopEverywhere() {
    await this.#stream.request({ type: 'stopShares', key: freshKey() });
    for (const { share } of this.#book.running) this.#book.remove(share);
    this.changed();
  }
}
