// @ts-check
import { metersBetween } from './directions.js';
import { extentOf } from './extent.js';

/** @typedef {{ latitude: number, longitude: number }} Place */
/** @typedef {{ west: number, south: number, east: number, north: number }} Bounds east is above 180 beyond the antimeridian */
/** @typedef {{ bounds: Bounds, zoomAtMost: number }} Picture */

/** The reader is in the picture of their people where they are this near to one of them, in meters. */
const NEAR = 50_000;
/** How much is seen around the reader alone, in meters to each side. */
const AROUND = 250;
/** Close enough to read the names of streets; around one person; and around the reader alone. */
const ZOOM = 16;
const ZOOM_AT_ONE = 15;
const ZOOM_AT_ME = 17;
/** So many levels beyond its last one a tile still shows more than a colored area. */
const LEVELS_BEYOND = 2;
const METERS_A_DEGREE = 111_320;

/**
 * What the map shows when a view opens: everybody who shares now, and the reader where they are near one of them. Where
 * nobody shares, the reader; without the reader, everybody who was seen last.
 * @param {object} known
 * @param {Place[]} known.sharing where those who share now are, without the reader
 * @param {Place[]} [known.seen] where others were last
 * @param {Place & { accuracy?: number }} [known.me] where the reader is, to so many meters
 * @param {number} known.levels the last zoom that the map has tiles for there
 * @param {number} [known.zoomAtMost]
 * @returns {Picture | undefined} `undefined` where nobody is to be seen
 */
export function firstPicture({ sharing, seen = [], me, levels, zoomAtMost = ZOOM }) {
  if (sharing.length > 0) {
    const isNear = me !== undefined && sharing.some((place) => metersBetween(place, me) <= NEAR);
    return picture(isNear ? [...sharing, ...around(me, me.accuracy ?? 0)] : sharing, { levels, zoomAtMost });
  }
  return me ? pictureAround(me, Math.max(AROUND, me.accuracy ?? 0), levels) : picture(seen, { levels, zoomAtMost });
}

/**
 * The picture of a place with so many meters to each side of it.
 * @param {Place} place
 * @param {number} meters
 * @param {number} levels the last zoom that the map has tiles for there
 * @returns {Picture}
 */
export function pictureAround(place, meters, levels) {
  return /** @type {Picture} */ (picture(around(place, meters), { levels, zoomAtMost: ZOOM_AT_ME }));
}

/**
 * The picture of all places.
 * @param {Place[]} places
 * @param {{ levels: number, zoomAtMost: number }} zooms
 * @returns {Picture | undefined} `undefined` without a place
 */
export function picture(places, { levels, zoomAtMost }) {
  const bounds = extentOf(places);
  if (!bounds) return undefined;
  const isOnePlace = bounds.west === bounds.east && bounds.south === bounds.north;
  return { bounds, zoomAtMost: Math.min(isOnePlace ? ZOOM_AT_ONE : zoomAtMost, zoomAtMost, nearestZoom(levels)) };
}

/**
 * The nearest zoom at which a map still shows more than a colored area.
 * @param {number} levels the last zoom that it has tiles for
 */
export function nearestZoom(levels) {
  return levels + LEVELS_BEYOND;
}

/**
 * The corners of a square around a place.
 * @param {Place} place
 * @param {number} meters from its middle to each side
 * @returns {Place[]}
 */
function around({ latitude, longitude }, meters) {
  const north = meters / METERS_A_DEGREE;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return [-1, 1].map((side) => ({ latitude: latitude + side * north, longitude: longitude + side * east }));
}
