// @ts-check
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
 * What a chat is called: its subject, or who is in it.
 * @param {Chat} chat
 * @param {string | undefined} own
 */
export function chatName(chat, own) {
  if (chat.subject && !chat.oneToOne) return chat.subject;
  const names = others(chat, own).map(({ name }) => name);
  if (names.length === 0) return chat.subject || 'Only you';
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/**
 * The line below its name.
 * @param {Chat} chat
 */
export function chatSummary(chat) {
  const present = chat.participants.filter(({ present }) => present).length;
  if (chat.oneToOne) return present === 2 ? 'Just the two of you' : 'They left; start it again from Contacts';
  return present === 1 ? 'Only you' : `${present} people`;
}
