// @ts-check
import { MessageLog } from '../messages/message-log.js';
import { Observable } from '../page/observable.js';
import { Presence } from './presence.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many texts are shown, and how many positions *View all locations* starts with. */
const TEXTS = 200;
const POSITIONS = 5_000;

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
  #endLast;

  /**
   * @param {Stream} stream
   * @param {string} id
   */
  constructor(stream, id) {
    super();
    this.#stream = stream;
    this.#id = id;
    this.#endLast = this.#follow({ tag: 'Location', latest: true }, this.last);
  }

  /** Follows what an open chat shows besides positions. Once. */
  open() {
    if (this.#opened.length > 0) return;
    this.#opened.push(
      this.#follow({ tag: 'Text', limit: TEXTS }, this.texts),
      this.#follow({ tag: 'Join', limit: 50 }, this.notes),
      this.#follow({ tag: 'Leave', limit: 50 }, this.notes),
      this.#followPresence(),
    );
  }

  /** Follows every position from now on. */
  openAll() {
    if (this.all) return;
    this.all = new MessageLog();
    this.#opened.push(this.#follow({ tag: 'Location', limit: POSITIONS }, this.all));
  }

  /** Goes back to the last positions alone. */
  shut() {
    for (const end of this.#opened) end();
    this.#opened = [];
    this.all = undefined;
    this.texts = new MessageLog({ capacity: 1_000 });
    this.notes = new MessageLog({ capacity: 200 });
    this.presence = new Presence();
  }

  /** Ends everything. */
  close() {
    this.#endLast();
    this.shut();
  }

  /**
   * @param {Record<string, unknown>} criteria
   * @param {MessageLog} log
   */
  #follow(criteria, log) {
    // Several subscriptions may fill one log, so each remembers for itself how far it has come.
    let through = /** @type {number | undefined} */ (undefined);
    let isCurrent = false;
    return this.#stream.subscribe({ query: 'messages', chat: this.#id, ...criteria }, {
      since: () => (isCurrent ? through : undefined),
      answer: (frame) => {
        log.page(frame);
        through = Math.max(through ?? 0, frame.through ?? 0);
        isCurrent ||= Boolean(frame.current);
        this.changed();
      },
      change: (frame) => {
        log.change(/** @type {any} */ (frame));
        through = Math.max(through ?? 0, frame.number ?? 0);
        this.changed();
      },
      ended: (refusal) => this.#end(refusal),
    });
  }

  #followPresence() {
    const { presence } = this;
    return this.#stream.subscribe({ query: 'presence', chat: this.#id }, {
      answer: (frame, isFirst) => { presence.answer(frame, isFirst); this.changed(); },
      change: (frame) => { presence.change(frame); this.changed(); },
      ended: (refusal) => this.#end(refusal),
    });
  }

  /** @param {import('../wire.d.ts').Refusal} refusal */
  #end(refusal) {
    this.refusal = refusal;
    this.changed();
  }
}
