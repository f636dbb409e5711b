/**
 * The page's modules against a real server: random operations of three people whose connections break, whose subscriptions
 * are refused and who read slowly. Afterwards each page must hold what a page holds that was just opened.
 *
 * Reads `{ port, people: [{ user, token }], seeds: [] }` from its input, and writes a line of JSON for each seed. It asks for a new
 * start of the server with the line `"restart"`, and goes on when a line comes.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { SeededGenerator } from '../seeded-generator.js';
import { makeBrowser, tick, until } from './browser.js';

makeBrowser();
const { OpenedPage } = await import('./opened-page.js');
const { FINAL } = await import('../../../Web/app/stream/subscriptions.js');

const OPERATIONS = 70;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const document = readFileSync(new URL('../../../Documentation/errors.md', import.meta.url), 'utf8');
const CODES = [...document.split('## Where the device is')[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
const PASSING = [...CODES.filter((code) => !FINAL.has(code)), 'aCodeOfANewerServer'];

class Model {
  chats = [];
  /** Numbers of what was sent, by chat and person. */
  sent = [];
  running = [];
  trouble = [];
  #key = 0;
  /** The keys of a seed that runs again are other keys. */
  #begun = Date.now();
  #time = Date.now() - 3_000_000;

  constructor({ port, people }, seed) {
    this.port = port;
    this.seed = seed;
    this.random = new SeededGenerator(seed);
    this.people = people.map((person) => ({ ...person, page: new OpenedPage(port, person) }));
  }

  async run() {
    const { people } = this;
    await until(() => people.every(({ page }) => page.chats.list.isCurrent));
    await this.#start(people[0]);
    for (let step = 0; step < OPERATIONS; step += 1) await this.#step();
    if (this.seed % 4 === 0) await this.#restart();
    if (this.seed % 4 === 1) await this.#flood();
    await this.#settle();
    const differences = await this.#compare();
    await this.#end();
    return [...this.trouble, ...people.flatMap(({ page }) => page.faults.faults), ...differences];
  }

  get #operations() {
    return [
      [8, () => this.#send('Text', { content: `t${this.#key}` })],
      [14, () => this.#send('Location', { data: this.#position() })],
      [2, () => this.#send('Location', { data: this.#position(), expires: Date.now() + 100 + this.random.below(400) })],
      [6, () => this.#recallNewest()],
      [3, () => this.#recall()],
      [1, () => this.#ask({ type: 'subject', subject: `s${this.#key}` })],
      [1, () => this.#rename()],
      [3, () => this.#ask({ type: 'share', keep: this.#one(['kept', 'expiring']), ...this.#one([{}, { until: Date.now() + 3_600_000 }]) })],
      [2, () => this.#stopShare()],
      [1, () => this.#ask({ type: 'leave' })],
      [2, () => this.#ask({ type: 'add', users: [this.#one(this.people).user] }, this.people[0])],
      [1, () => this.#ask({ type: 'remove', user: this.#one(this.people.slice(1)).user }, this.people[0])],
      [2, () => this.#read()],
      [1, () => this.#start(this.people[0])],
      [3, () => this.#view()],
      [4, () => this.#page.link?.cut()],
      [2, () => this.#page.faults.stayAway(20 + this.random.below(200))],
      [4, () => this.#page.faults.plan(Array.from({ length: 1 + this.random.below(6) }, () => this.#refusal()))],
      [4, () => this.#page.link?.end(this.random, this.#refusal())],
      [1, () => this.#refuseForGood()],
      [3, () => dispatchEvents('online')],
      [3, () => this.#setClock()],
    ];
  }

  get #page() { return this.#one(this.people).page; }

  #one(list) { return list.length > 0 ? list[this.random.below(list.length)] : undefined; }

  async #step() {
    const operations = this.#operations;
    let left = this.random.below(operations.reduce((sum, [weight]) => sum + weight, 0));
    const [, operation] = operations.find(([weight]) => (left -= weight) < 0);
    const done = Promise.resolve(operation()).catch((error) => { if (error.name !== 'Refused') throw error; });
    this.running.push(done);
    if (this.random.below(3) > 0) await Promise.race([done, until(() => false, 0.1)]);
  }

  /** A device's clock jumps, by a second or by days; then it is looked at. */
  #setClock() {
    this.#page.skew = (this.random.below(2) === 0 ? -1 : 1) * this.random.below([1_000, 100_000, 14_400_000, 172_800_000][this.random.below(4)]);
    tick();
  }

  #refusal() {
    return { code: this.#one(PASSING), ...this.#one([{}, { retryAfter: this.random.below(3_000) }]) };
  }

  #refuseForGood() {
    const code = this.#one([...FINAL]);
    const { page } = this.#one(this.people);
    if (this.random.below(2) === 0) page.link?.end(this.random, { code });
    else page.faults.plan([{ code }]);
  }

  #position() {
    // Now and then one that comes late.
    this.#time += 1_000 + this.random.below(9_000);
    const time = this.#time - (this.random.below(4) === 0 ? 60_500 : 0);
    return { latitude: (this.random.below(8_000) / 100).toFixed(6), longitude: (this.random.below(16_000) / 100).toFixed(6), timestamp: time };
  }

  async #ask(frame, person = this.#one(this.people), chat = this.#one(this.chats)) {
    this.#key += 1;
    return person.page.stream.request({ ...(frame.type === 'start' ? {} : { chat }), ...frame, key: `m${this.seed}-${this.#begun}-${this.#key}` });
  }

  async #send(tag, fields) {
    const [person, chat] = [this.#one(this.people), this.#one(this.chats)];
    const { number } = await this.#ask({ type: 'send', tag, ...fields }, person, chat);
    this.sent.push({ person, chat, number, tag });
  }

  #recall() {
    if (this.sent.length === 0) return undefined;
    const { person, chat, number } = this.#one(this.sent);
    return this.#ask({ type: 'recall', number }, person, chat);
  }

  #recallNewest() {
    const [person, chat] = [this.#one(this.people), this.#one(this.chats)];
    const newest = this.#one(this.people).page.chats.live(chat)?.last.latest().get(person.user);
    return newest && this.#ask({ type: 'recall', number: newest.number }, person, chat);
  }

  async #rename() {
    const person = this.#one(this.people);
    const headers = { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' };
    const asked = request({ port: this.port, path: '/v1/me', method: 'PATCH', headers });
    asked.end(JSON.stringify({ name: `N${this.random.below(1_000)}` }));
    // A server that restarts answers nothing.
    const [answer] = await once(asked, 'response').catch(() => []);
    answer?.resume();
  }

  #stopShare() {
    const person = this.#one(this.people);
    const share = this.#one([...person.page.shares.running, undefined]);
    return share && this.#ask({ type: 'stopShare', share: share.share }, person, share.chat);
  }

  #read() {
    const { page } = this.#one(this.people);
    const chat = page.chats.chat(this.#one(this.chats));
    if (chat) page.chats.read(chat.id, 1 + this.random.below(chat.last + 1));
  }

  async #start(person) {
    if (this.chats.length >= 4) return;
    const invitees = this.people.filter((each) => each !== person).map(({ user }) => user);
    const { chat } = await this.#ask({ type: 'start', invitees, oneToOne: false, subject: `c${this.#key}` }, person);
    this.chats.push(chat.id);
  }

  #view() {
    const live = this.#page.chats.live(this.#one(this.chats));
    live?.[this.#one(['open', 'open', 'shut', 'openAll'])]();
  }

  async #restart() {
    process.stdout.write('"restart"\n');
    await lines.next();
  }

  /** Sends more messages than the server keeps for a connection that reads nothing. */
  async #flood() {
    const { page } = this.people[2];
    page.link?.hold();
    const content = 'x'.repeat(40_000);
    const [sender] = this.people;
    const sent = Array.from({ length: 150 }, (_, index) => (
      this.#ask({ type: 'send', tag: index % 2 ? 'Text' : 'Location', content, data: this.#position() }, sender)));
    const numbers = await Promise.allSettled(sent);
    await Promise.allSettled(numbers.slice(-9).map(({ value }) => value && this.#ask({ type: 'recall', number: value.number }, sender, value.chat)));
    page.link?.release();
  }

  /** Every request is answered, and no refusal is left to come. */
  async #settle() {
    const all = Promise.all(this.running).then(() => true);
    let isAnswered = false;
    all.then(() => { isAnswered = true; }, (error) => { isAnswered = true; this.trouble.push(String(error.stack)); });
    if (!await until(() => { dispatchEvents('online'); return isAnswered; })) this.trouble.push('a request was never answered');
    tick();
    for (const { page } of this.people) {
      if (page.faults.hasEnded) page.reopen();
      page.faults.reset();
    }
  }

  async #compare() {
    const chats = this.chats;
    const fresh = this.people.map((person) => new OpenedPage(this.port, person));
    const differ = () => this.people.flatMap(({ page }, index) => {
      const [a, b] = [page.state(chats), fresh[index].state(chats)];
      return isDeepStrictEqual(a, b) ? [] : differences(a, b, `person ${index}`);
    });
    const isReady = () => fresh.every((page) => page.chats.list.isCurrent && chats.every((id) => !page.chats.chat(id) || page.chats.live(id)?.messages?.isCurrent));
    await until(() => { for (const page of fresh) page.state(chats); return isReady(); });
    // Looked at once more it could differ again, as a message may expire between two pages' clocks.
    let found = [];
    await until(() => {
      dispatchEvents('online');
      found = differ();
      return found.length === 0;
    }, 8);
    for (const page of fresh) page.close();
    return found;
  }

  async #end() {
    for (const person of this.people) {
      for (const chat of person.page.chats.list.chats.keys()) await this.#ask({ type: 'leave' }, person, chat).catch(() => {});
      person.page.close();
    }
  }
}

function dispatchEvents(type) {
  for (const listener of globalThis.listenersOf(type)) listener();
}

function differences(a, b, path) {
  const isSimple = typeof a !== 'object' || typeof b !== 'object' || !a || !b;
  if (isSimple) return isDeepStrictEqual(a, b) ? [] : [`${path}: ${JSON.stringify(a)}, fresh ${JSON.stringify(b)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => differences(a[key], b[key], `${path}.${key}`)).slice(0, 10);
}

const task = JSON.parse((await lines.next()).value);
for (const seed of task.seeds) {
  const differences = await new Model(task, seed).run();
  process.stdout.write(`${JSON.stringify({ seed, differences })}\n`);
}
process.exit(0);
