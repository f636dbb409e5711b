import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @type {any} */
let plugin;
globalThis.registerRTLTextPlugin = (/** @type {any} */ registered) => { plugin = registered; };
await import('../../Web/map/right-to-left.js');

/** What is seen of a text, line by line. */
const seen = (text, ...breaks) => plugin.processBidirectionalText(plugin.applyArabicShaping(text), breaks);

test('text from left to right stays as it is', () => {
  for (const text of ['Café 12', '', '☕️ a (b)', '3.5 km']) assert.deepEqual(seen(text), [text]);
});

test('Hebrew is seen from the right, numbers and Latin words within it from the left', () => {
  assert.deepEqual(seen('שלום'), ['םולש']);
  assert.deepEqual(seen('קו 3.5'), ['3.5 וק']);
  assert.deepEqual(seen('בית Café Ada'), ['Café Ada תיב']);
  assert.deepEqual(seen('Bar שלום 12 x'), ['Bar 12 םולש x']);
  assert.deepEqual(seen('(א)'), ['(א)']);
});

test('Arabic letters take their forms: alone, first, middle, last, and lam with alef', () => {
  assert.equal(plugin.applyArabicShaping('ب'), '\ufe8f');
  assert.equal(plugin.applyArabicShaping('ببب'), '\ufe91\ufe92\ufe90');
  assert.equal(plugin.applyArabicShaping('دب'), '\ufea9\ufe8f');
  assert.equal(plugin.applyArabicShaping('لا'), '\ufefb');
  assert.equal(plugin.applyArabicShaping('بلا'), '\ufe91\ufefc');
  assert.equal(plugin.applyArabicShaping('بَب'), '\ufe91\ufe90', 'vowel signs are left out, and part nothing');
  assert.deepEqual(seen('ببب'), ['\ufe90\ufe92\ufe91']);
});

test('lines are broken before they are turned, and keep the style of each character', () => {
  assert.deepEqual(seen('אב גד', 3, 5), [' בא', 'דג']);
  assert.deepEqual(seen('אב גד', 3), [' בא', 'דג']);
  assert.deepEqual(plugin.processStyledBidirectionalText('אבa', [0, 0, 1], [3]), [['aבא', [1, 0, 0]]]);
  assert.deepEqual(seen('א🥐').join(''), '🥐א');
});
