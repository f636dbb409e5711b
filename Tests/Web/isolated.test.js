import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatName } from '../../Web/app/chats/chat-name.js';
import { namedPreview } from '../../Web/app/messages/preview-text.js';
import { isolated } from '../../Web/app/words/isolated.js';
import { say } from '../../Web/app/words/words.js';

const RIGHT_TO_LEFT = 'נועה';

test('a name from left to right is shown as it is, one from right to left by itself', () => {
  assert.equal(isolated('Ada Lovelace'), 'Ada Lovelace');
  assert.equal(isolated(RIGHT_TO_LEFT), `\u2068${RIGHT_TO_LEFT}\u2069`);
  assert.equal(isolated(isolated(RIGHT_TO_LEFT)), isolated(RIGHT_TO_LEFT), 'once');
});

test('controls in a name that was stored before they were refused turn nothing around', () => {
  for (const control of '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069') {
    assert.equal(isolated(`A${control}da`), 'Ada', control.codePointAt(0).toString(16));
  }
  assert.equal(isolated('\u2069\u202EAda'), 'Ada', 'an end without a beginning');
  assert.equal(isolated(`${isolated(RIGHT_TO_LEFT)}, Ada`), `\u2068${isolated(RIGHT_TO_LEFT)}, Ada\u2069`, 'what is closed stays');
});

test('sentences, lists of names and previews isolate the names in them', () => {
  assert.equal(say('settings.yourLogin', { login: '\u202Enoor' }), 'Your login is noor.');
  const participants = ['Me', `\u202E${RIGHT_TO_LEFT}`, 'Ben'].map((name, index) => ({ user: String(index), name, present: true }));
  const chat = { oneToOne: false, participants };
  assert.equal(chatName(chat, '0'), `\u2068${RIGHT_TO_LEFT}\u2069, Ben`);
  const preview = namedPreview({ sender: '1', tag: 'Text', content: '\u202Ehi' }, chat, '0');
  assert.equal(preview, `\u2068${RIGHT_TO_LEFT}\u2069: hi`);
});
