// @ts-check
import { queryText } from '../panel/query.js';

/** @typedef {import('../control.d.ts').Column} Column */
/** @typedef {import('../control.d.ts').Field} Field */
/** @typedef {'csv' | 'geojson'} Format */

const PARTS = ['latitude', 'longitude', 'altitude', 'address'];

/** What a server is asked for a preview of at most. */
export const PREVIEW_BYTES = 262_144;
export const FILE_LIMIT = 268_435_456;

/**
 * The kind of a file by its name, or `undefined`.
 * @param {string} name
 * @returns {Format | undefined}
 */
export function formatOf(name) {
  if (/\.(csv|tsv|txt)$/i.test(name)) return 'csv';
  return /\.(geojson|geojsonl|geojsons|json|ndjson)$/i.test(name) ? 'geojson' : undefined;
}

/** @param {Format} format */
export function mediaType(format) {
  return format === 'csv' ? 'text/csv' : 'application/geo+json';
}

/**
 * Where a column may go: nowhere (`''`), to a field, to a part of the location, or it names the objects.
 * @param {Field[]} fields
 */
export function targetsOf(fields) {
  const targets = fields.flatMap(({ name, type }) => [{ value: name, label: name },
    ...(type === 'location' ? PARTS.map((part) => ({ value: `${name}.${part}`, label: `${name}: ${part}` })) : [])]);
  return [{ value: '', label: 'Leave out' }, ...targets, { value: 'id', label: 'The object’s id' }];
}

/**
 * Where a column goes, as the server said it.
 * @param {Column} column
 */
export function targetOf({ field, part }) {
  return field === undefined ? '' : part === undefined ? field : `${field}.${part}`;
}

/**
 * What somebody has said about columns, with one thing more. The server finds the parts of a location together or not at
 * all, so who says one of them keeps those that it had found.
 * @param {Column[]} columns as the server put them
 * @param {Map<string, string>} said before
 * @param {string} column
 * @param {string} target
 * @returns {Map<string, string>}
 */
export function withTarget(columns, said, column, target) {
  const mapping = new Map(said).set(column, target);
  if (!target.includes('.')) return mapping;
  for (const other of columns) {
    const found = targetOf(other);
    if (found.includes('.') && !mapping.has(other.name) && ![...mapping.values()].includes(found)) mapping.set(other.name, found);
  }
  return mapping;
}

/**
 * The targets that two columns go to, or that can't go together: the server refuses them.
 * @param {Map<string, string>} mapping from column to target
 * @param {Field[]} fields
 * @returns {string | undefined} what is wrong
 */
export function mappingProblem(mapping, fields) {
  const targets = [...mapping.values()].filter(Boolean);
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice) return `Two columns go to ${twice}.`;
  const location = fields.find(({ type }) => type === 'location')?.name;
  const parts = targets.filter((target) => location && target.startsWith(`${location}.`));
  if (location && targets.includes(location) && parts.length > 0) return `${location} comes as a whole and in parts.`;
  const halves = ['latitude', 'longitude'].filter((half) => parts.includes(`${location}.${half}`));
  return halves.length === 1 ? 'Latitude and longitude come together.' : undefined;
}

/**
 * What an import is asked with.
 * @param {{ format: Format, mapping?: Map<string, string>, preview?: { isPartial: boolean } }} asked
 */
export function importQuery({ format, mapping = new Map(), preview }) {
  /** @type {[string, string][]} */
  const query = [['format', format]];
  if (preview) query.push(['preview', 'true']);
  if (preview?.isPartial) query.push(['partial', 'true']);
  for (const [column, target] of mapping) query.push(['map', `${column}:${target}`]);
  return queryText(query);
}

/**
 * What became of a file, in words.
 * @param {{ created: number, changed: number, unchanged?: number, refused: number }} report
 * @param {(count: number, one: string, many: string) => string} counted
 */
export function summaryOf({ created, changed, unchanged = 0, refused }, counted) {
  const parts = [counted(created, 'object made', 'objects made')];
  if (changed > 0) parts.push(`${counted(changed, 'changed', 'changed')}`);
  if (unchanged > 0) parts.push(`${counted(unchanged, 'as it was', 'as they were')}`);
  parts.push(refused === 0 ? 'no row refused' : counted(refused, 'row refused', 'rows refused'));
  return `${parts.join(', ')}.`;
}
