import { createConnection } from 'node:net';
import { randomBytes } from 'node:crypto';

/** Milliseconds of a clock that no test sets. */
const steady = () => Number(process.hrtime.bigint() / 1_000_000n);

/**
 * A browser's WebSocket to a real server, as far as the page uses one, which a test cuts, holds, and lets refuse.
 *
 * It is made with `{ port, token, faults }` in place of an address.
 */
export class Link {
  static CONNECTING = 0;
  readyState = 0;
  onmessage = null;
  onclose = null;
  onopen = null;

  #socket;
  #faults;
  #unread = Buffer.alloc(0);
  #isGreeted = false;
  #parts = [];
  /** The queries that the server answers, by id. */
  #topics = new Map();
  /** The subscriptions that the page has ended, until the server has let them go: an answer to one may still be on its way, and its
   * topic is the next one's to the same query. */
  #ending = new Set();
  /** Those that were taken from the page: what the server sends for them isn't passed on until it has let them go. */
  #taken = new Map();

  constructor({ port, token, faults }, protocol) {
    this.#faults = faults;
    faults.links.add(this);
    if (faults.isAway) return void queueMicrotask(() => this.#ended(1006, ''));
    this.#socket = createConnection({ port, host: '127.0.0.1' });
    this.#socket.on('connect', () => this.#socket.write([
      'GET /v1/stream HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`, `Sec-WebSocket-Protocol: ${protocol}`, `Authorization: Bearer ${token}`, '', '',
    ].join('\r\n')));
    this.#socket.on('data', (bytes) => this.#read(bytes));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#ended(1006, ''));
  }

  send(text) {
    const frame = JSON.parse(text);
    const code = frame.type === 'subscribe' ? this.#faults.refusal(frame) : undefined;
    if (code) return queueMicrotask(() => this.#say({ type: 'error', id: frame.id, message: '', ...code }));
    const refused = this.#faults.refusalOf(frame);
    if (refused) return queueMicrotask(() => this.#say({ type: 'error', key: frame.key, message: '', ...refused }));
    if (frame.type === 'unsubscribe') {
      this.#topics.delete(frame.id);
      this.#ending.add(frame.id);
    }
    return this.#write(1, Buffer.from(text));
  }

  close() {
    this.#faults.links.delete(this);
    this.readyState = 3;
    this.#socket?.destroy();
  }

  /** Breaks the connection. */
  cut() {
    this.#socket?.destroy();
    this.#ended(1006, '');
  }

  /** Reads nothing until `release`, as a page does whose processor is busy. */
  hold() {
    this.#socket?.pause();
  }

  release() {
    this.#socket?.resume();
  }

  /** Ends a subscription that the server answers, as the server does that can't read its store. */
  end(random, refusal) {
    const ids = [...this.#topics.keys()].filter((id) => !this.#taken.has(id));
    if (ids.length === 0 || this.readyState !== 1) return;
    const id = ids[random.below(ids.length)];
    const topic = this.#topics.get(id);
    this.#topics.delete(id);
    this.#taken.set(id, topic);
    this.#write(1, Buffer.from(JSON.stringify({ type: 'unsubscribe', id })));
    this.#faults.noteOver(id, refusal);
    this.#say({ type: 'ended', id, topic, message: '', ...refusal });
  }

  #ended(code, reason) {
    if (!this.#faults.links.delete(this)) return;
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  #say(frame) {
    if (this.readyState === 1) this.onmessage?.({ data: JSON.stringify(frame) });
  }

  #read(bytes) {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (!this.#isGreeted) {
      const end = this.#unread.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.#unread.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return void this.#socket.destroy();
      this.#isGreeted = true;
      this.readyState = 1;
      this.#unread = this.#unread.subarray(end + 4);
    }
    while (this.readyState === 1 && this.#take());
  }

  #take() {
    const bytes = this.#unread;
    if (bytes.length < 2) return false;
    const short = bytes[1] & 127;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < start) return false;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return false;
    this.#unread = bytes.subarray(start + length);
    this.#handle(bytes[0] & 15, (bytes[0] & 128) !== 0, bytes.subarray(start, start + length));
    return true;
  }

  #handle(kind, isLast, payload) {
    if (kind === 9) return this.#write(10, payload);
    if (kind === 8) return this.#socket.destroy();
    if (kind > 2) return undefined;
    this.#parts.push(Buffer.from(payload));
    if (!isLast) return undefined;
    const text = Buffer.concat(this.#parts).toString();
    this.#parts = [];
    return this.#pass(JSON.parse(text));
  }

  #pass(frame) {
    this.#faults.check(frame);
    if (frame.type === 'unsubscribed' && this.#taken.delete(frame.id)) return;
    if (frame.type === 'unsubscribed' || frame.type === 'error') this.#ending.delete(frame.id);
    if (this.#taken.has(frame.id) || (frame.id === undefined && frame.topic !== undefined && [...this.#taken.values()].includes(frame.topic))) return;
    if (frame.id !== undefined && frame.topic !== undefined && frame.type !== 'ended' && !this.#ending.has(frame.id)) this.#topics.set(frame.id, frame.topic);
    if (frame.type === 'ended' || frame.type === 'error') this.#topics.delete(frame.id);
    this.#say(frame);
  }

  #write(kind, payload) {
    const { length } = payload;
    const mask = randomBytes(4);
    const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    header.writeUInt8(128 | kind, 0);
    header.writeUInt8(128 | (length < 126 ? length : length < 65_536 ? 126 : 127), 1);
    if (header.length === 4) header.writeUInt16BE(length, 2);
    if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
    const masked = Buffer.from(payload);
    for (let index = 0; index < length; index += 1) masked[index] ^= mask[index & 3];
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat([header, mask, masked]));
  }
}

/** Which subscriptions are refused in place of the server, and what a server and a page must never do. */
export class Faults {
  /** Those that are open. */
  links = new Set();
  faults = [];
  /** Codes that the next subscriptions are refused with. */
  #planned = [];
  /** By the type of the request that is refused next. */
  #refused = new Map();
  #isFinal;
  #over = new Set();
  #awayUntil = 0;

  constructor(isFinal) {
    this.#isFinal = isFinal;
  }

  /** Whether a subscription was ended for good since the page was opened. */
  get hasEnded() {
    return this.#over.size > 0;
  }

  /** Without a network for some milliseconds, as in a tunnel. */
  stayAway(milliseconds) {
    this.#awayUntil = steady() + milliseconds;
    for (const link of this.links) link.cut();
  }

  get isAway() {
    return steady() < this.#awayUntil;
  }

  plan(refusals) {
    this.#planned.push(...refusals);
  }

  /** The next request of a type is refused, once, with this. */
  refuse(type, refusal) {
    this.#refused.set(type, refusal);
  }

  refusalOf({ type, key }) {
    const refusal = key === undefined ? undefined : this.#refused.get(type);
    this.#refused.delete(type);
    return refusal;
  }

  /** The page was opened anew, with nothing subscribed to. */
  reset() {
    this.#planned = [];
    this.#refused.clear();
    this.#over.clear();
  }

  refusal({ id, query }) {
    if (this.#over.has(id)) this.faults.push(`subscription ${id} (${query}) was asked for again, though it was over`);
    const refusal = this.#planned.shift();
    if (refusal) this.noteOver(id, refusal);
    return refusal;
  }

  noteOver(id, { code }) {
    if (this.#isFinal(code)) this.#over.add(id);
  }

  check(frame) {
    const isMistake = frame.type === 'error' && frame.key === undefined && ['duplicateSubscription', 'tooMany'].includes(frame.code);
    if (isMistake) this.faults.push(`the server refused ${frame.id}: ${frame.code}`);
  }
}
