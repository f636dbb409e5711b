// @ts-check
import { button, emptyState, field, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { mark } from '../page/icons.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Somebody was invited: who by, and yes or no.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function invitationView(page) {
  const root = element('div', { class: 'view welcome' }, element('p', { role: 'status' }, say('invitations.opening')));
  page.invitation.view().then(
    ({ from }) => fill(root, question(page, from.name)),
    (error) => fill(root, refusal(page, error)),
  );
  return { root, sheet: 'full' };
}

/**
 * @param {Page} page
 * @param {string} from
 */
function question(page, from) {
  const { account } = page;
  const explanation = account.user
    ? say('invitations.forMember', { name: from })
    : say('invitations.forStranger', { name: from });
  return element('div', { class: 'stack' }, mark(),
    element('h1', { tabIndex: -1 }, say('invitations.invitesYou', { name: from })), element('p', { class: 'lead' }, explanation),
    account.user ? acceptance(page) : newAccount(page));
}

/** @param {Page} page */
function acceptance(page) {
  const accept = button(say('invitations.acceptAs', { name: page.account.user?.name ?? '' }), () => accepted(page, accept), { class: 'primary' });
  return element('div', { class: 'actions' }, accept, button(say('invitations.notNow'), () => page.invitation.forget(), { class: 'quiet' }));
}

/** @param {Page} page */
function newAccount(page) {
  const name = field(say('invitations.yourName'), { required: true, maxLength: 100, autocomplete: 'name', placeholder: say('invitations.nameExample') });
  const submit = element('button', { class: 'primary' }, say('invitations.accept'));
  const form = element('form', { class: 'stack' }, name.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    accepted(page, submit, name.input.value.trim());
  });
  const signIn = button(say('invitations.signInFirst'), () => toSignIn(page, form), { class: 'quiet' });
  return element('div', { class: 'stack' }, form, signIn, button(say('invitations.notNow'), () => page.invitation.forget(), { class: 'quiet' }));
}

/**
 * @param {Page} page
 * @param {HTMLElement} form
 */
function toSignIn(page, form) {
  const login = field(say('signIn.login'), { required: true, autocomplete: 'username', autocapitalize: 'none' });
  const password = field(say('signIn.password'), { type: 'password', required: true, autocomplete: 'current-password' });
  const submit = element('button', { class: 'primary' }, say('signIn.signIn'));
  const other = element('form', { class: 'stack' }, login.root, password.root, submit,
    element('p', { class: 'hint' }, say('invitations.orLink')));
  other.addEventListener('submit', (event) => {
    event.preventDefault();
    whileBusy(submit, () => page.account.signInWithPassword(login.input.value.trim(), password.input.value))
      .catch((error) => page.toasts.fail(error));
  });
  form.replaceWith(other);
  login.input.focus();
}

/**
 * @param {Page} page
 * @param {HTMLElement} control
 * @param {string} [name]
 */
async function accepted(page, control, name) {
  await whileBusy(control, async () => {
    try {
      const { user, contact } = await page.invitation.accept(name);
      page.invitation.forget();
      page.router.replace('contacts');
      if (user) page.account.welcome(user);
      else await page.contacts.load();
      page.toasts.say(say('contacts.became', { name: contact.name }));
    } catch (error) {
      page.toasts.fail(error);
    }
  });
}

/**
 * @param {Page} page
 * @param {any} error
 */
function refusal(page, error) {
  const again = button(say('invitations.goOn'), () => page.invitation.forget(), { class: 'primary' });
  return element('div', {}, element('h1', { class: 'hidden' }, say('invitations.heading')),
    emptyState('contacts', say('invitations.refused'), say('invitations.refusedHint', { reason: error.message }), again));
}
