import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeDatabase, turns } from './fake-database.js';
import { Drafts } from '../../Web/app/messages/drafts.js';
import { Scope } from '../../Web/app/page/scope.js';
import { Store } from '../../Web/app/storage/store.js';

const channels = new Set();
Object.assign(globalThis, {
  document: { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} }, addEventListener() {}, removeEventListener() {},
  BroadcastChannel: class {
    constructor() { channels.add(this); }
    postMessage(data) { for (const each of channels) if (each !== this) each.onmessage({ data: structuredClone(data) }); }
    close() { channels.delete(this); }
  },
});

/** An opening of the page by somebody, in the browser of this database. */
async function opened(database, user = '7') {
  globalThis.indexedDB = database;
  const scope = new Scope();
  const drafts = new Drafts(new Store(), scope);
  await drafts.begin(user);
  return { drafts, close: () => scope.end(), shown: (chat) => { const { text, reply, attached } = drafts.of(chat); return [text, reply?.number, attached.map(({ tag }) => tag)]; } };
}

test('a text, a reply and a chosen photo are a chat’s own, and are there after a reload and another chat', async () => {
  const database = new FakeDatabase();
  const before = await opened(database);
  before.drafts.write('1', 'Wait for me at the');
  before.drafts.reply('1', { number: 5, text: 'Where?' });
  before.drafts.write('2', 'Another chat');
  before.drafts.attach('2', { tag: 'Photo', file: new Blob(['x']) });
  assert.equal(await before.drafts.settled(), true);
  before.close();
  const after = await opened(database);
  assert.deepEqual(after.shown('1'), ['Wait for me at the', 5, []]);
  assert.deepEqual(after.shown('2'), ['Another chat', undefined, ['Photo']]);
  assert.deepEqual(after.shown('3'), ['', undefined, []]);
});

test('a text that was sent, and a place that was taken back, are no draft any more, after a reload either', async () => {
  const database = new FakeDatabase();
  const { drafts } = await opened(database);
  drafts.write('1', 'sent');
  const key = drafts.attach('1', { tag: 'Place', data: { latitude: '1', longitude: '2' } });
  await drafts.settled();
  drafts.write('1', '');
  drafts.detach('1', key);
  await drafts.settled();
  assert.deepEqual(database.rows('drafts'), []);
});

test('a draft is its person’s alone, and goes with a sign-out', async () => {
  const database = new FakeDatabase();
  const ada = await opened(database);
  ada.drafts.write('1', 'Ada’s');
  await ada.drafts.settled();
  ada.close();
  assert.deepEqual(ada.shown('1'), ['', undefined, []], 'dropped whole');
  ada.drafts.write('1', 'late');
  assert.equal(await ada.drafts.settled(), true);
  const ben = await opened(database, '8');
  assert.deepEqual(ben.shown('1'), ['', undefined, []]);
  await new Store().clear();
  assert.deepEqual((await opened(database)).shown('1'), ['', undefined, []]);
});

test('a refused text is put before what is being written, and a refused photo or place beside it', async () => {
  const database = new FakeDatabase();
  const { drafts, shown } = await opened(database);
  drafts.write('1', 'new');
  drafts.giveBack({ key: 'a', user: '7', chat: '1', tag: 'Text', content: 'refused', data: { reply: 4 }, time: 0 });
  drafts.giveBack({ key: 'b', user: '7', chat: '1', tag: 'Photo', content: '', data: { image: 'i', width: 3, height: 2, reply: 4 }, time: 0 });
  assert.equal(await drafts.giveBack({ key: 'c', user: '7', chat: '1', tag: 'Place', content: '', data: { latitude: '1', longitude: '2' }, time: 0 }), true);
  assert.deepEqual(shown('1'), ['refused new', 4, ['Photo', 'Place']]);
  assert.deepEqual(drafts.of('1').attached.map(({ data }) => data), [{ image: 'i', width: 3, height: 2 }, { latitude: '1', longitude: '2' }]);
  assert.deepEqual((await opened(database)).shown('1'), ['refused new', 4, ['Photo', 'Place']]);
});

test('a draft is the same in each tab, and what is written before the kept ones are read stays', async () => {
  const database = new FakeDatabase();
  const one = await opened(database);
  const two = await opened(database);
  one.drafts.write('1', 'typed here');
  assert.deepEqual(two.shown('1'), ['typed here', undefined, []]);
  await one.drafts.settled();
  const three = new Drafts(new Store(), new Scope());
  const begun = three.begin('7');
  three.write('1', 'typed at once');
  await begun;
  assert.equal(three.of('1').text, 'typed here typed at once');
});

test('a refused text comes back once, whether tab, worker or another tab had it refused, and without taking a reply along', async () => {
  const database = new FakeDatabase();
  const [one, two] = [await opened(database), await opened(database)];
  const entry = { key: 'a', user: '7', chat: '1', tag: 'Text', content: 'hello', data: { reply: 4 }, time: 0 };
  one.drafts.write('1', 'and');
  one.drafts.reply('1', { number: 9, text: 'Mine' });
  one.drafts.reply('1', undefined);
  assert.equal(await one.drafts.giveBack(entry), true);
  assert.equal(await one.drafts.giveBack(entry), true);
  await two.drafts.giveBack(entry);
  for (const { shown } of [one, two]) assert.deepEqual(shown('1'), ['hello and', 4, []]);
  one.drafts.write('1', '');
  one.drafts.reply('1', undefined);
  await two.drafts.giveBack(entry);
  assert.deepEqual(two.shown('1'), ['', undefined, []], 'nor is it back after it was sent again');
});

test('a refused text is kept or not whatever becomes of other chats’ drafts, and each tab says what is so', async () => {
  const database = new FakeDatabase();
  const [one, other] = [await opened(database), await opened(database)];
  const put = Store.prototype.put;
  const full = (isFull) => { Store.prototype.put = function (name, record) { return isFull(record) ? Promise.resolve(false) : put.call(this, name, record); }; };
  try {
    full(({ chat }) => chat === '2');
    one.drafts.attach('2', { tag: 'Photo', file: new Blob(['large']) });
    assert.equal(await one.drafts.settled(), false);
    assert.equal(await one.drafts.giveBack({ key: 'a', chat: '1', tag: 'Text', content: 'hello' }), true);
    full(() => true);
    assert.equal(await one.drafts.giveBack({ key: 'b', chat: '3', tag: 'Text', content: 'hi' }), false);
    await turns(5);
    assert.equal(await other.drafts.giveBack({ key: 'b', chat: '3', tag: 'Text', content: 'hi' }), false);
  } finally {
    Store.prototype.put = put;
  }
});

test('a tab that hasn’t read the drafts yet takes nothing from another one', async () => {
  const database = new FakeDatabase();
  const one = await opened(database);
  one.drafts.write('1', 'long text');
  await one.drafts.settled();
  const late = new Drafts(new Store(), new Scope());
  const read = late.begin('7');
  late.write('1', 'x');
  assert.equal(one.drafts.of('1').text, 'long text');
  await read;
  await turns(5);
  assert.deepEqual([one.drafts.of('1').text, late.of('1').text], ['long text x', 'long text x']);
});

test('a draft that the browser doesn’t keep is known not to be, so that the page isn’t loaded anew over it', async () => {
  const { drafts } = await opened(new FakeDatabase({ fault: 'full', at: 1, times: Infinity }));
  drafts.write('1', 'only here');
  assert.equal(await drafts.settled(), false);
  assert.equal(await drafts.settled(), false);
  await turns(5);
  assert.equal(drafts.of('1').text, 'only here');
});
