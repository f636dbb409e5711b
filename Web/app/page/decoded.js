// @ts-check

/**
 * A part of an address as text.
 * @param {string} part
 * @returns {string | undefined} `undefined` for a `%` that no two hexadecimal digits of UTF-8 follow, as in a link that was cut
 */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
