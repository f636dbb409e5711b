// @ts-check
import { absoluteTime, relativeTime } from '../people/times.js';
import { element, setText } from './dom.js';

/** How far the server's clock is ahead of this device's; {@link setClock} says. */
let now = () => Date.now();

/**
 * By which clock times are told.
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
