// @ts-check

/**
 * Whether what a reader typed is found in one of the texts: each word of it at the start of a word there, in any order,
 * without regard to case and accents.
 * @param {string} typed
 * @param {...(string | undefined)} texts
 */
export function isFound(typed, ...texts) {
  const words = wordsOf(texts.filter(Boolean).join(' '));
  return wordsOf(typed).every((part) => words.some((word) => word.startsWith(part)));
}

/** @param {string} text */
function wordsOf(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase().split(/[\s.,@_-]+/u).filter(Boolean);
}
