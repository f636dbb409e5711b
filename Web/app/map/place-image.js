// @ts-check
import { inkOn } from '../people/color.js';

/** How large a place's square is, in pixels of the page, and what its picture has around it: no more, or names keep away. */
const SIDE = 22;
const SIDE_SELECTED = 32;
const MARGIN = 3.5;

/**
 * The name of a place's picture; {@link drawPlace} reads it.
 * @param {import('../wire.d.ts').MapPlace} place
 * @param {boolean} isSelected
 */
export function placeImageName({ color, letter }, isSelected) {
  return ['place', color, isSelected ? 'selected' : '', letter].join('|');
}

/**
 * A rounded square in the kind's color with its letter: people are drops, so nobody is taken for a café.
 * @param {string} name as {@link placeImageName} made it
 * @param {number} ratio of device to page pixels
 * @returns {ImageData | undefined} `undefined` if it isn't a place's name
 */
export function drawPlace(name, ratio) {
  const [kind, color, state, letter] = name.split('|');
  if (kind !== 'place') return undefined;
  const side = state === 'selected' ? SIDE_SELECTED : SIDE;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = (side + 2 * MARGIN) * ratio;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.scale(ratio, ratio);
  drawSquare(context, color, side);
  drawLetter(context, letter, inkOn(color), side);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 * @param {number} side
 */
function drawSquare(context, color, side) {
  context.shadowColor = 'rgba(10, 20, 35, 0.4)';
  context.shadowBlur = 4;
  context.shadowOffsetY = 1;
  context.beginPath();
  context.roundRect(MARGIN, MARGIN, side, side, side * 0.3);
  context.fillStyle = color;
  context.fill();
  context.shadowColor = 'transparent';
  context.lineWidth = side > SIDE ? 3 : 2;
  context.strokeStyle = '#ffffff';
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} letter
 * @param {string} ink
 * @param {number} side
 */
function drawLetter(context, letter, ink, side) {
  context.fillStyle = ink;
  context.font = `700 ${Math.round(side * 0.55)}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(letter, MARGIN + side / 2, MARGIN + side * 0.54);
}
