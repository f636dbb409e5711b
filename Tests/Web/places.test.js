import assert from 'node:assert/strict';
import { Shelf } from '../../Web/app/storage/shelf.js';
import { test } from 'node:test';
import { Shown } from '../../Web/app/map/shown.js';
import { numberText } from '../../Web/app/page/numbers.js';
import { throttle } from '../../Web/app/page/throttle.js';
import { Choice, KINDS_AT_MOST } from '../../Web/app/places/choice.js';
import { countText } from '../../Web/app/places/count-text.js';
import { ObjectWatch } from '../../Web/app/places/object-watch.js';
import { byName, labelOf, locationField, nameOf, placeKey, placeOf, placeOfKey } from '../../Web/app/places/place.js';
import { Places } from '../../Web/app/places/places.js';
import { QuietAnnouncer } from '../../Web/app/places/quiet-announcer.js';
import { Refused } from '../../Web/app/stream/requests.js';
import { Scope } from '../../Web/app/page/scope.js';

const CAFE = { name: 'cafe', fields: [{ name: 'street', type: 'text' }, { name: 'Name', type: 'text' }, { name: 'at', type: 'location' }] };
const WORLD = { south: -80, west: -180, north: 80, east: 180 };

function cafe(id, latitude, longitude, { updated = 1, name = `Café ${id}`, address } = {}) {
  return { id, entity: 'cafe', created: 1, updated, fields: { Name: name, at: { latitude, longitude, ...(address ? { address } : {}) } } };
}

/** Lets everything run that waits for promises and microtasks alone. */
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A stream that says what the test says: subscriptions in the order in which they were made. */
class ScriptedStream {
  subscriptions = [];

  subscribe(query, subscriber) {
    const subscription = { query: { ...query, ...subscriber.resume?.() }, subscriber, id: this.subscriptions.length + 1, isOpen: true };
    this.subscriptions.push(subscription);
    return () => { subscription.isOpen = false; };
  }

  send() {}

  /** @param {number} index */
  answer(index, entered, total = entered.length) {
    const { subscriber, id } = this.subscriptions.at(index);
    subscriber.answer({ type: 'region', id, topic: id, step: 0, current: true, field: 'at', total, limit: 300, entered }, true);
  }

  change(index, frame) {
    const { subscriber, id } = this.subscriptions.at(index);
    subscriber.change({ type: 'region', topic: id, ...frame });
  }

  get open() {
    return this.subscriptions.filter(({ isOpen }) => isOpen);
  }
}

/** REST over some objects; what isn't there is refused as the server does. */
function scriptedRest(objects, entities = [CAFE]) {
  return async (path) => {
    if (path === '/entities') return { entities };
    const [, kind, entity, id] = path.split('/');
    if (kind === 'entities') return { entity: entities.find(({ name }) => name === entity) };
    const object = objects.get(id);
    if (!object) throw new Refused('unknownObject', 'No such object.');
    return { object };
  };
}

class ScriptedStorage {
  kept = {};
  getItem(key) { return this.kept[key] ?? null; }
  setItem(key, value) { this.kept[key] = value; }
}

test('numbers of five digits and more have thin spaces', () => {
  assert.deepEqual([0, 300, 1234, 12_345, 1_234_567.5, -12_345].map(numberText),
    ['0', '300', '1234', '12\u202f345', '1\u202f234\u202f567.5', '-12\u202f345']);
  assert.equal(numberText(1e300), '1e+300');
});

test('how many are shown is said to the eye with spaces and to the ear without', () => {
  assert.deepEqual(countText({ listed: 300, total: 12_345 }), { shown: '300 of 12\u202f345', spoken: '300 of 12345 places here are shown.' });
  assert.equal(countText({ listed: 42, total: 42 }).shown, '42 places');
  assert.equal(countText({ listed: 1, total: 1 }).shown, '1 place');
  assert.equal(countText({ listed: 0, total: 0 }).shown, 'No places here');
});

test('a place is called by its name or title, or else by its first text', () => {
  const fields = (...names) => ({ name: 'bus_stop', fields: names.map((name) => ({ name, type: 'text' })) });
  const object = { id: '461168601842', fields: { title: ' Town hall ', street: 'Main', name: '' } };
  assert.equal(nameOf(fields('street', 'title'), object), 'Town hall');
  assert.equal(nameOf(fields('street', 'city'), object), 'Main');
  assert.equal(nameOf(fields('name', 'title'), object), 'Bus stop …1842');
  assert.equal(nameOf(fields(), object), 'Bus stop …1842');
  assert.equal([...nameOf(fields('street'), { id: '1', fields: { street: '🚏'.repeat(100) } })].length, 80);
});

test('names of fields are shown as words', () => {
  assert.deepEqual(['opening_hours', 'wheelchair-access', 'openNow', 'URL', 'x'].map(labelOf),
    ['Opening hours', 'Wheelchair access', 'Open now', 'URL', 'X']);
});

test('an object with an address alone is on no map, one on the equator is', () => {
  assert.equal(locationField(CAFE), 'at');
  assert.equal(placeOf(CAFE, { ...cafe('1', 1, 2), fields: { at: { address: 'Main street 1' } } }), undefined);
  assert.equal(placeOf(CAFE, { ...cafe('1', 1, 2), fields: {} }), undefined);
  const place = placeOf(CAFE, cafe('7', 0, 0, { address: 'Null island' }));
  assert.deepEqual([place.latitude, place.longitude, place.title, place.subtitle, place.letter], [0, 0, 'Café 7', 'Null island', 'C']);
});

test('a place’s key says what it is of, and no person has one', () => {
  assert.deepEqual(placeOfKey(placeKey('cafe', '7')), { entity: 'cafe', id: '7' });
  for (const key of [undefined, '1234', '1234/57', 'a1b2', 'you']) assert.equal(placeOfKey(key), undefined);
});

test('lists are by name with numbers in order, and what has the same name stays in one', () => {
  const places = [cafe('3', 0, 0, { name: 'B' }), cafe('2', 0, 0, { name: 'Stop 10' }), cafe('1', 0, 0, { name: 'Stop 9' }), cafe('0', 0, 0, { name: 'b' })];
  assert.deepEqual(places.map((object) => placeOf(CAFE, object)).sort(byName).map(({ object: { id } }) => id), ['0', '3', '1', '2']);
});

test('an undecided kind is shown while there is room, and a decision is kept', () => {
  const storage = new ScriptedStorage();
  const all = Array.from({ length: KINDS_AT_MOST + 2 }, (_, index) => `kind${index}`);
  const choice = new Choice(new Shelf(() => storage));
  assert.deepEqual(choice.chosen(all), all.slice(0, KINDS_AT_MOST));
  choice.decide('kind0', false);
  choice.decide(all.at(-1), true);
  const kept = new Choice(new Shelf(() => storage));
  assert.deepEqual(kept.chosen(all), [...all.slice(1, KINDS_AT_MOST), all.at(-1)]);
  assert.deepEqual(kept.chosen(['kind0']), []);
});

test('a stored choice that can’t be read is dropped', () => {
  for (const text of ['{', 'null', '[]', '{"cafe":"yes"}', '3']) {
    assert.deepEqual(new Choice(new Shelf(() => ({ getItem: () => text, setItem() { throw new Error('full'); } }))).chosen(['cafe']), ['cafe']);
  }
});

test('a value that changes often is announced once it rests, not twice, and with pauses', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const tick = (milliseconds) => { now += milliseconds; context.mock.timers.tick(milliseconds); };
  const said = [];
  const announcer = new QuietAnnouncer((text) => said.push(text), () => now);
  for (let count = 1; count <= 20; count += 1) {
    announcer.announce(`${count} places`);
    tick(100);
  }
  assert.deepEqual(said, []);
  tick(1_200);
  assert.deepEqual(said, ['20 places']);
  announcer.announce('20 places');
  tick(10_000);
  assert.deepEqual(said, ['20 places']);
  announcer.announce('21 places');
  tick(1_200);
  announcer.announce('22 places');
  tick(1_200);
  assert.deepEqual(said, ['20 places', '21 places']);
  tick(5_000);
  assert.deepEqual(said, ['20 places', '21 places', '22 places']);
  announcer.announce('23 places');
  announcer.announce('');
  tick(60_000);
  assert.equal(said.length, 3);
});

test('an object is watched in a region as large as its place, and looked up when it leaves that', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = new ScriptedStream();
  const objects = new Map([['7', cafe('7', 10, 20)]]);
  const watch = new ObjectWatch('cafe', '7', { get: scriptedRest(objects), subscribe: (query, subscriber) => stream.subscribe(query, subscriber) });
  assert.equal(watch.state, 'loading');
  await settled();
  assert.equal(watch.state, 'here');
  assert.deepEqual(stream.open.map(({ query }) => query.region), [{ south: 10, west: 20, north: 10, east: 20 }]);
  stream.answer(-1, [cafe('6', 10, 20), cafe('7', 10, 20, { updated: 2, name: 'Newer' })]);
  assert.equal(watch.object.fields.Name, 'Newer');
  stream.change(-1, { changed: [cafe('7', 10, 20, { updated: 3, name: 'Newest' })] });
  assert.equal(watch.object.fields.Name, 'Newest');

  objects.set('7', cafe('7', 11, 21, { updated: 4 }));
  stream.change(-1, { left: ['7'] });
  await settled();
  assert.deepEqual(stream.open.map(({ query }) => query.region.south), [11]);
  objects.delete('7');
  stream.change(-1, { left: ['7'] });
  await settled();
  assert.equal(watch.state, 'gone');
  assert.deepEqual(stream.open, []);
  watch.close();
});

test('an object that was older news changes nothing, and one without a place is asked for again', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = new ScriptedStream();
  const objects = new Map([['7', { ...cafe('7', 0, 0, { updated: 5 }), fields: { Name: 'Nowhere', at: { address: 'Somewhere' } } }]]);
  const watch = new ObjectWatch('cafe', '7', { get: scriptedRest(objects), subscribe: (query, subscriber) => stream.subscribe(query, subscriber) });
  await settled();
  assert.deepEqual(stream.subscriptions, []);
  objects.set('7', cafe('7', 3, 4, { updated: 6 }));
  context.mock.timers.tick(15_000);
  await settled();
  assert.equal(stream.open.length, 1);
  stream.answer(-1, [cafe('7', 3, 4, { updated: 2, name: 'Old' })]);
  assert.equal(watch.object.updated, 6);
  watch.close();
  assert.equal(stream.open.length, 0);
});

test('an object that its region doesn’t list is asked for, once more at once and then now and then', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = new ScriptedStream();
  let asked = 0;
  const rest = scriptedRest(new Map([['7', cafe('7', 3, 4)]]));
  const get = (path) => {
    asked += Number(path.startsWith('/objects'));
    return rest(path);
  };
  const watch = new ObjectWatch('cafe', '7', { get, subscribe: (query, subscriber) => stream.subscribe(query, subscriber) });
  await settled();
  stream.answer(-1, [cafe('1', 3, 4)], 2_000);
  context.mock.timers.tick(1_000);
  await settled();
  assert.equal(asked, 2);
  for (let round = 0; round < 3; round += 1) {
    context.mock.timers.tick(15_000);
    await settled();
  }
  assert.equal(asked, 5);
  assert.equal(stream.subscriptions.length, 1);
  watch.close();
});

/** Places on a stream, with what is on the map drawn by {@link Shown} as the map does. */
async function placesOf(objects, { entities, storage = new ScriptedStorage() } = {}) {
  const stream = new ScriptedStream();
  const places = new Places(stream, scriptedRest(objects, entities), new Shelf(() => storage));
  const shown = new Shown();
  places.observe(() => {
    const { selected } = shown;
    shown.applyPlaces(places.all, () => undefined);
    if (shown.selected !== selected) places.select(shown.selected);
  }, new Scope());
  const select = (key) => {
    shown.select(key, () => undefined);
    places.select(shown.selected);
  };
  places.look(WORLD);
  await places.load();
  await settled();
  return { stream, places, shown, select };
}

test('kinds without a location are not among places, and without any kind nothing is subscribed to', async () => {
  const { places, stream } = await placesOf(new Map(), { entities: [{ name: 'company', fields: [{ name: 'name', type: 'text' }] }] });
  assert.deepEqual(places.kinds, []);
  assert.deepEqual(stream.subscriptions, []);
  assert.equal(places.count, undefined);
});

test('a kind is shown until it is switched off, also on the next visit', async () => {
  const storage = new ScriptedStorage();
  const { places, stream, shown } = await placesOf(new Map(), { storage });
  stream.answer(0, [cafe('1', 1, 1), cafe('2', 2, 2)], 12_345);
  await settled();
  assert.deepEqual(places.count, { listed: 2, total: 12_345 });
  assert.equal(shown.places.items.size, 2);
  places.show('cafe', false);
  await settled();
  assert.deepEqual([stream.open.length, shown.places.items.size, places.count], [0, 0, undefined]);
  const next = await placesOf(new Map(), { storage });
  assert.equal(next.stream.subscriptions.length, 0);
});

test('a selected object out of sight stays on the map while it is selected, and no longer', async () => {
  const object = cafe('1', 1, 1);
  const { places, stream, shown, select } = await placesOf(new Map([['1', object]]));
  stream.answer(0, [object, cafe('2', 2, 2)]);
  await settled();
  const key = placeKey('cafe', '1');
  select(key);
  stream.change(0, { left: ['1', '2'], total: 0 });
  await settled();
  assert.equal(shown.selected, key);
  assert.deepEqual([...shown.places.items.keys()], [key]);
  assert.equal(stream.open.length, 2, 'it has a watch of its own');
  stream.answer(1, [cafe('1', 1, 1, { updated: 9, name: 'Renamed far away' })]);
  await settled();
  assert.equal(shown.item(key).title, 'Renamed far away');

  stream.change(0, { entered: [cafe('1', 1, 1, { updated: 9, name: 'Back' })], total: 1 });
  await settled();
  assert.equal(shown.selected, key);
  assert.equal(stream.open.length, 1, 'in sight it needs none');
  stream.change(0, { left: ['1'], total: 0 });
  await settled();
  select(undefined);
  await settled();
  assert.deepEqual([shown.places.items.size, stream.open.length, places.all.size], [0, 1, 0]);
});

test('a selection ends when its object is deleted, wherever the map is', async () => {
  const objects = new Map([['1', cafe('1', 1, 1)]]);
  const { stream, shown, select } = await placesOf(objects);
  stream.answer(0, [objects.get('1')]);
  await settled();
  select(placeKey('cafe', '1'));
  objects.delete('1');
  stream.change(0, { left: ['1'], total: 0 });
  await settled();
  assert.deepEqual([shown.selected, shown.places.items.size, stream.open.length], [undefined, 0, 1]);
});

test('a selection survives its kind being switched off, a new connection, and the list it was in', async () => {
  const object = cafe('1', 1, 1);
  const { places, stream, shown, select } = await placesOf(new Map([['1', object]]));
  stream.answer(0, [object]);
  await settled();
  const key = placeKey('cafe', '1');
  select(key);
  stream.subscriptions[0].subscriber.resume();
  stream.answer(0, [cafe('5', 5, 5)], 12_345);
  await settled();
  assert.equal(shown.selected, key);
  places.show('cafe', false);
  await settled();
  assert.equal(shown.selected, key);
  assert.deepEqual([...shown.places.items.keys()], [key]);
});

test('a place can be shown that no layer has, as from its address', async () => {
  const { places, stream } = await placesOf(new Map([['9', cafe('9', 40, 50)]]));
  stream.answer(0, []);
  places.select(placeKey('cafe', '9'));
  await settled();
  assert.deepEqual([...places.all.values()].map(({ title }) => title), ['Café 9']);
  assert.deepEqual(places.list, []);
});

test('one object is watched once, however many look at it', async () => {
  const { places, stream } = await placesOf(new Map([['9', cafe('9', 40, 50)]]));
  const [one, two] = [places.watch('cafe', '9'), places.watch('cafe', '9')];
  await settled();
  assert.equal(one.watch, two.watch);
  assert.equal(stream.open.length, 2);
  one.end();
  assert.equal(stream.open.length, 2);
  two.end();
  assert.equal(stream.open.length, 1);
});

test('a kind that may no longer be seen goes, with its places', async () => {
  const entities = [CAFE];
  const { places, stream, shown } = await placesOf(new Map(), { entities });
  stream.answer(0, [cafe('1', 1, 1)]);
  await settled();
  entities.length = 0;
  stream.subscriptions[0].subscriber.ended({ code: 'unknownEntity', message: 'No such entity.' });
  await settled();
  assert.deepEqual([places.kinds, shown.places.items.size, places.count], [[], 0, undefined]);
});

test('a throttled call runs at once, and once more for all calls meanwhile', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000;
  context.mock.method(performance, 'now', () => now);
  const tick = (milliseconds) => { now += milliseconds; context.mock.timers.tick(milliseconds); };
  let runs = 0;
  const { run, cancel } = throttle(100, () => { runs += 1; });
  for (let call = 0; call < 5; call += 1) run();
  assert.equal(runs, 1);
  tick(100);
  assert.equal(runs, 2);
  tick(1_000);
  run();
  assert.equal(runs, 3);
  run();
  cancel();
  tick(1_000);
  assert.equal(runs, 3);
});

test('a kind that is defined anew is shown by its new definition', async () => {
  const entities = [{ ...CAFE, updated: 1 }];
  const { places, stream } = await placesOf(new Map(), { entities });
  stream.answer(0, [{ ...cafe('1', 1, 1), fields: { street: 'Main street', at: { latitude: 1, longitude: 1 } } }]);
  entities[0] = { ...CAFE, updated: 2, fields: [CAFE.fields[0], CAFE.fields[2]] };
  await places.load();
  await settled();
  assert.deepEqual(stream.open.length, 1);
  assert.equal(stream.subscriptions.length, 2);
});

test('places that were cleared are loaded again, with a new stream', async () => {
  const { places, stream, shown } = await placesOf(new Map());
  for (let time = 0; time < 3; time += 1) {
    stream.answer(time, [cafe('1', 1, 1)]);
    await settled();
    assert.deepEqual([stream.open.length, shown.places.items.size], [1, 1], `time ${time}`);
    places.clear();
    await settled();
    assert.deepEqual([stream.open.length, shown.places.items.size, places.kinds], [0, 0, undefined]);
    await places.load();
    await settled();
  }
});
