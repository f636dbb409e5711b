// @ts-check
import { rest } from '../rest/rest.js';

/** @typedef {import('./day.js').Position} Position */

/** How many answers are put together at most: each reads 10 000 messages and has 2 000 points a person at most. */
const ANSWERS_AT_MOST = 20;

/**
 * Where somebody was between two times, oldest first: what they shared in this chat, and the reader may read. Only a day with
 * more positions than a line has points is simplified.
 * @param {string} chat
 * @param {string} user
 * @param {{ from: number, to: number }} day
 * @param {typeof rest} [get]
 * @returns {Promise<{ positions: Position[], deviation: number }>} with how far in meters a position that was left out lies
 *   from the line at most
 */
export async function dayTrack(chat, user, { from, to }, get = rest) {
  /** @type {Position[]} */
  const positions = [];
  let deviation = 0;
  let since = '';
  for (let answer = 0; answer < ANSWERS_AT_MOST; answer += 1) {
    // With a tolerance, the times at which somebody stopped on a straight way would be left out.
    const { tracks, next } = await get('GET', `/chats/${encodeURIComponent(chat)}/tracks?from=${from}&to=${to}&tolerance=0${since}`);
    for (const track of tracks.filter((/** @type {{ user: string }} */ each) => each.user === user)) {
      for (const [time, latitude, longitude] of track.points) positions.push({ time, latitude, longitude });
      deviation = Math.max(deviation, track.deviation);
    }
    if (next === undefined) break;
    since = `&since=${next}`;
  }
  return { positions: positions.sort((a, b) => a.time - b.time), deviation };
}
