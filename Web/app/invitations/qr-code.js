// @ts-check

/**
 * Versions 1 to 10 at error correction level M: codewords in all, of these for correction in each block, and blocks.
 * ISO/IEC 18004:2015, table 9.
 */
const VERSIONS = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
];
/** Where the middles of alignment patterns are, by version. Annex E. */
const ALIGNMENTS = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * A text as a QR code of level M in byte mode, as rows of dark modules without the quiet zone.
 * @param {string} text
 * @returns {boolean[][] | undefined} `undefined` for more than 213 bytes
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((_, index) => bytes.length <= capacity(index + 1)) + 1;
  if (version === 0) return undefined;
  const codewords = interleaved(dataCodewords(bytes, version), version);
  const candidates = MASKS.map((_, mask) => drawn(version, codewords, mask));
  const penalties = candidates.map(penalty);
  return candidates[penalties.indexOf(Math.min(...penalties))];
}

/** @param {number} version */
function dataCount(version) {
  const [total, correction, blocks] = VERSIONS[version - 1];
  return total - correction * blocks;
}

/** How many bytes fit. @param {number} version */
function capacity(version) {
  return dataCount(version) - (version < 10 ? 2 : 3);
}

/**
 * Mode, length, bytes, terminator and padding. Section 7.4.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function dataCodewords(bytes, version) {
  const count = version < 10 ? [bytes.length] : [bytes.length >> 8, bytes.length & 255];
  // The mode's four bits shift everything behind them by half a byte; the terminator fills the last half.
  const shifted = [...count, ...bytes, 0];
  const codewords = shifted.map((byte, index) => (((index === 0 ? 4 : shifted[index - 1]) << 4) | (byte >> 4)) & 255);
  for (let index = 0; codewords.length < dataCount(version); index += 1) codewords.push(index % 2 === 0 ? 0xec : 0x11);
  return codewords;
}

/**
 * Blocks with their correction, a codeword of each in turn. Section 7.6.
 * @param {number[]} data
 * @param {number} version
 */
function interleaved(data, version) {
  const [, correction, count] = VERSIONS[version - 1];
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  const generator = generatorOf(correction);
  const blocks = [];
  for (let index = 0, start = 0; index < count; index += 1) {
    const length = short + (index >= count - long ? 1 : 0);
    const block = data.slice(start, start + length);
    blocks.push({ block, rest: remainder(block, generator) });
    start += length;
  }
  const inTurn = (/** @type {number[][]} */ lists) => Array.from({ length: Math.max(...lists.map(({ length }) => length)) },
    (_, index) => lists.flatMap((list) => (index < list.length ? [list[index]] : []))).flat();
  return [...inTurn(blocks.map(({ block }) => block)), ...inTurn(blocks.map(({ rest }) => rest))];
}

/**
 * A product in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1.
 * @param {number} a
 * @param {number} b
 */
function product(a, b) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    result ^= ((b >> bit) & 1) * a;
  }
  return result;
}

/**
 * The Reed–Solomon generator's coefficients behind the first, which is 1.
 * @param {number} degree
 */
function generatorOf(degree) {
  const result = [...new Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) {
      result[index] = product(result[index], root) ^ (index + 1 < degree ? result[index + 1] : 0);
    }
    root = product(root, 2);
  }
  return result;
}

/**
 * @param {number[]} data
 * @param {number[]} generator
 */
function remainder(data, generator) {
  const result = new Array(generator.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    generator.forEach((coefficient, index) => { result[index] ^= product(coefficient, factor); });
  }
  return result;
}

/**
 * @param {number} version
 * @param {number[]} codewords
 * @param {number} mask
 */
function drawn(version, codewords, mask) {
  const size = 17 + 4 * version;
  /** Modules whose place has a fixed meaning are there before the data. @type {(boolean | undefined)[][]} */
  const grid = Array.from({ length: size }, () => new Array(size).fill(undefined));
  drawPatterns(grid, version);
  drawFormat(grid, mask);
  if (version >= 7) drawVersion(grid, version);
  drawData(grid, codewords, mask);
  return /** @type {boolean[][]} */ (grid);
}

/**
 * Timing, finders and alignments. Section 6.3.
 * @param {(boolean | undefined)[][]} grid
 * @param {number} version
 */
function drawPatterns(grid, version) {
  const size = grid.length;
  for (let index = 0; index < size; index += 1) grid[6][index] = grid[index][6] = index % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) drawSquares(grid, x, y, 4, [2, 4]);
  const middles = ALIGNMENTS[version - 1];
  const last = middles.length - 1;
  middles.forEach((y, row) => middles.forEach((x, column) => {
    const isFinder = (row === 0 && (column === 0 || column === last)) || (row === last && column === 0);
    if (!isFinder) drawSquares(grid, x, y, 2, [1]);
  }));
}

/**
 * Squares around a middle, dark but for the rings of the light radii.
 * @param {(boolean | undefined)[][]} grid
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number[]} light
 */
function drawSquares(grid, x, y, radius, light) {
  for (let dy = -radius; dy <= radius; dy += 1) {
    for (let dx = -radius; dx <= radius; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      if (grid[y + dy] && x + dx >= 0 && x + dx < grid.length) grid[y + dy][x + dx] = !light.includes(ring);
    }
  }
}

/**
 * Level M and the mask, with their own correction, twice. Section 7.9.
 * @param {(boolean | undefined)[][]} grid
 * @param {number} mask
 */
function drawFormat(grid, mask) {
  const size = grid.length;
  const bits = ((mask << 10) | binaryRemainder(mask, 10, 0x537)) ^ 0x5412;
  const bit = (/** @type {number} */ index) => ((bits >> index) & 1) === 1;
  // Beside the upper left finder, around its corner and over the timing patterns.
  for (let index = 0; index < 8; index += 1) grid[index < 6 ? index : index + 1][8] = bit(index);
  for (let index = 8; index < 15; index += 1) grid[8][index === 8 ? 7 : 14 - index] = bit(index);
  for (let index = 0; index < 8; index += 1) grid[8][size - 1 - index] = bit(index);
  for (let index = 8; index < 15; index += 1) grid[size - 15 + index][8] = bit(index);
  grid[size - 8][8] = true;
}

/**
 * Section 7.10.
 * @param {(boolean | undefined)[][]} grid
 * @param {number} version
 */
function drawVersion(grid, version) {
  const size = grid.length;
  const bits = (version << 12) | binaryRemainder(version, 12, 0x1f25);
  for (let index = 0; index < 18; index += 1) {
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
    grid[a][b] = grid[b][a] = ((bits >> index) & 1) === 1;
  }
}

/**
 * @param {number} value
 * @param {number} degree
 * @param {number} generator
 */
function binaryRemainder(value, degree, generator) {
  let rest = value;
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator);
  return rest;
}

/**
 * Codewords in columns of two, upward and downward in turn, in what is free. Section 7.7.3.
 * @param {(boolean | undefined)[][]} grid
 * @param {number[]} codewords
 * @param {number} mask
 */
function drawData(grid, codewords, mask) {
  const size = grid.length;
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] !== undefined) continue;
        const bit = ((codewords[next >> 3] ?? 0) >> (7 - (next & 7))) & 1;
        grid[y][x] = (bit === 1) !== MASKS[mask](x, y);
        next += 1;
      }
    }
  }
}

/**
 * How hard a code is to read. Section 7.8.3.
 * @param {boolean[][]} grid
 */
function penalty(grid) {
  const size = grid.length;
  const columns = grid.map((_, x) => grid.map((row) => row[x]));
  let sum = [...grid, ...columns].reduce((total, line) => total + linePenalty(line), 0);
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const dark = grid[y][x];
      if (dark === grid[y][x - 1] && dark === grid[y - 1][x] && dark === grid[y - 1][x - 1]) sum += 3;
    }
  }
  const share = (100 * grid.flat().filter(Boolean).length) / size ** 2;
  return sum + 10 * Math.floor(Math.abs(share - 50) / 5);
}

/** @param {boolean[]} line */
function linePenalty(line) {
  const text = line.map((dark) => (dark ? '1' : '0')).join('');
  const runs = (text.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  const finders = [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
  return runs + 40 * finders;
}
