// @ts-check
import { rest } from '../rest/rest.js';
import { say } from '../words/words.js';
import { startShare, stopHere, stopStarts } from './share-actions.js';
import { stops } from './share-record.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Holds what this browser wants of its shares to what the server says of them: what ended there is reported for no more, what waited for
 * its word begins, and after a reload sharing goes on.
 * @param {Page} page
 * @param {import('../session/person.js').Person} person
 */
export function followShares(page, person) {
  const { sharer, ownShares, shareRecords, awaitedStart, scope } = person;
  const { stream, toasts } = page;
  /** Whether sharing may go on by itself, once the server has said what runs. */
  let mayGoOn = false;
  /** Takes the offer to stop back, once nothing is shared any more. */
  let offered = () => {};
  const goOnOnce = () => {
    // The chat in which it goes on is named.
    if (!mayGoOn || !ownShares.isCurrent || !person.chats.list.isCurrent) return;
    mayGoOn = false;
    goOn(page).then((takeBack) => { offered = takeBack; });
  };
  sharer.observe(() => {
    if (sharer.places.length > 0) return;
    offered();
    offered = () => {};
  }, scope);
  /** The missing shares that the server is asked for once more. @type {Set<string>} */
  const asking = new Set();
  const follow = () => {
    settle(page);
    endMissing(page, asking);
    page.stops.stopLate(ownShares.running);
    startAwaited(page);
    goOnOnce();
    sharer.changed();
  };
  sharer.onEnded = (place) => {
    if (document.visibilityState === 'visible') toasts.say(say('sharing.ended', { place: page.nameOf(place) }));
  };
  ownShares.isStopping = (share) => shareRecords.stopping.some((record) => stops(record, share));
  shareRecords.onStopped = () => stopStarts(page);
  person.stops.onRefused = (refusal) => toasts.fail(refusal);
  awaitedStart.onLate = () => toasts.say(say('sharing.notStarted'));
  awaitedStart.observe(() => sharer.changed(), scope);
  ownShares.observe(follow, scope);
  // What the server ended before its start was answered is over as it is noted.
  shareRecords.observe(() => settle(page), scope);
  person.chats.observe(goOnOnce, scope);
  stream.observe(() => startAwaited(page), scope);
  sharer.begin(person.id).then(() => {
    if (scope.isOver) return;
    mayGoOn = person.id !== undefined;
    follow();
  });
}

/**
 * What the server ended is reported for no more; what it moved ends then.
 * @param {Page} page
 */
function settle({ sharer, ownShares, shareRecords }) {
  for (const { place, share, until } of shareRecords.wanted) {
    const known = share === undefined ? undefined : ownShares.get(share);
    // One that isn't listed yet may have been started in another tab just now; one that is listed no longer: `endMissing`.
    if (!known) continue;
    const end = known.until ?? undefined;
    if (!ownShares.running.includes(known)) sharer.end(place);
    else if (end !== until) shareRecords.note(place, { until: end });
  }
}

/**
 * A share that the whole list doesn't have any more was ended elsewhere during an absence: once a second list hasn't it either, it is
 * reported for no more.
 * @param {Page} page
 * @param {Set<string>} asking
 */
export function endMissing({ sharer, ownShares, shareRecords }, asking) {
  for (const { place, share, begun } of shareRecords.wanted) {
    if (share === undefined || asking.has(share) || !ownShares.isMissing(share, begun)) continue;
    asking.add(share);
    rest('GET', '/me/shares').then(({ shares }) => {
      const isListed = shares.some((/** @type {{ share: string }} */ each) => each.share === share);
      if (!isListed && shareRecords.get(place)?.share === share && ownShares.isMissing(share, begun)) sharer.end(place);
    }, () => {
      // Without an answer nothing ends; the next list asks again.
    }).finally(() => asking.delete(share));
  }
}

/**
 * What waited for the connection begins.
 * @param {Page} page
 */
function startAwaited(page) {
  if (page.stream.state !== 'open' || page.ownShares.areKept === undefined) return;
  const wanted = page.awaitedStart.drop();
  if (wanted) startShare(page, wanted.chat, wanted.choice);
}

/**
 * @param {Page} page
 * @returns {Promise<() => void>} removes the toast that says that sharing goes on
 */
async function goOn(page) {
  const running = new Set(page.ownShares.running.map(({ share }) => share));
  const [place] = await page.sharer.goOnAfterReload((share) => share !== undefined && running.has(share));
  if (place === undefined) return () => {};
  return page.toasts.offer(say('sharing.goesOn', { place: page.nameOf(place) }), say('sharing.stop'), () => stopHere(page), true);
}
