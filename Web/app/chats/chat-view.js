// @ts-check
import { summaryOf } from '../freshness/standing.js';
import { messagesBeside } from '../messages/messages-beside.js';
import { messagesLabel, messagesSection } from '../messages/messages-section.js';
import { button, emptyState, iconButton, segments, toggle, whileBusy } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { loadingText } from '../page/loading-text.js';
import { throttle } from '../page/throttle.js';
import { photos } from '../people/photos.js';
import { isPosition } from '../positions/drawn-positions.js';
import { reachSection } from '../positions/reach-section.js';
import { shareBar } from '../sharing/share-bar.js';
import { say } from '../words/words.js';
import { addPeopleDialog, leaveChat } from './change-dialogs.js';
import { chatTitle } from './chat-title.js';
import { membersDialog } from './members-dialog.js';
import { peopleSection } from './people-section.js';
import { ownsGroup } from './person-actions.js';
import { isCardShown, personCard } from './person-card.js';
import { KEEPINGS, keepingText } from './position-keeping.js';

/** @typedef {import('../page/page.js').Page} Page */

/** How often what is listed is put together anew, at most. */
const LISTED_EVERY = 500;

/**
 * One chat: its people on the map and in a list, sharing, and messages.
 * @param {Page} page
 * @param {string} id
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function chatView(page, id, scope) {
  const more = iconButton(say('chat.more'), 'more', () => shown?.more());
  const top = chatTitle(page, id, { back: () => page.router.go('chats'), actions: [more] });
  const people = element('p', { class: 'hint presence' });
  const body = element('div', { class: 'chat-body' });
  const root = element('div', { class: 'view chat' }, top.root, people, body);
  /** @type {ReturnType<typeof chatBody> | undefined} */
  let shown;
  let inside = scope.inner();
  const update = () => {
    const chat = page.chats.chat(id);
    const live = page.chats.live(id);
    more.hidden = !chat;
    if (!chat || !live || live.refusal) {
      inside.end();
      shown = undefined;
      return fill(body, missing(page));
    }
    live.open();
    page.scene.followAll(id);
    top.update();
    showCount(page, id, people);
    if (!shown) {
      inside = scope.inner();
      shown = chatBody(page, id, body, inside);
    }
    shown.update();
  };
  update();
  const listed = throttle(LISTED_EVERY, update);
  for (const each of [page.chats, page.sharer, page.sender, page.ownShares, page.stream, photos]) each.observe(listed.run, scope);
  scope.add(listed.cancel);
  const { chats } = page;
  scope.add(() => chats.followedLive(id)?.shut());
  return { root, sheet: 'half', mapChanged: update };
}

/**
 * *10 people · 3 live*
 * @param {Page} page
 * @param {string} id
 * @param {HTMLElement} shown
 */
function showCount(page, id, shown) {
  const live = page.chats.live(id);
  const now = page.stream.now();
  const latest = live?.last.latest() ?? new Map();
  const present = page.chats.chat(id)?.participants.filter((participant) => participant.present) ?? [];
  const { live: count } = summaryOf(present.flatMap(({ user }) => (live ? [live.standing(user, now, latest.get(user))] : [])));
  const wanted = `${present.length}|${count}`;
  if (shown.dataset.count === wanted) return;
  shown.dataset.count = wanted;
  fill(shown, say('chat.count', { count: present.length }), count > 0 && ' · ', count > 0 && element('span', { class: 'good' }, say('chat.live', { count })));
}

/** @param {Page} page */
function missing(page) {
  if (!page.chats.list.isCurrent) return element('p', { class: 'hint padded', role: 'status' }, loadingText(page));
  return emptyState('chats', say('chat.missing'), say('chat.missingHint'),
    button(say('chat.back'), () => page.router.replace('chats'), { class: 'primary' }));
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {HTMLElement} body
 * @param {import('../page/scope.js').Scope} scope of the body
 */
function chatBody(page, id, body, scope) {
  const people = peopleSection(page, id);
  const messages = messagesSection(page, id, scope);
  const bar = shareBar(page, id);
  const person = element('div', { class: 'part', hidden: true });
  const settings = chatSettings(page, id);
  const peoplePart = element('div', { class: 'part scroll' }, people.root, settings.root);
  /** @type {{ user: string, card: ReturnType<typeof personCard> } | undefined} */
  let opened;
  let part = 'people';
  let isBeside = false;
  const show = () => {
    const user = personShown(page, id);
    if (user !== opened?.user) {
      opened = user === undefined ? undefined : { user, card: personCard(page, id, user, () => page.map.select(undefined)) };
      fill(person, opened?.card.root);
    }
    body.classList.toggle('with-person', opened !== undefined);
    person.hidden = opened === undefined;
    parts.hidden = opened !== undefined || isBeside;
    peoplePart.hidden = (part !== 'people' && !isBeside) || opened !== undefined;
    messages.root.hidden = !isBeside && (part !== 'messages' || opened !== undefined);
  };
  const choose = (/** @type {string} */ chosen) => {
    part = chosen;
    show();
    if (part === 'messages') messages.shown();
    page.panel.stand(part === 'messages' ? 'full' : 'half');
  };
  const parts = segments(say('chat.parts'), [{ value: 'people', label: say('chat.people') }, { value: 'messages', label: say('messages.title') }], 'people', choose);
  fill(body, parts, person, peoplePart, messages.root, bar.root);
  const label = parts.querySelector('input[value="messages"] + span');
  messagesBeside(page, messages, (isPlacedBeside) => {
    isBeside = isPlacedBeside;
    show();
  }, scope);
  const update = () => {
    show();
    bar.update();
    opened?.card.update();
    if (!peoplePart.hidden) {
      people.update();
      settings.update();
    }
    if (!messages.root.hidden) messages.update();
    if (label) setText(label, messagesLabel(page, id));
  };
  const more = () => {
    if (part !== 'people' && !isBeside) /** @type {HTMLInputElement | null} */ (parts.querySelector('input'))?.click();
    page.map.select(undefined);
    page.panel.stand('full');
    settings.open();
    update();
    settings.root.scrollIntoView({ block: 'end' });
    /** @type {HTMLElement | null} */ (settings.root.querySelector('summary'))?.focus();
  };
  return { update, more };
}

/**
 * The id of the person selected on the map, whose card the sheet shows in place of the list; undefined without one.
 * @param {Page} page
 * @param {string} id
 * @returns {string | undefined}
 */
function personShown(page, id) {
  const selected = page.map.selected();
  const [user] = selected?.split('/') ?? [];
  // Of one of all positions a callout says it: the card is of where the person is now.
  const isThere = !isPosition(selected) && page.chats.chat(id)?.participants.some((participant) => participant.user === user);
  return isThere && isCardShown() ? user : undefined;
}

/**
 * What is wanted now and then, below everybody, and what is seldom wanted, folded.
 * @param {Page} page
 * @param {string} id
 */
function chatSettings(page, id) {
  const all = toggle(say('chat.viewAll'), (isOn) => page.scene.setAll(isOn));
  all.root.classList.add('compact');
  const reach = reachSection(page, id);
  const lock = toggle(say('chats.lockName'), (isOn) => lockName(page, id, lock.input, isOn));
  lock.root.classList.add('compact');
  const add = element('div', { class: 'actions wrap padded' }, button(say('chat.add'), () => addPeopleDialog(page, id), { icon: 'add' }));
  const manage = button(say('chats.manage'), () => membersDialog(page, id), { icon: 'contacts' });
  const leave = button(say('chat.leave'), () => leaveChat(page, id), { icon: 'leave', class: 'quiet' });
  const keep = keepingChoice(page, id);
  const seldom = element('details', { class: 'padded' }, element('summary', {}, say('chat.settings')),
    element('div', { class: 'actions wrap' }, manage, leave), lock.root, keep.root);
  const root = element('div', { class: 'chat-settings' }, add, all.root, reach.root, seldom);
  const open = () => {
    seldom.open = true;
  };
  const update = () => {
    const chat = page.chats.chat(id);
    const own = chat?.participants.find(({ user }) => user === page.account.user?.id);
    add.hidden = !chat || chat.oneToOne || own?.role !== 'owner';
    manage.hidden = !chat || chat.oneToOne || !(page.contacts.isLive || ownsGroup(page, id));
    lock.root.hidden = !ownsGroup(page, id);
    if (!lock.input.disabled) lock.input.checked = chat?.subjectLocked ?? false;
    setText(lock.state, say(chat?.subjectLocked ? 'chats.nameLocked' : 'chats.nameOpen'));
    keep.update();
    all.input.checked = page.scene.all;
    setText(all.state, reach.update());
  };
  return { root, update, open };
}

/**
 * How long positions are kept: for the owner to choose, for others to read.
 * @param {Page} page
 * @param {string} id
 */
function keepingChoice(page, id) {
  const select = element('select', { 'aria-label': say('chats.keepPositions') },
    KEEPINGS.map((time) => element('option', { value: time }, keepingText(time))));
  const state = element('span', { class: 'hint' });
  const root = element('div', { class: 'keeping padded' }, element('span', { 'aria-hidden': 'true' }, say('chats.keepPositions')), select, state);
  select.addEventListener('change', () => keepPositions(page, id, select));
  const update = () => {
    const chat = page.chats.chat(id);
    const own = chat?.participants.find(({ user }) => user === page.account.user?.id);
    const time = chat?.positions ?? 'month';
    root.hidden = !chat;
    select.hidden = own?.role !== 'owner';
    state.hidden = !select.hidden;
    if (!select.disabled) select.value = time;
    setText(state, keepingText(time));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {HTMLSelectElement} select
 */
async function keepPositions(page, id, select) {
  try {
    await whileBusy(select, () => page.chats.keepPositions(id, select.value));
  } catch (error) {
    page.toasts.fail(error);
  }
  page.chats.changed();
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {HTMLInputElement} control
 * @param {boolean} isLocked
 */
async function lockName(page, id, control, isLocked) {
  try {
    await whileBusy(control, () => page.chats.lockSubject(id, isLocked));
  } catch (error) {
    page.toasts.fail(error);
  }
  page.chats.changed();
}
