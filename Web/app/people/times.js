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
 * @param {string} [language]
 */
export function untilTime(time, now, language) {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(language, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}
