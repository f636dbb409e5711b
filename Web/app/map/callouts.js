// @ts-check
import { PlaceCallout } from '../places/place-callout.js';
import { Callout } from './callout.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */

/** How far from its point a callout stands: outside the head of a pin, over the edge of a place's square. */
const HEAD = 33;
const OUTSIDE = 34;
const OVER_PIN = 66;
const BELOW_PIN = 30;
const OVER_PLACE = 20;
const BESIDE_DOT = 12;

/** The one callout on the map, of a person or a place. It stays one and the same while what it is of moves. */
export class Callouts {
  #map;
  #popup;
  #person;
  #place;
  /** The key of what it is of, and whether it has a row more. */
  #of = '';

  /**
   * @param {typeof maplibregl} library
   * @param {maplibregl.Map} map
   * @param {object} called
   * @param {(key: string) => void} called.opened the reader asks for all of a place
   * @param {import('./map.js').MapListener['whereOf']} called.whereOf
   * @param {import('./map.js').MapListener['dayOf']} called.dayOf
   * @param {(key: string) => void} called.followed the reader wants to follow a person, or no more
   * @param {import('./map.js').MapListener['stepped']} called.stepped
   */
  constructor(library, map, { opened, followed, whereOf, dayOf, stepped }) {
    this.#person = new Callout(followed, { whereOf, dayOf, stepped });
    this.#map = map;
    this.#popup = new library.Popup({ closeButton: false, closeOnClick: false, focusAfterOpen: false, maxWidth: '300px', className: 'callout' });
    this.#place = new PlaceCallout(opened);
  }

  /**
   * @param {MapPin | MapPlace | undefined} item
   * @param {{ heads: { key: string, x: number, y: number }[], followed: string | undefined, isMoved: boolean,
   *   covered: import('./map.js').Covered }} map everybody on the map, whom a callout is kept off; whether the map came to rest
   *   elsewhere; and what of it panels lie over
   */
  show(item, { heads, followed, isMoved, covered }) {
    if (!item) {
      this.#popup.remove();
      return;
    }
    const shown = isPlace(item) ? this.#showPlace(item) : this.#showPerson(item, followed);
    this.#popup.setLngLat([item.longitude, item.latitude]);
    if (!shown.isConnected) this.#popup.setDOMContent(shown);
    const wasOpen = this.#popup.isOpen();
    if (!wasOpen) this.#popup.addTo(this.#map);
    const of = `${item.key} ${!isPlace(item) && (item.pile?.of ?? 0) > 1}`;
    if (!isPlace(item) && (!wasOpen || isMoved || of !== this.#of)) this.#standAside(item, heads, covered);
    this.#of = of;
  }

  /**
   * Chooses the side that covers the fewest other people and stays on the free map.
   * @param {MapPin} pin
   * @param {{ key: string, x: number, y: number }[]} heads
   * @param {import('./map.js').Covered} covered
   */
  #standAside(pin, heads, covered) {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const [start, width, height] = [covered.left, clientWidth - covered.right, clientHeight - covered.bottom];
    const { offsetWidth, offsetHeight } = this.#popup.getElement();
    const { x, y } = this.#map.project([pin.longitude, pin.latitude]);
    const { left: [beside, up], bottom: [, over], top: [, below] } = offsetsOf(pin);
    const [middle, top] = [x - offsetWidth / 2, y + up - offsetHeight / 2];
    const boxes = /** @type {const} */ ([['left', x + beside, top], ['right', x - beside - offsetWidth, top], ['bottom', middle, y + over - offsetHeight], ['top', middle, y + below]]);
    const costs = boxes.map(([anchor, left, upper]) => {
      const covered = heads.filter((head) => head.key !== pin.key && head.x > left - 20 && head.x < left + offsetWidth + 20
        && head.y > upper && head.y < upper + offsetHeight + 50).length;
      const outside = [start + 8 - left, 8 - upper, left + offsetWidth - width + 8, upper + offsetHeight - height + 8].reduce((sum, by) => sum + Math.max(0, by), 0);
      return { anchor, cost: covered + (outside > 0 ? 100 + outside : 0) };
    });
    const [best] = costs.sort((a, b) => a.cost - b.cost);
    this.#popup.options.anchor = best.anchor;
    this.#popup.setLngLat([pin.longitude, pin.latitude]);
  }

  /** @param {MapPlace} place */
  #showPlace(place) {
    this.#place.show(place);
    this.#popup.setOffset(OVER_PLACE);
    this.#popup.options.anchor = undefined;
    return this.#place.element;
  }

  /**
   * @param {MapPin} pin
   * @param {string | undefined} followed
   */
  #showPerson(pin, followed) {
    this.#person.show(pin, pin.key === followed);
    this.#popup.setOffset(offsetsOf(pin));
    return this.#person.element;
  }
}

/** Where a callout stands by the side of the pin that its tip is at. */
const OFFSETS = { left: [OUTSIDE, -HEAD], right: [-OUTSIDE, -HEAD], bottom: [0, -OVER_PIN], top: [0, BELOW_PIN] };
/** The same beside the dot of one of all positions. */
const DOT_OFFSETS = { left: [BESIDE_DOT, 0], right: [-BESIDE_DOT, 0], bottom: [0, -BESIDE_DOT], top: [0, BESIDE_DOT] };

/** @param {MapPin} pin */
function offsetsOf(pin) {
  return pin.pile ? DOT_OFFSETS : OFFSETS;
}

/**
 * @param {MapPin | MapPlace} item
 * @returns {item is MapPlace}
 */
export function isPlace(item) {
  return 'letter' in item;
}
