import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { personNow } from '../../Web/app/freshness/person-now.js';
import { standingOf, summaryOf } from '../../Web/app/freshness/standing.js';

/** The cases are for apps, too. */
const { now, cases, summaries } = JSON.parse(readFileSync(new URL('../Fixtures/standing/standing.json', import.meta.url), 'utf8'));

for (const { name, shares, position, isCurrent, says } of cases) {
  test(name, () => {
    const message = position === null ? undefined : { number: 3, sender: '1', tag: 'Location', content: '', time: position, data: { latitude: 1, longitude: 2 } };
    const person = personNow({ position: message, time: message?.time, shares, note: undefined }, now);
    assert.deepEqual(standingOf(person, { isCurrent }), says);
  });
}

for (const { name, standings, says } of summaries) {
  test(name, () => assert.deepEqual(summaryOf(standings), { ...says, newest: says.newest ?? undefined }));
}
