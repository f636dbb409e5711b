import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Shelf } from '../../Web/app/storage/shelf.js';

const REFUSED = () => { throw new Error('SecurityError'); };

/** A browser's storage that is full from some number of keys on. */
function storageOf(room = Infinity) {
  const storage = Object.create({
    getItem(key) { return this[key] ?? null; },
    setItem(key, text) {
      if (!(key in this) && Object.keys(this).length >= room) throw new Error('QuotaExceededError');
      this[key] = text;
    },
    removeItem(key) { delete this[key]; },
    clear() { for (const key of Object.keys(this)) delete this[key]; },
  });
  return storage;
}

test('a text that the browser keeps is there for the next page', () => {
  const storage = storageOf();
  assert.equal(new Shelf(() => storage).put('a', '1'), true);
  assert.equal(new Shelf(() => storage).get('a'), '1');
});

for (const [name, storage] of [['refused', REFUSED], ['missing', () => undefined], ['full', () => storageOf(0)]]) {
  test(`where storage is ${name} a value lasts as long as the page, and no call throws`, () => {
    const shelf = new Shelf(storage);
    assert.equal(shelf.get('a'), null);
    assert.equal(shelf.put('a', '{"b":1}'), false);
    assert.equal(shelf.get('a'), '{"b":1}');
    assert.deepEqual(shelf.value('a'), { b: 1 });
    shelf.remove('a');
    assert.equal(shelf.get('a'), null);
    shelf.put('b', '2');
    shelf.put('c', '3');
    shelf.clear('b');
    assert.deepEqual([shelf.get('b'), shelf.get('c')], ['2', null]);
  });
}

test('a text that is no JSON is no value', () => {
  const shelf = new Shelf(() => storageOf());
  shelf.put('a', '{');
  assert.equal(shelf.value('a'), undefined);
});

test('a value that was refused and is kept later isn’t shown as it was', () => {
  const storage = storageOf(1);
  const shelf = new Shelf(() => storage);
  shelf.put('a', '1');
  shelf.put('b', '2');
  storage.removeItem('a');
  shelf.put('b', '3');
  storage.setItem('b', '4');
  assert.equal(shelf.get('b'), '4');
});

test('the page asks for the browser’s storage in one file', () => {
  const root = fileURLToPath(new URL('../../Web/', import.meta.url));
  const found = execFileSync('grep', ['-rlE', 'localStorage|sessionStorage', 'app', 'control', 'map', 'service-worker.js'], { cwd: root, encoding: 'utf8' });
  assert.deepEqual(found.trim().split('\n'), ['app/storage/shelf.js']);
});

test('a shelf knows whether the browser keeps anything, and asking leaves nothing', () => {
  const storage = storageOf();
  assert.equal(new Shelf(() => storage).keeps(), true);
  assert.deepEqual(Object.keys(storage), []);
  assert.equal(new Shelf(() => storageOf(0)).keeps(), false);
  assert.equal(new Shelf(REFUSED).keeps(), false);
});
