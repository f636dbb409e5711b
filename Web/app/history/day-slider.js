// @ts-check
import { element, fill } from '../page/dom.js';
import { locale, say } from '../words/words.js';

/** @typedef {import('./day.js').Piece} Piece */
/** @typedef {import('./day.js').Position} Position */

/** What Shift and an arrow key move by. */
const TEN_MINUTES = 600_000;

const CLOCK = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });

/**
 * A time of day.
 * @param {number} time
 */
export function clockText(time) {
  return CLOCK.format(time);
}

/**
 * A day as a line: moving strong, staying pale, no report dashed; its knob is the time that the map shows.
 * @param {(time: number) => void} onchange
 */
export function daySlider(onchange) {
  const input = element('input', { type: 'range', min: '0', max: '1', step: 'any', 'aria-label': say('history.time') });
  const line = element('div', { class: 'day-line', 'aria-hidden': 'true' });
  const bubble = element('output', { class: 'day-bubble', 'aria-hidden': 'true' });
  const scale = element('div', { class: 'day-scale', 'aria-hidden': 'true' });
  /** @type {Position[]} */
  let positions = [];
  const show = () => {
    const time = Number(input.value);
    const share = (time - Number(input.min)) / Math.max(1, Number(input.max) - Number(input.min));
    root.style.setProperty('--share', String(share));
    bubble.textContent = clockText(time);
    input.setAttribute('aria-valuetext', clockText(time));
  };
  const set = (/** @type {number} */ time) => {
    input.value = String(time);
    show();
    onchange(Number(input.value));
  };
  input.addEventListener('input', () => set(Number(input.value)));
  input.addEventListener('keydown', (event) => {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (direction === undefined || positions.length === 0) return;
    event.preventDefault();
    const towardEnd = document.documentElement.dir === 'rtl' && event.key.match(/Left|Right/) ? -direction : direction;
    set(event.shiftKey ? Number(input.value) + towardEnd * TEN_MINUTES : stepped(positions, Number(input.value), towardEnd));
  });
  const root = element('div', { class: 'day-slider' }, bubble, line, input, scale);
  return {
    root, set,
    /**
     * @param {Position[]} all
     * @param {Piece[]} pieces
     */
    show(all, pieces) {
      positions = all;
      const [from, to] = [all[0].time, all[all.length - 1].time];
      Object.assign(input, { min: String(from), max: String(Math.max(to, from + 1)) });
      fill(line, pieces.map((piece) => segment(piece, from, to)));
      fill(scale, [0, 0.5, 1].map((share) => element('span', {}, clockText(from + share * (to - from)))));
      set(to);
    },
  };
}

/**
 * The time of the next position in a direction.
 * @param {Position[]} positions
 * @param {number} time
 * @param {number} direction
 */
export function stepped(positions, time, direction) {
  const next = direction > 0 ? positions.find((position) => position.time > time) : positions.findLast((position) => position.time < time);
  return next?.time ?? time;
}

/**
 * @param {Piece} piece
 * @param {number} from
 * @param {number} to
 */
function segment({ kind, from: start, to: end }, from, to) {
  const made = element('span', { class: kind });
  const percent = (/** @type {number} */ time) => `${100 * (time - from) / Math.max(1, to - from)}%`;
  made.style.setProperty('inset-inline-start', percent(start));
  made.style.setProperty('inline-size', percent(from + end - start));
  return made;
}
