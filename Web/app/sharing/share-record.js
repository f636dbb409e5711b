// @ts-check

/**
 * What a person wants of one place that this browser shares in, and what it still has to tell the server: the one record of it, which
 * all tabs and the worker read.
 *
 * @typedef {object} ShareRecord
 * @property {string} id the person and the place
 * @property {string} user
 * @property {string} place a chat's id, the world, or {@link EVERYWHERE}
 * @property {string} [share] the share's id, where the server keeps one
 * @property {number} [until] its end by the server's clock, in milliseconds; absent for none
 * @property {number} stops how often it was stopped; a stop can't be undone by what another tab knew before it
 * @property {number} turn how often it was changed since
 * @property {boolean} isWanted whether the person wants to be seen there
 * @property {boolean} isPaused whether this browser reports nothing there until the person says that it goes on
 * @property {number} reported when this browser last had a position for it, or began, by the server's clock, in milliseconds; 0 for never
 * @property {number} [clock] how far the server's clock was ahead of this browser's when it began, in milliseconds
 * @property {number} [begun] when the share began, by the server's clock, in milliseconds
 * @property {[number, number]} [missed] the last stretch of time from which no position was sent, by the server's clock, in milliseconds
 * @property {MissedCause} [missedCause] why, as far as this browser saw it
 * @property {number} [stopping] the time of the tap on *Stop*, by the server's clock, until the server has it
 */

/** What was seen while no position came: the page was closed, its sharing was paused, the page was out of view, or the sensor was silent in view. @typedef {'closed' | 'paused' | 'hidden' | 'silent'} MissedCause */

/** How often it is noted that a place is reported in, in milliseconds. */
const NOTED_EVERY = 15_000;

/** A share without a position for so long has a gap that the reader is told of, in milliseconds. */
const GAP = 180_000;

/** The place of a stop that ends every share of the person, from whatever device. */
export const EVERYWHERE = '*';

/**
 * A record of a place in which nothing was shared.
 * @param {string} user
 * @param {string} place
 * @returns {ShareRecord}
 */
export function emptyRecord(user, place) {
  return { id: `${user}/${place}`, user, place, stops: 0, turn: 0, isWanted: false, isPaused: false, reported: 0 };
}

/**
 * The one of two states of a record that came later. A start that a tab made before it heard of a stop loses against that stop; of two
 * changes that two tabs made at once, the start holds.
 * @param {ShareRecord | undefined} a
 * @param {ShareRecord} b
 */
export function laterOf(a, b) {
  if (!a || b.stops !== a.stops) return !a || b.stops > a.stops ? b : a;
  if (b.turn !== a.turn) return b.turn > a.turn ? b : a;
  return b.isWanted && !a.isWanted ? b : a;
}

/**
 * Sharing begins, or goes on.
 * @param {ShareRecord} record
 * @param {{ share?: string, until?: number, reported: number, clock?: number, begun?: number }} what
 * @returns {ShareRecord}
 */
export function started({ stopping: _, missed: __, missedCause: ___, ...record }, { share, until, reported, clock = record.clock, begun = record.begun }) {
  return { ...record, share, until, reported, clock, begun, turn: record.turn + 1, isWanted: true, isPaused: false };
}

/**
 * This browser has a position for a place.
 * @param {ShareRecord} record
 * @param {number} now
 * @param {MissedCause} cause what would be why no position came since
 * @returns {Partial<ShareRecord> | undefined} what is otherwise since the last one; nothing if that was a moment ago
 */
export function reportedAt({ reported }, now, cause) {
  if (now - reported < NOTED_EVERY) return undefined;
  return { reported: now, ...(now - reported > GAP ? { missed: [reported, now], missedCause: cause } : {}) };
}

/**
 * The person stops.
 * @param {ShareRecord} record
 * @param {number | undefined} at the time of the tap, where the server has to be told
 * @returns {ShareRecord}
 */
export function stopped(record, at) {
  const { share: _, until: __, missed: ___, missedCause: ____, ...rest } = record;
  return { ...rest, stops: record.stops + 1, turn: 0, isWanted: false, isPaused: false, ...(at === undefined ? {} : { stopping: at }) };
}

/**
 * It is over: by its time, or because the server says so.
 * @param {ShareRecord} record
 * @returns {ShareRecord}
 */
export function ended({ share: _, until: __, missed: ___, missedCause: ____, ...record }) {
  return { ...record, turn: record.turn + 1, isWanted: false, isPaused: false };
}

/**
 * The server has a stop.
 * @param {ShareRecord} record
 * @param {number} at the time of the tap that the page sent in the stop, by the server's clock, in milliseconds
 * @returns {ShareRecord}
 */
export function told({ stopping, ...record }, at) {
  const isSame = stopping !== undefined && stopping <= at;
  return { ...record, turn: record.turn + 1, ...(isSame || stopping === undefined ? {} : { stopping }) };
}

/**
 * Whether a stop that waits means a share.
 * @param {ShareRecord} record
 * @param {{ chat: string, started: number }} share
 */
export function stops({ place, stopping }, share) {
  return stopping !== undefined && share.started <= stopping && (place === EVERYWHERE || place === share.chat);
}
