// @ts-check
import { button, field, heading, whileBusy } from '../page/controls.js';
import { element } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { sessionsSection } from './sessions-section.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Who one is to others, and how one signs in.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function accountView(page) {
  const root = element('div', { class: 'view' }, heading('You').root,
    element('div', { class: 'scroll stack' }, profile(page), password(page), sessionsSection(page),
      page.account.isOperator && controlPanel(),
      element('section', { class: 'card stack' }, element('h2', {}, 'This device'),
        element('p', { class: 'hint' }, 'Signing out stops sharing from here. Your chats and contacts stay.'),
        button('Sign out', () => signOut(page), { icon: 'leave' }))));
  return { root, sheet: 'full' };
}

/** @param {Page} page */
function profile(page) {
  const { user } = page.account;
  const name = field('Name', { required: true, maxLength: 100, autocomplete: 'name', value: user?.name ?? '' });
  const email = field('E-mail, seen by people you chat with', { type: 'email', autocomplete: 'email', value: user?.email ?? '' });
  const submit = element('button', { class: 'primary' }, 'Save');
  const form = element('form', { class: 'card stack' }, element('h2', {}, 'How others see you'), name.root, email.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    saved(page, submit, () => page.account.change({ name: name.input.value.trim(), email: email.input.value.trim() || null }));
  });
  return form;
}

/** @param {Page} page */
function password(page) {
  const current = field('Present password, if you have one', { type: 'password', autocomplete: 'current-password' });
  const fresh = field('New password', { type: 'password', required: true, minLength: 8, autocomplete: 'new-password' });
  const submit = element('button', {}, 'Set the password');
  const form = element('form', { class: 'card stack' }, element('h2', {}, 'Password'),
    element('p', { class: 'hint' }, page.account.login ? `Your login is ${page.account.login}.` : 'Optional: sign-in links work without.'),
    element('input', { type: 'text', hidden: true, autocomplete: 'username', value: page.account.login ?? '' }), current.root, fresh.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const passwords = { password: fresh.input.value, ...(current.input.value ? { current: current.input.value } : {}) };
    saved(page, submit, () => page.account.setPassword(passwords)).then(() => form.reset());
  });
  return form;
}

/** For who runs this server. */
function controlPanel() {
  return element('section', { class: 'card stack' }, element('h2', {}, 'This server'),
    element('p', { class: 'hint' }, 'You run this server: keep its places and their kinds, and bring them in from files.'),
    element('a', { href: '/control', class: 'button' }, icon('edit'), element('span', {}, 'Open the control panel')));
}

/**
 * @param {Page} page
 * @param {HTMLElement} control
 * @param {() => Promise<void>} save
 */
async function saved(page, control, save) {
  try {
    await whileBusy(control, save);
    page.toasts.say('Saved.');
  } catch (error) {
    page.toasts.fail(error);
  }
}

/** @param {Page} page */
async function signOut(page) {
  try {
    await page.account.signOut();
    page.router.replace('welcome');
  } catch (error) {
    page.toasts.fail(error);
  }
}
