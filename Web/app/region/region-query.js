// @ts-check
import { isSameRegion, padded } from './region.js';
import { RegionCache } from './region-cache.js';

/** @typedef {import('../wire.d.ts').Region} Region */

/** How many questions are on their way at a time; of more the newest waits. */
const ASKED_AT_MOST = 2;

/**
 * Decides, as the visible region changes, what to ask the server, what to show, and when. No clock and no connection
 * inside: time comes in as milliseconds since whenever, and each call says what to do next:
 *
 * - `wait`: call {@link wake} at that time; it replaces what was to be waited for before.
 * - `ask`: ask the server, and say {@link answered} or {@link failed} with the same number.
 * - `show`: this is to be seen now. Its `cached` says whether it is out of what is kept here.
 * - `fail`: the server couldn't be asked about what is to be seen; what is shown stays.
 *
 * Numbers grow with each look. An answer to an older look never replaces what is shown for a newer one.
 *
 * The first look is asked about at once; after that the region must have rested for `debounce`, or have moved for
 * `patience`. The server is asked for the region and a margin of `padding` times its size on each side; the answer is of
 * that wider region.
 *
 * | policy | shows what is kept | asks the server | keeps its answer |
 * |---|---|---|---|
 * | `remoteOnly` | never | always | no |
 * | `localOnly` | at once; `fail`s if there is nothing | never | – |
 * | `localThenRemote` | at once | always; if that fails, what was shown stays | yes |
 * | `localOrRemote` | at once | only if nothing is kept | yes |
 * | `remoteAndStore` | never | always | yes |
 *
 * What is kept is only shown where it is exact: see {@link RegionCache}.
 * @template Item
 */
export class RegionQuery {
  /** What is shown. @type {import('../wire.d.ts').ShownAnswer<Item> | undefined} */
  shown;

  #source;
  #rules;
  #cache;
  #number = 0;
  /** What was looked at last. @type {Region | undefined} */
  #visible;
  /** When to ask, and since when that has been put off. @type {{ at: number, since: number } | undefined} */
  #due;
  /** By number. @type {Map<number, Region>} */
  #asked = new Map();
  /** What was asked about last, unless that failed. @type {{ number: number, visible: Region } | undefined} */
  #newest;
  #isWaiting = false;
  /** Whether the newest look's question failed. */
  #hasFailed = false;

  /**
   * @param {object} options
   * @param {string} options.source what is asked, but for the region: answers are kept under it
   * @param {(item: Item) => import('../wire.d.ts').Place | undefined} options.place
   * @param {import('../wire.d.ts').RegionPolicy} [options.policy]
   * @param {number} [options.limit] how many are listed at most
   * @param {number} [options.padding] a fraction of the region's width and height
   * @param {number} [options.debounce] in milliseconds
   * @param {number} [options.patience] in milliseconds
   * @param {RegionCache<Item>} [options.cache] what is kept; several queries may share it
   */
  constructor({ source, place, policy = 'localThenRemote', limit = 300, padding = 0, debounce = 150, patience = 600, cache = new RegionCache() }) {
    this.#source = source;
    this.#rules = { place, policy, limit, padding, debounce, patience };
    this.#cache = cache;
  }

  /**
   * The map shows another region.
   * @param {Region} region
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  look(region, now) {
    const isFirst = this.#visible === undefined;
    if (this.#visible && isSameRegion(region, this.#visible) && this.#isSettled()) return [];
    this.#visible = region;
    this.#number += 1;
    this.#hasFailed = false;
    const local = this.#local(now);
    if (this.#rules.policy === 'localOnly') return [local ?? this.#nothingKept()];
    const actions = local ? [local] : [];
    if (local && this.#rules.policy === 'localOrRemote') {
      this.#due = undefined;
      this.#isWaiting = false;
      return actions;
    }
    return [...actions, ...(isFirst ? this.#ask() : this.#putOff(now))];
  }

  /**
   * The time has come that a `wait` named, or not yet.
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  wake(now) {
    if (!this.#due) return [];
    if (now < this.#due.at) return [{ kind: 'wait', until: this.#due.at }];
    const isBack = this.#newest && this.#visible && isSameRegion(this.#newest.visible, this.#visible);
    const isShown = isBack && this.shown?.number === this.#newest?.number;
    if (isShown || (isBack && this.#newest && this.#asked.has(this.#newest.number) && !this.#isOvertaken(this.#newest.number))) {
      this.#due = undefined;
      return [];
    }
    return this.#askUnlessKept(now);
  }

  /**
   * Asks about the same region again, whatever is kept.
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  again(now) {
    if (this.#visible === undefined) return [];
    this.#number += 1;
    this.#hasFailed = false;
    return this.#rules.policy === 'localOnly' ? [this.#local(now) ?? this.#nothingKept()] : this.#ask();
  }

  /**
   * @param {number} number of the question
   * @param {{ items: Item[], total: number }} result
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  answered(number, { items, total }, now) {
    const region = this.#asked.get(number);
    if (region === undefined) return [];
    this.#asked.delete(number);
    const answer = { region, limit: this.#rules.limit, total, items };
    this.keep(answer, now);
    if (this.#isOvertaken(number)) return this.#askNext(now);
    this.shown = { ...answer, number, cached: false };
    return [{ kind: 'show', answer: this.shown }, ...this.#askNext(now)];
  }

  /**
   * @param {number} number of the question
   * @param {import('../wire.d.ts').Refusal} refusal
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  failed(number, refusal, now) {
    if (!this.#asked.delete(number)) return [];
    if (this.#newest?.number === number) this.#newest = undefined;
    this.#hasFailed = number === this.#number;
    const next = this.#askNext(now);
    return this.#isOvertaken(number) ? next : [{ kind: 'fail', number, refusal }, ...next];
  }

  /**
   * A question will not be answered, because a newer one was.
   * @param {number} number
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  dropped(number, now) {
    return this.#asked.delete(number) ? this.#askNext(now) : [];
  }

  /**
   * Keeps an answer, if the policy says so: one that came, or as live changes have made it since.
   * @param {import('../wire.d.ts').RegionAnswer<Item>} answer
   * @param {number} now
   */
  keep(answer, now) {
    if (this.#rules.policy !== 'remoteOnly' && this.#rules.policy !== 'localOnly') this.#cache.store(this.#source, answer, now);
  }

  /** Forgets what is shown and kept: it may no longer be seen. */
  forget() {
    this.shown = undefined;
    this.#cache.forget(this.#source);
  }

  /** Whether the region looked at is shown, asked about, or will be. */
  #isSettled() {
    if (this.#hasFailed) return false;
    if (this.#due || this.#isWaiting || this.shown?.number === this.#number) return true;
    return this.#newest !== undefined && this.#visible !== undefined && isSameRegion(this.#newest.visible, this.#visible);
  }

  /** @param {number} number */
  #isOvertaken(number) {
    return this.shown !== undefined && this.shown.number > number;
  }

  /**
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item> | undefined}
   */
  #local(now) {
    const { policy, limit, place, padding } = this.#rules;
    if (policy === 'remoteOnly' || policy === 'remoteAndStore' || !this.#visible) return undefined;
    const answer = this.#cache.find(this.#source, padded(this.#visible, padding), limit, place, now)
      ?? this.#cache.find(this.#source, this.#visible, limit, place, now);
    if (answer === undefined) return undefined;
    this.shown = { ...answer, number: this.#number, cached: true };
    return { kind: 'show', answer: this.shown };
  }

  /** @returns {import('../wire.d.ts').RegionAction<Item>} */
  #nothingKept() {
    return { kind: 'fail', number: this.#number, refusal: { code: 'unavailable', message: 'Nothing is kept for this region.' } };
  }

  /**
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  #putOff(now) {
    this.#isWaiting = false;
    const since = this.#due?.since ?? now;
    this.#due = { since, at: Math.min(now + this.#rules.debounce, since + this.#rules.patience) };
    return [{ kind: 'wait', until: this.#due.at }];
  }

  /**
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAction<Item>[]}
   */
  #askUnlessKept(now) {
    const local = this.#rules.policy === 'localOrRemote' ? this.#local(now) : undefined;
    if (!local) return this.#ask();
    this.#due = undefined;
    this.#isWaiting = false;
    return [local];
  }

  /** @returns {import('../wire.d.ts').RegionAction<Item>[]} */
  #ask() {
    this.#due = undefined;
    if (this.#visible === undefined) return [];
    this.#isWaiting = this.#asked.size >= ASKED_AT_MOST;
    if (this.#isWaiting) return [];
    const region = padded(this.#visible, this.#rules.padding);
    this.#asked.set(this.#number, region);
    this.#newest = { number: this.#number, visible: this.#visible };
    return [{ kind: 'ask', number: this.#number, region, limit: this.#rules.limit }];
  }

  /** @param {number} now */
  #askNext(now) {
    return this.#isWaiting ? this.#askUnlessKept(now) : [];
  }
}
