import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Observable } from '../../Web/app/page/observable.js';
import { isAboutToBeSeen, isBeingSeen, ownStanding, ownStandingOf } from '../../Web/app/sharing/own-standing.js';
import { lastEndText } from '../../Web/app/sharing/status-bar.js';
import { announceStart, announceStop } from '../../Web/app/sharing/spoken.js';
import { Scope } from '../../Web/app/page/scope.js';

const known = (fields) => ({ place: '7', isHere: false, hasFix: false, isPaused: false, isStopping: false, share: undefined, isConnected: true, ...fields });
const SHARE = { share: '42', chat: '7' };
const turn = () => new Promise(setImmediate);

test('nobody is said to share before a position was found, nor while the page has no connection', () => {
  assert.equal(ownStandingOf(known({ isHere: true, share: SHARE })), 'finding');
  assert.equal(ownStandingOf(known({ isHere: true, share: SHARE, hasFix: true })), 'seen');
  assert.equal(ownStandingOf(known({ isHere: true, share: SHARE, hasFix: true, isConnected: false })), 'unsent');
  assert.equal(ownStandingOf(known({ place: 'world', isHere: true, hasFix: true, isConnected: false })), 'unshown');
});

test('red is only where this device’s position is seen: not for another device, a pause or a stop', () => {
  const states = [{ isHere: true, hasFix: true }, { isHere: true, hasFix: true, isConnected: false }, { isHere: true }, { share: SHARE }, { share: SHARE, isPaused: true }, { isStopping: true }, {}];
  assert.deepEqual(states.map((state) => ownStandingOf(known(state))), ['seen', 'unsent', 'finding', 'elsewhere', 'paused', 'stopping', 'off']);
  assert.deepEqual(states.map((state) => isBeingSeen(ownStandingOf(known(state)))), [true, true, false, false, false, false, false]);
  assert.deepEqual(states.map((state) => isAboutToBeSeen(ownStandingOf(known(state)))), [true, true, true, false, false, false, false]);
});

/** A page of somebody who shares in a chat, and what it speaks. */
function speakingPage({ isConnected = true } = {}) {
  const spoken = [];
  const records = Object.assign(new Observable(), { user: '1', wanted: [], record: {}, get: () => records.record, isStopping: () => records.record.stopping !== undefined });
  const sharer = Object.assign(new Observable(), { isShared: true, isSharedIn: () => sharer.isShared, isPausedIn: () => false, tabs: { isHolder: true }, sharing: { lastFix: undefined } });
  return {
    spoken, person: { scope: new Scope() }, shareRecords: records, sharer, ownShares: { in: () => undefined, areKept: true }, stream: { state: isConnected ? 'open' : 'waiting' },
    nameOf: () => 'Family', announce: (text) => { spoken.push(text.replace(/[\u2068\u2069]/g, '')); },
  };
}

test('a tab that waits for the sensor stands as seen only if it heard of another tab that has it', () => {
  const page = speakingPage();
  page.sharer.tabs = { isHolder: false, isHeldElsewhere: false };
  assert.equal(ownStanding(page, '7'), 'finding');
  page.sharer.tabs.isHeldElsewhere = true;
  assert.equal(ownStanding(page, '7'), 'seen');
});

test('a reader of the screen hears that others see them once a position is there', async () => {
  const page = speakingPage();
  announceStart(page, '7');
  assert.deepEqual(page.spoken, ['Finding where you are, for Family…']);
  page.sharer.sharing.lastFix = {};
  page.sharer.changed();
  await turn();
  page.sharer.changed();
  await turn();
  assert.deepEqual(page.spoken.slice(1), ['You share your position with Family.']);
});

test('a reader of the screen hears that nobody sees them once the server has the stop, and before that that it waits', async () => {
  const page = speakingPage({ isConnected: false });
  Object.assign(page.sharer, { isShared: false });
  Object.assign(page.shareRecords, { record: { stopping: 5 } });
  announceStop(page, '7', 'unsent');
  assert.deepEqual(page.spoken, ['You stop sharing with Family. This isn’t sent yet: until there is a connection, others see your last position.']);
  page.shareRecords.changed();
  await turn();
  assert.equal(page.spoken.length, 1);
  page.shareRecords.record = {};
  page.shareRecords.changed();
  await turn();
  assert.deepEqual(page.spoken.slice(1), ['You no longer share with Family.']);
});

test('after a stop and a new start nobody hears that they are unseen', async () => {
  const page = speakingPage();
  page.shareRecords.record = { stopping: 5 };
  announceStop(page, '7', 'seen');
  page.shareRecords.record = {};
  page.shareRecords.changed();
  await turn();
  assert.deepEqual(page.spoken, []);
});

test('a share until arriving is never said to run until a stop', () => {
  const [arriving, open] = [{ until: null, arrival: {} }, { until: null }];
  assert.equal(lastEndText([arriving]), 'until I arrive');
  assert.equal(lastEndText([arriving, open]), 'until I stop');
  assert.match(lastEndText([{ until: 5, arrival: {} }, { until: 3 }]).replace(/[\u2068\u2069]/g, ''), /^until \d\d:\d\d$/);
  assert.equal(lastEndText([open, undefined]), '');
});
