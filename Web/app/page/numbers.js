// @ts-check
import { locale } from '../words/words.js';

/** Between groups of three digits: thin, and never the end of a line. */
const THIN_SPACE = '\u202f';

const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 15, useGrouping: 'min2' });

/**
 * A number as it is read most easily: *12 345*, but *1234*.
 * @param {number} value
 */
export function numberText(value) {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return String(value);
  return format.formatToParts(value).map(({ type, value: text }) => (type === 'group' ? THIN_SPACE : text)).join('');
}
