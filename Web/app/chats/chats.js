// @ts-check
import { Observable } from '../page/observable.js';
import { activeAt } from './activity.js';
import { ChatList } from './chat-list.js';
import { unreadIn } from '../messages/readers.js';
import { freshKey } from '../stream/key.js';
import { LiveChat } from './live-chat.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many chats are followed on the map at once, with two subscriptions each; a session has 256 in all. */
const FOLLOWED_AT_MOST = 100;

/** The caller's chats, each followed live. */
export class Chats extends Observable {
  list = new ChatList();
  /** Called with each message that somebody wrote while the page is open. */
  onWritten = (/** @type {Chat} */ _chat, /** @type {import('../wire.d.ts').Preview} */ _preview) => {};

  /** @type {Map<string, LiveChat>} */
  #live = new Map();
  #stream;

  /** @param {Stream} stream */
  constructor(stream) {
    super();
    this.#stream = stream;
  }

  /** Subscribes; after each time the stream was opened anew. */
  follow() {
    this.#stream.subscribe({ query: 'chats' }, {
      answer: (frame, isFirst) => { this.list.answer(frame, isFirst); this.#settle(); },
      change: (frame) => this.#change(frame),
    });
  }

  clear() {
    this.list.clear();
    this.#live.clear();
    this.changed();
  }

  /** @returns {Chat[]} by last activity, newest first */
  get all() {
    const active = new Map([...this.list.chats.values()].map((chat) => [chat, this.activeAt(chat)]));
    return [...active.keys()].sort((a, b) => (active.get(b) ?? 0) - (active.get(a) ?? 0));
  }

  /** @param {Chat} chat */
  activeAt(chat) {
    const live = this.#live.get(chat.id);
    return activeAt(chat, live?.messages?.known ?? []);
  }

  /** @param {string} id */
  chat(id) {
    return this.list.chats.get(id);
  }

  /**
   * @param {string} id
   * @returns {LiveChat | undefined}
   */
  live(id) {
    const known = this.#live.get(id);
    if (known || !this.list.chats.has(id)) return known;
    return this.#start(id);
  }

  /** Those followed so far. */
  get followed() {
    return [...this.#live].flatMap(([id, live]) => {
      const chat = this.list.chats.get(id);
      return chat ? [{ chat, live }] : [];
    });
  }

  /**
   * @param {{ invitees: string[], subject?: string, oneToOne: boolean }} wish
   * @returns {Promise<{ chat: Chat, existed: boolean }>}
   */
  async start(wish) {
    const { subject, ...rest } = wish;
    const frame = { type: 'start', key: freshKey(), ...rest, ...(subject ? { subject } : {}) };
    const { chat, existed } = await this.#stream.request(frame);
    this.list.change({ type: 'chat', chat });
    this.#settle();
    return { chat, existed };
  }

  /**
   * @param {string} chat
   * @param {boolean} [stayOut] whether owners can't add this person again; for groups
   */
  async leave(chat, stayOut) {
    await this.#ask({ type: 'leave', chat, ...(stayOut ? { stayOut } : {}) });
    this.list.change({ type: 'chatLeft', chat });
    this.#settle();
  }

  /**
   * @param {string} chat
   * @param {string} subject
   */
  setSubject(chat, subject) {
    return this.#ask({ type: 'subject', chat, subject });
  }

  /**
   * Decides whether only owners may change the subject; for owners.
   * @param {string} chat
   * @param {boolean} subjectLocked
   */
  async lockSubject(chat, subjectLocked) {
    await this.#ask({ type: 'subject', chat, subjectLocked });
    const known = this.list.chats.get(chat);
    if (known) this.list.change({ type: 'chat', chat: { ...known, subjectLocked } });
    this.changed();
  }

  /**
   * Decides how long the chat keeps positions; for owners.
   * @param {string} chat
   * @param {string} positions
   */
  async keepPositions(chat, positions) {
    await this.#ask({ type: 'subject', chat, positions });
    const known = this.list.chats.get(chat);
    if (known) this.list.change({ type: 'chat', chat: { ...known, positions } });
    this.changed();
  }

  /**
   * @param {string} chat
   * @param {string[]} users
   */
  add(chat, users) {
    return this.#ask({ type: 'add', chat, users });
  }

  /**
   * Takes somebody out; for owners.
   * @param {string} chat
   * @param {string} user
   */
  remove(chat, user) {
    return this.#ask({ type: 'remove', chat, user });
  }

  /**
   * Makes somebody else the owner; for owners.
   * @param {string} chat
   * @param {string} user
   */
  handOver(chat, user) {
    return this.#ask({ type: 'owner', chat, user });
  }

  /**
   * @param {string} chat
   * @param {number} number
   */
  recall(chat, number) {
    return this.#ask({ type: 'recall', chat, number });
  }

  /**
   * Says that this person has read so far. Not answered: the change comes with the chat's activity.
   * @param {string} chat
   * @param {number} number
   */
  read(chat, number) {
    this.#stream.send({ type: 'read', chat, number });
  }

  /**
   * How many messages are new to a reader, over all chats.
   * @param {string} own
   */
  unread(own) {
    return [...this.list.chats.values()].reduce((sum, chat) => sum + unreadIn(chat, own), 0);
  }

  /** @param {import('../wire.d.ts').Frame} frame */
  #ask(frame) {
    return this.#stream.request({ ...frame, key: freshKey() });
  }

  /** @param {import('../wire.d.ts').Frame} frame */
  #change(frame) {
    const before = this.list.chats.get(frame.chat)?.preview?.number ?? 0;
    this.list.change(frame);
    this.#settle();
    const chat = this.list.chats.get(frame.chat);
    if (frame.type === 'activity' && chat?.preview && chat.preview.number > before) this.onWritten(chat, chat.preview);
  }

  /** Follows new chats, and lets go of those that were left. */
  #settle() {
    for (const [id, live] of this.#live) {
      if (this.list.chats.has(id)) continue;
      live.close();
      this.#live.delete(id);
    }
    for (const { id } of this.all.slice(0, FOLLOWED_AT_MOST)) this.live(id);
    this.changed();
  }

  /** @param {string} id */
  #start(id) {
    const live = new LiveChat(this.#stream, id);
    live.observe(() => this.changed());
    this.#live.set(id, live);
    return live;
  }
}
