// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */

/** Who of a chat is connected. No socket inside. */
export class Presence {
  /** @type {Set<string>} */
  online = new Set();

  /**
   * @param {Frame} frame
   * @param {boolean} isFirst
   */
  answer(frame, isFirst) {
    if (isFirst) this.online.clear();
    for (const user of frame.online) this.online.add(user);
  }

  /** @param {Frame} frame */
  change(frame) {
    if (frame.online) this.online.add(frame.user);
    else this.online.delete(frame.user);
  }
}
