// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';
import { FINAL } from '../stream/subscriptions.js';
import { PAGE } from './bounds.js';
import { Overview } from './overview.js';
import { Stretch } from './stretch.js';

/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('./stretch.js').Question} Question */
/** @typedef {(path: string, signal: AbortSignal) => Promise<any>} Get asks the server by REST, under `/v1` */

/** How long it waits before it asks again after a failure, in milliseconds, when the server doesn't say how long. */
const WAIT = 3_000;

/** Asks the server of this page. @type {Get} */
export const getByREST = (path, signal) => rest('GET', path, undefined, { signal });

/**
 * *View all locations*: every position that a chat keeps and the reader may read. Changes come by the stream, what was before page by
 * page; {@link Stretch} decides. Nothing of it is kept by the browser, and all of it goes with `close`.
 */
export class AllPositions extends Observable {
  stretch;
  /** How long the chat keeps positions, in milliseconds; `undefined` for ever. @type {number | undefined} */
  keptFor;
  /** @type {Overview | undefined} */
  overview;

  #id;
  #get;
  #now;
  #end;
  /** The number up to which the stream has said all; `undefined` before its first answer. @type {number | undefined} */
  #through;
  #closed = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} id the chat's
   * @param {object} sources
   * @param {(query: Record<string, unknown>, subscriber: import('../wire.d.ts').Subscriber) => () => void} sources.subscribe
   * @param {() => number} sources.now the server's time
   * @param {Get} sources.get
   * @param {Stretch} [stretch]
   */
  constructor(id, { subscribe, now, get }, stretch = new Stretch()) {
    super();
    this.#id = id;
    this.#get = get;
    this.#now = now;
    this.stretch = stretch;
    this.#end = this.#follow(subscribe);
  }

  /** Ends the subscription and the questions. */
  close() {
    this.stretch = new Stretch();
    this.#end();
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  /** Shows the stretch before this one in its place. */
  earlier() {
    this.overview?.end();
    this.stretch.earlier();
    this.#ask();
    this.changed();
  }

  /** Shows the newest positions again. */
  newest() {
    this.stretch.newest();
    this.#ask();
    this.changed();
  }

  /** @param {number} now by the server's clock */
  expire(now) {
    if (this.stretch.expire(now, this.keptFor)) this.#emptied();
  }

  /**
   * Lets go of the positions of a person whose expiring share is over by the clock, and asks which of them can still be read. Without a
   * connection no message says so.
   * @param {string} user
   */
  shareEnded(user) {
    this.#receive([/** @type {Message} */ ({ tag: 'Share', sender: user, data: { keep: 'expiring', state: 'expired' } })]);
  }

  /** @param {number} created when the chat was started */
  reach(created) {
    return this.stretch.reach({ now: this.#now(), keptFor: this.keptFor, created });
  }

  /** @param {(query: Record<string, unknown>, subscriber: import('../wire.d.ts').Subscriber) => () => void} subscribe */
  #follow(subscribe) {
    // With a time it is another query than the chat's last positions, which are followed beside it.
    return subscribe({ query: 'messages', tag: 'Location', from: 1 }, {
      since: () => this.#through,
      resume: () => (this.#through === undefined ? { limit: 1 } : {}),
      answer: (frame) => {
        if (this.#through !== undefined) this.#receive(frame.messages);
        else if (frame.current) this.#begin(frame.through ?? 0);
        if (this.#through !== undefined) this.#through = Math.max(this.#through, frame.through ?? 0);
      },
      change: (frame) => {
        const message = /** @type {Message} */ (/** @type {unknown} */ (frame));
        if (message.number === undefined || this.#through === undefined) return;
        this.#through = Math.max(this.#through, message.number);
        this.#receive([message]);
      },
    });
  }

  /** @param {number} through */
  #begin(through) {
    this.#through = through;
    this.overview = new Overview(this.#id, through);
    this.stretch.begin(through);
    this.#ask();
  }

  /** @param {Message[]} messages */
  #receive(messages) {
    const { revision } = this.stretch;
    const isEmptied = messages.map((message) => this.stretch.receive(message)).includes(true);
    if (isEmptied) this.#emptied();
    else if (this.stretch.revision !== revision) this.changed();
  }

  #emptied() {
    this.overview?.end();
    this.#ask();
    this.changed();
  }

  #ask() {
    const question = this.stretch.next();
    if (question) this.#answer(question);
    else if (!this.stretch.isLoading) this.overview?.end();
  }

  /** @param {Question} question */
  async #answer(question) {
    try {
      this.stretch.answered(question, await this.#get(this.#pathOf(question), this.#closed.signal));
    } catch (error) {
      return this.#failed(question, error);
    }
    if (this.#closed.signal.aborted) return undefined;
    this.changed();
    const isFirst = question.limit < PAGE;
    this.#ask();
    if (isFirst && this.stretch.isLoading && this.overview) this.#askOverview(this.overview);
    return undefined;
  }

  /**
   * Asks for the simplified lines, beside the positions that are behind the first ones.
   * @param {Overview} overview
   */
  async #askOverview(overview) {
    try {
      for (let { path } = overview; path !== undefined; { path } = overview) {
        overview.answered(await this.#get(path, this.#closed.signal));
        this.changed();
      }
    } catch {
      overview.end();
    }
  }

  /** @param {Question} question */
  #pathOf({ before, limit, sender }) {
    // What the chat keeps no longer is passed over by the server.
    const from = this.keptFor === undefined ? '' : `&from=${Math.max(0, Math.round(this.#now() - this.keptFor))}`;
    const of = sender === undefined ? '' : `&sender=${encodeURIComponent(sender)}`;
    return `/chats/${encodeURIComponent(this.#id)}/messages?tag=Location&before=${before}&limit=${limit}${of}${from}`;
  }

  /**
   * @param {Question} question
   * @param {any} error
   */
  #failed(question, error) {
    // The stream tells of what is final.
    if (this.#closed.signal.aborted || FINAL.has(error?.code)) return;
    this.stretch.failed(question);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), error?.retryAfter ?? WAIT);
  }
}
