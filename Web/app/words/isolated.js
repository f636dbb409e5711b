// @ts-check

/** Embeddings, overrides and isolates: with these a text can turn the words around it, or itself, into another order. */
const CONTROLS = /[\u202A-\u202E\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const [ISOLATE, END] = ['\u2068', '\u2069'];

/**
 * Isolates another person's text (U+2068 to U+2069) within a sentence, a list or a notification, so that right-to-left letters
 * in it don't reorder the words around it. For a text in an element of its own, use `dir="auto"` instead.
 * @param {string} text
 */
export function isolated(text) {
  const plain = isClosed(text) ? text : text.replace(CONTROLS, '');
  return RIGHT_TO_LEFT.test(plain) && !isIsolate(plain) ? ISOLATE + plain + END : plain;
}

/** Whether a text closes each isolate that it opens and has no other control, as one that is already isolated. @param {string} text */
function isClosed(text) {
  let depth = 0;
  for (const [control] of text.matchAll(CONTROLS)) {
    if (control < '\u2066') return false;
    depth += control === END ? -1 : 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** @param {string} text */
function isIsolate(text) {
  return text.startsWith(ISOLATE) && text.indexOf(END) === text.length - 1;
}
