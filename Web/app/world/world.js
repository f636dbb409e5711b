// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */

/**
 * @typedef {object} Stranger
 * @property {string} id
 * @property {{ latitude: number, longitude: number } | undefined} place
 * @property {[number, number][]} path where they have been since this page looks, longitude first
 * @property {number | undefined} time when they last moved, as seen here
 */

/** How many points of a stranger's path are kept. */
const PATH_AT_MOST = 500;

/** Everybody who is in the world now: whoever connects sees everyone else's pin until they leave. */
export class World {
  /** @type {Map<string, Stranger>} */
  strangers = new Map();
  /** This connection's own id. @type {string | undefined} */
  you;
  /** Whether a full answer has come on this connection. */
  isCurrent = false;

  /** @type {Set<string>} */
  #answered = new Set();

  /**
   * A frame of the answer. Who isn't in any of them is gone when the last has come.
   * @param {Frame} frame
   * @param {boolean} isFirst
   * @param {number} now
   * @returns {string[]} who left while nobody looked
   */
  answer(frame, isFirst, now) {
    if (isFirst) {
      this.isCurrent = false;
      this.#answered.clear();
    }
    this.you = frame.you ?? this.you;
    for (const { pin, at } of frame.pins) {
      this.#answered.add(pin);
      this.#move(pin, at, now);
    }
    if (!frame.current) return [];
    this.isCurrent = true;
    const gone = [...this.strangers.keys()].filter((id) => !this.#answered.has(id));
    for (const id of gone) this.strangers.delete(id);
    return gone;
  }

  /**
   * @param {Frame} frame `pin` or `gone`
   * @param {number} now
   * @returns {'came' | 'moved' | 'left' | undefined}
   */
  change(frame, now) {
    if (frame.type === 'gone') return this.strangers.delete(frame.pin) ? 'left' : undefined;
    if (frame.type !== 'pin') return undefined;
    const isKnown = this.strangers.has(frame.pin);
    this.#move(frame.pin, frame.at, now);
    return isKnown ? 'moved' : 'came';
  }

  /** The subscription is gone: nobody is seen any more. */
  clear() {
    this.strangers.clear();
    this.you = undefined;
    this.isCurrent = false;
  }

  /**
   * @param {string} id
   * @param {string | undefined} at
   * @param {number} now
   */
  #move(id, at, now) {
    const stranger = this.strangers.get(id) ?? { id, place: undefined, path: [], time: undefined };
    this.strangers.set(id, stranger);
    const place = at === undefined ? undefined : placeFrom(at);
    if (!place) return;
    const isSame = stranger.place?.latitude === place.latitude && stranger.place?.longitude === place.longitude;
    if (isSame) return;
    stranger.place = place;
    stranger.time = now;
    stranger.path.push([place.longitude, place.latitude]);
    if (stranger.path.length > PATH_AT_MOST) stranger.path.shift();
  }
}

/**
 * Two numbers with a comma between.
 * @param {string} at
 */
export function placeFrom(at) {
  const [latitude, longitude, surplus] = at.split(',').map(Number);
  const isPlace = surplus === undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude } : undefined;
}
