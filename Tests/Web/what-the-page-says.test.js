import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { english } from '../../Web/app/words/english.js';

const page = readFileSync(new URL('../../Documentation/what-the-page-says.md', import.meta.url), 'utf8');
const [facts, labels = ''] = page.split('## Labels, questions and advice');
const rows = [...facts.matchAll(/^\| (.*) \| (.*) \| `([\w.]+)` \|$/gm)].map(([, text, state, key]) => ({ text, state, key }));
const keys = [...rows.map(({ key }) => key), ...[...labels.matchAll(/`([\w.]+)`/g)].map(([, key]) => key)];

/** Whole sections of the words are about sharing, presence and the connection; of the others, texts with a word for one of these. */
const SECTIONS = new Set(['fresh', 'tell', 'status', 'seen', 'sharing', 'world', 'welcome']);
const WORDS = /\b(shar(e|es|ed|ing)|live|heard|paused|connection|connected|connecting|offline|sent|loading|arrived|stopped)\b/i;
const textOf = (words) => (typeof words === 'string' ? words : words.other);

test('each text about sharing, presence or the connection has the state in which it is so, or is a label', () => {
  const stating = Object.entries(english).filter(([key, words]) => !key.startsWith('error:') && (SECTIONS.has(key.split('.')[0]) || WORDS.test(textOf(words))));
  assert.deepEqual(stating.map(([key]) => key).filter((key) => !keys.includes(key)), []);
});

test('each row has the page’s text, once, and a state', () => {
  assert.deepEqual(keys.filter((key, index) => keys.indexOf(key) !== index), []);
  for (const { text, state, key } of rows) {
    assert.equal(text, textOf(english[key] ?? ''), key);
    assert.notEqual(state.trim(), '', key);
  }
  assert.deepEqual(keys.filter((key) => !(key in english)), []);
});
