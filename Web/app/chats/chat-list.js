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

  /** @param {Frame} frame `chat`, `chatLeft` or `activity` */
  change(frame) {
    if (frame.type === 'activity') this.#activity(frame);
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

  /**
   * What was written and read. A member that isn't there is as before; a preview of `null` is gone.
   * @param {Frame} frame
   */
  #activity({ chat: id, written, active, preview, read, readWritten, reads }) {
    const chat = this.chats.get(id);
    if (!chat) return;
    const said = Object.fromEntries(Object.entries({ written, active, read, readWritten }).filter(([, value]) => value !== undefined));
    this.chats.set(id, {
      ...chat, ...said,
      ...(preview === undefined ? {} : { preview: preview ?? undefined }),
      ...(reads ? { reads: { ...chat.reads, ...reads } } : {}),
    });
  }
}
