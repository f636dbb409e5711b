// @ts-check
import { RegionList } from './region-list.js';

/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {import('../wire.d.ts').Refusal} Refusal */
/** @typedef {import('../stream/stream.js').Stream} Stream */

/**
 * A live region on the stream: subscribes, moves, and subscribes again after a reconnect with the newest region.
 * {@link RegionList} decides; this sends.
 *
 *     const cafes = new LiveRegion(stream, { query: 'objects', entity: 'cafe' }, objectKind(), { region });
 *     cafes.onChange = (change) => …;   // cafes.list has all of it
 *     cafes.move(elsewhere);
 *     cafes.close();
 * @template Item, Moved
 */
export class LiveRegion {
  /** @type {RegionList<Item, Moved>} */
  list;
  /** Why there is nothing for good, as for an entity that one may not read. @type {Refusal | undefined} */
  refusal;
  /** After what changed; `list.isCurrent` says whether the answer to the newest region is whole. */
  onChange = (/** @type {import('../wire.d.ts').RegionChange<Item>} */ _change) => {};
  /** After {@link refusal} was set. */
  onRefused = (/** @type {Refusal} */ _refusal) => {};

  #stream;
  #query;
  #end = () => {};
  /** @type {number | undefined} */
  #id;

  /**
   * @param {Stream} stream
   * @param {Record<string, unknown>} query `{ query: 'objects', entity }` or `{ query: 'people' }`
   * @param {import('../wire.d.ts').RegionKind<Item, Moved>} kind `objectKind()` or `personKind`
   * @param {{ region: Region, limit?: number }} options
   */
  constructor(stream, query, kind, { region, limit = 300 }) {
    this.#stream = stream;
    this.#query = query;
    this.list = new RegionList(kind, region, limit);
    this.#begin();
  }

  /** @param {Region} region */
  move(region) {
    this.#send(this.list.move(region));
  }

  /** Ends it. */
  close() {
    this.#end();
    this.#end = () => {};
    this.#id = undefined;
  }

  #begin() {
    this.#end = this.#stream.subscribe(this.#query, {
      resume: () => this.list.reopen(),
      answer: (frame) => {
        this.#id = frame.id;
        this.#apply(frame);
      },
      change: (frame) => this.#apply(frame),
      ended: (refusal) => this.#refused(refusal),
    });
  }

  /** @param {import('../wire.d.ts').Frame} frame */
  #apply(frame) {
    const change = this.list.apply(frame);
    if (change) this.onChange(change);
    this.#send(this.list.nextMove());
  }

  /** @param {{ step: number, region: Region } | undefined} move */
  #send(move) {
    if (move) this.#stream.send({ type: 'move', id: this.#id, ...move });
  }

  /**
   * What one may not see isn't shown on.
   * @param {Refusal} refusal
   */
  #refused(refusal) {
    this.refusal = refusal;
    this.list.reopen();
    this.list.clear();
    this.onRefused(refusal);
  }
}
