// @ts-check
import { confirmed } from '../page/controls.js';
import { rest } from '../rest/rest.js';
import { say } from '../words/words.js';
import { sharedGroupsDialog } from './shared-groups.js';

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
 * Blocks a person: neither can reach the other any more, and in common groups nothing is filtered.
 * @param {Page} page
 * @param {{ id: string, name: string }} person
 */
export async function blockPerson(page, { id, name }) {
  const question = { title: say('contacts.blockTitle', { name }), hint: say('contacts.blockHint', { name }), action: say('contacts.block') };
  const isDone = await asked(page, question, () => rest('PUT', `/blocks/${id}`));
  if (!isDone) return false;
  page.contacts.gone(id);
  page.contacts.loadBlocked();
  if (!sharedGroupsDialog(page, { id, name })) page.toasts.say(say('contacts.blocked', { name }));
  return true;
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
