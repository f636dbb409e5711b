// @ts-check
import { timeOf } from '../map/annotations.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Message} Message */

/**
 * The messages of one subscription, by number: pages and changes in any mix, none twice, none lost.
 *
 * At most `capacity` are kept; the oldest go first.
 */
export class MessageLog {
  /** In the order of their numbers. @type {Message[]} */
  messages = [];
  /** What was never stored: the newest of each sender. @type {Map<string, Message>} */
  unstored = new Map();
  /** The number up to which everything has been said. */
  through = 0;
  /** The oldest number the caller may read. */
  first = 1;
  /** Whether a first full answer has come. */
  isCurrent = false;
  /** With `onlyLatest`: whether a newest message was taken back or has expired, so that the one which counts now is to be asked for. */
  isMissing = false;

  #onlyLatest;
  #capacity;
  /** Numbers recalled before they came. @type {Set<number>} */
  #recalled = new Set();

  /** @param {{ onlyLatest?: boolean, capacity?: number }} [options] `onlyLatest` keeps the newest of each sender */
  constructor({ onlyLatest = false, capacity = 20_000 } = {}) {
    this.#onlyLatest = onlyLatest;
    this.#capacity = capacity;
  }

  /** Where to go on after a reconnect: nothing before the first full answer. */
  since() {
    return this.isCurrent ? this.through : undefined;
  }

  /**
   * A page of an answer, or of catching up.
   * @param {Frame} frame
   */
  page(frame) {
    for (const message of frame.messages) this.#insert(message);
    this.first = frame.first ?? this.first;
    this.through = Math.max(this.through, frame.through ?? 0);
    if (frame.current) this.isCurrent = true;
    this.#trim();
  }

  /**
   * One message that just came.
   * @param {Message} message
   */
  change(message) {
    if (message.number === undefined) {
      this.unstored.set(message.sender, message);
      return;
    }
    this.#insert(message);
    this.through = Math.max(this.through, message.number);
    this.#trim();
  }

  /**
   * Takes away what has expired.
   * @param {number} now by the server's clock
   * @returns {boolean} whether anything has
   */
  expire(now) {
    const expired = this.messages.filter(({ expires, content, data }) =>
      expires !== undefined && expires <= now && (content !== '' || data !== undefined));
    for (const message of expired) this.#empty(message);
    return expired.length > 0;
  }

  /** @param {number} number */
  has(number) {
    return this.messages[this.#indexOf(number)]?.number === number;
  }

  /**
   * Takes away what a whole answer leaves out.
   * @param {Set<number>} numbers of the answer
   * @param {number} from the oldest that it could have
   * @param {number} through the newest that it could have
   */
  keep(numbers, from, through) {
    this.messages = this.messages.filter(({ number = 0 }) => number < from || number > through || numbers.has(number));
  }

  /**
   * Whether it has a message, with its data.
   * @param {number} [number]
   */
  hasData(number = 0) {
    const message = this.messages[this.#indexOf(number)];
    return message?.number === number && message.data !== undefined;
  }

  /** @param {string} sender */
  hasOf(sender) {
    return this.unstored.has(sender) || this.messages.some((message) => message.sender === sender && message.data !== undefined);
  }

  /**
   * Takes away everything of one sender.
   * @param {string} sender
   */
  forget(sender) {
    this.unstored.delete(sender);
    this.messages = this.messages.filter((message) => message.sender !== sender);
  }

  /** The newest of each sender that says something, stored or not. */
  latest() {
    /** @type {Map<string, Message>} */
    const latest = new Map();
    for (const message of this.messages) {
      const known = latest.get(message.sender);
      if (message.data !== undefined && (!known || isNewer(message, known))) latest.set(message.sender, message);
    }
    for (const [sender, message] of this.unstored) {
      const known = latest.get(sender);
      if (!known || isNewer(message, known)) latest.set(sender, message);
    }
    return latest;
  }

  /** @param {Message} message with a number */
  #insert(message) {
    const number = message.number ?? 0;
    if (message.tag === 'Recall') return this.#recall(message.data?.number);
    const at = this.#indexOf(number);
    if (this.messages[at]?.number === number) {
      if (message.recalled) this.#empty(this.messages[at], true);
      // The sender's newest, of which nothing may be read: none counts in its place.
      else if (isEmptied(message)) this.#hide(this.messages[at]);
      return undefined;
    }
    const own = { ...message };
    if (this.#recalled.delete(number)) empty(own, true);
    if (this.#onlyLatest && (own.data === undefined || !this.#replaceOlder(own))) return undefined;
    this.messages.splice(this.#indexOf(number), 0, own);
    return undefined;
  }

  /**
   * Takes the words and the data out of a listed message. Where only the newest counts, it gives way to the one before it.
   * @param {Message} message
   * @param {boolean} [recalled]
   */
  #empty(message, recalled = false) {
    this.#hide(message, recalled);
    if (this.#onlyLatest) this.isMissing = true;
  }

  /**
   * @param {Message} message
   * @param {boolean} [recalled]
   */
  #hide(message, recalled = false) {
    empty(message, recalled);
    if (this.#onlyLatest) this.messages = this.messages.filter((each) => each !== message);
  }

  /**
   * Removes what `message` replaces.
   * @param {Message} message
   * @returns {boolean} whether it is the newest of its sender
   */
  #replaceOlder(message) {
    const other = this.messages.findIndex(({ sender, tag }) => sender === message.sender && tag === message.tag);
    if (other < 0) return true;
    if (isNewer(this.messages[other], message)) return false;
    this.messages.splice(other, 1);
    return true;
  }

  /** @param {number | undefined} number */
  #recall(number) {
    if (number === undefined) return;
    const message = this.messages[this.#indexOf(number)];
    if (message?.number === number) {
      this.#empty(message, true);
    } else {
      this.#recalled.add(number);
    }
  }

  /**
   * The first index whose number is `number` or above. Most come at the end.
   * @param {number} number
   */
  #indexOf(number) {
    let low = 0;
    let high = this.messages.length;
    if (high > 0 && (this.messages[high - 1].number ?? 0) < number) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.messages[middle].number ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trim() {
    const surplus = this.messages.length - this.#capacity;
    if (surplus > 0) this.messages.splice(0, surplus);
  }
}

/**
 * Whether a message says where somebody was later than another: by the device's time, then by the number.
 * @param {Message} a
 * @param {Message} b
 */
export function isNewer(a, b) {
  return timeOf(a) - timeOf(b) > 0 || (timeOf(a) === timeOf(b) && (a.number ?? Infinity) >= (b.number ?? Infinity));
}

/**
 * Whether the server sent a message without its content and its data.
 * @param {Message} message
 */
function isEmptied({ content, data }) {
  return content === '' && data === undefined;
}

/**
 * @param {Message} message
 * @param {boolean} [recalled]
 */
function empty(message, recalled = false) {
  message.content = '';
  delete message.data;
  if (recalled) message.recalled = true;
}
