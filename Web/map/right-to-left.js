// Arabic and Hebrew on the map, in place of MapLibre's plugin for them: it draws each character by itself, from left to
// right, so text has to come to it in the order in which it is seen, and Arabic letters in the form they have there.
// Not a module: the map's workers import it as a script.
(() => {
  /**
   * The first of each letter's presentation forms: alone, at the end, at the beginning, in the middle. Letters that join
   * nothing behind them have the first two. From Unicode's Arabic Presentation Forms A and B.
   */
  const FORMS_OF_TWO = {
    آ: 0xfe81, أ: 0xfe83, ؤ: 0xfe85, إ: 0xfe87, ا: 0xfe8d, ة: 0xfe93, د: 0xfea9, ذ: 0xfeab, ر: 0xfead, ز: 0xfeaf, و: 0xfeed, ى: 0xfeef, ژ: 0xfb8a,
    ڈ: 0xfb88, ڑ: 0xfb8c, ے: 0xfbae,
  };
  const FORMS_OF_FOUR = {
    ئ: 0xfe89, ب: 0xfe8f, ت: 0xfe95, ث: 0xfe99, ج: 0xfe9d, ح: 0xfea1, خ: 0xfea5, س: 0xfeb1, ش: 0xfeb5, ص: 0xfeb9, ض: 0xfebd, ط: 0xfec1, ظ: 0xfec5,
    ع: 0xfec9, غ: 0xfecd, ف: 0xfed1, ق: 0xfed5, ك: 0xfed9, ل: 0xfedd, م: 0xfee1, ن: 0xfee5, ه: 0xfee9, ي: 0xfef1, پ: 0xfb56, ٹ: 0xfb66, چ: 0xfb7a,
    ک: 0xfb8e, گ: 0xfb92, ں: 0xfb9e, ھ: 0xfbaa, ی: 0xfbfc,
  };
  /** A lam with an alef behind it is one letter. */
  const LAM_WITH = { آ: 0xfef5, أ: 0xfef7, إ: 0xfef9, ا: 0xfefb };
  const TWO = new Map(Object.entries(FORMS_OF_TWO));
  const FOUR = new Map(Object.entries(FORMS_OF_FOUR));
  const LAMS = new Map(Object.entries(LAM_WITH));
  const TATWEEL = 'ـ';
  /** Vowel signs can't be drawn over a letter that is drawn by itself; names are read without them. */
  const SIGNS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u200e\u200f\u061c]/gu;
  const MIRRORED = new Map(['()', '[]', '{}', '«»', '‹›', '<>'].flatMap(([open, close]) => [[open, close], [close, open]]));

  const joinsBehind = (/** @type {string | undefined} */ letter) => letter !== undefined && (FOUR.has(letter) || letter === TATWEEL);
  const joinsBefore = (/** @type {string | undefined} */ letter) => joinsBehind(letter) || (letter !== undefined && TWO.has(letter));

  /**
   * Arabic letters in the forms that they have beside their neighbors.
   * @param {string} text
   */
  function applyArabicShaping(text) {
    const letters = [...text.replace(SIGNS, '')];
    let shaped = '';
    for (let index = 0; index < letters.length; index += 1) {
      const letter = letters[index];
      const isJoined = joinsBehind(letters[index - 1]);
      const lam = letter === 'ل' ? LAMS.get(letters[index + 1]) : undefined;
      const two = lam ?? TWO.get(letter);
      const four = FOUR.get(letter);
      if (lam !== undefined) index += 1;
      if (two !== undefined) shaped += String.fromCodePoint(two + (isJoined ? 1 : 0));
      else if (four !== undefined) shaped += String.fromCodePoint(four + (isJoined ? 1 : 0) + (joinsBefore(letters[index + 1]) ? 2 : 0));
      else shaped += letter;
    }
    return shaped;
  }

  /** What a character says of its direction: to the left or right, a number, or nothing. */
  function kindOf(/** @type {string} */ character) {
    if (/\p{Nd}/u.test(character)) return 'number';
    if (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(character) && /\p{L}/u.test(character)) return 'left';
    return /\p{L}/u.test(character) ? 'right' : 'none';
  }

  /**
   * How deep each character lies in text of the other direction: the part of Unicode's algorithm (UAX 9) that names need.
   * @param {string[]} characters
   * @returns {number[]} odd goes from right to left
   */
  function levelsOf(characters) {
    const kinds = characters.map(kindOf);
    const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'left' ? 1 : 0;
    // A number after Latin text belongs to it; what stands between two digits, as a point, to the number.
    let last = base === 1 ? 'left' : 'right';
    kinds.forEach((kind, index) => {
      if (kind === 'none' && /[.,:/]/.test(characters[index]) && kinds[index - 1] !== 'none' && kinds[index + 1] === 'number' && kindOf(characters[index - 1] ?? '') === 'number') kinds[index] = kinds[index - 1];
      else if (kind === 'number' && last === 'right') kinds[index] = 'right';
      else if (kind !== 'none' && kind !== 'number') last = kind;
    });
    // What says nothing goes with its neighbors if they agree, else with the whole.
    const side = (/** @type {string | undefined} */ kind) => (kind === undefined ? base === 1 ? 'left' : 'right' : kind === 'number' ? 'left' : kind);
    return kinds.map((kind, index) => {
      if (kind !== 'none') return kind === 'left' ? 1 : kind === 'number' ? 2 : 2 * base;
      const before = side(kinds.slice(0, index).findLast((other) => other !== 'none'));
      const after = side(kinds.slice(index + 1).find((other) => other !== 'none'));
      return before !== after ? base : before === 'left' ? 1 : 2 * base;
    });
  }

  /**
   * The places of a line's characters in the order in which they are seen.
   * @param {number[]} levels
   */
  function seenOrder(levels) {
    const order = levels.map((_, index) => index);
    for (let level = Math.max(0, ...levels); level >= 1; level -= 1) {
      for (let start = 0; start < order.length; start += 1) {
        let end = start;
        while (end < order.length && levels[order[end]] >= level) end += 1;
        if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
        start = end;
      }
    }
    return order;
  }

  /**
   * @template Style
   * @param {string} text
   * @param {Style[]} styles one for each code unit
   * @param {number[]} breaks where lines end, in code units
   * @returns {[string, Style[]][]}
   */
  function processStyledBidirectionalText(text, styles, breaks) {
    const characters = [...text];
    const starts = characters.map((_, index) => characters.slice(0, index).join('').length);
    const levels = levelsOf(characters);
    const ends = breaks.at(-1) === text.length ? breaks : [...breaks, text.length];
    return ends.map((end, line) => {
      const own = characters.map((_, index) => index).filter((index) => starts[index] >= (ends[line - 1] ?? 0) && starts[index] < end);
      const seen = seenOrder(own.map((index) => levels[index])).map((index) => own[index]);
      const drawn = seen.map((index) => (levels[index] % 2 === 1 ? MIRRORED.get(characters[index]) : undefined) ?? characters[index]);
      return [drawn.join(''), seen.flatMap((index) => Array(characters[index].length).fill(styles[starts[index]]))];
    });
  }

  /**
   * @param {string} text
   * @param {number[]} breaks
   */
  function processBidirectionalText(text, breaks) {
    return processStyledBidirectionalText(text, [], breaks).map(([line]) => line);
  }

  /** @type {any} */ (globalThis).registerRTLTextPlugin({ applyArabicShaping, processBidirectionalText, processStyledBidirectionalText });
})();
