// @ts-check
import { button, emptyState, field, heading, segments, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { avatar } from '../people/avatar.js';
import { hexColor, indexOfStranger } from '../people/color.js';

/** @typedef {import('../page/page.js').Page} Page */

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
  const update = () => {
    const contacts = page.contacts.all;
    if (!contacts) return fill(body, element('p', { class: 'hint padded', role: 'status' }, 'Loading…'));
    if (contacts.length === 0) {
      return fill(body, emptyState('contacts', 'Invite somebody first', 'A chat needs somebody to share it with. Your contacts come here.',
        button('Go to contacts', () => page.router.go('contacts'), { class: 'primary' })));
    }
    if (!body.querySelector('form')) fill(body, startForm(page, chosen));
  };
  update();
  return { root, sheet: 'full', observing: [page.contacts.observe(update)] };
}

/**
 * @param {Page} page
 * @param {string | undefined} chosen
 */
function startForm(page, chosen) {
  const boxes = (page.contacts.all ?? []).map((user) => contactBox(user, user.id === chosen));
  const people = element('fieldset', { class: 'choices' }, element('legend', {}, 'With whom?'), boxes.map(({ root }) => root));
  const subject = field('What is it about? (optional)', { maxLength: 200, placeholder: 'Sunday walk' });
  let isOneToOne = true;
  const kind = segments('Kind of chat', [{ value: 'two', label: 'Just the two of us' }, { value: 'group', label: 'A new group' }], 'two', (value) => {
    isOneToOne = value === 'two';
    update();
  });
  const submit = element('button', { class: 'primary wide' }, 'Start the chat');
  const invitees = () => boxes.flatMap(({ input, id }) => (input.checked ? [id] : []));
  const update = () => {
    const count = invitees().length;
    kind.hidden = count !== 1;
    subject.root.hidden = count === 1 && isOneToOne;
    submit.disabled = count === 0;
  };
  const form = element('form', { class: 'stack padded' }, people, kind, subject.root, element('div', { class: 'footer' }, submit));
  form.addEventListener('change', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const oneToOne = invitees().length === 1 && isOneToOne;
    started(page, submit, { invitees: invitees(), oneToOne, subject: oneToOne ? undefined : subject.input.value.trim() });
  });
  update();
  return form;
}

/**
 * @param {import('../wire.d.ts').User} user
 * @param {boolean} checked
 */
function contactBox(user, checked) {
  const input = element('input', { type: 'checkbox', checked });
  const root = element('label', { class: 'row choice' }, avatar({ name: user.name, avatar: user.avatar, color: hexColor(indexOfStranger(user.id)) }),
    element('span', { class: 'row-text' }, element('strong', {}, user.name), user.email && element('span', { class: 'hint' }, user.email)), input);
  return { root, input, id: user.id };
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
