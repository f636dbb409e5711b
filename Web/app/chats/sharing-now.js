// @ts-check
import { untilTime } from '../people/times.js';
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */

/** How many of those who share are named. */
const NAMED_AT_MOST = 2;

/**
 * Makes the line about sharing in a chat's row. `text` names or counts the people that share in the chat, and is empty if nobody does.
 * `isOwn` is true if the signed-in person shares there. With `isHeld`, `text` says that this person's share is paused, or that this
 * person's *Stop* waits for a connection.
 * @param {Page} page
 * @param {Chat} chat
 * @returns {{ isOwn: boolean, isHeld?: boolean, text: string }}
 */
export function sharingNow(page, chat) {
  const own = page.account.user?.id;
  const shares = page.chats.followedLive(chat.id)?.shares.running ?? [];
  const text = ownText(page, chat.id);
  const isOwn = text === '' && (page.sharer.isSharedIn(chat.id) || shares.some(({ user }) => user === own));
  const users = new Set(shares.flatMap(({ user }) => (user === own ? [] : [user])));
  const names = chat.participants.flatMap(({ user, name, present }) => (present && users.has(user) ? [isolated(name.split(/\s+/u)[0])] : []));
  if (text !== '') return { isOwn, isHeld: true, text };
  if (names.length === 0) return { isOwn, text: isOwn ? say('chats.youShare') : '' };
  if (isOwn) return { isOwn, text: say('chats.youAndOthersShare', { count: names.length }) };
  if (chat.oneToOne) {
    const until = shares.find(({ user }) => users.has(user))?.until;
    return { isOwn, text: until ? say('chats.sharesUntil', { time: untilTime(until, page.stream.now()) }) : say('chats.sharesNow') };
  }
  if (names.length > NAMED_AT_MOST) return { isOwn, text: say('chats.othersShare', { count: names.length }) };
  return { isOwn, text: say('chats.shareNow', { count: names.length, names: names.join(', ') }) };
}

/**
 * What a share of the reader's own waits for: to be gone on with, or for the server to hear that it is over.
 * @param {Page} page
 * @param {string} chat
 */
function ownText(page, chat) {
  if (page.shareRecords.isStopping(chat)) return page.stream.state === 'open' ? '' : say('sharing.stoppingLater');
  return page.sharer.isPausedIn(chat) && page.ownShares.in(chat) ? say('chats.youPaused') : '';
}
