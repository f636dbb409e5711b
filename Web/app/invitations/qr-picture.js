// @ts-check
import { qrCode } from './qr-code.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Modules of light around a code, which readers need. */
const QUIET = 4;

/**
 * A text as a picture that a phone's camera reads; black on white in the dark, too.
 * @param {string} text
 * @param {string} label
 * @returns {SVGElement | undefined} `undefined` for a text that is too long
 */
export function qrPicture(text, label) {
  const modules = qrCode(text);
  if (!modules) return undefined;
  const size = modules.length + 2 * QUIET;
  const svg = made('svg', { viewBox: `0 0 ${size} ${size}`, class: 'qr-code', role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' });
  svg.append(made('rect', { width: size, height: size, fill: '#ffffff' }), made('path', { d: pathOf(modules), fill: '#000000' }));
  return svg;
}

/** @param {boolean[][]} modules */
function pathOf(modules) {
  return modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join('');
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
function made(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
