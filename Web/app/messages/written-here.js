// @ts-check
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */
/** @typedef {import('./message-rows.js').Line} Line */

/**
 * What is written in this browser, among the stored messages of its chat. Each stands there once, under one key, from the moment in
 * which it is written: whether the server's answer comes first, or the message itself, which names no key.
 */
export class WrittenHere {
  /** What the server has answered and the subscription hasn't brought, by number. @type {Map<number, Line>} */
  #answered = new Map();
  /** The key under which a stored message was written. @type {Map<number, string>} */
  #keys = new Map();
  /** By the key of what isn't answered: the newest number that was there before. @type {Map<string, number>} */
  #after = new Map();

  /**
   * The server has stored what was written.
   * @param {Unsent} entry
   * @param {number} number
   * @param {number} time by the server's clock
   */
  answered({ key, user, chat, tag, content, data }, number, time) {
    this.#keys.set(number, key);
    this.#answered.set(number, { key, chat, number, sender: user, tag, content, data, time });
  }

  /**
   * All of a chat, in order: by number, and then what waits to be sent.
   * @param {Message[]} stored in order
   * @param {Unsent[]} unsent in order
   * @returns {Line[]}
   */
  lines(stored, unsent) {
    const newest = stored.at(-1)?.number ?? 0;
    this.#after = new Map(unsent.map(({ key }) => [key, this.#after.get(key) ?? newest]));
    const keys = new Map(this.#keys);
    const waiting = unsent.filter((entry) => {
      const after = this.#after.get(entry.key) ?? newest;
      const twin = stored.find((message) => (message.number ?? 0) > after && !keys.has(message.number ?? 0) && isTwin(message, entry));
      if (twin?.number !== undefined) keys.set(twin.number, entry.key);
      return !twin;
    });
    return [
      ...this.#withAnswered(stored).map((message) => ({ ...message, key: keys.get(message.number ?? 0) ?? `n${message.number}` })),
      ...waiting.map(({ key, user, chat, tag, content, data, time }) => ({ key, sender: user, chat, tag, content, data, time, isUnsent: true })),
    ];
  }

  /** @param {Message[]} stored */
  #withAnswered(stored) {
    if (this.#answered.size === 0) return stored;
    for (const { number = 0 } of stored) this.#answered.delete(number);
    return [...stored, ...this.#answered.values()].sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  }
}

/**
 * Whether a stored message says what was written. The server passes on `data` byte for byte.
 * @param {Message} message
 * @param {Unsent} entry
 */
function isTwin({ sender, tag, content, data }, entry) {
  return sender === entry.user && tag === entry.tag && content === entry.content && JSON.stringify(data) === JSON.stringify(entry.data);
}
