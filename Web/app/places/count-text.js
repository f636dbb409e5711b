// @ts-check
import { numberText } from '../page/numbers.js';

/**
 * How many places are shown, and of how many.
 * @param {{ listed: number, total: number }} count
 * @returns {{ shown: string, spoken: string }} for the eye, and for a voice, which reads plain digits best
 */
export function countText({ listed, total }) {
  if (total === 0) return { shown: 'No places here', spoken: 'No places here.' };
  if (listed < total) {
    return { shown: `${numberText(listed)} of ${numberText(total)}`, spoken: `${listed} of ${total} places here are shown.` };
  }
  const noun = total === 1 ? 'place' : 'places';
  return { shown: `${numberText(total)} ${noun}`, spoken: total === 1 ? 'One place here.' : `${total} places here.` };
}
