// @ts-check

/**
 * A position that a chat keeps. `time` is when the device was there, `arrival` when the server got it, `expires` when it is erased, `share` the share that it
 * names.
 * @typedef {{ number: number, sender: string, latitude: number, longitude: number, time: number, arrival: number, expires?: number, share?: string }} Position
 */

/** The southernmost and northernmost latitude of Web Mercator. */
const NORTHERNMOST = 85.051129;

/**
 * Positions in the order of their numbers, in columns of 64 bytes a position. At most `capacity` are held; one that is appended beyond that takes
 * the place of the oldest. A position that may no longer be read keeps its place and loses what it says, so that it can be filled again.
 *
 * The columns are rings: index 0 is the oldest position, wherever that lies in them.
 */
export class PositionColumns {
  /** How many positions have a place. */
  count = 0;
  /** The people of `senders`. @type {string[]} */
  people = [];
  /** How many positions of each of them can be read. @type {number[]} */
  readable = [];

  #capacity;
  #start = 0;
  /** The place of each person in `people`. @type {Map<string, number>} */
  #places = new Map();
  #numbers;
  #latitudes;
  #longitudes;
  #souths;
  #times;
  #arrivals;
  #expiries;
  #senders;
  #shares;

  /** @param {number} capacity */
  constructor(capacity) {
    this.#capacity = capacity;
    this.#numbers = new Float64Array(capacity);
    this.#latitudes = new Float64Array(capacity);
    this.#longitudes = new Float64Array(capacity);
    this.#souths = new Float64Array(capacity);
    this.#times = new Float64Array(capacity);
    this.#arrivals = new Float64Array(capacity);
    this.#expiries = new Float64Array(capacity);
    this.#senders = new Uint32Array(capacity);
    this.#shares = new Uint32Array(capacity);
  }

  get isFull() {
    return this.count === this.#capacity;
  }

  /** How many bytes the columns take. */
  get bytes() {
    return this.#capacity * 64;
  }

  /** The lowest number held; `Infinity` without any. */
  get first() {
    return this.count === 0 ? Infinity : this.#numbers[this.#slot(0)];
  }

  /** The highest number held; 0 without any. */
  get last() {
    return this.count === 0 ? 0 : this.#numbers[this.#slot(this.count - 1)];
  }

  /** @param {number} index */
  number(index) {
    return this.#numbers[this.#slot(index)];
  }

  /** @param {number} index */
  time(index) {
    return this.#times[this.#slot(index)];
  }

  /** @param {number} index */
  arrival(index) {
    return this.#arrivals[this.#slot(index)];
  }

  /** @param {number} index @returns {number} in degrees; `NaN` where the position may no longer be read */
  latitude(index) {
    return this.#latitudes[this.#slot(index)];
  }

  /** @param {number} index */
  longitude(index) {
    return this.#longitudes[this.#slot(index)];
  }

  /** How far south a position lies on the whole map of Web Mercator, from 0 to 1. @param {number} index */
  south(index) {
    return this.#souths[this.#slot(index)];
  }

  /** The place in `people` of the sender. @param {number} index */
  sender(index) {
    return this.#senders[this.#slot(index)];
  }

  /** A mark of the share that a position names, by which two are told apart; 0 for none. @param {number} index */
  share(index) {
    return this.#shares[this.#slot(index)];
  }

  /** @param {number} index @returns {boolean} whether the position may still be read */
  isReadable(index) {
    return !Number.isNaN(this.#latitudes[this.#slot(index)]);
  }

  /**
   * @param {number} index
   * @returns {Position | undefined} `undefined` where it may no longer be read
   */
  position(index) {
    if (index < 0 || index >= this.count || !this.isReadable(index)) return undefined;
    const slot = this.#slot(index);
    return {
      number: this.#numbers[slot], sender: this.people[this.#senders[slot]], latitude: this.#latitudes[slot],
      longitude: this.#longitudes[slot], time: this.#times[slot], arrival: this.#arrivals[slot],
    };
  }

  /**
   * @param {number} number
   * @returns {number} its index, or -1
   */
  indexOf(number) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.number(low) === number ? low : -1;
  }

  /**
   * Adds the newest position.
   * @param {Position} position with a number above all others
   * @returns {boolean} whether the oldest one had to go for it
   */
  append(position) {
    const isFull = this.isFull;
    if (isFull) this.dropOldest(1);
    this.count += 1;
    this.#write(this.#slot(this.count - 1), position);
    return isFull;
  }

  /**
   * Adds the oldest position, if there is room.
   * @param {Position} position with a number below all others
   * @returns {boolean} whether there was room
   */
  prepend(position) {
    if (this.isFull) return false;
    this.#start = (this.#start + this.#capacity - 1) % this.#capacity;
    this.count += 1;
    this.#write(this.#start, position);
    return true;
  }

  /**
   * Writes a position again whose number has a place.
   * @param {Position} position
   */
  fill(position) {
    const index = this.indexOf(position.number);
    if (index < 0) return;
    this.#empty(index);
    this.#write(this.#slot(index), position);
  }

  /**
   * Erases the coordinate of a position, which keeps its place.
   * @param {number} number
   * @returns {boolean} whether the position could still be read
   */
  empty(number) {
    const index = this.indexOf(number);
    return index >= 0 && this.#empty(index);
  }

  /**
   * Erases what all positions of a person say.
   * @param {string} person
   * @returns {boolean} whether there were any
   */
  emptyAllOf(person) {
    const place = this.#places.get(person);
    if (place === undefined || this.readable[place] === 0) return false;
    for (let index = 0; index < this.count; index += 1) if (this.sender(index) === place) this.#empty(index);
    return true;
  }

  /**
   * Erases what has expired.
   * @param {number} now
   * @returns {{ isChanged: boolean, next: number }} and when the next one expires, `Infinity` for never
   */
  expire(now) {
    let isChanged = false;
    let next = Infinity;
    for (let index = 0; index < this.count; index += 1) {
      const at = this.#expiries[this.#slot(index)];
      if (at <= now) isChanged = this.#empty(index) || isChanged;
      else if (at < next && this.isReadable(index)) next = at;
    }
    return { isChanged, next };
  }

  /** @param {number} count how many of the oldest are let go */
  dropOldest(count) {
    for (let index = 0; index < count; index += 1) this.#empty(index);
    this.#start = (this.#start + count) % this.#capacity;
    this.count -= count;
  }

  /** @param {number} index */
  #slot(index) {
    const slot = this.#start + index;
    return slot < this.#capacity ? slot : slot - this.#capacity;
  }

  /**
   * @param {number} slot
   * @param {Position} position
   */
  #write(slot, { number, sender, latitude, longitude, time, arrival, expires = Infinity, share }) {
    const place = this.#placeOf(sender);
    this.readable[place] += 1;
    this.#numbers[slot] = number;
    this.#latitudes[slot] = latitude;
    this.#longitudes[slot] = longitude;
    this.#souths[slot] = southOf(latitude);
    this.#times[slot] = time;
    this.#arrivals[slot] = arrival;
    this.#expiries[slot] = expires;
    this.#senders[slot] = place;
    this.#shares[slot] = share === undefined ? 0 : markOf(share);
  }

  /** @param {number} index @returns {boolean} */
  #empty(index) {
    const slot = this.#slot(index);
    if (Number.isNaN(this.#latitudes[slot])) return false;
    this.readable[this.#senders[slot]] -= 1;
    this.#latitudes[slot] = this.#longitudes[slot] = this.#souths[slot] = NaN;
    return true;
  }

  /** @param {string} person */
  #placeOf(person) {
    const known = this.#places.get(person);
    if (known !== undefined) return known;
    this.#places.set(person, this.people.length);
    this.readable.push(0);
    return this.people.push(person) - 1;
  }
}

/**
 * FNV-1a over an id.
 * @param {string} id
 */
function markOf(id) {
  let mark = 2166136261;
  for (let at = 0; at < id.length; at += 1) mark = Math.imul(mark ^ id.charCodeAt(at), 16777619) >>> 0;
  return mark || 1;
}

/**
 * How far south a latitude lies on the whole map of Web Mercator, from 0 to 1.
 * @param {number} latitude
 */
export function southOf(latitude) {
  const sine = Math.sin((Math.max(-NORTHERNMOST, Math.min(NORTHERNMOST, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
