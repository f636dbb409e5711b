// @ts-check
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */

/**
 * Who else is in a chat now.
 * @param {Chat} chat
 * @param {string | undefined} own
 */
export function others(chat, own) {
  const all = chat.participants.filter(({ user }) => user !== own);
  const present = all.filter(({ present }) => present);
  return present.length > 0 ? present : all;
}

/**
 * What a chat is called: its subject, or who is in it. Empty, not wrong, while names are unknown.
 * @param {Chat} chat
 * @param {string | undefined} own
 */
export function chatName(chat, own) {
  if (chat.subject && !chat.oneToOne) return chat.subject;
  const names = others(chat, own).map(({ name }) => name);
  if (names.some((name) => !name)) return '';
  if (names.length === 0) return chat.subject || say('chats.onlyYou');
  // The one name has an element of its own.
  if (names.length === 1) return names[0];
  const listed = names.map(isolated);
  return names.length > 3 ? say('chats.andMore', { names: listed.slice(0, 2).join(', '), more: names.length - 2 }) : listed.join(', ');
}

/**
 * The line below its name.
 * @param {Chat} chat
 */
export function chatSummary(chat) {
  const present = chat.participants.filter(({ present }) => present).length;
  if (chat.oneToOne) return present === 2 ? say('chats.twoOfYou') : say('chats.theyLeft');
  return present === 1 ? say('chats.onlyYou') : say('chats.people', { count: present });
}
