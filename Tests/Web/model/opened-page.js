import { once } from 'node:events';
import { request } from 'node:http';
import { Chats } from '../../../Web/app/chats/chats.js';
import { ContactList } from '../../../Web/app/contacts/contact-list.js';
import { LiveRegion } from '../../../Web/app/region/live-region.js';
import { personKind } from '../../../Web/app/region/region-kinds.js';
import { ShareBook } from '../../../Web/app/freshness/share-book.js';
import { ServerClock } from '../../../Web/app/stream/server-clock.js';
import { Stream } from '../../../Web/app/stream/stream.js';
import { FINAL } from '../../../Web/app/stream/subscriptions.js';
import { elapsed } from './browser.js';
import { Faults } from './link.js';

const EVERYWHERE = { south: -90, west: -180, north: 90, east: 180 };

/** One opened page, without a document: its modules, and what they hold. */
export class OpenedPage {
  faults = new Faults((code) => FINAL.has(code));
  /** How far the device's clock is ahead of the server's, in milliseconds. */
  skew = 0;

  constructor(port, user) {
    this.user = user;
    this.stream = new Stream({ port, token: user.token, faults: this.faults }, new ServerClock(() => Date.now() + this.skew, elapsed));
    this.chats = new Chats(this.stream, (path) => answerTo(path, port, user.token));
    this.#follow();
    this.stream.open();
  }

  /** Opens the page anew. */
  reopen() {
    this.faults.reset();
    this.region?.close();
    this.stream.close();
    this.chats.clear();
    this.#follow();
    this.stream.open();
  }

  close() {
    this.stream.close();
  }

  get link() {
    return [...this.faults.links][0];
  }

  /** What a person sees, for comparison. */
  state(chats) {
    const now = this.stream.now();
    for (const { live } of this.chats.followed) live.expire(now);
    const list = [...this.chats.list.chats.values()].sort((a, b) => a.id.localeCompare(b.id));
    return {
      chats: list.map(plain),
      contacts: this.contacts.all.map(({ id, name }) => `${id} ${name}`),
      shares: ofShares(this.shares.running),
      pins: [...this.region.list.items].map(([key, { latitude, longitude, number, name }]) => `${key} ${latitude} ${longitude} ${number} ${name}`).sort(),
      inside: Object.fromEntries(chats.filter((id) => this.chats.chat(id)).map((id) => [id, insideOf(this.chats.live(id), now)])),
    };
  }

  #follow() {
    this.contacts = new ContactList();
    this.shares = new ShareBook();
    this.chats.follow();
    const { contacts, shares } = this;
    this.stream.subscribe({ query: 'contacts' }, {
      answer: (frame, isFirst) => contacts.answer(frame, isFirst), change: (frame) => contacts.change(frame),
    });
    this.stream.subscribe({ query: 'shares' }, {
      answer: (frame, isFirst) => shares.answer(frame, isFirst), change: (frame) => shares.change(frame),
    });
    this.region = new LiveRegion(this.stream, { query: 'people' }, personKind, { region: EVERYWHERE });
  }
}

/** Asks the server by REST, as the page does. */
async function answerTo(path, port, token) {
  const asked = request({ port, path: `/v1${path}`, headers: { Authorization: `Bearer ${token}` } }).end();
  const [response] = await once(asked, 'response');
  const text = (await response.setEncoding('utf8').toArray()).join('');
  const answer = JSON.parse(text);
  if (response.statusCode === 200) return answer;
  throw Object.assign(new Error(text), answer.error);
}

function insideOf(live, now) {
  live.open();
  live.openAll();
  return {
    refusal: live.refusal?.code,
    // Equal to nothing while some are still to come.
    all: live.all.stretch.isLoading ? Symbol('loading') : allOf(live.all.stretch.columns),
    last: [...live.last.latest()].map(([user, { number, data }]) => `${user} ${number} ${data.latitude}`).sort(),
    texts: live.messages.all.slice(-40).map(({ number, tag, content, recalled }) => `${number} ${tag} ${content.slice(0, 20)} ${recalled ?? ''}`),
    online: [...live.presence.online].sort(),
    shares: ofShares(shownShares([...live.shares.shares.values()])),
    lines: Object.fromEntries([...live.lines.users]
      .map((user) => [user, [...new Set(live.lines.pieces(user, now).flatMap(({ points }) => points.map(String)))]])),
  };
}

/** Every position that can be read. */
function allOf(columns) {
  return Array.from({ length: columns.count }, (_, index) => columns.position(index)).filter(Boolean)
    .map(({ number, sender, latitude, time }) => `${number} ${sender} ${latitude} ${time}`);
}

/** As a fresh answer has them: those that run, and of each person without one the newest that is kept. */
function shownShares(shares) {
  const running = shares.filter(({ freshness }) => freshness.state !== 'ended');
  const over = shares.filter(({ user, keep, freshness }) => freshness.state === 'ended' && keep === 'kept' && !running.some((each) => each.user === user));
  const newest = over.filter((share) => !over.some((other) => other.user === share.user && other.freshness.asOf > share.freshness.asOf));
  return [...running, ...newest];
}

function ofShares(shares) {
  return shares.map(({ share, user, until, keep, freshness }) => `${share} ${user} ${until} ${keep} ${freshness.state === 'ended'}`).sort();
}

/** Without what is absent, its members and people in one order. Nothing says how `last` grows. */
function plain(chat) {
  const { participants, last, ...rest } = chat;
  const members = Object.entries(rest).filter(([, value]) => value !== undefined).sort(([a], [b]) => a.localeCompare(b));
  return { ...Object.fromEntries(members), participants: participants.map(memberText).sort() };
}

/** One who has left is shown under the name that a page heard last: nobody there is told of a later one. */
function memberText({ user, name, role, present }) {
  return `${user} ${present ? name : ''} ${role} ${present}`;
}
