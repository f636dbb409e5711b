import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Faults, FAULTS, turns } from './fake-database.js';
import { answer, databaseOf, ORIGIN, PAGE, receiver, started } from './worker.js';

test('requests with a position pass untouched, and so do all other phone paths', async () => {
  const { ask } = started(async () => assert.fail('asked the network'));
  const paths = ['/v1/session', '/v1/stream', '/v1/images/7', '/f/secret', '/mqtt', '/socket.io/?EIO=4', '/control', '/pub', '/owntracks',
    '/?id=7&lat=1&lon=2', '/assets/another/app/main.js', '/tiles/world.json', '/api/data', '/service-worker.js'];
  for (const path of paths) assert.equal(await ask(path, { mode: 'navigate' }), undefined, path);
  assert.equal(await ask('/', { method: 'POST' }), undefined);
  assert.equal(await ask('/'), undefined, 'a script that asks for the page');
  assert.equal(await ask('/tiles/world/1/0/0.mvt', { origin: 'https://other.example' }), undefined);
});

test('this version’s files are asked for once', async () => {
  let asked = 0;
  const { ask } = started(async (path) => { asked += 1; return answer(path, 'code'); });
  for (let time = 0; time < 3; time += 1) assert.equal(await (await ask('/assets/abc123/app/main.js')).text(), 'code');
  assert.equal(asked, 1);
});

test('the page opens without a connection once it was kept', async () => {
  let isOnline = true;
  const { ask, tell } = started(async (path) => {
    if (!isOnline) throw new TypeError('offline');
    return answer(path, PAGE);
  });
  await tell('message', { data: { keep: ['/', '/v1/session'] } });
  isOnline = false;
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /abc123/);
});

test('another version’s page takes the place of the kept one', async () => {
  let version = 'abc123';
  const { ask, tell } = started(async (path) => answer(path, PAGE.replace('abc123', version)));
  await tell('message', { data: { keep: ['/'] } });
  version = 'def456';
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /abc123/);
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /def456/);
});

test('what is still on its way when a person’s signs are erased isn’t kept, and looking for a tile makes no cache', async () => {
  for (const forget of ['tiles', 'everything']) {
    let arrive;
    const late = new Promise((resolve) => { arrive = resolve; });
    const { ask, tell, caches } = started(async (path) => {
      await late;
      return answer(path, path === '/' ? PAGE : 'late');
    });
    const asked = ['/tiles/world/1/0/0.mvt', '/tiles/map.json', '/assets/abc123/app/main.js'].map((path) => ask(path));
    await turns(20);
    const said = [];
    await tell('message', { data: { forget }, ports: [{ postMessage: (answered) => said.push(answered) }] });
    assert.deepEqual(said, [true]);
    for (const name of await caches.keys()) await caches.delete(name);
    arrive();
    for (const response of await Promise.all(asked)) assert.equal(await response.text(), 'late');
    assert.equal(await (await ask('/tiles/world/1/1/0.mvt')).text(), 'late');
    assert.deepEqual(await caches.keys(), forget === 'tiles' ? ['yonder-shell-assets-abc123'] : []);
    // The next person signs in.
    await tell('message', { data: { keep: ['/'] } });
    await turns(20);
    await ask('/tiles/world/1/1/0.mvt');
    assert.deepEqual((await caches.keys()).sort(), ['yonder-shell-assets-abc123', 'yonder-tiles']);
  }
});

test('the oldest tiles go when there are more than 50 MB', async () => {
  const { ask, caches } = started(async (path) => answer(path, new Uint8Array(4_000_000)));
  for (let x = 0; x < 16; x += 1) await ask(`/tiles/world/4/${x}/0.mvt`);
  const tiles = await caches.open('yonder-tiles');
  const kept = (await tiles.keys()).map(({ url }) => new URL(url).pathname);
  assert.ok(kept.length * 4_000_000 <= 50_000_000, `${kept.length}`);
  assert.ok(kept.includes('/tiles/world/4/15/0.mvt'));
  assert.ok(!kept.includes('/tiles/world/4/0/0.mvt'));
});

test('the map’s description is fetched each time, and kept for when there is no connection', async () => {
  let answers = ['first', 'second'];
  const { ask } = started(async (path) => {
    const text = answers.shift();
    if (!text) throw new TypeError('offline');
    return answer(path, text);
  });
  for (const text of ['first', 'second', 'second']) assert.equal(await (await ask('/tiles/map.json')).text(), text);
});

test('a kept tile is shown without a connection, however old it is', async () => {
  let isOnline = true;
  const { ask } = started(async (path) => {
    if (!isOnline) throw new TypeError('offline');
    return answer(path, 'tile');
  });
  await ask('/tiles/world/4/1/0.mvt');
  isOnline = false;
  assert.equal(await (await ask('/tiles/world/4/1/0.mvt')).text(), 'tile');
});

test('an answer that isn’t the file is asked for again, and only the file is kept', async () => {
  const portal = () => new Response('<h1>Pay here</h1>', { headers: { 'Content-Type': 'text/html' } });
  const moved = () => Object.defineProperty(answer('/x.js', 'elsewhere'), 'redirected', { value: true });
  for (const other of [portal, moved]) {
    const path = '/assets/abc123/app/main.js';
    let asked = 0;
    const { ask, caches } = started(async () => { asked += 1; return asked === 1 ? other() : answer(path, 'code'); });
    assert.equal(await (await ask(path)).text(), 'code');
    assert.equal(await (await ask(path)).text(), 'code');
    assert.equal(asked, 2);
    assert.equal((await (await caches.open('yonder-shell-assets-abc123')).keys()).length, 1);
  }
});

test('a kept file that is of another type is asked for anew', async () => {
  const path = '/assets/abc123/app/main.js';
  const { ask, caches } = started(async () => answer(path, 'code'));
  await (await caches.open('yonder-shell-assets-abc123')).put(path, new Response('<h1>Pay here</h1>', { headers: { 'Content-Type': 'text/html' } }));
  assert.equal(await (await ask(path)).text(), 'code');
});

test('a file whose bytes aren’t those that its ETag names isn’t kept', async () => {
  const bodies = ['changed on its way', 'code', 'asked a third time'];
  const { ask } = started(async (path) => answer(path, bodies.shift(), { ETag: 'W/"5694d08a2e53ffca-gzip"' }));
  const texts = [];
  for (let time = 0; time < 3; time += 1) texts.push(await (await ask('/assets/abc123/app/main.js')).text());
  assert.deepEqual(texts, ['changed on its way', 'code', 'code']);
});

test('a network that asks for money takes neither the kept page nor a tile', async () => {
  let isPortal = false;
  const { ask, tell } = started(async (path) => (isPortal ? new Response('<h1>Pay</h1>', { headers: { 'Content-Type': 'text/html' } }) : answer(path, PAGE)));
  await tell('message', { data: { keep: ['/'] } });
  isPortal = true;
  assert.equal(await (await ask('/tiles/world/4/1/0.mvt')).text(), '<h1>Pay</h1>');
  for (let time = 0; time < 2; time += 1) assert.equal(await (await ask('/', { mode: 'navigate' })).text(), PAGE);
  isPortal = false;
  assert.equal(await (await ask('/tiles/world/4/1/0.mvt')).text(), PAGE);
});

test('what the network brings is answered, whatever the storage does at a call', async () => {
  const paths = ['/', '/assets/abc123/app/main.js', '/tiles/map.json', '/tiles/world/4/1/0.mvt'];
  const visit = async (faults, name) => {
    const { ask, tell, caches } = started(async (path) => answer(path, PAGE), { faults });
    await Promise.race([tell('activate', {}), turns(300)]);
    for (let time = 0; time < 2; time += 1) {
      for (const path of paths) assert.equal(await (await ask(path, { mode: 'navigate' })).text(), PAGE, `${path}, ${name}`);
    }
    return caches.calls.calls;
  };
  const calls = await visit();
  for (const fault of ['full', 'silent']) {
    for (let at = 1; at <= calls; at += 1) {
      for (const times of [1, Infinity]) await visit({ fault, at, times }, `${fault} at call ${at}, ${times} times`);
    }
  }
});

const refusal = (status, code) => Response.json({ error: { code, message: '' } }, { status });
const unsent = () => [
  { key: 'a', user: '7', chat: '1', tag: 'Location', content: '', data: {} },
  { key: 'b', user: '8', chat: '1', tag: 'Text', content: 'another person' },
  { key: 'c', user: '7', chat: '2', tag: 'Text', content: 'hi' },
];
const keys = (database) => database.rows('unsent').map(({ key }) => key);

test('unsent messages are sent when there is a connection again, also beside an open page, and a position that is refused is dropped', async () => {
  const database = databaseOf(unsent());
  const { sent, fetch } = receiver([refusal(409, 'shareEnded'), 201]);
  await started(fetch, { database, windows: [{}] }).tell('sync', { tag: 'outbox' });
  assert.deepEqual(sent, ['/v1/chats/1/messages a', '/v1/chats/2/messages c']);
  await turns(5);
  assert.deepEqual(keys(database), ['b']);
});

const stop = (user, place, stopping) => ({ id: `${user}/${place}`, user, place, stops: 1, turn: 0, isWanted: stopping === undefined, ...(stopping ? { stopping } : {}) });

test('a stop is sent before any message, and no message while it can’t be', async () => {
  const shares = [stop('7', '1', 5), stop('7', '*', 6), stop('8', '2', 7), stop('7', '3')];
  const database = databaseOf(unsent(), {}, shares);
  const asked = [];
  let status = 503;
  const fetch = async (path, { method, body } = {}) => {
    if (path === '/v1/session') return Response.json({ user: { id: '7' } });
    asked.push([method, path, JSON.parse(body).before, JSON.parse(body).chat]);
    return new Response('{}', { status });
  };
  const { tell } = started(fetch, { database });
  await assert.rejects(tell('sync', { tag: 'outbox' }));
  assert.deepEqual(asked, [['DELETE', '/v1/me/shares', 5, '1']]);
  assert.equal(database.connections.size, 0);
  [status, asked.length] = [200, 0];
  await tell('sync', { tag: 'outbox' });
  assert.deepEqual(asked.slice(0, 2), [['DELETE', '/v1/me/shares', 5, '1'], ['DELETE', '/v1/me/shares', 6, undefined]]);
  assert.deepEqual(asked.slice(2).map(([method]) => method), ['POST', 'POST']);
  await turns(5);
  const left = database.rows('shares');
  assert.deepEqual(left.map(({ stopping }) => stopping), [undefined, undefined, 7, undefined]);
  // The worker neither starts a share nor goes on with one.
  assert.deepEqual(left.map(({ isWanted }) => isWanted), [false, false, false, true]);
});

test('a message that the page has sent meanwhile isn’t sent again', async () => {
  const database = databaseOf(unsent());
  const { sent, fetch } = receiver([]);
  const removing = async (path, options) => {
    if (path !== '/v1/session') database.stores.get('unsent').rows.delete(3);
    return fetch(path, options);
  };
  await started(removing, { database }).tell('sync', { tag: 'outbox' });
  assert.deepEqual(sent, ['/v1/chats/1/messages a']);
});

test('a refused text that a page has given back meanwhile isn’t made anew', async () => {
  for (const isGivenBack of [false, true]) {
    const database = databaseOf(unsent().slice(2));
    const { fetch } = receiver([refusal(403, 'notParticipant')]);
    const removing = async (path, options) => {
      if (path !== '/v1/session' && isGivenBack) database.stores.get('unsent').rows.clear();
      return fetch(path, options);
    };
    await started(removing, { database }).tell('sync', { tag: 'outbox' });
    await turns(5);
    assert.deepEqual(database.rows('unsent').map(({ key, refusal: kept }) => [key, kept?.code]), isGivenBack ? [] : [['c', 'notParticipant']]);
  }
});

test('what the server refuses for good is dropped; what is refused for now, or by a proxy, is kept and sent again', async () => {
  const final = [refusal(400, 'invalidField'), refusal(403, 'notParticipant'), refusal(404, 'unknownChat'), refusal(409, 'keyReused'),
    refusal(413, 'messageTooLarge')];
  const passing = [401, 403, 404, 408, 421, 429, 500, 502, 503, refusal(401, 'notSignedIn'), refusal(403, 'accountDisabled'),
    refusal(404, 'notFound'), refusal(429, 'tooManyRequests'), refusal(503, 'unavailable')];
  for (const answered of [...final, ...passing]) {
    const database = databaseOf(unsent().slice(0, 1));
    const sync = started(receiver([answered]).fetch, { database }).tell('sync', { tag: 'outbox' });
    const isFinal = final.includes(answered);
    await (isFinal ? sync : assert.rejects(sync));
    await turns(5);
    assert.deepEqual(keys(database), isFinal ? [] : ['a'], `${answered.status ?? answered}`);
    assert.equal(database.connections.size, 0);
  }
});

test('while nobody is signed in messages wait; while the server is in trouble the browser calls again', async () => {
  const database = databaseOf(unsent());
  await started(async () => new Response('', { status: 401 }), { database }).tell('sync', { tag: 'outbox' });
  await assert.rejects(started(async () => new Response('', { status: 503 }), { database }).tell('sync', { tag: 'outbox' }));
  assert.equal(keys(database).length, 3);
});

test('whatever the storage does at a call, no message is lost, and no connection to it stays', async () => {
  const run = async (faults, name) => {
    const database = databaseOf(unsent(), faults);
    const { sent, fetch } = receiver([]);
    const sync = started(fetch, { database }).tell('sync', { tag: 'outbox' });
    const end = await Promise.race([sync.then(() => 'done', () => 'again'), turns(300)]);
    const lost = ['a', 'c'].filter((key) => !keys(database).includes(key) && !sent.some((each) => each.endsWith(` ${key}`)));
    assert.deepEqual(lost, [], name);
    // A request that the database never answers ends when the browser stops the worker; a page that erases the database closes it.
    if (end === undefined) await new Promise((resolve) => { database.deleteDatabase().onsuccess = resolve; });
    assert.equal(database.connections.size, 0, name);
    return database.faults.calls;
  };
  const calls = await run();
  for (const fault of FAULTS) {
    for (let at = 1; at <= calls; at += 1) await run({ fault, at }, `${fault} at call ${at}`);
  }
});
