// @ts-check
/** @typedef {import('../freshness/watcher.js').Seen} Seen */
/** @typedef {{ chat: import('../wire.d.ts').Chat, live: Pick<import('./live-chat.js').LiveChat, 'isCurrent' | 'refusal' | 'person'> }} Followed */

/**
 * The state of each person in the chats that this page follows. A person is left out while the server hasn't answered for one of their chats on
 * this connection: they may be live in that chat. A chat that the server refuses has nobody.
 * @param {Followed[]} followed
 * @param {number} now by the server's clock, in milliseconds since 1970
 * @returns {Seen[]}
 */
export function peopleSeen(followed, now) {
  const unclear = new Set(followed.filter(({ live }) => !live.isCurrent && live.refusal === undefined).flatMap(({ chat }) => chat.participants.map(({ user }) => user)));
  return followed.flatMap(({ chat, live }) => chat.participants.flatMap(({ user, name }) => {
    const person = unclear.has(user) ? undefined : live.person(user, now);
    return person ? [{ user, name, person, chat: chat.id }] : [];
  }));
}
