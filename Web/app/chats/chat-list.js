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
   * What was written and read. A member that isn't there is as before; a preview of `null` is gone. A read position never goes
   * back, in whatever order servers of a cluster hear of it.
   * @param {Frame} frame
   */
  #activity({ chat: id, written, active, preview, read, readWritten, reads }) {
    const chat = this.chats.get(id);
    if (!chat) return;
    const own = read === undefined || read < (chat.read ?? 0) ? {} : { read, readWritten };
    const said = Object.fromEntries(Object.entries({ written, active, ...own }).filter(([, value]) => value !== undefined));
    const others = Object.entries(reads ?? {}).map(([user, number]) => [user, Math.max(number, chat.reads?.[user] ?? 0)]);
    this.chats.set(id, {
      ...chat, ...said,
      ...(preview === undefined ? {} : { preview: preview ?? undefined }),
      ...(reads ? { reads: { ...chat.reads, ...Object.fromEntries(others) } } : {}),
    });
  }
}
