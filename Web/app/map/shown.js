// @ts-check
import { isSameAnnotation } from '../region/object-annotations.js';
import { isSamePin, isSameTrail, pinFeature, placeFeature, trailFeature } from './features.js';
import { KeyedSource } from './keyed-source.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {(name: string) => maplibregl.GeoJSONSource | undefined} Sources */

/**
 * What is on the map at the moment, and which of it is selected. Told what should be there, it changes only what
 * differs; what is selected stays so while it moves, and until it is gone.
 */
export class Shown {
  /** @type {string | undefined} */
  selected;

  pins = new KeyedSource({ isSame: isSamePin, feature: (/** @type {MapPin} */ pin) => pinFeature(pin, pin.key === this.selected) });
  stops = new KeyedSource({ isSame: isSamePin, feature: (/** @type {MapPin} */ pin) => pinFeature(pin, false) });
  trails = new KeyedSource({ isSame: isSameTrail, feature: trailFeature });
  places = new KeyedSource({ isSame: isSameAnnotation, feature: (/** @type {MapPlace} */ place) => placeFeature(place, place.key === this.selected) });

  /**
   * @param {Annotations} annotations
   * @param {Sources} source
   */
  apply(annotations, source) {
    const trails = this.trails.apply(annotations.trails, source('trails'));
    const stops = this.stops.apply(annotations.stops, source('stops'));
    const pins = this.pins.apply(annotations.pins, source('pins'));
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
    this.pins.redraw([before, this.selected], source('pins'));
    this.places.redraw([before, this.selected], source('places'));
  }

  /**
   * @param {string | undefined} key
   * @returns {MapPin | MapPlace | undefined}
   */
  item(key) {
    return key === undefined ? undefined : this.pins.items.get(key) ?? this.stops.items.get(key) ?? this.places.items.get(key);
  }

  /**
   * Everything of one source, for a map that is dressed anew.
   * @param {string} name
   */
  collection(name) {
    const known = { pins: this.pins, stops: this.stops, places: this.places, trails: this.trails };
    return known[/** @type {keyof typeof known} */ (name)].collection();
  }

  /** What is selected and gone is selected no more. */
  #settle() {
    if (this.item(this.selected) === undefined) this.selected = undefined;
  }
}
