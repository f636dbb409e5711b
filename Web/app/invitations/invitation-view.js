// @ts-check
import { button, emptyState, field, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { mark } from '../page/icons.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Somebody was invited: who by, and yes or no.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function invitationView(page) {
  const root = element('div', { class: 'view welcome' }, element('p', { role: 'status' }, 'Opening the invitation…'));
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
    ? `Accept, and you and ${from} are contacts: each may start a chat with the other. Nobody sees where you are until you share it.`
    : `They use Yonder to share where they are with people they know. Say what you are called, and you are in. Nobody sees where you are until you share it.`;
  return element('div', { class: 'stack' }, mark(),
    element('h1', { tabIndex: -1 }, `${from} invites you`), element('p', { class: 'lead' }, explanation),
    account.user ? acceptance(page) : newAccount(page));
}

/** @param {Page} page */
function acceptance(page) {
  const accept = button(`Accept as ${page.account.user?.name}`, () => accepted(page, accept), { class: 'primary' });
  return element('div', { class: 'actions' }, accept, button('Not now', () => page.invitation.forget(), { class: 'quiet' }));
}

/** @param {Page} page */
function newAccount(page) {
  const name = field('Your name', { required: true, maxLength: 100, autocomplete: 'name', placeholder: 'As your friends know you' });
  const submit = element('button', { class: 'primary' }, 'Accept the invitation');
  const form = element('form', { class: 'stack' }, name.root, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    accepted(page, submit, name.input.value.trim());
  });
  const signIn = button('I have an account: sign in first', () => toSignIn(page, form), { class: 'quiet' });
  return element('div', { class: 'stack' }, form, signIn, button('Not now', () => page.invitation.forget(), { class: 'quiet' }));
}

/**
 * @param {Page} page
 * @param {HTMLElement} form
 */
function toSignIn(page, form) {
  const login = field('Login', { required: true, autocomplete: 'username', autocapitalize: 'none' });
  const password = field('Password', { type: 'password', required: true, autocomplete: 'current-password' });
  const submit = element('button', { class: 'primary' }, 'Sign in');
  const other = element('form', { class: 'stack' }, login.root, password.root, submit,
    element('p', { class: 'hint' }, 'Or open your sign-in link in this browser first, then this invitation again.'));
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
      page.toasts.say(`You and ${contact.name} are contacts now.`);
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
  const again = button('Go on', () => page.invitation.forget(), { class: 'primary' });
  return element('div', {}, element('h1', { class: 'hidden' }, 'Invitation'),
    emptyState('contacts', 'This invitation can’t be opened', `${error.message} Ask for a new link: each is good once.`, again));
}
