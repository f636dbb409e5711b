// @ts-check
import { locale, say } from '../words/words.js';
import { ageText, clockText, dayText } from './age.js';
import { personAtPin } from './person-now.js';

/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

/** Slower than this counts as standing, in meters a second: 2 km/h. */
const MOVING_FROM = 2 / 3.6;
/** Fix and report that are this far apart are both said. */
const STANDING_FROM = 120_000;
/** Where a position is this coarse, the map says so. */
export const COARSE_FROM = 500;
const LOW_BATTERY = 0.15;

/**
 * What stands behind the name under a pin.
 * @param {PersonNow} person
 * @param {number} now
 */
export function labelText(person, now) {
  const { state, accuracy } = person;
  const age = labelAge(personAtPin(person), now);
  const coarse = state === 'ended' ? undefined : coarseText(accuracy);
  return coarse ? `${age} ${coarse}` : age;
}

/**
 * How far off a position may be, where that is much: *± 2.5 km*.
 * @param {number | undefined} accuracy in meters
 * @returns {string | undefined} `undefined` where it is known better
 */
export function coarseText(accuracy) {
  return accuracy !== undefined && accuracy >= COARSE_FROM ? `± ${distanceText(accuracy)}` : undefined;
}

/**
 * @param {Pick<PersonNow, 'state' | 'heard' | 'since' | 'until' | 'arrived'>} person
 * @param {number} now
 */
function labelAge({ state, heard, since, until, arrived }, now) {
  if (state === 'ended') return say(arrived ? 'fresh.arrivedAt' : 'fresh.stoppedAt', { time: dayText(until ?? heard, now) });
  if (state === 'paused') return say('fresh.since', { time: dayText(since ?? heard, now) });
  return ageText(heard, now);
}

/**
 * The age at a row's end.
 * @param {PersonNow} person
 * @param {number} now
 */
export function rowAge({ state, heard, until }, now) {
  return state === 'ended' ? dayText(until ?? heard, now) : ageText(heard, now);
}

/**
 * Why somebody is in their state, in the row's words.
 * @param {PersonNow} person
 * @param {number} now
 */
export function causeText({ state, cause, heard, since, gap, battery, charging, speed, arrived, isCurrent }, now) {
  switch (state) {
    case 'live': return movementText(speed, since, heard) ?? '';
    case 'slow': return knownCause(cause) ?? (gap !== undefined && gap > 120_000
      ? say('fresh.reportsEvery', { time: say('age.minutes', { count: Math.round(gap / 60_000) }) })
      : say('fresh.noNewsSince', { time: dayText(heard, now) }));
    case 'stale': return battery !== undefined && battery < 0.1 && !charging
      ? say('fresh.battery', { percent: percentText(battery) })
      : knownCause(cause) ?? say('fresh.noNewsSince', { time: dayText(heard, now) });
    // Who is cut off can't say whose phone isn't reached.
    case 'offline': return knownCause(cause) ?? (isCurrent ? say('fresh.notReached') : say('fresh.noNewsSince', { time: dayText(heard, now) }));
    case 'paused': return knownCause(cause) ?? say('fresh.hereSince', { time: dayText(since ?? heard, now) });
    default: return say(arrived ? 'fresh.arrived' : 'fresh.stoppedSharing');
  }
}

/**
 * @param {number | undefined} speed
 * @param {number | undefined} since
 * @param {number} heard
 */
function movementText(speed, since, heard) {
  if (isMoving(speed)) return speedText(speed);
  if (since !== undefined && heard - since > STANDING_FROM) return say('fresh.hereSince', { time: clockText(since) });
  return undefined;
}

/** @param {string | undefined} cause */
function knownCause(cause) {
  const known = /** @type {const} */ ({
    noFix: 'fresh.noFix', paused: 'fresh.paused', powerSaver: 'fresh.powerSaver', coarse: 'fresh.coarse',
  });
  return cause !== undefined && cause in known ? say(known[/** @type {keyof typeof known} */ (cause)]) : undefined;
}

/**
 * @param {number | undefined} speed in meters a second
 * @returns {speed is number}
 */
export function isMoving(speed) {
  return speed !== undefined && speed > MOVING_FROM;
}

/** @param {number} speed in meters a second */
export function speedText(speed) {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilometer-per-hour', maximumFractionDigits: 0 }).format(speed * 3.6);
}

/** @param {number} meters */
export function distanceText(meters) {
  const isFar = meters >= 1_000;
  const value = isFar ? meters / 1_000 : meters >= 100 ? Math.round(meters / 10) * 10 : meters;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: isFar ? 'kilometer' : 'meter', maximumFractionDigits: isFar && value < 10 ? 1 : 0 }).format(value);
}

/**
 * A battery's level, with a narrow space before the sign: *6 %*.
 * @param {number} level from 0 to 1
 */
export function percentText(level) {
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(level * 100)}\u202f%`;
}

/** @param {{ battery?: number, charging?: boolean }} person */
export function isBatteryLow({ battery, charging }) {
  return battery !== undefined && battery < LOW_BATTERY && !charging;
}

/** @param {PersonNow} person */
export function isWarned({ state }) {
  return state === 'stale' || state === 'offline';
}
