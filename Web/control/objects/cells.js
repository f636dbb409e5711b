// @ts-check
import { placeText } from '../../app/map/place-text.js';
import { numberText } from '../../app/page/numbers.js';
import { dateText } from './dates.js';

/** @typedef {import('../control.d.ts').Field} Field */

const LONGEST = 160;

/**
 * What a table shows of a value.
 * @param {Field} field
 * @param {any} value
 * @param {string} [language]
 * @returns {string} empty if there is none
 */
export function cellText({ type }, value, language) {
  if (value === undefined || value === null) return '';
  switch (type) {
    case 'number': return numberText(value);
    case 'date': return dateText(value, language);
    case 'boolean': return value ? 'Yes' : 'No';
    case 'json': return shortened(JSON.stringify(value));
    case 'location': return locationText(value);
    default: return shortened(String(value));
  }
}

/**
 * The address, else the coordinates.
 * @param {import('../control.d.ts').Place} place
 */
export function locationText({ address, latitude, longitude }) {
  if (address) return shortened(address);
  return latitude === undefined || longitude === undefined ? '' : placeText({ latitude, longitude });
}

/**
 * What an object is called where there is room for one line: its first text, or else its id.
 * @param {Field[]} fields
 * @param {{ id: string, fields: Record<string, any> }} object
 */
export function objectName(fields, { id, fields: values }) {
  const field = nameField(fields);
  return (field && values[field.name] ? shortened(values[field.name], 80) : '') || `Object ${id}`;
}

/**
 * The field that objects are called by: *name* or *title*, else the first text.
 * @param {Field[]} fields
 */
export function nameField(fields) {
  const texts = fields.filter(({ type }) => type === 'text');
  return ['name', 'title'].flatMap((wanted) => texts.find(({ name }) => name.toLowerCase() === wanted) ?? [])[0] ?? texts[0];
}

/**
 * @param {string} text
 * @param {number} [longest]
 */
export function shortened(text, longest = LONGEST) {
  const characters = Array.from(text.slice(0, 2 * longest + 2));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export function counted(count, one, many) {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
