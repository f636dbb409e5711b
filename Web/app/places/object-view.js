// @ts-check
import { directionsLink } from '../map/directions.js';
import { button, emptyState, heading } from '../page/controls.js';
import { timeElement } from '../page/clock.js';
import { element, fill, setText } from '../page/dom.js';
import { loadingText } from '../page/loading-text.js';
import { icon } from '../page/icons.js';
import { say, sayWith } from '../words/words.js';
import { fieldValue } from './field-value.js';
import { labelOf, nameOf, placeKey, placeOf } from './place.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').EntityField} EntityField */
/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */

/**
 * All of one object, as it is now; it is selected on the map if it has a place there.
 * @param {Page} page
 * @param {string} entity
 * @param {string} id
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function objectView(page, entity, id, scope) {
  const key = placeKey(entity, id);
  const top = heading(say('place.title'), { back: () => page.router.go('places') });
  const body = element('div', { class: 'scroll stack padded object' });
  const { watch, end } = page.places.watch(entity, id);
  scope.add(end);
  /** @type {ReturnType<typeof objectBody> | undefined} */
  let shown;
  const update = () => {
    const { object, entity: kind } = watch;
    if (!object || !kind) {
      shown = undefined;
      return fill(body, missing(page, watch.state));
    }
    setText(top.text, nameOf(kind, object));
    page.title.set(nameOf(kind, object));
    if (!shown) selectOnMap(page, key, placeOf(kind, object) !== undefined);
    shown ??= objectBody(page, kind, key, body);
    return shown(object);
  };
  update();
  watch.observe(update, scope);
  return { root: element('div', { class: 'view' }, top.root, body), sheet: 'half' };
}

/**
 * What is read is what is selected; what has no place leaves no other one selected.
 * @param {Page} page
 * @param {string} key
 * @param {boolean} isPlaced
 */
function selectOnMap(page, key, isPlaced) {
  if (!isPlaced) page.map.select(undefined);
  else if (page.map.selected() !== key) page.showPlace(key);
}

/**
 * @param {Page} page
 * @param {'loading' | 'here' | 'gone' | 'failed'} state
 */
function missing(page, state) {
  if (state === 'loading') return element('p', { class: 'hint', role: 'status' }, loadingText(page));
  if (state === 'failed') return element('p', { class: 'hint', role: 'status' }, say('place.unreachable'));
  page.announce(say('place.goneNow'));
  return emptyState('place', say('place.gone'), say('place.goneHint'),
    button(say('place.toPlaces'), () => page.router.replace('places'), { class: 'primary' }));
}

/**
 * @param {Page} page
 * @param {Entity} kind
 * @param {string} key
 * @param {HTMLElement} body
 */
function objectBody(page, kind, key, body) {
  const rows = kind.fields.map((field) => fieldRow(page, field));
  const show = button(say('place.show'), () => {
    page.showPlace(key);
    page.panel.showMap();
  }, { icon: 'place', class: 'primary' });
  const directions = element('a', { class: 'button', target: '_blank', rel: 'noreferrer' }, icon('directions'), element('span', {}, say('person.directions')));
  const changed = element('p', { class: 'hint' });
  fill(body, element('dl', { class: 'fields' }, rows.map(({ root }) => root)), element('div', { class: 'actions wrap' }, show, directions), changed);
  return (/** @type {PlacedObject} */ object) => {
    for (const { update } of rows) update(object.fields);
    const place = placeOf(kind, object);
    show.hidden = !place || page.map.isText;
    directions.hidden = !place;
    if (place) directions.href = directionsLink(place);
    const isKnown = changed.querySelector('time')?.dataset.at === String(object.updated);
    if (!isKnown) fill(changed, sayWith('place.changed', {
      kind: labelOf(kind.name), time: timeElement(object.updated, { withAbsolute: true }),
    }));
  };
}

/**
 * @param {Page} page
 * @param {EntityField} field
 */
function fieldRow(page, field) {
  const value = element('dd');
  let last = '';
  const update = (/** @type {Record<string, any>} */ fields) => {
    const now = JSON.stringify(fields[field.name]) ?? 'nothing';
    if (now === last) return;
    last = now;
    fill(value, now === 'nothing' ? element('span', { class: 'hint' }, say('place.notKnown')) : fieldValue(page, field, fields[field.name]));
  };
  return { root: element('div', {}, element('dt', {}, labelOf(field.name)), value), update };
}
