// @ts-check
import { Observable } from '../page/observable.js';

/** How many pictures are kept for drawing. */
const KEPT_AT_MOST = 300;

/** Pictures of people, for canvases. Observers are called when one has come. */
class Photos extends Observable {
  /** @type {Map<string, HTMLImageElement>} */
  #images = new Map();

  /**
   * A picture that can be drawn, or `undefined` while it isn't there, or where it lies on another server, who would learn
   * who looks at whom.
   * @param {string | undefined} source
   * @returns {HTMLImageElement | undefined}
   */
  get(source) {
    if (!source || !isOwn(source)) return undefined;
    const image = this.#images.get(source) ?? this.#load(source);
    return image.complete && image.naturalWidth > 0 ? image : undefined;
  }

  /** Nobody's pictures, once the person who saw them has gone. */
  clear() {
    this.#images.clear();
  }

  /** @param {string} source */
  #load(source) {
    const image = new Image();
    image.onload = () => this.changed();
    image.src = source;
    if (this.#images.size >= KEPT_AT_MOST) this.#images.delete([...this.#images.keys()][0]);
    this.#images.set(source, image);
    return image;
  }
}

export const photos = new Photos();

/**
 * Whether a picture is this server's: the page loads nothing from others.
 * @param {string} source
 */
export function isOwn(source) {
  try {
    return new URL(source, location.href).origin === location.origin;
  } catch {
    return false;
  }
}
