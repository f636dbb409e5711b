// @ts-check
import { isFinal } from '../stream/refusal.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */

const IN_FLIGHT_AT_MOST = 16;
const POSITIONS_AT_MOST = 50_000;
/** The first and the longest rest after a refusal that says no time, in milliseconds; doubled until something is taken. */
const REST_IF_NOT_SAID = 2_000;
const LONGEST_REST = 60_000;

/**
 * What still has to be sent, in order. Each has a key, so it may be sent again after a reconnect without coming twice.
 * Says what to send; no socket, no clock and no database inside. Times are milliseconds of any steady clock.
 *
 * What the server refuses for now is sent again after the time that the refusal names, in its old order: nothing is sent before that
 * time is over and everything in flight is answered.
 */
export class Outbox {
  /** @type {Map<string, Unsent>} */
  #entries = new Map();
  /** The entries that aren't positions: few, and asked for often. @type {Map<string, Unsent>} */
  #texts = new Map();
  /** @type {Set<string>} */
  #inFlight = new Set();
  #restsUntil = 0;
  /** How often in a row something was refused for now. */
  #refusals = 0;
  #isGathering = false;

  /** @returns {Unsent[]} */
  get entries() {
    return [...this.#entries.values()];
  }

  /** @param {string} key */
  has(key) {
    return this.#entries.has(key);
  }

  /** When something may be sent again. */
  get restsUntil() {
    return this.#restsUntil;
  }

  /**
   * What waits to be sent, positions apart.
   * @param {string} [chat] to this chat alone
   */
  texts(chat) {
    return [...this.#texts.values()].filter((entry) => chat === undefined || entry.chat === chat);
  }

  /**
   * @param {Unsent} entry
   * @returns {Unsent[]} what had to make room: the oldest positions, never texts
   */
  add(entry) {
    this.#entries.set(entry.key, entry);
    if (!isPosition(entry)) this.#texts.set(entry.key, entry);
    /** @type {Unsent[]} */
    const dropped = [];
    const surplus = this.#entries.size - this.#texts.size - POSITIONS_AT_MOST;
    if (surplus <= 0) return dropped;
    for (const oldest of this.#entries.values()) {
      if (dropped.length === surplus) break;
      if (isPosition(oldest)) dropped.push(oldest);
    }
    for (const { key } of dropped) this.forget(key);
    return dropped;
  }

  /** On a new connection nothing is in flight. */
  lost() {
    this.#inFlight.clear();
    this.#isGathering = false;
    this.#restsUntil = 0;
    this.#refusals = 0;
  }

  /**
   * The frames to send now; each is then in flight.
   * @param {number} now
   * @returns {Frame[]}
   */
  due(now) {
    /** @type {Frame[]} */
    const frames = [];
    if (now < this.#restsUntil || (this.#isGathering && this.#inFlight.size > 0)) return frames;
    this.#isGathering = false;
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
   * @param {number} now
   * @returns {{ entry: Unsent, outcome: 'sent' | 'refused' | 'later' } | undefined} `undefined` if it isn't ours
   */
  receive(frame, now) {
    const entry = this.#entries.get(frame.key);
    if (!entry) return undefined;
    this.#inFlight.delete(entry.key);
    if (frame.type === 'error' && !isFinal(frame)) {
      this.#rest(frame, now);
      return { entry, outcome: 'later' };
    }
    this.forget(entry.key);
    this.#refusals = 0;
    return { entry, outcome: frame.type === 'error' ? 'refused' : 'sent' };
  }

  /**
   * @param {Frame} refusal
   * @param {number} now
   */
  #rest({ retryAfter }, now) {
    // Those that were in flight together are refused together: one rest for all.
    if (!this.#isGathering) this.#refusals += 1;
    this.#isGathering = true;
    const rest = retryAfter ?? Math.min(LONGEST_REST, REST_IF_NOT_SAID * 2 ** (this.#refusals - 1));
    this.#restsUntil = Math.max(this.#restsUntil, now + rest);
  }

  /**
   * Removes an entry, such as one that another tab or the worker has sent.
   * @param {string} key
   */
  forget(key) {
    this.#entries.delete(key);
    this.#texts.delete(key);
    this.#inFlight.delete(key);
  }
}

/** @param {Unsent} entry */
export function isPosition({ tag }) {
  return tag === 'Location';
}

/**
 * @param {Unsent} entry
 * @returns {Frame}
 */
function frameOf({ key, chat, tag, content, data }) {
  return { type: 'send', key, chat, tag, ...(content ? { content } : {}), ...(data === undefined ? {} : { data }) };
}
