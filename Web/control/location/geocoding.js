// @ts-check
import { rest } from '../../app/rest/rest.js';
import { queryText } from '../panel/query.js';

/** @typedef {import('../control.d.ts').Candidate} Candidate */

/**
 * Places that answer to an address, best first.
 * @param {string} address
 * @param {{ isPartial?: boolean, limit?: number, signal?: AbortSignal }} [options] partial while it is being typed
 * @returns {Promise<Candidate[]>}
 */
export async function searchPlaces(address, { isPartial = false, limit = 8, signal } = {}) {
  const query = queryText(Object.entries({ q: address, limit: String(limit), language: navigator.language, ...(isPartial ? { partial: 'true' } : {}) }));
  return (await rest('GET', `/geocoding/search?${query}`, undefined, { signal })).candidates;
}

/**
 * Whose data candidates are, to be shown with them.
 * @param {Candidate[]} candidates
 */
export function creditOf(candidates) {
  return [...new Set(candidates.map(({ attribution }) => attribution))].join(' · ');
}
