// @ts-check
import { compareStates } from '../freshness/freshness.js';
import { CLUSTER_RADIUS } from './cluster-image.js';
import { middleOf } from './crowd.js';

/** @typedef {import('./crowd.js').Mark} Mark */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * What a label says, and how far it is moved aside to stay on the free map.
 * @typedef {object} Label
 * @property {string} name
 * @property {string} age
 * @property {number} shift in pixels
 */

/** From this zoom on everybody has a name; farther out, where so few are in sight. */
const NAMES_FROM = 13;
const NAMED_AT_MOST = 8;
const HALF_HEAD = 22;
const INSIDE = 8;
const SHIFT_AT_MOST = 60;

/**
 * What stands at each mark, so that no label covers a head or another label. Where two touch, the worse state's age goes
 * first, then its name.
 * @param {(Mark & { under: number, name: string, age: string })[]} marks with the distance of a label below each point
 * @param {object} view
 * @param {number} view.zoom
 * @param {Box} view.free what of the map isn't covered
 * @param {(name: string, age: string) => { width: number, height: number }} view.sizeOf
 * @param {string | undefined} view.selected
 * @returns {Map<string, Label>} by the mark's key; marks without a label are left out
 */
export function labelsOf(marks, { zoom, free, sizeOf, selected }) {
  const hasNames = zoom >= NAMES_FROM || marks.filter(({ members }) => members.length === 1 && !members[0].own).length <= NAMED_AT_MOST;
  const heads = marks.map((mark) => ({ key: mark.key, box: headBox(mark) }));
  /** @type {Box[]} */
  const taken = [];
  /** @type {Map<string, Label>} */
  const labels = new Map();
  for (const mark of [...marks].sort((a, b) => rank(a, selected) - rank(b, selected) || compareMarks(a, b))) {
    const isSelected = mark.key === selected;
    const wanted = isSelected ? [{ name: mark.name, age: mark.age }] : choices(mark, hasNames);
    const others = heads.filter(({ key }) => key !== mark.key);
    for (const { name, age } of wanted) {
      const box = labelBox(mark, sizeOf(name, age));
      const shift = shiftOf(box, free);
      const moved = { ...box, left: box.left + shift, right: box.right + shift };
      if (!isSelected && (others.some((other) => isTouching(other.box, moved)) || taken.some((other) => isTouching(other, moved)))) continue;
      taken.push(moved);
      labels.set(mark.key, { name, age, shift });
      break;
    }
  }
  return labels;
}

/**
 * @param {Mark & { name: string, age: string }} mark
 * @param {boolean} hasNames
 */
function choices({ members, name, age }, hasNames) {
  if (!name && !age) return [];
  if (hasNames || members[0].own) return [{ name, age }, ...(age ? [{ name, age: '' }] : [])];
  const isWorse = members.length === 1 && compareStates(members[0].state, 'stale') >= 0;
  return isWorse && age ? [{ name: '', age }] : [];
}

/**
 * @param {Mark} mark
 * @param {string | undefined} selected
 */
function rank({ key, members }, selected) {
  if (key === selected) return 0;
  return members[0].own ? 1 : 2;
}

/**
 * @param {Mark} a
 * @param {Mark} b
 */
function compareMarks(a, b) {
  return compareStates(a.members[0].state, b.members[0].state) || (a.key < b.key ? -1 : 1);
}

/** @param {Mark} mark */
function headBox(mark) {
  const { x, y } = middleOf(mark);
  const half = mark.members.length > 1 ? CLUSTER_RADIUS : mark.members[0].dot ? 13 : HALF_HEAD;
  const middle = mark.members[0].dot && mark.members.length === 1 ? mark.y : y;
  return { left: x - half, right: x + half, top: middle - half, bottom: middle + half };
}

/**
 * @param {Mark & { under: number }} mark
 * @param {{ width: number, height: number }} size
 * @returns {Box}
 */
function labelBox({ x, y, under }, { width, height }) {
  return { left: x - width / 2, right: x + width / 2, top: y + under, bottom: y + under + height };
}

/**
 * @param {Box} box
 * @param {Box} free
 */
function shiftOf(box, free) {
  const right = Math.max(0, free.left + INSIDE - box.left);
  const left = Math.max(0, box.right - (free.right - INSIDE));
  const shift = right > 0 ? right : left > 0 ? -left : 0;
  return Math.abs(shift) <= SHIFT_AT_MOST ? shift : 0;
}

/**
 * @param {Box} a
 * @param {Box} b
 */
function isTouching(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
