// @ts-check
import { Observable } from '../page/observable.js';
import { Scope } from '../page/scope.js';
import { Choice, KINDS_AT_MOST } from './choice.js';
import { ObjectWatch } from './object-watch.js';
import { byName, locationField, nameOf, placeKey, placeOf, placeOfKey } from './place.js';
import { PlaceLayer } from './place-layer.js';

/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {import('../stream/stream.js').Stream} Stream */
/** @typedef {(path: string) => Promise<any>} Get */

/**
 * The places on the map: of the kinds that somebody chose, what is in the part of the Earth that is seen, kept
 * current. What is selected stays, wherever the map is dragged, until it is deselected or deleted.
 */
export class Places extends Observable {
  /** The kinds that this person may see and that are on a map; `undefined` until the server has said. @type {Entity[] | undefined} */
  kinds;

  #stream;
  #get;
  #choice;
  #isLive = true;
  /** @type {Map<string, PlaceLayer>} */
  #layers = new Map();
  /** @type {Map<string, { watch: ObjectWatch, users: number }>} */
  #watched = new Map();
  /** What the map shows, on past ±180 too. @type {Region | undefined} */
  #bounds;
  /** What is selected, as it was when it was last seen. @type {{ key: string, place: MapPlace | undefined } | undefined} */
  #selected;
  /** The selected place's own watch, while no layer has it. @type {{ watch: ObjectWatch, end: () => void } | undefined} */
  #kept;
  #load = 0;

  /**
   * @param {Stream} stream
   * @param {Get} get from the server's REST
   * @param {Pick<import('../storage/shelf.js').Shelf, 'value' | 'put'>} shelf
   */
  constructor(stream, get, shelf) {
    super();
    this.#stream = stream;
    this.#get = get;
    this.#choice = new Choice(shelf);
  }

  /** Asks which kinds there are: for another person, on a new connection, or when somebody looks. */
  async load() {
    const load = ++this.#load;
    try {
      const { entities } = await this.#get('/entities');
      if (load !== this.#load) return;
      this.kinds = entities.filter(locationField);
      this.#settle();
    } catch {
      // Without an answer there are none new. The stream's state says that the server is gone.
    }
  }

  /** Nobody's places, until they are loaded for somebody. */
  clear() {
    this.#load += 1;
    this.kinds = undefined;
    this.#isLive = true;
    this.select(undefined);
    for (const { watch } of this.#watched.values()) watch.close();
    this.#watched.clear();
    this.#closeAll();
    this.#settle();
  }

  /**
   * Whether there is a stream for this person. Without one, places are asked for as the map moves.
   * @param {boolean} isLive
   */
  setLive(isLive) {
    if (isLive === this.#isLive) return;
    this.#isLive = isLive;
    this.#closeAll();
    this.#settle();
  }

  /** @param {string} kind */
  isShown(kind) {
    return this.#layers.has(kind);
  }

  /** Whether there is room for another kind. */
  get hasRoom() {
    return this.#layers.size < KINDS_AT_MOST;
  }

  /**
   * Shows or hides a kind, here and on later visits.
   * @param {string} kind
   * @param {boolean} isShown
   */
  show(kind, isShown) {
    this.#choice.decide(kind, isShown);
    this.#settle();
  }

  /**
   * The map shows another part of the Earth.
   * @param {Region} bounds
   */
  look(bounds) {
    this.#bounds = bounds;
    for (const layer of this.#layers.values()) layer.look(bounds);
    if (this.kinds && this.#layers.size === 0) this.#settle();
  }

  /**
   * How many of a kind are shown, and of how many; `undefined` until it is known.
   * @param {string} kind
   */
  countOf(kind) {
    return this.#layers.get(kind)?.count;
  }

  /** The same of all kinds that are shown. */
  get count() {
    const counts = [...this.#layers.values()].flatMap(({ count }) => count ?? []);
    if (counts.length === 0) return undefined;
    return counts.reduce((sum, { listed, total }) => ({ listed: sum.listed + listed, total: sum.total + total }), { listed: 0, total: 0 });
  }

  /** Whether what is shown is of the part of the map that is seen, as far as is known. */
  get isCurrent() {
    return [...this.#layers.values()].every(({ isCurrent }) => isCurrent);
  }

  /** What belongs on the map: what the layers have, and what is selected. @returns {Map<string, MapPlace>} */
  get all() {
    const all = new Map();
    for (const { places } of this.#layers.values()) for (const place of places.values()) all.set(place.key, place);
    const { key, place } = this.#selected ?? {};
    if (place && !all.has(key)) all.set(key, place);
    return all;
  }

  /** What is seen, by name. */
  get list() {
    return [...this.#layers.values()].flatMap(({ places }) => [...places.values()]).sort(byName);
  }

  /**
   * Something is selected on the map, or to be selected there as soon as it is.
   * @param {string | undefined} key of a place; anything else lets go of the one selected
   */
  select(key) {
    if (key === this.#selected?.key) return;
    const isPlace = placeOfKey(key) !== undefined;
    this.#selected = key !== undefined && isPlace ? { key, place: undefined } : undefined;
    this.#settleSelected();
    this.changed();
  }

  /**
   * Keeps one object current while somebody looks at it.
   * @param {string} entity
   * @param {string} id
   * @returns {{ watch: ObjectWatch, end: () => void }}
   */
  watch(entity, id) {
    const key = placeKey(entity, id);
    const known = this.#watched.get(key) ?? { watch: this.#newWatch(entity, id), users: 0 };
    this.#watched.set(key, known);
    known.users += 1;
    return { watch: known.watch, end: () => this.#letGo(key, known) };
  }

  /**
   * What an object that another refers to is called.
   * @param {string} entity
   * @param {string} id
   * @returns {Promise<string>}
   */
  async nameOf(entity, id) {
    const [{ entity: kind }, { object }] = await Promise.all([
      this.#get(`/entities/${encodeURIComponent(entity)}`), this.#get(`/objects/${encodeURIComponent(entity)}/${encodeURIComponent(id)}`),
    ]);
    return nameOf(kind, object);
  }

  /** Opens and closes layers as it was chosen. */
  #settle() {
    /** @type {Entity[]} */
    const kinds = this.kinds ?? [];
    const chosen = this.#choice.chosen(kinds.map(({ name }) => name));
    const definitions = new Map(kinds.map((kind) => [kind.name, kind]));
    for (const [name, layer] of this.#layers) {
      if (chosen.includes(name) && layer.entity.updated === definitions.get(name)?.updated) continue;
      layer.close();
      this.#layers.delete(name);
    }
    for (const kind of kinds) {
      if (chosen.includes(kind.name) && !this.#layers.has(kind.name)) this.#open(kind);
    }
    this.#heard();
  }

  #closeAll() {
    for (const layer of this.#layers.values()) layer.close();
    this.#layers.clear();
  }

  /** @param {Entity} kind */
  #open(kind) {
    if (!this.#bounds) return;
    const ended = () => {
      this.#layers.delete(kind.name);
      this.load();
    };
    this.#layers.set(kind.name, new PlaceLayer(kind, this.#bounds, {
      stream: this.#isLive ? this.#stream : undefined, get: this.#get, changed: () => this.#heard(), ended,
    }));
  }

  #heard() {
    this.#settleSelected();
    this.changed();
  }

  /** Takes what is selected from its layer, or where no layer has it, from the server. */
  #settleSelected() {
    const selected = this.#selected;
    const listed = selected && this.#listed(selected.key);
    if (selected && listed) selected.place = listed;
    if (!selected || listed || this.#keptKey !== selected.key) this.#endKept();
    if (selected && !listed && !this.#kept) this.#keep(selected.key);
  }

  /** @param {string} key */
  #listed(key) {
    const { entity, id } = placeOfKey(key) ?? { entity: '', id: '' };
    return this.#layers.get(entity)?.places.get(id);
  }

  #keptKey = '';

  #endKept() {
    this.#kept?.end();
    this.#kept = undefined;
    this.#keptKey = '';
  }

  /** @param {string} key */
  #keep(key) {
    const { entity, id } = placeOfKey(key) ?? { entity: '', id: '' };
    const { watch, end } = this.watch(entity, id);
    const scope = new Scope();
    scope.add(end);
    watch.observe(() => this.#keptChanged(watch), scope);
    this.#keptKey = key;
    this.#kept = { watch, end: () => scope.end() };
    if (watch.state !== 'loading') this.#keptChanged(watch);
  }

  /** @param {ObjectWatch} watch */
  #keptChanged({ state, entity, object }) {
    const selected = this.#selected;
    if (!selected || !this.#kept) return;
    if (state === 'here' && entity && object) selected.place = placeOf(entity, object);
    if (state === 'gone') {
      this.#selected = undefined;
      this.#endKept();
    }
    this.changed();
  }

  /**
   * @param {string} entity
   * @param {string} id
   */
  #newWatch(entity, id) {
    return new ObjectWatch(entity, id, { get: this.#get, subscribe: (query, subscriber) => this.#subscribe(query, subscriber) });
  }

  /**
   * @param {Record<string, unknown>} query
   * @param {import('../wire.d.ts').Subscriber} subscriber
   */
  #subscribe(query, subscriber) {
    if (this.#isLive) return this.#stream.subscribe(query, subscriber);
    subscriber.ended?.({ code: 'unavailable', message: 'There is no stream for who isn’t signed in.' });
    return () => {};
  }

  /**
   * @param {string} key
   * @param {{ watch: ObjectWatch, users: number }} known
   */
  #letGo(key, known) {
    known.users -= 1;
    if (known.users > 0) return;
    known.watch.close();
    if (this.#watched.get(key) === known) this.#watched.delete(key);
  }
}
