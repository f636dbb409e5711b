// @ts-check
import { chosen, confirmed, freshID } from '../page/controls.js';
import { element } from '../page/dom.js';
import { rest } from '../rest/rest.js';
import { stopShare } from '../sharing/share-actions.js';
import { say } from '../words/words.js';
import { isShared, ownedGroups, sharedGroupsDialog } from './shared-groups.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Asks, then does; what goes wrong is said.
 * @param {Page} page
 * @param {{ title: string, hint: string, action: string }} question
 * @param {() => Promise<unknown>} act
 * @returns {Promise<boolean>} whether it was done
 */
async function asked(page, { title, hint, action }, act) {
  if (!await confirmed(title, hint, action)) return false;
  try {
    await act();
    return true;
  } catch (error) {
    page.toasts.fail(error);
    return false;
  }
}

/**
 * Takes a person out of the contacts.
 * @param {Page} page
 * @param {{ id: string, name: string }} person
 */
export async function removeContact(page, { id, name }) {
  const question = { title: say('contacts.removeTitle', { name }), hint: say('contacts.removeHint'), action: say('contacts.remove') };
  const isDone = await asked(page, question, () => rest('DELETE', `/contacts/${id}`));
  if (isDone) page.contacts.gone(id);
}

/**
 * Blocks a person: neither can reach the other any more, and in common groups nothing is filtered. Where the person owns some
 * of these, the reader may leave them for good at once.
 * @param {Page} page
 * @param {{ id: string, name: string }} person
 */
export async function blockPerson(page, { id, name }) {
  const owned = ownedGroups(page, id);
  const leaving = element('input', { type: 'checkbox', id: freshID() });
  const option = element('p', { class: 'check' }, leaving, element('label', { for: leaving.id }, say('contacts.leaveOwned', { name })));
  const answer = await chosen(say('contacts.blockTitle', { name }), say('contacts.blockHint', { name }), { block: say('contacts.block') }, owned.length > 0 ? option : undefined);
  if (!answer) return false;
  try {
    await (leaving.checked ? blockAndLeave(page, id, owned) : rest('PUT', `/blocks/${id}`));
  } catch (error) {
    page.toasts.fail(error);
    return false;
  }
  page.contacts.gone(id);
  page.contacts.loadBlocked();
  if (!sharedGroupsDialog(page, { id, name }, leaving.checked ? owned : [])) page.toasts.say(say('contacts.blocked', { name }));
  return true;
}

/**
 * Blocks a person and leaves the groups that the person owns, for good; the server leaves some hundred in one request.
 * @param {Page} page
 * @param {string} user
 * @param {string[]} owned those of these groups that the page knows
 */
async function blockAndLeave(page, user, owned) {
  await Promise.all(owned.filter((chat) => isShared(page, chat)).map((chat) => stopShare(page, chat)));
  for (let more = true; more;) ({ more } = await rest('PUT', `/blocks/${user}`, { leave: true, stayOut: true }));
  page.contacts.loadLeftGroups();
  if (owned.includes(page.router.path[1])) page.router.replace('chats');
}

/**
 * Takes a person out of a chat.
 * @param {Page} page
 * @param {string} chat
 * @param {{ id: string, name: string }} person
 */
export function removeFromChat(page, chat, { id, name }) {
  const question = { title: say('chats.removeTitle', { name }), hint: say('chats.removeHint'), action: say('chats.remove') };
  return asked(page, question, () => page.chats.remove(chat, id));
}

/**
 * Makes another person the chat's owner.
 * @param {Page} page
 * @param {string} chat
 * @param {{ id: string, name: string }} person
 */
export function handOver(page, chat, { id, name }) {
  const question = { title: say('chats.ownerTitle', { name }), hint: say('chats.ownerHint', { name }), action: say('chats.makeOwner') };
  return asked(page, question, () => page.chats.handOver(chat, id));
}
