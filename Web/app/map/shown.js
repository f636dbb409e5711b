// @ts-check
import { isSamePin, isSameTrail, pinFeature, trailFeature } from './features.js';
import { KeyedSource } from './keyed-source.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
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

  /**
   * @param {Annotations} annotations
   * @param {Sources} source
   */
  apply(annotations, source) {
    const trails = this.trails.apply(annotations.trails, source('trails'));
    const stops = this.stops.apply(annotations.stops, source('stops'));
    const pins = this.pins.apply(annotations.pins, source('pins'));
    if (this.item(this.selected) === undefined) this.selected = undefined;
    return { pins, stops, trails };
  }

  /**
   * @param {string | undefined} key of a pin or a stop; anything else selects nothing
   * @param {Sources} source
   */
  select(key, source) {
    const before = this.selected;
    this.selected = this.item(key) ? key : undefined;
    this.pins.redraw([before, this.selected], source('pins'));
  }

  /** @param {string | undefined} key */
  item(key) {
    return key === undefined ? undefined : this.pins.items.get(key) ?? this.stops.items.get(key);
  }

  /**
   * Everything of one source, for a map that is dressed anew.
   * @param {string} name
   */
  collection(name) {
    if (name === 'pins') return this.pins.collection();
    return name === 'stops' ? this.stops.collection() : this.trails.collection();
  }
}
