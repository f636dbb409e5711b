import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Account } from '../../Web/app/session/account.js';
import { Stream } from '../../Web/app/stream/stream.js';

/** What the SDK's test reads, too: Tests/Swift/YonderLinkTests/EndingTests.swift. */
const { endings } = JSON.parse(readFileSync(new URL('../Fixtures/endings/endings.json', import.meta.url), 'utf8'));

const ME = { user: { id: '7', name: 'Ada' }, login: 'ada', operator: false, password: true };

/** A browser of one tab: its sockets, its storage, and a server that answers as it is told. */
function browser() {
  const sockets = [];
  const kept = new Map();
  let answer;
  Object.assign(globalThis, {
    addEventListener() {}, document: { visibilityState: 'visible', addEventListener() {} },
    localStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) },
    WebSocket: class {
      static CONNECTING = 0;

      constructor() { sockets.push(this); }
      send() {}
      close() {}
    },
    async fetch() {
      if (!answer) throw new TypeError('no answer');
      const isText = typeof answer.body === 'string';
      return new Response(isText ? answer.body : JSON.stringify(answer.body), {
        status: answer.status, headers: { 'Content-Type': isText ? 'text/html' : 'application/json' },
      });
    },
  });
  return { sockets, answers: (next) => { answer = next; } };
}

for (const { name, close, session, signedIn, again } of endings) {
  test(`page and SDK agree: ${name}`, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
    Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
    const { sockets, answers } = browser();
    const account = new Account();
    answers({ status: 200, body: ME });
    await account.load();
    answers(session);
    const stream = new Stream('ws://server/v1/stream');
    // As the page's: without a session the stream is left as a guest's.
    stream.isExpected = (user) => user?.id === account.user?.id;
    stream.onRefused = async () => {
      await account.load().catch(() => {});
      if (account.wasForgotten) stream.close();
    };
    stream.open();
    if (close) sockets[0].onmessage({ data: JSON.stringify({ type: 'hello', time: 0, user: ME.user }) });
    sockets[0].onclose({ code: close?.[0] ?? 1006, reason: close?.[1] ?? '' });
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    context.mock.timers.tick(60_000);
    assert.equal(account.user !== undefined, signedIn, 'signed in');
    assert.equal(sockets.length > 1, again, 'connects again');
    stream.close();
  });
}
