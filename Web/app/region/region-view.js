// @ts-check
import { Observable } from '../page/observable.js';
import { LiveRegion } from './live-region.js';
import { regionOfBounds } from './region.js';
import { RegionQuery } from './region-query.js';

/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {import('../wire.d.ts').Refusal} Refusal */

/**
 * What a map shows of a live region as it is dragged: {@link RegionQuery} decides when to ask, {@link LiveRegion} asks.
 * What is kept of a region is shown at once, until the live answer takes its place. Who signs in anew makes a new view
 * and a new cache.
 *
 *     const places = new RegionView(stream, { query: 'objects', entity: 'cafe' }, objectKind(), { cache });
 *     map.on('move', () => places.look(boundsOf(map)));
 *     places.observe(() => draw(places.items, places.total));
 *     places.hold(key);   // selected: it stays while the map is dragged away, until it is gone
 * @template Item, Moved
 * @extends {Observable}
 */
export class RegionView extends Observable {
  /** Why there is nothing, or nothing new. @type {Refusal | undefined} */
  refusal;

  #make;
  #query;
  /** @type {LiveRegion<Item, Moved> | undefined} */
  #live;
  /** What was asked, by number. @type {Map<number, Region>} */
  #asked = new Map();
  #timer = 0;

  /**
   * @param {import('../stream/stream.js').Stream} stream
   * @param {Record<string, unknown>} query `{ query: 'objects', entity }` or `{ query: 'people' }`
   * @param {import('../wire.d.ts').RegionKind<Item, Moved>} kind
   * @param {{ limit?: number, padding?: number, debounce?: number, policy?: 'remoteOnly' | 'localThenRemote',
   *   cache?: import('./region-cache.js').RegionCache<Item> }} [options]
   */
  constructor(stream, query, kind, options = {}) {
    super();
    this.#query = new RegionQuery({ source: JSON.stringify(query), place: (item) => kind.place(item), ...options });
    this.#make = (/** @type {Region} */ region, /** @type {number} */ limit) => new LiveRegion(stream, query, kind, { region, limit });
  }

  /** What is to be seen, by key: what is listed, and what is held. @type {Map<string, Item>} */
  get items() {
    if (!this.cached) return this.#live?.list.shown ?? new Map();
    const items = new Map(this.#query.shown?.items.map((item) => [this.#key(item), item]));
    const held = this.#live?.list.held;
    const item = held === undefined ? undefined : this.#live?.list.shown.get(held);
    return held === undefined || item === undefined || items.has(held) ? items : items.set(held, item);
  }

  /** How many there are in the region shown, listed or not; `undefined` as long as nobody knows. @type {number | undefined} */
  get total() {
    return this.#query.shown && (this.cached ? this.#query.shown.total : this.#live?.list.total);
  }

  /** How many of them are listed. */
  get listed() {
    return this.cached ? this.#query.shown?.items.length ?? 0 : this.#live?.list.items.size ?? 0;
  }

  /** Whether what is shown is out of what is kept here. */
  get cached() {
    return this.#query.shown?.cached ?? false;
  }

  /** Whether what is shown is what is there now, in the region asked for last. */
  get isCurrent() {
    return !this.cached && (this.#live?.list.isCurrent ?? false);
  }

  /**
   * The map shows these bounds; they may go on past ±180.
   * @param {Region} bounds
   */
  look(bounds) {
    this.#perform(this.#query.look(regionOfBounds(bounds), performance.now()));
  }

  /** The field that holds the location, once the answer has said it; for objects. */
  get field() {
    return this.#live?.list.field;
  }

  /** @param {string | undefined} key */
  hold(key) {
    this.#live?.list.hold(key, key === undefined ? undefined : this.items.get(key));
    this.changed();
  }

  /** What is held, until it is gone. */
  get held() {
    return this.#live?.list.held;
  }

  /** Ends it. */
  close() {
    clearTimeout(this.#timer);
    this.#keep();
    this.#live?.close();
    this.#live = undefined;
  }

  /** @param {Item} item */
  #key(item) {
    return /** @type {LiveRegion<Item, Moved>} */ (this.#live).list.keyOf(item);
  }

  /** @param {import('../wire.d.ts').RegionAction<Item>[]} actions */
  #perform(actions) {
    for (const action of actions) {
      if (action.kind === 'wait') this.#wait(action.until);
      else if (action.kind === 'ask') this.#ask(action);
      else this.changed();
    }
  }

  /** @param {number} until */
  #wait(until) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#perform(this.#query.wake(performance.now())), Math.max(0, until - performance.now()));
  }

  /** @param {{ number: number, region: Region, limit: number }} question */
  #ask({ number, region, limit }) {
    this.#asked.set(number, region);
    this.#keep();
    if (this.#live) {
      this.#live.move(region);
      if (this.#live.list.isCurrent) this.#answered();
      return;
    }
    this.#live = this.#make(region, limit);
    this.#live.onChange = () => this.#answered();
    this.#live.onRefused = (refusal) => {
      this.refusal = refusal;
      if (this.#live?.refusal) this.#query.forget();
      this.changed();
    };
  }

  /** Something came: an answer, or a change. */
  #answered() {
    this.refusal = undefined;
    const list = this.#live?.list;
    if (list && list.isWhole) {
      for (const [number, region] of [...this.#asked]) {
        if (list.isOf(region)) this.#settle(number, list);
      }
    }
    this.changed();
  }

  /**
   * A question is answered, and those before it never will be.
   * @param {number} number
   * @param {import('./region-list.js').RegionList<Item, Moved>} list
   */
  #settle(number, list) {
    const now = performance.now();
    for (const old of [...this.#asked.keys()].filter((other) => other < number)) {
      this.#asked.delete(old);
      this.#perform(this.#query.dropped(old, now));
    }
    this.#asked.delete(number);
    this.#perform(this.#query.answered(number, { items: [...list.items.values()], total: list.total }, now));
  }

  /** Keeps the list as live changes have made it. */
  #keep() {
    const list = this.#live?.list;
    if (!list?.isWhole) return;
    this.#query.keep({ region: list.region, limit: list.limit, total: list.total, items: [...list.items.values()] }, performance.now());
  }
}
