// @ts-check
import { say } from '../words/words.js';

/** How long a chat's positions are kept, as the server names it, and the words for it. */
const WORDS = /** @type {const} */ ({
  day: 'chats.keepDay', month: 'chats.keepMonth', year: 'chats.keepYear', forever: 'chats.keepForever',
});

const DAY = 86_400_000;
/** How long a position is kept, in milliseconds. @type {Record<string, number>} */
const PERIODS = { day: DAY, month: 30 * DAY, year: 365 * DAY };

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

/**
 * How long a chat keeps a position, in milliseconds; `undefined` for ever, and for a time that only a newer server knows.
 * @param {import('../wire.d.ts').Chat | undefined} chat
 */
export function keptFor(chat) {
  const keeping = chat?.positions ?? 'month';
  return Object.hasOwn(PERIODS, keeping) ? PERIODS[keeping] : undefined;
}

/**
 * How long a chat keeps positions, in words; empty for a time that only a newer server knows.
 * @param {Pick<import('../page/page.js').Page, 'chats'>} page
 * @param {string} chat
 */
export function keepingIn(page, chat) {
  return keepingText(page.chats.chat(chat)?.positions ?? 'month');
}
