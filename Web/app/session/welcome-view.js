// @ts-check
import { element, setText } from '../page/dom.js';
import { mark } from '../page/icons.js';
import { linkForm, passwordForm } from './sign-in-form.js';

/**
 * Where who isn't signed in arrives: what this is, the ways in, and the world without any.
 * @param {import('../page/page.js').Page} page
 * @returns {import('../page/panel.js').View}
 */
export function welcomeView(page) {
  const world = element('a', { href: '#/world', class: 'button primary' }, 'Look at the world');
  const state = element('p', { class: 'hint', role: 'status' });
  const update = () => {
    const { refusal, world: { strangers, isCurrent } } = page.liveWorld;
    const count = strangers.size;
    setText(state, refusal ? 'The world of this server is for members, or closed.'
      : !isCurrent ? '' : count === 0 ? 'Nobody is there just now.' : count === 1 ? 'One person is there now.' : `${count} people are there now.`);
  };
  update();
  const root = element('div', { class: 'view welcome' }, element('div', { class: 'stack' },
    element('div', { class: 'brand' }, mark(), element('span', {}, 'Yonder')),
    element('h1', { tabIndex: -1 }, 'See where your people are'),
    element('p', { class: 'lead' }, 'Live location sharing on a server of your own: with whom you choose, for as long as you choose.'),
    world, state,
    element('h2', {}, 'Sign in'),
    element('p', {}, 'Got a sign-in link or an invitation? Open it in this browser and you are in.'),
    passwordForm(page),
    element('details', {}, element('summary', {}, 'Paste a sign-in link'), linkForm(page)),
    element('p', { class: 'hint' }, 'No account? Ask somebody who has one for an invitation. Who runs this server gets a link with ', element('code', {}, 'yonder user link'), '.')));
  return { root, sheet: 'half', observing: [page.liveWorld.observe(update)] };
}
