// @ts-check

/** @typedef {import('../wire.d.ts').FreshnessState} State */

/**
 * How a head looks. Its shape alone says the freshness, so it is told apart without colors.
 * @typedef {object} Look
 * @property {State} state
 * @property {string} color the person's
 * @property {string} initials
 * @property {CanvasImageSource} [photo] shown in place of the initials while the person is heard of
 * @property {number} [course] in degrees, of somebody who moves
 * @property {boolean} [isCoarse] whether the place is known to half a kilometer at best, so that no tip points at it
 */

/** @typedef {{ ring: string, edge: string }} Outline around every head: a white ring, and an edge that holds on any ground */

const HEAD = 20;
const HEAD_OFFLINE = 17;
const HEAD_ENDED = 13;
/** From a head's middle to its tip, less the head's radius. */
const NECK = 13;
const QUIET = '#4b5761';
const INK = '#1b2630';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

/** What a pin's picture covers around its tip, and how far to each side. */
export const PIN_BOX = { left: 46, top: 80, width: 92, height: 98 };

/**
 * How far above the place the middle of a head is.
 * @param {State} state
 */
export function headHeight(state) {
  if (state === 'ended') return 0;
  return (state === 'offline' ? HEAD_OFFLINE : HEAD) + NECK;
}

/**
 * @param {boolean} dark
 * @returns {Outline}
 */
export function outlineIn(dark) {
  return dark ? { ring: '#f2f6f8', edge: '#06090c' } : { ring: '#ffffff', edge: '#1b2630' };
}

/**
 * A whole pin, with its tip at the origin.
 * @param {CanvasRenderingContext2D} context
 * @param {Look} look
 * @param {Outline} outline
 */
export function drawPin(context, look, outline) {
  const { state, color, course } = look;
  if (state === 'ended') {
    drawHead(context, look, outline, HEAD_ENDED);
    drawBadge(context, state, 12, 10, outline);
    return;
  }
  const radius = state === 'offline' ? HEAD_OFFLINE : HEAD;
  const middle = -(radius + NECK);
  if (course !== undefined) at(context, 0, middle, () => drawCourse(context, color, course, outline));
  const tail = tailOf(state, radius, middle);
  context.lineJoin = 'round';
  if (!look.isCoarse) {
    band(context, tail, outline.edge, 8.5);
    band(context, tail, outline.ring, 6);
  }
  at(context, 0, middle, () => drawHead(context, look, outline, radius));
  context.fillStyle = state === 'offline' ? outline.ring : color;
  if (!look.isCoarse) context.fill(tail);
  const [x, y] = state === 'offline' ? [13, 12] : [15, 14];
  drawBadge(context, state, x, middle + y, outline);
}

/**
 * A head alone, around the origin, as rows show it.
 * @param {CanvasRenderingContext2D} context
 * @param {Omit<Look, 'state'> & { state: State | 'none' }} look `none` for somebody who shows no position
 * @param {Outline} outline
 */
export function drawFace(context, look, outline) {
  if (look.state === 'none') return drawPlain(context, look);
  drawHead(context, /** @type {Look} */ (look), outline, HEAD);
  drawBadge(context, look.state, 15, 15, outline);
  return undefined;
}

/**
 * Somebody who shows no position: a disc without a ring.
 * @param {CanvasRenderingContext2D} context
 * @param {Omit<Look, 'state'>} look
 */
function drawPlain(context, { color, initials, photo }) {
  const shape = shapeOf('live', 24, 1);
  context.fillStyle = color;
  context.fill(shape);
  if (photo) drawPhoto(context, shape, photo, 24, 1);
  else drawInitials(context, initials, 16, '#ffffff');
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {() => void} draw
 */
function at(context, x, y, draw) {
  context.save();
  context.translate(x, y);
  draw();
  context.restore();
}

/**
 * A filled shape, made wider by a line around it.
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} shape
 * @param {string} color
 * @param {number} width
 */
function band(context, shape, color, width) {
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = width;
  context.fill(shape);
  context.stroke(shape);
}

/**
 * @param {State} state
 * @param {number} radius
 * @param {number} middle
 */
function tailOf(state, radius, middle) {
  const half = radius * 0.5;
  const path = new Path2D();
  path.moveTo(0, -1);
  if (state === 'paused') {
    path.lineTo(-half, middle + 18);
    path.lineTo(half, middle + 18);
  } else {
    path.lineTo(-half, middle + radius * 0.866);
    path.lineTo(half, middle + radius * 0.866);
  }
  path.closePath();
  return path;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Look} look
 * @param {Outline} outline
 * @param {number} radius
 */
function drawHead(context, look, outline, radius) {
  const { state, color, initials, photo } = look;
  const scale = radius / HEAD;
  const isQuiet = state === 'offline' || state === 'ended';
  const isHollow = isQuiet || state === 'stale';
  const shape = shapeOf(state, radius, scale);
  band(context, shape, outline.edge, 8.5 * scale);
  band(context, shape, outline.ring, 6 * scale);
  context.fillStyle = isHollow ? '#ffffff' : color;
  context.fill(shape);
  if (photo && !isQuiet) drawPhoto(context, shape, photo, radius, isHollow ? 0.45 : 1);
  if (state === 'slow') drawOrbit(context, color, radius, Boolean(photo));
  if (state === 'stale') circle(context, radius - 1.75 * scale, color, 3.5 * scale);
  if (state === 'offline') circle(context, radius - 1.25 * scale, QUIET, 2.5 * scale, [4 * scale, 3.8 * scale]);
  if (photo && !isQuiet) return;
  const size = isQuiet ? 12.5 : state === 'slow' ? 12 : 14;
  drawInitials(context, initials, size * scale, isQuiet ? QUIET : isHollow ? color : '#ffffff');
}

/**
 * @param {State} state
 * @param {number} radius
 * @param {number} scale
 */
function shapeOf(state, radius, scale) {
  const path = new Path2D();
  if (state === 'paused') path.roundRect(-18 * scale, -18 * scale, 36 * scale, 36 * scale, 9 * scale);
  else path.arc(0, 0, radius, 0, 2 * Math.PI);
  return path;
}

/**
 * A smaller core, and around it dots that wait to close.
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 * @param {number} radius
 * @param {boolean} hasPhoto
 */
function drawOrbit(context, color, radius, hasPhoto) {
  if (hasPhoto) {
    circle(context, radius * 0.91, '#ffffff', radius * 0.2);
  } else {
    disc(context, radius, '#ffffff');
    disc(context, radius * 0.8, color);
  }
  const scale = radius / HEAD;
  circle(context, radius, color, 2.6 * scale, [3.2 * scale, 3.1 * scale]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} shape
 * @param {CanvasImageSource} photo
 * @param {number} radius
 * @param {number} opacity
 */
function drawPhoto(context, shape, photo, radius, opacity) {
  context.save();
  context.clip(shape);
  context.globalAlpha = opacity;
  context.drawImage(photo, -radius, -radius, 2 * radius, 2 * radius);
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} initials
 * @param {number} size
 * @param {string} color
 */
function drawInitials(context, initials, size, color) {
  if (!initials) {
    disc(context, size * 0.4, color);
    return;
  }
  context.fillStyle = color;
  context.font = `700 ${initials.length > 2 ? size * 0.8 : size}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(initials, 0, size * 0.05);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 * @param {number} course
 * @param {Outline} outline
 */
function drawCourse(context, color, course, outline) {
  const arrow = new Path2D('M-8.5-24.5L0-37L8.5-24.5Q0-27.5-8.5-24.5Z');
  context.rotate((course * Math.PI) / 180);
  context.lineJoin = 'round';
  band(context, arrow, outline.edge, 6);
  band(context, arrow, outline.ring, 3.5);
  context.fillStyle = color;
  context.fill(arrow);
}

/** What stands in a badge, around its middle. @type {Partial<Record<State, string>>} */
const BADGES = {
  paused: 'M-2.4-3.5v7M2.4-3.5v7', ended: 'M-3-3h6v6h-6z', stale: 'M0-4v4.4l3 1.6', offline: 'M-2.8-2.8l5.6 5.6M2.8-2.8l-5.6 5.6',
};

/**
 * @param {CanvasRenderingContext2D} context
 * @param {State} state
 * @param {number} x
 * @param {number} y
 * @param {Outline} outline
 */
function drawBadge(context, state, x, y, { ring, edge }) {
  const symbol = BADGES[state];
  if (!symbol) return;
  at(context, x, y, () => {
    disc(context, 8.5, edge);
    disc(context, 7.25, ring);
    const path = new Path2D(symbol);
    context.strokeStyle = context.fillStyle = INK;
    context.lineWidth = 2.2;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.setLineDash([]);
    if (state === 'ended') context.fill(path);
    context.stroke(path);
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} radius
 * @param {string} color
 */
export function disc(context, radius, color) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} radius
 * @param {string} color
 * @param {number} width
 * @param {number[]} [dashes]
 */
function circle(context, radius, color, width, dashes = []) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineCap = 'butt';
  context.setLineDash(dashes);
  context.stroke();
  context.setLineDash([]);
}
