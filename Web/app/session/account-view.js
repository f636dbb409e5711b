// @ts-check
import { button, field, heading, whileBusy } from '../page/controls.js';
import { element } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say } from '../words/words.js';
import { colorSection } from './color-section.js';
import { languageSection } from './language-section.js';
import { pictureSection } from './picture-section.js';
import { notificationsSection } from '../messages/notifications-section.js';
import { sessionsSection } from './sessions-section.js';
import { signOut } from './sign-out.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Who one is to others, and how one signs in.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function accountView(page, scope) {
  const own = profile(page);
  const root = element('div', { class: 'view' }, heading(say('settings.title')).root,
    element('div', { class: 'scroll stack' }, own.root, languageSection(), password(page), sessionsSection(page), notificationsSection(page, scope),
      page.account.isOperator && controlPanel(),
      element('section', { class: 'card stack' }, element('h2', {}, say('settings.thisDevice')),
        element('p', { class: 'hint' }, say('settings.signOutHint')),
        button(say('settings.signOut'), () => signOut(page), { icon: 'leave' }))));
  for (const each of [page.account, page.chats, page.contacts]) each.observe(own.update, scope);
  return { root, sheet: 'full' };
}

/** @param {Page} page */
function profile(page) {
  const { user } = page.account;
  const name = field(say('settings.name'), { required: true, maxLength: 100, autocomplete: 'name', value: user?.name ?? '' });
  const email = field(say('settings.email'), { type: 'email', autocomplete: 'email', value: user?.email ?? '' });
  const current = field(say('settings.passwordForEmail'), { type: 'password', autocomplete: 'current-password' });
  const asks = () => page.account.hasPassword && address() !== (page.account.user?.email ?? null);
  const address = () => email.input.value.trim() || null;
  const ask = () => {
    current.root.hidden = !asks();
    current.input.required = asks();
  };
  email.input.addEventListener('input', ask);
  ask();
  const picture = pictureSection(page);
  const color = colorSection(page);
  const submit = element('button', { class: 'primary' }, say('settings.save'));
  const form = element('form', { class: 'card stack' }, element('h2', {}, say('settings.profile')), picture.root, color.root, name.root, email.root, current.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const isChanged = address() !== (page.account.user?.email ?? null);
    const proof = asks() ? { current: current.input.value } : {};
    saved(page, submit, async () => {
      await page.account.change({ name: name.input.value.trim(), ...(isChanged ? { email: address(), ...proof } : {}) });
      current.input.value = '';
      for (const { input } of [name, email]) input.defaultValue = input.value;
      ask();
    });
  });
  const update = () => {
    picture.show();
    color.update();
  };
  return { root: form, update };
}

/** @param {Page} page */
function password(page) {
  const current = field(say('settings.presentPassword'), { type: 'password', autocomplete: 'current-password' });
  current.root.hidden = !page.account.hasPassword;
  const fresh = field(say('settings.newPassword'), { type: 'password', required: true, minLength: 8, autocomplete: 'new-password' });
  const submit = element('button', {}, say('settings.setPassword'));
  const form = element('form', { class: 'card stack' }, element('h2', {}, say('settings.password')),
    element('p', { class: 'hint' }, page.account.login ? say('settings.yourLogin', { login: page.account.login }) : say('settings.passwordOptional')),
    element('input', { type: 'text', hidden: true, autocomplete: 'username', value: page.account.login ?? '' }), current.root, fresh.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const passwords = { password: fresh.input.value, ...(page.account.hasPassword ? { current: current.input.value } : {}) };
    saved(page, submit, async () => {
      await page.account.setPassword(passwords);
      form.reset();
      current.root.hidden = false;
    });
  });
  return form;
}

/** For who runs this server. */
function controlPanel() {
  return element('section', { class: 'card stack' }, element('h2', {}, say('settings.thisServer')),
    element('p', { class: 'hint' }, say('settings.operatorHint')),
    element('a', { href: '/control', class: 'button' }, icon('edit'), element('span', {}, say('settings.openControl'))));
}

/**
 * @param {Page} page
 * @param {HTMLElement} control
 * @param {() => Promise<void>} save
 */
async function saved(page, control, save) {
  try {
    await whileBusy(control, save);
    page.toasts.say(say('page.saved'));
  } catch (error) {
    page.toasts.fail(error);
  }
}
