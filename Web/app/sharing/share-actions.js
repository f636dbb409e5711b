// @ts-check
import { sendLater } from '../shell/shell.js';
import { say } from '../words/words.js';
import { fixFrom, heartbeatFix } from './fix.js';
import { ownStanding } from './own-standing.js';
import { endOf, lastChoice } from './share-choice.js';
import { EVERYWHERE } from './share-record.js';
import { WORLD } from './sharing.js';
import { announceStart, announceStop } from './spoken.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./share-choice.js').Choice} Choice */

const HOUR = 3_600_000;
/** A start that the server hasn't answered for so long isn't wanted any more, in milliseconds. */
const ANSWERED_WITHIN = 120_000;
/** How much later than the tap a share may have begun that was asked for before it: what a slow network takes, in milliseconds. */
const ON_ITS_WAY = 10_000;

/**
 * Starts sharing in a chat as chosen: with the server first, which keeps the end, then with this device. Until the server has said
 * what runs, nothing is started: the start waits. While a start in the chat is under way, another one does nothing.
 * @param {Page} page
 * @param {string} chat
 * @param {Choice} choice
 */
export async function startShare(page, chat, choice) {
  const { ownShares, sharer, starts } = page;
  if (starts.has(chat)) return;
  if (page.stream.state !== 'open' || ownShares.areKept === undefined) {
    page.awaitedStart.wait(chat, choice);
    return;
  }
  const start = starts.begin(chat);
  const { giveUp } = start;
  page.stops.forget(chat);
  const timer = setTimeout(() => giveUp.abort(new Error(say('sharing.notStarted'))), ANSWERED_WITHIN);
  try {
    // A browser's question may stay open for ever.
    if (!await unlessGivenUp(sharer.isAllowed(), giveUp.signal)) return;
    start.isSent = true;
    const wish = { until: endOf(choice, page.stream.now()), arrival: choice.arrival, keep: choice.keep };
    const share = ownShares.isKnown ? await ownShares.start(chat, wish, giveUp.signal) : undefined;
    if (giveUp.signal.aborted) return;
    sayIfUnkept(page, await sharer.start(chat, { share: share?.share, until: share?.until ?? undefined, begun: share?.started }));
    announceStart(page, chat);
  } catch (error) {
    if (!starts.isStopped(start)) page.toasts.fail(error);
  } finally {
    clearTimeout(timer);
    starts.end(chat, start);
  }
}

/**
 * Shows this device in the world, for as long as was chosen last, once the browser has allowed it; any *Stop* before that gives it up.
 * @param {Page} page
 * @param {() => boolean} isWanted whether it is still wanted then
 */
export async function shareInWorld(page, isWanted) {
  const { sharer, starts } = page;
  const start = starts.begin(WORLD);
  try {
    if (!await sharer.isAllowed() || starts.isStopped(start) || !isWanted()) return;
    await sharer.start(WORLD, { until: endOf(lastChoice(), page.stream.now()) });
    announceStart(page, WORLD);
  } finally {
    starts.end(WORLD, start);
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function unlessGivenUp(promise, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * Says that a share isn't kept, until it is.
 * @param {Page} page
 * @param {import('./share-records.js').Kept} kept
 */
function sayIfUnkept(page, { isKept, isKeptAtLast }) {
  if (isKept) return;
  const takeBack = page.toasts.say(say('sharing.untilReload'));
  isKeptAtLast.then((isKeptNow) => { if (isKeptNow) takeBack(); });
}

/**
 * Stops sharing in a place, in every tab, and ends the reader's shares there on the server. Nothing is waited for.
 * @param {Page} page
 * @param {string} place a chat's id, the world, or everywhere
 */
export function stopShare(page, place) {
  stopIn(page, [place]);
}

/**
 * Another tab has stopped: what this one waits for isn't wanted any more, and what it asked the server for ends as it begins.
 * @param {Page} page
 */
export function stopStarts(page) {
  stopIn(page, []);
}

/**
 * @param {Page} page
 * @param {string[]} places
 */
function stopIn(page, places) {
  page.awaitedStart.drop();
  const given = page.starts.drop();
  for (const place of new Set([...places, ...given])) {
    const standing = ownStanding(page, place);
    const isGiven = given.includes(place) || (place === EVERYWHERE && given.length > 0);
    page.sharer.stop(place, place === WORLD || page.ownShares.areKept === false ? undefined : timeOfTap(page, isGiven));
    announceStop(page, place, standing);
    if (place !== WORLD) sayIfLater(page, place);
  }
  page.stops.send();
}

/**
 * The time of a tap on *Stop*, by the server's clock. What began before it ends.
 * @param {Page} page
 * @param {boolean} isGiven whether a start is on its way, which ends, too
 */
function timeOfTap(page, isGiven) {
  return Math.ceil(Math.max(page.stream.now(), page.ownShares.newestStart, page.shareRecords.newestStart)) + (isGiven ? ON_ITS_WAY : 0);
}

/**
 * Without a connection, where nothing sends a stop until the page is opened again and nothing ends the share, the reader has to know.
 * @param {Page} page
 * @param {string} place
 */
function sayIfLater(page, place) {
  if (page.stream.state === 'open') return;
  sendLater();
  const isEndless = page.ownShares.stopped(place).some(({ until }) => until === null);
  if (isEndless && !('SyncManager' in globalThis)) page.toasts.say(say('sharing.stopNeedsPage'));
}

/**
 * Stops everything that this browser shares, and every start of this tab that the server hasn't answered.
 * @param {Page} page
 */
export function stopHere(page) {
  stopIn(page, page.shareRecords.wanted.map(({ place }) => place));
}

/**
 * Ends every share of the reader, from whatever device.
 * @param {Page} page
 */
export function stopEverywhere(page) {
  stopIn(page, [...page.shareRecords.wanted.map(({ place }) => place), EVERYWHERE]);
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
  const { sender } = page;
  page.toasts.offer(say('sharing.asks', { name }), say('sharing.sendOnce'), () => {
    navigator.geolocation.getCurrentPosition((position) => {
      const { latitude, longitude, time, accuracy } = heartbeatFix(fixFrom(position, { offset: page.stream.offset, maximumAge: 10_000 }));
      // The sender belongs to the user who was asked: another user may be signed in by now.
      sender.send(chat, 'Place', { data: { latitude, longitude, timestamp: time, ...(accuracy === undefined ? {} : { horizontalAccuracy: accuracy }) } });
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
    // The new end comes with the shares, into this tab's record too.
    await page.ownShares.extend(share, Math.max(share.until ?? 0, page.stream.now()) + HOUR);
  } catch (error) {
    page.toasts.fail(error);
  }
}
