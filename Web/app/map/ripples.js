// @ts-check
import { element } from '../page/dom.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */

/** How many at once are shown; more are a view that changes as a whole. */
const AT_MOST = 8;
const LASTS = 1_600;

/**
 * Makes coming and going visible where it happens; not when a whole view changes.
 * @param {typeof maplibregl} library
 * @param {maplibregl.Map} map
 * @param {{ came: MapPin[], left: MapPin[] }} changes
 */
export function ripple(library, map, { came, left }) {
  if (came.length > AT_MOST || left.length > AT_MOST || (came.length > 0 && left.length > 0)) return;
  for (const pin of came) rippleAt(library, map, pin, 'came');
  for (const pin of left) rippleAt(library, map, pin, 'left');
}

/**
 * @param {typeof maplibregl} library
 * @param {maplibregl.Map} map
 * @param {MapPin} pin
 * @param {string} kind
 */
function rippleAt(library, map, { longitude, latitude, color }, kind) {
  const ring = element('span', { class: `ripple ${kind}` });
  ring.style.setProperty('--color', color);
  const marker = new library.Marker({ element: element('div', { 'aria-hidden': 'true' }, ring) }).setLngLat([longitude, latitude]).addTo(map);
  setTimeout(() => marker.remove(), LASTS);
}
