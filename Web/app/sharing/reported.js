// @ts-check
import { tabShelf } from '../storage/shelf.js';

/** In this tab's own storage, which survives a reload of the tab and nothing else. */
const REPORTED = 'yonder.reported';

/**
 * Notes that this tab reports.
 * @param {string} user
 * @param {[place: string, share: string | null][]} shares the places in which it does, each with its share's id if the server keeps one
 */
export function keepReported(user, shares) {
  tabShelf.put(REPORTED, JSON.stringify({ user, shares }));
}

/** Notes that sharing isn't this tab's any more, though it stays open. */
export function forgetReported() {
  tabShelf.remove(REPORTED);
}

/**
 * What this tab reported before it was loaded again. It stays noted until the tab has reported and does so no more: the program may load
 * the tab a second time before sharing goes on.
 * @param {string | undefined} user
 * @returns {[place: string, share: string | null][] | undefined} `undefined` where it didn't report for that person
 */
export function reportedBefore(user) {
  const kept = tabShelf.value(REPORTED);
  return kept?.user === user && Array.isArray(kept?.shares) ? kept.shares : undefined;
}
