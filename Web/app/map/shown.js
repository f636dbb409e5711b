// @ts-check
import { isSameAnnotation } from '../region/object-annotations.js';
import { accuracyFeature, isSameAccuracy, isSamePiece, isSamePin, isSameTrail, pieceFeature, piecesOf, placeFeature, stopFeature } from './features.js';
import { keyedChanges } from './keyed-changes.js';
import { KeyedSource } from './keyed-source.js';
import { SplitSource } from './split-source.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */
/** @typedef {(name: string) => maplibregl.GeoJSONSource | undefined} Sources */

/**
 * What is on the map at the moment, and which of it is selected. Told what should be there, it changes only what
 * differs; what is selected stays so while it moves, and until it is gone.
 */
export class Shown {
  /** @type {string | undefined} */
  selected;

  /** @type {Map<string, MapPin>} */
  pins = new Map();
  /** @type {Map<string, MapTrail>} */
  trails = new Map();
  accuracy = new KeyedSource({ isSame: isSameAccuracy, feature: accuracyFeature });
  stops = new SplitSource({ isSame: isSamePin, feature: stopFeature });
  pieces = new SplitSource({ isSame: isSamePiece, feature: pieceFeature });
  places = new KeyedSource({ isSame: isSameAnnotation, feature: (/** @type {MapPlace} */ place) => placeFeature(place, place.key === this.selected) });

  /**
   * @param {Annotations} annotations
   * @param {Sources} source
   */
  apply(annotations, source) {
    const trails = this.#trailChanges(annotations.trails);
    this.pieces.apply(byKey([...annotations.trails.values()].flatMap(piecesOf)), source('old-trails'), source('trails'));
    const stops = this.stops.apply(annotations.stops, source('old-stops'), source('stops'));
    const pins = this.#pinChanges(annotations.pins);
    this.accuracy.apply(byKey([...annotations.pins.values()].filter(isCircled)), source('accuracy'));
    this.#settle();
    return { pins, stops, trails };
  }

  /**
   * @param {Map<string, MapPlace>} places
   * @param {Sources} source
   */
  applyPlaces(places, source) {
    this.places.apply(places, source('places'));
    this.#settle();
  }

  /**
   * @param {string | undefined} key of a pin, a stop or a place; anything else selects nothing
   * @param {Sources} source
   */
  select(key, source) {
    const before = this.selected;
    this.selected = this.item(key) ? key : undefined;
    this.places.redraw([before, this.selected], source('places'));
  }

  /**
   * @param {string | undefined} key
   * @returns {MapPin | MapPlace | undefined}
   */
  item(key) {
    return key === undefined ? undefined : this.pins.get(key) ?? this.stops.items.get(key) ?? this.places.items.get(key);
  }

  /**
   * Everything of one source, for a map that is dressed anew.
   * @param {string} name
   */
  collection(name) {
    switch (name) {
      case 'accuracy': return this.accuracy.collection();
      case 'trails': return this.pieces.collection('fresh');
      case 'old-trails': return this.pieces.collection('old');
      case 'stops': return this.stops.collection('fresh');
      case 'old-stops': return this.stops.collection('old');
      default: return this.places.collection();
    }
  }

  /** @param {Map<string, MapPin>} wanted */
  #pinChanges(wanted) {
    const before = this.pins;
    this.pins = new Map(wanted);
    return named(keyedChanges(before, wanted, isSamePin), before);
  }

  /** @param {Map<string, MapTrail>} wanted */
  #trailChanges(wanted) {
    const before = this.trails;
    this.trails = new Map(wanted);
    return named(keyedChanges(before, wanted, isSameTrail), before);
  }

  /** What is selected and gone is selected no more. */
  #settle() {
    if (this.item(this.selected) === undefined) this.selected = undefined;
  }
}

/**
 * Changes with what was removed itself in place of its keys.
 * @template T
 * @param {{ added: T[], changed: T[], removed: string[] }} changes
 * @param {Map<string, T>} before
 * @returns {{ added: T[], changed: T[], removed: T[] }}
 */
function named({ added, changed, removed }, before) {
  return { added, changed, removed: removed.flatMap((key) => before.get(key) ?? []) };
}

/** @param {MapPin} pin */
function isCircled({ accuracy, state }) {
  return accuracy !== undefined && accuracy > 0 && state !== 'ended' && state !== 'offline';
}

/**
 * @template {{ key: string }} Item
 * @param {Item[]} items
 * @returns {Map<string, Item>}
 */
function byKey(items) {
  return new Map(items.map((item) => [item.key, item]));
}
