// @ts-check
import { element, setText } from '../page/dom.js';
import { mark } from '../page/icons.js';
import { say, sayWith } from '../words/words.js';
import { linkForm, passwordForm } from './sign-in-form.js';

/**
 * Where a visitor without a session arrives: what this is, the ways in, and the world without any.
 * @param {import('../page/page.js').Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function welcomeView(page, scope) {
  const state = element('p', { class: 'hint', role: 'status' });
  const update = () => setText(state, worldState(page));
  update();
  const root = element('div', { class: 'view welcome' }, element('div', { class: 'stack' },
    element('div', { class: 'brand' }, mark(), element('span', {}, 'Yonder')),
    element('h1', { tabIndex: -1 }, say('welcome.title')),
    element('p', { class: 'lead' }, say('welcome.lead')),
    passwordForm(page),
    element('details', {}, element('summary', {}, say('welcome.pasteLink')), linkForm(page)),
    element('p', { class: 'hint' }, say('welcome.gotLink')),
    element('p', { class: 'hint' }, sayWith('welcome.noAccount', { command: element('code', {}, 'yonder user link') })),
    element('a', { href: '#/world', class: 'button' }, say('welcome.look')), state));
  page.liveWorld.observe(update, scope);
  return { root, sheet: 'full' };
}

/**
 * Says to a visitor how many people have a position in the world now, or that the operator has closed the world; empty until that is known.
 * @param {Pick<import('../page/page.js').Page, 'liveWorld'>} page
 */
export function worldState({ liveWorld: { refusal, world: { strangers, isCurrent } } }) {
  if (refusal) return say('welcome.worldClosed');
  if (!isCurrent) return '';
  // Whoever only looks, as at this very screen, is nobody to be seen.
  const count = [...strangers.values()].filter(({ place }) => place !== undefined).length;
  return count === 0 ? say('welcome.nobody') : say('welcome.there', { count });
}
