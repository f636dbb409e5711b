// @ts-check

/**
 * Linear light as it is seen without cones for green: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, *A
 * Physiologically-based Model for Simulation of Color Vision Deficiency* (2009), at full severity.
 */
const SEEN = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.011820, 0.042940, 0.968881],
];
/** Two colors nearer to each other than this in Oklab are taken for one. About ten of one lightness lie farther apart. */
const APART = 0.04;

/**
 * Whether a viewer with deuteranopia, the most common color blindness, can hardly tell two colors apart.
 * @param {string} one as `#rrggbb`
 * @param {string} other
 */
export function areAlike(one, other) {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < APART;
}

/** @type {Map<string, number[]>} */
const known = new Map();

/**
 * A color as it is seen, in Oklab (B. Ottosson, 2020).
 * @param {string} hex
 */
function labOf(hex) {
  const made = known.get(hex) ?? oklab(seen(hex));
  known.set(hex, made);
  return made;
}

/** @param {string} hex */
function seen(hex) {
  const light = [1, 3, 5].map((start) => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return SEEN.map((row) => Math.min(1, Math.max(0, row[0] * light[0] + row[1] * light[1] + row[2] * light[2])));
}

/** @param {number[]} light */
function oklab([red, green, blue]) {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
  ];
}
