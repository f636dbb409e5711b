// @ts-check

const SPACE = /[\t\n\r ]/;

/**
 * The members of a JSON object, each as it is written. What the server keeps byte for byte must come back so: to parse
 * and write it again would change numbers that are too long for this language, and `1.0` to `1`.
 * @param {string} text valid JSON of an object
 * @returns {Map<string, string>}
 */
export function rawMembers(text) {
  /** @type {Map<string, string>} */
  const members = new Map();
  let at = text.indexOf('{') + 1;
  while (at > 0) {
    at = afterSpace(text, at);
    if (text[at] !== '"') break;
    const nameEnd = afterValue(text, at);
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = afterValue(text, start);
    members.set(JSON.parse(text.slice(at, nameEnd)), text.slice(start, end));
    at = afterSpace(text, end);
    at = text[at] === ',' ? at + 1 : 0;
  }
  return members;
}

/**
 * @param {string} text
 * @param {number} at
 */
function afterSpace(text, at) {
  while (SPACE.test(text[at] ?? '')) at += 1;
  return at;
}

/**
 * Where the value ends that begins here.
 * @param {string} text
 * @param {number} start
 */
function afterValue(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = afterString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth <= 0) return depth === 0 ? at + 1 : at;
    } else if (depth === 0 && (character === ',' || character === ':' || SPACE.test(character))) {
      return at;
    }
  }
  return text.length;
}

/**
 * @param {string} text
 * @param {number} start at the quote
 */
function afterString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
