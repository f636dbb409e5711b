// @ts-check
import { initials } from '../people/initials.js';
import { positionAt } from './day.js';
import { clockText } from './day-slider.js';

/** @typedef {import('../map/annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').Participant} Participant */
/** @typedef {import('./day.js').Piece} Piece */
/** @typedef {import('./day.js').Position} Position */

/** Of the dots where nothing was heard, in pixels. */
const WIDTH = 4.5;

/**
 * A day on the map: the line in one strength, dotted where nothing was heard, a ring with place and times at each stop, and
 * the person where they were at a time.
 * @param {object} day
 * @param {Participant | undefined} day.person
 * @param {string} day.color
 * @param {Position[]} day.positions
 * @param {Piece[]} day.pieces
 * @param {(piece: Piece) => string} day.nameOf what the place of a stop is called
 * @returns {(time: number) => Annotations}
 */
export function dayAnnotations({ person, color, positions, pieces, nameOf }) {
  if (!person || positions.length === 0) return () => ({ pins: new Map(), trails: new Map(), stops: new Map() });
  const { user: key, name, avatar } = person;
  const looks = { color, initials: initials(name), name, avatar, own: false, state: /** @type {const} */ ('live') };
  const trails = new Map(pieces.map((piece) => [`${key}/${piece.from}`, trailOf(piece, `${key}/${piece.from}`, color)]));
  const stops = new Map(pieces.filter(({ kind }) => kind === 'staying').map((piece) => {
    const ring = ringOf(piece, key, nameOf(piece));
    return [ring.key, { ...looks, ...ring }];
  }));
  return (time) => {
    const { latitude, longitude } = positionAt(positions, time);
    /** @type {MapPin} */
    const pin = { ...looks, key, latitude, longitude, time, age: clockText(time) };
    return { pins: new Map([[key, pin]]), trails, stops };
  };
}

/**
 * @param {Piece} piece
 * @param {string} key
 * @param {string} color
 * @returns {import('../wire.d.ts').MapTrail}
 */
function trailOf({ kind, positions }, key, color) {
  const points = positions.map(pointOf);
  const gap = { points, opacity: 1, width: WIDTH, isGap: true };
  return { key, color, points, ...(kind === 'silent' ? { pieces: [gap] } : {}) };
}

/**
 * @param {Piece} piece
 * @param {string} user
 * @param {string} place
 */
function ringOf({ from, to, positions: [{ latitude, longitude }] }, user, place) {
  const times = `${clockText(from)}–${clockText(to)}`;
  return { key: `${user}/stop/${from}`, latitude, longitude, time: from, age: times, ring: [place, times].filter(Boolean).join('\n') };
}

/**
 * @param {Position} position
 * @returns {[number, number]}
 */
function pointOf({ longitude, latitude }) {
  return [longitude, latitude];
}
