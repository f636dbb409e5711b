// @ts-check
import { standingOf } from './standing.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

/**
 * What stands in place of a place where none of theirs is known: that they share none, or that it isn't known whether they do.
 * @param {Page} page
 * @param {PersonNow | undefined} person
 * @param {{ isCurrent: boolean } | undefined} live
 */
export function unplacedText(page, person, live) {
  const { kind } = standingOf(person, live ?? { isCurrent: false });
  if (kind === 'none') return say('chat.neverShared');
  if (person) return say('fresh.noFix');
  return say(page.stream.state === 'waiting' ? 'chat.notKnown' : 'chat.notKnownYet');
}
