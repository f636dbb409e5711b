// @ts-check
import { locale, say } from '../words/words.js';

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [['year', 31_557_600], ['month', 2_629_800], ['week', 604_800], ['day', 86_400], ['hour', 3_600], ['minute', 60]];

/**
 * *3 minutes ago*, in the reader's language.
 * @param {number} time milliseconds since 1970
 * @param {number} now
 * @param {string} [language] the page's own if it isn't said
 */
export function relativeTime(time, now, language = locale) {
  const seconds = (now - time) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'long' });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return format.format(-Math.trunc(seconds / length), unit);
  }
  return say(seconds < 10 ? 'people.justNow' : 'people.momentsAgo');
}

/**
 * Date and time of day; the date is left out for today.
 * @param {number} time
 * @param {number} now
 * @param {string} [language] the page's own if it isn't said
 */
export function absoluteTime(time, now, language = locale) {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(language, isToday ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' })
    .format(time);
}

/**
 * An end that lies ahead or just behind: the time of day, with the date unless it is today.
 * @param {number} time
 * @param {number} now
 */
export function untilTime(time, now) {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/**
 * The time of day.
 * @param {number} time
 */
export function timeOfDay(time) {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(time);
}

/**
 * A day as a heading: today and yesterday by name, within a week the weekday, before that the date.
 * @param {number} time
 * @param {number} now
 */
export function dayName(time, now) {
  const days = daysBetween(time, now);
  if (days === 0 || days === 1) {
    const name = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  }
  if (days > 0 && days < 7) return new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(time);
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }).format(time);
}

/**
 * When something was, as short as a list wants it: the time of day today, the weekday within a week, else the date.
 * @param {number} time
 * @param {number} now
 */
export function listTime(time, now) {
  const days = daysBetween(time, now);
  if (days <= 0) return timeOfDay(time);
  if (days < 7) return new Intl.DateTimeFormat(locale, { weekday: 'short' }).format(time);
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(time);
}

/**
 * How many days of the calendar lie between two times.
 * @param {number} time
 * @param {number} now
 */
function daysBetween(time, now) {
  const start = (/** @type {number} */ at) => new Date(at).setHours(0, 0, 0, 0);
  return Math.round((start(now) - start(time)) / 86_400_000);
}
