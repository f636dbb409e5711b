// @ts-check
import { Observable } from '../page/observable.js';
import { locationField } from './place.js';

/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').Subscriber} Subscriber */

/** What the server says when somebody may no longer see an object, or nobody can. */
const GONE = ['unknownObject', 'unknownEntity'];
/** How soon to ask again after something went wrong, or changed while it was asked for. */
const AGAIN_AFTER = 1_000;
/** How often to ask where the stream can't say. */
const ASK_EVERY = 15_000;
/** As many as the server lists: others may stand in the same place. */
const LISTED_AT_MOST = 1_000;

/**
 * One object, kept current wherever it is. The stream has regions, not single objects: so this is a region as large as
 * the object's place. What leaves it has moved or is deleted, and REST says which. An object that is on no map is asked
 * for now and then.
 */
export class ObjectWatch extends Observable {
  /** @type {'loading' | 'here' | 'gone' | 'failed'} */
  state = 'loading';
  /** @type {PlacedObject | undefined} */
  object;
  /** @type {Entity | undefined} */
  entity;

  #name;
  #id;
  #server;
  /** What is subscribed to. */
  #at = '';
  #endLive = () => {};
  /** Whether the stream tells of it, as far as is known. */
  #isListed = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isAsking = false;
  #isClosed = false;

  /**
   * @param {string} name of the entity
   * @param {string} id
   * @param {object} server
   * @param {(path: string) => Promise<any>} server.get
   * @param {(query: Record<string, unknown>, subscriber: Subscriber) => () => void} server.subscribe
   */
  constructor(name, id, server) {
    super();
    this.#name = name;
    this.#id = id;
    this.#server = server;
    this.#ask();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#endLive();
  }

  async #ask() {
    if (this.#isAsking || this.#isClosed) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    try {
      const path = encodeURIComponent(this.#name);
      this.entity ??= (await this.#server.get(`/entities/${path}`)).entity;
      this.#take((await this.#server.get(`/objects/${path}/${encodeURIComponent(this.#id)}`)).object);
    } catch (error) {
      this.#failed(/** @type {any} */ (error).code);
    }
    this.#isAsking = false;
  }

  /** @param {string | undefined} code */
  #failed(code) {
    if (this.#isClosed) return;
    if (code !== undefined && GONE.includes(code)) {
      this.state = 'gone';
      this.object = undefined;
      this.#endLive();
    } else {
      if (!this.object) this.state = 'failed';
      this.#askIn(AGAIN_AFTER * 3);
    }
    this.changed();
  }

  /** @param {number} milliseconds */
  #askIn(milliseconds) {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#ask(), milliseconds);
  }

  /** @param {PlacedObject} object */
  #take(object) {
    if (this.#isClosed || (this.object && object.updated < this.object.updated)) return;
    this.object = object;
    this.state = 'here';
    this.#follow(object.fields[(this.entity && locationField(this.entity)) ?? '']);
    this.changed();
  }

  /** @param {{ latitude?: number, longitude?: number } | undefined} location */
  #follow(location) {
    const at = location?.latitude === undefined ? '' : `${location.latitude},${location.longitude}`;
    if (at === this.#at && at !== '') return this.#isListed ? undefined : this.#askIn(ASK_EVERY);
    this.#endLive();
    this.#at = at;
    this.#isListed = true;
    if (at === '') return this.#askIn(ASK_EVERY);
    const { latitude, longitude } = /** @type {{ latitude: number, longitude: number }} */ (location);
    this.#subscribe({ south: latitude, west: longitude, north: latitude, east: longitude });
  }

  /** @param {import('../wire.d.ts').Region} region */
  #subscribe(region) {
    let isFound = false;
    const end = this.#server.subscribe({ query: 'objects', entity: this.#name, region, limit: LISTED_AT_MOST }, {
      answer: (frame, isFirst) => {
        if (isFirst) isFound = false;
        isFound = this.#hear(frame) || isFound;
        if (!frame.current) return;
        // Gone meanwhile, or among more in one place than are listed.
        this.#isListed = isFound;
        if (!isFound) this.#askIn(AGAIN_AFTER);
      },
      change: (frame) => this.#hear(frame),
      ended: () => {
        this.#isListed = false;
        this.#askIn(ASK_EVERY);
      },
    });
    this.#endLive = () => {
      this.#endLive = () => {};
      end();
    };
  }

  /**
   * @param {Frame} frame
   * @returns {boolean} whether the object is in it
   */
  #hear(frame) {
    const now = [...(frame.entered ?? []), ...(frame.changed ?? [])].find(({ id }) => id === this.#id);
    if (now) this.#take(now);
    else if (frame.left?.includes(this.#id)) this.#ask();
    return now !== undefined;
  }
}
