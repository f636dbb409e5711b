// @ts-check
import { strangerName } from '../map/annotations.js';
import { placeText } from '../map/place-text.js';
import { button, emptyState, heading, segments, toggle } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { timeElement } from '../page/clock.js';
import { throttle } from '../page/throttle.js';
import { avatar } from '../people/avatar.js';
import { colorOf } from '../people/color.js';
import { choiceText, keepChoice, lastChoice } from '../sharing/share-choice.js';
import { shareToggle } from '../sharing/share-toggle.js';
import { WORLD } from '../sharing/sharing.js';
import { say } from '../words/words.js';
import { worldReturn } from './world-return.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./world.js').Stranger} Stranger */

/** How often the list is put together anew, at most. */
const LISTED_EVERY = 500;

/** How many strangers are listed as text; the map shows all. */
const LISTED_AT_MOST = 200;

/**
 * Whoever is here now, without names: on the map and in a list.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function worldView(page, scope) {
  const top = heading(say('world.title'));
  const count = element('p', { class: 'hint presence', role: 'status' });
  const body = element('div', { class: 'chat-body' });
  const root = element('div', { class: 'view' }, top.root, count, body);
  /** @type {ReturnType<typeof worldBody> | undefined} */
  let shown;
  const update = () => {
    const { refusal, world } = page.liveWorld;
    if (refusal) {
      shown = undefined;
      setText(count, '');
      return fill(body, closed(page));
    }
    setText(count, world.isCurrent ? countText(world.strangers.size) : say('page.connecting'));
    shown ??= worldBody(page, body);
    return shown();
  };
  update();
  // Each pin that moves changes the world.
  const lively = throttle(LISTED_EVERY, update);
  for (const each of [page.liveWorld, page.sharer]) each.observe(lively.run, scope);
  scope.add(lively.cancel);
  return { root, sheet: 'half', mapChanged: update };
}

/** @param {number} count */
function countText(count) {
  if (count === 0) return say('world.nobody');
  return say('world.others', { count });
}

/** @param {Page} page */
function closed(page) {
  if (!page.account.user) {
    return emptyState('world', say('world.notOpen'), say('world.membersOnly'),
      element('a', { href: '#/welcome', class: 'button primary' }, say('page.signIn')),
      button(say('page.tryAgain'), () => page.retryWorld(), { class: 'quiet' }));
  }
  return emptyState('world', say('world.closed'), say('world.closedHint'),
    element('a', { href: '#/chats', class: 'button primary' }, say('world.toChats')),
    button(say('page.tryAgain'), () => page.retryWorld(), { class: 'quiet' }));
}

/**
 * @param {Page} page
 * @param {HTMLElement} body
 */
function worldBody(page, body) {
  const share = shareToggle(page, WORLD, say('world.showMe'), say('world.showMeHint'));
  const length = lengthChoice();
  const all = toggle(say('world.viewAll'), (isOn) => page.scene.setAll(isOn));
  all.root.classList.add('compact');
  const list = element('ul', { class: 'rows people', 'aria-label': say('world.people') });
  const events = element('ol', { class: 'events', 'aria-label': say('world.events') });
  const quiet = emptyState('world', say('world.quiet'), say('world.quietHint'));
  const before = worldReturn(page);
  fill(body, before.root, share.root, length, element('div', { class: 'part scroll' }, all.root, quiet, list,
    element('details', { class: 'padded' }, element('summary', {}, say('world.events')), events)));
  return () => {
    const { world, events: happened } = page.liveWorld;
    share.update();
    share.root.hidden = before.update();
    length.hidden = page.sharer.isSharedIn(WORLD) || share.root.hidden;
    all.input.checked = page.scene.all;
    setText(all.state, page.scene.all ? say('world.viewingAll') : say('world.viewingLast'));
    quiet.hidden = world.strangers.size > 0;
    const strangers = [...world.strangers.values()].slice(0, LISTED_AT_MOST);
    keyed(list, strangers, ({ id }) => id, (stranger) => strangerRow(page, stranger));
    keyed(events, happened, ({ id, kind, time }) => `${id}${kind}${time}`, eventLine);
  };
}

/** For how long one is about to be shown in the world; what was chosen last is chosen. */
function lengthChoice() {
  const ends = /** @type {const} */ (['quarter', 'hour', 'eight', 'stop']);
  const choices = ends.map((end) => ({ value: end, label: choiceText({ end, keep: 'kept' }) }));
  return segments(say('sharing.howLong'), choices, lastChoice().end, (end) => keepChoice({ ...lastChoice(), end: /** @type {any} */ (end) }));
}

/**
 * @param {Page} page
 * @param {Stranger} stranger
 */
function strangerRow(page, { id }) {
  const place = element('span', { class: 'hint place' });
  const show = element('button', { type: 'button', class: 'row person', onclick: () => selected(page, id) },
    avatar({ name: strangerName(id), letters: '•', color: colorOf({}, id) }),
    element('span', { class: 'row-text' }, element('strong', {}, strangerName(id)), place));
  const update = (/** @type {Stranger} */ stranger) => {
    show.disabled = !stranger.place || page.map.isText;
    show.setAttribute('aria-pressed', String(page.map.selected() === id));
    const where = stranger.place ? page.whereOf(id, stranger.place) : '';
    place.title = stranger.place ? placeText(stranger.place) : '';
    const state = `${where}|${stranger.time}`;
    if (place.dataset.state === state) return;
    place.dataset.state = state;
    if (stranger.place) fill(place, where, ' · ', timeElement(stranger.time ?? page.stream.now()));
    else fill(place, say('world.looksOn'));
  };
  update(page.liveWorld.world.strangers.get(id) ?? { id, place: undefined, path: [], time: undefined });
  return Object.assign(element('li', { class: 'person-line' }, show), { update });
}

/** @param {{ id: string, kind: 'came' | 'left', time: number }} event */
function eventLine({ id, kind, time }) {
  return element('li', { class: kind }, say(kind === 'came' ? 'world.came' : 'world.left', { name: strangerName(id) }), ' · ', timeElement(time));
}

/**
 * @param {Page} page
 * @param {string} id
 */
function selected(page, id) {
  const isSelected = page.map.selected() === id;
  page.map.select(isSelected ? undefined : id);
  if (!isSelected) page.scene.lookAt(id);
  page.panel.showMap();
}
