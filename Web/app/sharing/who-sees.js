// @ts-check
import { WORLD } from './sharing.js';

/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/**
 * @typedef {object} Running
 * @property {string} place
 * @property {Share} [share]
 * @property {boolean} isHere whether this browser reports there, or did so last
 * @property {'paused' | 'stopping'} [state] nobody reports until the reader goes on; or the server hasn't their stop yet
 */

/**
 * The chats in which this browser's share runs on while no tab of it reports: it waits for the reader to go on, or to stop. Until the
 * server has listed the person's shares, this browser's records decide.
 * @param {Pick<import('../page/page.js').Page, 'ownShares' | 'sharer' | 'shareRecords'>} page
 */
export function pausedChats({ ownShares, sharer, shareRecords }) {
  const isRunning = (/** @type {string} */ place, /** @type {string | undefined} */ share) => ownShares.areKept === undefined || ownShares.in(place)?.share === share;
  return shareRecords.wanted.flatMap(({ place, share }) => (share !== undefined && sharer.isPausedIn(place) && isRunning(place, share) ? [place] : []));
}

/** How many are named in a row. */
const NAMED_AT_MOST = 4;

/**
 * Everything through which the reader is seen: the world first, then each share, newest first, and at last what is being stopped. The
 * world on other devices isn't known.
 * @param {Share[]} shares the reader's that run, newest first
 * @param {string[]} places where this browser shares
 * @param {{ paused?: string[], stopping?: Share[] }} [others] the chats in which it paused, and the shares whose stop the server hasn't
 * @returns {Running[]}
 */
export function runningOf(shares, places, { paused = [], stopping = [] } = {}) {
  /** @type {Running[]} */
  const world = places.includes(WORLD) ? [{ place: WORLD, isHere: true }] : [];
  const kept = shares.map((/** @type {Share} */ share) => {
    const isPaused = paused.includes(share.chat);
    return { place: share.chat, share, isHere: isPaused || places.includes(share.chat), ...(isPaused ? { state: /** @type {const} */ ('paused') } : {}) };
  });
  const unkept = [...places.map((place) => ({ place, isHere: true })), ...paused.map((place) => ({ place, isHere: true, state: /** @type {const} */ ('paused') }))]
    .filter(({ place }) => place !== WORLD && !shares.some(({ chat }) => chat === place));
  const ending = stopping.map((share) => ({ place: share.chat, share, isHere: true, state: /** @type {const} */ ('stopping') }));
  return [...world, ...kept, ...unkept, ...ending];
}

/**
 * Everybody but the reader who is in a chat.
 * @param {Chat | undefined} chat
 * @param {string | undefined} own
 */
export function viewersOf(chat, own) {
  return (chat?.participants ?? []).filter(({ user, present }) => present && user !== own);
}

/**
 * Those who are named, and how many are left out. One alone isn't left out.
 * @param {{ name: string }[]} viewers
 */
export function namedOf(viewers) {
  const named = viewers.slice(0, viewers.length > NAMED_AT_MOST + 1 ? NAMED_AT_MOST : NAMED_AT_MOST + 1);
  return { names: named.map(({ name }) => name), more: viewers.length - named.length };
}
