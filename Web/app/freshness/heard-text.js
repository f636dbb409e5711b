// @ts-check
import { ageText, dayText } from './age.js';

/** From this age on a time of day says more than hours do, in milliseconds. */
const BY_CLOCK = 12 * 3_600_000;

/**
 * The two ways to say when somebody was last heard of: so long ago, or, after half a day, at a time.
 * @param {number} at
 * @param {number} now
 * @returns {{ age: string } | { time: string }} values for a text that ends with *Ago*, or with *At*
 */
export function heard(at, now) {
  return now - at < BY_CLOCK ? { age: ageText(at, now) } : { time: dayText(at, now) };
}

/**
 * Which of two texts says it.
 * @template {string} Ago
 * @template {string} At
 * @param {{ age: string } | { time: string }} values
 * @param {Ago} ago
 * @param {At} at
 */
export function heardKey(values, ago, at) {
  return 'age' in values ? ago : at;
}
