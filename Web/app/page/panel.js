// @ts-check
import { chatListView } from '../chats/chat-list-view.js';
import { chatView } from '../chats/chat-view.js';
import { startChatView } from '../chats/start-chat-view.js';
import { contactsView } from '../contacts/contacts-view.js';
import { historyView } from '../history/history-view.js';
import { invitationView } from '../invitations/invitation-view.js';
import { objectView } from '../places/object-view.js';
import { placesView } from '../places/places-view.js';
import { accountView } from '../session/account-view.js';
import { seenView } from '../sharing/seen-view.js';
import { welcomeView } from '../session/welcome-view.js';
import { worldView } from '../world/world-view.js';
import { say } from '../words/words.js';
import { element, fill, keyed } from './dom.js';
import { icon } from './icons.js';
import { pageScope, Scope } from './scope.js';
import { Sheet } from './sheet.js';

/** @typedef {import('./page.js').Page} Page */

/**
 * A view in the panel.
 * @typedef {object} View
 * @property {HTMLElement} root
 * @property {'half' | 'full'} sheet how high the sheet stands at first on a phone
 * @property {() => void} [mapChanged]
 */

const SIGNED_IN = [['chats', say('page.chats')], ['contacts', say('page.contacts')], ['world', say('page.world')], ['seen', say('seen.tab'), 'eye'], ['you', say('page.you')]];
const SIGNED_OUT = [['welcome', say('page.signIn'), 'you'], ['world', say('page.world')]];
/** Where this server has any. */
const PLACES = ['places', say('page.places'), 'place'];

/** The panel beside the map, or the sheet over it: one view at a time, and the way to the others. */
export class Panel {
  #page;
  #place;
  #sections;
  #sheet;
  /** @type {View | undefined} */
  #view;
  /** Ends with the view. */
  #scope = new Scope();
  #route = '';
  /** Whose view it is. @type {import('../session/person.js').Person | undefined} */
  #person;

  /**
   * @param {Page} page
   * @param {HTMLElement} panel
   * @param {HTMLElement} place of the view
   * @param {HTMLElement} sections the navigation
   */
  constructor(page, panel, place, sections) {
    this.#page = page;
    this.#place = place;
    this.#sections = sections;
    this.#sheet = new Sheet(panel, (padding, covered) => page.map.setPadding(padding, covered));
  }

  begin() {
    this.#page.router.observe(() => this.refresh(), pageScope);
    this.#page.invitation.observe(() => this.refresh(), pageScope);
    this.refresh();
  }

  /** Opens what the address and the session ask for, if it isn't open. */
  refresh() {
    const { invitation, router, person } = this.#page;
    const path = this.#allowed(router.path);
    const route = [invitation.secret ?? '', ...path].join('/');
    if (route === this.#route && person === this.#person) return;
    const isFirst = this.#person === undefined;
    this.#route = route;
    this.#person = person;
    this.#scope.end();
    this.#scope = person.scope.inner();
    this.#open(this.#make(path, this.#scope), isFirst);
    this.#page.scene.show(sceneOf(path));
    this.showSections();
  }

  mapChanged() {
    this.#view?.mapChanged?.();
  }

  /**
   * On a phone, how high the sheet stands.
   * @param {'half' | 'full'} height
   */
  stand(height) {
    this.#sheet.stand(height);
  }

  /** What lies over the map has changed. */
  pad() {
    this.#sheet.pad();
  }

  /** On a phone, gives the map room. */
  showMap() {
    this.#sheet.lower();
  }

  /** @param {string[]} path */
  #allowed(path) {
    const { account, invitation } = this.#page;
    if (invitation.secret) return ['invitation'];
    if (account.user) return path.length === 0 || path[0] === 'welcome' || path[0] === 'invitation' ? ['chats'] : path;
    return path[0] === 'world' || path[0] === 'places' ? path : ['welcome'];
  }

  /**
   * @param {string[]} path
   * @param {Scope} scope
   * @returns {View}
   */
  #make([place, detail, id, more], scope) {
    const page = this.#page;
    page.liveWorld.look(place === 'world' || place === 'welcome');
    switch (place) {
      case 'world': return worldView(page, scope);
      case 'welcome': return welcomeView(page, scope);
      case 'invitation': return invitationView(page);
      case 'contacts': return contactsView(page, scope);
      case 'you': return accountView(page, scope);
      case 'seen': return seenView(page, scope);
      case 'places': return id ? objectView(page, detail, id, scope) : placesView(page, scope);
      case 'new': return startChatView(page, detail, scope);
      default:
        if (detail && id === 'day' && more) return historyView(page, detail, more, scope);
        return detail ? chatView(page, detail, scope) : chatListView(page, scope);
    }
  }

  /**
   * @param {View} view
   * @param {boolean} isFirst
   */
  #open(view, isFirst) {
    this.#view = view;
    fill(this.#place, view.root);
    this.#sheet.stand(view.sheet);
    const title = view.root.querySelector('h1');
    this.#page.title.set(title?.textContent ?? '');
    if (!isFirst) title?.focus({ preventScroll: true });
  }

  /** Shows the ways to the other views, the one to places if this server has any. */
  showSections() {
    const { account, places, router } = this.#page;
    const [current] = this.#allowed(router.path);
    const all = [...(account.user ? SIGNED_IN : SIGNED_OUT)];
    if (places.kinds?.length || current === 'places') all.splice(account.user ? 3 : 2, 0, PLACES);
    const shown = current === 'new' ? 'chats' : current;
    keyed(this.#sections, all, ([section]) => section, ([section, label, picture]) => sectionLink(section, label, picture ?? section));
    for (const link of /** @type {Iterable<HTMLElement>} */ (this.#sections.children)) {
      if (link.dataset.key === shown) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.#sections.hidden = current === 'invitation';
  }
}

/**
 * @param {string} section
 * @param {string} label
 * @param {string} picture
 */
function sectionLink(section, label, picture) {
  return element('a', { href: `#/${section}` }, icon(picture), element('span', {}, label));
}

/**
 * What the map shows beside a view.
 * @param {string[]} path
 * @returns {import('../map/scene.js').Shown}
 */
function sceneOf([place, detail]) {
  if (place === 'world' || place === 'welcome') return { kind: 'world' };
  return place === 'chats' && detail ? { kind: 'chat', id: detail } : { kind: 'home', isOfPlaces: place === 'places' };
}
