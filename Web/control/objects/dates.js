// @ts-check

/** The years that a date field of a browser can show. */
const SHOWN = { first: 1, last: 9999 };

/**
 * A time as a date field has it, in the time zone of this device.
 * @param {number} time milliseconds since 1970
 * @returns {string} empty where the field can't show it
 */
export function localInput(time) {
  const date = new Date(time);
  const year = date.getFullYear();
  if (Number.isNaN(year) || year < SHOWN.first || year > SHOWN.last) return '';
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const day = `${String(year).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const [seconds, rest] = [date.getSeconds(), date.getMilliseconds()];
  const fraction = rest ? `.${String(rest).padStart(3, '0')}` : '';
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds || rest ? `:${two(seconds)}${fraction}` : ''}`;
}

/**
 * @param {string} text of a date field
 * @returns {number | undefined} milliseconds since 1970
 */
export function timeOfInput(text) {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text);
  if (!match) return undefined;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(2000, month - 1, day, hours, minutes, seconds, Number((match[7] ?? '').padEnd(3, '0')));
  // The constructor takes 0…99 for years of the last century.
  date.setFullYear(year, month - 1, day);
  return Number.isNaN(date.getTime()) ? undefined : date.getTime();
}

/**
 * The time zone of this device at some time, as *Europe/Oslo, UTC+2*.
 * @param {number} time
 */
export function zoneText(time) {
  const date = new Date(time);
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const minutes = Number.isNaN(date.getTime()) ? 0 : -date.getTimezoneOffset();
  if (minutes === 0) return name === 'UTC' ? name : `${name}, UTC`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.round(Math.abs(minutes) % 60)];
  return `${name}, UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** The time zone of this device today. */
export function zoneToday() {
  return zoneText(Date.now());
}

/**
 * Date and time for a table.
 * @param {number} time
 * @param {string} [language]
 */
export function dateText(time, language) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
