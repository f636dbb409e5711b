// @ts-check
import { MessageLog } from '../messages/message-log.js';
import { NOTE_TAGS } from '../messages/note-text.js';
import { Observable } from '../page/observable.js';
import { Presence } from './presence.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many texts are shown, and how many positions *View all locations* starts with. */
const TEXTS = 200;
const POSITIONS = 5_000;

/** Refusals that mean that one may not see the chat any more; after others it is asked for again. */
const GONE = ['notParticipant', 'unknownChat', 'notSignedIn'];
const ASK_AGAIN_AFTER = 5_000;

/**
 * One chat, followed live: everybody's last position always; texts, presence and all positions while it is open.
 */
export class LiveChat extends Observable {
  last = new MessageLog({ onlyLatest: true });
  /** @type {MessageLog | undefined} */
  all;
  texts = new MessageLog({ capacity: 1_000 });
  notes = new MessageLog({ capacity: 200 });
  presence = new Presence();
  /** Why it is followed no more. @type {import('../wire.d.ts').Refusal | undefined} */
  refusal;

  #stream;
  #id;
  /** @type {(() => void)[]} */
  #opened = [];
  #endPositions = () => {};

  /**
   * @param {Stream} stream
   * @param {string} id
   */
  constructor(stream, id) {
    super();
    this.#stream = stream;
    this.#id = id;
    this.#followPositions();
  }

  /** Follows what an open chat shows besides positions. Once. */
  open() {
    if (this.#opened.length > 0) return;
    this.#opened.push(
      this.#follow({ tag: 'Text', limit: TEXTS }, [this.texts]),
      ...NOTE_TAGS.map((tag) => this.#follow({ tag, limit: 50 }, [this.notes])),
      this.#followPresence(),
    );
  }

  /** Follows every position from now on. */
  openAll() {
    if (this.all) return;
    this.all = new MessageLog();
    this.#followPositions();
  }

  /** Goes back to the last positions alone. */
  shut() {
    for (const end of this.#opened) end();
    this.#opened = [];
    if (this.all) {
      this.all = undefined;
      this.#followPositions();
    }
    this.texts = new MessageLog({ capacity: 1_000 });
    this.notes = new MessageLog({ capacity: 200 });
    this.presence = new Presence();
  }

  /**
   * Takes away what has expired.
   * @param {number} now by the server's clock
   */
  expire(now) {
    const logs = [this.last, this.texts, ...(this.all ? [this.all] : [])];
    if (logs.filter((log) => log.expire(now)).length > 0) this.changed();
  }

  /** Ends everything. */
  close() {
    this.shut();
    this.#endPositions();
  }

  /** A session has one subscription to a chat's positions: to the last ones, or to all. */
  #followPositions() {
    this.#endPositions();
    const { all, last } = this;
    this.#endPositions = all
      ? this.#follow({ tag: 'Location', limit: POSITIONS }, [all, last])
      : this.#follow({ tag: 'Location', latest: true }, [last]);
  }

  /**
   * @param {Record<string, unknown>} criteria
   * @param {MessageLog[]} logs
   * @returns {() => void} ends it
   */
  #follow(criteria, logs) {
    // Several subscriptions may fill one log, so each remembers for itself how far it has come.
    let through = 0;
    let isCurrent = false;
    return this.#subscribe({ query: 'messages', ...criteria }, {
      since: () => (isCurrent ? through : undefined),
      answer: (frame) => {
        for (const log of logs) log.page(frame);
        through = Math.max(through, frame.through ?? 0);
        isCurrent ||= Boolean(frame.current);
        this.changed();
      },
      change: (frame) => {
        for (const log of logs) log.change(/** @type {any} */ (frame));
        through = Math.max(through, frame.number ?? 0);
        this.changed();
      },
    });
  }

  #followPresence() {
    const { presence } = this;
    return this.#subscribe({ query: 'presence' }, {
      answer: (frame, isFirst) => { presence.answer(frame, isFirst); this.changed(); },
      change: (frame) => { presence.change(frame); this.changed(); },
    });
  }

  /**
   * Subscribes, and after a refusal that may pass, again.
   * @param {Record<string, unknown>} query
   * @param {import('../wire.d.ts').Subscriber} subscriber
   * @returns {() => void} ends it
   */
  #subscribe(query, subscriber) {
    let timer = 0;
    let end = () => {};
    const begin = () => {
      end = this.#stream.subscribe({ ...query, chat: this.#id }, { ...subscriber, ended });
    };
    const ended = (/** @type {import('../wire.d.ts').Refusal} */ refusal) => {
      if (GONE.includes(refusal.code)) return this.#end(refusal);
      timer = setTimeout(begin, refusal.retryAfter ?? ASK_AGAIN_AFTER);
    };
    begin();
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  /** @param {import('../wire.d.ts').Refusal} refusal */
  #end(refusal) {
    this.refusal = refusal;
    this.changed();
  }
}
