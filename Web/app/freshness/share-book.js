// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Share} Share */

/** The shares of one live query: all that run, and those that ended while somebody looked on. No socket inside. */
export class ShareBook {
  /** By their ids. @type {Map<string, Share>} */
  shares = new Map();
  /** Whether a full answer has come. */
  isCurrent = false;

  /** Made anew after changes. @type {Map<string, Share[]>} */
  #byUser = new Map();
  /** @type {Set<string>} */
  #answered = new Set();
  #isOfChat;

  /** @param {{ isOfChat?: boolean }} [options] `isOfChat` keeps of each person what a fresh answer has */
  constructor({ isOfChat = false } = {}) {
    this.#isOfChat = isOfChat;
  }

  /**
   * A frame of the answer. What isn't in any of them is gone when the last has come.
   * @param {Frame} frame
   * @param {boolean} isFirst
   */
  answer(frame, isFirst) {
    if (isFirst) this.#answered.clear();
    for (const share of frame.shares) this.#answered.add(share.share);
    this.change(frame);
    if (!frame.current) return;
    this.isCurrent = true;
    for (const id of [...this.shares.keys()]) if (!this.#answered.has(id)) this.remove(id);
  }

  /**
   * New versions of shares; of one that is as before but for its freshness the server sends nothing else.
   * @param {Frame} frame
   */
  change(frame) {
    for (const share of frame.shares) {
      const whole = share.chat === undefined ? { ...this.shares.get(share.share), ...share } : share;
      if (whole.chat !== undefined) this.put(whole);
    }
  }

  /** @param {Share} share */
  put(share) {
    this.shares.set(share.share, share);
    if (this.#isOfChat) this.#letGo(share.user);
    this.#byUser.clear();
  }

  /**
   * Of those that ended, the one of each kind that ended last stays: the kept one is shown while none runs, and of the other
   * one no position may be.
   * @param {string} user
   */
  #letGo(user) {
    const over = [...this.shares.values()].filter(({ user: theirs, freshness }) => theirs === user && freshness.state === 'ended');
    for (const share of over) {
      if (over.some((other) => other.keep === share.keep && endedBefore(share, other))) this.shares.delete(share.share);
    }
  }

  /** @param {string} id */
  remove(id) {
    this.shares.delete(id);
    this.#byUser.clear();
  }

  clear() {
    this.shares.clear();
    this.#byUser.clear();
    this.isCurrent = false;
  }

  /**
   * @param {string} user
   * @returns {Share[]}
   */
  of(user) {
    if (this.#byUser.size === 0) {
      for (const share of this.shares.values()) this.#byUser.set(share.user, [...this.#byUser.get(share.user) ?? [], share]);
    }
    const theirs = this.#byUser.get(user) ?? [];
    const isRunning = theirs.some(({ freshness }) => freshness.state !== 'ended');
    return isRunning ? theirs.filter(({ freshness, keep }) => freshness.state !== 'ended' || keep === 'expiring') : theirs;
  }

  /** @returns {Share[]} */
  get running() {
    return [...this.shares.values()].filter(({ freshness }) => freshness.state !== 'ended');
  }
}

/**
 * Of equal ends, the one with the greater id counts as the later one, as on the server.
 * @param {Share} one
 * @param {Share} other
 */
function endedBefore(one, other) {
  if (one.freshness.asOf !== other.freshness.asOf) return one.freshness.asOf < other.freshness.asOf;
  return BigInt(one.share) < BigInt(other.share);
}
