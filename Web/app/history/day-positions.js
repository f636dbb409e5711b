// @ts-check
import { coordinateOf, timeOf } from '../map/annotations.js';
import { rest } from '../rest/rest.js';

/** @typedef {import('./day.js').Position} Position */

/** How many pages of a day are read at most: 20 000 positions. */
const PAGES_AT_MOST = 20;
const PAGE = 1_000;

/**
 * Where somebody was between two times, oldest first: what they shared in this chat, and the reader may read.
 * @param {string} chat
 * @param {string} user
 * @param {{ from: number, to: number }} day
 * @param {typeof rest} [get]
 * @returns {Promise<Position[]>}
 */
export async function dayPositions(chat, user, { from, to }, get = rest) {
  /** @type {Position[]} */
  const positions = [];
  let before = '';
  for (let page = 0; page < PAGES_AT_MOST; page += 1) {
    const path = `/chats/${encodeURIComponent(chat)}/messages?tag=Location&sender=${user}&from=${from}&to=${to}&limit=${PAGE}${before}`;
    const { messages, previous } = await get('GET', path);
    for (const message of messages) {
      const coordinate = message.tag === 'Location' ? coordinateOf(message) : undefined;
      if (coordinate) positions.push({ ...coordinate, time: timeOf(message) });
    }
    if (previous === undefined) break;
    before = `&before=${previous}`;
  }
  return positions.sort((a, b) => a.time - b.time);
}
