// @ts-check
import { clockText } from '../freshness/age.js';
import { say } from '../words/words.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {'quarter' | 'hour' | 'eight' | 'time' | 'arrival' | 'stop'} End how long a share lasts */
/** @typedef {{ end: End, keep: 'kept' | 'expiring', until?: number, arrival?: { latitude: number, longitude: number, radius: number } }} Choice */

const KEPT = 'yonder.share';
const MINUTE = 60_000;
/** How near one has to come to a place to have arrived, in meters. */
export const ARRIVAL_RADIUS = 100;

/** @type {Partial<Record<End, number>>} */
const LENGTHS = { quarter: 15 * MINUTE, hour: 60 * MINUTE, eight: 480 * MINUTE };

/**
 * What was chosen last on this device. A time and a place are chosen anew each time.
 * @returns {Choice}
 */
export function lastChoice() {
  const { end, keep } = Object(browserShelf.value(KEPT));
  return { end: end in LENGTHS || end === 'stop' ? end : 'hour', keep: keep === 'expiring' ? 'expiring' : 'kept' };
}

/** @param {Choice} choice */
export function keepChoice({ end, keep }) {
  browserShelf.put(KEPT, JSON.stringify({ end: end in LENGTHS || end === 'stop' ? end : 'hour', keep }));
}

/**
 * When a share with this choice ends, or `undefined` without a time.
 * @param {Choice} choice
 * @param {number} now
 */
export function endOf({ end, until }, now) {
  const length = LENGTHS[end];
  return length === undefined ? until : now + length;
}

/**
 * How long a choice lasts, in words: *1 hour*, *until 15:20*.
 * @param {Choice} choice
 */
export function choiceText({ end, until }) {
  switch (end) {
    case 'quarter': return say('sharing.quarter');
    case 'hour': return say('sharing.hour');
    case 'eight': return say('sharing.eight');
    case 'time': return say('sharing.until', { time: clockText(until ?? 0) });
    case 'arrival': return say('sharing.untilArrival');
    default: return say('sharing.untilStop');
  }
}
