// @ts-check
import { OVERVIEW_MESSAGES, OVERVIEW_POINTS } from './bounds.js';

/** How far in meters a position that the server leaves out may lie from its line. */
const TOLERANCE = 50;

/** @typedef {{ user: string, points: [time: number, latitude: number, longitude: number][] }} Track */

/**
 * Simplified lines of where people were, drawn until the positions themselves have come. No connection inside.
 *
 * A line doesn't say which positions it is of, so all of them go as soon as any position may no longer be read.
 */
export class Overview {
  /** @type {Map<string, [longitude: number, latitude: number][]>} */
  lines = new Map();
  /** How often they have changed. */
  revision = 0;

  #chat;
  /** @type {number | undefined} */
  #since;
  #points = 0;

  /**
   * @param {string} chat
   * @param {number} through the chat's highest number
   */
  constructor(chat, through) {
    this.#chat = chat;
    this.#since = Math.max(0, through - OVERVIEW_MESSAGES);
  }

  /** What to ask next; `undefined` for nothing. */
  get path() {
    if (this.#since === undefined) return undefined;
    return `/chats/${encodeURIComponent(this.#chat)}/tracks?tolerance=${TOLERANCE}&since=${this.#since}`;
  }

  /** @param {{ tracks: Track[], next?: number }} answer */
  answered({ tracks, next }) {
    if (this.#since === undefined) return;
    for (const { user, points } of tracks) {
      const line = this.lines.get(user) ?? [];
      for (const [, latitude, longitude] of points) line.push([longitude, latitude]);
      this.lines.set(user, line);
      this.#points += points.length;
    }
    this.#since = this.#points < OVERVIEW_POINTS ? next : undefined;
    this.revision += 1;
  }

  /** Lets go of all lines, and asks for none any more. */
  end() {
    this.#since = undefined;
    if (this.lines.size === 0) return;
    this.lines = new Map();
    this.revision += 1;
  }
}
