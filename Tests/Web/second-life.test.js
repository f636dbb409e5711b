import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test as tested } from 'node:test';

/** An element as far as these helpers use one. */
function fakeElement() {
  const element = {
    style: {}, dataset: {}, children: [], append: (...more) => element.children.push(...more), setAttribute() {}, addEventListener() {},
    replaceChildren: (...all) => { element.children = all; },
  };
  return element;
}
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
const page = () => ({
  visibilityState: 'visible', documentElement: { dataset: {}, lang: 'en' }, addEventListener() {}, createElement: fakeElement, createElementNS: fakeElement,
});
Object.assign(globalThis, { document: page(), addEventListener() {} });

const { ChatList } = await import('../../Web/app/chats/chat-list.js');
const { LiveChat } = await import('../../Web/app/chats/live-chat.js');
const { ShareBook } = await import('../../Web/app/freshness/share-book.js');
const { replay } = await import('../../Web/app/history/history-view.js');
const { Observable } = await import('../../Web/app/page/observable.js');
const { Scope } = await import('../../Web/app/page/scope.js');
const { throttle } = await import('../../Web/app/page/throttle.js');
const { Toasts } = await import('../../Web/app/page/toasts.js');
const { photos } = await import('../../Web/app/people/photos.js');
const { PlaceNames } = await import('../../Web/app/places/place-names.js');
const { Stretch } = await import('../../Web/app/positions/stretch.js');
const { DrawnPositions } = await import('../../Web/app/positions/drawn-positions.js');
const { objectKind } = await import('../../Web/app/region/region-kinds.js');
const { RegionList } = await import('../../Web/app/region/region-list.js');
const { AwaitedStart } = await import('../../Web/app/sharing/awaited-start.js');
const { OwnShares } = await import('../../Web/app/sharing/own-shares.js');
const { ScreenLock } = await import('../../Web/app/sharing/screen-lock.js');
const { Starts } = await import('../../Web/app/sharing/starts.js');
const { Shelf } = await import('../../Web/app/storage/shelf.js');
const { Requests } = await import('../../Web/app/stream/requests.js');
const { Stream } = await import('../../Web/app/stream/stream.js');
const { World } = await import('../../Web/app/world/world.js');

const turns = async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate); };

/** The helpers whose second life a test here is of, as `file name`. */
const lived = new Set();
function test(name, helpers, body) {
  for (const helper of helpers) lived.add(helper);
  tested(name, body);
}

test('a throttled action that was canceled runs again when it is asked for', ['page/throttle.js cancel'], (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  const { run, cancel } = throttle(100, () => { runs += 1; });
  run();
  run();
  cancel();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 1, 'what waited is dropped');
  run();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 2);
  cancel();
  run();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 3);
});

/** A browser that grants locks when the test says so. */
function scriptedLocks() {
  const asked = [];
  const held = new Set();
  return {
    asked, held,
    request: () => new Promise((resolve) => {
      asked.push(() => {
        const lock = { released: false, async release() { lock.released = true; held.delete(lock); } };
        held.add(lock);
        resolve(lock);
      });
    }),
  };
}

test('one lock of the screen is asked for, and none is left after the end', [], async () => {
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  screen.keep(true);
  screen.keep(true);
  assert.equal(locks.asked.length, 1);
  locks.asked[0]();
  await turns();
  screen.keep(true);
  assert.equal(locks.asked.length, 1);
  screen.keep(false);
  assert.equal(locks.held.size, 0);
});

test('a lock that is granted after the end is given back, and the next share has one', [], async () => {
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  screen.keep(false);
  locks.asked[0]();
  await turns();
  assert.equal(locks.held.size, 0);
  screen.keep(true);
  locks.asked[1]();
  await turns();
  assert.equal(locks.held.size, 1);
});

test('a lock that the browser took away is asked for again', [], async () => {
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  locks.asked[0]();
  await turns();
  await [...locks.held][0].release();
  screen.keep(true);
  assert.equal(locks.asked.length, 2);
});

test('nothing begins in a scope that is over, and another one is as good as new', ['page/scope.js end'], async () => {
  const observable = new Observable();
  const told = [];
  const first = new Scope();
  observable.observe(() => told.push('first'), first);
  first.inner().add(() => told.push('inner ends'));
  first.end();
  first.end();
  observable.observe(() => told.push('late'), first);
  first.listen({ addEventListener: () => told.push('listens') }, 'x', () => {});
  first.every(1, () => {});
  first.after(0, () => told.push('later'));
  observable.observe(() => told.push('second'), new Scope());
  observable.changed();
  await turns();
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.deepEqual(told, ['inner ends', 'second']);
  assert.throws(() => observable.observe(() => {}), TypeError, 'nothing is observed without a scope');
});

test('lists that were cleared take the next answer whole', [
  'chats/chat-list.js clear', 'freshness/share-book.js clear', 'world/world.js clear', 'region/region-list.js clear', 'sharing/own-shares.js clear',
], () => {
  const chats = new ChatList();
  chats.answer({ chats: [{ id: '1' }], current: true }, true);
  chats.clear();
  assert.deepEqual([chats.chats.size, chats.isCurrent], [0, false]);
  chats.answer({ chats: [{ id: '2' }], current: true }, true);
  assert.deepEqual([...chats.chats.keys()], ['2']);

  const share = (id) => ({ share: id, chat: '1', user: '2', started: 1, until: null, freshness: { state: 'live', asOf: 1 } });
  const book = new ShareBook();
  book.answer({ shares: [share('a')], current: true }, true);
  assert.equal(book.of('2').length, 1);
  book.clear();
  assert.deepEqual([book.of('2'), book.isCurrent], [[], false]);
  book.answer({ shares: [share('b')], current: true }, true);
  assert.deepEqual(book.of('2').map((each) => each.share), ['b']);

  const world = new World();
  world.answer({ pins: [{ pin: 'x', at: '1,2' }], current: true }, true, 0);
  world.clear();
  assert.equal(world.strangers.size, 0);
  assert.deepEqual(world.answer({ pins: [{ pin: 'y' }], current: true }, true, 0), []);
  assert.deepEqual([...world.strangers.keys()], ['y']);

  const region = new RegionList(objectKind(), { south: 0, north: 1, west: 0, east: 1 }, 10);
  region.clear();
  assert.deepEqual([region.items.size, region.reopen().limit], [0, 10]);

  let subscriber;
  const own = new OwnShares({ subscribe: (_, asked) => { subscriber = asked; }, hello: { time: 5 }, now: () => 10 });
  own.follow();
  subscriber.answer({ shares: [share('a')], current: true }, true);
  own.clear();
  assert.deepEqual([own.running, own.areKept, own.isMissing('a', 1)], [[], undefined, false]);
  subscriber.answer({ shares: [share('b')], current: true }, true);
  assert.deepEqual([own.running.map((each) => each.share), own.isMissing('a', 1)], [['b'], true]);
});

test('names of places that were being asked for when they were cleared aren’t kept, and are asked for again', ['places/place-names.js clear'], async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  const names = new PlaceNames(() => {}, ({ positions }) => new Promise((resolve) => { asked.push(() => resolve({ names: positions.map(() => ({ street: 'Städtle', distance: 0 })) })); }));
  const at = { latitude: 47, longitude: 9 };
  const ask = async () => {
    const name = names.nameOf('a', at);
    context.mock.timers.tick(700);
    await turns();
    return name;
  };
  await ask();
  names.clear();
  asked[0]();
  await turns();
  assert.equal(await ask(), undefined, 'the last one’s name');
  asked[1]();
  await turns();
  assert.equal((await ask()).street, 'Städtle');
});

test('a chat that was shut opens as at first, and all its positions are asked for anew', ['chats/live-chat.js shut', 'chats/live-chat.js shutAll'], () => {
  const open = [];
  const stream = { now: () => 0, send() {}, subscribe: (query) => { open.push(query); return () => open.splice(open.indexOf(query), 1); } };
  const live = new LiveChat(stream, '7', () => new Promise(() => {}));
  const closed = open.length;
  live.open();
  live.openAll();
  const opened = open.length;
  live.shut();
  assert.equal(open.length, closed);
  live.open();
  live.openAll();
  live.shutAll();
  live.openAll();
  assert.deepEqual([open.length, live.messages !== undefined, live.all !== undefined], [opened, true, true]);
  live.close();
  assert.equal(open.length, 0);
});

test('all positions are drawn again after they were cleared, however often', ['positions/drawn-positions.js clear'], async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let pictures = 0;
  const drawn = new DrawnPositions(() => { pictures += 1; });
  const all = { stretch: new Stretch(100), overview: undefined };
  const view = { west: 0, east: 1, south: 0, north: 1, zoom: 3, width: 100, height: 100, levels: 3 };
  for (let time = 0; time < 4; time += 1) {
    pictures = 0;
    drawn.show({ chat: { participants: [] }, all, own: '1', view, selected: undefined });
    assert.equal(drawn.isUsed, true);
    for (let step = 0; step < 20; step += 1) {
      context.mock.timers.tick(100);
      await turns();
    }
    assert.ok(pictures > 0, `picture ${time}`);
    drawn.show({ chat: { participants: [] }, all: { ...all }, own: '1', view: { ...view, zoom: 4 }, selected: undefined });
    drawn.clear();
    assert.equal(drawn.isUsed, false);
  }
});

test('a day that was replayed to its end or stopped is replayed again', ['history/history-view.js stop'], () => {
  const frames = [];
  Object.assign(globalThis, { requestAnimationFrame: (step) => frames.push(step), cancelAnimationFrame: () => { frames.length = 0; } });
  const set = [];
  let press = () => {};
  document.createElement = () => ({ ...fakeElement(), addEventListener: (_, listener) => { press = listener; }, replaceChildren() {}, setAttribute() {} });
  const player = replay({ set: (time) => set.push(time) }, () => ({ from: 0, to: 100 }));
  document.createElement = fakeElement;
  for (let time = 1; time <= 3; time += 1) {
    press();
    assert.equal(frames.length, 1, `plays ${time}`);
    frames.shift()();
    player.stop();
    assert.equal(frames.length, 0);
    assert.equal(set.length, time);
  }
});

test('a start that was dropped leaves room for the next', ['sharing/starts.js drop', 'sharing/starts.js end', 'sharing/awaited-start.js drop'], (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const starts = new Starts(new Scope());
  const first = starts.begin('1');
  first.isSent = true;
  assert.deepEqual([starts.drop(), starts.isStopped(first), starts.areUnderWay], [['1'], true, false]);
  const second = starts.begin('1');
  starts.end('1', first);
  assert.equal(starts.has('1'), true, 'the first one’s end isn’t the second one’s');
  starts.end('1', second);
  assert.equal(starts.areUnderWay, false);

  const awaited = new AwaitedStart(new Scope());
  const late = [];
  awaited.onLate = (chat) => late.push(chat);
  awaited.wait('1', {});
  awaited.drop();
  awaited.wait('2', {});
  context.mock.timers.tick(200_000);
  assert.deepEqual([late, awaited.wanted], [['2'], undefined]);
  awaited.wait('3', {});
  context.mock.timers.tick(200_000);
  assert.deepEqual(late, ['2', '3']);
});

test('a request that was canceled may be made again under its key', ['stream/requests.js cancel', 'stream/stream.js cancel'], async () => {
  const requests = new Requests();
  const first = requests.add({ type: 'share', key: 'a' });
  requests.cancel('a', new Error('stopped'));
  await assert.rejects(first, /stopped/);
  assert.equal(requests.receive({ type: 'share', key: 'a' }), false);
  const second = requests.add({ type: 'share', key: 'a' });
  requests.receive({ type: 'share', key: 'a', share: 5 });
  assert.equal((await second).share, 5);
});

test('a stream that was closed opens again, with nothing of before', ['stream/stream.js close'], (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const sockets = [];
  globalThis.WebSocket = class {
    static CONNECTING = 0;
    sent = [];
    constructor() { sockets.push(this); }
    send(text) { this.sent.push(JSON.parse(text).type); }
    close() {}
  };
  const stream = new Stream('ws://server/v1/stream');
  const hello = JSON.stringify({ type: 'hello', time: 0 });
  for (let time = 0; time < 3; time += 1) {
    stream.open();
    sockets[time].onmessage({ data: hello });
    assert.equal(stream.state, 'open');
    stream.subscribe({ query: 'chats' }, { answer() {}, change() {} });
    stream.close();
    assert.deepEqual([stream.state, stream.hello, sockets[time].sent], ['closed', undefined, ['ping', 'subscribe']]);
  }
});

test('a shelf that was cleared keeps the next text', ['storage/shelf.js clear'], () => {
  const shelf = new Shelf(() => { throw new Error('refused'); });
  shelf.put('a', '1');
  shelf.clear();
  assert.equal(shelf.get('a'), null);
  shelf.put('a', '2');
  assert.equal(shelf.get('a'), '2');
});

test('toasts and pictures that were cleared come again', ['page/toasts.js clear', 'people/photos.js clear'], (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const list = fakeElement();
  const toasts = new Toasts(list);
  toasts.say('one');
  toasts.clear();
  assert.equal(list.children.length, 0);
  toasts.say('one');
  assert.equal(list.children.length, 1);

  let loaded = 0;
  globalThis.location = new URL('https://yonder.example/');
  globalThis.Image = class { constructor() { loaded += 1; Object.assign(this, { complete: true, naturalWidth: 9 }); } };
  photos.get('/v1/images/7');
  photos.get('/v1/images/7');
  photos.clear();
  assert.ok(photos.get('/v1/images/7'));
  assert.equal(loaded, 2);
});

const APP = new URL('../../Web/app/', import.meta.url);
const HELPER = /^ {2}(?:async )?(cancel|stop|stopAll|close|end|shut|shutAll|clear|drop|release)\(|return \{[^}\n]*\b(cancel|stop|close|end)(?= \}|, |: \()/gm;
/** Those that are made anew each time: nothing is asked of them after their end. */
const ONCE = [
  'chats/chats.js clear', 'chats/live-chat.js close', 'session/person.js end', 'map/opening.js end', 'places/fetched-region.js close', 'places/object-watch.js close',
  'places/place-layer.js close', 'places/places.js end', 'positions/all-positions.js close', 'positions/overview.js end', 'messages/live-messages.js close',
  'region/live-region.js close', 'region/region-view.js close',
];
/** Those whose second life is tried in a test of another file, by its name. */
const ELSEWHERE = {
  'map/people-layer.js close': ['../Python/Browser/test_people.py', 'def test_'],
  'places/places.js clear': ['places.test.js', 'places that were cleared are loaded again'],
  'sharing/share-records.js stop': ['share-records.test.js', 'a stop holds against whatever another tab knew before it'],
  'sharing/share-records.js end': ['share-records.test.js', 'a share that ended starts again'],
  'sharing/sharer.js stop': ['sharer.test.js', 'a share that was stopped, or ended, starts again'],
  'sharing/sharer.js stopAll': ['sharer.test.js', 'a share that was stopped, or ended, starts again'],
  'sharing/sharer.js end': ['sharer.test.js', 'a share that was stopped, or ended, starts again'],
  'sharing/tabs.js release': ['tabs.test.js', 'a tab that released the sensor holds it again'],
  'storage/store.js clear': ['storage.test.js', 'another tab erases the database at once, although this one has it open'],
};

tested('each helper that can be ended has a test of its second life', () => {
  const helpers = readdirSync(APP, { recursive: true }).filter((name) => name.endsWith('.js')).flatMap((name) => (
    [...readFileSync(new URL(name, APP), 'utf8').matchAll(HELPER)].map((match) => `${name} ${match[1] ?? match[2]}`)));
  const known = [...lived, ...ONCE, ...Object.keys(ELSEWHERE)];
  assert.deepEqual([...new Set(helpers)].filter((helper) => !known.includes(helper)), [], 'helpers without a test');
  assert.deepEqual(known.filter((helper) => !helpers.includes(helper) && helper !== 'stream/stream.js cancel'), [], 'tests without a helper');
  for (const [file, name] of Object.values(ELSEWHERE)) assert.ok(readFileSync(new URL(file, import.meta.url), 'utf8').includes(name), `${file}: ${name}`);
});
