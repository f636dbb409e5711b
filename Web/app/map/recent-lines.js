// @ts-check
/** @typedef {import('../wire.d.ts').MapTrailPiece} Piece */
/** @typedef {{ latitude: number, longitude: number, time: number, share?: string }} Point `share`: the one that it was sent into, if it says so */

/** How long lines reach back, and the four ages that are drawn thinner and paler the older they are. */
export const REACH = 3_600_000;
const QUARTER = REACH / 4;
const STRENGTHS = [[0.35, 3], [0.55, 3.6], [0.8, 4.2], [1, 5]];
/** Nothing heard for this long is dotted. */
const GAP = 600_000;
/** Points nearer to each other than this, in degrees, say nothing new on a line: about 12 meters. */
const STEP = 0.00011;
const STEP_TIME = 60_000;
const POINTS_AT_MOST = 400;
/** What changes by the clock alone is drawn anew this often. */
const TICK = 60_000;

/** Where each person was in the last hour, with few enough points to be drawn at each change. No map inside. */
export class RecentLines {
  /** @type {Map<string, { points: Point[], pieces: Piece[] | undefined, tick: number }>} */
  #people = new Map();

  /**
   * @param {string} user
   * @param {Point} point
   */
  add(user, point) {
    const line = this.#people.get(user) ?? { points: [], pieces: undefined, tick: 0 };
    this.#people.set(user, line);
    line.pieces = undefined;
    const last = line.points.at(-1);
    if (last && point.time < last.time) return this.#insert(line.points, point);
    const before = line.points.at(-2);
    // The newest point is where the pin stands; the one before it stays only if it adds to the line.
    if (last && before && isNear(before, last)) line.points.pop();
    line.points.push(point);
    if (line.points.length > POINTS_AT_MOST) line.points = thinned(line.points);
    return undefined;
  }

  /**
   * A person's line in pieces, oldest first; the same pieces while nothing is different.
   * @param {string} user
   * @param {number} now
   * @returns {Piece[]}
   */
  pieces(user, now) {
    const line = this.#people.get(user);
    if (!line) return [];
    const tick = Math.floor(now / TICK);
    if (line.pieces && line.tick === tick) return line.pieces;
    line.tick = tick;
    line.points = line.points.filter(({ time }) => time > now - REACH);
    line.pieces = piecesOf(line.points, tick * TICK);
    return line.pieces;
  }

  /** @param {string} user */
  forget(user) {
    this.#people.delete(user);
  }

  get users() {
    return this.#people.keys();
  }

  /**
   * @param {Point[]} points
   * @param {Point} point one that came late
   */
  #insert(points, point) {
    const index = points.findIndex(({ time }) => time >= point.time);
    if (points[index].time === point.time) return;
    points.splice(index, 0, point);
  }
}

/**
 * @param {Point[]} points in the order of their times
 * @param {number} now
 * @returns {Piece[]} of two shares none that joins them: where somebody was between them isn't known
 */
function piecesOf(points, now) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {[number, number][]} */
  let current = [];
  let kind = '';
  for (let index = 1; index < points.length; index += 1) {
    const [from, to] = [points[index - 1], points[index]];
    if (from.share !== to.share) {
      kind = '';
      continue;
    }
    const isGap = to.time - from.time > GAP;
    const quarter = Math.max(0, Math.min(3, 3 - Math.floor((now - to.time) / QUARTER)));
    if (kind !== `${quarter}${isGap}`) {
      kind = `${quarter}${isGap}`;
      current = [[from.longitude, from.latitude]];
      const [opacity, width] = STRENGTHS[quarter];
      pieces.push({ points: current, opacity, width, ...(isGap ? { isGap } : {}) });
    }
    current.push([to.longitude, to.latitude]);
  }
  return pieces;
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function isNear(a, b) {
  if (a.share !== b.share) return false;
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(east, a.latitude - b.latitude) < STEP && b.time - a.time < STEP_TIME;
}

/**
 * Every other point of the older half is left out; the first and the newest stay.
 * @param {Point[]} points
 */
function thinned(points) {
  const half = points.length / 2;
  return points.filter((_, index) => index === 0 || index >= half || index % 2 === 0);
}
