// @ts-check
import { contains, isSameRegion } from './region.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Region} Region */

/**
 * What is in a live region: the list, the exact total, and which part of the map both are of. Says what to ask the
 * server; no socket inside.
 *
 * One move is on its way at a time: of those that come meanwhile the newest waits, so that a slow server is asked as
 * often as it answers. After a reconnect the old list stays until the new one is whole; what is in both keeps its key.
 *
 * What is {@link hold held}, as a selected place is, stays in {@link shown} when the map moves away from it, or when it
 * isn't among those listed after a reconnect. It goes when it is gone itself: the server says that it left while its
 * place is in the region, or a list that has everything hasn't it.
 * @template Item, Moved
 */
export class RegionList {
  /** What is listed, by key. @type {Map<string, Item>} */
  items = new Map();
  /** How many there are, listed or not. */
  total = 0;
  /** What {@link items} and {@link total} are of. @type {Region} */
  region;
  /** The key of what is held, until it is gone. @type {string | undefined} */
  held;

  #kind;
  #limit;
  #step = 0;
  /** What was asked for last. @type {Region} */
  #asked;
  /** What is to be asked when this is answered. @type {Region | undefined} */
  #wanted;
  #isAnswered = false;
  /** The answer to a new subscription as far as it has come. @type {Map<string, Item> | undefined} */
  #incoming = new Map();
  #incomingTotal = 0;
  /** What is held and not listed. @type {Item | undefined} */
  #heldItem;

  /**
   * @param {import('../wire.d.ts').RegionKind<Item, Moved>} kind
   * @param {Region} region
   * @param {number} limit
   */
  constructor(kind, region, limit) {
    this.#kind = kind;
    this.#limit = limit;
    this.region = this.#asked = region;
  }

  /** Whether the list is that of the newest region asked for. */
  get isCurrent() {
    return this.#isAnswered && this.#wanted === undefined;
  }

  /** Whether everything in the region is listed. */
  get isComplete() {
    return this.total <= this.items.size;
  }

  /** Whether the answer for {@link region} has come, and nothing newer is on its way. */
  get isWhole() {
    return this.#isAnswered;
  }

  /**
   * Whether this is the list of a region.
   * @param {Region} region
   */
  isOf(region) {
    return isSameRegion(this.region, region);
  }

  /** @param {Item} item */
  keyOf(item) {
    return this.#kind.key(item);
  }

  /** The field that holds the location, once the answer has said it; for objects. */
  get field() {
    return this.#kind.field;
  }

  get limit() {
    return this.#limit;
  }

  /** What is listed, and what is held. */
  get shown() {
    if (this.held === undefined || this.#heldItem === undefined) return this.items;
    return new Map(this.items).set(this.held, this.#heldItem);
  }

  /**
   * A connection is new, or a subscription: says what to subscribe with.
   * @returns {{ region: Region, limit: number }}
   */
  reopen() {
    this.#step = 0;
    this.#asked = this.#wanted ?? this.#asked;
    this.#wanted = undefined;
    this.#isAnswered = false;
    this.#incoming = new Map();
    return { region: this.#asked, limit: this.#limit };
  }

  /**
   * @param {Region} region
   * @returns {{ step: number, region: Region } | undefined} what to send now
   */
  move(region) {
    this.#wanted = isSameRegion(region, this.#asked) ? undefined : region;
    return this.nextMove();
  }

  /** What to send after an answer: the move that waited for it. */
  nextMove() {
    if (!this.#isAnswered || this.#wanted === undefined) return undefined;
    this.#asked = this.#wanted;
    this.#wanted = undefined;
    this.#isAnswered = false;
    this.#step += 1;
    return { step: this.#step, region: this.#asked };
  }

  /** Nothing is seen any more. */
  clear() {
    this.items = new Map();
    this.total = 0;
    this.held = this.#heldItem = undefined;
  }

  /**
   * @param {string | undefined} key of something that is shown; anything else holds nothing
   * @param {Item} [item] the same as it is seen elsewhere, as in an older answer
   */
  hold(key, item = key === undefined ? undefined : this.shown.get(key)) {
    this.held = item === undefined ? undefined : key;
    this.#heldItem = key !== undefined && this.items.has(key) ? undefined : item;
  }

  /**
   * A `region` frame of the subscription's.
   * @param {Frame} frame
   * @returns {import('../wire.d.ts').RegionChange<Item> | undefined} `undefined` while a new subscription's answer comes
   */
  apply(frame) {
    const isAnswer = frame.id !== undefined;
    if (frame.field !== undefined) this.#kind.field = frame.field;
    if (this.#incoming) {
      this.#incomingTotal = frame.total ?? this.#incomingTotal;
      this.#take(frame, this.#incoming);
      if (!isAnswer || !frame.current) return undefined;
      return this.#answered(this.#incoming);
    }
    if (isAnswer) this.region = this.#asked;
    this.total = frame.total ?? this.total;
    const change = this.#take(frame, this.items);
    if (isAnswer && frame.current) this.#isAnswered = true;
    if (this.#isAnswered) this.#settleHeld(change);
    return change;
  }

  /**
   * A new subscription's answer is whole: it takes the old list's place.
   * @param {Map<string, Item>} items
   */
  #answered(items) {
    const before = this.items;
    this.region = this.#asked;
    this.items = items;
    this.total = this.#incomingTotal;
    this.#incoming = undefined;
    this.#isAnswered = true;
    const change = noChange();
    for (const [key, item] of items) {
      const old = before.get(key);
      if (old === undefined) change.entered.push(item);
      else if (JSON.stringify(old) !== JSON.stringify(item)) change.changed.push(item);
      else items.set(key, old);
    }
    for (const [key, item] of before) if (!items.has(key)) this.#left(key, item, change, this.isComplete);
    if (this.held !== undefined && items.has(this.held)) this.#heldItem = undefined;
    this.#settleHeld(change);
    return change;
  }

  /**
   * @param {Frame} frame
   * @param {Map<string, Item>} items
   */
  #take(frame, items) {
    const change = noChange();
    for (const key of frame.left ?? []) {
      const item = items.get(key);
      if (item === undefined) continue;
      items.delete(key);
      if (items === this.items) this.#left(key, item, change, true);
    }
    for (const item of frame.entered ?? []) this.#put(item, items, change);
    for (const item of frame.changed ?? []) this.#put(item, items, change);
    for (const moved of frame.moved ?? []) {
      const key = this.#kind.key(moved);
      const old = items.get(key);
      if (old === undefined) continue;
      const item = this.#kind.moved(old, moved);
      items.set(key, item);
      change.moved.push(item);
    }
    return change;
  }

  /**
   * @param {Item} item
   * @param {Map<string, Item>} items
   * @param {import('../wire.d.ts').RegionChange<Item>} change
   */
  #put(item, items, change) {
    const key = this.#kind.key(item);
    (items.has(key) ? change.changed : change.entered).push(item);
    items.set(key, item);
    if (key === this.held && items === this.items) this.#heldItem = undefined;
  }

  /**
   * @param {string} key
   * @param {Item} item as it was last
   * @param {import('../wire.d.ts').RegionChange<Item>} change
   * @param {boolean} isSaid whether it would be listed if it were there
   */
  #left(key, item, change, isSaid) {
    change.left.push(key);
    const isGone = isSaid && this.#isInside(item);
    if (isGone) change.gone.push(key);
    if (key !== this.held) return;
    if (isGone) this.held = undefined;
    else this.#heldItem = item;
  }

  /**
   * What is held outside, and is inside now, must be listed if everything is.
   * @param {import('../wire.d.ts').RegionChange<Item>} change
   */
  #settleHeld(change) {
    if (this.held === undefined || this.#heldItem === undefined || !this.isComplete || !this.#isInside(this.#heldItem)) return;
    if (!change.gone.includes(this.held)) change.gone.push(this.held);
    this.held = this.#heldItem = undefined;
  }

  /** @param {Item} item */
  #isInside(item) {
    const place = this.#kind.place(item);
    return place !== undefined && contains(this.region, place);
  }
}

/** @returns {import('../wire.d.ts').RegionChange<any>} */
function noChange() {
  return { entered: [], changed: [], moved: [], left: [], gone: [] };
}
