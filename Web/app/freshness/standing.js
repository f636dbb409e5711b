// @ts-check
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

/**
 * What can be said of a person at one moment. `live`: their position is of now. `heard`: they share, and were last heard of `at` that time.
 * `paused` and `ended`: since `at`. `none`: they share nothing, by the server's word. `unknown`: neither their position nor that there is
 * none is known. Times are in milliseconds since 1970, by the server's clock.
 *
 * @typedef {{ kind: 'live' } | { kind: 'heard', at: number } | { kind: 'paused', at: number } | { kind: 'ended', at: number, arrived: boolean }
 *   | { kind: 'none' } | { kind: 'unknown' }} Standing
 */

/**
 * Counts of people, by the kind of their standing; `newest` is the latest time `at` of those with the kind `heard`.
 *
 * @typedef {{ live: number, heard: number, newest: number | undefined, paused: number, unknown: number }} Summary
 */

/**
 * Says how a person stands. Pin, row, callout, list and spoken words all come from it, so that none of them contradicts another one. Nothing
 * known is taken for nothing shared only where the server has answered on the present connection.
 * @param {PersonNow | undefined} person `undefined` where neither a share nor a position of the person is known
 * @param {{ isCurrent: boolean }} source whether the connection is open and all shares and last positions of the chat were answered on it
 * @returns {Standing}
 */
export function standingOf(person, { isCurrent }) {
  if (!person) return { kind: isCurrent ? 'none' : 'unknown' };
  const { state, heard, since, until, arrived, isPlaced } = person;
  if (state === 'ended') return { kind: 'ended', at: until ?? heard, arrived: arrived ?? false };
  if (state === 'paused') return { kind: 'paused', at: since ?? heard };
  if (!isPlaced) return { kind: 'unknown' };
  return state === 'live' ? { kind: 'live' } : { kind: 'heard', at: heard };
}

/**
 * Counts people by the kind of their standing. People whose share ended and people without one aren't counted.
 * @param {Iterable<Standing>} standings
 * @returns {Summary}
 */
export function summaryOf(standings) {
  /** @type {Summary} */
  const summary = { live: 0, heard: 0, newest: undefined, paused: 0, unknown: 0 };
  for (const standing of standings) {
    if (standing.kind === 'ended' || standing.kind === 'none') continue;
    summary[standing.kind] += 1;
    if (standing.kind === 'heard') summary.newest = Math.max(summary.newest ?? 0, standing.at);
  }
  return summary;
}
