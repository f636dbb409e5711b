// @ts-check

/**
 * A query as the server reads it: spaces as `%20`, as a plus is a plus.
 * @param {Iterable<[string, string]>} parameters
 */
export function queryText(parameters) {
  return [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
