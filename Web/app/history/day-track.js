// @ts-check
import { rest } from '../rest/rest.js';

/** @typedef {import('./day.js').Position} Position */

/** How far in meters a position that the server leaves out may lie from where the line is at its time. */
export const TOLERANCE = 5;

/** How many answers are put together at most: each reads 10 000 positions of the person and has 2 000 points at most. */
const ANSWERS_AT_MOST = 20;

/**
 * A person's positions between two times, oldest first: those they shared in this chat and the reader may read, without those
 * on the way between two others. The server keeps the ends of stops and of gaps.
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
    const path = `/chats/${encodeURIComponent(chat)}/tracks?sender=${encodeURIComponent(user)}&from=${from}&to=${to}&tolerance=${TOLERANCE}${since}`;
    const { tracks, next } = await get('GET', path);
    for (const track of tracks.filter((/** @type {{ user: string }} */ each) => each.user === user)) {
      for (const [time, latitude, longitude] of track.points) positions.push({ time, latitude, longitude });
      deviation = Math.max(deviation, track.deviation);
    }
    if (next === undefined) break;
    since = `&since=${next}`;
  }
  return { positions: positions.sort((a, b) => a.time - b.time), deviation };
}
