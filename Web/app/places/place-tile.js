// @ts-check
import { element } from '../page/dom.js';
import { inkOn } from '../people/color.js';

/**
 * A place's picture beside its name, as it is on the map.
 * @param {{ color: string, letter: string }} look
 */
export function placeTile({ color, letter }) {
  const root = element('span', { class: 'avatar tile', 'aria-hidden': 'true' }, letter);
  root.style.setProperty('--color', color);
  root.style.setProperty('--ink', inkOn(color));
  return root;
}
