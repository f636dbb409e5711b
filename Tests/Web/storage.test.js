import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { FakeDatabase, Faults, FAULTS, nextTurn, turns } from './fake-database.js';
import { Store } from '../../Web/app/storage/store.js';
import { Scope } from '../../Web/app/page/scope.js';

mock.timers.enable({ apis: ['setTimeout'] });
globalThis.document = { visibilityState: 'visible', addEventListener: () => {} };
const listeners = new Map();
globalThis.addEventListener = (name, listener) => listeners.set(name, listener);
/** The channels of all tabs: a message reaches every other one. */
const channels = new Set();
globalThis.BroadcastChannel = class {
  constructor() { channels.add(this); }
  postMessage(data) { for (const each of channels) if (each !== this) each.onmessage?.({ data }); }
};
const { Sender } = await import('../../Web/app/sharing/sender.js');

const message = (key) => ({ key, user: '7', chat: '1', tag: 'Text', content: key });

/** A store over a database with a fault at a call. */
function storeOn(faults, version = 0) {
  const database = new FakeDatabase(faults);
  globalThis.indexedDB = database;
  if (version === 1) {
    database.version = 1;
    database.stores.set('unsent', { keyPath: null, rows: new Map([[1, message('old')]]), last: 1 });
  }
  return { database, store: new Store() };
}

/** What a promise is fulfilled with, once all that answers has answered and the time limit is over. */
async function answered(promise) {
  let answer;
  promise.then((value) => { answer = { value }; });
  // Twice the time limit: a database that falls silent while it writes is waited for once more.
  for (let turn = 0; turn < 600 && !answer; turn += 1) {
    await nextTurn();
    if (turn % 200 === 199) mock.timers.tick(4_000);
  }
  assert.ok(answer, 'no answer');
  return answer.value;
}

/** Has each fault happen at each call of some work, once and for good. */
async function atEachCall(work, faults = FAULTS) {
  const { calls } = (await work({}, 'no fault')).faults;
  assert.ok(calls > 2, `${calls} calls`);
  for (const fault of faults) {
    for (let at = 1; at <= calls; at += 1) {
      for (const times of [1, Infinity]) await work({ fault, at, times }, `${fault} at call ${at}, ${times} times`);
    }
  }
}

test('a database of the version before keeps what is unsent, and gets a place for shares', async () => {
  const { store } = storeOn({}, 1);
  assert.deepEqual(await store.load('unsent'), [message('old')]);
  assert.deepEqual(await store.update('shares', '5', () => ({ id: '5' })), { isKept: true, record: { id: '5' } });
});

test('a change reads a record and writes it, and undefined leaves it as it is', async () => {
  const { database, store } = storeOn();
  await store.put('unsent', message('a'));
  await store.update('unsent', 'a', (before) => ({ ...before, content: 'changed' }));
  await store.put('shares', { id: '5', state: 'wanted' });
  const { record } = await store.update('shares', '5', (before) => (before.state === 'wanted' ? undefined : { id: '5' }));
  assert.deepEqual(record, { id: '5', state: 'wanted' });
  assert.deepEqual(database.rows('unsent'), [{ ...message('a'), content: 'changed' }]);
  assert.equal(await store.remove('shares', '5'), true);
  assert.deepEqual(await store.load('shares'), []);
});

test('whatever the storage does at a call, each call is answered, and what is said to be kept is kept', async () => {
  await atEachCall(async (faults, name) => {
    const { database, store } = storeOn(faults);
    const isKept = await answered(store.put('unsent', message('a')));
    assert.equal(database.rows('unsent').length, isKept ? 1 : 0, name);
    const change = await answered(store.update('shares', '5', (before) => ({ id: '5', count: (before?.count ?? 0) + 1 })));
    assert.deepEqual(database.rows('shares'), change.isKept ? [{ id: '5', count: 1 }] : [], name);
    assert.deepEqual(change.record, change.isKept ? { id: '5', count: 1 } : undefined, name);
    const loaded = await answered(store.load('unsent'));
    assert.ok(loaded === undefined || loaded.length === database.rows('unsent').length, name);
    const isGone = await answered(store.remove('unsent', 'a'));
    assert.ok(!isGone || database.rows('unsent').length === 0, name);
    return database;
  });
});

test('a database that the browser closed is opened again, and nothing is lost', async () => {
  await atEachCall(async (faults, name) => {
    const { database, store } = storeOn({ ...faults, times: 1 });
    assert.equal(await answered(store.put('unsent', message('a'))), true, name);
    assert.equal(await answered(store.put('unsent', message('b'))), true, name);
    assert.deepEqual(database.rows('unsent').map(({ key }) => key), ['a', 'b'], name);
    return database;
  }, ['throws', 'fails', 'closed']);
});

test('a call that is never answered costs four seconds once, and others nothing', async () => {
  const { store } = storeOn({ fault: 'silent', at: 1 });
  assert.equal(await answered(store.put('unsent', message('a'))), false);
  assert.equal(await store.load('unsent'), undefined);
  const late = storeOn({ fault: 'silent', at: 3 });
  assert.deepEqual(await answered(late.store.update('shares', '5', () => ({ id: '5' }))), { isKept: false });
  await turns(10);
  assert.equal(await answered(late.store.put('unsent', message('b'))), true, 'the transaction was given up');
  assert.deepEqual(late.database.rows('unsent'), [message('b')]);
});

test('a database whose opening another tab blocks is done without', async () => {
  const { store } = storeOn({ fault: 'blocked', at: 1 });
  assert.deepEqual(await answered(store.update('shares', '5', () => ({ id: '5' }))), { isKept: false });
});

test('another tab erases the database at once, although this one has it open', async () => {
  const { database, store } = storeOn();
  await store.put('unsent', message('a'));
  await new Promise((resolve) => { database.deleteDatabase().onsuccess = resolve; });
  assert.deepEqual(await store.load('unsent'), []);
});

/** A connection that a test opens and closes. */
function connection(state) {
  const observers = [];
  const stream = {
    state, hello: { user: '7' }, frames: [], now: () => 0, observe: (observer) => observers.push(observer),
    send: (frame) => stream.frames.push(frame),
    change: (next) => { stream.state = next; for (const observer of observers) observer(); },
  };
  return stream;
}

test('a message goes before it is kept, whatever the storage does at a call', async () => {
  await atEachCall(async (faults, name) => {
    const { database } = storeOn(faults);
    const stream = connection('open');
    const sender = new Sender(stream, new Scope());
    await answered(sender.begin('7'));
    sender.send('1', 'Text', { content: 'hi' });
    assert.deepEqual(stream.frames.map(({ content }) => content), ['hi'], name);
    await turns(50);
    sender.receive({ type: 'sent', key: stream.frames[0].key });
    assert.deepEqual(sender.unsent('1'), [], name);
    mock.timers.tick(4_000);
    await turns(50);
    return database;
  });
});

test('a message written without a connection is shown, sent later, and kept or said not to be', async () => {
  await atEachCall(async (faults, name) => {
    const { database } = storeOn(faults);
    const stream = connection('waiting');
    const sender = new Sender(stream, new Scope());
    let isSaid = false;
    sender.onNotKept = () => { isSaid = true; };
    await answered(sender.begin('7'));
    sender.send('1', 'Text', { content: 'hi' });
    assert.deepEqual(sender.unsent('1').map(({ content, key }) => [content, sender.isBeingKept(key)]), [['hi', true]], name);
    for (let time = 0; time < 2; time += 1) {
      await turns(50);
      mock.timers.tick(4_000);
    }
    await turns(50);
    assert.equal(isSaid, database.rows('unsent').length === 0, name);
    assert.deepEqual(sender.unsent('1').filter(({ key }) => sender.isBeingKept(key)), [], name);
    stream.change('open');
    sender.connected();
    assert.deepEqual(stream.frames.map(({ content }) => content), ['hi'], name);
    return database;
  });
});

test('with a connection a message that can’t be kept is worth no word, until the connection ends before the answer', async () => {
  storeOn({ fault: 'full', at: 1, times: Infinity });
  const stream = connection('open');
  const sender = new Sender(stream, new Scope());
  let said = 0;
  sender.onNotKept = () => { said += 1; };
  await answered(sender.begin('7'));
  for (const content of ['a', 'b']) sender.send('1', 'Text', { content });
  await turns(20);
  assert.equal(said, 0);
  sender.receive({ type: 'sent', key: stream.frames[0].key });
  stream.change('waiting');
  stream.change('connecting');
  assert.equal(said, 1);
});

test('a text that the worker had refused comes back once, though this tab sent it, too', async () => {
  const { store } = storeOn();
  const stream = connection('waiting');
  const sender = new Sender(stream, new Scope());
  const back = [];
  sender.onRefused = async (entry) => back.push(entry.key);
  await sender.begin('7');
  sender.send('1', 'Text', { content: 'hi' });
  await turns(50);
  const [entry] = await store.load('unsent');
  await store.update('unsent', entry.key, (before) => ({ ...before, refusal: { code: 'notParticipant' } }));
  stream.change('open');
  sender.connected();
  await turns(50);
  sender.receive({ type: 'error', key: entry.key, code: 'notParticipant' });
  await turns(50);
  assert.deepEqual(back, [entry.key]);
  assert.deepEqual(await store.load('unsent'), []);
});

test('a text that the worker had refused and that can’t be given back is reported once, and stays kept', async () => {
  const { store } = storeOn();
  const entry = { key: 'k', user: '7', chat: '1', tag: 'Text', content: 'hi', time: 1, refusal: { code: 'notParticipant' } };
  await store.put('unsent', entry);
  const stream = connection('open');
  const sender = new Sender(stream, new Scope());
  let reports = 0;
  sender.onRefused = async () => { reports += 1; return false; };
  await sender.begin('7');
  await turns(50);
  for (let time = 0; time < 3; time += 1) {
    sender.connected();
    await turns(50);
  }
  assert.deepEqual([reports, stream.frames, (await store.load('unsent')).map(({ key }) => key)], [1, [], ['k']]);
});

test('what is shown of a message that waits changes once it is kept', async () => {
  storeOn();
  const sender = new Sender(connection('waiting'), new Scope());
  await sender.begin('7');
  await turns(50);
  sender.send('1', 'Text', { content: 'hi' });
  const before = sender.changes;
  await turns(50);
  assert.ok(sender.changes > before);
});

test('a refused text that can’t be given back stays kept, and is sent once in the page’s life', async () => {
  const { store } = storeOn();
  const stream = connection('open');
  const sender = new Sender(stream, new Scope());
  sender.onRefused = async () => false;
  await sender.begin('7');
  sender.send('1', 'Text', { content: 'hi' });
  await turns(50);
  sender.receive({ type: 'error', key: stream.frames[0].key, code: 'notParticipant' });
  await turns(50);
  sender.connected();
  await turns(50);
  assert.deepEqual([(await store.load('unsent')).length, stream.frames.length], [1, 1]);
});

test('the tab in front sends what a closed one left; one in the background leaves it', async () => {
  const { store } = storeOn();
  const stream = connection('waiting');
  const sender = new Sender(stream, new Scope());
  await sender.begin('7');
  for (const key of ['a', 'b']) await store.put('unsent', message(key));
  await store.put('unsent', { ...message('c'), user: '8' });
  stream.change('open');
  document.visibilityState = 'hidden';
  sender.connected();
  await answered(store.load('unsent'));
  assert.deepEqual(stream.frames, []);
  document.visibilityState = 'visible';
  new Sender(connection('waiting'), new Scope());
  listeners.get('pagehide')();
  await turns(50);
  assert.deepEqual(stream.frames.map(({ key }) => key), ['a', 'b']);
});

test('a message that was answered while the storage was read isn’t taken up again', async () => {
  storeOn();
  const stream = connection('open');
  const sender = new Sender(stream, new Scope());
  await sender.begin('7');
  sender.send('1', 'Text', { content: 'hi' });
  sender.connected();
  sender.receive({ type: 'sent', key: stream.frames[0].key });
  await turns(50);
  assert.deepEqual(sender.unsent('1'), []);
});

test('signing out ends and leaves nothing that can be erased, whatever the storage does at a call', async () => {
  const { forgetEverything, MARKER } = await import('../../Web/app/shell/shell.js');
  const cleared = [];
  globalThis.sessionStorage = { clear: () => cleared.push('session') };
  const left = async (faults, name) => {
    const { database, store } = storeOn();
    await store.put('unsent', message('a'));
    const calls = database.faults = new Faults(faults);
    const called = async (work) => {
      const fault = calls.next();
      if (fault === 'silent') await new Promise(() => {});
      if (fault) throw new Error(fault);
      return work();
    };
    const files = new Set(['yonder-shell', 'yonder-tiles']);
    globalThis.caches = { keys: () => called(() => [...files]), delete: (each) => called(() => files.delete(each)) };
    const serviceWorker = { getRegistrations: () => called(() => [{ unregister: () => called(() => {}) }]) };
    Object.defineProperty(globalThis, 'navigator', { value: { serviceWorker }, configurable: true });
    cleared.length = 0;
    globalThis.localStorage = Object.assign(Object.create({ removeItem(key) { delete this[key]; } }), {
      'yonder.me': 'Ada', [MARKER]: 'the sign-out', 'yonder.language': 'de',
    });
    let isDone = false;
    forgetEverything().then(() => { isDone = true; });
    for (let time = 0; time < 20 && !isDone; time += 1) {
      await turns(30);
      mock.timers.tick(4_000);
    }
    assert.ok(isDone, name);
    assert.deepEqual(cleared, ['session'], name);
    assert.deepEqual(Object.keys(localStorage), [MARKER], name);
    return { calls: calls.calls, rows: database.rows('unsent').length };
  };
  const { calls, rows } = await left({}, 'no fault');
  assert.equal(rows, 0);
  for (const fault of [...FAULTS, 'blocked']) {
    for (let at = 1; at <= calls; at += 1) {
      assert.equal((await left({ fault, at }, `${fault} at call ${at}`)).rows, 0, `${fault} at call ${at}`);
      await left({ fault, at, times: Infinity }, `${fault} from call ${at}`);
    }
  }
});
