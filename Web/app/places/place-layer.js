// @ts-check
import { objectKind } from '../region/region-kinds.js';
import { RegionView } from '../region/region-view.js';
import { locationField, placeOf } from './place.js';
import { Scope } from '../page/scope.js';
import { FetchedRegion } from './fetched-region.js';

/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').Region} Region */

/** How many of a kind are on the map at most. */
export const LISTED_AT_MOST = 300;

/** The places of one kind in the part of the Earth that is seen: over the stream, or without one asked for as it moves. */
export class PlaceLayer {
  /** What is shown, by id. @type {Map<string, MapPlace>} */
  places = new Map();

  entity;

  #scope = new Scope();
  #view;
  /** What the places were made of. @type {Map<string, PlacedObject>} */
  #objects = new Map();
  #ended;

  /**
   * @param {Entity} entity
   * @param {Region} bounds
   * @param {object} server
   * @param {import('../stream/stream.js').Stream | undefined} server.stream
   * @param {(path: string) => Promise<any>} server.get
   * @param {() => void} server.changed
   * @param {() => void} server.ended it may no longer be seen
   */
  constructor(entity, bounds, { stream, get, changed, ended }) {
    this.entity = entity;
    this.#ended = ended;
    const kind = objectKind(locationField(entity));
    this.#view = stream
      ? new RegionView(stream, { query: 'objects', entity: entity.name }, kind, { limit: LISTED_AT_MOST })
      : new FetchedRegion(entity.name, kind, LISTED_AT_MOST, get);
    this.#view.observe(() => {
      this.#take();
      changed();
    }, this.#scope);
    this.#view.look(bounds);
  }

  /** @param {Region} bounds as the map has them, on past ±180 too */
  look(bounds) {
    this.#view.look(bounds);
  }

  /** How many are shown, and of how many; `undefined` until it is known. */
  get count() {
    const { total, listed } = this.#view;
    return total === undefined ? undefined : { listed, total };
  }

  get isCurrent() {
    return this.#view.isCurrent;
  }

  close() {
    this.#ended = () => {};
    this.#scope.end();
    this.#view.close();
  }

  /** Makes places of the objects that are new or differ; the others stay the same. */
  #take() {
    if (this.#view.refusal?.code === 'unknownEntity') return this.#ended();
    const before = this.#objects;
    const places = new Map();
    for (const [id, object] of this.#view.items) {
      const known = before.get(id) === object ? this.places.get(id) : undefined;
      const place = known ?? placeOf(this.entity, object);
      if (place) places.set(id, place);
    }
    this.#objects = new Map(this.#view.items);
    this.places = places;
  }
}
