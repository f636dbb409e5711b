// @ts-check
import { placeText } from '../map/place-text.js';
import { emptyState, heading, iconLink, toggle } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { loadingText } from '../page/loading-text.js';
import { throttle } from '../page/throttle.js';
import { say } from '../words/words.js';
import { KINDS_AT_MOST } from './choice.js';
import { countText } from './count-text.js';
import { labelOf, look } from './place.js';
import { placeTile } from './place-tile.js';
import { QuietAnnouncer } from './quiet-announcer.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */

/** How often the list follows what moves, in milliseconds. */
const LIST_EVERY = 100;

/**
 * Which kinds of places are on the map, and those that are seen there, as a list.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function placesView(page, scope) {
  const count = element('span', { 'aria-hidden': 'true' });
  const spoken = element('span', { class: 'hidden' });
  const body = element('div', { class: 'scroll' });
  const announcer = new QuietAnnouncer((text) => page.announce(text));
  /** @type {ReturnType<typeof placesBody> | undefined} */
  let shown;
  const update = () => {
    const { kinds, count: counted, isCurrent } = page.places;
    const text = counted ? countText(counted) : { shown: '', spoken: '' };
    setText(count, text.shown);
    setText(spoken, text.spoken);
    if (isCurrent) announcer.announce(text.spoken);
    if (!kinds?.length) {
      shown = undefined;
      return fill(body, kinds ? nothing() : element('p', { class: 'hint padded', role: 'status' }, loadingText(page)));
    }
    shown ??= placesBody(page, body);
    return shown();
  };
  update();
  page.places.load();
  const lively = throttle(LIST_EVERY, update);
  const root = element('div', { class: 'view' }, heading(say('places.title')).root, element('p', { class: 'hint presence' }, count, spoken), body);
  for (const each of [page.places, page.stream]) each.observe(lively.run, scope);
  scope.add(lively.cancel);
  scope.add(() => announcer.announce(''));
  return { root, sheet: 'half', mapChanged: update };
}

function nothing() {
  return emptyState('place', say('places.none'), say('places.noneHint'));
}

/**
 * @param {Page} page
 * @param {HTMLElement} body
 */
function placesBody(page, body) {
  const kinds = element('div', { role: 'group', 'aria-label': say('places.kinds') });
  const list = element('ul', { class: 'rows', 'aria-label': say('places.list') });
  const none = element('p', { class: 'hint padded' });
  fill(body, kinds, none, list);
  return () => {
    keyed(kinds, page.places.kinds ?? [], ({ name }) => name, (kind) => kindToggle(page, kind));
    const places = page.places.list;
    none.hidden = places.length > 0;
    setText(none, page.places.count === undefined ? say('places.choose') : say('places.nothingHere'));
    keyed(list, places, ({ key }) => key, (place) => placeRow(page, place));
  };
}

/**
 * @param {Page} page
 * @param {Entity} kind
 */
function kindToggle(page, { name }) {
  const { root, input, state } = toggle(labelOf(name), (isOn) => page.places.show(name, isOn));
  root.classList.add('compact', 'kind');
  root.prepend(placeTile(look(name)));
  const update = () => {
    const count = page.places.countOf(name);
    input.checked = page.places.isShown(name);
    input.disabled = !input.checked && !page.places.hasRoom;
    const off = input.disabled ? say('places.kindsAtMost', { count: KINDS_AT_MOST }) : say('places.notShown');
    setText(state, !input.checked ? off : count ? countText(count).shown : say('places.looking'));
  };
  update();
  return Object.assign(root, { update });
}

/**
 * @param {Page} page
 * @param {MapPlace} place
 */
function placeRow(page, place) {
  const { key, object: { entity, id } } = place;
  const name = element('strong', { dir: 'auto' });
  const where = element('span', { class: 'hint', dir: 'auto' });
  const show = element('button', { type: 'button', class: 'row person', onclick: () => selected(page, key) },
    placeTile(place), element('span', { class: 'row-text' }, name, where));
  const open = iconLink('', 'next', `#/places/${encodeURIComponent(entity)}/${encodeURIComponent(id)}`);
  const update = (/** @type {MapPlace} */ { title, subtitle, latitude, longitude }) => {
    setText(name, title);
    setText(where, subtitle ?? placeText({ latitude, longitude }));
    const opens = say('places.openNamed', { name: title });
    if (open.title !== opens) Object.assign(open, { title: opens, ariaLabel: opens });
    show.disabled = page.map.isText;
    show.setAttribute('aria-pressed', String(page.map.selected() === key));
  };
  update(place);
  return Object.assign(element('li', { class: 'person-line' }, show, open), { update });
}

/**
 * @param {Page} page
 * @param {string} key
 */
function selected(page, key) {
  if (page.map.selected() === key) page.map.select(undefined);
  else page.showPlace(key);
}
