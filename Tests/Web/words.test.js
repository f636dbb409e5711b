import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { english } from '../../Web/app/words/english.js';
import { german } from '../../Web/app/words/german.js';
import { directionOf, localeFor } from '../../Web/app/words/locale.js';
import { say, sayWith } from '../../Web/app/words/words.js';

const WEB = new URL('../../Web/', import.meta.url).pathname;

/** Every module of the page but the tables. */
function modules() {
  return readdirSync(join(WEB, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !/words\/(english|german)\.js$/.test(name))
    .map((name) => readFileSync(join(WEB, 'app', name), 'utf8'));
}

/** Whose values a text asks for, and whether it has forms for several numbers. */
function shape(words) {
  const texts = typeof words === 'string' ? [words] : [words.one, words.other];
  const names = [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();
  return { names, forms: typeof words === 'string' ? 1 : 2 };
}

test('both languages have the same keys', () => {
  assert.deepEqual(Object.keys(german), Object.keys(english));
});

test('both languages ask for the same values', () => {
  for (const key of Object.keys(english)) assert.deepEqual(shape(german[key]), shape(english[key]), key);
});

test('no key is unused, and none is missing', () => {
  const source = [...modules(), readFileSync(join(WEB, 'index.html'), 'utf8')].join('\n');
  const used = new Set([...source.matchAll(/['"]([a-zA-Z]+\.[a-zA-Z]+)['"]/g)].map(([, key]) => key));
  const words = Object.keys(english).filter((key) => !key.startsWith('error:'));
  assert.deepEqual(words.filter((key) => !used.has(key)), [], 'unused');
  const asked = [...source.matchAll(/(?<![.\w])say(?:With)?\('([^']+)'/g)].map(([, key]) => key);
  assert.deepEqual(asked.filter((key) => !(key in english)), [], 'missing');
});

test('refusals with words have codes that the server sends', () => {
  const codes = readFileSync(join(WEB, '../Documentation/errors.md'), 'utf8');
  const own = ['unreachable', 'worldClosed'];
  const said = Object.keys(english).filter((key) => key.startsWith('error:')).map((key) => key.slice(6));
  assert.deepEqual(said.filter((code) => !own.includes(code) && !codes.includes(`\`${code}\``)), []);
});

test('a text takes its values, and the form for their number', () => {
  assert.equal(say('settings.yourLogin', { login: 'noor' }), 'Your login is noor.');
  assert.equal(say('welcome.there', { count: 1 }), 'One person shows a position there now.');
  assert.equal(say('welcome.there', { count: 3 }), '3 people show a position there now.');
  assert.deepEqual(sayWith('sessions.lastSeen', { time: 'then' }), ['Last seen ', 'then', '']);
});

test('the locale is the first one with words, with its region', () => {
  assert.equal(localeFor('system', ['ar-EG', 'de-AT', 'en-US']), 'de-AT');
  assert.equal(localeFor('system', ['ar-EG']), 'en');
  assert.equal(localeFor('system', []), 'en');
  assert.equal(localeFor('de', ['en-GB', 'de-CH']), 'de-CH');
  assert.equal(localeFor('en', ['de-DE']), 'en');
});

test('a right-to-left browser language gets a right-to-left page, unless the user chose a language', () => {
  assert.equal(directionOf('system', ['ar-EG', 'en']), 'rtl');
  assert.equal(directionOf('system', ['he']), 'rtl');
  assert.equal(directionOf('system', ['de', 'ar']), 'ltr');
  assert.equal(directionOf('en', ['ar-EG']), 'ltr');
  assert.equal(directionOf('system', []), 'ltr');
});
