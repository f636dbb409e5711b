// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Subscriber} Subscriber */

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {Record<string, unknown>} query
 * @property {Subscriber} subscriber
 * @property {number | undefined} topic
 * @property {boolean} isAnswered whether the answer's last frame has come on this connection
 * @property {boolean} isBegun whether the answer's first frame has come on this connection
 */

/** What this page is subscribed to, whether or not it is connected. Says what to send; no socket inside. */
export class Subscriptions {
  /** @type {Map<number, Subscription>} */
  #byID = new Map();
  /** @type {Map<number, Subscription>} */
  #byTopic = new Map();
  #lastID = 0;

  /**
   * @param {Record<string, unknown>} query
   * @param {Subscriber} subscriber
   * @returns {{ id: number, frame: Frame }} the frame to send if connected
   */
  add(query, subscriber) {
    const id = ++this.#lastID;
    /** @type {Subscription} */
    const subscription = { id, query, subscriber, topic: undefined, isAnswered: false, isBegun: false };
    this.#byID.set(id, subscription);
    return { id, frame: frameOf(subscription) };
  }

  /**
   * @param {number} id
   * @returns {Frame | undefined} the frame to send if connected
   */
  remove(id) {
    const subscription = this.#byID.get(id);
    if (!subscription) return undefined;
    this.#forget(subscription);
    return { type: 'unsubscribe', id };
  }

  /** On a new connection: every subscription, each from where it stands. */
  resume() {
    this.#byTopic.clear();
    const frames = [];
    for (const subscription of this.#byID.values()) {
      subscription.topic = undefined;
      subscription.isBegun = subscription.isAnswered = false;
      frames.push(frameOf(subscription));
    }
    return frames;
  }

  /** The connection is gone. */
  lost() {
    for (const subscription of this.#byID.values()) subscription.subscriber.lost?.();
  }

  /**
   * Hands a frame to whom it concerns.
   * @param {Frame} frame
   * @returns {boolean} whether it concerned a subscription
   */
  receive(frame) {
    if (frame.type === 'error' || frame.type === 'ended') return this.#end(frame);
    const subscription = this.#find(frame);
    if (!subscription) return false;
    if (frame.id === undefined) {
      subscription.subscriber.change(frame);
    } else {
      this.#answer(subscription, frame);
    }
    return true;
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
    if (frame.current) subscription.isAnswered = true;
    subscription.subscriber.answer(frame, isFirst);
  }

  /** @param {Frame} frame */
  #end(frame) {
    const subscription = this.#byID.get(frame.id);
    if (!subscription) return false;
    this.#forget(subscription);
    subscription.subscriber.ended?.({ code: frame.code, message: frame.message, retryAfter: frame.retryAfter });
    return true;
  }

  /** @param {Frame} frame */
  #find(frame) {
    return frame.id === undefined ? this.#byTopic.get(frame.topic) : this.#byID.get(frame.id);
  }

  /** @param {Subscription} subscription */
  #forget(subscription) {
    this.#byID.delete(subscription.id);
    if (subscription.topic !== undefined) this.#byTopic.delete(subscription.topic);
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
