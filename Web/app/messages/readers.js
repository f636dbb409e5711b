// @ts-check
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Participant} Participant */

/**
 * Who else in a chat has read as far as a message. Nobody where the server doesn't say it.
 * @param {Chat} chat
 * @param {number} number the message's
 * @param {string | undefined} own
 * @returns {Participant[]}
 */
export function readersOf(chat, number, own) {
  const reads = chat.reads ?? {};
  return chat.participants.filter(({ user, present }) => present && user !== own && (reads[user] ?? 0) >= number);
}

/**
 * Which number is sent as read; nothing where it is read already, or the server keeps no read positions.
 * @param {number | undefined} read the read position
 * @param {number} inSight the number of the newest line in sight, of whatever tag; 0 for none
 * @returns {number | undefined}
 */
export function readUpTo(read, inSight) {
  return read === undefined || inSight <= read ? undefined : inSight;
}

/**
 * How many written messages the reader hasn't read; 0 where the server doesn't count. One's own newest isn't unread, also
 * if it was written elsewhere.
 * @param {Chat} chat
 * @param {string | undefined} own
 */
export function unreadIn({ written, readWritten, preview }, own) {
  if (written === undefined || readWritten === undefined) return 0;
  return Math.max(0, written - readWritten - (own !== undefined && preview?.sender === own ? 1 : 0));
}
