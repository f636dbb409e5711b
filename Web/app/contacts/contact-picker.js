// @ts-check
import { field } from '../page/controls.js';
import { element, keyed } from '../page/dom.js';
import { avatar } from '../people/avatar.js';
import { colorOf } from '../people/color.js';
import { say } from '../words/words.js';
import { isFound } from './name-search.js';

/** @typedef {import('../wire.d.ts').User} User */

/** From how many contacts on there is a field to search them. */
const SEARCHED_FROM = 6;

/**
 * Contacts to tick, with a field that searches them. Ticks stay while contacts come and go and while others are searched.
 * @param {string} label
 * @param {(selected: string[]) => void} onchange
 */
export function contactPicker(label, onchange) {
  /** @type {Set<string>} */
  const ticked = new Set();
  /** @type {User[]} */
  let users = [];
  const search = field(say('contacts.search'), { type: 'search', autocomplete: 'off' });
  const list = element('div', { class: 'choice-rows' });
  const none = element('p', { class: 'hint', role: 'status' }, say('contacts.notFound'));
  const root = element('fieldset', { class: 'choices' }, element('legend', {}, label), search.root, list, none);
  const selected = () => users.flatMap(({ id }) => (ticked.has(id) ? [id] : []));
  const tick = (/** @type {string} */ id, /** @type {boolean} */ isTicked) => {
    if (isTicked) ticked.add(id);
    else ticked.delete(id);
    onchange(selected());
  };
  const show = () => {
    const found = users.filter(({ name, email }) => isFound(search.input.value, name, email));
    search.root.hidden = users.length < SEARCHED_FROM;
    none.hidden = found.length > 0;
    keyed(list, found, ({ id }) => id, (user) => contactBox(user, ticked.has(user.id), (isTicked) => tick(user.id, isTicked)));
  };
  search.input.addEventListener('input', show);
  const update = (/** @type {User[]} */ all) => {
    users = all;
    show();
    onchange(selected());
  };
  return { root, update, tick, selected };
}

/**
 * @param {User} user
 * @param {boolean} checked
 * @param {(isTicked: boolean) => void} ontick
 */
function contactBox(user, checked, ontick) {
  const input = element('input', { type: 'checkbox', checked, onchange: () => ontick(input.checked) });
  return element('label', { class: 'row choice' }, avatar({ name: user.name, avatar: user.avatar, color: colorOf(user, user.id) }),
    element('span', { class: 'row-text' }, element('strong', { dir: 'auto' }, user.name), user.email && element('span', { class: 'hint' }, user.email)), input);
}
