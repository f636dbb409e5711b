// @ts-check
import { contactPicker } from '../contacts/contact-picker.js';
import { button, chosen, freshID, whileBusy } from '../page/controls.js';
import { element, setText } from '../page/dom.js';
import { stopShare } from '../sharing/share-actions.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * A dialog with a form: closes when what it asks for is done.
 * @param {Page} page
 * @param {string | HTMLElement} title
 * @param {string} action
 * @param {HTMLElement[]} content
 * @param {() => Promise<unknown>} submit
 */
function formDialog(page, title, action, content, submit) {
  const id = freshID();
  const control = element('button', { class: 'primary' }, action);
  /** @type {HTMLFormElement} */
  const form = element('form', { class: 'stack' }, element('h2', { id }, title), content,
    element('div', { class: 'actions' }, button(say('page.cancel'), () => { dialog.close(); }, { class: 'quiet' }), control));
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
export function addPeopleDialog(page, chat) {
  const present = new Set(page.chats.chat(chat)?.participants.flatMap(({ user, present }) => (present ? [user] : [])));
  const absent = (page.contacts.all ?? []).filter(({ id }) => !present.has(id));
  if (absent.length === 0) {
    formDialog(page, say('chats.addPeople'), say('chats.close'), [element('p', {}, say('chats.allHere'))], async () => {});
    return;
  }
  const title = element('span');
  const picker = contactPicker(say('contacts.title'), (selected) => setText(title, selected.length > 0 ? say('chats.selected', { count: selected.length }) : say('chats.addPeople')));
  picker.update(absent);
  formDialog(page, title, say('chats.add'), [picker.root], async () => {
    if (picker.selected().length > 0) await page.chats.add(chat, picker.selected());
  });
}

/**
 * Asks, then leaves a chat and stops sharing there; a group also for good.
 * @param {Page} page
 * @param {string} chat
 */
export async function leaveChat(page, chat) {
  const way = await (page.chats.chat(chat)?.oneToOne === false
    ? chosen(say('chats.leaveTitle'), say('chats.leaveGroupHint'), { leave: say('chats.leave'), stayOut: say('chats.stayOut') })
    : chosen(say('chats.leaveTitle'), say('chats.leaveHint'), { leave: say('chats.leave') }));
  if (!way) return;
  try {
    await stopShare(page, chat);
    await page.chats.leave(chat, way === 'stayOut');
    if (way === 'stayOut') page.contacts.loadLeftGroups();
    if (page.router.path[1] === chat) page.router.replace('chats');
  } catch (error) {
    page.toasts.fail(error);
  }
}
