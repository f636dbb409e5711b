// @ts-check
import { areNear, hueOf } from './color.js';

/** @typedef {import('../wire.d.ts').User} User */
/** @typedef {import('../wire.d.ts').Chat} Chat */

/**
 * The hue in which others see the reader. The server gives one with the first contact, and tells the chats before the account is asked for again.
 * @param {User | undefined} user
 * @param {Iterable<Chat>} chats
 * @returns {number | undefined} `undefined` while the reader has none
 */
export function ownHue(user, chats) {
  for (const { participants } of chats) {
    const own = participants.find((participant) => participant.user === user?.id);
    if (own?.hue !== undefined) return hueOf(own, own.user);
  }
  return user?.hue === undefined ? undefined : hueOf(user, user.id);
}

/**
 * The names of those whose color is hard to tell from a hue.
 * @param {number} hue
 * @param {User | undefined} user the reader
 * @param {{ contacts: Iterable<User>, chats: Iterable<Chat> }} known
 * @returns {string[]}
 */
export function namesNear(hue, user, { contacts, chats }) {
  const people = new Map([...contacts].map(({ id, name, hue: theirs }) => [id, { name, hue: theirs }]));
  for (const { participants } of chats) for (const { user: id, name, hue: theirs } of participants) people.set(id, { name, hue: theirs });
  return [...people].flatMap(([id, { name, hue: theirs }]) => (id !== user?.id && areNear(hue, hueOf({ hue: theirs }, id)) ? [name] : []));
}
