// @ts-check
import { Observable } from '../page/observable.js';
import { activeAt } from './activity.js';
import { ChatList } from './chat-list.js';
import { unreadIn } from '../messages/readers.js';
import { knownOf } from '../messages/told.js';
import { getByREST } from '../positions/all-positions.js';
import { throttle } from '../page/throttle.js';
import { freshKey } from '../stream/key.js';
import { LiveChat } from './live-chat.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many chats are followed at once, with two subscriptions each; a session has 256 in all. */
const FOLLOWED_AT_MOST = 100;
/** How often it is told at most that positions and messages changed something, in milliseconds: whoever moves, once for all of them. */
const LIVELY_EVERY = 50;
/** How many of those shown last are followed beside the most active ones. */
const SHOWN_AT_MOST = 5;

/** The caller's chats, each followed live. */
export class Chats extends Observable {
  list = new ChatList();
  /** Called with each chat in which something may have been written since it was known, live or while the connection was away. */
  onWritten = (/** @type {Chat} */ _chat, /** @type {import('../messages/told.js').Known} */ _before) => {};

  /** @type {Map<string, LiveChat>} */
  #live = new Map();
  /** Those shown last, the newest at the end. @type {Set<string>} */
  #shown = new Set();
  /** What was known of each when it was told last; `undefined` before the first whole answer. @type {Map<string, import('../messages/told.js').Known> | undefined} */
  #known;
  #lively = throttle(LIVELY_EVERY, () => this.changed());
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
        if (frame.current) this.#compare();
      },
      change: (frame) => this.#change(frame),
    });
  }

  clear() {
    this.list.clear();
    for (const live of this.#live.values()) live.close();
    this.#live.clear();
    this.#shown.clear();
    this.#known = undefined;
    this.#lively.cancel();
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
    this.list.change(frame);
    if (frame.type === 'chat') this.#retry(frame.chat.id);
    this.#settle();
    const chat = this.list.chats.get(frame.type === 'chat' ? frame.chat.id : frame.chat);
    if (chat && this.#known) this.#tell(chat);
  }

  /** After an absence: what was written meanwhile came with the answer. Of what a first answer has, nobody is told. */
  #compare() {
    const isFirst = this.#known === undefined;
    this.#known ??= new Map();
    for (const chat of this.list.chats.values()) {
      if (isFirst) this.#known.set(chat.id, knownOf(chat));
      else this.#tell(chat);
    }
  }

  /** @param {Chat} chat */
  #tell(chat) {
    const before = this.#known?.get(chat.id) ?? knownOf(undefined);
    this.#known?.set(chat.id, knownOf(chat));
    if ((chat.preview?.number ?? 0) > before.number) this.onWritten(chat, before);
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
    live.observe(this.#lively.run, live.scope);
    this.#live.set(id, live);
    return live;
  }
}
