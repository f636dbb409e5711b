// @ts-check
import { element, setText } from '../../app/page/dom.js';
import { cellText, locationText, nameField, objectName } from './cells.js';
import { isSortable } from './conditions.js';

/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */
/** @typedef {import('../control.d.ts').StoredObject} StoredObject */

/**
 * @typedef {object} Table
 * @property {Entity} entity
 * @property {StoredObject[]} objects
 * @property {string | undefined} sort
 * @property {(entity: string | undefined, id: string) => Promise<string>} label what a referenced object is called
 * @property {(column: string) => void} order by which column next: from what was asked last, which may not be drawn yet
 */

/**
 * A page of objects. What objects are called by comes first, and leads to each.
 * @param {Table} table
 */
export function objectTable(table) {
  const { fields } = table.entity;
  const first = nameField(fields);
  const others = fields.filter((field) => field !== first);
  /** @type {Field[]} */
  const columns = [...(first ? [first] : []), ...others, { name: 'updated', type: 'date' }];
  const head = element('tr', {}, first ? undefined : element('th', { scope: 'col' }, 'object'), columns.map((column) => title(table, column)));
  const rows = table.objects.map((object) => element('tr', {}, nameCell(table.entity, object), columns.slice(first ? 1 : 0).map((column) => cell(table, object, column))));
  return element('div', { class: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': `Table of ${table.entity.name}` },
    element('table', {}, element('caption', { class: 'hidden' }, `Objects of ${table.entity.name}`), element('thead', {}, head), element('tbody', {}, rows)));
}

/**
 * @param {Table} table
 * @param {Field} column
 */
function title({ sort, order }, { name, type }) {
  if (!isSortable({ name, type })) return element('th', { scope: 'col' }, name);
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const arrow = direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '';
  return element('th', { scope: 'col', class: type, 'aria-sort': direction },
    element('button', { type: 'button', class: 'sort', 'data-sort': name, onclick: () => order(name) },
      name, element('span', { class: 'arrow', 'aria-hidden': 'true' }, arrow)));
}

/**
 * @param {Entity} entity
 * @param {StoredObject} object
 */
function nameCell({ name, fields }, object) {
  return element('th', { scope: 'row' }, element('a', { href: `#/objects/${name}/${object.id}`, class: 'clamped', dir: 'auto' }, objectName(fields, object)));
}

/**
 * @param {Table} table
 * @param {StoredObject} object
 * @param {Field} column
 */
function cell(table, object, column) {
  const value = column.name === 'updated' ? object.updated : object.fields[column.name];
  if (value === undefined) return element('td', { class: 'none' });
  if (column.type === 'reference') return reference(table, column, value);
  if (column.type === 'location') return place(value);
  return element('td', { class: column.type }, element('div', { class: 'clamped', dir: 'auto' }, cellText(column, value)));
}

/**
 * @param {Table} table
 * @param {Field} column
 * @param {string} id
 */
function reference({ label }, { entity }, id) {
  const link = element('a', { href: `#/objects/${entity}/${id}`, class: 'clamped', dir: 'auto' }, id);
  label(entity, id).then((text) => setText(link, text));
  return element('td', { class: 'reference' }, link);
}

/** @param {import('../control.d.ts').Place} value */
function place(value) {
  const isOnMap = value.latitude !== undefined;
  return element('td', { class: 'location' }, element('span', { class: 'clamped', dir: 'auto' }, locationText(value)), !isOnMap && element('span', { class: 'badge off-map' }, 'not on the map'));
}
