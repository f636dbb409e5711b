import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedText } from '../../Web/app/sharing/share-bar.js';
import { Silence } from '../../Web/app/sharing/silence.js';

const MINUTE = 60_000;
const at = (minute) => new Date(2026, 10, 12, 8, minute).getTime();

test('the cause of a silence is what was seen for most of it', () => {
  const silence = new Silence(at(0), false);
  silence.listens(at(0));
  assert.equal(silence.causeSince(at(0), at(8)), 'silent');
  silence.heard(at(8));
  silence.seen(at(9), true);
  assert.equal(silence.causeSince(at(8), at(17)), 'hidden');
  silence.seen(at(17), false);
  assert.equal(silence.causeSince(at(8), at(17)), 'hidden');
  assert.equal(silence.causeSince(at(8), at(40)), 'silent', 'out of view for a quarter of it');
  silence.heard(at(40));
  assert.equal(silence.causeSince(at(40), at(50)), 'silent', 'what was before the last position counts no more');
});

test('before the page was opened it was closed, and before it listened it was paused', () => {
  const silence = new Silence(at(10), false);
  silence.listens(at(10));
  assert.equal(silence.causeSince(at(0), at(11)), 'closed');
  silence.listens(at(20));
  assert.equal(silence.causeSince(at(11), at(21)), 'paused');
});

test('a share whose first position comes late is no closed page', () => {
  const silence = new Silence(at(0), false);
  silence.listens(at(5) + 3);
  assert.equal(silence.causeSince(at(5), at(9)), 'silent');
});

test('what wasn’t sent is told with a cause that was seen, and without one where none was', () => {
  const missed = [at(17), at(25)];
  const said = (missedCause, later = 0) => missedText({ missed, missedCause }, at(25) + later).replace(/[\u2068\u2069]/g, '');
  assert.equal(said('silent'), 'Not sent 08:17–08:25: your device told no position.');
  assert.equal(said('hidden'), 'Not sent 08:17–08:25: this page was out of view.');
  assert.equal(said(undefined), 'Not sent 08:17–08:25.');
  assert.equal(said('silent', 61 * MINUTE), '');
  assert.equal(missedText(undefined, at(0)), '');
});
