// @ts-check
import { drawFace, outlineIn } from '../map/pin-image.js';
import { element } from '../page/dom.js';
import { photos } from './photos.js';

/** @typedef {import('../map/pin-image.js').Look} Look */

/** What a face covers around its middle, in the pin's pixels. */
const HALF = 26;
const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

/** The head of somebody's pin, for a row: whoever has learned the map has learned the list. */
export class Face {
  element = element('canvas', { class: 'face', 'aria-hidden': 'true' });

  #drawn = '';

  /** @param {Omit<Look, 'photo' | 'course' | 'state'> & { state: Look['state'] | 'none', avatar?: string }} look */
  show({ state, color, initials, avatar }) {
    const photo = photos.get(avatar);
    const wanted = [state, color, initials, photo ? avatar : '', dark?.matches].join('|');
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    const ratio = Math.max(2, Math.ceil(devicePixelRatio));
    this.element.width = this.element.height = 2 * HALF * ratio;
    const context = this.element.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    context.translate(HALF, HALF);
    drawFace(context, { state, color, initials, photo }, outlineIn(Boolean(dark?.matches)));
  }
}
