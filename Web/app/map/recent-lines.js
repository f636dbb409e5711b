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
    const newest = line.points.at(-1);
    if (newest && point.time < newest.time) return this.#insert(line.points, point);
    const last = line.points.findLastIndex(({ share }) => share === point.share);
    const before = line.points.findLastIndex(({ share }, index) => index < last && share === point.share);
    // The newest point is where the pin stands; the one before it stays only if it adds to the line.
    if (before >= 0 && isNear(line.points[before], line.points[last])) line.points.splice(last, 1);
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
  /** The end of each share's line, as the points of two shares that run at once alternate. @type {Map<string | undefined, { point: Point, kind: string, current: [number, number][] }>} */
  const ends = new Map();
  for (const to of points) {
    const end = ends.get(to.share);
    if (!end) {
      ends.set(to.share, { point: to, kind: '', current: [] });
      continue;
    }
    const from = end.point;
    const isGap = to.time - from.time > GAP;
    const quarter = Math.max(0, Math.min(3, 3 - Math.floor((now - to.time) / QUARTER)));
    if (end.kind !== `${quarter}${isGap}`) {
      end.kind = `${quarter}${isGap}`;
      end.current = [[from.longitude, from.latitude]];
      const [opacity, width] = STRENGTHS[quarter];
      pieces.push({ points: end.current, opacity, width, ...(isGap ? { isGap } : {}) });
    }
    end.current.push([to.longitude, to.latitude]);
    end.point = to;
  }
  return pieces;
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function isNear(a, b) {
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(east, a.latitude - b.latitude) < STEP && b.time - a.time < STEP_TIME;
}

/**
 * Removes every other point of each share from the older half of the list. The first and the newest point of a share stay.
 * @param {Point[]} points
 */
function thinned(points) {
  const half = points.length / 2;
  /** @type {Map<string | undefined, number>} */
  const counts = new Map();
  const left = points.filter(({ share }, index) => {
    const count = counts.get(share) ?? 0;
    counts.set(share, count + 1);
    return index >= half || count % 2 === 0;
  });
  // Of more shares than that the oldest go.
  return left.slice(-POINTS_AT_MOST);
}
