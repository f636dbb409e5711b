// @ts-check
/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {import('../wire.d.ts').Place} Place */

// Edges and places are compared as whole numbers of 10⁻⁷ degrees, as on the server, so that nobody disagrees on an edge.
const UNITS = 1e7;
const CIRCLE = 360 * UNITS;
const ANTIMERIDIAN = 180 * UNITS;
const POLE = 90 * UNITS;

/**
 * The part of the map that a view shows, whose bounds may go on past ±180 or around the Earth more than once.
 * @param {Region} bounds
 * @returns {Region}
 */
export function regionOfBounds({ south, west, north, east }) {
  const clamped = (/** @type {number} */ latitude) => Math.max(-POLE, Math.min(POLE, rounded(latitude)));
  return region(rounded(west), Math.max(0, rounded(east) - rounded(west)), clamped(south), clamped(north));
}

/**
 * The region with a margin on each side: a fraction of its own width and height.
 * @param {Region} inner
 * @param {number} fraction
 * @returns {Region}
 */
export function padded(inner, fraction) {
  if (fraction <= 0) return inner;
  const { south, west, north, width } = edges(inner);
  const [across, up] = [Math.round(width * fraction), Math.round((north - south) * fraction)];
  return region(west - across, width + 2 * across, Math.max(-POLE, south - up), Math.min(POLE, north + up));
}

/**
 * @param {Region} a
 * @param {Region} b
 */
export function isSameRegion(a, b) {
  return keyOfRegion(a) === keyOfRegion(b);
}

/**
 * A text that two regions share only if they have the same edges.
 * @param {Region} region
 */
export function keyOfRegion({ south, west, north, east }) {
  return [south, west, north, east].map(rounded).join(',');
}

/**
 * Whether a place is inside or on an edge. A place on ±180 is inside whatever touches either.
 * @param {Region} region
 * @param {Place} place
 */
export function contains(region, { latitude, longitude }) {
  const { south, west, north, width } = edges(region);
  const northward = rounded(latitude);
  return south <= northward && northward <= north && eastward(west, rounded(longitude)) <= width;
}

/**
 * Whether all of one region is inside another.
 * @param {Region} outer
 * @param {Region} inner
 */
export function covers(outer, inner) {
  const [out, within] = [edges(outer), edges(inner)];
  if (within.south < out.south || within.north > out.north) return false;
  return out.width === CIRCLE || eastward(out.west, within.west) + within.width <= out.width;
}

/** @param {Region} region */
function edges({ south, west, north, east }) {
  const [from, to] = [rounded(west), rounded(east)];
  return { south: rounded(south), west: from, north: rounded(north), width: to - from + (from > to ? CIRCLE : 0) };
}

/**
 * @param {number} west on any turn
 * @param {number} width
 * @param {number} south
 * @param {number} north
 * @returns {Region}
 */
function region(west, width, south, north) {
  if (width >= CIRCLE) return { south: south / UNITS, west: -180, north: north / UNITS, east: 180 };
  const from = eastward(-ANTIMERIDIAN, west) - ANTIMERIDIAN;
  const to = from + width > ANTIMERIDIAN ? from + width - CIRCLE : from + width;
  return { south: south / UNITS, west: from / UNITS, north: north / UNITS, east: to / UNITS };
}

/**
 * How far east one meridian lies of another, less than all around.
 * @param {number} from
 * @param {number} to
 */
function eastward(from, to) {
  const difference = (to - from) % CIRCLE;
  return difference < 0 ? difference + CIRCLE : difference;
}

/**
 * Halves away from zero, and no −0.
 * @param {number} degrees
 */
function rounded(degrees) {
  const units = Math.round(Math.abs(degrees) * UNITS);
  return degrees < 0 && units > 0 ? -units : units;
}
