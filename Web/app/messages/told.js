// @ts-check
import { unreadIn } from './readers.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */

/**
 * What a reader knew of a chat when they were told of it last: the number of its newest written message, 0 for none, and how many there were.
 * @typedef {{ number: number, written?: number }} Known
 */

/** @param {Pick<Chat, 'preview' | 'written'> | undefined} chat @returns {Known} */
export function knownOf(chat) {
  return { number: chat?.preview?.number ?? 0, written: chat ? chat.written : 0 };
}

/**
 * Of what a reader is notified once for a chat: of its newest message, and of how many that came since and weren't read elsewhere.
 * @param {Known | undefined} before `undefined` where nothing was known: then they are told of nothing
 * @param {Pick<Chat, 'preview' | 'written' | 'read' | 'readWritten'>} now
 * @param {{ own: string | undefined, isSeen: boolean }} reader `isSeen` if they have the chat before them
 * @returns {{ number: number, count: number } | undefined}
 */
export function newsFor(before, now, { own, isSeen }) {
  const { preview, written, read = 0 } = now;
  if (!before || !preview || isSeen || preview.sender === own || preview.number <= Math.max(before.number, read)) return undefined;
  const isCounted = written !== undefined && before.written !== undefined;
  const count = isCounted ? Math.min(unreadIn(/** @type {Chat} */ (now), own), written - before.written) : 1;
  return count > 0 ? { number: preview.number, count } : undefined;
}
