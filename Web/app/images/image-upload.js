// @ts-check
import { refusalIn, unreachable } from '../rest/rest.js';
import { say } from '../words/words.js';
import { jpegOrientation } from './jpeg-orientation.js';

/** How many pixels a photo has along its longer side at most, and a person's picture along each. */
const PHOTO_SIDE = 1_600;
const AVATAR_SIDE = 256;
const QUALITY = 0.82;
/** How many bytes the server takes, of an image as it was chosen. */
const BYTES_AT_MOST = 2 * 1_048_576;

/** @typedef {{ image: string, width: number, height: number }} SentImage what the server keeps */

/**
 * Sends a photo for a message, made small here; its place and all else that the phone wrote into it stays here.
 * @param {Blob} file
 * @returns {Promise<SentImage>}
 */
export async function sendPhoto(file) {
  return sent(await drawn(file, ({ width, height }) => {
    const scale = Math.min(1, PHOTO_SIDE / Math.max(width, height));
    return { from: [0, 0, width, height], to: [Math.round(width * scale) || 1, Math.round(height * scale) || 1] };
  }));
}

/**
 * Sends a person's picture: the middle of it, as a square.
 * @param {Blob} file
 * @returns {Promise<SentImage>}
 */
export async function sendAvatar(file) {
  return sent(await drawn(file, ({ width, height }) => {
    const side = Math.min(width, height);
    return { from: [(width - side) / 2, (height - side) / 2, side, side], to: [AVATAR_SIDE, AVATAR_SIDE] };
  }));
}

/**
 * @param {string} image
 * @returns {string} where an image is
 */
export function imagePath(image) {
  return `/v1/images/${encodeURIComponent(image)}`;
}

/**
 * Draws a picture anew, upright: nothing of the file but its pixels goes on. Where the browser hides what is drawn, a JPEG goes on as it
 * was chosen: the server takes everything but its pixels away.
 * @param {Blob} file
 * @param {(size: { width: number, height: number }) => { from: number[], to: number[] }} fit
 * @returns {Promise<Blob>}
 */
async function drawn(file, fit) {
  if (!isDrawingKept()) return asChosen(file);
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(say('images.unreadable'));
  });
  const { from: [x, y, width, height], to: [wide, high] } = fit(picture);
  const canvas = new OffscreenCanvas(wide, high);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  // What is transparent would become black in a JPEG.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, wide, high);
  context.drawImage(picture, x, y, width, height, 0, 0, wide, high);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/**
 * Whether what is drawn can be read again. A browser that guards against recognition gives other colors: a photo would arrive as a
 * rectangle of one color.
 */
function isDrawingKept() {
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(2, 1).getContext('2d'));
  const colors = [[200, 30, 90], [10, 160, 220]];
  colors.forEach((color, x) => {
    context.fillStyle = `rgb(${color.join(' ')})`;
    context.fillRect(x, 0, 1, 1);
  });
  const { data } = context.getImageData(0, 0, 2, 1);
  return colors.flat().every((value, index) => Math.abs(data[index + Math.floor(index / 3)] - value) <= 2);
}

/**
 * A file as it was chosen, where it is one that the server shows upright.
 * @param {Blob} file
 */
async function asChosen(file) {
  if (file.type !== 'image/jpeg' || jpegOrientation(await file.arrayBuffer()) !== 1) throw new Error(say('images.hidden'));
  if (file.size > BYTES_AT_MOST) throw new Error(say('images.hiddenTooLarge'));
  return file;
}

/**
 * @param {Blob} file
 * @returns {Promise<SentImage>}
 */
async function sent(file) {
  const headers = { 'Content-Type': file.type };
  const response = await fetch('/v1/images', { method: 'POST', headers, body: file, credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  const text = await response.text();
  if (!response.ok) throw refusalIn(response.status, text, response.headers.get('Content-Type'));
  return JSON.parse(text);
}
