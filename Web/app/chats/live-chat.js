// @ts-check
import { personNow } from '../freshness/person-now.js';
import { ShareBook } from '../freshness/share-book.js';
import { standingOf } from '../freshness/standing.js';
import { coordinateOf, timeOf } from '../map/annotations.js';
import { REACH, RecentLines } from '../map/recent-lines.js';
import { peopleEmptiedBy } from '../messages/emptying.js';
import { LiveMessages } from '../messages/live-messages.js';
import { MessageLog } from '../messages/message-log.js';
import { Observable } from '../page/observable.js';
import { Scope } from '../page/scope.js';
import { AllPositions, getByREST } from '../positions/all-positions.js';
import { Answers } from './answers.js';
import { Presence } from './presence.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many positions of the last hour an open chat asks for. */
const RECENT_POSITIONS = 5_000;

/**
 * One chat, followed live: everybody's last position always; texts, presence and all positions while it is open.
 */
export class LiveChat extends Observable {
  last = new MessageLog({ onlyLatest: true });
  /** Every position, while *View all locations* is chosen. @type {AllPositions | undefined} */
  all;
  /** What is read in it, while it is open. @type {LiveMessages | undefined} */
  messages;
  presence = new Presence();
  /** How fresh everybody is, in the server's words. */
  shares = new ShareBook({ isOfChat: true });
  /** Where everybody was in the last hour, while the chat is open. */
  lines = new RecentLines();
  /** Why it is followed no more. @type {import('../wire.d.ts').Refusal | undefined} */
  refusal;
  /** Ends with it. */
  scope = new Scope();

  #stream;
  #id;
  #get;
  /** The expiring shares that are over by the clock, while the server hasn't said so. @type {Set<string>} */
  #over = new Set();
  /** @type {(() => void)[]} */
  #opened = [];
  #endPositions = () => {};
  #endShares = () => {};
  /** The positions of the lines. */
  #recent = new MessageLog({ capacity: RECENT_POSITIONS });
  /** Ends the question for them that the server hasn't answered. @type {(() => void) | undefined} */
  #endQuestion;
  /** The number up to which the lines have every position. */
  #drawn = 0;
  /** The number up to which the followed positions are known. */
  #followed = 0;
  #answers = new Answers(['positions', 'shares']);

  /**
   * @param {Stream} stream
   * @param {string} id
   * @param {import('../positions/all-positions.js').Get} [get]
   */
  constructor(stream, id, get = getByREST) {
    super();
    this.#stream = stream;
    this.#id = id;
    this.#get = get;
    this.#followPositions();
    this.#followShares();
  }

  /** Follows what an open chat shows besides positions. Once. */
  open() {
    if (this.isOpen) return;
    this.#opened.push(
      this.#followMessages(),
      this.#followPresence(),
      () => this.#shutLines(),
    );
    this.#completeLines();
  }

  /** Whether the server has said who shares and where everybody is, or refuses to. */
  get isKnown() {
    return this.refusal !== undefined || this.#answers.areKnown;
  }

  /** Whether the connection is open, and the server has said on it who shares and where everybody is. */
  get isCurrent() {
    return this.refusal === undefined && this.#answers.areCurrent;
  }

  /** Whether it follows what an open chat shows besides positions. */
  get isOpen() {
    return this.#opened.length > 0;
  }

  /**
   * Holds every position from now on, beside the last ones.
   * @param {number} [keptFor] how long the chat keeps positions, in milliseconds; for ever without
   */
  openAll(keptFor) {
    if (!this.all) {
      this.all = new AllPositions(this.#id, {
        subscribe: (query, subscriber) => this.#subscribe(query, subscriber), now: () => this.#stream.now(), get: this.#get,
      });
      this.all.observe(() => this.changed(), this.scope);
    }
    this.all.keptFor = keptFor;
  }

  /** Goes back to the last positions alone, and lets go of all others. */
  shutAll() {
    this.all?.close();
    this.all = undefined;
  }

  /** Ends what an open chat shows besides positions. */
  shut() {
    for (const end of this.#opened) end();
    this.#opened = [];
    this.shutAll();
    this.messages = undefined;
    this.presence = new Presence();
  }

  /**
   * Where somebody stands here at this moment.
   * @param {string} user
   * @param {number} now by the server's clock
   * @param {Message} [position] their newest, if the caller has it
   */
  person(user, now, position = this.last.latest().get(user)) {
    const isPlaced = position !== undefined && coordinateOf(position) !== undefined;
    return personNow({
      position, time: isPlaced ? timeOf(position) : undefined, shares: this.shares.of(user), note: this.messages?.newest('Share').get(user),
      isCurrent: this.isCurrent,
    }, now);
  }

  /**
   * What can be said of somebody here at this moment.
   * @param {string} user
   * @param {number} now by the server's clock
   * @param {Message} [position] their newest, if the caller has it
   */
  standing(user, now, position) {
    return standingOf(this.person(user, now, position), this);
  }

  /**
   * Takes away what has expired.
   * @param {number} now by the server's clock
   */
  expire(now) {
    if (this.last.expire(now)) this.changed();
    this.all?.expire(now);
    this.#endExpiring(now);
    if (this.#recent.expire(now)) this.#drawAnew();
    this.#fillIn();
    this.messages?.expire(now);
  }

  /**
   * Of expiring shares that are over by the clock, positions go at once, also without a connection.
   * @param {number} now by the server's clock
   */
  #endExpiring(now) {
    const over = this.shares.running.filter(({ keep, until }) => keep === 'expiring' && until !== null && until <= now);
    for (const { share, user } of over) if (!this.#over.has(share)) this.all?.shareEnded(user);
    this.#over = new Set(over.map(({ share }) => share));
  }

  /** Ends everything. */
  close() {
    this.shut();
    this.#endPositions();
    this.#endShares();
    this.scope.end();
  }

  /** Asks for the last positions, in place of those that are followed. */
  #followPositions() {
    this.#endPositions();
    const { last } = this;
    let through = 0;
    let isCurrent = false;
    /** The first answer. @type {Message[]} */
    let answer = [];
    this.#endPositions = this.#subscribe({ query: 'messages', tag: 'Location', latest: true }, {
      lost: () => { this.#answers.lost('positions'); this.changed(); },
      since: () => (isCurrent ? through : undefined),
      answer: (frame) => {
        const messages = frame.messages.filter(isAbout);
        last.page({ ...frame, messages });
        through = Math.max(through, frame.through ?? 0);
        if (!isCurrent) answer.push(...messages);
        if (!isCurrent && frame.current) {
          this.#keepAnswered(answer, through);
          answer = [];
        }
        // A first answer leaves out already what can't be read any more.
        const gone = isCurrent ? frame.messages.flatMap(peopleEmptiedBy) : [];
        isCurrent ||= Boolean(frame.current);
        if (frame.current) this.#answers.answered('positions');
        if (this.#askAnew(gone)) return;
        this.#received(messages);
        if (!frame.current) return;
        this.#followed = Math.max(this.#followed, through);
        this.#completeLines();
      },
      change: (frame) => {
        const message = /** @type {Message} */ (/** @type {unknown} */ (frame));
        through = Math.max(through, message.number ?? 0);
        if (this.#askAnew(peopleEmptiedBy(message))) return;
        if (isAbout(message)) last.change(message);
        if (this.isOpen && this.#drawn >= this.#followed) this.#drawn = Math.max(this.#drawn, through);
        this.#followed = Math.max(this.#followed, through);
        this.#received(isAbout(message) ? [message] : []);
      },
    });
  }

  /**
   * Lets go of the positions that were taken back between two subscriptions.
   * @param {Message[]} answer to the newer one
   * @param {number} through
   */
  #keepAnswered(answer, through) {
    const numbers = answer.map(({ number = 0 }) => number);
    this.last.keep(new Set(numbers), 0, through);
    this.last.page({ type: 'messages', messages: answer });
  }

  /**
   * Asks the server for all positions again, if this chat holds positions of people some of whose positions the server has hidden. A
   * position needn't name its share, so only the server knows which ones.
   * @param {string[]} people
   * @returns {boolean} whether it asks
   */
  #askAnew(people) {
    const known = people.filter((user) => this.last.hasOf(user) || this.#recent.hasOf(user));
    if (known.length === 0) return false;
    for (const user of known) {
      this.lines.forget(user);
      this.#recent.forget(user);
      this.last.forget(user);
    }
    // A question asked before may still be answered with them.
    this.#endQuestion?.();
    this.#endQuestion = undefined;
    this.#drawn = 0;
    this.#followPositions();
    this.changed();
    return true;
  }

  /** @param {Message[]} messages what the logs have already */
  #received(messages) {
    this.#addToLines(messages);
    this.#fillIn();
    this.changed();
  }

  /** Where somebody's last position was taken back or has expired, finds the one that counts now. */
  #fillIn() {
    if (!this.last.isMissing) return;
    this.last.isMissing = false;
    this.#followPositions();
  }

  /** Asks for the last hour's positions that the followed ones left out, until the lines reach as far as these. */
  #completeLines() {
    if (!this.isOpen || this.#endQuestion || this.#drawn >= this.#followed) return;
    const from = Math.round(this.#stream.now() - REACH);
    const known = this.#followed;
    const since = this.#drawn > 0 ? { since: this.#drawn } : {};
    const answered = () => {
      this.#endQuestion?.();
      this.#endQuestion = undefined;
    };
    this.#endQuestion = this.#stream.subscribe({ query: 'messages', chat: this.#id, tag: 'Location', from, limit: RECENT_POSITIONS, ...since }, {
      answer: (frame) => {
        // What the followed positions were sent before they were asked for again is known from here alone.
        const gone = since.since ? frame.messages.flatMap(peopleEmptiedBy) : [];
        if (this.#askAnew(gone)) return;
        this.#addToLines(frame.messages);
        if (!frame.current) return;
        // The server reads for this after it had answered all that was known.
        this.#drawn = Math.max(known, frame.through ?? 0);
        answered();
        this.#completeLines();
        this.changed();
      },
      change: () => {},
      ended: answered,
    });
  }

  /** @param {Message[]} messages */
  #addToLines(messages) {
    if (!this.isOpen) return;
    for (const message of messages.filter(isAbout)) {
      if (message.tag === 'Recall') this.#takeFromLines(message, message.data?.number);
      else if (message.number === undefined) this.#draw(message);
      else if (!this.#recent.has(message.number)) {
        this.#recent.change(message);
        this.#draw(message);
      } else if (message.data === undefined) this.#takeFromLines(message, message.number);
    }
  }

  /**
   * @param {Message} message that a position can't be read any more
   * @param {number} [number] the position's
   */
  #takeFromLines(message, number) {
    const isShown = this.#recent.hasData(number);
    this.#recent.change(message);
    if (isShown) this.#drawAnew();
  }

  #drawAnew() {
    this.lines = new RecentLines();
    for (const message of this.#recent.messages) this.#draw(message);
  }

  /** @param {Message} message */
  #draw(message) {
    const coordinate = coordinateOf(message);
    if (coordinate) this.lines.add(message.sender, { ...coordinate, time: timeOf(message), share: message.data?.share });
  }

  #shutLines() {
    this.#endQuestion?.();
    this.#endQuestion = undefined;
    this.#drawn = 0;
    this.lines = new RecentLines();
    this.#recent = new MessageLog({ capacity: RECENT_POSITIONS });
  }

  #followShares() {
    this.#endShares = this.#stream.subscribe({ query: 'freshness', chat: this.#id }, {
      lost: () => { this.#answers.lost('shares'); this.changed(); },
      answer: (frame, isFirst) => {
        this.shares.answer(frame, isFirst);
        if (frame.current) this.#answers.answered('shares');
        this.changed();
      },
      change: (frame) => { this.shares.change(frame); this.changed(); },
      // A server without freshness: the positions' age says it.
      ended: () => {
        this.shares.clear();
        this.#answers.answered('shares');
      },
    });
  }

  #followMessages() {
    const messages = new LiveMessages(this.#id, (query, subscriber) => this.#subscribe(query, subscriber));
    this.messages = messages;
    const end = messages.observe(() => this.changed(), this.scope);
    return () => {
      end();
      messages.close();
    };
  }

  #followPresence() {
    const { presence } = this;
    return this.#subscribe({ query: 'presence' }, {
      answer: (frame, isFirst) => { presence.answer(frame, isFirst); this.changed(); },
      change: (frame) => { presence.change(frame); this.changed(); },
    });
  }

  /**
   * @param {Record<string, unknown>} query
   * @param {import('../wire.d.ts').Subscriber} subscriber
   * @returns {() => void} ends it
   */
  #subscribe(query, subscriber) {
    const ended = (/** @type {import('../wire.d.ts').Refusal} */ refusal) => {
      this.refusal = refusal;
      this.changed();
    };
    return this.#stream.subscribe({ ...query, chat: this.#id }, { ...subscriber, ended });
  }
}

/**
 * Whether a message is a position, or says of a single one that it was taken back.
 * @param {Message} message
 */
function isAbout({ tag }) {
  return tag === 'Location' || tag === 'Recall';
}
