// @ts-check
import { Observable } from '../page/observable.js';
import { freshKey } from '../stream/key.js';

/** @typedef {import('../wire.d.ts').Unsent} Unsent */
/** @typedef {{ key: string, tag: 'Photo' | 'Place', file?: Blob, data?: any }} Attached a chosen photo, or one or a place that the server refused */
/**
 * @typedef {object} Draft what somebody writes in a chat, and hasn't sent
 * @property {string} id the person and the chat
 * @property {string} user
 * @property {string} chat
 * @property {string} text
 * @property {{ number: number, text: string }} [reply] to which message, and what that says
 * @property {Attached[]} attached
 */

/** How long a text is written before it is kept, at most, in milliseconds. */
const KEPT_EVERY = 300;
const CHANNEL = 'yonder.drafts';

/**
 * What a person writes, a chat each: kept in the browser's database until it is sent, and the same in each of its tabs. What the server
 * refuses for good comes back here.
 */
export class Drafts extends Observable {
  #store;
  #scope;
  #tell;
  /** @type {string | undefined} */
  #user;
  /** By chat. @type {Map<string, Draft>} */
  #drafts = new Map();
  /** The chats whose drafts aren't kept as they are. @type {Set<string>} */
  #unkept = new Set();
  #isWaiting = false;
  /** The chats whose draft changed before the stored drafts were read. @type {Set<string>} */
  #early = new Set();
  #isRead = false;
  /** The keys of the messages that were refused and put back into a draft, in any tab. @type {Set<string>} */
  #returned = new Set();
  /** The keys of what is on its way to the server. @type {Set<string>} */
  #sending = new Set();

  /**
   * @param {Pick<import('../storage/store.js').Store, 'load' | 'put' | 'remove'>} store
   * @param {import('../page/scope.js').Scope} scope of the person who writes
   */
  constructor(store, scope) {
    super();
    this.#store = store;
    this.#scope = scope;
    this.#tell = scope.channel(CHANNEL, (told) => this.#heard(told));
    const hidden = () => { if (document.visibilityState === 'hidden') this.settled(); };
    scope.listen(document, 'visibilitychange', hidden);
    scope.listen(globalThis, 'pagehide', () => this.settled());
    scope.add(() => {
      this.#user = undefined;
      this.#drafts.clear();
      this.#unkept.clear();
    });
  }

  /**
   * Reads the stored drafts. Text that was typed before is appended to the stored text.
   * @param {string | undefined} user
   */
  async begin(user) {
    this.#user = user;
    if (user === undefined) return;
    const stored = /** @type {Draft[]} */ ((await this.#store.load('drafts')) ?? []).filter((draft) => draft.user === this.#user);
    this.#isRead = true;
    for (const draft of stored) if (!this.#drafts.has(draft.chat)) this.#drafts.set(draft.chat, draft);
    // Other tabs are sent no draft before it has its stored part.
    for (const chat of this.#early) {
      const draft = stored.find((each) => each.chat === chat);
      this.#put(draft ? joined(draft, this.of(chat)) : this.of(chat));
    }
    this.#early.clear();
    this.changed();
  }

  /**
   * @param {string} chat
   * @returns {Draft}
   */
  of(chat) {
    const user = this.#user ?? '';
    return this.#drafts.get(chat) ?? { id: `${user}/${chat}`, user, chat, text: '', attached: [] };
  }

  /**
   * @param {string} chat
   * @param {string} text
   */
  write(chat, text) {
    this.#put({ ...this.of(chat), text });
  }

  /**
   * @param {string} chat
   * @param {Draft['reply']} reply
   */
  reply(chat, reply) {
    this.#put({ ...this.of(chat), reply });
  }

  /**
   * @param {string} chat
   * @param {Omit<Attached, 'key'>} what
   * @returns {string} its key
   */
  attach(chat, what) {
    const key = freshKey();
    const draft = this.of(chat);
    this.#put({ ...draft, attached: [...draft.attached, { key, ...what }] });
    return key;
  }

  /**
   * @param {string} chat
   * @param {string} key
   */
  detach(chat, key) {
    const draft = this.of(chat);
    this.#sending.delete(key);
    this.#put({ ...draft, attached: draft.attached.filter((each) => each.key !== key) });
  }

  /**
   * Whether a photo or place of a draft is being sent to the server.
   * @param {string} key
   */
  isSending(key) {
    return this.#sending.has(key);
  }

  /**
   * @param {string} key
   * @param {boolean} isSending
   */
  setSending(key, isSending) {
    if (isSending) this.#sending.add(key);
    else this.#sending.delete(key);
    this.changed();
  }

  /**
   * Puts a refused message back into its chat's draft: its text before the draft's, its place or photo behind the attached ones. Another tab or the
   * worker may report the same refusal: a message is put back once.
   * @param {Unsent} entry
   * @returns {Promise<boolean>} whether it is kept
   */
  giveBack({ key, chat, tag, content, data }) {
    if (this.#returned.has(key)) return this.#kept(chat);
    this.#returned.add(key);
    const draft = this.of(chat);
    const { reply, ...rest } = Object(data);
    /** @type {Attached[]} */
    const attached = tag === 'Photo' || tag === 'Place' ? [{ key, tag, data: rest }] : [];
    const returned = { ...draft, text: content ?? '', attached, reply: reply === undefined ? undefined : { number: reply, text: '' } };
    this.#put({ ...joined(returned, draft), attached: [...draft.attached, ...attached] }, key);
    return this.#kept(chat);
  }

  /**
   * Stores the draft of one chat, whether or not those of others can be stored.
   * @param {string} chat
   * @returns {Promise<boolean>} whether it is kept
   */
  async #kept(chat) {
    this.#unkept.delete(chat);
    const isKept = await this.#keep(chat);
    if (!isKept) this.#unkept.add(chat);
    return isKept;
  }

  /** @returns {Promise<boolean>} whether all is kept as it is now */
  async settled() {
    const chats = [...this.#unkept];
    this.#unkept.clear();
    const kept = await Promise.all(chats.map(async (chat) => (await this.#keep(chat)) || !this.#unkept.add(chat)));
    return kept.every(Boolean);
  }

  /** @param {string} chat */
  #keep(chat) {
    const draft = this.#drafts.get(chat);
    return draft ? this.#store.put('drafts', draft) : this.#store.remove('drafts', this.of(chat).id);
  }

  /**
   * @param {Draft} draft
   * @param {string} [returned] the key of the refused message that was put back by this change
   */
  #put(draft, returned) {
    if (this.#user === undefined) return;
    if (!this.#isRead) this.#early.add(draft.chat);
    this.#set(draft);
    this.#unkept.add(draft.chat);
    if (this.#isRead) this.#tell?.({ draft, returned });
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#scope.after(KEPT_EVERY, () => {
      this.#isWaiting = false;
      this.settled();
    });
  }

  /** @param {Draft} draft */
  #set(draft) {
    if (draft.text === '' && draft.reply === undefined && draft.attached.length === 0) this.#drafts.delete(draft.chat);
    else this.#drafts.set(draft.chat, draft);
    this.changed();
  }

  /** @param {{ draft: Draft, returned?: string }} from another tab, which stores the draft */
  #heard({ draft, returned }) {
    if (draft.user !== this.#user) return;
    if (returned !== undefined) this.#returned.add(returned);
    this.#early.delete(draft.chat);
    this.#set(draft);
  }
}

/**
 * Joins two drafts of one chat: the second one's text and attachments are appended to the first one's.
 * @param {Draft} first
 * @param {Draft} second its reply is kept if it has one, else the first one's
 * @returns {Draft}
 */
function joined(first, second) {
  const text = [first.text, second.text].filter(Boolean).join(' ');
  return { ...second, text, reply: second.reply ?? first.reply, attached: [...first.attached, ...second.attached] };
}
