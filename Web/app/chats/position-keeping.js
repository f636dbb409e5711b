// @ts-check
import { say } from '../words/words.js';

/** How long a chat's positions are kept, as the server names it, and the words for it. */
const WORDS = /** @type {const} */ ({
  day: 'chats.keepDay', month: 'chats.keepMonth', year: 'chats.keepYear', forever: 'chats.keepForever',
});

/** What an owner can choose. */
export const KEEPINGS = Object.keys(WORDS);

/**
 * How long positions are kept, in words; empty for a time that only a newer server knows.
 * @param {string} keeping
 */
export function keepingText(keeping) {
  const key = Object.hasOwn(WORDS, keeping) ? WORDS[/** @type {keyof typeof WORDS} */ (keeping)] : undefined;
  return key ? say(key) : '';
}
