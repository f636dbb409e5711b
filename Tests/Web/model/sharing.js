/**
 * What a browser says of its sharing, against a real server: random taps in two tabs of two accounts, one after the other, while the
 * device's clock is wrong and jumps, connections break, requests are refused and shares end elsewhere. Afterwards what the tabs say is what the
 * server has, and what comes of a position has the server's time.
 *
 * Reads `{ port, people: [{ user, token }], seeds: [] }` from its input, and writes a line of JSON for each seed.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SeededGenerator } from '../seeded-generator.js';
import { asked, SharedBrowser, until } from './shared-browser.js';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const task = JSON.parse((await lines.next()).value);
const browser = new SharedBrowser(task.port);
browser.install();
const { SharingTab } = await import('./sharing-tab.js');
const { isFinal } = await import('../../../Web/app/stream/refusal.js');
const { EVERYWHERE } = await import('../../../Web/app/sharing/share-record.js');

const OPERATIONS = 40;
const HOUR = 3_600_000;
const document = readFileSync(new URL('../../../Documentation/errors.md', import.meta.url), 'utf8');
const CODES = [...document.split('## Where the device is')[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code).concat('aCodeOfANewerServer');
/** By how much the time of a position may be off: what the round trips of a busy machine take, in milliseconds. */
const NEAR = 3_000;

class Model {
  trouble = [];
  /** The chats in which the last word of each account was *Stop*, and nothing has taken that back since. */
  #stopped = new Map();
  #hasLostSession = false;
  /** Two tabs may each have been asked to share in one chat. */
  #hadTwoTabs = false;
  /** Whether what was stopped may have been refused for good. */
  #isUnsure = false;
  #moves = 0;

  constructor(seed, chats) {
    this.random = new SeededGenerator(seed);
    this.chats = chats;
    browser.account = task.people[0];
    this.#setClock();
    this.tabs = [new SharingTab(browser)];
  }

  async run() {
    await this.#settled();
    for (let step = 0; step < OPERATIONS; step += 1) await this.#step();
    await this.#settle();
    await this.#compare();
    await this.#end();
    return this.trouble;
  }

  get #operations() {
    return [
      [8, () => this.#share()],
      [3, () => this.#tab.stop(this.#noteStop(this.#one(this.chats)))],
      [2, () => { this.#tab.stopEverywhere(); this.chats.forEach((chat) => this.#noteStop(chat)); }],
      [8, () => this.#move()],
      [3, () => { browser.answersAtOnce = !browser.answersAtOnce; }],
      [3, () => browser.answer()],
      [3, () => this.#setClock()],
      [3, () => this.#endElsewhere()],
      [3, () => this.#tab.link?.cut()],
      [3, () => this.#tab.faults.stayAway(20 + this.random.below(150))],
      [3, () => browser.dispatch('online')],
      [5, () => this.#refuse()],
      [2, () => this.#openOrClose()],
      [1, () => this.#signIn(this.#one(task.people))],
    ];
  }

  get #tab() { return this.#one(this.tabs); }

  #one(list) { return list[this.random.below(list.length)]; }

  async #step() {
    const operations = this.#operations;
    let left = this.random.below(operations.reduce((sum, [weight]) => sum + weight, 0));
    const [, operation] = operations.find(([weight]) => (left -= weight) < 0);
    operation();
    if (this.random.below(3) > 0) await until(() => false, this.random.below(50) / 1_000);
  }

  /** One tap, or two in a row. */
  #share() {
    const [tab, chat] = [this.#tab, this.#one(this.chats)];
    // Where a share runs, *Stop* is offered.
    if (tab.sharer.isSharedIn(chat) || tab.ownShares.in(chat)) return;
    this.#stoppedOf(browser.account).delete(chat);
    for (let tap = this.random.below(3); tap >= 0; tap -= 1) tab.share(chat);
  }

  #stoppedOf({ user }) {
    if (!this.#stopped.has(user)) this.#stopped.set(user, new Set());
    return this.#stopped.get(user);
  }

  #noteStop(chat) {
    this.#stoppedOf(browser.account).add(chat);
    return chat;
  }

  #move() {
    this.#moves += 1;
    browser.move(47 + this.#moves / 1_000, 9);
  }

  /** Nobody's clock is right. */
  #setClock() {
    browser.skew = (this.random.below(2) === 0 ? -1 : 1) * this.random.below([1_000, 100_000, 4 * HOUR, 48 * HOUR][this.random.below(4)]);
  }

  /** From another device. */
  #endElsewhere() {
    return asked(task.port, browser.account.token, '/v1/me/shares', { method: 'DELETE' }).catch(() => {});
  }

  #refuse() {
    const type = this.#one(['share', 'stopShares', 'send', 'changeShare']);
    const code = this.#one(CODES);
    this.#tab.faults.refuse(type, { code, ...(this.random.below(2) === 0 ? { retryAfter: this.random.below(2_000) } : {}) });
    if (type !== 'stopShares') return;
    // The person is told of a stop that is refused for good; without a session it waits for the next.
    if (isFinal({ code })) this.#isUnsure = true;
    this.#hasLostSession ||= code === 'notSignedIn' || code === 'accountDisabled';
  }

  #openOrClose() {
    this.#hadTwoTabs = true;
    if (this.tabs.length === 1) this.tabs.push(new SharingTab(browser));
    else this.tabs.splice(this.random.below(2), 1)[0].end();
  }

  /** The session ends, which ends what it alone fed, and somebody signs in, perhaps another one. */
  #signIn(account) {
    for (const tab of this.tabs) tab.end();
    browser.questions = [];
    this.#endElsewhere();
    for (const chat of this.chats) this.#noteStop(chat);
    browser.account = account;
    for (const tab of this.tabs) tab.begin();
  }

  #settled(seconds) {
    return until(() => { browser.dispatch('online'); return this.tabs.every((tab) => tab.isSettled); }, seconds);
  }

  async #settle() {
    browser.answersAtOnce = true;
    browser.answer();
    for (const tab of this.tabs) tab.faults.reset();
    if (this.#hasLostSession) for (const tab of this.tabs) tab.begin();
    if (!await this.#settled()) this.trouble.push(`not settled: ${this.tabs.map(stateOf)}`);
  }

  async #compare() {
    let found = [];
    await until(async () => {
      found = await this.#differences();
      return found.length === 0;
    }, 6);
    this.trouble.push(...found);
    await this.#comparePositions();
  }

  async #differences() {
    const lists = await Promise.all(task.people.map(async ({ token }) => (await (await asked(task.port, token, '/v1/me/shares')).json()).shares));
    const own = lists[task.people.indexOf(browser.account)];
    const found = [];
    for (const [index, tab] of this.tabs.entries()) {
      const [listed, shown] = [own, tab.ownShares.running].map((shares) => shares.map(({ share }) => share).sort().join());
      if (listed !== shown) found.push(`tab ${index} lists ${shown}, the server ${listed}`);
      for (const { place, share } of tab.shareRecords.wanted) {
        if (!own.some((each) => each.share === share && each.chat === place)) found.push(`tab ${index} says that ${share} runs in ${place}, the server has ${listed}`);
      }
      if (String(tab.sharer.places.sort()) !== String(this.tabs[0].sharer.places.sort())) found.push(`tab ${index} shares in ${tab.sharer.places}, tab 0 in ${this.tabs[0].sharer.places}`);
    }
    for (const [index, { user }] of task.people.entries()) {
      const stopped = this.#isUnsure ? [] : lists[index].filter(({ chat }) => this.#stopped.get(user)?.has(chat));
      if (stopped.length > 0) found.push(`after a stop ${index} still shares in ${stopped.map(({ chat }) => chat)}`);
      if (user !== browser.account.user && lists[index].length > 0) found.push(`${index} isn't signed in, and shares in ${lists[index].map(({ chat }) => chat)}`);
    }
    for (const chat of this.#hadTwoTabs ? [] : this.chats) {
      const running = own.filter((share) => share.chat === chat);
      if (running.length > 1) found.push(`${running.length} shares run in ${chat}`);
    }
    return found;
  }

  /** Where it says that others see this browser, a position comes, and has the server's time. */
  async #comparePositions() {
    const places = this.tabs[0].sharer.places.filter((place) => place !== EVERYWHERE);
    const before = this.#moves;
    const found = new Map();
    const newest = async (chat) => {
      const answer = await asked(task.port, browser.account.token, `/v1/chats/${chat}/messages?tag=Location&sender=${browser.account.user}&limit=1`);
      return (await answer.json()).messages.at(-1)?.data;
    };
    await until(async () => {
      this.#move();
      for (const chat of places) {
        const data = await newest(chat);
        const isNew = data && Number(data.latitude) > 47 + before / 1_000;
        if (isNew && Math.abs(data.timestamp - browser.time) < NEAR) found.set(chat, true);
        else found.set(chat, isNew ? `its time is ${data.timestamp - browser.time} ms off` : 'no position comes');
      }
      return [...found.values()].every((each) => each === true);
    }, 8);
    for (const [chat, what] of found) if (what !== true) this.trouble.push(`in ${chat} ${what}, with a clock that is ${browser.skew} ms ahead`);
  }

  async #end() {
    for (const tab of this.tabs) tab.end();
    browser.questions = [];
    await Promise.all(task.people.map(({ token }) => asked(task.port, token, '/v1/me/shares', { method: 'DELETE' })));
  }
}

function stateOf({ stream, person }) {
  const { ownShares, starts, awaitedStart, shareRecords, sender } = person;
  return JSON.stringify([stream.state, ownShares.isTold, starts.areUnderWay, awaitedStart.wanted, shareRecords.stopping, sender.unsent().length]);
}

for (const seed of task.seeds) {
  const trouble = await new Model(seed, task.chats).run();
  process.stdout.write(`${JSON.stringify({ seed, differences: trouble })}\n`);
}
process.exit(0);
