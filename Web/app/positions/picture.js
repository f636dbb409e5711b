// @ts-check
import { DOTS_AT_MOST, LINE_POINTS_AT_MOST } from './bounds.js';
import { southOf } from './position-columns.js';

/** @typedef {import('./position-columns.js').PositionColumns} PositionColumns */
/** @typedef {import('../wire.d.ts').MapTrailPiece} Piece */
/** What of the Earth is seen, with longitudes that go on past ±180. @typedef {{ south: number, west: number, north: number, east: number, zoom: number }} View */

/** The width of the whole map at zoom 0, in pixels. */
const TILE = 512;
/** From this zoom on there is a dot for each position that can be told from another one. */
const NEAREST = 16;
/** How far apart in pixels dots are at the nearest zooms, and farther out. */
const NEAR_CELL = 2;
const FAR_CELL = 8;
/** The positions that are nearer than this to a dot, in pixels, are those that the reader steps through. */
const PILE = 8;
/** How much around what is seen is drawn, of its width and height: a short drag shows no bare part. */
const MARGIN = 0.25;
/** A line leaves out positions that are nearer than this to the one before, in pixels. */
const STEP = 2;
/** Where nothing was heard for this long, a line is dotted. */
const GAP = 600_000;
/** How wide lines are from this zoom on, and farther out, where they lie side by side. */
const WIDE_FROM = 14;
const WIDE = 4.5;
const NARROW = 2;

/**
 * The positions to draw as dots: at the nearest zooms each that is in view, farther out, or where there are too many, the newest of each small square.
 * @param {PositionColumns} columns
 * @param {View} view
 * @param {{ atMost?: number }} [options]
 * @returns {{ dots: number[], cell: number }} their indexes, the oldest first, and how large a square is, in pixels
 */
export function dotsIn(columns, view, { atMost = DOTS_AT_MOST } = {}) {
  const plane = new Plane(view);
  const inView = plane.indexesIn(columns);
  let cell = view.zoom >= NEAREST ? NEAR_CELL : FAR_CELL;
  for (;; cell *= 2) {
    const dots = thinned(columns, inView, plane, cell, atMost);
    if (dots) return { dots: dots.reverse(), cell };
  }
}

/**
 * All positions around a dot that was tapped, the newest first: each that has no dot of its own is less than a square away from every dot
 * that is the nearest to it.
 * @param {PositionColumns} columns
 * @param {{ longitude: number, south: number }} dot
 * @param {View} view
 * @param {number} cell of the dots
 * @returns {number[]} their indexes
 */
export function pileOf(columns, dot, view, cell) {
  const plane = new Plane(view);
  const [x, y, reach] = [plane.x(dot.longitude), plane.y(dot.south), Math.max(PILE, 1.5 * cell)];
  const pile = [];
  for (let index = columns.count - 1; index >= 0; index -= 1) {
    if (Math.abs(plane.y(columns.south(index)) - y) > reach || !columns.isReadable(index)) continue;
    if (Math.hypot(plane.x(columns.longitude(index)) - x, plane.y(columns.south(index)) - y) <= reach) pile.push(index);
  }
  return pile;
}

/**
 * The lines of people in the order of their times, without what is out of view.
 * @param {PositionColumns} columns
 * @param {Order} order
 * @param {View} view
 * @param {{ atMost?: number }} [options] how many points all of them have
 * @returns {Map<string, Piece[]>} by person
 */
export function linesIn(columns, order, view, { atMost = LINE_POINTS_AT_MOST } = {}) {
  const plane = new Plane(view);
  for (let step = STEP; ; step *= 2) {
    const lines = new Map();
    let left = atMost;
    for (const [place, indexes] of order.entries()) {
      const pieces = piecesOf(columns, indexes, plane, step, left);
      if (!pieces) { left = -1; break; }
      if (pieces.length > 0) lines.set(columns.people[place], pieces);
      left -= pieces.reduce((sum, { points }) => sum + points.length, 0);
    }
    if (left >= 0) return lines;
  }
}

/** Of each person in `people` the indexes of their positions, in the order of the times. @typedef {Int32Array[]} Order */

/**
 * @param {PositionColumns} columns
 * @returns {Order}
 */
export function orderOf(columns) {
  const order = columns.readable.map((count) => new Int32Array(count));
  const filled = columns.readable.map(() => 0);
  /** The people of whom a position came late. @type {Set<number>} */
  const unordered = new Set();
  const newest = columns.readable.map(() => -Infinity);
  for (let index = 0; index < columns.count; index += 1) {
    if (!columns.isReadable(index)) continue;
    const place = columns.sender(index);
    const time = columns.time(index);
    order[place][filled[place]] = index;
    filled[place] += 1;
    if (time < newest[place]) unordered.add(place);
    else newest[place] = time;
  }
  for (const place of unordered) order[place].sort((one, two) => columns.time(one) - columns.time(two) || one - two);
  return order;
}

/** The map's plane, in pixels at one zoom. */
class Plane {
  lineWidth;

  #size;
  #west;
  #left;
  #right;
  #top;
  #bottom;

  /** @param {View} view */
  constructor({ south, west, north, east, zoom }) {
    this.lineWidth = zoom >= WIDE_FROM ? WIDE : NARROW;
    this.#size = TILE * 2 ** zoom;
    const width = east - west;
    this.#west = west - MARGIN * width;
    this.#left = this.#pixels(this.#west);
    this.#right = this.#pixels(this.#west + Math.min(360, width * (1 + 2 * MARGIN)));
    const [top, bottom] = [southOf(north), southOf(south)];
    this.#top = (top - MARGIN * (bottom - top)) * this.#size;
    this.#bottom = (bottom + MARGIN * (bottom - top)) * this.#size;
  }

  /** @param {number} longitude */
  #pixels(longitude) {
    return ((longitude + 180) / 360) * this.#size;
  }

  /** How many squares of a size there are across. @param {number} cell */
  columns(cell) {
    return Math.floor(this.#right / cell) - Math.floor(this.#left / cell) + 2;
  }

  /** @param {number} cell */
  rows(cell) {
    return Math.floor(this.#bottom / cell) - Math.floor(this.#top / cell) + 2;
  }

  /** @param {number} longitude @returns {number} in the turn of the Earth in which the view begins */
  x(longitude) {
    const turns = Math.ceil((this.#west - longitude) / 360);
    return this.#pixels(longitude + 360 * turns);
  }

  /** @param {number} south from 0 to 1 */
  y(south) {
    return south * this.#size;
  }

  /**
   * Which square from the view's upper left corner a point is in.
   * @param {number} x
   * @param {number} y
   * @param {number} cell
   */
  square(x, y, cell) {
    return (Math.floor(y / cell) - Math.floor(this.#top / cell)) * this.columns(cell) + Math.floor(x / cell) - Math.floor(this.#left / cell);
  }

  /**
   * The positions in view, the newest first.
   * @param {PositionColumns} columns
   */
  indexesIn(columns) {
    const found = new Int32Array(columns.count);
    let count = 0;
    for (let index = columns.count - 1; index >= 0; index -= 1) {
      const y = this.y(columns.south(index));
      // Also where it may no longer be read: then it is not a number.
      if (!(y >= this.#top && y <= this.#bottom) || this.x(columns.longitude(index)) > this.#right) continue;
      found[count] = index;
      count += 1;
    }
    return found.subarray(0, count);
  }

  /**
   * Whether a line between two points may be in view.
   * @param {number} fromX
   * @param {number} fromY
   * @param {number} toX
   * @param {number} toY
   */
  crosses(fromX, fromY, toX, toY) {
    return Math.max(fromY, toY) >= this.#top && Math.min(fromY, toY) <= this.#bottom && Math.max(fromX, toX) >= this.#left && Math.min(fromX, toX) <= this.#right;
  }
}

/**
 * @param {PositionColumns} columns
 * @param {Int32Array} indexes newest first
 * @param {Plane} plane
 * @param {number} cell
 * @param {number} atMost
 * @returns {number[] | undefined} the newest of each square; `undefined` if there are too many
 */
function thinned(columns, indexes, plane, cell, atMost) {
  const taken = new Uint8Array(plane.columns(cell) * plane.rows(cell));
  const found = [];
  for (const index of indexes) {
    const square = plane.square(plane.x(columns.longitude(index)), plane.y(columns.south(index)), cell);
    if (taken[square] === 1) continue;
    taken[square] = 1;
    if (found.push(index) > atMost) return undefined;
  }
  return found;
}

/**
 * The end of a share's line. `drawn` is the index of the last drawn position, at `x` and `y`; `last` that of the share's newest position, which may be too
 * near to be drawn. `open` has the points of the piece to which the next position is added, if there is one.
 * @typedef {{ x: number, y: number, drawn: number, last: number, open: [number, number][] | undefined }} End
 */

/**
 * @param {PositionColumns} columns
 * @param {Int32Array} indexes
 * @param {Plane} plane
 * @param {number} step
 * @param {number} atMost
 * @returns {Piece[] | undefined} `undefined` if they have more points
 */
function piecesOf(columns, indexes, plane, step, atMost) {
  /** @type {Piece[]} */
  const pieces = [];
  let count = 0;
  /** The end of each share's line, as the positions of two shares that run at once alternate. Between two shares no line is drawn. @type {Map<unknown, End>} */
  const ends = new Map();
  for (const index of indexes) {
    const [x, y] = [plane.x(columns.longitude(index)), plane.y(columns.south(index))];
    const share = columns.share(index);
    const end = ends.get(share);
    if (!end) {
      ends.set(share, { x, y, drawn: index, last: index, open: undefined });
      continue;
    }
    const isNear = Math.abs(x - end.x) < step && Math.abs(y - end.y) < step;
    if (!isNear) {
      const isGap = columns.time(index) - columns.time(end.last) > GAP;
      const isSeen = plane.crosses(end.x, end.y, x, y);
      if (!isSeen || isGap || !end.open) {
        end.open = isSeen ? [pointOf(columns, end.drawn)] : undefined;
        if (end.open) pieces.push({ points: end.open, opacity: 1, width: plane.lineWidth, ...(isGap ? { isGap } : {}) });
      }
      if (end.open) count += end.open.push(pointOf(columns, index)) > 2 ? 1 : 2;
      if (isGap) end.open = undefined;
      if (count > atMost) return undefined;
      [end.x, end.y, end.drawn] = [x, y, index];
    }
    end.last = index;
  }
  return pieces;
}

/**
 * @param {PositionColumns} columns
 * @param {number} index
 * @returns {[number, number]}
 */
function pointOf(columns, index) {
  return [columns.longitude(index), columns.latitude(index)];
}
