// @ts-check
import { pinImageName } from './pin-image.js';
import { placeImageName } from './place-image.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */

/**
 * @param {MapPin} pin
 * @param {boolean} isSelected
 */
export function pinProperties(pin, isSelected) {
  return {
    key: pin.key, image: pinImageName(pin, isSelected), color: pin.color, name: pin.name,
    opacity: pin.dimmed ? 0.72 : 1, order: isSelected ? 2 : pin.own ? 1 : 0,
  };
}

/**
 * @param {MapPin} pin
 * @param {boolean} isSelected
 */
export function pinFeature(pin, isSelected) {
  return { type: 'Feature', geometry: point(pin), properties: pinProperties(pin, isSelected) };
}

/**
 * @param {MapPlace} place
 * @param {boolean} isSelected
 */
export function placeFeature(place, isSelected) {
  const properties = { key: place.key, image: placeImageName(place, isSelected), name: place.title, order: isSelected ? 1 : 0 };
  return { type: 'Feature', geometry: point(place), properties };
}

/** @param {{ latitude: number, longitude: number }} place */
export function point({ latitude, longitude }) {
  return { type: 'Point', coordinates: [longitude, latitude] };
}

/** @param {MapTrail} trail */
export function trailFeature(trail) {
  return { type: 'Feature', geometry: line(trail), properties: { key: trail.key, color: trail.color } };
}

/** @param {MapTrail} trail */
export function line({ points }) {
  return { type: 'LineString', coordinates: unfolded(points.length === 1 ? [points[0], points[0]] : points) };
}

/**
 * Points whose longitudes go on past ±180 where a line crosses the antimeridian, so that it isn't drawn around the
 * whole earth.
 * @param {[number, number][]} points
 * @returns {[number, number][]}
 */
export function unfolded(points) {
  let turns = 0;
  return points.map(([longitude, latitude], index) => {
    const step = index > 0 ? longitude - points[index - 1][0] : 0;
    if (step > 180) turns -= 360;
    if (step < -180) turns += 360;
    return [longitude + turns, latitude];
  });
}

/**
 * @param {MapPin} a
 * @param {MapPin} b
 */
export function isSamePin(a, b) {
  return a.latitude === b.latitude && a.longitude === b.longitude && a.color === b.color && a.name === b.name
    && a.initials === b.initials && a.dimmed === b.dimmed && a.time === b.time;
}

/**
 * @param {MapTrail} a
 * @param {MapTrail} b
 */
export function isSameTrail(a, b) {
  return a.color === b.color && a.points.length === b.points.length && String(a.points.at(-1)) === String(b.points.at(-1))
    && String(a.points[0]) === String(b.points[0]);
}
