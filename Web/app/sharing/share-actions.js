// @ts-check
import { say } from '../words/words.js';
import { fixFrom, heartbeatFix } from './fix.js';
import { endOf } from './share-choice.js';
import { WORLD } from './sharing.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./share-choice.js').Choice} Choice */

const HOUR = 3_600_000;

/**
 * Starts sharing in a chat as chosen: with the server first, which keeps the end, then with this device.
 * @param {Page} page
 * @param {string} chat
 * @param {Choice} choice
 */
export async function startShare(page, chat, choice) {
  const { ownShares, sharer } = page;
  if (!await sharer.isAllowed()) return;
  try {
    const wish = { until: endOf(choice, page.stream.now()), arrival: choice.arrival, keep: choice.keep };
    const share = ownShares.isKnown ? await ownShares.start(chat, wish) : undefined;
    await sharer.start(chat, share?.share);
    page.announceShare(chat, true);
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * Stops sharing in a place, in every tab, and ends the reader's shares there on the server.
 * @param {Page} page
 * @param {string} place a chat's id, or the world
 */
export async function stopShare(page, place) {
  const wasOn = page.sharer.isSharedIn(place);
  page.sharer.stop(place);
  if (wasOn) page.announceShare(place, false);
  if (place === WORLD) return;
  try {
    await Promise.all(page.ownShares.running.filter(({ chat }) => chat === place).map((share) => page.ownShares.stop(share)));
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * Stops everything that this browser shares.
 * @param {Page} page
 */
export async function stopHere(page) {
  const { places } = page.sharer;
  page.sharer.stopAll();
  await Promise.all(places.map((place) => stopShare(page, place)));
}

/**
 * Ends every share of the reader, from whatever device.
 * @param {Page} page
 */
export async function stopEverywhere(page) {
  page.sharer.stopAll();
  try {
    if (page.ownShares.isKnown) await page.ownShares.stopEverywhere();
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * Somebody asks where the reader is: one tap sends one position, as a message; anything else answers nothing.
 * @param {Page} page
 * @param {string} chat
 * @param {string} asker
 */
export function offerPosition(page, chat, asker) {
  const name = page.chats.chat(chat)?.participants.find(({ user }) => user === asker)?.name;
  if (name === undefined || !page.sharer.isPossible) return;
  page.toasts.offer(say('sharing.asks', { name }), say('sharing.sendOnce'), () => {
    navigator.geolocation.getCurrentPosition((position) => {
      const { latitude, longitude, time, accuracy } = heartbeatFix(fixFrom(position));
      page.sender.send(chat, 'Place', { data: { latitude, longitude, timestamp: time, ...(accuracy === undefined ? {} : { horizontalAccuracy: accuracy }) } });
    }, () => page.toasts.say(say('sharing.denied')), { enableHighAccuracy: true, maximumAge: 10_000, timeout: 30_000 });
  });
}

/**
 * An hour more.
 * @param {Page} page
 * @param {import('../wire.d.ts').Share} share
 */
export async function extendShare(page, share) {
  try {
    await page.ownShares.extend(share, Math.max(share.until ?? 0, page.stream.now()) + HOUR);
  } catch (error) {
    page.toasts.fail(error);
  }
}
