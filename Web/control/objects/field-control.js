// @ts-check
import { element, setText } from '../../app/page/dom.js';
import { locationField } from '../location/location-field.js';
import { labelled, select } from '../panel/inputs.js';
import { timeOfInput, zoneText, zoneToday } from './dates.js';
import { referenceField } from './reference-field.js';
import { inputText, readValue } from './values.js';

/** @typedef {import('../control.d.ts').Field} Field */
/** @typedef {import('../control.d.ts').FieldControl} FieldControl */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */

/**
 * The control that fits a field.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @param {Field} field
 * @param {any} value as it is stored; `undefined` if there is none
 * @param {string} [raw] how it is written
 * @returns {FieldControl}
 */
export function fieldControl(panel, field, value, raw) {
  if (field.type === 'location') return locationField(field, value);
  if (field.type === 'reference') return referenceField(panel, field, value);
  const input = inputFor(field, inputText(field, value, raw));
  // As the control has it, which may write line ends or seconds in its own way: that alone is no change.
  const before = input.value;
  const { root, refuse, hint } = labelled(field.name, input, { hint: hintFor(field), isRequired: field.required, class: field.type });
  if (hint && field.type === 'date') {
    input.addEventListener('input', () => {
      const time = timeOfInput(input.value);
      setText(hint, time === undefined ? zoneToday() : zoneText(time));
    });
    if (before) setText(hint, zoneText(value));
  }
  if (field.type === 'json') input.addEventListener('change', () => refuse(readValue(field, input.value).problem));
  return { root, refuse, read: () => readValue(field, input.value), isChanged: () => input.value !== before, focus: () => input.focus() };
}

/**
 * @param {Field} field
 * @param {string} value
 * @returns {Input}
 */
function inputFor({ type, required }, value) {
  switch (type) {
    case 'number': return element('input', { type: 'text', inputMode: 'decimal', autocomplete: 'off', value });
    case 'date': return element('input', { type: 'datetime-local', step: stepFor(value), value });
    case 'boolean': return select([{ value: '', label: required ? 'Choose…' : 'Not said' }, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }], value, () => {});
    case 'json': return element('textarea', { rows: 4, spellcheck: false, autocapitalize: 'none', class: 'code', value });
    default: return element('textarea', { rows: 1, class: 'grows', dir: 'auto', value });
  }
}

/**
 * As fine as what is there: who types a date doesn't want to be asked for milliseconds.
 * @param {string} value
 */
function stepFor(value) {
  if (value.includes('.')) return '0.001';
  return value.split(':').length > 2 ? '1' : '60';
}

/** @param {Field} field */
function hintFor({ type }) {
  if (type === 'date') return zoneToday();
  return type === 'json' ? 'Any JSON but null. It is kept as you write it.' : undefined;
}
