// @ts-check
/** @typedef {import('../wire.d.ts').Chat} Chat */

/** Tags whose messages move a chat up in the list; positions don't. */
const QUIET = new Set(['Location', 'Recall', 'Remove', 'Owner']);

/**
 * When something last happened in a chat that its list is ordered by: what the server says, or what came since.
 * @param {Chat} chat
 * @param {Iterable<import('../wire.d.ts').Message>} known messages of it that this page has
 */
export function activeAt(chat, known) {
  let newest = chat.active ?? chat.created;
  for (const { tag, time } of known) {
    if (!QUIET.has(tag) && time > newest) newest = time;
  }
  return newest;
}
