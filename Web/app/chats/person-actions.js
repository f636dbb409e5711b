// @ts-check
import { blockPerson, handOver, removeFromChat } from '../contacts/people-actions.js';
import { button } from '../page/controls.js';
import { element, setText } from '../page/dom.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Whether this person owns a group that they are in: the owner hands over and removes.
 * @param {Page} page
 * @param {string} id the chat's
 */
export function ownsGroup(page, id) {
  const chat = page.chats.chat(id);
  return chat?.oneToOne === false && chat.participants.some(({ user, role, present }) => present && user === page.account.user?.id && role === 'owner');
}

/**
 * What changes a person's standing in a chat, at the foot of their card: hand over, remove, block. Each asks first.
 * @param {Page} page
 * @param {string} id the chat's
 * @param {string} user
 * @param {() => void} back called when the person has been removed or blocked
 */
export function personActions(page, id, user, back) {
  const named = () => ({ id: user, name: participantIn(page, id, user)?.name ?? '' });
  const owner = button('', () => handOver(page, id, named()), { icon: 'you', class: 'quiet' });
  const remove = button('', async () => await removeFromChat(page, id, named()) && back(), { icon: 'remove', class: 'quiet' });
  const block = button('', async () => await blockPerson(page, named()) && back(), { icon: 'block', class: 'quiet' });
  const root = element('div', { class: 'person-more' }, owner, remove, block);
  const update = () => {
    const { name, present } = participantIn(page, id, user) ?? { name: '', present: false };
    const isOther = user !== page.account.user?.id;
    owner.hidden = remove.hidden = !isOther || !present || !ownsGroup(page, id);
    block.hidden = !isOther || !page.contacts.isLive || page.contacts.blocked.some((blocked) => blocked.id === user);
    root.hidden = owner.hidden && block.hidden;
    label(owner, say('chats.makeOwnerNamed', { name }));
    label(remove, say('chats.removeNamed', { name }));
    label(block, say('contacts.blockNamed', { name }));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {string} user
 */
function participantIn(page, id, user) {
  return page.chats.chat(id)?.participants.find((participant) => participant.user === user);
}

/**
 * @param {HTMLElement} control
 * @param {string} text
 */
function label(control, text) {
  setText(/** @type {Element} */ (control.querySelector('span')), text);
}
