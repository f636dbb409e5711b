// @ts-check
import { say } from '../words/words.js';

/** @typedef {'now' | 'soon' | 'before' | 'never'} When whether others see where the reader is, will once a position is found, see where the reader was last, or see nothing */
/**
 * Through what the reader is seen: `viewers` are the ids of those who can, `undefined` where it isn't known who is in the chat.
 *
 * @typedef {{ isWorld: boolean, when: When, viewers: string[] | undefined }} Seen
 */

/**
 * How many people can see where the reader is; where nobody can, where the reader was last. Of a chat whose people aren't known nobody is
 * counted, and that isn't none.
 * @param {Seen[]} all
 * @returns {string}
 */
export function seenSummary(all) {
  const when = /** @type {const} */ (['now', 'soon', 'before']).find((each) => all.some((seen) => seen.when === each));
  if (when === undefined) return all.length === 0 ? '' : say('sharing.unshown');
  const seen = all.filter((each) => each.when === when);
  const isInWorld = seen.some(({ isWorld }) => isWorld);
  const chats = seen.filter(({ isWorld }) => !isWorld);
  const isUnknown = chats.some(({ viewers }) => viewers === undefined);
  const count = new Set(chats.flatMap(({ viewers }) => viewers ?? [])).size;
  if (when === 'soon') return say('seen.soon');
  if (when === 'before') return isUnknown ? say('seen.unknownBefore') : say('seen.peopleBefore', { count });
  if (!isInWorld) return isUnknown ? say('seen.unknown') : say('seen.people', { count });
  if (isUnknown) return say('seen.worldAndUnknown');
  return count === 0 ? say('seen.worldAlone') : say('seen.worldAndPeople', { count });
}
