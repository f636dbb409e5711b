// @ts-check
import { contains, covers, keyOfRegion } from './region.js';

/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {import('../wire.d.ts').Place} Place */

/**
 * Answers to region queries, kept for a while: bounded in number, the one unused for longest goes first, and in age.
 *
 * An answer that lists everything in its region also answers for every region inside it, exactly. One that lists only
 * a part answers for its own region alone.
 * @template Item
 */
export class RegionCache {
  /** In the order of their use. @type {Map<string, { answer: import('../wire.d.ts').RegionAnswer<Item>, source: string, time: number }>} */
  #entries = new Map();
  #limit;
  #age;

  /** @param {{ entries?: number, age?: number }} [bounds] how many answers, and for how many milliseconds each */
  constructor({ entries = 64, age = 300_000 } = {}) {
    this.#limit = entries;
    this.#age = age;
  }

  /** How many answers there are. */
  get size() {
    return this.#entries.size;
  }

  /**
   * @param {string} source what was asked, but for the region: an entity, and its conditions
   * @param {import('../wire.d.ts').RegionAnswer<Item>} answer
   * @param {number} now
   */
  store(source, answer, now) {
    const key = `${source}\n${keyOfRegion(answer.region)}`;
    this.#entries.delete(key);
    if (this.#limit <= 0) return;
    for (const [old, { time }] of this.#entries) if (now - time > this.#age) this.#entries.delete(old);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#limit) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { answer, source, time: now });
  }

  /**
   * The newest answer that is exact for a region; its total always is.
   * @param {string} source
   * @param {Region} region
   * @param {number} limit
   * @param {(item: Item) => Place | undefined} place
   * @param {number} now
   * @returns {import('../wire.d.ts').RegionAnswer<Item> | undefined}
   */
  find(source, region, limit, place, now) {
    let found;
    for (const [key, entry] of this.#entries) {
      if (entry.source !== source || now - entry.time > this.#age || !answers(entry.answer, region, limit)) continue;
      if (found === undefined || entry.time >= found.entry.time) found = { key, entry };
    }
    if (found === undefined) return undefined;
    this.#entries.delete(found.key);
    this.#entries.set(found.key, found.entry);
    return cut(found.entry.answer, region, limit, place);
  }

  /**
   * Forgets the answers to a source, because something was changed there; without one, all.
   * @param {string} [source]
   */
  forget(source) {
    for (const [key, entry] of this.#entries) if (source === undefined || entry.source === source) this.#entries.delete(key);
  }
}

/**
 * @param {import('../wire.d.ts').RegionAnswer<any>} answer
 * @param {Region} region
 * @param {number} limit
 */
function answers(answer, region, limit) {
  if (answer.total <= answer.items.length) return covers(answer.region, region);
  return keyOfRegion(answer.region) === keyOfRegion(region) && answer.items.length >= limit;
}

/**
 * @template Item
 * @param {import('../wire.d.ts').RegionAnswer<Item>} answer
 * @param {Region} region
 * @param {number} limit
 * @param {(item: Item) => Place | undefined} place
 * @returns {import('../wire.d.ts').RegionAnswer<Item>}
 */
function cut(answer, region, limit, place) {
  if (answer.total > answer.items.length) return { ...answer, limit, items: answer.items.slice(0, limit) };
  const inside = answer.items.filter((item) => {
    const at = place(item);
    return at !== undefined && contains(region, at);
  });
  return { region, limit, total: inside.length, items: inside.slice(0, limit) };
}
