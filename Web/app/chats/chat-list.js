// @ts-check
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Frame} Frame */

/** The caller's chats as the stream tells them: first all, then each change. No socket inside. */
export class ChatList {
  /** @type {Map<string, Chat>} */
  chats = new Map();
  /** Whether the first full answer has come. */
  isCurrent = false;

  /** @type {Set<string>} */
  #answered = new Set();

  /**
   * A frame of the answer. What isn't in any of them has gone when the last has come.
   * @param {Frame} frame
   * @param {boolean} isFirst
   */
  answer(frame, isFirst) {
    if (isFirst) this.#answered.clear();
    for (const chat of frame.chats) {
      this.#answered.add(chat.id);
      this.chats.set(chat.id, chat);
    }
    if (!frame.current) return;
    this.isCurrent = true;
    for (const id of [...this.chats.keys()]) {
      if (!this.#answered.has(id)) this.chats.delete(id);
    }
  }

  /** @param {Frame} frame `chat` or `chatLeft` */
  change(frame) {
    if (frame.type === 'chat') {
      this.#answered.add(frame.chat.id);
      this.chats.set(frame.chat.id, frame.chat);
    }
    if (frame.type === 'chatLeft') {
      this.#answered.delete(frame.chat);
      this.chats.delete(frame.chat);
    }
  }

  clear() {
    this.chats.clear();
    this.isCurrent = false;
  }
}
