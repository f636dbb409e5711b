import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  definitionOf, draftOf, fieldRefused, isSameDraft, locksOf, problemsOf, withField, withFieldChanged, withFieldMoved, withoutField,
} from '../../Web/control/entities/schema.js';
import { cellText, counted, nameField, objectName, shortened } from '../../Web/control/objects/cells.js';
import { conditionText, listQuery, nextSort, operatorsOf } from '../../Web/control/objects/conditions.js';
import { localInput, timeOfInput, zoneText } from '../../Web/control/objects/dates.js';
import { Pages } from '../../Web/control/objects/pages.js';
import { rawMembers } from '../../Web/control/objects/raw-json.js';
import { inputText, numberOf, readPlace, readValue } from '../../Web/control/objects/values.js';
import { Asking } from '../../Web/control/panel/asking.js';
import { formatOf, importQuery, mappingProblem, summaryOf, targetOf, targetsOf, withTarget } from '../../Web/control/transfer/mapping.js';
import { SeededGenerator } from './seeded-generator.js';

const cafe = {
  name: 'cafe', readers: 'anyone', count: 3, created: 1, updated: 2,
  fields: [{ name: 'name', type: 'text', required: true }, { name: 'chain', type: 'reference', entity: 'company' }, { name: 'at', type: 'location' }],
};
const field = (type) => ({ name: 'x', type });

test('a schema that is not edited is sent as it came', () => {
  const { name, readers, fields } = cafe;
  assert.deepEqual(definitionOf(draftOf(cafe)), { name, readers, fields });
});

test('fields are added, moved, changed and removed, and a move never loses one', () => {
  let draft = withField(draftOf(cafe));
  assert.equal(new Set(draft.fields.map(({ key }) => key)).size, 4);
  draft = withFieldChanged(draft, '3', { name: 'rating', type: 'number' });
  draft = withFieldMoved(draft, '3', -2);
  assert.deepEqual(draft.fields.map(({ name }) => name), ['name', 'rating', 'chain', 'at']);
  assert.equal(withFieldMoved(draft, '0', -1), draft);
  assert.deepEqual(withFieldMoved(draft, '0', 9).fields.map(({ name }) => name), ['rating', 'chain', 'at', 'name']);
  draft = withoutField(draft, '1');
  assert.deepEqual(definitionOf(draft).fields, [cafe.fields[0], { name: 'rating', type: 'number' }, cafe.fields[2]]);
  assert.ok(!isSameDraft(draft, draftOf(cafe)));
  assert.ok(isSameDraft(withFieldMoved(withFieldMoved(draftOf(cafe), '0', 1), '0', -1), draftOf(cafe)));
});

test('a fault in a schema is shown beside its field', () => {
  let draft = draftOf();
  for (const [name, type, entity] of [['a b', 'text'], ['id', 'text'], ['at', 'location'], ['at', 'text'], ['there', 'location'], ['to', 'reference', ''], ['', 'text']]) {
    draft = withField(draft);
    draft = withFieldChanged(draft, draft.fields[draft.fields.length - 1].key, { name, type, entity: entity ?? '' });
  }
  const { name, fields } = problemsOf({ ...draft, name: 'cafe' }, ['cafe']);
  assert.match(name, /already/);
  assert.deepEqual([...fields.keys()], ['0', '1', '3', '4', '5', '6']);
  assert.match(fields.get('4'), /one location/);
  assert.deepEqual(problemsOf(draftOf(cafe)), { name: undefined, fields: new Map(), whole: undefined });
});

test('a field’s name, type and removal are locked while there are objects', () => {
  const [name, chain] = draftOf(cafe).fields;
  assert.deepEqual(locksOf(name, true), { name: true, type: true, removal: true, required: false });
  assert.deepEqual(locksOf(chain, true), { name: true, type: true, removal: true, required: true });
  assert.deepEqual(locksOf(withField(draftOf(cafe)).fields[3], true), { name: false, type: false, removal: false, required: true });
  assert.deepEqual(locksOf(chain, false), { name: false, type: false, removal: false, required: false });
});

test('a refusal of a schema finds its field', () => {
  const draft = draftOf(cafe);
  const refused = (code, message) => fieldRefused(draft, { code, message })?.name;
  assert.equal(refused('entityInUse', 'chain can’t be removed or get another type while cafe has 3 objects.'), 'chain');
  assert.equal(refused('unknownReference', 'fields: the entity company doesn’t exist.'), 'chain');
  assert.equal(refused('invalidField', 'fields must have at most one location.'), 'at');
  assert.equal(refused('invalidField', 'at: type must be text or number.'), 'at');
  assert.equal(refused('invalidField', 'at a loss'), 'at');
  assert.equal(refused('entityExists', 'There is an entity cafe already; choose another name.'), undefined);
});

test('JSON keeps every byte that somebody wrote', () => {
  const text = '{ "a" : 1.0, "b":[1e3 , {"}":"]\\"" }],"c\\u0041":"x,y:\\\\","d":12345678901234567890,\n"e":{}, "f":null}';
  assert.deepEqual([...rawMembers(text)], [
    ['a', '1.0'], ['b', '[1e3 , {"}":"]\\"" }]'], ['cA', '"x,y:\\\\"'], ['d', '12345678901234567890'], ['e', '{}'], ['f', 'null'],
  ]);
  assert.deepEqual([...rawMembers('{}')], []);
  assert.deepEqual([...rawMembers(' { } ')], []);
});

test('the members of any object are found as they are written', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = new SeededGenerator(seed);
    const value = (depth) => [() => random.below(1000) / 8, () => '"\\{}[],: é'.slice(random.below(10)), () => random.below(2) === 1, () => null,
      () => Array.from({ length: random.below(3) }, () => (depth > 0 ? value(depth - 1) : 1)),
      () => Object.fromEntries(Array.from({ length: random.below(4) }, (_, index) => [`k"${index}`, depth > 0 ? value(depth - 1) : 'x']))][random.below(6)]();
    const object = Object.fromEntries(Array.from({ length: random.below(6) }, (_, index) => [`m${index}\n`, value(3)]));
    const written = JSON.stringify(object, null, random.below(2) * 2);
    const members = [...rawMembers(written)];
    assert.deepEqual(Object.fromEntries(members.map(([name, raw]) => [name, JSON.parse(raw)])), object, `seed ${seed}`);
    for (const [, raw] of members) assert.ok(written.includes(raw));
  }
});

test('values are read from what is typed', () => {
  assert.deepEqual(readValue(field('text'), ' <b> '), { json: '" <b> "' });
  assert.deepEqual(readValue(field('text'), ''), { empty: true });
  assert.match(readValue(field('text'), 'é'.repeat(8_193)).problem, /16384/);
  assert.deepEqual(readValue(field('number'), ' 4.50 '), { json: '4.5' });
  assert.deepEqual(readValue(field('number'), '−3'), { json: '-3' });
  for (const text of ['1,5', '1.2.3', 'x', '1e999', '0x10']) assert.ok(readValue(field('number'), text).problem, text);
  assert.deepEqual(readValue(field('boolean'), 'false'), { json: 'false' });
  assert.deepEqual(readValue(field('boolean'), ''), { empty: true });
  assert.deepEqual(readValue(field('json'), ' {"n": 1.0} '), { json: '{"n": 1.0}' });
  for (const text of ['{', 'null', `${'['.repeat(33)}${']'.repeat(33)}`, `"${'x'.repeat(32_768)}"`]) assert.ok(readValue(field('json'), text).problem, text.slice(0, 9));
  assert.deepEqual(readValue(field('reference'), '4611686018427387904'), { json: '"4611686018427387904"' });
  assert.ok(readValue(field('reference'), 'Kaffe').problem);
  assert.equal(numberOf('.5'), 0.5);
  assert.equal(numberOf(''), undefined);
});

test('a date keeps its moment through the form', () => {
  for (const time of [0, 1_700_000_000_000, 1_700_000_000_123, 1_700_000_060_000, -62_000_000_000_000, 951_782_400_000]) {
    assert.equal(timeOfInput(localInput(time)), time, String(time));
    assert.equal(readValue(field('date'), inputText(field('date'), time)).json, String(time));
  }
  assert.equal(localInput(8_640_000_000_000_000), '');
  assert.equal(timeOfInput('2024-13-99'), undefined);
  assert.ok(readValue(field('date'), 'soon').problem);
  assert.match(zoneText(1_700_000_000_000), /UTC/);
});

test('a location is coordinates, or an address alone, or both', () => {
  const read = (latitude, longitude, altitude = '', address = '') => readPlace({ latitude, longitude, altitude, address });
  assert.deepEqual(read('52.5', '-180', '34', ' Berlin ').place, { latitude: 52.5, longitude: -180, altitude: 34, address: 'Berlin' });
  assert.equal(read('', '', '', 'Berlin').json, '{"address":"Berlin"}');
  assert.deepEqual(read('', ''), { empty: true });
  for (const wrong of [['52', ''], ['', '13'], ['91', '0'], ['0', '180.1'], ['x', '0'], ['', '', '3', 'Berlin'], ['0', '0', 'high'], ['0', '0', '', 'é'.repeat(501)], ['', '', '', 'a\u0007b']]) {
    assert.ok(read(...wrong).problem, wrong.join());
  }
});

test('cells and names are for people', () => {
  assert.equal(cellText(field('number'), 12_345.5), '12\u202f345.5');
  assert.equal(cellText(field('boolean'), false), 'No');
  assert.equal(cellText(field('json'), { a: 1 }), '{"a":1}');
  assert.equal(cellText(field('text'), undefined), '');
  assert.equal(cellText(field('location'), { latitude: -1, longitude: 2 }), '1.00000° S, 2.00000° E');
  assert.equal(cellText(field('location'), { latitude: -1, longitude: 2, address: 'Here' }), 'Here');
  assert.equal(shortened('😀'.repeat(9), 4), '😀😀😀…');
  assert.equal(nameField([{ name: 'code', type: 'text' }, { name: 'Name', type: 'text' }]).name, 'Name');
  assert.equal(objectName(cafe.fields, { id: '7', fields: { name: 'Ada' } }), 'Ada');
  assert.equal(objectName(cafe.fields, { id: '7', fields: {} }), 'Object 7');
  assert.equal(counted(12_345, 'object', 'objects'), '12\u202f345 objects');
  assert.equal(counted(1, 'object', 'objects'), '1 object');
});

test('conditions are written as the wire has them', () => {
  const text = (type, operator, value) => conditionText(field(type), { field: 'x', operator, value });
  assert.equal(text('text', '~', 'a&b=c').text, 'x~a&b=c');
  assert.equal(text('number', '>=', ' 4.0 ').text, 'x>=4');
  assert.equal(text('date', '<', '2024-01-01T00:00').text, `x<${timeOfInput('2024-01-01T00:00')}`);
  assert.equal(text('boolean', '!=', '').text, 'x!=true');
  assert.equal(text('location', '', 'ignored').text, 'x');
  assert.equal(text('json', '!', '').text, '!x');
  for (const wrong of [text('number', '=', 'many'), text('date', '=', ''), text('reference', '=', 'Ada'), text('text', '=', 'x'.repeat(1_024))]) assert.ok(wrong.problem);
  assert.equal(text('number', '=', ' ').problem, 'Write a value.');
  assert.match(text('number', '=', 'many').problem, /not a number/);
  assert.equal(text('date', '=', '').problem, 'Choose a date and a time.');
  assert.match(text('reference', '=', 'Ada').problem, /digits/);
  assert.deepEqual(operatorsOf('number').slice(2, 4).map(({ label }) => label), ['is less than', 'is at most']);
  assert.deepEqual(operatorsOf('location').map(({ value }) => value), ['', '!']);
  assert.equal(listQuery({ where: ['a>1', 'b~x y+'], sort: '-a' }, ['limit', '5'], undefined), 'where=a%3E1&where=b~x%20y%2B&sort=-a&limit=5');
  assert.deepEqual([nextSort(undefined, 'a'), nextSort('a', 'a'), nextSort('-a', 'a'), nextSort('b', 'a')], ['a', '-a', undefined, 'a']);
});

/** A server that looks at three objects a time, and has as many as `wanted` says. */
function serverOf(wanted) {
  return async (cursor, limit) => {
    const start = Number(cursor ?? 0);
    const end = Math.min(wanted.length, start + Math.min(3, limit));
    const objects = wanted.slice(start, end).flatMap((isWanted, index) => (isWanted ? [{ id: String(start + index) }] : []));
    return { objects, ...(end < wanted.length ? { cursor: String(end) } : {}) };
  };
}

test('pages forth and back hold every object once, however few are wanted', async () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = new SeededGenerator(seed);
    const wanted = Array.from({ length: random.below(40) }, () => random.below(3) > 0);
    const pages = new Pages(serverOf(wanted), 5);
    await pages.load();
    const seen = [pages.objects.map(({ id }) => id)];
    while (pages.hasNext) {
      await pages.next();
      assert.equal(pages.offset, seen.flat().length);
      seen.push(pages.objects.map(({ id }) => id));
    }
    assert.deepEqual(seen.flat(), wanted.flatMap((isWanted, index) => (isWanted ? [String(index)] : [])), `seed ${seed}`);
    for (const page of seen.slice(0, -1).reverse()) {
      await pages.previous();
      assert.deepEqual(pages.objects.map(({ id }) => id), page);
    }
    assert.equal(pages.hasPrevious, false);
    assert.equal(pages.offset, 0);
  }
});

test('a page that finds too little asks before it goes on', async () => {
  const pages = new Pages(serverOf(Array.from({ length: 500 }, (_, index) => index === 499)), 5);
  await pages.load();
  assert.equal(pages.isPartial, true);
  assert.deepEqual(pages.objects, []);
  const refused = new Pages(async () => { throw new Error('no'); }, 5);
  await assert.rejects(refused.load());
  assert.deepEqual([refused.objects, refused.hasNext, refused.hasPrevious], [[], false, false]);
});

test('of several questions only the newest is answered', async () => {
  const asking = new Asking();
  const asked = [];
  const ask = (name, wait) => asking.ask(async () => { asked.push(name); return name; }, wait);
  const answers = await Promise.all([ask('first', 5), ask('second', 5), ask('third', 5)]);
  assert.deepEqual(answers, [undefined, undefined, 'third']);
  assert.deepEqual(asked, ['third']);
  await assert.rejects(asking.ask(async () => { throw new Error('refused'); }), /refused/);
  const late = asking.ask((signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('called off')))));
  asking.cancel();
  assert.equal(await late, undefined);
});

test('columns go to fields, and what can’t go together is said', () => {
  assert.equal(formatOf('Cafés.CSV'), 'csv');
  assert.equal(formatOf('a.geojson'), 'geojson');
  assert.equal(formatOf('a.xlsx'), undefined);
  assert.deepEqual(targetsOf(cafe.fields).map(({ value }) => value), ['', 'name', 'chain', 'at', 'at.latitude', 'at.longitude', 'at.altitude', 'at.address', 'id']);
  assert.deepEqual([targetOf({ name: 'x' }), targetOf({ name: 'x', field: 'at' }), targetOf({ name: 'y', field: 'at', part: 'latitude' })], ['', 'at', 'at.latitude']);
  const problem = (...pairs) => mappingProblem(new Map(pairs), cafe.fields);
  assert.equal(problem(['a', 'name'], ['b', ''], ['c', '']), undefined);
  assert.match(problem(['a', 'name'], ['b', 'name']), /Two columns/);
  assert.match(problem(['a', 'at'], ['b', 'at.address']), /whole and in parts/);
  assert.match(problem(['a', 'at.latitude']), /together/);
  assert.equal(problem(['a', 'at.latitude'], ['b', 'at.longitude'], ['c', 'at.address']), undefined);
  const columns = [{ name: 'lat', field: 'at', part: 'latitude' }, { name: 'lon', field: 'at', part: 'longitude' }, { name: 'y' }, { name: 'n', field: 'name' }];
  assert.deepEqual([...withTarget(columns, new Map(), 'y', 'at.latitude')], [['y', 'at.latitude'], ['lon', 'at.longitude']]);
  assert.deepEqual([...withTarget(columns, new Map([['n', '']]), 'y', 'name')], [['n', ''], ['y', 'name']]);
  assert.equal(importQuery({ format: 'csv', preview: { isPartial: true }, mapping: new Map([['a:b', 'name'], ['c', '']]) }),
    'format=csv&preview=true&partial=true&map=a%3Ab%3Aname&map=c%3A');
  assert.equal(summaryOf({ created: 2, changed: 1, unchanged: 0, refused: 0 }, counted), '2 objects made, 1 changed, no row refused.');
  assert.equal(summaryOf({ created: 1, changed: 0, unchanged: 3, refused: 2 }, counted), '1 object made, 3 as they were, 2 rows refused.');
});
