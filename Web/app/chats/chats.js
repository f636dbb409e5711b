// @ts-check
import { Observable } from '../page/observable.js';
import { activeAt } from './activity.js';
import { ChatList } from './chat-list.js';
import { unreadIn } from '../messages/readers.js';
import { getByREST } from '../positions/all-positions.js';
import { freshKey } from '../stream/key.js';
import { LiveChat } from './live-chat.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many chats are followed at once, with two subscriptions each; a session has 256 in all. */
const FOLLOWED_AT_MOST = 100;
/** How many of those shown last are followed beside the most active ones. */
const SHOWN_AT_MOST = 5;

/** The caller's chats, each followed live. */
export class Chats extends Observable {
  list = new ChatList();
  /** Called with each message that somebody wrote while the page is open. */
  onWritten = (/** @type {Chat} */ _chat, /** @type {import('../wire.d.ts').Preview} */ _preview) => {};

  /** @type {Map<string, LiveChat>} */
  #live = new Map();
  /** Those shown last, the newest at the end. @type {Set<string>} */
  #shown = new Set();
  #stream;
  #get;

  /**
   * @param {Stream} stream
   * @param {import('../positions/all-positions.js').Get} [get]
   */
  constructor(stream, get = getByREST) {
    super();
    this.#stream = stream;
    this.#get = get;
  }

  /** Subscribes; after each time the stream was opened anew. */
  follow() {
    this.#stream.subscribe({ query: 'chats' }, {
      answer: (frame, isFirst) => {
        this.list.answer(frame, isFirst);
        for (const { id } of frame.chats) this.#retry(id);
        this.#settle();
      },
      change: (frame) => this.#change(frame),
    });
  }

  clear() {
    this.list.clear();
    for (const live of this.#live.values()) live.close();
    this.#live.clear();
    this.#shown.clear();
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
   * One that is to be shown, followed from now on.
   * @param {string} id
   * @returns {LiveChat | undefined}
   */
  live(id) {
    const known = this.#live.get(id);
    if (!this.list.chats.has(id)) return known;
    this.#shown.delete(id);
    this.#shown.add(id);
    if (this.#shown.size > SHOWN_AT_MOST) this.#shown.delete(/** @type {string} */ (this.#shown.values().next().value));
    return known ?? this.#start(id);
  }

  /**
   * One that is followed already.
   * @param {string} id
   */
  followedLive(id) {
    return this.#live.get(id);
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
    if (frame.type === 'chat') this.#retry(frame.chat.id);
    this.#settle();
    const chat = this.list.chats.get(frame.chat);
    if (frame.type === 'activity' && chat?.preview && chat.preview.number > before) this.onWritten(chat, chat.preview);
  }

  /** Follows the most active chats and those shown last, and lets go of the others. */
  #settle() {
    const active = this.all.slice(0, FOLLOWED_AT_MOST).map(({ id }) => id);
    const wanted = new Set([...active, ...[...this.#shown].filter((id) => this.list.chats.has(id))]);
    for (const [id, live] of this.#live) if (!wanted.has(id) && !(live.isOpen && this.list.chats.has(id))) this.#letGo(id);
    for (const id of wanted) if (!this.#live.has(id)) this.#start(id);
    this.changed();
  }

  /**
   * Follows one anew that was over, as of somebody who left and was added again.
   * @param {string} id
   */
  #retry(id) {
    if (this.#live.get(id)?.refusal) this.#letGo(id);
  }

  /** @param {string} id */
  #letGo(id) {
    this.#live.get(id)?.close();
    this.#live.delete(id);
  }

  /** @param {string} id */
  #start(id) {
    const live = new LiveChat(this.#stream, id, this.#get);
    live.observe(() => this.changed(), live.scope);
    this.#live.set(id, live);
    return live;
  }
}
