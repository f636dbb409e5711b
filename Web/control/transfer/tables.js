// @ts-check
import { element, fill } from '../../app/page/dom.js';
import { cellText } from '../objects/cells.js';
import { select } from '../panel/inputs.js';
import { targetOf, targetsOf } from './mapping.js';

/** @typedef {import('../control.d.ts').Column} Column */
/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */

/** Which column goes where. While the columns are the same, so are the controls: somebody may be at one of them. */
export class MappingTable {
  root = element('div');

  #fields;
  #change;
  /** @type {Map<string, HTMLSelectElement>} */
  #inputs = new Map();

  /**
   * @param {Field[]} fields
   * @param {(column: string, target: string) => void} change
   */
  constructor(fields, change) {
    this.#fields = fields;
    this.#change = change;
  }

  /** @param {Column[]} columns */
  show(columns) {
    if (columns.map(({ name }) => name).join('\n') !== [...this.#inputs.keys()].join('\n')) this.#make(columns);
    for (const column of columns) {
      const input = this.#inputs.get(column.name);
      if (input && input !== document.activeElement) input.value = targetOf(column);
    }
  }

  /** @param {Column[]} columns */
  #make(columns) {
    const targets = targetsOf(this.#fields);
    this.#inputs = new Map(columns.map((column) => {
      const input = select(targets, targetOf(column), (target) => this.#change(column.name, target));
      input.setAttribute('aria-label', `Where ${column.name} goes`);
      return [column.name, input];
    }));
    fill(this.root, table('Where the columns go', ['In the file', 'Here'], [...this.#inputs].map(([name, input]) => element('tr', {},
      element('th', { scope: 'row' }, name), element('td', {}, input)))));
  }
}

/**
 * The first objects, as they would become.
 * @param {Entity} entity
 * @param {{ row: number, fields: Record<string, any> }[]} objects
 */
export function previewTable({ fields }, objects) {
  const rows = objects.map(({ row, fields: values }) => element('tr', {}, element('th', { scope: 'row', class: 'number' }, row),
    fields.map((field) => element('td', { class: field.type }, cellText(field, values[field.name])))));
  return table('The first objects', ['Row', ...fields.map(({ name }) => name)], rows);
}

/** @param {{ row: number, code: string, message: string }[]} errors */
export function errorTable(errors) {
  return table('Refused rows', ['Row', 'Why'], errors.map(({ row, message }) => element('tr', {},
    element('th', { scope: 'row', class: 'number' }, row), element('td', {}, message))));
}

/**
 * @param {string} caption
 * @param {string[]} titles
 * @param {HTMLElement[]} rows
 */
function table(caption, titles, rows) {
  return element('div', { class: 'table-scroll limited', tabIndex: 0, role: 'region', 'aria-label': caption }, element('table', {},
    element('caption', { class: 'hidden' }, caption), element('thead', {}, element('tr', {}, titles.map((title) => element('th', { scope: 'col' }, title)))),
    element('tbody', {}, rows)));
}
