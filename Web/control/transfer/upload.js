// @ts-check
import { refusalIn, unreachable } from '../../app/rest/rest.js';
import { importQuery, mediaType } from './mapping.js';

/** @typedef {import('../control.d.ts').ImportReport} ImportReport */

/**
 * Sends a file, or its beginning for a preview. The server takes it row by row as it comes, so what is sent is what is
 * done. `fetch` doesn't tell how much that is; this does.
 * @param {string} entity
 * @param {Blob} file
 * @param {object} options
 * @param {import('./mapping.js').Format} options.format
 * @param {Map<string, string>} [options.mapping] from column to target
 * @param {{ isPartial: boolean }} [options.preview]
 * @param {AbortSignal} [options.signal]
 * @param {(share: number) => void} [options.progress] 0 to 1
 * @returns {Promise<ImportReport>}
 */
export function upload(entity, file, { signal, progress, ...asked }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/objects/${entity}/import?${importQuery(asked)}`);
    request.setRequestHeader('Content-Type', mediaType(asked.format));
    request.upload.addEventListener('progress', ({ loaded, total }) => progress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      if (status === 200) resolve(JSON.parse(responseText));
      else reject(refusalIn(status, responseText, request.getResponseHeader('Content-Type')));
    });
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
