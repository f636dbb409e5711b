// @ts-check
import { contactPicker } from '../contacts/contact-picker.js';
import { button, emptyState, field, heading, segments, whileBusy } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { loadingText } from '../page/loading-text.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').User} User */

/**
 * Starting a chat: with whom, and what it is called.
 * @param {Page} page
 * @param {string | undefined} chosen a contact who is ticked at first
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function startChatView(page, chosen, scope) {
  const top = heading(say('chats.new'), { back: () => page.router.go('chats') });
  const body = element('div', { class: 'scroll' });
  const root = element('div', { class: 'view' }, top.root, body);
  /** @type {ReturnType<typeof startForm> | undefined} */
  let shown;
  const update = () => {
    const contacts = page.contacts.all;
    if (!contacts) return fill(body, element('p', { class: 'hint padded', role: 'status' }, loadingText(page)));
    if (contacts.length === 0) {
      shown = undefined;
      return fill(body, emptyState('contacts', say('chats.inviteFirst'), say('chats.inviteFirstHint'),
        button(say('chats.toContacts'), () => page.router.go('contacts'), { class: 'primary' })));
    }
    if (!shown) {
      shown = startForm(page, chosen, (count) => setText(top.text, count > 0 ? say('chats.selected', { count }) : say('chats.new')));
      fill(body, shown.root);
    }
    return shown.update(contacts);
  };
  update();
  page.contacts.refresh();
  for (const each of [page.contacts, page.stream]) each.observe(update, scope);
  return { root, sheet: 'full' };
}

/**
 * @param {Page} page
 * @param {string | undefined} chosen
 * @param {(count: number) => void} oncount
 */
function startForm(page, chosen, oncount) {
  const picker = contactPicker(say('chats.withWhom'), () => update());
  const subject = field(say('chats.about'), { maxLength: 200, placeholder: say('chats.aboutExample') });
  let isOneToOne = true;
  const kind = segments(say('chats.kind'), [{ value: 'two', label: say('chats.two') }, { value: 'group', label: say('chats.group') }], 'two', (value) => {
    isOneToOne = value === 'two';
    update();
  });
  const submit = element('button', { class: 'primary wide' }, say('chats.start'));
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
      if (existed) page.toasts.say(say('chats.existed'));
    } catch (error) {
      page.toasts.fail(error);
    }
  });
}
