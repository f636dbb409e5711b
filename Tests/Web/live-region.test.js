import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveRegion } from '../../Web/app/region/live-region.js';
import { regionOfBounds } from '../../Web/app/region/region.js';
import { RegionCache } from '../../Web/app/region/region-cache.js';
import { objectKind, personKind } from '../../Web/app/region/region-kinds.js';
import { RegionView } from '../../Web/app/region/region-view.js';
import { Subscriptions } from '../../Web/app/stream/subscriptions.js';

const [HERE, NEXT, FAR] = [[50, 10], [50, 10.5], [0, 179.5]].map(([south, west]) => regionOfBounds({ south, west, north: south + 1, east: west + 1 }));
const QUERY = { query: 'objects', entity: 'cafe' };
const cafe = (id, latitude, longitude) => ({ id, entity: 'cafe', created: 1, updated: 1, fields: { at: { latitude, longitude } } });

/** The stream without a socket: what was sent, and what a server would say. */
class FakeStream {
  sent = [];
  now = 0;
  #subscriptions = new Subscriptions({ now: () => this.now });

  subscribe(query, subscriber) {
    const { id, frame } = this.#subscriptions.add(query, subscriber);
    this.sent.push(frame);
    return () => this.sent.push(this.#subscriptions.remove(id));
  }

  send(frame) {
    this.sent.push(frame);
  }

  say(frame) {
    assert.ok(this.#subscriptions.receive({ type: 'region', topic: 7, ...frame }));
  }

  tick(milliseconds) {
    this.now += milliseconds;
    this.sent.push(...this.#subscriptions.due());
  }

  reconnect() {
    this.#subscriptions.lost();
    this.sent.push(...this.#subscriptions.resume());
  }

  takeSent() {
    return this.sent.splice(0).map(({ type, step, region }) => [type, step, region?.west]);
  }
}

test('a live region subscribes, moves a step at a time, and goes on after a reconnect where it was going', () => {
  const stream = new FakeStream();
  const live = new LiveRegion(stream, QUERY, objectKind(), { region: HERE, limit: 2 });
  const changes = [];
  live.onChange = ({ entered, left }) => changes.push([entered.map(({ id }) => id), left]);
  assert.deepEqual(stream.sent, [{ type: 'subscribe', id: 1, ...QUERY, region: HERE, limit: 2 }]);
  stream.takeSent();
  live.move(FAR);
  live.move(NEXT);
  assert.deepEqual(stream.takeSent(), []);
  stream.say({ id: 1, step: 0, current: true, total: 3, limit: 2, field: 'at', entered: [cafe('1', 50.5, 10.2), cafe('2', 50.5, 10.6)] });
  assert.deepEqual(stream.takeSent(), [['move', 1, 10.5]]);
  live.move(FAR);
  stream.reconnect();
  assert.deepEqual(stream.takeSent(), [['subscribe', undefined, 179.5]]);
  assert.deepEqual([...live.list.items.keys()], ['1', '2']);
  stream.say({ id: 1, step: 0, current: true, total: 1, limit: 2, field: 'at', entered: [cafe('3', 0.5, -179.9)] });
  stream.say({ total: 0, left: ['3'] });
  assert.deepEqual(changes, [[['1', '2'], []], [['3'], ['1', '2']], [[], ['3']]]);
  live.close();
  assert.deepEqual(stream.takeSent(), [['unsubscribe', undefined, undefined]]);
});

test('an object that may no longer be read is hidden, and a temporary refusal is asked again', () => {
  const stream = new FakeStream();
  const live = new LiveRegion(stream, { query: 'people' }, personKind, { region: HERE });
  const refusals = [];
  live.onRefused = ({ code }) => refusals.push(code);
  stream.say({ type: 'error', id: 1, code: 'tooManyRequests', message: '', retryAfter: 1_000 });
  live.move(NEXT);
  stream.takeSent();
  stream.tick(1_000);
  assert.deepEqual(stream.takeSent(), [['subscribe', undefined, 10.5]]);
  stream.say({ id: 1, step: 0, current: true, total: 1, entered: [{ chat: '1', user: '2', number: 1, time: 1, latitude: 50.5, longitude: 10.6 }] });
  assert.equal(live.list.items.size, 1);
  stream.say({ type: 'ended', id: 1, code: 'notSignedIn', message: '' });
  assert.equal(live.list.items.size, 0);
  assert.equal(live.refusal.code, 'notSignedIn');
  assert.deepEqual(refusals, ['notSignedIn']);
  stream.tick(60_000);
  assert.deepEqual(stream.takeSent(), []);
});

test('a view of another part of the map asks once the map rests, and comes back to what is kept', async () => {
  const stream = new FakeStream();
  const view = new RegionView(stream, QUERY, objectKind(), { debounce: 0, cache: new RegionCache() });
  const seen = () => [[...view.items.keys()], view.total, view.listed, view.cached, view.isCurrent];
  const sent = async () => {
    while (stream.sent.length === 0) await new Promise((resolve) => { setTimeout(resolve, 1); });
    return stream.takeSent();
  };
  view.look(HERE);
  assert.deepEqual(stream.takeSent(), [['subscribe', undefined, 10]]);
  assert.deepEqual(seen(), [[], undefined, 0, false, false]);
  stream.say({ id: 1, step: 0, current: true, total: 2, limit: 300, field: 'at', entered: [cafe('1', 50.5, 10.2), cafe('2', 50.5, 10.6)] });
  assert.deepEqual(seen(), [['1', '2'], 2, 2, false, true]);
  view.hold('1');
  stream.say({ moved: [{ id: '2', latitude: 50.4, longitude: 10.7, updated: 2 }] });

  view.look({ south: 0, west: 539.5, north: 1, east: 540.5 });
  assert.deepEqual(await sent(), [['move', 1, 179.5]]);
  assert.deepEqual(seen(), [['1', '2'], 2, 2, false, false]);
  stream.say({ id: 1, step: 1, current: true, total: 0, left: ['1', '2'] });
  assert.deepEqual(seen(), [['1'], 0, 0, false, true]);

  view.look(NEXT);
  await sent();
  view.look(HERE);
  assert.deepEqual(seen(), [['1', '2'], 2, 2, true, false]);
  assert.equal(view.items.get('2').fields.at.longitude, 10.7);
  stream.say({ id: 1, step: 2, current: true, total: 1, entered: [cafe('2', 50.4, 10.7)] });
  assert.deepEqual(seen(), [['1', '2'], 2, 2, true, false]);
  assert.deepEqual(await sent(), [['move', 3, 10]]);
  stream.say({ id: 1, step: 3, current: true, total: 1 });
  assert.deepEqual(seen(), [['2'], 1, 1, false, true]);
  assert.equal(view.held, undefined);
  view.close();
});

test('bounds on any turn are a region', () => {
  const bounds = (south, west, north, east) => Object.values(regionOfBounds({ south, west, north, east }));
  assert.deepEqual(bounds(-10, 170, 10, 190), [-10, 170, 10, -170]);
  assert.deepEqual(bounds(-10, -190, 10, -170), [-10, 170, 10, -170]);
  assert.deepEqual(bounds(-10, 350, 10, 370), [-10, -10, 10, 10]);
  assert.deepEqual(bounds(-95, -300, 95, 300), [-90, -180, 90, 180]);
  assert.deepEqual(bounds(0, 170, 1, 180), [0, 170, 1, 180]);
  assert.deepEqual(bounds(0, -180, 1, -170), [0, -180, 1, -170]);
});
