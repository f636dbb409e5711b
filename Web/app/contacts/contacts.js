// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';
import { ContactList } from './contact-list.js';

/** @typedef {import('../wire.d.ts').User} User */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How often a server without the query `contacts` is asked while an invitation may be accepted, and for how long. */
const ASK_EVERY = 5_000;
const EXPECT_FOR = 15 * 60_000;

/** The people with whom this person may start a chat, kept current. */
export class Contacts extends Observable {
  /** Whom this person has blocked. @type {User[]} */
  blocked = [];
  /** The groups that this person stays out of, the one left last first. @type {{ id: string, subject: string }[]} */
  leftGroups = [];
  /** @type {unknown} */
  failure;
  /** Called with each person who became a contact while the page is open. */
  onNew = (/** @type {User} */ _user) => {};

  #list = new ContactList();
  #stream;
  #isFollowed = false;
  /** Whether the stream says what changes: a server that does also removes people and blocks. */
  isLive = false;
  #expectUntil = 0;

  /**
   * @param {Stream} stream
   * @param {import('../page/scope.js').Scope} scope of the person whose contacts these are
   */
  constructor(stream, scope) {
    super();
    this.#stream = stream;
    scope.listen(globalThis, 'focus', () => this.refresh());
    scope.listen(document, 'visibilitychange', () => this.refresh());
    scope.every(ASK_EVERY, () => { if (performance.now() < this.#expectUntil) this.refresh(); });
    scope.add(() => { this.#isFollowed = false; });
  }

  /** By name; `undefined` until the server has answered. @returns {User[] | undefined} */
  get all() {
    return this.#list.isCurrent ? this.#list.all : undefined;
  }

  /** Subscribes; after each time the stream was opened anew. A server that doesn't know the query is asked by REST. */
  follow() {
    this.#isFollowed = true;
    this.#stream.subscribe({ query: 'contacts' }, {
      answer: (frame, isFirst) => {
        this.isLive = true;
        if (frame.current) {
          this.loadBlocked();
          this.loadLeftGroups();
        }
        this.#changed(this.#list.answer(frame, isFirst));
      },
      change: (frame) => this.#changed(this.#list.change(frame)),
      ended: () => { this.isLive = false; },
    });
    this.load();
  }

  /** Asks by REST. What the stream has begun to say meanwhile is newer than the answer. */
  async load() {
    const list = this.#list;
    try {
      const { contacts } = await rest('GET', '/contacts');
      if (list !== this.#list || this.isLive) return;
      this.failure = undefined;
      this.#changed(this.#list.replace(contacts));
    } catch (error) {
      if (list !== this.#list) return;
      this.failure = error;
      this.changed();
    }
  }

  /** Asks whom this person has blocked; a server that doesn't block says nobody. */
  async loadBlocked() {
    if (!this.isLive) return;
    try {
      this.blocked = (await rest('GET', '/blocks')).blocks;
    } catch {
      this.blocked = [];
    }
    this.changed();
  }

  /** Asks which groups this person stays out of; a server that doesn't know the question has none. */
  async loadLeftGroups() {
    if (!this.isLive) return;
    try {
      this.leftGroups = (await rest('GET', '/me/stays-out')).chats;
    } catch {
      this.leftGroups = [];
    }
    this.changed();
  }

  /** Asks again, unless the stream says what changes. */
  refresh() {
    if (this.#isFollowed && !this.isLive && document.visibilityState === 'visible') this.load();
  }

  /**
   * Somebody was taken out from here.
   * @param {string} user
   */
  gone(user) {
    this.#list.change({ type: 'contactGone', user });
    this.changed();
  }

  /** @returns {Promise<{ url: string, expires: number }>} a link good once */
  async invite() {
    const invitation = await rest('POST', '/invitations');
    this.#expectUntil = performance.now() + EXPECT_FOR;
    return invitation;
  }

  /** @param {User[]} added */
  #changed(added) {
    for (const user of added) this.onNew(user);
    this.changed();
  }
}
