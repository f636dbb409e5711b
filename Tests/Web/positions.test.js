import assert from 'node:assert/strict';
import test from 'node:test';
import { SeededGenerator } from './seeded-generator.js';
import { Scope } from '../../Web/app/page/scope.js';

Object.assign(globalThis, { document: { documentElement: { dataset: {} }, addEventListener() {} }, addEventListener() {} });
const { PositionColumns } = await import('../../Web/app/positions/position-columns.js');
const { Stretch } = await import('../../Web/app/positions/stretch.js');
const { AllPositions } = await import('../../Web/app/positions/all-positions.js');
const { dotsIn, linesIn, orderOf, pileOf } = await import('../../Web/app/positions/picture.js');
const { LiveChat } = await import('../../Web/app/chats/live-chat.js');

const DAY = 86_400_000;

function location(number, sender = 'ada', more = {}) {
  return { chat: '7', number, sender, tag: 'Location', content: '', data: { latitude: 1, longitude: number / 1_000 }, time: 1_000 * number, ...more };
}

function recall(number, of) {
  return { chat: '7', number, sender: 'ben', tag: 'Recall', content: '', data: { number: of }, time: 1_000 * number };
}

function shareEnd(number, sender, keep = 'expiring') {
  return { chat: '7', number, sender, tag: 'Share', content: '', data: { share: '1', state: 'stopped', keep }, time: 1_000 * number };
}

function held({ columns }) {
  return Array.from({ length: columns.count }, (_, index) => columns.position(index)?.number).filter((number) => number !== undefined);
}

/** Answers what is asked out of a chat's messages, as the server does, until nothing is asked. */
function load(stretch, messages, first = 1) {
  for (let question = stretch.next(); question; question = stretch.next()) stretch.answered(question, answerTo(question, messages, first));
}

function answerTo({ before, limit, sender }, messages, first = 1) {
  const matches = messages.filter((each) => each.number < before && each.number >= first && each.tag === 'Location' && (sender === undefined || each.sender === sender));
  const page = matches.slice(-limit);
  return { messages: page, first, ...(matches.length > limit ? { previous: page[0].number } : {}) };
}

function loaded(count, capacity = 100) {
  const messages = Array.from({ length: count }, (_, index) => location(index + 1, index % 2 ? 'ben' : 'ada'));
  const stretch = new Stretch(capacity);
  stretch.begin(count);
  load(stretch, messages);
  return { stretch, messages };
}

function emptied(messages, isGone) {
  return messages.map((each) => (isGone(each) ? { ...each, content: '', data: undefined } : each));
}

test('every position is held, the newest asked for first, page by page', () => {
  const messages = Array.from({ length: 25_000 }, (_, index) => location(index + 1));
  const stretch = new Stretch();
  stretch.begin(25_000);
  const asked = [];
  for (let question = stretch.next(); question; question = stretch.next()) {
    asked.push([question.before, question.limit]);
    stretch.answered(question, answerTo(question, messages));
  }
  assert.deepEqual(asked, [[25_001, 2_000], [23_001, 10_000], [13_001, 10_000], [3_001, 10_000]]);
  assert.equal(stretch.count, 25_000);
  assert.deepEqual(stretch.reach({ now: 30_000_000, keptFor: undefined, created: 0 }), { since: 1_000, until: 25_000_000, why: 'whole' });
});

test('one question is open at a time', () => {
  const stretch = new Stretch();
  assert.equal(stretch.next(), undefined);
  stretch.begin(5);
  assert.equal(stretch.next().before, 6);
  assert.equal(stretch.next(), undefined);
});

test('a question that failed is asked again', () => {
  const stretch = new Stretch();
  stretch.begin(5);
  const question = stretch.next();
  stretch.failed(question);
  assert.deepEqual(stretch.next(), question);
});

test('beyond what is held the words have a beginning, and the stretch before comes in its place', () => {
  const { stretch, messages } = loaded(250);
  assert.deepEqual([held(stretch)[0], held(stretch).at(-1), stretch.hasEarlier], [151, 250, true]);
  assert.deepEqual(stretch.reach({ now: 0, keptFor: undefined, created: 0 }), { since: 151_000, until: 250_000, why: 'full' });
  stretch.earlier();
  load(stretch, messages);
  assert.deepEqual([held(stretch)[0], held(stretch).at(-1), stretch.isNewest, stretch.hasEarlier], [51, 150, false, true]);
  stretch.earlier();
  load(stretch, messages);
  assert.deepEqual([held(stretch)[0], held(stretch).at(-1), stretch.hasEarlier], [1, 50, false]);
  stretch.receive(location(251));
  assert.equal(held(stretch).at(-1), 50);
  stretch.newest();
  load(stretch, [...messages, location(251)]);
  assert.deepEqual([held(stretch)[0], held(stretch).at(-1), stretch.isNewest], [152, 251, true]);
});

test('new positions are appended, and take the place of the oldest where there is no room', () => {
  const { stretch } = loaded(100);
  assert.equal(stretch.hasEarlier, false);
  for (const number of [101, 102]) stretch.receive(location(number));
  assert.deepEqual([held(stretch)[0], held(stretch).at(-1), stretch.count, stretch.hasEarlier], [3, 102, 100, true]);
});

test('a position that comes twice is held once', () => {
  const stretch = new Stretch();
  stretch.begin(2);
  stretch.receive(location(3));
  stretch.receive(location(3));
  load(stretch, [location(1), location(2)]);
  stretch.receive(location(2));
  assert.deepEqual(held(stretch), [1, 2, 3]);
});

test('a recalled position goes at once, also out of an answer that was read before', () => {
  const stretch = new Stretch();
  stretch.begin(3);
  const question = stretch.next();
  assert.equal(stretch.receive(recall(4, 2)), false);
  stretch.answered(question, answerTo(question, [location(1), location(2), location(3)]));
  assert.deepEqual(held(stretch), [1, 3]);
  assert.equal(stretch.receive(recall(5, 3)), true);
  assert.deepEqual(held(stretch), [1]);
});

for (const [name, message] of [
  ['an expiring share ended', shareEnd(9, 'ada')],
  ['a person left', { ...location(9, 'ada'), tag: 'Leave', data: undefined }],
  ['a person was removed', { ...location(9, 'ben'), tag: 'Remove', data: { user: 'ada' } }],
]) {
  test(`after ${name} their positions go at once, and those that can still be read come back`, () => {
    const { stretch, messages } = loaded(8);
    assert.equal(stretch.receive(message), true);
    assert.deepEqual(held(stretch), [2, 4, 6, 8]);
    assert.equal(stretch.isLoading, true);
    load(stretch, emptied(messages, ({ number }) => number === 5 || number === 7));
    assert.deepEqual(held(stretch), [1, 2, 3, 4, 6, 8]);
    assert.equal(stretch.isLoading, false);
  });
}

test('an answer that was read before a share ended is asked for again', () => {
  const stretch = new Stretch();
  stretch.begin(2);
  const question = stretch.next();
  stretch.receive(shareEnd(3, 'ada'));
  stretch.answered(question, answerTo(question, [location(1), location(2)]));
  assert.deepEqual(held(stretch), []);
  load(stretch, emptied([location(1), location(2)], ({ number }) => number === 2));
  assert.deepEqual(held(stretch), [1]);
});

test('after a kept share nothing goes', () => {
  const { stretch } = loaded(8);
  assert.equal(stretch.receive(shareEnd(9, 'ada', 'kept')), false);
  assert.equal(stretch.count, 8);
});

test('a message that empties positions empties those of an earlier stretch, too', () => {
  const { stretch, messages } = loaded(250);
  stretch.earlier();
  load(stretch, messages);
  stretch.receive(recall(251, 60));
  stretch.receive(shareEnd(252, 'ada'));
  assert.equal(held(stretch).includes(60), false);
  load(stretch, emptied(messages, ({ number, sender }) => number === 60 || (sender === 'ada' && number > 100)));
  assert.deepEqual([held(stretch).includes(61), held(stretch).includes(60), held(stretch).includes(101)], [true, false, false]);
});

test('an expired position goes, and the next one when it is its turn', () => {
  const stretch = new Stretch();
  stretch.begin(2);
  load(stretch, [location(1, 'ada', { expires: 5_000 }), location(2, 'ada', { expires: 9_000 })]);
  assert.equal(stretch.expire(4_999, undefined), false);
  assert.equal(stretch.expire(5_000, undefined), true);
  assert.deepEqual(held(stretch), [2]);
  stretch.expire(9_000, undefined);
  assert.deepEqual(held(stretch), []);
});

test('positions that the chat no longer keeps go, and the words say so', () => {
  const { stretch } = loaded(8);
  assert.equal(stretch.expire(DAY + 3_500, DAY), true);
  assert.deepEqual(held(stretch), [4, 5, 6, 7, 8]);
  assert.equal(stretch.reach({ now: DAY + 3_500, keptFor: DAY, created: 0 }).why, 'kept');
  assert.equal(stretch.reach({ now: DAY + 3_500, keptFor: DAY, created: 3_600 }).why, 'whole');
});

test('of a reader who joined later the words say so', () => {
  const stretch = new Stretch();
  stretch.begin(9);
  load(stretch, Array.from({ length: 9 }, (_, index) => location(index + 1)), 5);
  assert.deepEqual(stretch.reach({ now: 0, keptFor: undefined, created: 0 }), { since: 5_000, until: 9_000, why: 'joined' });
});

test('the positions held are those that can be read, in any order of events', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = new SeededGenerator(seed);
    const people = ['ada', 'ben', 'cleo'];
    const stretch = new Stretch(40);
    let chat = [];
    let question;
    let open;
    const send = (message) => {
      chat.push(message);
      stretch.receive(message);
    };
    stretch.begin(0);
    for (let step = 0; step < 120; step += 1) {
      const number = chat.length + 1;
      const person = people[random.below(3)];
      const choice = random.below(10);
      if (choice < 5) send(location(number, person));
      else if (choice === 5 && chat.length > 0) {
        const of = 1 + random.below(chat.length);
        chat = emptied(chat, (each) => each.number === of && each.tag === 'Location');
        send(recall(number, of));
      } else if (choice === 6) {
        const from = random.below(number);
        chat = emptied(chat, (each) => each.sender === person && each.number >= from && each.tag === 'Location');
        send(shareEnd(number, person));
      } else if (choice === 7) {
        // The server reads an answer long before it comes.
        question = open ? question : stretch.next();
        open ??= question && answerTo(question, chat);
      } else if (choice === 8 && open) {
        stretch.answered(question, open);
        open = undefined;
      } else if (choice === 9 && random.below(4) === 0) {
        if (stretch.isNewest) stretch.earlier();
        else stretch.newest();
      }
      // What was held of it may no longer be read.
      const readable = new Set(chat.filter(({ tag, data }) => tag === 'Location' && data).map((each) => each.number));
      assert.deepEqual(held(stretch).filter((each) => !readable.has(each)), [], `seed ${seed}, step ${step}`);
    }
    stretch.newest();
    if (open) stretch.answered(question, open);
    load(stretch, chat);
    const expected = chat.filter(({ tag }) => tag === 'Location').map(({ number, data }) => (data ? number : undefined));
    const kept = held(stretch);
    const readable = expected.filter((number) => number !== undefined && number >= stretch.columns.first);
    assert.deepEqual(kept, readable, `seed ${seed}`);
    assert.equal(stretch.hasEarlier || readable.length === expected.filter(Boolean).length, true, `seed ${seed}`);
  }
});

/** Positions of three people on a small walk, some at one place. */
function crowd(seed, count) {
  const random = new SeededGenerator(seed);
  const columns = new PositionColumns(count);
  const places = [[59.91, 10.75], [59.92, 10.76], [-18, 179.999]];
  for (let number = 1; number <= count; number += 1) {
    const place = places[number % 3];
    if (random.below(3) > 0) place[0] += (random.below(21) - 10) / 100_000;
    if (random.below(3) > 0) place[1] += (random.below(21) - 10) / 100_000;
    if (place[1] > 180) place[1] -= 360;
    columns.append({ number, sender: 'abc'[number % 3], latitude: place[0], longitude: place[1], time: number * 1_000, arrival: number });
  }
  return columns;
}

/** A phone's map around a place. */
function viewAt(latitude, longitude, zoom) {
  const half = 180 / 512 / 2 ** zoom;
  return { south: latitude - half * 400, north: latitude + half * 400, west: longitude - half * 390, east: longitude + half * 390, zoom };
}

test('at the nearest zooms each position is reached through the dot that is the nearest to it', () => {
  for (const seed of [1, 2, 3]) {
    const columns = crowd(seed, 900);
    for (let index = 0; index < columns.count; index += 7) {
      for (const zoom of [16, 17.3, 19]) {
        const view = viewAt(columns.latitude(index), columns.longitude(index), zoom);
        const { dots, cell } = dotsIn(columns, view);
        const [dot] = dots.map((each) => ({ dot: each, distance: distanceBetween(columns, each, index) })).sort((a, b) => a.distance - b.distance);
        assert.ok(cell <= 2);
        assert.ok(pileOf(columns, dotAt(columns, dot.dot), view, cell).includes(index), `seed ${seed}, position ${index}, zoom ${zoom}`);
      }
    }
  }
});

function dotAt(columns, index) {
  return { longitude: columns.longitude(index), south: columns.south(index) };
}

function distanceBetween(columns, one, other) {
  return Math.hypot((columns.longitude(one) - columns.longitude(other)) / 360, columns.south(one) - columns.south(other));
}

test('the positions around a dot are the newest first, without those that may no longer be read', () => {
  const columns = crowd(4, 600);
  const view = viewAt(59.91, 10.75, 16);
  const { dots: [dot], cell } = dotsIn(columns, view);
  const pile = pileOf(columns, dotAt(columns, dot), view, cell);
  assert.deepEqual(pile, [...pile].sort((a, b) => b - a));
  columns.empty(columns.number(pile[0]));
  assert.deepEqual(pileOf(columns, dotAt(columns, pile[0] === dot ? pile[1] : dot), view, cell).includes(pile[0]), false);
});

test('there are never more dots or points than may be handed to the map', () => {
  const columns = crowd(5, 3_000);
  for (const zoom of [0, 5, 12, 17]) {
    const view = viewAt(59.91, 10.75, zoom);
    assert.ok(dotsIn(columns, view, { atMost: 50 }).dots.length <= 50);
    const lines = [...linesIn(columns, orderOf(columns), view, { atMost: 60 }).values()].flat();
    assert.ok(lines.reduce((sum, { points }) => sum + points.length, 0) <= 60);
  }
});

test('dots across the antimeridian are in view from either side', () => {
  const columns = new PositionColumns(2);
  for (const [number, longitude] of [[1, 179.999], [2, -179.999]]) columns.append({ number, sender: 'a', latitude: 0, longitude, time: number, arrival: number });
  for (const longitude of [179.999, 180.001, -179.999, 539.999]) assert.deepEqual(dotsIn(columns, viewAt(0, longitude, 14)).dots, [0, 1], String(longitude));
  assert.deepEqual(dotsIn(columns, viewAt(0, 10, 14)).dots, []);
});

test('a line goes in the order of the times, and is dotted where nothing was heard', () => {
  const columns = new PositionColumns(4);
  const at = (number, longitude, time) => columns.append({ number, sender: 'a', latitude: 0, longitude, time, arrival: number });
  at(1, 0.001, 1_000);
  at(2, 0.003, 3_000);
  at(3, 0.002, 2_000);
  at(4, 0.004, 3_000_000);
  const pieces = linesIn(columns, orderOf(columns), viewAt(0, 0.002, 15)).get('a');
  assert.deepEqual(pieces.map(({ points, isGap = false }) => [points.map(([longitude]) => longitude), isGap]), [[[0.001, 0.002, 0.003], false], [[0.003, 0.004], true]]);
});

test('lines of two shares aren’t joined, wherever one of them began', () => {
  for (const second of [0.003, 0.0010001, 0.02]) {
    const columns = new PositionColumns(4);
    const at = (number, longitude, share) => columns.append({ number, sender: 'a', latitude: 0, longitude, time: number * 1_000, arrival: number, share });
    at(1, 0, '41');
    at(2, 0.001, '41');
    at(3, second, '42');
    at(4, second + 0.001, '42');
    const pieces = linesIn(columns, orderOf(columns), viewAt(0, 0.002, 15)).get('a');
    assert.deepEqual(pieces.map(({ points }) => points.map(([longitude]) => longitude)).slice(0, 1), [[0, 0.001]], String(second));
    assert.ok(pieces.every(({ points }) => points.every(([longitude]) => longitude >= second) || points.every(([longitude]) => longitude <= 0.001)), JSON.stringify(pieces));
  }
});

test('each of two shares that run at once has its line', () => {
  const columns = new PositionColumns(8);
  for (let number = 1; number <= 8; number += 1) {
    columns.append({ number, sender: 'a', latitude: number % 2 ? 0 : 0.002, longitude: number / 1_000, time: number * 1_000, arrival: number, share: String(40 + (number % 2)) });
  }
  const pieces = linesIn(columns, orderOf(columns), viewAt(0, 0.004, 15)).get('a');
  assert.deepEqual(pieces.map(({ points }) => points.map(([longitude]) => Math.round(longitude * 1_000))), [[1, 3, 5, 7], [2, 4, 6, 8]]);
});

test('a position that may no longer be read is neither a dot nor on a line', () => {
  const columns = crowd(6, 300);
  const view = viewAt(59.91, 10.75, 15);
  columns.emptyAllOf('a');
  assert.equal(dotsIn(columns, view).dots.some((index) => columns.people[columns.sender(index)] === 'a'), false);
  assert.equal(linesIn(columns, orderOf(columns), view).has('a'), false);
});

/** A stream whose only subscription a test speaks through, and a server that answers from `messages`. */
function shell(messages) {
  const asked = [];
  const sources = {
    subscribe: (query, subscriber) => {
      asked.push({ query, subscriber, isOver: false });
      const [each] = asked.slice(-1);
      return () => { each.isOver = true; };
    },
    now: () => 1_000_000,
    get: async (path) => {
      asked.push(path);
      if (path.includes('/tracks')) return { tracks: [{ user: 'ada', points: [[1, 2, 3], [2, 4, 5]], deviation: 0 }] };
      const parameters = new URLSearchParams(path.split('?')[1]);
      return answerTo({ before: Number(parameters.get('before')), limit: Number(parameters.get('limit')), sender: parameters.get('sender') ?? undefined }, messages);
    },
  };
  return { asked, sources };
}

function isLoaded(all) {
  return new Promise((resolve) => {
    const end = all.observe(() => { if (!all.stretch.isLoading) { end(); resolve(); } }, new Scope());
  });
}

test('the stream says up to where to ask, goes on there after a cut, and ends with the switch', async () => {
  const messages = Array.from({ length: 5 }, (_, index) => location(index + 1));
  const { asked, sources } = shell(messages);
  const all = new AllPositions('7', sources);
  const [{ query, subscriber }] = asked;
  assert.deepEqual([query, subscriber.resume(), subscriber.since()], [{ query: 'messages', tag: 'Location', from: 1 }, { limit: 1 }, undefined]);
  subscriber.answer({ messages: [location(5)], through: 6, first: 1, current: true });
  await isLoaded(all);
  assert.equal(asked[1], '/chats/7/messages?tag=Location&before=7&limit=2000');
  assert.equal(all.stretch.count, 5);
  assert.deepEqual([subscriber.resume(), subscriber.since()], [{}, 6]);
  subscriber.answer({ messages: [location(7), recall(8, 1)], through: 8, first: 1, current: true });
  assert.deepEqual([held(all.stretch), subscriber.since()], [[2, 3, 4, 5, 7], 8]);
  all.close();
  assert.equal(asked[0].isOver, true);
});

test('only what the chat still keeps is asked for', async () => {
  const { asked, sources } = shell([location(1)]);
  const all = new AllPositions('7', sources);
  all.keptFor = 400_000;
  asked[0].subscriber.answer({ messages: [], through: 1, first: 1, current: true });
  await isLoaded(all);
  assert.equal(asked[1], '/chats/7/messages?tag=Location&before=2&limit=2000&from=600000');
  all.close();
});

test('simplified lines are there until the positions have come, and go when any may no longer be read', async () => {
  const messages = Array.from({ length: 2_500 }, (_, index) => location(index + 1));
  const { asked, sources } = shell(messages);
  let release = () => {};
  const all = new AllPositions('7', {
    ...sources,
    get: async (path) => {
      if (!path.includes('/tracks') && !path.includes('limit=2000')) await new Promise((resolve) => { release = resolve; });
      return sources.get(path);
    },
  });
  asked[0].subscriber.answer({ messages: [], through: 2_500, first: 1, current: true });
  await new Promise((resolve) => { const end = all.observe(() => { if (all.overview.lines.size > 0) { end(); resolve(); } }, new Scope()); });
  assert.deepEqual([...all.overview.lines], [['ada', [[3, 2], [5, 4]]]]);
  all.stretch.receive(location(2_501));
  asked[0].subscriber.change(recall(2_502, 2_499));
  assert.equal(all.overview.lines.size, 0);
  const done = isLoaded(all);
  release();
  await done;
  assert.equal(all.stretch.count, 2_500);
  all.close();
});

test('a chat lets go of all positions when the last ones alone are shown again', () => {
  const asked = [];
  const stream = { now: () => 0, subscribe: (query) => { const each = { query, isOver: false }; asked.push(each); return () => { each.isOver = true; }; } };
  const live = new LiveChat(stream, '7', async () => ({ messages: [], first: 1 }));
  live.openAll(DAY);
  const { query } = asked.at(-1);
  assert.equal(query.from, 1);
  assert.equal(live.all.keptFor, DAY);
  live.shutAll();
  assert.deepEqual([live.all, asked.at(-1).isOver], [undefined, true]);
  live.openAll();
  live.shut();
  assert.equal(live.all, undefined);
});

test('positions of an expiring share go when it is over by the clock, without a connection too, and only what was held is asked for', async () => {
  const messages = [location(1, 'ada'), location(2, 'ben'), location(3, 'ada')];
  const { asked, sources } = shell(messages);
  const subscribed = [];
  const stream = { now: () => 1_000_000, subscribe: (query, subscriber) => { subscribed.push({ query, subscriber }); return () => {}; } };
  const live = new LiveChat(stream, '7', sources.get);
  const share = { share: '5', chat: '7', user: 'ada', started: 1, until: 1_000_500, keep: 'expiring', freshness: { state: 'live', asOf: 1 } };
  subscribed.find(({ query }) => query.query === 'freshness').subscriber.answer({ shares: [share], current: true }, true);
  live.openAll();
  subscribed.at(-1).subscriber.answer({ messages: [], through: 3, first: 1, current: true });
  await isLoaded(live.all);
  assert.deepEqual(held(live.all.stretch), [1, 2, 3]);
  live.expire(1_000_499);
  assert.deepEqual(held(live.all.stretch), [1, 2, 3]);
  messages.splice(0, 3, { ...messages[0], data: undefined }, messages[1], { ...messages[2], data: undefined });
  live.expire(1_000_500);
  assert.deepEqual(held(live.all.stretch), [2]);
  await isLoaded(live.all);
  assert.deepEqual(held(live.all.stretch), [2]);
  const questions = asked.length;
  live.expire(1_001_500);
  assert.equal(asked.length, questions, 'the same end twice asks once');
  live.close();
});
