// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */

const IN_FLIGHT_AT_MOST = 16;
const POSITIONS_AT_MOST = 5_000;

/**
 * What still has to be sent, in order. Each has a key, so it may be sent again after a reconnect without coming twice.
 * Says what to send; no socket and no database inside.
 */
export class Outbox {
  /** @type {Map<string, Unsent>} */
  #entries = new Map();
  /** @type {Set<string>} */
  #inFlight = new Set();

  /** @returns {Unsent[]} */
  get entries() {
    return [...this.#entries.values()];
  }

  /**
   * @param {Unsent} entry
   * @returns {Unsent[]} what had to make room: the oldest positions, never texts
   */
  add(entry) {
    this.#entries.set(entry.key, entry);
    const positions = this.entries.filter(({ tag }) => tag === 'Location');
    const dropped = positions.slice(0, Math.max(0, positions.length - POSITIONS_AT_MOST));
    for (const { key } of dropped) this.#forget(key);
    return dropped;
  }

  /** On a new connection nothing is in flight. */
  lost() {
    this.#inFlight.clear();
  }

  /**
   * The frames to send now; each is then in flight.
   * @returns {Frame[]}
   */
  due() {
    const frames = [];
    for (const entry of this.#entries.values()) {
      if (this.#inFlight.size >= IN_FLIGHT_AT_MOST) break;
      if (this.#inFlight.has(entry.key)) continue;
      this.#inFlight.add(entry.key);
      frames.push(frameOf(entry));
    }
    return frames;
  }

  /**
   * @param {Frame} frame `sent`, or an `error` with a key
   * @returns {{ entry: Unsent, outcome: 'sent' | 'refused' | 'later' } | undefined} `undefined` if it isn't ours
   */
  receive(frame) {
    const entry = this.#entries.get(frame.key);
    if (!entry) return undefined;
    this.#inFlight.delete(entry.key);
    const isLater = frame.type === 'error' && (frame.retryAfter !== undefined || frame.code === 'unavailable');
    if (isLater) return { entry, outcome: 'later' };
    this.#forget(entry.key);
    return { entry, outcome: frame.type === 'error' ? 'refused' : 'sent' };
  }

  /** @param {string} key */
  #forget(key) {
    this.#entries.delete(key);
    this.#inFlight.delete(key);
  }
}

/**
 * @param {Unsent} entry
 * @returns {Frame}
 */
function frameOf({ key, chat, tag, content, data }) {
  return { type: 'send', key, chat, tag, ...(content ? { content } : {}), ...(data === undefined ? {} : { data }) };
}
