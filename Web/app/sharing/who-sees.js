// @ts-check
import { WORLD } from './sharing.js';

/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {{ place: string, share: Share | undefined, isHere: boolean }} Running */

/** How many are named in a row. */
const NAMED_AT_MOST = 4;

/**
 * Everything through which the reader is seen: the world first, then each share, newest first. The world on other devices isn't known.
 * @param {Share[]} shares the reader's that run, newest first
 * @param {string[]} places where this browser shares
 * @returns {Running[]}
 */
export function runningOf(shares, places) {
  const world = places.includes(WORLD) ? [{ place: WORLD, share: undefined, isHere: true }] : [];
  const kept = shares.map((share) => ({ place: share.chat, share, isHere: places.includes(share.chat) }));
  const unkept = places.filter((place) => place !== WORLD && !shares.some(({ chat }) => chat === place));
  return [...world, ...kept, ...unkept.map((place) => ({ place, share: undefined, isHere: true }))];
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
