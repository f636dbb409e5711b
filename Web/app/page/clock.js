// @ts-check
import { absoluteTime, relativeTime } from '../people/times.js';
import { element, setText } from './dom.js';

/** @type {() => number} */
let now;

/**
 * By which clock times are told: the server's. To be said before the first one is.
 * @param {() => number} clock
 */
export function setClock(clock) {
  now = clock;
}

/**
 * A time that grows old while it is shown.
 * @param {number} time
 * @param {{ withAbsolute?: boolean }} [options]
 */
export function timeElement(time, { withAbsolute = false } = {}) {
  const made = element('time', { 'data-at': time, 'data-absolute': withAbsolute ? '' : undefined });
  refresh(made);
  return made;
}

/** Now, by the clock by which times are told. */
export function toldNow() {
  return now();
}

/** @param {HTMLTimeElement} shown */
function refresh(shown) {
  const time = Number(shown.dataset.at);
  shown.dateTime = new Date(time).toISOString();
  shown.title = absoluteTime(time, now());
  const relative = relativeTime(time, now());
  setText(shown, 'absolute' in shown.dataset ? `${relative} · ${shown.title}` : relative);
}

setInterval(() => {
  for (const shown of document.querySelectorAll('time[data-at]')) refresh(/** @type {HTMLTimeElement} */ (shown));
}, 10_000);
