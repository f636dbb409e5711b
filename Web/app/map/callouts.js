// @ts-check
import { PlaceCallout } from '../places/place-callout.js';
import { Callout } from './callout.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */

/** How far over its point a callout stands: over the head of a pin, over the edge of a place's square. */
const OVER_PIN = 46;
const OVER_PLACE = 20;

/** The one callout on the map, of a person or a place. It stays one and the same while what it is of moves. */
export class Callouts {
  #map;
  #popup;
  #person = new Callout();
  #place;

  /**
   * @param {typeof maplibregl} library
   * @param {maplibregl.Map} map
   * @param {(key: string) => void} opened called when somebody asks for all of a place
   */
  constructor(library, map, opened) {
    this.#map = map;
    this.#popup = new library.Popup({ closeButton: false, closeOnClick: false, focusAfterOpen: false, maxWidth: '300px', className: 'callout' });
    this.#place = new PlaceCallout(opened);
  }

  /** @param {MapPin | MapPlace | undefined} item */
  show(item) {
    if (!item) {
      this.#popup.remove();
      return;
    }
    const shown = isPlace(item) ? this.#showPlace(item) : this.#showPerson(item);
    this.#popup.setLngLat([item.longitude, item.latitude]);
    if (!shown.isConnected) this.#popup.setDOMContent(shown);
    if (!this.#popup.isOpen()) this.#popup.addTo(this.#map);
  }

  /** @param {MapPlace} place */
  #showPlace(place) {
    this.#place.show(place);
    this.#popup.setOffset(OVER_PLACE);
    return this.#place.element;
  }

  /** @param {MapPin} pin */
  #showPerson(pin) {
    this.#person.show(pin);
    this.#popup.setOffset(OVER_PIN);
    return this.#person.element;
  }
}

/**
 * @param {MapPin | MapPlace} item
 * @returns {item is MapPlace}
 */
export function isPlace(item) {
  return 'letter' in item;
}
