// @ts-check
import { button, field, freshID, whileBusy } from '../page/controls.js';
import { element } from '../page/dom.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * A dialog with a form: closes when what it asks for is done.
 * @param {Page} page
 * @param {string} title
 * @param {string} action
 * @param {HTMLElement[]} content
 * @param {() => Promise<unknown>} submit
 */
function formDialog(page, title, action, content, submit) {
  const id = freshID();
  const control = element('button', { class: 'primary' }, action);
  /** @type {HTMLFormElement} */
  const form = element('form', { class: 'stack' }, element('h2', { id }, title), content,
    element('div', { class: 'actions' }, button('Cancel', () => { dialog.close(); }, { class: 'quiet' }), control));
  /** @type {HTMLDialogElement} */
  const dialog = element('dialog', { 'aria-labelledby': id }, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    whileBusy(control, async () => { await submit(); }).then(() => dialog.close(), (error) => page.toasts.fail(error));
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Page} page
 * @param {string} chat
 */
export function renameDialog(page, chat) {
  const subject = field('Subject', { required: true, maxLength: 200, value: page.chats.chat(chat)?.subject ?? '' });
  formDialog(page, 'Rename the chat', 'Rename', [subject.root], () => page.chats.setSubject(chat, subject.input.value.trim()));
}

/**
 * @param {Page} page
 * @param {string} chat
 */
export function addPeopleDialog(page, chat) {
  const present = new Set(page.chats.chat(chat)?.participants.flatMap(({ user, present }) => (present ? [user] : [])));
  const boxes = (page.contacts.all ?? []).filter(({ id }) => !present.has(id)).map(({ id, name }) => {
    const input = element('input', { type: 'checkbox' });
    return { id, input, root: element('label', { class: 'row choice' }, element('span', { class: 'row-text' }, name), input) };
  });
  const none = element('p', {}, 'All your contacts are in this chat. Invite more people under Contacts.');
  const list = element('fieldset', { class: 'choices' }, element('legend', { class: 'hidden' }, 'Contacts'), boxes.map(({ root }) => root));
  formDialog(page, 'Add people', boxes.length > 0 ? 'Add' : 'Close', [boxes.length > 0 ? list : none], async () => {
    const users = boxes.flatMap(({ id, input }) => (input.checked ? [id] : []));
    if (users.length > 0) await page.chats.add(chat, users);
  });
}
