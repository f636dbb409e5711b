// @ts-check
import { contactPicker } from '../contacts/contact-picker.js';
import { button, emptyState, field, heading, segments, whileBusy } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').User} User */

/**
 * Starting a chat: with whom, and what it is called.
 * @param {Page} page
 * @param {string | undefined} chosen a contact who is ticked at first
 * @returns {import('../page/panel.js').View}
 */
export function startChatView(page, chosen) {
  const top = heading('New chat', { back: () => page.router.go('chats') });
  const body = element('div', { class: 'scroll' });
  const root = element('div', { class: 'view' }, top.root, body);
  /** @type {ReturnType<typeof startForm> | undefined} */
  let shown;
  const update = () => {
    const contacts = page.contacts.all;
    if (!contacts) return fill(body, element('p', { class: 'hint padded', role: 'status' }, 'Loading…'));
    if (contacts.length === 0) {
      shown = undefined;
      return fill(body, emptyState('contacts', 'Invite somebody first', 'A chat needs somebody to share it with. Your contacts come here.',
        button('Go to contacts', () => page.router.go('contacts'), { class: 'primary' })));
    }
    if (!shown) {
      shown = startForm(page, chosen, (count) => setText(top.text, count > 0 ? `${count} selected` : 'New chat'));
      fill(body, shown.root);
    }
    return shown.update(contacts);
  };
  update();
  page.contacts.refresh();
  return { root, sheet: 'full', observing: [page.contacts.observe(update)] };
}

/**
 * @param {Page} page
 * @param {string | undefined} chosen
 * @param {(count: number) => void} oncount
 */
function startForm(page, chosen, oncount) {
  const picker = contactPicker('With whom?', () => update());
  const subject = field('What is it about? (optional)', { maxLength: 200, placeholder: 'Sunday walk' });
  let isOneToOne = true;
  const kind = segments('Kind of chat', [{ value: 'two', label: 'Just the two of us' }, { value: 'group', label: 'A new group' }], 'two', (value) => {
    isOneToOne = value === 'two';
    update();
  });
  const submit = element('button', { class: 'primary wide' }, 'Start the chat');
  const update = () => {
    const count = picker.selected().length;
    kind.hidden = count !== 1;
    subject.root.hidden = count === 1 && isOneToOne;
    submit.disabled = count === 0;
    oncount(count);
  };
  const root = element('form', { class: 'stack padded' }, picker.root, kind, subject.root, element('div', { class: 'footer' }, submit));
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const invitees = picker.selected();
    const oneToOne = invitees.length === 1 && isOneToOne;
    started(page, submit, { invitees, oneToOne, subject: oneToOne ? undefined : subject.input.value.trim() });
  });
  if (chosen !== undefined) picker.tick(chosen, true);
  return { root, update: picker.update };
}

/**
 * @param {Page} page
 * @param {HTMLElement} control
 * @param {{ invitees: string[], oneToOne: boolean, subject?: string }} wish
 */
async function started(page, control, wish) {
  await whileBusy(control, async () => {
    try {
      const { chat, existed } = await page.chats.start(wish);
      page.router.replace('chats', chat.id);
      if (existed) page.toasts.say('You two have this chat already.');
    } catch (error) {
      page.toasts.fail(error);
    }
  });
}
