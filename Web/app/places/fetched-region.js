// @ts-check
import { Observable } from '../page/observable.js';
import { regionOfBounds } from '../region/region.js';
import { RegionQuery } from '../region/region-query.js';

/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').Region} Region */

/**
 * What a map shows of an entity as it is dragged, asked for over REST: for who has no stream, because the world of this
 * server isn't open to them. It is as of the last movement.
 */
export class FetchedRegion extends Observable {
  /** @type {import('../wire.d.ts').Refusal | undefined} */
  refusal;

  #entity;
  #get;
  #query;
  #timer = 0;
  #isClosed = false;

  /**
   * @param {string} entity
   * @param {import('../wire.d.ts').RegionKind<PlacedObject, any>} kind
   * @param {number} limit
   * @param {(path: string) => Promise<any>} get
   */
  constructor(entity, kind, limit, get) {
    super();
    this.#entity = entity;
    this.#get = get;
    this.#query = new RegionQuery({ source: entity, place: (object) => kind.place(object), limit });
  }

  get items() {
    return new Map((this.#query.shown?.items ?? []).map((object) => [object.id, object]));
  }

  get total() {
    return this.#query.shown?.total;
  }

  get listed() {
    return this.#query.shown?.items.length ?? 0;
  }

  get isCurrent() {
    return this.#query.shown !== undefined;
  }

  /** @param {Region} bounds */
  look(bounds) {
    this.#perform(this.#query.look(regionOfBounds(bounds), performance.now()));
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** @param {import('../wire.d.ts').RegionAction<PlacedObject>[]} actions */
  #perform(actions) {
    if (this.#isClosed) return;
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
  async #ask({ number, region: { south, west, north, east }, limit }) {
    try {
      const path = `/objects/${encodeURIComponent(this.#entity)}/region?sw=${south},${west}&ne=${north},${east}&limit=${limit}`;
      const { objects, total } = await this.#get(path);
      this.refusal = undefined;
      this.#perform(this.#query.answered(number, { items: objects, total }, performance.now()));
    } catch (error) {
      const { code, message } = /** @type {any} */ (error);
      this.refusal = { code: code ?? 'internalError', message };
      this.#perform(this.#query.failed(number, this.refusal, performance.now()));
    }
  }
}
