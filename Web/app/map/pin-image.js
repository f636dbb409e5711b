// @ts-check
import { inkOn } from '../people/color.js';

/** How large a pin is, in pixels of the page. */
const WIDTH = 40;
const HEIGHT = 50;

/**
 * The name of a pin's picture; {@link drawPin} reads it.
 * @param {import('../wire.d.ts').MapPin} pin
 * @param {boolean} isSelected
 */
export function pinImageName({ color, initials }, isSelected) {
  return ['pin', color, isSelected ? 'selected' : '', initials].join('|');
}

/**
 * A drop in the person's color with their initials.
 * @param {string} name as {@link pinImageName} made it
 * @param {number} ratio of device to page pixels
 * @returns {ImageData | undefined} `undefined` if it isn't a pin's name
 */
export function drawPin(name, ratio) {
  const [kind, color, state, initials] = name.split('|');
  if (kind !== 'pin') return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.scale(ratio, ratio);
  drawDrop(context, color, state === 'selected');
  drawInitials(context, initials, inkOn(color));
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 * @param {boolean} isSelected
 */
function drawDrop(context, color, isSelected) {
  const radius = isSelected ? 17 : 15;
  const middle = WIDTH / 2;
  context.shadowColor = 'rgba(10, 20, 35, 0.45)';
  context.shadowBlur = 5;
  context.shadowOffsetY = 1.5;
  context.beginPath();
  context.moveTo(middle, HEIGHT - 4);
  context.bezierCurveTo(middle - 3, HEIGHT - 11, middle - radius, 34, middle - radius, 20);
  context.arc(middle, 20, radius, Math.PI, 0);
  context.bezierCurveTo(middle + radius, 34, middle + 3, HEIGHT - 11, middle, HEIGHT - 4);
  context.closePath();
  context.fillStyle = color;
  context.fill();
  context.shadowColor = 'transparent';
  context.lineWidth = isSelected ? 3.5 : 2.5;
  context.strokeStyle = '#ffffff';
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} initials
 * @param {string} ink
 */
function drawInitials(context, initials, ink) {
  context.fillStyle = ink;
  if (!initials) {
    context.beginPath();
    context.arc(WIDTH / 2, 20, 5, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  context.font = `600 ${initials.length > 2 ? 10.5 : 13}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(initials, WIDTH / 2, 20.5);
}
