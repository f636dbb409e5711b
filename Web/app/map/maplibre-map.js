// @ts-check
import { COARSE_FROM } from '../freshness/person-text.js';
import { say } from '../words/words.js';
import { BaseMap } from './base-map.js';
import { Callouts } from './callouts.js';
import { Camera } from './camera.js';
import { nearestZoom, picture } from './first-picture.js';
import { CLICKED, DOTS, layers, placeLayout, SOURCES } from './layers.js';
import { MapNote } from './map-note.js';
import { PeopleLayer } from './people-layer.js';
import { drawPlace } from './place-image.js';
import { ripple } from './ripples.js';
import { Shown } from './shown.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('./map.js').MapListener} MapListener */

/** At most ten times a second is anything moved. */
const APPLY_EVERY = 100;
/** Close enough to know where somebody is, far enough to see what is around. */
const ONE_PLACE_ZOOM = 15;
const PIXEL_RATIO = Math.max(2, Math.ceil(devicePixelRatio));

/** The map over MapLibre GL. */
export class MapLibreMap {
  isText = false;

  #library;
  #map;
  #listener;
  #base;
  #camera;
  #note;
  #scheme = matchMedia('(prefers-color-scheme: dark)');
  #callouts;
  #isReady = false;
  /** @type {Annotations | undefined} */
  #wanted;
  /** @type {Map<string, MapPlace> | undefined} */
  #wantedPlaces;
  /** The chat that is open. @type {string | undefined} */
  #chat;
  /** Whether the map is about people. */
  #isQuiet = false;
  /** What is to be selected as soon as it is there. @type {string | undefined} */
  #awaited;
  #lastApplied = 0;
  /** What of the map lies under the panel. */
  #covered = { left: 0, right: 0, bottom: 0 };
  #isScheduled = false;
  #shown = new Shown();
  #people;
  /** @type {string | undefined} */
  #followed;

  /**
   * @param {typeof maplibregl} library
   * @param {HTMLElement} container
   * @param {MapListener} listener
   */
  constructor(library, container, listener) {
    this.#library = library;
    this.#listener = listener;
    this.#map = new library.Map({
      container, center: [12, 30], zoom: 1.6, maxZoom: 19, attributionControl: false,
      fadeDuration: 0, dragRotate: false, pitchWithRotate: false, touchPitch: false, renderWorldCopies: true,
    });
    this.#map.addControl(new library.AttributionControl({ compact: true }), 'bottom-right');
    this.#map.addControl(new library.ScaleControl({ maxWidth: 110 }), 'bottom-right');
    this.#people = new PeopleLayer(this.#map);
    this.#people.setDark(this.#scheme.matches);
    this.#callouts = new Callouts(library, this.#map, {
      whereOf: (person, place) => listener.whereOf(person, place), dayOf: (person) => listener.dayOf(person),
      stepped: (by) => listener.stepped(by), opened: (key) => listener.opened(key), followed: (key) => this.follow(key === this.#followed ? undefined : key),
    });
    this.#map.getCanvas().setAttribute('aria-label', say('map.keys'));
    // On a small map the credits are behind their button from the start.
    this.#map.once('load', () => {
      if (container.clientWidth < 760) container.querySelector('.maplibregl-compact-show')?.classList.remove('maplibregl-compact-show');
    });
    this.#listen(container);
    this.#base = new BaseMap(() => {
      this.#restyle();
      listener.charted();
    });
    this.#camera = new Camera(library, this.#map, (place) => this.levelsAt(place) ?? 0);
    this.#note = new MapNote(container, this.#base);
    this.#scheme.addEventListener('change', () => this.#restyle());
  }

  #restyle() {
    this.#isReady = false;
    this.#people.setDark(this.#scheme.matches);
    this.#map.setStyle(this.#base.style(this.#scheme.matches), { diff: false });
  }

  /** @param {Annotations} annotations */
  show(annotations) {
    this.#wanted = annotations;
    this.#schedule();
  }

  /** @param {Map<string, MapPlace>} places */
  showPlaces(places) {
    this.#wantedPlaces = places;
    this.#schedule();
  }

  /** @param {string | undefined} chat */
  showChat(chat) {
    if (chat === this.#chat) return;
    this.#chat = chat;
    if (this.#isReady) this.#sayNote();
  }

  /** @param {boolean} isQuiet */
  quietPlaces(isQuiet) {
    if (isQuiet === this.#isQuiet) return;
    this.#isQuiet = isQuiet;
    if (this.#isReady) this.#layOutPlaces();
  }

  #layOutPlaces() {
    for (const [layer, property, value] of placeLayout(this.#isQuiet)) this.#map.setLayoutProperty(layer, property, value);
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#map.getContainer().dataset.map = 'busy';
    const wait = Math.max(0, this.#lastApplied + APPLY_EVERY - performance.now());
    setTimeout(() => requestAnimationFrame(() => this.#apply()), wait);
  }

  /** @param {string | undefined} key */
  select(key) {
    const isThere = key === undefined || this.#shown.item(key) !== undefined;
    // Whoever was followed as the one chosen is followed no more when another is, or nobody.
    if (this.#followed !== undefined && this.#followed === this.#shown.selected && key !== this.#followed) this.#followed = undefined;
    this.#awaited = isThere ? undefined : key;
    // From one of all positions to another: the callout stays, and with it the focus, until that one is drawn.
    if (!isThere && this.#shown.stops.items.has(this.#shown.selected ?? '')) return this.#listener.changed();
    this.#shown.select(key, (name) => this.#source(name));
    this.#people.select(this.#shown.selected);
    this.#showCallout();
    return this.#listener.changed();
  }

  selected() {
    return this.#awaited ?? this.#shown.selected;
  }

  /**
   * @param {string | undefined} key
   * @param {number} [zoomAtLeast]
   */
  follow(key, zoomAtLeast = ONE_PLACE_ZOOM) {
    this.#followed = key;
    const place = key === undefined ? undefined : this.#wanted?.pins.get(key);
    // The map zooms in no further than its tiles show streets or names at that place.
    this.#center(key, place ? Math.min(zoomAtLeast, nearestZoom(this.levelsAt(place) ?? 0)) : zoomAtLeast);
    this.#showCallout();
    this.#sayNote();
    this.#listener.changed();
  }

  /**
   * @param {string} key
   * @param {number} zoomAtLeast
   */
  lookAt(key, zoomAtLeast) {
    this.#center(key, zoomAtLeast);
  }

  followed() {
    return this.#followed;
  }

  /** @param {{ latitude: number, longitude: number }} place */
  levelsAt(place) {
    return this.#base.levelsAt(place);
  }

  /** @param {{ zoomAtMost: number }} options */
  fit({ zoomAtMost }) {
    const people = [...(this.#wanted?.pins ?? this.#shown.pins).values(), ...this.#trailEnds()];
    const places = people.length > 0 ? people : [...(this.#wantedPlaces ?? new Map()).values()];
    // The reader asks for it: people are seen apart, though the map has no more to show.
    const fitted = picture(places, { levels: zoomAtMost, zoomAtMost });
    if (fitted) this.frame(fitted);
  }

  /** @param {import('./first-picture.js').Picture} picture */
  frame(picture) {
    this.#camera.frame(picture);
  }

  /** The middle of what is free of the map. */
  center() {
    const { lng, lat } = this.#map.getCenter();
    return { latitude: lat, longitude: ((lng + 540) % 360) - 180 };
  }

  /** How often the reader has moved the map by hand. */
  moves() {
    return this.#camera.moves;
  }

  /**
   * Moves to a place, so that a stretch of so many meters is seen.
   * @param {{ latitude: number, longitude: number }} place
   * @param {number} meters
   */
  showAround(place, meters) {
    this.#camera.around(place, meters);
  }

  /** What of the Earth is to be seen beside the panel; its longitudes go on past ±180. */
  bounds() {
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const { left, right, bottom } = this.#covered;
    // All four: two fingers turn the map.
    const corners = [[left, 0], [width - right, 0], [left, height - bottom], [width - right, height - bottom]]
      .map(([x, y]) => this.#map.unproject([x, y]));
    const [longitudes, latitudes] = [corners.map(({ lng }) => lng), corners.map(({ lat }) => lat)];
    return {
      south: Math.min(...latitudes), west: Math.min(...longitudes), north: Math.max(...latitudes), east: Math.max(...longitudes),
    };
  }

  /** The same, with the zoom. */
  view() {
    return { ...this.bounds(), zoom: this.#map.getZoom() };
  }

  /**
   * @param {import('./map.js').Padding} padding
   * @param {import('./map.js').Covered} covered
   */
  setPadding(padding, covered) {
    this.#covered = covered;
    this.#people.setCovered(covered);
    this.#listener.moved();
    this.#camera.pad(padding);
  }

  /** @param {number} steps */
  zoom(steps) {
    this.#camera.zoom(steps);
  }

  /** @param {HTMLElement} container */
  #listen(container) {
    const map = this.#map;
    map.on('style.load', () => this.#dress());
    // A tile that doesn't come, as without a connection: the map asks again, and the status says that it is gone.
    map.on('error', ({ sourceId, error }) => this.#noteTile(sourceId, error?.status >= 400));
    map.on('sourcedata', ({ sourceId, tile }) => tile?.state === 'loaded' && this.#noteTile(sourceId, false));
    map.on('styleimagemissing', ({ id }) => {
      const image = drawPlace(id, PIXEL_RATIO);
      if (image && !map.hasImage(id)) map.addImage(id, image, { pixelRatio: PIXEL_RATIO });
    });
    for (const event of ['movestart', 'dataloading']) map.on(event, () => { container.dataset.map = 'busy'; });
    map.on('idle', () => { if (!this.#isScheduled) container.dataset.map = 'idle'; });
    map.on('moveend', () => this.#showCallout(true));
    for (const event of ['moveend', 'style.load']) map.on(event, () => this.#sayNote());
    for (const event of ['move', 'resize']) map.on(event, () => this.#listener.moved());
    map.on('click', ({ point, originalEvent }) => this.#clicked(this.#people.keyOf(originalEvent.target) ?? this.#keyAt(point)));
    this.#people.element.addEventListener('click', (event) => {
      // A click by a key has no place on the map.
      if (event.detail === 0) this.#clicked(this.#people.keyOf(event.target));
    });
    map.on('mousemove', ({ point }) => {
      map.getCanvas().style.cursor = this.#keyAt(point) === undefined ? '' : 'pointer';
    });
    const panned = () => this.#followed !== undefined && this.follow(undefined);
    map.on('dragstart', panned);
    map.on('movestart', ({ originalEvent }) => originalEvent?.key?.startsWith('Arrow') && panned());
    container.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      this.#people.close();
      this.select(undefined);
    });
  }

  /**
   * @param {string | undefined} source
   * @param {boolean} failed
   */
  #noteTile(source, failed) {
    if (this.#base.noteTile(source, failed)) this.#sayNote();
  }

  #sayNote() {
    const place = this.#middle();
    this.#note.update({
      streets: this.#base.streetsAt(place), zoom: this.#map.getZoom(), nearest: nearestZoom(this.levelsAt(place) ?? 0), chat: this.#chat,
      coarse: this.#coarseOwn(),
    });
  }

  /** How far off the reader's own dot may be, where that is much and they share or look for themselves; else `undefined`. */
  #coarseOwn() {
    const own = [...(this.#wanted?.pins ?? new Map()).values()].find((pin) => pin.own && pin.dot);
    const isAbout = own?.dot === 'sharing' || (own && own.key === this.#followed);
    return isAbout && (own.accuracy ?? 0) >= COARSE_FROM ? own.accuracy : undefined;
  }

  /** Puts people onto a style that is new. */
  #dress() {
    for (const name of SOURCES) {
      this.#map.addSource(name, { type: 'geojson', promoteId: 'key', data: this.#shown.collection(name), tolerance: 2 });
    }
    for (const layer of layers(this.#scheme.matches)) this.#map.addLayer(layer);
    this.#layOutPlaces();
    this.#isReady = true;
    this.#schedule();
  }

  /** @param {string} name */
  #source(name) {
    return this.#isReady ? this.#map.getSource(name) : undefined;
  }

  #apply() {
    this.#isScheduled = false;
    this.#lastApplied = performance.now();
    // Where nothing differs, too: the map says that it is idle after it has drawn.
    this.#map.triggerRepaint();
    if (!this.#isReady) return;
    const selected = this.#shown.selected;
    const source = (/** @type {string} */ name) => this.#source(name);
    if (this.#wanted) this.#applyPeople(this.#wanted, source);
    if (this.#wantedPlaces) this.#shown.applyPlaces(this.#wantedPlaces, source);
    if (this.#awaited !== undefined && this.#shown.item(this.#awaited)) return this.select(this.#awaited);
    this.#showCallout();
    if (this.#shown.selected !== selected) this.#listener.changed();
  }

  /**
   * @param {Annotations} wanted
   * @param {import('./shown.js').Sources} source
   */
  #applyPeople(wanted, source) {
    const hadPins = this.#shown.pins.size > 0;
    const { added, changed, removed } = this.#shown.apply(wanted, source).pins;
    if (added.length + changed.length + removed.length > 0) this.#people.show(this.#shown.pins);
    this.#people.select(this.#shown.selected);
    if (hadPins) ripple(this.#library, this.#map, { came: added, left: removed });
    if ([...added, ...changed].some(({ key }) => key === this.#followed)) this.#center(this.#followed);
    if ([...added, ...changed, ...removed].some(({ own }) => own)) this.#sayNote();
  }

  /** @param {boolean} [isMoved] whether the map came to rest elsewhere */
  #showCallout(isMoved = false) {
    const map = { heads: this.#people.heads(), followed: this.#followed, isMoved, covered: this.#covered };
    this.#callouts.show(this.#shown.item(this.#shown.selected), map);
  }

  /** @param {string | undefined} key of a person, a cluster or a place; of nothing where the map is bare */
  #clicked(key) {
    if (key !== undefined && this.#people.open(key)) return;
    this.#people.close();
    if (key === this.#shown.selected) return;
    // When the chosen person moves, the map moves with their pin.
    if (key !== undefined && this.#shown.pins.has(key)) this.#followed = key;
    this.select(key);
  }

  /**
   * @param {{ x: number, y: number }} point
   * @returns {string | undefined}
   */
  #keyAt({ x, y }) {
    if (!this.#isReady) return undefined;
    const near = [[x - 6, y - 6], [x + 6, y + 6]];
    const found = this.#map.queryRenderedFeatures(near, { layers: CLICKED });
    const dots = found.filter(({ layer }) => DOTS.includes(layer.id));
    // Of many dots side by side the one that is meant.
    const hit = dots.length > 0 ? nearest(dots, (place) => this.#map.project(place), { x, y }) : found[0];
    return hit?.properties.key;
  }

  /**
   * @param {string | undefined} key
   * @param {number} [zoomAtLeast]
   */
  #center(key, zoomAtLeast = 0) {
    const item = key === undefined ? undefined : this.#wanted?.pins.get(key) ?? this.#wantedPlaces?.get(key);
    if (item) this.#camera.center(item, zoomAtLeast);
  }

  /** The place in the middle of what is to be seen beside the panel. */
  #middle() {
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const { left, bottom } = this.#covered;
    const { lng: longitude, lat: latitude } = this.#map.unproject([(left + width) / 2, (height - bottom) / 2]);
    return { longitude, latitude };
  }

  #trailEnds() {
    const lines = [...(this.#wanted?.trails ?? new Map()).values()].filter(({ pieces }) => !pieces);
    const points = lines.flatMap((line) => line.points.map((/** @type {[number, number]} */ [longitude, latitude]) => ({ longitude, latitude })));
    return [...(this.#wanted?.extent ?? (this.#wanted?.stops ?? new Map()).values()), ...points];
  }
}

/**
 * @param {any[]} features points
 * @param {(place: [number, number]) => { x: number, y: number }} project
 * @param {{ x: number, y: number }} point
 */
function nearest(features, project, { x, y }) {
  const distances = features.map(({ geometry }) => {
    const at = project(geometry.coordinates);
    return Math.hypot(at.x - x, at.y - y);
  });
  return features[distances.indexOf(Math.min(...distances))];
}
