// @ts-check
import { button, field, freshID } from '../page/controls.js';
import { qrPicture } from '../invitations/qr-picture.js';
import { element } from '../page/dom.js';
import { absoluteTime } from '../people/times.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Shows a new invitation as a picture to scan and a link to copy or hand to another app.
 * @param {Page} page
 * @param {{ url: string, expires: number }} invitation
 */
export function invitationDialog(page, { url, expires }) {
  const id = freshID();
  const link = field(say('invitations.link'), { readOnly: true, value: url, class: 'link' });
  link.input.addEventListener('focus', () => link.input.select());
  /** @type {HTMLDialogElement} */
  const dialog = element('dialog', { 'aria-labelledby': id },
    element('h2', { id }, say('invitations.title')),
    element('p', {}, say('invitations.sendTo', { time: absoluteTime(expires, page.stream.now()) })),
    qrPicture(url, say('invitations.picture')),
    link.root,
    element('div', { class: 'actions' },
      button(say('chats.close'), () => dialog.close(), { class: 'quiet' }),
      'share' in navigator && button(say('invitations.share'), () => shared(page, url), { icon: 'share' }),
      button(say('invitations.copy'), () => copied(page, link.input), { icon: 'copy', class: 'primary' })));
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
    page.toasts.say(say('invitations.copied'));
  } catch {
    page.toasts.say(say('invitations.selected'));
  }
}

/**
 * @param {Page} page
 * @param {string} url
 */
async function shared(page, url) {
  try {
    await navigator.share({ title: 'Yonder', text: say('invitations.shareText', { name: page.account.user?.name ?? '' }), url });
  } catch {
    // They thought better of it.
  }
}
