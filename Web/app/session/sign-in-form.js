// @ts-check
import { decoded } from '../page/decoded.js';
import { field, whileBusy } from '../page/controls.js';
import { element } from '../page/dom.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Sign-in with login and password.
 * @param {Page} page
 */
export function passwordForm(page) {
  const login = field(say('signIn.login'), { required: true, autocomplete: 'username', autocapitalize: 'none', spellcheck: false });
  const password = field(say('signIn.password'), { type: 'password', required: true, autocomplete: 'current-password' });
  return form(page, say('signIn.signIn'), [login.root, password.root],
    () => page.account.signInWithPassword(login.input.value.trim(), password.input.value));
}

/**
 * Sign-in with a link that came to another device, or was copied.
 * @param {Page} page
 */
export function linkForm(page) {
  const link = field(say('signIn.link'), { required: true, autocomplete: 'off', spellcheck: false, placeholder: 'https://…/#link=…' });
  return form(page, say('signIn.useLink'), [link.root], () => page.account.signInWithLink(secretOf(link.input.value)));
}

/**
 * @param {Page} page
 * @param {string} label
 * @param {HTMLElement[]} fields
 * @param {() => Promise<void>} signIn
 */
function form(page, label, fields, signIn) {
  const submit = element('button', { class: 'primary' }, label);
  const made = element('form', { class: 'stack' }, fields, submit);
  let takeBack = () => {};
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    takeBack();
    whileBusy(submit, signIn).catch((error) => { takeBack = page.toasts.fail(error); });
  });
  return made;
}

/**
 * The secret in a whole link, or the secret alone.
 * @param {string} text
 */
export function secretOf(text) {
  const secret = text.trim().replace(/^.*#link=/, '');
  return decoded(secret) ?? secret;
}
