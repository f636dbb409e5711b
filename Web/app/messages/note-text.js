// @ts-check
import { keepingText } from '../chats/position-keeping.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Message} Message */

/**
 * @typedef {object} Naming
 * @property {string | undefined} own the reader's id
 * @property {(user: string) => string} nameOf
 * @property {(time: number) => string} timeOf an end, as a time of day or with its date
 * @property {(share: string | undefined) => boolean} [endsByArrival] whether a share is known to end where the person arrives
 */

/** The tags that have a line of their own in a chat besides what people write. */
export const NOTE_TAGS = ['Join', 'Leave', 'Subject', 'Share', 'Remove', 'Owner'];

/**
 * What a message of the server's own tags says in a chat; `undefined` for one that has no line there, as a `Recall` has none.
 * @param {Message} message
 * @param {Naming} naming
 * @returns {string | undefined}
 */
export function noteText(message, naming) {
  const isOwn = message.sender === naming.own;
  const name = naming.nameOf(message.sender);
  switch (message.tag) {
    case 'Join': return joined(message, naming);
    case 'Leave': return isOwn ? say('messages.youLeft') : say('messages.left', { name });
    case 'Subject': return message.data ? decided(message.data, isOwn, name) : renamed(message.content, isOwn, name);
    case 'Share': return isOwn ? ownShare(message.data, naming) : othersShare(message.data, name, naming);
    case 'Remove': return removed(message, naming);
    case 'Owner': return owned(message.data?.user, naming);
    default: return undefined;
  }
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function joined({ sender, data }, { own, nameOf }) {
  const users = /** @type {string[]} */ (data?.users ?? [sender]);
  if (users.length === 1 && users[0] === own) return say('messages.youJoined');
  return say('messages.joined', { count: users.length, names: new Intl.ListFormat(locale).format(users.map((user) => isolated(nameOf(user)))) });
}

/**
 * @param {string} subject
 * @param {boolean} isOwn
 * @param {string} name
 */
function renamed(subject, isOwn, name) {
  if (isOwn) return subject ? say('messages.youNamed', { subject }) : say('messages.youUnnamed');
  return subject ? say('messages.named', { name, subject }) : say('messages.unnamed', { name });
}

/**
 * @param {any} data
 * @param {boolean} isOwn
 * @param {string} name
 */
function decided({ subjectLocked, positions }, isOwn, name) {
  if (positions) return keeping(positions, isOwn, name);
  if (isOwn) return say(subjectLocked ? 'messages.youLockedName' : 'messages.youUnlockedName');
  return say(subjectLocked ? 'messages.lockedName' : 'messages.unlockedName', { name });
}

/**
 * @param {string} positions
 * @param {boolean} isOwn
 * @param {string} name
 */
function keeping(positions, isOwn, name) {
  const time = keepingText(positions);
  if (!time) return undefined;
  return isOwn ? say('messages.youKeepPositions', { time }) : say('messages.keepsPositions', { name, time });
}

/**
 * @param {any} data
 * @param {Naming} naming
 */
function ownShare(data, { timeOf, endsByArrival }) {
  const time = typeof data?.until === 'number' ? timeOf(data.until) : undefined;
  switch (data?.state) {
    case 'started': return time ? say('messages.youShare', { time }) : say(endsByArrival?.(data.share) ? 'messages.youShareToArrival' : 'messages.youShareOpen');
    case 'changed': return time ? say('messages.youNowShare', { time }) : say('messages.youNowShareOpen');
    case 'stopped': return say('messages.youStopped');
    case 'expired': return data.arrived ? say('messages.youArrived') : say('messages.yourShareEnded');
    default: return undefined;
  }
}

/**
 * @param {any} data
 * @param {string} name
 * @param {Naming} naming
 */
function othersShare(data, name, { timeOf, endsByArrival }) {
  const time = typeof data?.until === 'number' ? timeOf(data.until) : undefined;
  switch (data?.state) {
    case 'started': return time ? say('messages.shares', { name, time }) : say(endsByArrival?.(data.share) ? 'messages.sharesToArrival' : 'messages.sharesOpen', { name });
    case 'changed': return time ? say('messages.nowShares', { name, time }) : say('messages.nowSharesOpen', { name });
    case 'stopped': return say('messages.stopped', { name });
    case 'expired': return data.arrived ? say('messages.arrived', { name }) : say('messages.shareEnded', { name });
    default: return undefined;
  }
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function removed({ sender, data }, { own, nameOf }) {
  const other = typeof data?.user === 'string' ? nameOf(data.user) : say('messages.somebody');
  if (sender === own) return say('messages.youRemoved', { other });
  return data?.user === own ? say('messages.removedYou', { name: nameOf(sender) }) : say('messages.removed', { name: nameOf(sender), other });
}

/**
 * @param {string | undefined} user
 * @param {Naming} naming
 */
function owned(user, { own, nameOf }) {
  if (user === undefined) return undefined;
  return user === own ? say('messages.youOwn') : say('messages.owns', { name: nameOf(user) });
}
