// @ts-check
import { Refused } from '../stream/requests.js';

/**
 * Speaks to the server's `/v1`.
 * @param {'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 * @throws {Refused} with the server's code, or `unreachable`
 */
export async function rest(method, path, body) {
  const response = await answered(method, path, body);
  const text = await response.text();
  const answer = text && response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : undefined;
  if (response.ok) return answer;
  const { code, message, retryAfter } = answer?.error ?? { code: 'internalError', message: `The server answered ${response.status}.` };
  throw new Refused(code, message, retryAfter);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object | undefined} body
 */
async function answered(method, path, body) {
  // A cookie that changes something needs a JSON body, be it an empty one.
  const isJSON = method !== 'GET';
  try {
    return await fetch(`/v1${path}`, {
      method, credentials: 'same-origin', cache: 'no-store',
      headers: isJSON ? { 'Content-Type': 'application/json' } : {},
      body: isJSON ? JSON.stringify(body ?? {}) : undefined,
    });
  } catch {
    throw new Refused('unreachable', 'The server can’t be reached. Check the connection and try again.');
  }
}
