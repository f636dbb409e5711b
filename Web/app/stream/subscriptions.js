// @ts-check
import { Backoff } from './backoff.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Subscriber} Subscriber */

/**
 * One that waits asks again on the connection whose number it has, and on no other.
 * @typedef {{ is: 'asked' } | { is: 'answered' } | { is: 'waiting', until: number, connection: number } | { is: 'over' }} State
 *
 * @typedef {object} Subscription
 * @property {number} id
 * @property {Record<string, unknown>} query
 * @property {Subscriber} subscriber
 * @property {State} state
 * @property {number | undefined} topic
 * @property {boolean} isBegun whether the answer's first frame has come since it was asked
 * @property {Backoff} backoff
 */

/** The codes after which asking again can't help: those that Documentation/errors.md calls final. */
export const FINAL = new Set([
  'accountDisabled', 'duplicateSubscription', 'invalidCredentials', 'invalidField', 'invalidFrame', 'invalidJSON', 'missingField',
  'notAllowed', 'notParticipant', 'notSignedIn', 'tooLarge', 'unknownChat', 'unknownEntity', 'unknownField', 'unknownQuery', 'worldClosed',
]);
/** The longest that one waits at first, in milliseconds, when the server doesn't say how long. */
const WAIT_AT_FIRST = 2_000;

/**
 * What this page is subscribed to, whether or not it is connected. Says what to send; no socket and no timer inside. A
 * subscription is over with a {@link FINAL} code alone; after any other it waits, and is asked for again.
 */
export class Subscriptions {
  /** Those that aren't over. @type {Map<number, Subscription>} */
  #byID = new Map();
  /** @type {Map<number, Subscription>} */
  #byTopic = new Map();
  #lastID = 0;
  #connection = 0;
  /** Whether the server leaves out of a share that comes again what it has sent before. */
  #hasPartialShares = false;
  #sources;

  /** @param {{ now?: () => number, random?: () => number }} [sources] of time in milliseconds, and of chance in 0..<1 */
  constructor({ now = () => performance.now(), random = Math.random } = {}) {
    this.#sources = { now, random };
  }

  /**
   * @param {Record<string, unknown>} query
   * @param {Subscriber} subscriber
   * @returns {{ id: number, frame: Frame }} the frame to send if connected
   */
  add(query, subscriber) {
    const id = ++this.#lastID;
    /** @type {Subscription} */
    const subscription = { id, query, subscriber, state: { is: 'asked' }, topic: undefined, isBegun: false, backoff: new Backoff(this.#sources.random, WAIT_AT_FIRST) };
    this.#byID.set(id, subscription);
    return { id, frame: this.#frameOf(subscription) };
  }

  /**
   * @param {number} id
   * @returns {Frame | undefined} the frame to send if connected
   */
  remove(id) {
    const subscription = this.#byID.get(id);
    if (!subscription) return undefined;
    const isKnown = subscription.state.is !== 'waiting';
    this.#forget(subscription);
    return isKnown ? { type: 'unsubscribe', id } : undefined;
  }

  /**
   * On a new connection: every subscription, each from where it stands.
   * @param {Frame} [hello] the server's greeting
   */
  resume(hello) {
    this.#connection += 1;
    this.#hasPartialShares = hello?.partial === true;
    return [...this.#byID.values()].map((subscription) => this.#ask(subscription));
  }

  /** The connection is gone, and with it what waited to ask again on it. */
  lost() {
    this.#connection += 1;
    for (const subscription of this.#byID.values()) subscription.subscriber.lost?.();
  }

  /** In how many milliseconds the next one has waited long enough; `Infinity` if none waits. */
  get wait() {
    return Math.max(0, Math.min(...this.#waiting.map(({ until }) => until)) - this.#sources.now());
  }

  /** The frames of those that have waited long enough. */
  due() {
    const now = this.#sources.now();
    return this.#waiting.filter(({ until }) => until <= now).map(({ subscription }) => this.#ask(subscription));
  }

  /**
   * Hands a frame to whom it concerns.
   * @param {Frame} frame
   * @returns {boolean} whether it concerned a subscription
   */
  receive(frame) {
    if (frame.type === 'error' || frame.type === 'ended') return this.#refused(frame);
    const subscription = frame.id === undefined ? this.#byTopic.get(frame.topic) : this.#byID.get(frame.id);
    if (!subscription) return false;
    if (frame.id === undefined) subscription.subscriber.change(frame);
    else this.#answer(subscription, frame);
    return true;
  }

  get #waiting() {
    return [...this.#byID.values()].flatMap((subscription) => {
      const { state } = subscription;
      return state.is === 'waiting' && state.connection === this.#connection ? [{ subscription, until: state.until }] : [];
    });
  }

  /**
   * @param {Subscription} subscription
   * @returns {Frame}
   */
  #ask(subscription) {
    this.#forgetTopic(subscription);
    subscription.state = { is: 'asked' };
    subscription.isBegun = false;
    return this.#frameOf(subscription);
  }

  /**
   * @param {Subscription} subscription
   * @returns {Frame}
   */
  #frameOf(subscription) {
    const frame = frameOf(subscription);
    return this.#hasPartialShares && frame.query === 'freshness' ? { ...frame, partial: true } : frame;
  }

  /**
   * @param {Subscription} subscription
   * @param {Frame} frame
   */
  #answer(subscription, frame) {
    if (frame.topic !== undefined) {
      subscription.topic = frame.topic;
      this.#byTopic.set(frame.topic, subscription);
    }
    const isFirst = !subscription.isBegun;
    subscription.isBegun = true;
    if (frame.current) {
      subscription.state = { is: 'answered' };
      subscription.backoff.reset();
    }
    subscription.subscriber.answer(frame, isFirst);
  }

  /**
   * What is refused to one that the server doesn't have, as it was let go or waits, was sent before that.
   * @param {Frame} frame
   */
  #refused(frame) {
    const subscription = this.#byID.get(frame.id);
    if (!subscription) return frame.id <= this.#lastID;
    if (subscription.state.is === 'waiting') return true;
    if (FINAL.has(frame.code)) {
      this.#forget(subscription);
      subscription.subscriber.ended?.({ code: frame.code, message: frame.message });
    } else {
      this.#forgetTopic(subscription);
      const until = this.#sources.now() + (frame.retryAfter ?? subscription.backoff.next());
      subscription.state = { is: 'waiting', until, connection: this.#connection };
      subscription.subscriber.lost?.();
    }
    return true;
  }

  /** @param {Subscription} subscription */
  #forget(subscription) {
    subscription.state = { is: 'over' };
    this.#byID.delete(subscription.id);
    this.#forgetTopic(subscription);
  }

  /** @param {Subscription} subscription */
  #forgetTopic(subscription) {
    if (subscription.topic !== undefined && this.#byTopic.get(subscription.topic) === subscription) this.#byTopic.delete(subscription.topic);
    subscription.topic = undefined;
  }
}

/**
 * @param {Subscription} subscription
 * @returns {Frame}
 */
function frameOf({ id, query, subscriber }) {
  const since = subscriber.since?.();
  return { type: 'subscribe', id, ...query, ...subscriber.resume?.(), ...(since === undefined ? {} : { since }) };
}
