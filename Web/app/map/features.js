// @ts-check
import { placeImageName } from './place-image.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */

/** A pixel's width at zoom 0 on the equator, in meters, with tiles of 512 pixels. */
const METERS_A_PIXEL = 78_271.517;
const LAST_ZOOM = 22;
/** Circles narrower than this say nothing beside the pin. */
const WIDTH_AT_LEAST = 16;

/**
 * How surely somebody is where their pin stands: a circle in meters.
 * @param {MapPin} pin
 */
export function accuracyFeature(pin) {
  const radius = (pin.accuracy ?? 0) / (METERS_A_PIXEL * Math.cos((pin.latitude * Math.PI) / 180));
  const from = radius > 0 ? Math.log2(WIDTH_AT_LEAST / 2 / radius) : LAST_ZOOM;
  const color = pin.dot === 'sharing' ? '#b4371a' : pin.dot ? '#0f6a73' : pin.color;
  return { type: 'Feature', geometry: point(pin), properties: { key: pin.key, color, radius, wide: radius * 2 ** LAST_ZOOM, from } };
}

/**
 * @param {MapPin} a
 * @param {MapPin} b
 */
export function isSameAccuracy(a, b) {
  return a.latitude === b.latitude && a.longitude === b.longitude && a.accuracy === b.accuracy && a.color === b.color && a.dot === b.dot;
}

/**
 * Where somebody was, on their line.
 * @param {MapPin} stop
 */
export function stopFeature(stop) {
  return { type: 'Feature', geometry: point(stop), properties: { key: stop.key, color: stop.color, ring: stop.ring ?? '' } };
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

/** How many points of a line are handed to the map at once: only the last part of one that grows is drawn anew. */
const POINTS_A_PIECE = 64;

/** @typedef {import('../wire.d.ts').MapTrailPiece & { key: string, color: string }} Piece */

/**
 * A line in pieces under keys that stay while it grows.
 * @param {MapTrail} trail
 * @returns {Piece[]}
 */
export function piecesOf({ key, color, points, pieces }) {
  if (pieces) return pieces.map((piece, index) => ({ ...piece, key: `${key}#${index}`, color }));
  const made = [];
  for (let from = 0; from === 0 || from < points.length - 1; from += POINTS_A_PIECE) {
    made.push({ key: `${key}#${from}`, color, points: points.slice(from, from + POINTS_A_PIECE + 1), opacity: 1, width: 4.5 });
  }
  return made;
}

/**
 * @param {Piece} a
 * @param {Piece} b
 */
export function isSamePiece(a, b) {
  return a.opacity === b.opacity && a.isGap === b.isGap && isSameTrail(a, b);
}

/** @param {Piece} piece */
export function pieceFeature(piece) {
  const { key, color, opacity, width, isGap = false } = piece;
  return { type: 'Feature', geometry: line(piece), properties: { key, color, opacity, width, isGap } };
}

/** @param {{ points: [number, number][] }} trail */
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
  return a === b || (a.latitude === b.latitude && a.longitude === b.longitude && a.color === b.color && a.name === b.name
    && a.initials === b.initials && a.state === b.state && a.age === b.age && a.time === b.time && a.dot === b.dot
    && a.course === b.course && a.accuracy === b.accuracy && a.avatar === b.avatar && a.ring === b.ring);
}

/**
 * @param {{ color: string, points: [number, number][] }} a
 * @param {{ color: string, points: [number, number][] }} b
 */
export function isSameTrail(a, b) {
  return a.color === b.color && a.points.length === b.points.length && String(a.points.at(-1)) === String(b.points.at(-1))
    && String(a.points[0]) === String(b.points[0]);
}
