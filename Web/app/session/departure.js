// @ts-check
import { rest } from '../rest/rest.js';
import { EVERYWHERE } from '../sharing/share-record.js';
import { isFinal } from '../stream/refusal.js';
import { MARKER } from '../shell/shell.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../sharing/share-record.js').ShareRecord} ShareRecord */
/**
 * A *Stop* that the server hasn't yet.
 *
 * @typedef {object} LeftStop
 * @property {string} user the id of the person who stopped sharing
 * @property {string} place a chat's id, or {@link EVERYWHERE}
 * @property {number} before the time of the tap, by the server's clock, in milliseconds
 */

const LOCK = 'yonder.left';
const STOPS_AT_MOST = 100;

/** Who signed out here and is still signed in on the server, as far as this browser knows. @returns {string | undefined} a user's id */
export function leaving() {
  return read().leaving;
}

/**
 * Notes that a person signs out, before anything of theirs is erased.
 * @param {string} user
 * @returns {boolean} whether the next opening of the page will know it
 */
export function leave(user) {
  return write({ ...read(), leaving: user });
}

/**
 * Notes the stops that wait, for a person whose records are about to be erased.
 * @param {ShareRecord[]} records
 */
export function leaveStops(records) {
  const waiting = records.flatMap(({ user, place, stopping }) => (stopping === undefined ? [] : [{ user, place, before: stopping }]));
  if (waiting.length === 0) return;
  const { stops, ...marker } = read();
  const newest = new Map([...stops, ...waiting].map((stop) => [`${stop.user}/${stop.place}`, stop]));
  write({ ...marker, stops: [...newest.values()].slice(-STOPS_AT_MOST) });
}

/**
 * The stops that a person's last session couldn't send; their next one does.
 * @param {string} user
 * @returns {LeftStop[]}
 */
export function stopsOf(user) {
  return read().stops.filter((stop) => stop.user === user);
}

/**
 * The server has a stop, or a record of the person's has taken it over.
 * @param {LeftStop} done
 */
export function forgetStop(done) {
  const { stops, ...marker } = read();
  write({ ...marker, stops: stops.filter(({ user, place, before }) => user !== done.user || place !== done.place || before !== done.before) });
}

/**
 * Sends the stops of the person who signed out, ends their session, and then erases what is left. One tab at a time does this: nobody
 * signs in before it is done, so that the session is theirs.
 * @param {() => Promise<void>} erase erases what this browser keeps; not called where another tab was first
 * @returns {Promise<void>} once the server has both, or has no such session any more
 * @throws {Error} if it has to be tried again
 */
export async function depart(erase) {
  if (!navigator.locks) return tell(erase);
  return navigator.locks.request(LOCK, () => tell(erase));
}

/** @param {() => Promise<void>} erase */
async function tell(erase) {
  const user = leaving();
  if (user === undefined) return;
  let isSignedIn = true;
  for (const stop of stopsOf(user)) {
    const body = { before: stop.before, ...(stop.place === EVERYWHERE ? {} : { chat: stop.place }) };
    isSignedIn = await answered('/me/shares', body, isFinal);
    // A share that another device feeds, too, runs on: the stop waits for the person's next session.
    if (!isSignedIn) break;
    forgetStop(stop);
  }
  if (isSignedIn) await answered('/session', {}, () => false);
  await erase();
  write({ stops: read().stops });
}

/**
 * @param {string} path of what ends
 * @param {object} body
 * @param {(refusal: import('../stream/requests.js').Refused) => boolean} isDone whether a refusal of the server's means that there is nothing to end
 * @returns {Promise<boolean>} whether the session was still there
 * @throws {Error} if the caller has to ask again: the server can't be reached or refuses for now, or a proxy answered instead of it
 */
async function answered(path, body, isDone) {
  try {
    await rest('DELETE', path, body);
    return true;
  } catch (error) {
    const refused = /** @type {import('../stream/requests.js').Refused} */ (error);
    if (refused.code === 'notSignedIn' || refused.code === 'accountDisabled') return false;
    if (!isDone(refused)) throw error;
    return true;
  }
}

/** @returns {{ leaving?: string, stops: LeftStop[] }} */
function read() {
  const { leaving: user, stops } = Object(browserShelf.value(MARKER));
  return { ...(typeof user === 'string' ? { leaving: user } : {}), stops: Array.isArray(stops) ? stops : [] };
}

/**
 * @param {{ leaving?: string, stops: LeftStop[] }} marker
 * @returns {boolean} whether it is kept
 */
function write(marker) {
  if ((marker.leaving !== undefined || marker.stops.length > 0) && browserShelf.put(MARKER, JSON.stringify(marker))) return true;
  browserShelf.remove(MARKER);
  return marker.leaving === undefined && marker.stops.length === 0;
}
