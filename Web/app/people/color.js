// @ts-check
import { areAlike } from './deuteranopia.js';

/** Hues of red stand for *the reader is being seen*, so no person has one. */
const FIRST_HUE = 26;
/** Nor has one that is drawn from an id a hue that looks red beside it. */
const HUES = 314;
/** Hues nearer to each other than this are taken for one. */
const APART = 20;
/** White initials on every hue are read equally well, and hues are told apart by nothing but themselves. */
const CONTRAST = 6.3;

/**
 * A person's hue: the account's where the server sends it, else one drawn from the user's id, which is the same for every
 * viewer and view.
 * @param {{ hue?: number }} person
 * @param {string} id
 */
export function hueOf({ hue }, id) {
  if (hue !== undefined) return spared(((hue % 360) + 360) % 360);
  let hash = 2166136261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return FIRST_HUE + (hash % HUES);
}

/**
 * The hue itself, or the nearest one that doesn't look red.
 * @param {number} hue
 */
function spared(hue) {
  return hue < FIRST_HUE ? FIRST_HUE : Math.min(hue, FIRST_HUE + HUES - 1);
}

/** @type {Map<number, string>} */
const known = new Map();

/**
 * The color of a hue, in which white is read at 6.3:1.
 * @param {number} hue in degrees
 */
export function colorOfHue(hue) {
  const made = known.get(hue) ?? shadeOf(hue);
  known.set(hue, made);
  return made;
}

/** @param {number} hue */
function shadeOf(hue) {
  let [dark, light] = [0.05, 0.7];
  for (let step = 0; step < 12; step += 1) {
    const middle = (dark + light) / 2;
    if (contrastWithWhite(hexOf(hue, 0.68, middle)) >= CONTRAST) dark = middle;
    else light = middle;
  }
  return hexOf(hue, 0.68, dark);
}

/**
 * One person's color, in every view and for every viewer.
 * @param {{ hue?: number }} person
 * @param {string} id
 */
export function colorOf(person, id) {
  return colorOfHue(hueOf(person, id));
}

/**
 * Whether two people of these hues are hard to tell apart by their colors alone: for everybody, or with deuteranopia.
 * @param {number} one in degrees
 * @param {number} other
 */
export function areNear(one, other) {
  return distance(one, other) < APART || areAlike(colorOfHue(one), colorOfHue(other));
}

/**
 * @param {number} a
 * @param {number} b
 */
function distance(a, b) {
  const turn = Math.abs(a - b) % 360;
  return Math.min(turn, 360 - turn);
}

/**
 * A participant's color: the one of the account, as everywhere else.
 * @param {{ participants: { user: string, hue?: number }[] } | undefined} chat
 * @param {string} user
 */
export function colorIn(chat, user) {
  return colorOf(chat?.participants.find((participant) => participant.user === user) ?? {}, user);
}

/**
 * @param {number} hue
 * @param {number} saturation
 * @param {number} lightness
 */
function hexOf(hue, saturation, lightness) {
  const channel = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/**
 * White or near-black, whichever reads better on a color.
 * @param {string} hex
 */
export function inkOn(hex) {
  return contrastWithWhite(hex) >= 4.5 ? '#ffffff' : '#0d1117';
}

/** @param {string} hex */
function contrastWithWhite(hex) {
  return 1.05 / (luminance(hex) + 0.05);
}

/**
 * Relative luminance as in WCAG 2.
 * @param {string} hex
 */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
