// @ts-check
import { leaveChat } from '../chats/change-dialogs.js';
import { button, freshID } from '../page/controls.js';
import { element, keyed } from '../page/dom.js';
import { Scope } from '../page/scope.js';
import { stopShare } from '../sharing/share-actions.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * The groups that the reader shares with a person, by name.
 * @param {Page} page
 * @param {string} user
 */
export function sharedGroups(page, user) {
  return page.chats.all.filter(({ oneToOne, participants }) => !oneToOne && participants.some((each) => each.user === user && each.present));
}

/**
 * The groups of the reader that a person owns.
 * @param {Page} page
 * @param {string} user
 * @returns {string[]} their ids
 */
export function ownedGroups(page, user) {
  const isOwner = (/** @type {import('../wire.d.ts').Participant} */ each) => each.user === user && each.present && each.role === 'owner';
  return sharedGroups(page, user).flatMap(({ id, participants }) => (participants.some(isOwner) ? [id] : []));
}

/**
 * Says which groups a blocked person still shares with the reader, and how to stop sharing there or leave.
 * @param {Page} page
 * @param {{ id: string, name: string }} person
 * @param {string[]} left the ids of groups that the reader left just now, which the page may not have heard of
 * @returns {boolean} whether there is such a group; nothing is shown if not
 */
export function sharedGroupsDialog(page, { id: user, name }, left) {
  const shared = () => sharedGroups(page, user).filter(({ id }) => !left.includes(id));
  if (shared().length === 0) return false;
  const heading = freshID();
  const list = element('ul', { class: 'rows members', 'aria-label': say('contacts.groups') });
  const dialog = element('dialog', { 'aria-labelledby': heading },
    element('h2', { id: heading }, say('contacts.groupsTitle', { name })), element('p', {}, say('contacts.groupsHint', { name })), list,
    element('form', { method: 'dialog', class: 'actions' }, element('button', { class: 'primary' }, say('contacts.groupsDone'))));
  const update = () => {
    const groups = shared();
    if (groups.length === 0) return dialog.close();
    return keyed(list, groups, ({ id }) => `${id}/${page.nameOf(id)}/${isShared(page, id)}`, ({ id }) => groupRow(page, id));
  };
  const scope = new Scope();
  for (const each of [page.chats, page.sharer, page.ownShares]) each.observe(update, scope);
  dialog.addEventListener('close', () => {
    scope.end();
    dialog.remove();
  });
  update();
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

/**
 * Whether the reader shares in a chat, with this browser or another device.
 * @param {Page} page
 * @param {string} chat
 */
export function isShared(page, chat) {
  return page.sharer.isSharedIn(chat) || page.ownShares.running.some((share) => share.chat === chat);
}

/**
 * @param {Page} page
 * @param {string} chat
 */
function groupRow(page, chat) {
  const name = page.nameOf(chat);
  const stop = button(say('contacts.stopSharing'), () => stopShare(page, chat), { class: 'small' });
  stop.setAttribute('aria-label', say('seen.stopIn', { chat: name }));
  stop.hidden = !isShared(page, chat);
  const leave = button(say('chats.leave'), () => leaveChat(page, chat), { class: 'small quiet' });
  leave.setAttribute('aria-label', say('contacts.leaveGroup', { chat: name }));
  return element('li', { class: 'row' },
    element('div', { class: 'row-text' }, element('strong', { dir: 'auto' }, name), element('div', { class: 'actions wrap' }, stop, leave)));
}
