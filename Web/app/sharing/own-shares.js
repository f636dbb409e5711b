// @ts-check
import { ShareBook } from '../freshness/share-book.js';
import { stateAt } from '../freshness/freshness.js';
import { Observable } from '../page/observable.js';
import { freshKey } from '../stream/key.js';
import { EVERYWHERE } from './share-record.js';

/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {{ until?: number, arrival?: { latitude: number, longitude: number, radius: number }, keep: 'kept' | 'expiring' }} Wish */

/** Every running share of the reader, from whatever device, as the server keeps them. */
export class OwnShares extends Observable {
  /** Whether this server keeps shares; `undefined` before it has said so. Without, positions alone say that somebody shares. @type {boolean | undefined} */
  areKept;
  /** Whether a share is being stopped: the server may not know that yet. @type {(share: Share) => boolean} */
  isStopping = () => false;

  #book = new ShareBook();
  /** The server's time at the beginning of the connection in which the whole list came last. */
  #listedFrom = -Infinity;
  #stream;

  /** @param {import('../stream/stream.js').Stream} stream */
  constructor(stream) {
    super();
    this.#stream = stream;
  }

  follow() {
    this.#stream.subscribe({ query: 'shares' }, {
      answer: (frame, isFirst) => {
        this.areKept = true;
        this.#book.answer(frame, isFirst);
        if (frame.current) this.#listedFrom = this.#stream.hello?.time ?? -Infinity;
        this.changed();
      },
      change: (frame) => {
        this.#book.change(frame);
        this.changed();
      },
      ended: ({ code }) => {
        this.clear();
        // Of what is final this alone says that there are none.
        if (code === 'unknownQuery') this.areKept = false;
      },
    });
  }

  clear() {
    this.areKept = undefined;
    this.#listedFrom = -Infinity;
    this.#book.clear();
    this.changed();
  }

  /** Whether this server keeps shares, as far as it has said. */
  get isKnown() {
    return this.areKept === true;
  }

  /** Whether all that run have been told. */
  get isCurrent() {
    return this.#book.isCurrent;
  }

  /** Whether all that run have been told on the present connection. */
  get isTold() {
    return this.isCurrent && this.#stream.state === 'open' && this.#listedFrom === this.#stream.hello?.time;
  }

  /** @returns {Share[]} those that run now, newest first */
  get running() {
    const now = this.#stream.now();
    return this.#book.running.filter((share) => stateAt(share.freshness, now) !== 'ended' && (share.until === null || share.until > now) && !this.isStopping(share))
      .sort((a, b) => b.started - a.started);
  }

  /**
   * The newest that runs in a chat.
   * @param {string} chat
   */
  in(chat) {
    return this.running.find((share) => share.chat === chat);
  }

  /**
   * Those that a stop ends which the server may not have yet.
   * @param {string} place
   */
  stopped(place) {
    return this.#book.running.filter((share) => (share.chat === place || place === EVERYWHERE) && this.isStopping(share));
  }

  /** When the newest of them began, by the server's clock; 0 for none. */
  get newestStart() {
    return Math.max(0, ...this.#book.running.map(({ started }) => started));
  }

  /**
   * Whether a share is over, as far as a whole list can tell: it began before the list was asked for, and isn't in it. Another server may
   * not have heard of it yet, so its list is one to ask for once more.
   * @param {string} id
   * @param {number | undefined} begun by the server's clock
   */
  isMissing(id, begun) {
    return begun !== undefined && begun < this.#listedFrom && this.get(id) === undefined;
  }

  /** @param {string} id */
  get(id) {
    return this.#book.shares.get(id);
  }

  /**
   * @param {string} chat
   * @param {Wish} wish
   * @param {AbortSignal} signal a start that is given up isn't asked for again on a later connection
   * @returns {Promise<Share>}
   */
  async start(chat, { until, arrival, keep }, signal) {
    const key = freshKey();
    signal.addEventListener('abort', () => this.#stream.cancel(key, signal.reason), { once: true });
    const { share } = await this.#stream.request({ type: 'share', key, chat, keep, ...(until ? { until } : {}), ...(arrival ? { arrival } : {}) });
    // Its end may have come before the answer: with the changes, or as a list of a later connection without it.
    if (!this.get(share.share) && !this.isMissing(share.share, share.started)) this.#book.put(share);
    this.changed();
    return share;
  }

  /**
   * @param {Share} share
   * @param {number | null} until
   */
  async extend({ chat, share }, until) {
    const answer = await this.#stream.request({ type: 'changeShare', key: freshKey(), chat, share, until });
    const known = this.get(share);
    if (answer.share && known && known.freshness.state !== 'ended') this.#book.put(answer.share);
    this.changed();
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
}
