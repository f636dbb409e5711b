// @ts-check
import { confirmed, emptyState } from '../../app/page/controls.js';
import { element, fill } from '../../app/page/dom.js';
import { mark } from '../../app/page/icons.js';
import { Router } from '../../app/page/router.js';
import { pageScope } from '../../app/page/scope.js';
import { Toasts } from '../../app/page/toasts.js';
import { Account } from '../../app/session/account.js';
import { Entities } from '../entities/entities.js';
import { entityListView } from '../entities/entity-list-view.js';
import { schemaView } from '../entities/schema-view.js';
import { Labels } from '../objects/labels.js';
import { objectView } from '../objects/object-view.js';
import { tableView } from '../objects/table-view.js';
import { importView } from '../transfer/import-view.js';
import { viewHead } from './headings.js';

/** @typedef {import('../control.d.ts').View} View */

/** @param {string} id */
function byID(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The page for who runs the server: what there is once, and which view is open. */
export class ControlPanel {
  toasts = new Toasts(byID('toasts'));
  router = new Router();
  account = new Account();
  entities = new Entities();
  labels = new Labels();
  /** What each table was asked last, for who comes back to it. @type {Map<string, import('../objects/table-state.js').TableState>} */
  tables = new Map();

  /** @type {View | undefined} */
  #view;
  #hash = location.hash;
  #isAsking = false;

  async begin() {
    byID('bar').append(element('a', { class: 'brand', href: '#/' }, mark(), element('span', {}, 'Yonder'), element('span', { class: 'hint' }, 'Control panel')),
      element('a', { class: 'button small', href: '/' }, 'To the map'));
    this.router.observe(() => this.#moved(), pageScope);
    addEventListener('beforeunload', (event) => {
      if (this.#view?.isChanged?.()) event.preventDefault();
    });
    try {
      await this.account.load();
    } catch (error) {
      this.toasts.fail(error);
    }
    await this.#open(true);
  }

  /**
   * Says something to who can't see it happen.
   * @param {string} text
   */
  announce(text) {
    byID('announcer').textContent = text;
  }

  /** What was typed is saved or given up: the next view may open without a question. */
  settle() {
    if (this.#view) this.#view.isChanged = undefined;
  }

  /** The address asks for another view: if something is unsaved, whoever typed it decides. */
  async #moved() {
    if (location.hash === this.#hash || this.#isAsking) return;
    if (this.#view?.isChanged?.()) {
      const wanted = location.hash;
      history.replaceState(null, '', this.#hash || location.pathname);
      this.#isAsking = true;
      const isGivenUp = await confirmed('Leave without saving?', 'What you changed here is lost then.', 'Leave');
      this.#isAsking = false;
      if (!isGivenUp) return;
      history.replaceState(null, '', wanted);
    }
    await this.#open(false);
  }

  /** Opens the view again, as after something else changed. */
  async reopen() {
    this.settle();
    await this.#open(false);
  }

  /** @param {boolean} isFirst */
  async #open(isFirst) {
    this.#hash = location.hash;
    const hash = this.#hash;
    let view;
    try {
      view = await this.#make();
    } catch (error) {
      view = this.#failed(/** @type {Error} */ (error));
    }
    // Somebody went on while it was made.
    if (hash !== location.hash) return view.close?.();
    this.#view?.close?.();
    this.#view = view;
    fill(byID('view'), view.root);
    document.title = `${view.title} · Control panel · Yonder`;
    scrollTo(0, 0);
    if (!isFirst) view.root.querySelector('h1')?.focus({ preventScroll: true });
  }

  /** @returns {Promise<View>} */
  async #make() {
    if (!this.account.user) return stranger('Sign in first', 'The control panel is for who runs this server. Sign in on the page with the map, then come back.', 'Sign in');
    if (!this.account.isOperator) return stranger('This is for operators', 'Your account doesn’t run this server. Ask who does, if something on the map should change.', 'To the map');
    await this.entities.load();
    const [place, name, detail] = this.router.path.filter(Boolean);
    if (place === 'create') return schemaView(this);
    if (place === undefined) return entityListView(this);
    const entity = this.entities.named(name);
    if (!entity) throw new Error(`There is no entity ${name ?? place}.`);
    switch (place) {
      case 'schema': return schemaView(this, entity);
      case 'import': return importView(this, entity);
      case 'objects': return detail ? objectView(this, entity, detail) : tableView(this, entity);
      default: throw new Error('There is no such page.');
    }
  }

  /**
   * @param {Error} error
   * @returns {View}
   */
  #failed(error) {
    const again = element('button', { type: 'button', onclick: () => this.reopen() }, 'Try again');
    const back = element('a', { class: 'button primary', href: '#/' }, 'To the entities');
    return { title: 'Not shown', root: element('div', { class: 'page' }, viewHead('This can’t be shown'), element('div', { class: 'card stack' },
      element('p', { role: 'alert' }, error.message), element('div', { class: 'actions wrap' }, back, again))) };
  }
}

/**
 * For whom this page isn't.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 * @returns {View}
 */
function stranger(title, text, action) {
  const state = emptyState('you', title, text, element('a', { class: 'button primary', href: action === 'Sign in' ? '/#/welcome' : '/' }, action));
  state.querySelector('h2')?.replaceWith(element('h1', { tabIndex: -1 }, title));
  return { title, root: element('div', { class: 'page' }, element('div', { class: 'card' }, state)) };
}
