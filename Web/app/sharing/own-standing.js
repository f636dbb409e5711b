// @ts-check
import { WORLD } from './sharing.js';
import { pausedChats } from './who-sees.js';

/** @typedef {import('../wire.d.ts').Share} Share */

/**
 * How the reader stands in a chat or in the world. `off`: nothing of theirs is shared there. `finding`: this browser shares, and has no position
 * yet. `seen`: others receive this browser's positions. `unsent`: there is no connection; a chat's positions are kept and sent later, and others
 * see the last one. `unshown`: without a connection the world shows nobody. `paused`: the share runs, and this browser sends nothing.
 * `elsewhere`: another device shares. `stopping`: the server hasn't the reader's *Stop* yet.
 *
 * @typedef {'off' | 'finding' | 'seen' | 'unsent' | 'unshown' | 'paused' | 'elsewhere' | 'stopping'} OwnStanding
 */

/**
 * Says how the reader stands in one place. Pill, bar, list, dot and spoken words come from it.
 * @param {object} known
 * @param {string} known.place a chat's id, or the world
 * @param {boolean} known.isHere whether a tab of this browser reports there
 * @param {boolean} known.hasFix whether this browser has found a position since
 * @param {boolean} known.isPaused whether the reader wants to be seen there from this browser, and no tab of it reports
 * @param {boolean} known.isStopping whether a stop waits to be sent
 * @param {Share | undefined} known.share the reader's newest that runs there, from whatever device
 * @param {boolean} known.isConnected
 * @returns {OwnStanding}
 */
export function ownStandingOf({ place, isHere, hasFix, isPaused, isStopping, share, isConnected }) {
  if (isHere && !isConnected) return place === WORLD ? 'unshown' : 'unsent';
  if (isHere) return hasFix ? 'seen' : 'finding';
  if (isPaused) return 'paused';
  if (share) return 'elsewhere';
  return isStopping ? 'stopping' : 'off';
}

/**
 * Whether others see this device's position, or its last one without a connection: what red dots stand for.
 * @param {OwnStanding} standing
 */
export function isBeingSeen(standing) {
  return standing === 'seen' || standing === 'unsent';
}

/**
 * The same, or as soon as a position is found: what red lines and bars stand for.
 * @param {OwnStanding} standing
 */
export function isAboutToBeSeen(standing) {
  return isBeingSeen(standing) || standing === 'finding';
}

/**
 * How the reader stands in a place at this moment.
 * @param {Pick<import('../page/page.js').Page, 'sharer' | 'ownShares' | 'shareRecords' | 'stream'>} page
 * @param {string} place
 * @returns {OwnStanding}
 */
export function ownStanding({ sharer, ownShares, shareRecords, stream }, place) {
  return ownStandingOf({
    place, share: ownShares.in(place), isHere: sharer.isSharedIn(place), hasFix: sharer.tabs.isHeldElsewhere || sharer.sharing.lastFix !== undefined,
    isPaused: pausedChats({ ownShares, sharer, shareRecords }).includes(place), isStopping: place !== WORLD && shareRecords.isStopping(place), isConnected: stream.state === 'open',
  });
}

/**
 * Whether a share was begun, or is being stopped, by this browser: its position is this device's.
 * @param {Pick<import('../page/page.js').Page, 'ownShares' | 'shareRecords'>} page
 * @param {Pick<Share, 'share' | 'chat'>} share
 */
export function isOfThisBrowser({ ownShares, shareRecords }, share) {
  return shareRecords.get(share.chat)?.share === share.share || ownShares.stopped(share.chat).some(({ share: id }) => id === share.share);
}
