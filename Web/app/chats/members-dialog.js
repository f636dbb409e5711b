// @ts-check
import { blockPerson, handOver, removeFromChat } from '../contacts/people-actions.js';
import { button, freshID } from '../page/controls.js';
import { element, fill, keyed } from '../page/dom.js';
import { Scope } from '../page/scope.js';
import { avatar } from '../people/avatar.js';
import { colorIn } from '../people/color.js';
import { say } from '../words/words.js';
import { ownsGroup } from './person-actions.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Participant} Participant */

/**
 * Who is in a chat and what may be done about each: for its owner handing over and removing, for everybody blocking.
 * @param {Page} page
 * @param {string} id
 */
export function membersDialog(page, id) {
  const heading = freshID();
  const list = element('ul', { class: 'rows members', 'aria-label': say('chats.members') });
  const close = element('button', { class: 'quiet' }, say('chats.close'));
  const dialog = element('dialog', { 'aria-labelledby': heading },
    element('h2', { id: heading }, say('chats.members')), list, element('form', { method: 'dialog', class: 'actions' }, close));
  const update = () => {
    const present = page.chats.chat(id)?.participants.filter((participant) => participant.present);
    if (!present) return dialog.close();
    return keyed(list, present, ({ user, role }) => `${user}/${role}/${ownsGroup(page, id)}`, (participant) => memberRow(page, id, participant));
  };
  const scope = new Scope();
  page.chats.observe(update, scope);
  dialog.addEventListener('close', () => {
    scope.end();
    dialog.remove();
  });
  update();
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Participant} participant
 */
function memberRow(page, id, participant) {
  const { user, name, role } = participant;
  const person = { id: user, name };
  const isOwn = user === page.account.user?.id;
  const actions = element('div', { class: 'actions wrap' });
  if (!isOwn) {
    const mayChange = ownsGroup(page, id);
    fill(actions,
      mayChange && named(button(say('chats.makeOwner'), () => handOver(page, id, person), { class: 'small' }), say('chats.makeOwnerNamed', { name })),
      mayChange && named(button(say('chats.remove'), () => removeFromChat(page, id, person), { class: 'small' }), say('chats.removeNamed', { name })),
      page.contacts.isLive && named(button(say('contacts.block'), () => blockPerson(page, person), { class: 'small quiet' }), say('contacts.blockNamed', { name })));
  }
  return element('li', { class: 'row' }, avatar({ name, avatar: participant.avatar, color: colorIn(page.chats.chat(id), user) }),
    element('div', { class: 'row-text' }, element('strong', { dir: 'auto' }, isOwn ? say('chats.yourself', { name }) : name),
      role === 'owner' && element('span', { class: 'hint' }, say('chats.owner')), actions));
}

/**
 * @param {HTMLElement} control
 * @param {string} label
 */
function named(control, label) {
  control.setAttribute('aria-label', label);
  return control;
}
