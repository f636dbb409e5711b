// @ts-check
/** @typedef {import('../wire.d.ts').Freshness} Freshness */
/** @typedef {import('../wire.d.ts').FreshnessState} State */

/** The states from the best to the worst: in this order labels give way, and in the reverse one heads cover each other. */
const ORDER = ['live', 'slow', 'stale', 'paused', 'offline', 'ended'];

/** How often a page reports, where nothing else is known. */
const GAP = 15_000;
const MINUTE = 60_000;

/**
 * How fresh a position is that the server says nothing of, by its age alone. The same thresholds as the server's, which
 * knows heartbeats too.
 * @param {number} time when the device was there
 * @param {number} [gap] the time between two reports, in milliseconds
 * @returns {Freshness}
 */
export function freshnessOfPosition(time, gap = GAP) {
  return {
    state: 'live', asOf: time, gap,
    changes: [
      { at: time + Math.max(MINUTE, 2 * gap), state: 'slow' },
      { at: time + Math.max(5 * MINUTE, 4 * gap), state: 'stale' },
      { at: time + Math.max(15 * MINUTE, 8 * gap), state: 'offline' },
    ],
  };
}

/**
 * The state that holds now: the one that was sent, or the last of the changes that have come by themselves since. So
 * a page that is cut off sees everybody grow stale.
 * @param {Freshness} freshness
 * @param {number} now by the server's clock
 * @returns {State}
 */
export function stateAt({ state, changes = [] }, now) {
  return changes.filter(({ at }) => at <= now).at(-1)?.state ?? state;
}

/**
 * When the state changes by itself the next time, or `undefined` if it stays.
 * @param {Freshness} freshness
 * @param {number} now
 */
export function nextChange({ changes = [] }, now) {
  return changes.find(({ at }) => at > now)?.at;
}

/**
 * Below 0 if the first state is the better one.
 * @param {State} a
 * @param {State} b
 */
export function compareStates(a, b) {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

/**
 * The share that says how fresh somebody is in a chat: the one the position names, else one that runs, else the newest.
 * @template {{ share: string, started: number, freshness: Freshness }} Share
 * @param {Share[]} shares of one person in one chat
 * @param {string | undefined} named by the newest position
 * @returns {Share | undefined}
 */
export function tellingShare(shares, named) {
  const running = shares.filter(({ freshness }) => freshness.state !== 'ended');
  return running.find(({ share }) => share === named)
    ?? running.sort((a, b) => b.freshness.asOf - a.freshness.asOf)[0]
    ?? shares.find(({ share }) => share === named)
    ?? [...shares].sort((a, b) => b.started - a.started)[0];
}

/**
 * Of somebody whose shares are all over: the one that ended last. Its positions may be erased while those of an earlier one are kept.
 * @template {{ share: string, started: number, freshness: Freshness }} Share
 * @param {Share[]} shares of one person in one chat
 * @returns {Share | undefined}
 */
export function lastEnded(shares) {
  return [...shares].sort((a, b) => b.freshness.asOf - a.freshness.asOf || b.started - a.started)[0];
}
