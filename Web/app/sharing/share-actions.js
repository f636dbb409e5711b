// @ts-check
import { sendLater } from '../shell/shell.js';
import { say } from '../words/words.js';
import { fixFrom, heartbeatFix } from './fix.js';
import { ownStanding } from './own-standing.js';
import { endOf } from './share-choice.js';
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

/** Why a start was given up: somebody stopped meanwhile. */
const STOPPED = new Error('stopped');
/** The starts that the server hasn't answered, by chat; `isSent` once the server was asked. @type {Map<string, { giveUp: AbortController, isSent: boolean }>} */
const starting = new Map();

/**
 * Starts sharing in a chat as chosen: with the server first, which keeps the end, then with this device. Until the server has said
 * what runs, nothing is started: the start waits. While a start in the chat is under way, another one does nothing.
 * @param {Page} page
 * @param {string} chat
 * @param {Choice} choice
 */
export async function startShare(page, chat, choice) {
  const { ownShares, sharer } = page;
  if (starting.has(chat)) return;
  if (page.stream.state !== 'open' || ownShares.areKept === undefined) {
    page.awaitedStart.wait(chat, choice);
    return;
  }
  const giveUp = new AbortController();
  const start = { giveUp, isSent: false };
  starting.set(chat, start);
  page.stops.forget(chat);
  const timer = setTimeout(() => giveUp.abort(new Error(say('sharing.notStarted'))), ANSWERED_WITHIN);
  try {
    if (!await sharer.isAllowed() || giveUp.signal.aborted) return;
    start.isSent = true;
    const wish = { until: endOf(choice, page.stream.now()), arrival: choice.arrival, keep: choice.keep };
    const share = ownShares.isKnown ? await ownShares.start(chat, wish, giveUp.signal) : undefined;
    if (giveUp.signal.aborted) return;
    sayIfUnkept(page, await sharer.start(chat, { share: share?.share, until: share?.until ?? undefined, begun: share?.started }));
    announceStart(page, chat);
  } catch (error) {
    if (giveUp.signal.reason !== STOPPED) page.toasts.fail(error);
  } finally {
    clearTimeout(timer);
    if (starting.get(chat) === start) starting.delete(chat);
  }
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

/** As another person: the starts were the last one's. */
export function giveUpStarts() {
  for (const { giveUp } of starting.values()) giveUp.abort(STOPPED);
  starting.clear();
}

/**
 * Any *Stop* drops every start that waits.
 * @returns {string[]} the chats of those that the server was asked for, which a stop there has to end
 */
function dropStarts() {
  const sent = [...starting].flatMap(([chat, { isSent }]) => (isSent ? [chat] : []));
  giveUpStarts();
  return sent;
}

/** Whether the server hasn't answered a start yet. */
export function isStarting() {
  return starting.size > 0;
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
 * @param {Page} page
 * @param {string[]} places
 */
function stopIn(page, places) {
  page.awaitedStart.drop();
  const given = dropStarts();
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
  page.toasts.offer(say('sharing.asks', { name }), say('sharing.sendOnce'), () => {
    navigator.geolocation.getCurrentPosition((position) => {
      const { latitude, longitude, time, accuracy } = heartbeatFix(fixFrom(position, { offset: page.stream.offset, maximumAge: 10_000 }));
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
    // The new end comes with the shares, into this tab's record too.
    await page.ownShares.extend(share, Math.max(share.until ?? 0, page.stream.now()) + HOUR);
  } catch (error) {
    page.toasts.fail(error);
  }
}
