// @ts-check
import { peopleSeen } from '../chats/people-seen.js';
import { stopHere } from '../sharing/share-actions.js';
import { followShares } from '../sharing/follow-shares.js';
import { WORLD } from '../sharing/sharing.js';
import { say, sayRefusal } from '../words/words.js';
import { followReturns } from '../world/world-return.js';
import { throttle } from './throttle.js';

/** How often it is looked whether messages have expired. */
const EXPIRE_EVERY = 5_000;

/** How often it is looked whether somebody changed of whom the reader wants to be told, at most. */
const WATCHED_EVERY = 1_000;

/** How often what the map shows is put together anew, at most. */
const DRAWN_EVERY = 200;

/**
 * What the page does when something of a person's changes, until their session ends.
 * @param {import('./page.js').Page} page
 * @param {import('../session/person.js').Person} person
 */
export function followPerson(page, person) {
  const { sender, drafts, sharer, chats, contacts, liveWorld, places, own, watcher, scope } = person;
  const look = () => watcher.look(() => peopleSeen(chats.followed, page.stream.now()));
  const draw = throttle(DRAWN_EVERY, () => person.scene.refresh());
  const watch = throttle(WATCHED_EVERY, () => look());
  scope.add(draw.cancel);
  scope.add(watch.cancel);
  sender.onRefused = (entry, frame) => {
    const { chat, tag, data } = entry;
    // A position can end only its own share, and one from before a share none.
    const share = /** @type {{ share?: string } | undefined} */ (data)?.share;
    if (tag === 'Location' && frame.code !== 'notShared' && share === sharer.shareIn(chat)) sharer.end(chat);
    if (tag === 'Location' && (frame.code === 'shareEnded' || frame.code === 'notShared')) return undefined;
    const reason = sayRefusal(frame.code, frame.message);
    const isWritten = tag !== 'Location';
    const where = isWritten ? say(chats.chat(chat) || !entry.content ? 'messages.isBack' : 'messages.isBackElsewhere', { text: entry.content }) : '';
    page.toasts.fail(`${reason} ${where}`, say('page.notSent', { place: page.nameOf(chat) }));
    return isWritten ? drafts.giveBack(entry) : undefined;
  };
  sender.onSent = (entry, frame) => chats.followedLive(entry.chat)?.messages?.answered(entry, frame);
  sender.onNotKept = () => page.toasts.fail(say('page.notKept'));
  contacts.onNew = ({ name }) => page.toasts.say(say('contacts.became', { name }));
  liveWorld.onJoined = () => sharer.worldJoined();
  followReturns(page, person);
  sharer.observe(() => {
    liveWorld.share(sharer.isSharedIn(WORLD));
    page.keepUp();
    draw.run();
  }, scope);
  chats.observe(() => {
    for (const place of sharer.places) {
      if (place !== WORLD && chats.list.isCurrent && !chats.chat(place)) sharer.end(place);
    }
    if (person.scene.shown.kind !== 'world') draw.run();
    watch.run();
  }, scope);
  own.observe(() => draw.run(), scope);
  followShares(page, person);
  sharer.onDenied = () => stopHere(page);
  places.observe(() => {
    page.map.showPlaces(places.all);
    page.panel.showSections();
    page.lookAtSelected();
  }, scope);
  liveWorld.observe(() => {
    if (liveWorld.refusal && sharer.isSharedIn(WORLD)) sharer.end(WORLD);
    if (person.scene.shown.kind === 'world') draw.run();
  }, scope);
  scope.every(EXPIRE_EVERY, () => {
    look();
    for (const { live } of chats.followed) live.expire(page.stream.now());
    // Pins and rows grow old by the page's own clock, with or without a connection.
    person.scene.refresh();
    page.panel.mapChanged();
    sharer.changed();
  });
}
