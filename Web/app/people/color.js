// @ts-check

const SATURATIONS = [0.70, 0.55, 0.85];
const LIGHTNESSES = [0.42, 0.32, 0.52];

/**
 * The color that every client draws for a participant: hues turn by the golden angle. The same numbers as
 * `ParticipantColor` in Swift.
 * @param {number} index the participant's color, from 0
 */
export function participantColor(index) {
  const from0 = Math.max(0, index);
  return {
    hue: (210 + from0 * 137.50776405003785) % 360,
    saturation: SATURATIONS[Math.floor(from0 / 12) % 3],
    lightness: LIGHTNESSES[Math.floor(from0 / 36) % 3],
  };
}

/**
 * A participant's color as `#rrggbb`, which style sheets, canvases and the map all read alike.
 * @param {number} index
 */
export function hexColor(index) {
  const { hue, saturation, lightness } = participantColor(index);
  const channel = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/**
 * White or near-black, whichever reads better on a color.
 * @param {string} hex
 */
export function inkOn(hex) {
  return 1.05 / (luminance(hex) + 0.05) >= 4.5 ? '#ffffff' : '#0d1117';
}

/**
 * Relative luminance as in WCAG 2.
 * @param {string} hex
 */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * A color index for somebody without one: a stranger in the world.
 * @param {string} id
 */
export function indexOfStranger(id) {
  let hash = 7;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return hash % 36;
}
