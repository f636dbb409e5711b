// @ts-check
import { heading, whileBusy } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { say } from '../words/words.js';
import { chatName } from './chat-name.js';
import { ownsGroup } from './person-actions.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * A chat's heading: its name, which in a group is tapped to edit it in its place, unless the owner forbids it.
 * @param {Page} page
 * @param {string} id
 * @param {{ back?: () => void, actions?: HTMLElement[] }} [options]
 */
export function chatTitle(page, id, options = {}) {
  const top = heading('', options);
  const name = element('button', { type: 'button', class: 'title-button', title: say('chats.rename'), onclick: () => edit() });
  let isEdited = false;
  const update = () => {
    const chat = page.chats.chat(id);
    if (!chat || isEdited) return;
    const text = chatName(chat, page.account.user?.id);
    page.title.set(text);
    if (!mayRename(page, chat)) {
      if (name.parentElement === top.text) fill(top.text);
      return setText(top.text, text);
    }
    setText(name, text);
    if (name.parentElement !== top.text) fill(top.text, name);
  };
  const edit = () => {
    const form = titleForm(page, id, (isDone) => {
      isEdited = false;
      form.replaceWith(top.text);
      update();
      if (isDone) name.focus();
    });
    isEdited = true;
    top.text.replaceWith(form);
    form.querySelector('input')?.select();
  };
  return { root: top.root, text: top.text, update };
}

/**
 * @param {Page} page
 * @param {import('../wire.d.ts').Chat} chat
 */
function mayRename(page, chat) {
  return !chat.oneToOne && (!chat.subjectLocked || ownsGroup(page, chat.id));
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {(isDone: boolean) => void} onend
 */
function titleForm(page, id, onend) {
  const before = page.chats.chat(id)?.subject ?? '';
  const input = element('input', { type: 'text', value: before, maxLength: 200, autocomplete: 'off', enterKeyHint: 'done', 'aria-label': say('chats.name') });
  const form = element('form', { class: 'title-form' }, input);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    onend(form.contains(document.activeElement));
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isOver || input.disabled) return undefined;
    const subject = input.value.trim();
    if (subject === before) return end();
    whileBusy(input, async () => { await page.chats.setSubject(id, subject); }).catch((error) => page.toasts.fail(error)).finally(end);
    return undefined;
  });
  input.addEventListener('keydown', ({ key }) => { if (key === 'Escape') end(); });
  input.addEventListener('blur', () => { if (!isOver && !input.disabled) form.requestSubmit(); });
  return form;
}
