// @ts-check

/** @typedef {{ time: number, latitude: number, longitude: number }} Position */
/** @typedef {{ kind: 'moving' | 'staying' | 'silent', from: number, to: number, positions: Position[], meters: number }} Piece */

/** Within so many meters somebody stays where they are. */
const SAME_PLACE = 75;
/** So long somebody is in one place before it counts as a stop, in milliseconds. */
const STOP_AT_LEAST = 600_000;
/** After so long without a position nothing is known, unless the next one is in the same place. */
const SILENCE = 600_000;
const EARTH = 6_371_008.8;

/**
 * A day in pieces: where somebody moved, where they stayed, and from when to when nothing was heard. A phone that stays
 * sends nothing, so a long time between two positions in one place is a stop and no silence.
 * @param {Position[]} positions by time
 * @returns {Piece[]}
 */
export function piecesOf(positions) {
  /** @type {Piece[]} */
  const pieces = [];
  let index = 0;
  while (index < positions.length - 1) {
    const end = endOfStay(positions, index);
    const isStop = positions[end].time - positions[index].time >= STOP_AT_LEAST;
    const next = isStop ? end : index + 1;
    const isSilent = !isStop && positions[next].time - positions[index].time > SILENCE;
    append(pieces, isStop ? 'staying' : isSilent ? 'silent' : 'moving', positions.slice(index, next + 1));
    index = next;
  }
  return pieces;
}

/**
 * @param {Piece[]} pieces
 * @param {Piece['kind']} kind
 * @param {Position[]} positions
 */
function append(pieces, kind, positions) {
  const last = pieces[pieces.length - 1];
  const to = positions[positions.length - 1].time;
  if (kind === 'moving' && last?.kind === 'moving') {
    last.positions.push(...positions.slice(1));
    last.to = to;
    last.meters += lengthOf(positions);
  } else {
    pieces.push({ kind, from: positions[0].time, to, positions, meters: kind === 'moving' ? lengthOf(positions) : 0 });
  }
}

/**
 * The last position, from one on, that is still in the same place.
 * @param {Position[]} positions
 * @param {number} start
 */
function endOfStay(positions, start) {
  let end = start;
  while (end + 1 < positions.length && metersBetween(positions[start], positions[end + 1]) <= SAME_PLACE) end += 1;
  return end;
}

/**
 * Where somebody was at a time, as far as is known: between two positions on the straight line.
 * @param {Position[]} positions by time, at least one
 * @param {number} time
 * @returns {Position}
 */
export function positionAt(positions, time) {
  const after = positions.findIndex((position) => position.time >= time);
  if (after < 0) return positions[positions.length - 1];
  if (after === 0) return positions[0];
  const [one, other] = [positions[after - 1], positions[after]];
  const share = (time - one.time) / Math.max(1, other.time - one.time);
  return {
    time, latitude: one.latitude + share * (other.latitude - one.latitude), longitude: one.longitude + share * (other.longitude - one.longitude),
  };
}

/** @param {Position[]} positions */
export function lengthOf(positions) {
  return positions.slice(1).reduce((sum, position, index) => sum + metersBetween(positions[index], position), 0);
}

/**
 * Meters along a great circle.
 * @param {Position} one
 * @param {Position} other
 */
export function metersBetween(one, other) {
  const radians = (/** @type {number} */ degrees) => degrees * Math.PI / 180;
  const [from, to] = [radians(one.latitude), radians(other.latitude)];
  const half = Math.sin((to - from) / 2) ** 2
    + Math.cos(from) * Math.cos(to) * Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(half)));
}

/**
 * The day that a time is in, by this device's clock, some days later.
 * @param {number} time
 * @param {number} [later] in days
 * @returns {{ from: number, to: number }}
 */
export function dayOf(time, later = 0) {
  const day = new Date(time);
  // Through the calendar: a day may have 23 or 25 hours.
  const start = (/** @type {number} */ days) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
  return { from: start(later), to: start(later + 1) };
}
