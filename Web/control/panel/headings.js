// @ts-check
import { element } from '../../app/page/dom.js';

/** @typedef {'objects' | 'schema' | 'import'} Tab */

/** @type {[Tab, string][]} */
const TABS = [['objects', 'Objects'], ['schema', 'Schema'], ['import', 'Import and export']];

/**
 * A view's top: the way back, its title, and what can be done.
 * @param {string} title
 * @param {{ way?: { label: string, href: string }[], actions?: (HTMLElement | undefined)[] }} [options]
 */
export function viewHead(title, { way = [], actions = [] } = {}) {
  const crumbs = way.length > 0 && element('nav', { class: 'crumbs', 'aria-label': 'Breadcrumb' }, element('ol', {},
    way.map(({ label, href }) => element('li', {}, element('a', { href }, label)))));
  return element('div', { class: 'view-head' }, crumbs,
    element('div', { class: 'title-line' }, element('h1', { tabIndex: -1, dir: 'auto' }, title), element('div', { class: 'actions wrap' }, actions)));
}

/**
 * The parts of an entity.
 * @param {string} entity
 * @param {Tab} current
 */
export function entityTabs(entity, current) {
  return element('nav', { class: 'tabs', 'aria-label': entity }, TABS.map(([tab, label]) => element('a', {
    href: `#/${tab}/${entity}`, 'aria-current': tab === current ? 'page' : undefined,
  }, label)));
}

/**
 * Up to, and not with, the view itself.
 * @param {string} [entity]
 */
export function wayTo(entity) {
  const all = { label: 'Entities', href: '#/' };
  return entity ? [all, { label: entity, href: `#/objects/${entity}` }] : [all];
}
