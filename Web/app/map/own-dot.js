// @ts-check
import { coarseText } from '../freshness/person-text.js';
import { say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */

/** The key of the reader's dot where it isn't the reader's pin: in the world, where nobody has a name, and beside another device's pin. */
export const OWN_DOT = 'you';

/**
 * Adds the reader to the pins of the others. Where this device is stands a dot, red only while others see this device there. What another device
 * of the reader's shares is a pin, with the reader's face.
 * @param {Map<string, MapPin>} pins of everybody, with the reader's last shared position
 * @param {object} known
 * @param {import('../wire.d.ts').User} known.user
 * @param {import('../wire.d.ts').Fix | undefined} known.fix where this device is, if that is known
 * @param {boolean} known.isOfOtherDevice whether the reader's pin is of a running share of another device
 * @param {boolean} known.isPaused whether a share of this browser is paused in what the map shows
 * @param {boolean} known.isSeen whether others see this device's position
 * @returns {string} the key of the dot
 */
export function addOwnDot(pins, { user, fix, isOfOtherDevice, isPaused, isSeen }) {
  const pin = pins.get(user.id);
  const dot = isSeen && !isPaused ? 'sharing' : 'quiet';
  const key = isOfOtherDevice ? OWN_DOT : user.id;
  const paused = isPaused ? say('chats.youPaused') : undefined;
  if (pin && isOfOtherDevice) pins.set(user.id, { ...pin, age: [pin.age, say('sharing.elsewhere')].filter(Boolean).join(' · ') });
  if (fix) {
    pins.set(key, {
      ...(isOfOtherDevice ? {} : pin), key, latitude: Number(fix.latitude), longitude: Number(fix.longitude), color: pin?.color ?? '#0f6a73', initials: '', name: user.name,
      time: fix.time, accuracy: fix.accuracy, own: true, state: 'live', age: paused ?? coarseText(fix.accuracy), dot, course: undefined,
    });
  } else if (pin && !isOfOtherDevice && (isSeen || isPaused)) {
    Object.assign(pin, { dot, age: paused, course: undefined });
  }
  return key;
}
