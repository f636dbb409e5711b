// @ts-check
import { Backoff } from '../stream/backoff.js';
import { freshKey } from '../stream/key.js';
import { isFinal } from '../stream/refusal.js';
import { EVERYWHERE } from './share-record.js';

/** @typedef {import('./share-records.js').ShareRecords} ShareRecords */

/** How long those who leave wait for the server to have every stop, in milliseconds. */
const SETTLED_WITHIN = 2_000;
/** How long a stop waits at first, at most, that the server can't take now and doesn't say how long, in milliseconds. */
const AGAIN_AFTER = 2_000;

/**
 * Tells the server each stop until it has it. The frame goes out in the task of the tap; without a connection, on the next one, from
 * whichever tab has it first: ending twice what is over is no error.
 */
export class Stops {
  /** The server won't take a stop, for a reason that stays. */
  onRefused = (/** @type {unknown} */ _refusal) => {};

  #stream;
  #records;
  #scope;
  #backoff = new Backoff(Math.random, AGAIN_AFTER);
  /** What was asked for on this tab's streams, a place with its time. @type {Set<string>} */
  #asked = new Set();
  /** When each place was stopped last, by the server's clock. @type {Map<string, number>} */
  #stopped = new Map();

  /**
   * @param {import('../stream/stream.js').Stream} stream
   * @param {ShareRecords} records
   * @param {import('../page/scope.js').Scope} scope of the person whose stops these are
   */
  constructor(stream, records, scope) {
    this.#stream = stream;
    this.#records = records;
    this.#scope = scope;
    records.observe(() => this.send(), scope);
    scope.listen(globalThis, 'beforeunload', (event) => {
      // What only this page can send is lost sight of with it.
      if (this.#records.stopping.length > 0 && this.#stream.state !== 'open') event.preventDefault();
    });
  }

  /**
   * A start follows the stop: what it begins goes on.
   * @param {string} place
   */
  forget(place) {
    this.#stopped.delete(place);
    this.#stopped.delete(EVERYWHERE);
  }

  /**
   * Stops what began before its stop and was sent by the server after it: a start that was on its way.
   * @param {import('../wire.d.ts').Share[]} running
   */
  stopLate(running) {
    for (const { chat, started } of running) {
      const before = Math.max(this.#stopped.get(chat) ?? 0, this.#stopped.get(EVERYWHERE) ?? 0);
      if (started <= before) this.#records.stop(chat, before);
    }
  }

  /** Sends what waits. */
  send() {
    for (const { place, stopping } of this.#records.stopping) this.#send(place, Number(stopping));
  }

  /**
   * @returns {Promise<void>} when the server has every stop, or after two seconds
   */
  async settled() {
    const late = new Promise((resolve) => { setTimeout(resolve, SETTLED_WITHIN); });
    /** @type {Promise<void>} */
    const told = new Promise((resolve) => {
      const look = () => {
        if (this.#records.stopping.length > 0) return;
        end();
        resolve();
      };
      const end = this.#records.observe(look, this.#scope);
      look();
    });
    await Promise.race([told, late]);
  }

  /**
   * @param {string} place
   * @param {number} before
   */
  async #send(place, before) {
    const name = `${place} ${before}`;
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.#stopped.set(place, before);
    try {
      await this.#stream.request({ type: 'stopShares', key: freshKey(), before, ...(place === EVERYWHERE ? {} : { chat: place }) });
      this.#asked.delete(name);
      this.#backoff.reset();
      this.#records.told(place, before);
    } catch (refusal) {
      const refused = /** @type {import('../stream/requests.js').Refused} */ (refusal);
      const { code, retryAfter } = refused;
      // The session ended: the stop waits for the person's next one.
      if (code === 'notSignedIn' || code === 'accountDisabled') return;
      if (isFinal(refused)) {
        this.#records.told(place, before);
        this.onRefused(refusal);
        return;
      }
      this.#scope.after(retryAfter ?? this.#backoff.next(), () => {
        this.#asked.delete(name);
        this.send();
      });
    }
  }
}
