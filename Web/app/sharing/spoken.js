// @ts-check
import { say } from '../words/words.js';
import { ownStanding } from './own-standing.js';

/** @typedef {Pick<import('../page/page.js').Page, 'announce' | 'nameOf' | 'person' | 'sharer' | 'shareRecords' | 'ownShares' | 'stream'>} Page */

/**
 * Says to readers of the screen that others see them, once that is so.
 * @param {Page} page
 * @param {string} place a chat's id, or the world
 */
export function announceStart(page, place) {
  let isFindingSaid = false;
  const look = () => {
    const standing = ownStanding(page, place);
    if (standing === 'finding' && !isFindingSaid) page.announce(say('sharing.findingFor', { where: page.nameOf(place) }));
    isFindingSaid ||= standing === 'finding';
    if (standing === 'seen') page.announce(say('page.sharesWith', { place: page.nameOf(place) }));
    return standing === 'finding';
  };
  until(page.sharer, page.person.scope, look);
}

/**
 * Says to readers of the screen that others see them no longer, once the server has the stop; without a connection first that it hasn't.
 * @param {Page} page
 * @param {string} place a chat's id, or the world
 * @param {import('./own-standing.js').OwnStanding} before how they stood there
 */
export function announceStop(page, place, before) {
  if (before === 'off' || before === 'stopping') return;
  const name = page.nameOf(place);
  const { user } = page.shareRecords;
  if (page.stream.state !== 'open' && isOnItsWay(page, place)) page.announce(say('page.stopsLater', { place: name }));
  until(page.shareRecords, page.person.scope, () => {
    if (page.shareRecords.user !== user) return false;
    if (isOnItsWay(page, place)) return true;
    if (!page.sharer.isSharedIn(place)) page.announce(say('page.sharesNoLonger', { place: name }));
    return false;
  });
}

/**
 * @param {Page} page
 * @param {string} place
 */
function isOnItsWay({ shareRecords }, place) {
  return shareRecords.get(place)?.stopping !== undefined;
}

/**
 * @param {import('../page/observable.js').Observable} observed
 * @param {import('../page/scope.js').Scope} scope of the person
 * @param {() => boolean} look says whether to look again at the next change
 */
function until(observed, scope, look) {
  if (!look()) return;
  const end = observed.observe(() => { if (!look()) end(); }, scope);
}
