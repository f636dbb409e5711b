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

  /** @param {{ isOfChat?: boolean }} [options] `isOfChat` lets go of a person's ended share when a later one begins */
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

  /** @param {Frame} frame */
  change(frame) {
    for (const share of frame.shares) this.put(share);
  }

  /** @param {Share} share */
  put(share) {
    this.shares.set(share.share, share);
    const theirs = this.#isOfChat ? [...this.shares.values()].filter(({ user }) => user === share.user) : [];
    for (const { share: id, started, freshness } of theirs) {
      if (freshness.state === 'ended' && started < share.started) this.shares.delete(id);
    }
    this.#byUser.clear();
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
    return this.#byUser.get(user) ?? [];
  }

  /** @returns {Share[]} */
  get running() {
    return [...this.shares.values()].filter(({ freshness }) => freshness.state !== 'ended');
  }
}
