// @ts-check
import { queryText } from '../panel/query.js';
import { timeOfInput } from './dates.js';
import { byteCount, numberOf } from './values.js';

/** @typedef {import('../control.d.ts').Condition} Condition */
/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */

export const CONDITION_LIMIT = 16;
const BYTE_LIMIT = 1_024;

const EQUALS = [{ value: '=', label: 'is' }, { value: '!=', label: 'is not' }];
const AMOUNT = [
  { value: '<', label: 'is less than' }, { value: '<=', label: 'is at most' },
  { value: '>', label: 'is more than' }, { value: '>=', label: 'is at least' },
];
const ORDER = [
  { value: '<', label: 'is before' }, { value: '<=', label: 'is, or is before' },
  { value: '>', label: 'is after' }, { value: '>=', label: 'is, or is after' },
];
const THERE = [{ value: '', label: 'has a value' }, { value: '!', label: 'has no value' }];

/** What is wrong with a value, by the field's type. @type {Record<string, string>} */
const WRONG = { number: 'This is not a number. Decimals come after a point.', date: 'This is not a date.', reference: 'An id is digits alone.' };
/** @type {Record<string, string>} */
const EMPTY = { date: 'Choose a date and a time.', reference: 'Write the id of an object.' };

/** What every object has beside its fields. @type {Field[]} */
const OWN = [{ name: 'created', type: 'date' }, { name: 'updated', type: 'date' }];

/**
 * What conditions may be about.
 * @param {Entity} entity
 * @returns {Field[]}
 */
export function conditionFields({ fields }) {
  return [...fields, ...OWN];
}

/**
 * What may be asked of a type. `''` and `'!'` take no value.
 * @param {import('../control.d.ts').FieldType} type
 */
export function operatorsOf(type) {
  switch (type) {
    case 'text': return [{ value: '~', label: 'contains' }, { value: '^', label: 'begins with' }, ...EQUALS, ...ORDER, ...THERE];
    case 'number': return [...EQUALS, ...AMOUNT, ...THERE];
    case 'date': return [...EQUALS, ...ORDER, ...THERE];
    case 'boolean': case 'reference': return [...EQUALS, ...THERE];
    default: return THERE;
  }
}

/** @param {string} operator */
export function takesValue(operator) {
  return operator !== '' && operator !== '!';
}

/**
 * A condition as the wire has it.
 * @param {Field} field
 * @param {Condition} condition
 * @returns {{ text?: string, problem?: string }}
 */
export function conditionText({ name, type }, { operator, value }) {
  if (!takesValue(operator)) return { text: `${operator}${name}` };
  const written = value === '' && '~^'.includes(operator) ? undefined : writtenValue(type, value);
  if (written === undefined) return { problem: value.trim() === '' ? EMPTY[type] ?? 'Write a value.' : WRONG[type] };
  const text = `${name}${operator}${written}`;
  return byteCount(text) > BYTE_LIMIT ? { problem: `At most ${BYTE_LIMIT} bytes.` } : { text };
}

/**
 * @param {import('../control.d.ts').FieldType} type
 * @param {string} value
 * @returns {string | undefined}
 */
function writtenValue(type, value) {
  switch (type) {
    case 'number': return numberOf(value)?.toString();
    case 'date': return timeOfInput(value)?.toString();
    case 'boolean': return value === 'false' ? 'false' : 'true';
    case 'reference': return /^\d{1,19}$/.test(value.trim()) ? value.trim() : undefined;
    default: return value;
  }
}

/**
 * What a list is asked with.
 * @param {{ where?: string[], sort?: string }} asked
 * @param {...([string, string] | undefined)} others
 */
export function listQuery({ where = [], sort }, ...others) {
  /** @type {[string, string][]} */
  const conditions = where.map((condition) => ['where', condition]);
  return queryText([...conditions, ...(sort ? [/** @type {[string, string]} */ (['sort', sort])] : []), ...others.filter((each) => each !== undefined)]);
}

/**
 * The order after a click on a column's title: upwards, then downwards, then as they were made.
 * @param {string | undefined} sort
 * @param {string} name
 * @returns {string | undefined}
 */
export function nextSort(sort, name) {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? undefined : name;
}

/** @param {Field} field */
export function isSortable({ type }) {
  return type !== 'json' && type !== 'location';
}
