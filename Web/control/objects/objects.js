// @ts-check
import { rest, restText } from '../../app/rest/rest.js';
import { listQuery } from './conditions.js';
import { rawMembers } from './raw-json.js';

/** @typedef {import('../control.d.ts').StoredObject} StoredObject */

/**
 * Objects of an entity, in pages.
 * @param {string} entity
 * @param {{ where?: string[], sort?: string, limit: number, cursor?: string }} asked
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ objects: StoredObject[], cursor?: string }>}
 */
export function listObjects(entity, { limit, cursor, ...asked }, signal) {
  const query = listQuery(asked, ['limit', String(limit)], cursor === undefined ? undefined : ['cursor', cursor]);
  return rest('GET', `/objects/${entity}?${query}`, undefined, { signal });
}

/**
 * One object, and its fields as they are written.
 * @param {string} entity
 * @param {string} id
 * @returns {Promise<{ object: StoredObject, raw: Map<string, string> }>}
 */
export async function readObject(entity, id) {
  return withRaw(await restText('GET', `/objects/${entity}/${encodeURIComponent(id)}`));
}

/**
 * @param {string} entity
 * @param {string} fields JSON of an object
 */
export async function createObject(entity, fields) {
  return withRaw(await restText('POST', `/objects/${entity}`, `{"fields":${fields}}`));
}

/**
 * @param {string} entity
 * @param {StoredObject} version that the caller knows
 * @param {string} fields JSON of an object
 */
export async function changeObject(entity, { id, updated }, fields) {
  return withRaw(await restText('PATCH', `/objects/${entity}/${id}`, `{"fields":${fields},"updated":${updated}}`));
}

/**
 * @param {string} entity
 * @param {StoredObject} version that the caller knows
 */
export async function deleteObject(entity, { id, updated }) {
  await rest('DELETE', `/objects/${entity}/${id}`, { updated });
}

/**
 * Where a file with the objects comes from.
 * @param {string} entity
 * @param {'csv' | 'geojson'} format
 * @param {string[]} [where]
 */
export function exportAddress(entity, format, where) {
  return `/v1/objects/${entity}/export?${listQuery({ where }, ['format', format])}`;
}

/** @param {string} text */
function withRaw(text) {
  const fields = rawMembers(rawMembers(text).get('object') ?? '{}').get('fields') ?? '{}';
  return { object: /** @type {StoredObject} */ (JSON.parse(text).object), raw: rawMembers(fields) };
}
