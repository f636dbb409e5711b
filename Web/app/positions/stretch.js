// @ts-check
import { coordinateOf, timeOf } from '../map/annotations.js';
import { peopleEmptiedBy } from '../messages/emptying.js';
import { FIRST_PAGE, HELD_AT_MOST, PAGE, PAGES_AT_MOST } from './bounds.js';
import { PositionColumns } from './position-columns.js';

/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('./position-columns.js').Position} Position */
/**
 * What to ask the server: the newest positions below `before`, of one person or of all. An answer to an outdated question is passed over.
 * @typedef {{ before: number, limit: number, sender?: string, turn: number }} Question
 *
 * Why no older position is held: they are still asked for, there is no room for them, the chat keeps positions only so long, the reader
 * may read none before, or there are none.
 * @typedef {'loading' | 'full' | 'kept' | 'joined' | 'whole'} Reason
 */

/** How long after its arrival a position may still be the reason that the chat keeps no older one. */
const NEAR_THE_END = 86_400_000;

/**
 * The positions of a chat that are held: the newest ones, or a stretch of older ones. Decides what to ask the server next, and what
 * may no longer be read. No clock, no connection, and no timer inside.
 *
 * A position goes with a message that empties it: a `Recall`, or one after which only the server knows which positions of a person can
 * still be read. All of these are emptied at once and asked for again. What was asked before such a message is asked again, too, as
 * the server may have read the answer before it.
 */
export class Stretch {
  columns;
  /** How often what is held has changed. */
  revision = 0;
  /** How often something could no longer be read that could be before. */
  losses = 0;
  /** Whether new positions are appended. */
  isNewest = true;

  #capacity;
  /** The number below which older positions are asked for; `undefined` if there are none to ask for. @type {number | undefined} */
  #before;
  /** The number down to which all that can be read has been asked for. */
  #asked = Infinity;
  /** The highest number that the chat is known to have. */
  #through = 0;
  /** The lowest number that the reader may read. */
  #first = 1;
  /** Whether older positions were left out for want of room. */
  #isCut = false;
  #pages = 0;
  /** The people whose positions are asked for again, and below which number. @type {Map<string, number>} */
  #again = new Map();
  #turn = 0;
  #isAsked = false;
  /** The numbers recalled while a question was open. @type {Set<number>} */
  #recalled = new Set();
  /** When the next position expires. */
  #nextExpiry = Infinity;

  /** @param {number} [capacity] */
  constructor(capacity = HELD_AT_MOST) {
    this.#capacity = capacity;
    this.columns = new PositionColumns(capacity);
  }

  /** How many positions can be read. */
  get count() {
    return this.columns.readable.reduce((sum, count) => sum + count, 0);
  }

  /** Whether positions are still to come. */
  get isLoading() {
    return this.#before !== undefined || this.#again.size > 0;
  }

  /** Whether there are older positions than those held. */
  get hasEarlier() {
    return this.#isCut && this.#before === undefined;
  }

  /**
   * The server has said up to where the chat goes: everything up to there is asked for.
   * @param {number} through
   */
  begin(through) {
    this.#through = Math.max(this.#through, through);
    this.#restart(this.#through + 1, true);
  }

  /** Goes to the stretch before the one that is held. */
  earlier() {
    if (this.hasEarlier) this.#restart(this.columns.isFull ? this.columns.first : this.#asked, false);
  }

  /** Goes back to the newest positions. */
  newest() {
    if (!this.isNewest) this.#restart(this.#through + 1, true);
  }

  /**
   * What to ask now; one question is open at a time.
   * @returns {Question | undefined}
   */
  next() {
    if (this.#isAsked) return undefined;
    const [again] = this.#again;
    const before = again ? again[1] : this.#before;
    if (before === undefined) return undefined;
    this.#isAsked = true;
    this.#recalled.clear();
    const limit = Math.min(this.#pages === 0 ? FIRST_PAGE : PAGE, this.#capacity);
    return { before, limit, turn: this.#turn, ...(again ? { sender: again[0] } : {}) };
  }

  /**
   * @param {Question} question
   * @param {{ messages: Message[], first: number, previous?: number }} answer
   */
  answered({ turn, sender }, { messages, first, previous }) {
    if (turn !== this.#turn) return;
    this.#isAsked = false;
    this.#first = first;
    const positions = messages.flatMap(positionOf).filter(({ number }) => !this.#recalled.has(number));
    if (sender === undefined) this.#takeOlder(positions, previous);
    else this.#takeAgain(sender, positions, previous);
    for (const { expires = Infinity } of positions) this.#nextExpiry = Math.min(this.#nextExpiry, expires);
    for (const message of messages) if (message.tag === 'Recall') this.#recall(message);
    this.revision += 1;
  }

  /**
   * The question wasn't answered, and may be asked again.
   * @param {Question} question
   */
  failed({ turn }) {
    if (turn === this.#turn) this.#isAsked = false;
  }

  /**
   * A message that has just come, or was missed.
   * @param {Message} message
   * @returns {boolean} whether something may no longer be read that could be before
   */
  receive(message) {
    this.#through = Math.max(this.#through, message.number ?? 0);
    const people = peopleEmptiedBy(message);
    if (message.tag === 'Recall') return this.#lost(this.#recall(message));
    if (people.length > 0) return this.#lost(this.#askAgain(people));
    return this.#lost(message.tag === 'Location' && this.#place(message));
  }

  /**
   * Lets go of what has expired, and of what the chat no longer keeps.
   * @param {number} now by the server's clock
   * @param {number | undefined} keptFor how long the chat keeps a position, in milliseconds; `undefined` for ever
   * @returns {boolean} whether anything went
   */
  expire(now, keptFor) {
    let isChanged = this.#dropOld(keptFor === undefined ? -Infinity : now - keptFor);
    if (now >= this.#nextExpiry) {
      const expired = this.columns.expire(now);
      this.#nextExpiry = expired.next;
      isChanged ||= expired.isChanged;
    }
    return this.#lost(isChanged);
  }

  /** @param {boolean} isLost */
  #lost(isLost) {
    if (!isLost) return false;
    this.revision += 1;
    this.losses += 1;
    return true;
  }

  /**
   * Since when positions are held, and why there are none before.
   * @param {{ now: number, keptFor: number | undefined, created: number }} chat the server's time, how long the chat keeps positions,
   *   and since when the chat is there
   * @returns {{ since: number | undefined, until: number | undefined, why: Reason }} `undefined` while nothing is held
   */
  reach({ now, keptFor, created }) {
    const { columns } = this;
    const [since, until] = columns.count === 0 ? [] : [columns.time(0), columns.time(columns.count - 1)];
    if (this.isLoading) return { since, until, why: 'loading' };
    if (this.#isCut) return { since, until, why: 'full' };
    const end = keptFor === undefined ? -Infinity : now - keptFor;
    const isNearEnd = columns.count > 0 && columns.arrival(0) < end + NEAR_THE_END;
    if (this.#first > 1 && !isNearEnd) return { since, until, why: 'joined' };
    return { since, until, why: created < end ? 'kept' : 'whole' };
  }

  /**
   * @param {number} before
   * @param {boolean} isNewest
   */
  #restart(before, isNewest) {
    this.columns = new PositionColumns(this.#capacity);
    this.isNewest = isNewest;
    this.#before = before;
    this.#isCut = false;
    this.#pages = 0;
    this.#nextExpiry = Infinity;
    this.#again.clear();
    this.#forgetQuestion();
    this.revision += 1;
  }

  #forgetQuestion() {
    this.#turn += 1;
    this.#isAsked = false;
  }

  /**
   * @param {Position[]} positions oldest first, all below those held
   * @param {number | undefined} previous
   */
  #takeOlder(positions, previous) {
    this.#pages += 1;
    const hasRoom = [...positions].reverse().every((position) => this.columns.prepend(position));
    const isOver = !hasRoom || (previous !== undefined && (this.columns.isFull || this.#pages >= PAGES_AT_MOST));
    this.#isCut ||= isOver;
    this.#before = isOver ? undefined : previous;
    this.#asked = previous ?? 0;
  }

  /**
   * @param {string} sender
   * @param {Position[]} positions
   * @param {number | undefined} previous
   */
  #takeAgain(sender, positions, previous) {
    for (const position of positions) this.columns.fill(position);
    if (previous === undefined || previous <= this.columns.first) this.#again.delete(sender);
    else this.#again.set(sender, previous);
  }

  /**
   * @param {string[]} people
   * @returns {boolean}
   */
  #askAgain(people) {
    const known = people.filter((person) => this.columns.emptyAllOf(person) || this.#again.has(person));
    for (const person of known) this.#again.set(person, this.columns.last + 1);
    // The answer may have been read before the message.
    this.#forgetQuestion();
    return true;
  }

  /**
   * @param {Message} message
   * @returns {boolean}
   */
  #recall({ data }) {
    const number = data?.number;
    if (typeof number !== 'number') return false;
    if (this.#isAsked) this.#recalled.add(number);
    return this.columns.empty(number);
  }

  /**
   * @param {Message} message a position, or one without data that can no longer be read
   * @returns {boolean}
   */
  #place(message) {
    const [position] = positionOf(message);
    const number = message.number ?? 0;
    if (!position) return message.data === undefined && this.columns.empty(number);
    if (!this.isNewest || number <= this.columns.last || (this.#before !== undefined && number < this.#before)) return false;
    if (this.columns.append(position)) this.#isCut = true;
    this.#nextExpiry = Math.min(this.#nextExpiry, position.expires ?? Infinity);
    this.revision += 1;
    return false;
  }

  /**
   * @param {number} arrival
   * @returns {boolean}
   */
  #dropOld(arrival) {
    const { columns } = this;
    let count = 0;
    while (count < columns.count && columns.arrival(count) < arrival) count += 1;
    if (count === 0) return false;
    columns.dropOldest(count);
    // What is older has been erased, too.
    this.#before = undefined;
    this.#isCut = false;
    if (this.#again.size === 0) this.#forgetQuestion();
    return true;
  }
}

/**
 * @param {Message} message
 * @returns {Position[]} none if the message isn't kept, or says no place
 */
function positionOf(message) {
  const { number, sender, tag, time, expires, recalled } = message;
  const coordinate = tag === 'Location' && !recalled ? coordinateOf(message) : undefined;
  if (number === undefined || !coordinate) return [];
  return [{ number, sender, ...coordinate, time: timeOf(message), arrival: time, expires, share: message.data?.share }];
}
