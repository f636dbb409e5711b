// @ts-check
import { compareStates } from '../freshness/freshness.js';
import { headHeight } from './pin-image.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {{ x: number, y: number }} Point on the map at its zoom, in pixels of the page */
/** @typedef {MapPin & Point} Placed */

/**
 * One person on the map, or several that would cover each other.
 * @typedef {object} Mark
 * @property {string} key the person's, or one made of the members' that stays while they do
 * @property {number} x
 * @property {number} y
 * @property {Placed[]} members one, or in a cluster several, the best state first
 */

/** Heads whose middles are closer join. A cluster's disc is wider than a head. */
const HEADS_APART = 36;
const CLUSTERS_APART = 46;
/** A cluster's disc and the reader's dot, whose middles are closer, lie over each other. */
const DOT_APART = 38;

/** A fan's radius for up to three; more pins take a wider one, so that their heads stay apart. */
const FAN_RADIUS = 74;
const FAN_STEP = 54;
const FAN_ROW = 8;

/**
 * Joins people who would cover each other. Distances on the map alone decide, so moving the map never regroups.
 * @param {Placed[]} people
 * @param {(person: Placed) => boolean} isAlone whoever is never in a cluster
 * @returns {Mark[]}
 */
export function joined(people, isAlone) {
  const alone = people.filter(isAlone).map((person) => markOf([person]));
  let marks = people.filter((person) => !isAlone(person)).map((person) => markOf([person]));
  for (let round = 0; round < 6; round += 1) {
    const merged = merge(marks);
    if (merged.length === marks.length) break;
    marks = merged;
  }
  return [...marks, ...alone];
}

/** @param {Mark[]} marks */
function merge(marks) {
  /** @type {Map<string, Mark[]>} */
  const cells = new Map();
  /** @type {Mark[]} */
  const kept = [];
  for (const mark of marks) {
    const near = neighbors(cells, mark).find((other) => isNear(mark, other));
    if (near) {
      Object.assign(near, markOf([...near.members, ...mark.members]));
      continue;
    }
    kept.push(mark);
    const cell = cellOf(middleOf(mark));
    cells.set(cell, [...cells.get(cell) ?? [], mark]);
  }
  return kept;
}

/**
 * @param {Map<string, Mark[]>} cells
 * @param {Mark} mark
 */
function neighbors(cells, mark) {
  const { x, y } = middleOf(mark);
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(cellOf({ x: x + dx * CLUSTERS_APART, y: y + dy * CLUSTERS_APART })) ?? []));
}

/** @param {Point} point */
function cellOf({ x, y }) {
  return `${Math.floor(x / CLUSTERS_APART)}/${Math.floor(y / CLUSTERS_APART)}`;
}

/**
 * @param {Mark} a
 * @param {Mark} b
 */
function isNear(a, b) {
  const [from, to] = [middleOf(a), middleOf(b)];
  const apart = a.members.length > 1 || b.members.length > 1 ? CLUSTERS_APART : HEADS_APART;
  return Math.hypot(from.x - to.x, from.y - to.y) < apart;
}

/**
 * Where the middle of a head or a cluster's disc is.
 * @param {Mark} mark
 * @returns {Point}
 */
export function middleOf({ x, y, members }) {
  return { x, y: members.length > 1 ? y : y - headHeight(members[0].state) };
}

/**
 * @param {Placed[]} members
 * @returns {Mark}
 */
function markOf(members) {
  const sorted = members.length === 1 ? members
    : [...members].sort((a, b) => compareStates(a.state, b.state) || a.name.localeCompare(b.name) || a.key.localeCompare(b.key));
  const x = members.reduce((sum, member) => sum + member.x, 0) / members.length;
  const y = members.reduce((sum, member) => sum + member.y, 0) / members.length;
  const key = members.length === 1 ? members[0].key : `cluster/${members.map((member) => member.key).sort().join('/')}`;
  return { key, x, y, members: sorted };
}

/**
 * Where a cluster's disc stands while the reader's dot lies over its number: beside the dot. A person's own place is exact, and a
 * cluster's is only the middle of several.
 * @param {Mark} mark
 * @param {Mark[]} dots
 * @returns {Point} from the cluster's place
 */
export function besideDots({ x, y, members }, dots) {
  const dot = members.length > 1 ? dots.find((each) => Math.hypot(x - each.x, y - each.y) < DOT_APART) : undefined;
  if (!dot) return { x: 0, y: 0 };
  const away = Math.hypot(x - dot.x, y - dot.y);
  // Just above it where both are at one and the same place.
  const [east, south] = away === 0 ? [0, -1] : [(x - dot.x) / away, (y - dot.y) / away];
  return { x: dot.x + east * DOT_APART - x, y: dot.y + south * DOT_APART - y };
}

/**
 * Where a fan's pins stand around its point: on a half circle above it, more than eight in a second one outside.
 * @param {number} count
 * @returns {Point[]}
 */
export function fanned(count) {
  const first = Math.min(count, FAN_ROW);
  const inner = arc(first, Math.max(FAN_RADIUS, (FAN_STEP * (first - 1)) / Math.PI));
  if (count <= FAN_ROW) return inner;
  const rest = count - FAN_ROW;
  const radius = Math.max(FAN_RADIUS, (FAN_STEP * (FAN_ROW - 1)) / Math.PI) + 76;
  return [...inner, ...arc(rest, Math.max(radius, (FAN_STEP * (rest - 1)) / Math.PI))];
}

/**
 * @param {number} count
 * @param {number} radius
 * @returns {Point[]}
 */
function arc(count, radius) {
  return Array.from({ length: count }, (_, index) => {
    const angle = count === 1 ? Math.PI / 2 : Math.PI - (Math.PI * index) / (count - 1);
    return { x: radius * Math.cos(angle), y: -radius * Math.sin(angle) };
  });
}

/**
 * How far in the map has to be zoomed until a cluster parts.
 * @param {Placed[]} members
 * @returns {number} levels, infinite for people at one and the same point
 */
export function levelsUntilParted(members) {
  let widest = 0;
  for (const a of members) for (const b of members) widest = Math.max(widest, Math.hypot(a.x - b.x, a.y - b.y));
  return widest === 0 ? Infinity : Math.max(0.5, Math.log2((1.6 * CLUSTERS_APART) / widest));
}
