// @ts-check
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {Message & { key: string, isUnsent?: boolean }} Line */

/**
 * A row of the view of messages: a day, where the new ones begin (`isAll`: none of them is missing above), a line of the server's, or a message.
 * @typedef {{ kind: 'day', key: string, time: number }
 *   | { kind: 'new', key: string, count: number, isAll: boolean }
 *   | { kind: 'note', key: string, line: Line }
 *   | { kind: 'message', key: string, line: Line, isFirst: boolean }} Row
 */

/** Messages of one person within so many milliseconds stand together, under one name. */
const TOGETHER = 5 * 60_000;

/**
 * Messages as rows: with a row before each day's first, and one before the first that is new to the reader.
 * @param {Line[]} lines in order
 * @param {{ own: string | undefined, readWritten: number | undefined, isNote: (line: Line) => boolean }} options
 *   `readWritten` is how many written messages the reader had read when the chat was opened
 * @returns {Row[]}
 */
export function messageRows(lines, { own, readWritten, isNote }) {
  /** @type {Row[]} */
  const rows = [];
  const isNew = (/** @type {Line} */ line) => isUnread(line, own, readWritten);
  const news = lines.filter(isNew);
  const first = lines.find(({ written }) => written !== undefined);
  // Of the messages that aren't loaded yet, it isn't known which are others' and not taken back.
  const isAll = readWritten === undefined || (first?.written ?? 0) <= readWritten + 1;
  /** @type {Line | undefined} */
  let before;
  for (const line of lines) {
    if (!before || dayOf(before.time) !== dayOf(line.time)) rows.push({ kind: 'day', key: `d${dayOf(line.time)}`, time: line.time });
    if (line === news[0]) rows.push({ kind: 'new', key: 'new', count: news.length, isAll });
    before = line;
    if (isNote(line)) rows.push({ kind: 'note', key: line.key, line });
    else rows.push({ kind: 'message', key: line.key, line, isFirst: !continues(rows[rows.length - 1], line) });
  }
  return rows;
}

/**
 * Whether a message is somebody else's, written, not taken back, and behind what was read.
 * @param {Message} message
 * @param {string | undefined} own
 * @param {number | undefined} readWritten
 */
export function isUnread({ written, sender, recalled }, own, readWritten) {
  return readWritten !== undefined && written !== undefined && written > readWritten && sender !== own && !recalled;
}

/**
 * @param {Row | undefined} before
 * @param {Line} line
 */
function continues(before, line) {
  return before?.kind === 'message' && before.line.sender === line.sender && line.time - before.line.time < TOGETHER;
}

/** @param {number} time */
function dayOf(time) {
  const date = new Date(time);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
