// @ts-check
import { freshnessOfPosition, lastEnded, stateAt, tellingShare } from './freshness.js';

/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */
/** @typedef {import('../wire.d.ts').Share} Share */

/** How long the pin of an ended share stays. */
const SHOWN_AFTER_END = 24 * 3_600_000;
/** Courses are known to this many degrees. */
const COURSE_STEP = 30;
const MOVING_FROM = 2 / 3.6;
/** A position this young is of now, in milliseconds. */
const OF_NOW = 60_000;

/**
 * Where somebody stands in a chat: by the server's word on their share, else by their last `Share` message, else by the
 * age of their position.
 * @param {object} known
 * @param {Message | undefined} known.position their newest
 * @param {number | undefined} known.time when they were there
 * @param {Share[]} known.shares theirs in the chat
 * @param {Message | undefined} known.note their newest `Share` message
 * @param {boolean} [known.isCurrent] whether the server would have said that they are heard of again
 * @param {number} now
 * @returns {PersonNow | undefined} `undefined` for somebody of whom nothing is known
 */
export function personNow({ position, time, shares, note, isCurrent = true }, now) {
  const share = tellingShare(shares, position?.data?.share);
  const noted = endOfNote(note);
  if (!share && time === undefined && !noted) return undefined;
  const ended = share ? endOfShare(share, now) : endByNote(note, position);
  // The pin says when the share of its position ended; the person's last one, whose positions may be erased, may have ended later.
  const last = share && ended ? lastEnd(shares, note, now) ?? ended : ended;
  const freshness = share?.freshness ?? freshnessOfPosition(time ?? 0);
  const isStanding = share !== undefined && freshness.since !== undefined;
  const heard = isStanding ? freshness.asOf : time ?? (share ? freshness.asOf : noted?.time ?? 0);
  const isPlaced = time !== undefined;
  // What came by the clock alone has no cause that was sent.
  const isSent = ended !== undefined || stateAt(freshness, now) === freshness.state;
  const state = ended ? 'ended' : steady(stateAt(freshness, now), { cause: freshness.cause, isOfNow: isPlaced && now - heard < OF_NOW });
  return {
    state, isPlaced, isCurrent, cause: isSent ? freshness.cause : undefined, heard, since: freshness.since, gap: share ? freshness.gap : undefined,
    battery: freshness.battery, charging: freshness.charging, ...(ended && last ? { until: last.time, arrived: last.arrived, pinEnd: ended } : {}),
    ...movement(position, state), isGone: ended !== undefined && (ended.isErased || now - ended.time > SHOWN_AFTER_END), share,
  };
}

/**
 * What is said at somebody's pin: when the share of its position ended, and not a later one whose positions are erased.
 * @param {PersonNow} person
 * @returns {PersonNow}
 */
export function personAtPin(person) {
  return person.pinEnd ? { ...person, until: person.pinEnd.time, arrived: person.pinEnd.arrived } : person;
}

/**
 * A phone that only reports late isn't silent while its position is of now: else a row would say both.
 * @param {import('../wire.d.ts').FreshnessState} state
 * @param {{ cause: string | undefined, isOfNow: boolean }} position
 */
function steady(state, { cause, isOfNow }) {
  return state === 'slow' && isOfNow && (cause === undefined || cause === 'silent') ? 'live' : state;
}

/**
 * @param {Share} share
 * @param {number} now
 */
function endOfShare({ freshness, keep, until }, now) {
  if (stateAt(freshness, now) !== 'ended') return undefined;
  const time = freshness.since ?? (freshness.state === 'ended' ? freshness.asOf : until ?? freshness.asOf);
  return { time, arrived: freshness.cause === 'arrived', isErased: keep === 'expiring' };
}

/**
 * The end of the share that ended last. Once it is erased, the `Share` message alone tells of it.
 * @param {Share[]} shares
 * @param {Message | undefined} note
 * @param {number} now
 */
function lastEnd(shares, note, now) {
  const last = /** @type {Share} */ (lastEnded(shares));
  const [end, noted] = [endOfShare(last, now), endOfNote(note)];
  return noted && note?.data.share !== last.share && noted.time > (end?.time ?? 0) ? noted : end;
}

/** @param {Message | undefined} note */
function endOfNote(note) {
  const state = note?.data?.state;
  if (!note || (state !== 'stopped' && state !== 'expired')) return undefined;
  return { time: note.time, arrived: note.data.arrived === true, isErased: note.data.keep === 'expiring' };
}

/**
 * @param {Message | undefined} note
 * @param {Message | undefined} position
 */
function endByNote(note, position) {
  const named = position?.data?.share;
  const isAfter = named === undefined ? (position?.number ?? 0) < (note?.number ?? 0) : named === note?.data.share;
  return isAfter ? endOfNote(note) : undefined;
}

/**
 * @param {Message | undefined} position
 * @param {import('../wire.d.ts').FreshnessState} state
 */
function movement(position, state) {
  const data = position?.data;
  const speed = figure(data?.speed);
  const course = figure(data?.course);
  const isShown = state === 'live' && speed !== undefined && speed > MOVING_FROM && course !== undefined;
  return {
    speed, accuracy: figure(data?.horizontalAccuracy ?? data?.accuracy),
    course: isShown ? (Math.round(course / COURSE_STEP) * COURSE_STEP) % 360 : undefined,
  };
}

/** @param {unknown} value */
function figure(value) {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}
