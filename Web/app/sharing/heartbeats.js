// @ts-check
import { heartbeatFix } from './fix.js';
import { METERS_NEARBY, meters } from './sharing.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */
/** @typedef {{ share?: string, fix?: Fix, battery?: number, charging?: boolean }} Report */

/** After how many heartbeats the battery is sent again: every five minutes. */
const REPETITION = 20;

/**
 * What the server has of this browser's reports, so that heartbeats leave it out: the coordinates of a fix near the last one sent, and
 * a battery as in an earlier heartbeat on the same connection.
 */
export class Heartbeats {
  /** @type {object | undefined} */
  #connection;
  /** @type {Map<string, { battery?: number, charging?: boolean, repetitions: number }>} */
  #batteries = new Map();

  /**
   * @param {string} chat
   * @param {Report} report
   * @param {Fix | undefined} sent the last fix sent into the chat
   * @param {object | undefined} connection the server's greeting: another one begins anew
   * @returns {object} the heartbeat's members
   */
  news(chat, { share, fix, battery, charging }, sent, connection) {
    if (connection !== this.#connection) this.#batteries.clear();
    this.#connection = connection;
    return {
      ...(share === undefined ? {} : { share }),
      ...(fix === undefined ? {} : { fix: newsOfFix(fix, sent) }),
      ...(battery === undefined || this.#isKnown(`${chat} ${share}`, battery, charging) ? {} : { battery, charging }),
    };
  }

  /**
   * @param {string} place
   * @param {number} battery
   * @param {boolean | undefined} charging
   */
  #isKnown(place, battery, charging) {
    const last = this.#batteries.get(place);
    const isKnown = last !== undefined && last.battery === battery && last.charging === charging && last.repetitions < REPETITION;
    this.#batteries.set(place, { battery, charging, repetitions: isKnown ? last.repetitions + 1 : 0 });
    return isKnown;
  }
}

/**
 * The server takes a fix without coordinates for one near the last position.
 * @param {Fix} fix
 * @param {Fix | undefined} sent
 */
function newsOfFix(fix, sent) {
  const isNear = sent !== undefined && meters(fix, sent) <= Math.max(METERS_NEARBY, fix.accuracy ?? 0);
  return isNear ? { time: fix.time } : heartbeatFix(fix);
}
