// @ts-check

/**
 * One or two letters that stand for a person without a picture.
 * @param {string} name
 */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return '?';
  const chosen = words.length === 1 ? [words[0]] : [words[0], words[words.length - 1]];
  return chosen.map((word) => [...word][0]).join('').toLocaleUpperCase();
}
