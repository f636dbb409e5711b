// @ts-check
import { localInput, timeOfInput } from './dates.js';

/** @typedef {import('../control.d.ts').Field} Field */
/** @typedef {import('../control.d.ts').Place} Place */
/** @typedef {import('../control.d.ts').ReadValue} ReadValue */

export const TEXT_LIMIT = 16_384;
export const JSON_LIMIT = 32_768;
export const ADDRESS_LIMIT = 1_000;
const DEPTH_LIMIT = 32;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const encoder = new TextEncoder();

/** @param {string} text */
export function byteCount(text) {
  return encoder.encode(text).length;
}

/**
 * A number as somebody types it, with a point: a comma may mean one or the other, and nobody should guess.
 * @param {string} text
 * @returns {number | undefined}
 */
export function numberOf(text) {
  const written = text.trim().replace('−', '-');
  const number = NUMBER.test(written) ? Number(written) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/**
 * What a form shows of a stored value.
 * @param {Field} field
 * @param {any} value `undefined` if there is none
 * @param {string} [raw] how it is written
 * @returns {string}
 */
export function inputText({ type }, value, raw) {
  if (value === undefined) return '';
  if (type === 'date') return localInput(value);
  if (type === 'json') return raw ?? JSON.stringify(value);
  return String(value);
}

/**
 * What a form's text comes to.
 * @param {Field} field of any type but location
 * @param {string} text
 * @returns {ReadValue}
 */
export function readValue({ type }, text) {
  if (text === '' || (type !== 'text' && text.trim() === '')) return { empty: true };
  switch (type) {
    case 'number': return readNumber(text);
    case 'date': return readDate(text);
    case 'boolean': return { json: text === 'true' ? 'true' : 'false' };
    case 'json': return readJSON(text);
    case 'reference': return /^\d{1,19}$/.test(text) ? { json: JSON.stringify(text) } : { problem: 'Choose one from the list, or write its id.' };
    default: return readText(text);
  }
}

/**
 * @param {string} text
 * @returns {ReadValue}
 */
function readText(text) {
  const count = byteCount(text);
  return count > TEXT_LIMIT ? { problem: `At most ${TEXT_LIMIT} bytes; these are ${count}.` } : { json: JSON.stringify(text) };
}

/**
 * @param {string} text
 * @returns {ReadValue}
 */
function readNumber(text) {
  const number = numberOf(text);
  return number === undefined ? { problem: 'This is not a number. Decimals come after a point.' } : { json: JSON.stringify(number) };
}

/**
 * @param {string} text
 * @returns {ReadValue}
 */
function readDate(text) {
  const time = timeOfInput(text);
  return time === undefined ? { problem: 'This is not a date.' } : { json: String(time) };
}

/**
 * JSON goes as it is written, once it is known to be JSON.
 * @param {string} text
 * @returns {ReadValue}
 */
function readJSON(text) {
  const json = text.trim();
  let value;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `This is not JSON: ${/** @type {Error} */ (error).message}` };
  }
  if (value === null) return { problem: 'A JSON value can’t be null: leave the field empty instead.' };
  if (depthOf(value) > DEPTH_LIMIT) return { problem: `It is nested deeper than ${DEPTH_LIMIT} levels.` };
  const count = byteCount(json);
  return count > JSON_LIMIT ? { problem: `At most ${JSON_LIMIT} bytes; these are ${count}.` } : { json };
}

/**
 * @param {any} value
 * @returns {number}
 */
function depthOf(value) {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

/**
 * What the texts of a location field come to.
 * @param {{ latitude: string, longitude: string, altitude: string, address: string }} texts
 * @returns {ReadValue & { place?: Place }}
 */
export function readPlace(texts) {
  const address = texts.address.trim();
  const [latitude, longitude, altitude] = [texts.latitude, texts.longitude, texts.altitude].map((text) => text.trim());
  if (![address, latitude, longitude, altitude].some(Boolean)) return { empty: true };
  const problem = placeProblem({ latitude, longitude, altitude, address });
  if (problem) return { problem };
  /** @type {Place} */
  const place = {};
  if (latitude) Object.assign(place, { latitude: numberOf(latitude), longitude: numberOf(longitude) });
  if (altitude) place.altitude = numberOf(altitude);
  if (address) place.address = address;
  return { json: JSON.stringify(place), place };
}

/** @param {{ latitude: string, longitude: string, altitude: string, address: string }} texts */
function placeProblem({ latitude, longitude, altitude, address }) {
  if (!latitude !== !longitude) return 'Latitude and longitude come together.';
  if (altitude && !latitude) return 'An altitude needs a latitude and a longitude.';
  if (latitude && !isWithin(latitude, 90)) return 'The latitude is a number from −90 to 90.';
  if (longitude && !isWithin(longitude, 180)) return 'The longitude is a number from −180 to 180.';
  if (altitude && numberOf(altitude) === undefined) return 'The altitude is a number of meters.';
  if (byteCount(address) > ADDRESS_LIMIT) return `The address has at most ${ADDRESS_LIMIT} bytes.`;
  return /\p{Cc}/u.test(address) ? 'The address is one line.' : undefined;
}

/**
 * @param {string} text
 * @param {number} limit
 */
function isWithin(text, limit) {
  const number = numberOf(text);
  return number !== undefined && Math.abs(number) <= limit;
}

/**
 * Degrees as they are stored: rounded to the seventh decimal, without zeros behind.
 * @param {number} degrees
 */
export function degreesText(degrees) {
  return String(Number(degrees.toFixed(7)));
}
