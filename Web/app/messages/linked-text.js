// @ts-check

/** Addresses that begin with a scheme or with `www.`. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"“”„]+/giu;
/** What ends a sentence and not an address. */
const TRAILING = /[.,;:!?'’»…*_~)\]}]$/u;
const PAIRS = { ')': '(', ']': '[', '}': '{' };

/**
 * A text in pieces, those that are web addresses with where they lead. Only http and https, and none with a user name in
 * it, which would hide which host it leads to.
 * @param {string} text
 * @returns {{ text: string, href?: string }[]}
 */
export function linkedText(text) {
  /** @type {{ text: string, href?: string }[]} */
  const pieces = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    if (index > 0 && /[\p{L}\p{N}@]/u.test(text[index - 1])) continue;
    const address = withoutTrailing(found);
    const href = hrefOf(address);
    if (!href) continue;
    if (index > done) pieces.push({ text: text.slice(done, index) });
    pieces.push({ text: address, href });
    done = index + address.length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done) });
  return pieces;
}

/** @param {string} address */
function withoutTrailing(address) {
  /** How many more brackets of a kind are opened than closed. @type {Record<string, number>} */
  const open = { '(': 0, '[': 0, '{': 0 };
  for (const character of address) {
    if (character in open) open[character] += 1;
    if (character in PAIRS) open[PAIRS[/** @type {keyof typeof PAIRS} */ (character)]] -= 1;
  }
  let end = address.length;
  while (end > 0 && TRAILING.test(address[end - 1])) {
    const opening = PAIRS[/** @type {keyof typeof PAIRS} */ (address[end - 1])];
    if (opening && open[opening] >= 0) break;
    if (opening) open[opening] += 1;
    end -= 1;
  }
  return address.slice(0, end);
}

/** @param {string} address */
function hrefOf(address) {
  try {
    const url = new URL(/^www\./iu.test(address) ? `https://${address}` : address);
    const isPlain = url.username === '' && url.password === '' && url.hostname.includes('.');
    return isPlain || url.hostname === 'localhost' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
