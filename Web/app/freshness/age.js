// @ts-check
import { locale, say } from '../words/words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * An age as short as it stands under a pin: *now*, *4 min*, *2 h*, *14:02*, *Tue 14:02*, *12 Nov*.
 * @param {number} time milliseconds since 1970
 * @param {number} now
 */
export function ageText(time, now) {
  const age = now - time;
  if (age < MINUTE) return say('age.now');
  if (age < HOUR) return say('age.minutes', { count: Math.floor(age / MINUTE) });
  if (age < 12 * HOUR) return say('age.hours', { count: Math.floor(age / HOUR) });
  return dayText(time, now);
}

/**
 * A time of day, with its day if that isn't today's: *14:02*, *Tue 14:02*, *12 Nov*.
 * @param {number} time
 * @param {number} now
 */
export function dayText(time, now) {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  if (isToday) return clockText(time);
  if (Math.abs(now - time) < 7 * DAY) return `${formats().weekday.format(time)} ${clockText(time)}`;
  return formats().date.format(time);
}

/**
 * A time of day: *14:02*.
 * @param {number} time
 */
export function clockText(time) {
  return formats().clock.format(time);
}

/**
 * A time of day, and how long ago that was once it is a minute: *14:02*, *14:02 (4 min)*.
 * @param {number} time
 * @param {number} now
 */
export function agedClock(time, now) {
  return now - time < MINUTE ? clockText(time) : `${clockText(time)} (${ageText(time, now)})`;
}

/**
 * How long is left, to the minute: *42 min*, *2 h 5 min*.
 * @param {number} milliseconds
 */
export function leftText(milliseconds) {
  const minutes = Math.max(1, Math.ceil(milliseconds / MINUTE));
  if (minutes < 60) return say('age.minutes', { count: minutes });
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const whole = say('age.hours', { count: hours });
  return rest === 0 ? whole : `${whole} ${say('age.minutes', { count: rest })}`;
}

/** @type {{ clock: Intl.DateTimeFormat, weekday: Intl.DateTimeFormat, date: Intl.DateTimeFormat } | undefined} */
let made;

function formats() {
  made ??= {
    clock: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: hourCycle() }),
    weekday: new Intl.DateTimeFormat(locale, { weekday: 'short' }),
    date: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  };
  return made;
}

/** Readers without a region of their own read 24 hours. */
function hourCycle() {
  return locale === 'en' ? 'h23' : new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle;
}
