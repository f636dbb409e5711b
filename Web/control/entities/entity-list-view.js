// @ts-check
import { emptyState } from '../../app/page/controls.js';
import { element } from '../../app/page/dom.js';
import { icon } from '../../app/page/icons.js';
import { counted } from '../objects/cells.js';
import { viewHead } from '../panel/headings.js';

/** @typedef {import('../control.d.ts').Entity} Entity */

const READERS = { anyone: 'anyone reads them', members: 'members read them', owners: 'owners alone read them' };

/**
 * The kinds of objects there are.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @returns {import('../control.d.ts').View}
 */
export function entityListView(panel) {
  const { all } = panel.entities;
  const create = element('a', { class: 'button primary', href: '#/create' }, icon('add'), element('span', {}, 'New entity'));
  const head = viewHead('Entities', { actions: all.length > 0 ? [create] : [] });
  const body = all.length > 0
    ? element('ul', { class: 'card rows entities', 'aria-label': 'Entities' }, all.map((entity) => element('li', {}, row(entity))))
    : element('div', { class: 'card' }, emptyState('table', 'Nothing here yet',
      'An entity is a kind of objects, as cafés or stops: it says which fields they have. Make one, then put objects in by hand or from a file.', create));
  return { title: 'Entities', root: element('div', { class: 'page' }, head, body) };
}

/** @param {Entity} entity */
function row({ name, count, fields, readers }) {
  const details = [counted(count, 'object', 'objects'), counted(fields.length, 'field', 'fields'), READERS[readers]];
  return element('a', { class: 'row', href: `#/objects/${name}` }, element('span', { class: 'empty-picture small' }, icon('table')),
    element('span', { class: 'row-text' }, element('strong', {}, name), element('span', { class: 'hint' }, details.join(' · '))));
}
