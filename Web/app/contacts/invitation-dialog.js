// @ts-check
import { button, field, freshID } from '../page/controls.js';
import { element } from '../page/dom.js';
import { absoluteTime } from '../people/times.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Shows a new invitation's link, to be copied or handed to another app.
 * @param {Page} page
 * @param {{ url: string, expires: number }} invitation
 */
export function invitationDialog(page, { url, expires }) {
  const id = freshID();
  const link = field('Invitation link', { readOnly: true, value: url, class: 'link' });
  link.input.addEventListener('focus', () => link.input.select());
  /** @type {HTMLDialogElement} */
  const dialog = element('dialog', { 'aria-labelledby': id },
    element('h2', { id }, 'Invite somebody'),
    element('p', {}, 'Send this link to one person. It is good once, and works until ', absoluteTime(expires, page.stream.now()), '.'),
    link.root,
    element('div', { class: 'actions' },
      button('Close', () => dialog.close(), { class: 'quiet' }),
      'share' in navigator && button('Share…', () => shared(page, url), { icon: 'share' }),
      button('Copy the link', () => copied(page, link.input), { icon: 'copy', class: 'primary' })));
  dialog.addEventListener('close', () => {
    dialog.remove();
    page.contacts.refresh();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Page} page
 * @param {HTMLInputElement} input
 */
async function copied(page, input) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    page.toasts.say('Copied. Send it to the person you invite.');
  } catch {
    page.toasts.say('The link is selected: copy it with your keyboard or by touch.');
  }
}

/**
 * @param {Page} page
 * @param {string} url
 */
async function shared(page, url) {
  try {
    await navigator.share({ title: 'Yonder', text: `${page.account.user?.name} invites you to Yonder`, url });
  } catch {
    // They thought better of it.
  }
}
