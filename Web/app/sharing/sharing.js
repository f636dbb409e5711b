// @ts-check
/** @typedef {import('../wire.d.ts').Fix} Fix */

/** The world's name among the places shared in; chats go by their ids, which are digits. */
export const WORLD = 'world';

/** A position is sent after so many meters, or after a turn of so many degrees and a few meters. */
const STEP = 20;
const TURN = 30;
const STEP_IN_TURN = 5;
/** A fix this much surer than the one sent is sent, too: the first ones indoors are kilometers wide. */
const SURER = 0.5;
const COARSE = 50;
const METERS_A_DEGREE = 111_320;

/**
 * Which of this device's fixes go where. Says what to send; no sensor and no socket inside, and where it is shared is known elsewhere.
 *
 * The first fix goes to every place shared in, later ones after 20 m or a change of course since what was last sent
 * *there*; a place shared in later gets the last fix at once; when nothing is shared, nothing is kept.
 */
export class Sharing {
  /** Whether this tab reports anywhere. */
  isOn = false;
  /** @type {Fix | undefined} */
  lastFix;

  /** @type {string[]} */
  #places = [];
  /** @type {Map<string, Fix>} */
  #lastSent = new Map();

  /**
   * From now on the fixes go to these places.
   * @param {string[]} places
   * @returns {{ place: string, fix: Fix }[]} what to send
   */
  report(places) {
    this.#places = places;
    this.isOn = places.length > 0;
    for (const place of [...this.#lastSent.keys()]) if (!places.includes(place)) this.#lastSent.delete(place);
    if (!this.isOn) this.lastFix = undefined;
    return this.#due(places.filter((place) => !this.#lastSent.has(place)));
  }

  /**
   * @param {Fix} fix
   * @returns {{ place: string, fix: Fix }[]} what to send
   */
  fix(fix) {
    if (!this.isOn) return [];
    this.lastFix = fix;
    return this.#due(this.#places);
  }

  /**
   * A place that has forgotten this device, as the world does at each connection, gets the last fix again.
   * @param {string} place
   */
  forgotten(place) {
    this.#lastSent.delete(place);
    return this.#places.includes(place) ? this.#due([place]) : [];
  }

  /** @param {string[]} places */
  #due(places) {
    const fix = this.lastFix;
    if (!fix) return [];
    const due = places.filter((place) => isNews(fix, this.#lastSent.get(place)));
    for (const place of due) this.#lastSent.set(place, fix);
    return due.map((place) => ({ place, fix }));
  }
}

/**
 * @param {Fix} fix
 * @param {Fix | undefined} sent
 */
function isNews(fix, sent) {
  if (!sent) return true;
  const moved = meters(fix, sent);
  if (moved >= STEP) return true;
  if (fix.accuracy !== undefined && sent.accuracy !== undefined && sent.accuracy > COARSE && fix.accuracy < sent.accuracy * SURER) return true;
  return moved >= STEP_IN_TURN && fix.course !== undefined && sent.course !== undefined && turn(fix.course, sent.course) >= TURN;
}

/**
 * About how far two fixes are apart.
 * @param {Fix} a
 * @param {Fix} b
 */
function meters(a, b) {
  const apart = Math.abs(Number(a.longitude) - Number(b.longitude));
  const east = Math.min(apart, 360 - apart) * Math.cos((Number(a.latitude) * Math.PI) / 180);
  return Math.hypot(east, Number(a.latitude) - Number(b.latitude)) * METERS_A_DEGREE;
}

/**
 * @param {number} a
 * @param {number} b
 */
function turn(a, b) {
  const between = Math.abs(a - b) % 360;
  return Math.min(between, 360 - between);
}
