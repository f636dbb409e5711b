// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';
import { MessageLog } from './message-log.js';
import { NOTE_TAGS } from './note-text.js';
import { Reach } from './reach.js';
import { WrittenHere } from './written-here.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../wire.d.ts').Subscriber} Subscriber */
/** @typedef {import('../wire.d.ts').Unsent} Unsent */

/** What people write. */
export const WRITTEN_TAGS = ['Text', 'Place', 'Photo'];
const TAGS = [...WRITTEN_TAGS, ...NOTE_TAGS];

/** How many of each tag come at first, and how many with each step back. */
const PAGE = 60;

/** How many quoted messages are kept that lie further back than the list reaches. */
const QUOTED_AT_MOST = 100;

/**
 * What is read in a chat: what people wrote, and who came, left and shared. The newest at first, older ones on demand.
 */
export class LiveMessages extends Observable {
  /** Grows with each change, so that a view knows whether it has drawn this already. */
  version = 0;
  writtenHere = new WrittenHere();

  #log = new MessageLog();
  #reach = new Reach(TAGS);
  /** Single messages that were quoted. @type {Map<number, Message>} */
  #quoted = new Map();
  #chat;
  /** @type {(() => void)[]} */
  #ends = [];
  #isExtending = false;
  /** The last answer of `newest`. @type {{ version: number, tag: string, senders: Map<string, Message> }} */
  #newest = { version: -1, tag: '', senders: new Map() };

  /**
   * @param {string} chat
   * @param {(query: Record<string, unknown>, subscriber: Subscriber) => () => void} subscribe
   */
  constructor(chat, subscribe) {
    super();
    this.#chat = chat;
    this.#ends = TAGS.map((tag) => this.#follow(tag, subscribe));
  }

  /** In order, from the number on from which nothing is missing. @returns {Message[]} */
  get all() {
    const { from } = this.#reach;
    return this.#log.messages.filter(({ number = 0 }) => number >= from);
  }

  /** Everything that has come, with gaps. */
  get known() {
    return this.#log.messages;
  }

  /**
   * The newest message of a tag of each sender.
   * @param {string} tag
   * @returns {Map<string, Message>}
   */
  newest(tag) {
    if (this.#newest.version !== this.version || this.#newest.tag !== tag) {
      const senders = new Map(this.#log.messages.flatMap((message) => (message.tag === tag ? [[message.sender, message]] : [])));
      this.#newest = { version: this.version, tag, senders };
    }
    return this.#newest.senders;
  }

  /** Whether the newest messages are there. */
  get isCurrent() {
    return Number.isFinite(this.#reach.from);
  }

  get hasOlder() {
    return this.#reach.hasOlder;
  }

  /** Loads what is older. While it is being loaded, nothing. */
  async extend() {
    if (this.#isExtending || !this.hasOlder) return;
    this.#isExtending = true;
    try {
      const before = this.#reach.from;
      await Promise.all(this.#reach.lagging.map((tag) => this.#extend(tag, before)));
    } finally {
      this.#isExtending = false;
      this.#changed();
    }
  }

  /**
   * A message that a reply quotes; `undefined` until it is known, which it is soon.
   * @param {number} number
   * @returns {Message | undefined}
   */
  quoted(number) {
    const known = this.#log.messages.find((message) => message.number === number) ?? this.#quoted.get(number);
    if (!known && this.isCurrent) this.#loadQuoted(number);
    return known?.tag ? known : undefined;
  }

  /**
   * Takes away what has expired.
   * @param {number} now by the server's clock
   */
  expire(now) {
    if (this.#log.expire(now)) this.#changed();
  }

  /**
   * The server has stored what was written here.
   * @param {Unsent} entry
   * @param {Frame} frame
   */
  answered(entry, { number, time }) {
    if (number === undefined || !WRITTEN_TAGS.includes(entry.tag)) return;
    this.writtenHere.answered(entry, number, time);
    this.#changed();
  }

  close() {
    for (const end of this.#ends) end();
  }

  /**
   * @param {string} tag
   * @param {(query: Record<string, unknown>, subscriber: Subscriber) => () => void} subscribe
   */
  #follow(tag, subscribe) {
    let through = 0;
    let isCurrent = false;
    /** @type {number[]} */
    let numbers = [];
    return subscribe({ query: 'messages', tag }, {
      // The newest at first, after a reconnect everything that was missed.
      resume: () => (isCurrent ? { since: through } : { limit: PAGE }),
      answer: (frame, isFirst) => {
        if (isFirst) numbers = [];
        this.#log.page(frame);
        numbers.push(...frame.messages.flatMap((/** @type {Message} */ message) => (message.tag === tag ? [message.number] : [])));
        through = Math.max(through, frame.through ?? 0);
        if (frame.current && !isCurrent) {
          isCurrent = true;
          this.#reach.answered(tag, numbers, PAGE);
        }
        this.#changed();
      },
      change: (frame) => {
        // A message that is kept nowhere has no place in the list.
        if (frame.number !== undefined) this.#log.change(/** @type {any} */ (frame));
        through = Math.max(through, frame.number ?? frame.through ?? 0);
        this.#changed();
      },
    });
  }

  /**
   * @param {string} tag
   * @param {number} before
   */
  async #extend(tag, before) {
    const page = await rest('GET', `/chats/${this.#chat}/messages?tag=${tag}&before=${before}&limit=${PAGE}`);
    this.#log.page({ type: 'messages', messages: page.messages });
    this.#reach.extended(tag, page.previous);
  }

  /** @param {number} number */
  async #loadQuoted(number) {
    if (this.#quoted.has(number) || this.#quoted.size >= QUOTED_AT_MOST) return;
    // Without a tag it stands for one that is asked for, or can't be read.
    this.#quoted.set(number, { chat: this.#chat, number, sender: '', tag: '', content: '', time: 0 });
    try {
      this.#quoted.set(number, (await rest('GET', `/chats/${this.#chat}/messages/${number}`)).message);
      this.#changed();
    } catch {
      // It is gone, or from before the reader came: the reply stands alone.
    }
  }

  #changed() {
    this.version += 1;
    this.changed();
  }
}
