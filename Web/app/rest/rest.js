// @ts-check
import { Refused } from '../stream/requests.js';

/** @typedef {'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} Method */

/**
 * Speaks to the server's `/v1`.
 * @param {Method} method
 * @param {string} path
 * @param {object | string} [body] text is JSON already
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 * @throws {Refused} with the server's code, or `unreachable`
 */
export async function rest(method, path, body, options) {
  const text = await restText(method, path, body, options);
  return text ? JSON.parse(text) : undefined;
}

/**
 * The same, with the answer as it is written.
 * @param {Method} method
 * @param {string} path
 * @param {object | string} [body]
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<string>}
 */
export async function restText(method, path, body, options) {
  const response = await answered(method, path, body, options?.signal);
  const text = await response.text();
  if (response.ok) return text;
  throw refusalIn(response.status, text, response.headers.get('Content-Type'));
}

/**
 * What an answer refuses, whoever asked.
 * @param {number} status
 * @param {string} text
 * @param {string | null} type
 */
export function refusalIn(status, text, type) {
  const answer = text && type?.includes('json') ? JSON.parse(text) : undefined;
  const { code, message, retryAfter } = answer?.error ?? { code: 'internalError', message: `The server answered ${status}.` };
  return new Refused(code, message, retryAfter);
}

/** The server doesn't answer at all. */
export function unreachable() {
  return new Refused('unreachable', 'The server can’t be reached. Check the connection and try again.');
}

/**
 * @param {Method} method
 * @param {string} path
 * @param {object | string | undefined} body
 * @param {AbortSignal | undefined} signal
 */
async function answered(method, path, body, signal) {
  // A cookie that changes something needs a JSON body, be it an empty one.
  const sent = method === 'GET' ? {} : {
    headers: { 'Content-Type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  };
  try {
    return await fetch(`/v1${path}`, { method, signal, credentials: 'same-origin', cache: 'no-store', ...sent });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}
