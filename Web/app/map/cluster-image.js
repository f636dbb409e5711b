// @ts-check
import { disc } from './pin-image.js';

/** @typedef {import('../wire.d.ts').FreshnessState} State */

/** How far a cluster's disc reaches from its middle. */
export const CLUSTER_RADIUS = 26.5;

const ARC_RADIUS = 19;
const GAP = 0.16;
/** One arc a person up to here; more are joined by state. */
const ARCS_AT_MOST = 8;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

/**
 * Several people at one place, around the origin: the number, and around it an arc for each, dashed where not live.
 * @param {CanvasRenderingContext2D} context
 * @param {{ color: string, state: State }[]} members
 * @param {import('./pin-image.js').Outline} outline
 */
export function drawCluster(context, members, { edge }) {
  disc(context, CLUSTER_RADIUS, edge);
  disc(context, CLUSTER_RADIUS - 1.25, '#ffffff');
  let from = -Math.PI / 2;
  for (const { share, color, dashes } of arcsOf(members)) {
    const angle = share * 2 * Math.PI;
    drawArc(context, from + GAP / 2, from + Math.max(GAP / 2 + 0.05, angle - GAP / 2), color, dashes);
    from += angle;
  }
  context.fillStyle = '#16202a';
  context.font = `750 ${members.length > 99 ? 13 : 17}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(members.length), 0, 1);
}

/**
 * @param {{ color: string, state: State }[]} members
 * @returns {{ share: number, color: string, dashes: number[] }[]}
 */
export function arcsOf(members) {
  if (members.length <= ARCS_AT_MOST) {
    return members.map(({ color, state }) => ({ share: 1 / members.length, color, dashes: state === 'live' ? [] : [3, 2.5] }));
  }
  const live = members.filter(({ state }) => state === 'live').length;
  const gone = members.filter(({ state }) => state === 'offline' || state === 'ended').length;
  const kinds = [
    { count: live, color: '#0f6a73', dashes: [] },
    { count: members.length - live - gone, color: '#52606b', dashes: [3, 2.5] },
    { count: gone, color: '#7d8993', dashes: [1.5, 4] },
  ];
  return kinds.filter(({ count }) => count > 0).map(({ count, color, dashes }) => ({ share: count / members.length, color, dashes }));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} from
 * @param {number} to
 * @param {string} color
 * @param {number[]} dashes
 */
function drawArc(context, from, to, color, dashes) {
  context.beginPath();
  context.arc(0, 0, ARC_RADIUS, from, to);
  context.strokeStyle = color;
  context.lineWidth = 6;
  context.lineCap = 'butt';
  context.setLineDash(dashes);
  context.stroke();
  context.setLineDash([]);
}
