// @ts-check
/** @typedef {import('../freshness/watcher.js').Seen} Seen */
/** @typedef {{ chat: import('../wire.d.ts').Chat, live: Pick<import('./live-chat.js').LiveChat, 'isCurrent' | 'person'> }} Followed */

/**
 * How people stand in the chats that this page follows. A person of whom a chat isn't answered on the present connection is left out: they may be
 * live there.
 * @param {Followed[]} followed
 * @param {number} now by the server's clock, in milliseconds since 1970
 * @returns {Seen[]}
 */
export function peopleSeen(followed, now) {
  const unclear = new Set(followed.filter(({ live }) => !live.isCurrent).flatMap(({ chat }) => chat.participants.map(({ user }) => user)));
  return followed.flatMap(({ chat, live }) => chat.participants.flatMap(({ user, name }) => {
    const person = unclear.has(user) ? undefined : live.person(user, now);
    return person ? [{ user, name, person, chat: chat.id }] : [];
  }));
}
