// @ts-check
import { numberText } from '../page/numbers.js';
import { say } from '../words/words.js';

/**
 * How many places are shown, and of how many.
 * @param {{ listed: number, total: number }} count
 * @returns {{ shown: string, spoken: string }} for the eye, and for a voice, which reads plain digits best
 */
export function countText({ listed, total }) {
  if (total === 0) return { shown: say('places.noneHere'), spoken: say('places.noneHereSpoken') };
  if (listed < total) {
    return {
      shown: say('places.some', { listed: numberText(listed), total: numberText(total) }),
      spoken: say('places.someSpoken', { listed: String(listed), total: String(total) }),
    };
  }
  return {
    shown: say('places.all', { count: total, total: numberText(total) }),
    spoken: say('places.allSpoken', { count: total, total: String(total) }),
  };
}
