// @ts-check
import { button, emptyState } from '../../app/page/controls.js';
import { element, fill, setText } from '../../app/page/dom.js';
import { icon } from '../../app/page/icons.js';
import { numberText } from '../../app/page/numbers.js';
import { Asking } from '../panel/asking.js';
import { entityTabs, viewHead, wayTo } from '../panel/headings.js';
import { labelled, select } from '../panel/inputs.js';
import { nameField } from './cells.js';
import { ConditionEditor } from './condition-editor.js';
import { nextSort } from './conditions.js';
import { exportAddress, listObjects } from './objects.js';
import { Pages } from './pages.js';
import { objectTable } from './table.js';
import { TableState } from './table-state.js';

/** @typedef {import('../control.d.ts').Entity} Entity */

const PAGE_SIZE = 50;
const TYPING = 300;

/**
 * The objects of an entity.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @param {Entity} entity
 * @returns {import('../control.d.ts').View}
 */
export function tableView(panel, entity) {
  return new TableView(panel, entity).view();
}

class TableView {
  #panel;
  #entity;
  #state;
  #asking = new Asking();
  #body = element('div', { class: 'table-body' });
  #status = element('p', { class: 'hint', role: 'status' });
  #previous = button('Previous', () => this.#turn('previous'), { icon: 'back', class: 'small' });
  #next = button('Next', () => this.#turn('next'), { class: 'small' });
  #turning = element('div', { class: 'actions' }, this.#previous, this.#next);
  #exports = element('div', { class: 'actions wrap' });

  /**
   * @param {import('../panel/control-panel.js').ControlPanel} panel
   * @param {Entity} entity
   */
  constructor(panel, entity) {
    this.#panel = panel;
    this.#entity = entity;
    this.#state = panel.tables.get(entity.name) ?? new TableState(nameField(entity.fields)?.name);
    panel.tables.set(entity.name, this.#state);
  }

  view() {
    const { name } = this.#entity;
    const create = element('a', { class: 'button primary', href: `#/objects/${name}/new` }, icon('add'), element('span', {}, 'New object'));
    const head = viewHead(name, { way: wayTo(), actions: [create] });
    const conditions = new ConditionEditor(this.#entity, this.#state.conditions, (read) => {
      this.#state.conditions = read;
      this.#begin();
    });
    const tools = element('section', { class: 'card stack tools', 'aria-label': 'Which objects' }, this.#search(), conditions.root);
    const footer = element('div', { class: 'table-footer' }, this.#status, this.#turning, this.#exports);
    if (this.#state.pages) this.#again();
    else this.#begin();
    const root = element('div', { class: 'page wide' }, head, entityTabs(name, 'objects'), tools, element('section', { class: 'card table-card', 'aria-label': 'Objects' }, this.#body, footer));
    return { title: name, root, close: () => this.#asking.cancel() };
  }

  #search() {
    const texts = this.#entity.fields.filter(({ type }) => type === 'text').map(({ name }) => ({ value: name, label: `in ${name}` }));
    if (texts.length === 0) return element('p', { class: 'hint' }, 'There is no text to search in: say conditions instead.');
    const input = element('input', { type: 'search', value: this.#state.text, autocomplete: 'off', enterKeyHint: 'search', oninput: () => this.#typed(input.value) });
    const text = labelled('Search', input);
    const field = labelled('Search in', select(texts, this.#state.field ?? texts[0].value, (name) => {
      this.#state.field = name;
      if (this.#state.text) this.#begin();
    }), { isLabelHidden: true });
    this.#state.field ??= texts[0].value;
    return element('div', { class: 'search-line', role: 'search' }, text.root, field.root);
  }

  /** @param {string} text */
  #typed(text) {
    this.#state.text = text.trim();
    this.#begin(TYPING);
  }

  /** The first page of what is asked now. @param {number} [wait] */
  #begin(wait = 0) {
    const { sort } = this.#state;
    const where = this.#state.where(this.#entity);
    const pages = new Pages((cursor, limit) => listObjects(this.#entity.name, { where, sort, cursor, limit }, this.#state.signal), PAGE_SIZE);
    this.#state.pages = pages;
    this.#offerExports(where);
    this.#read(() => pages.load(), wait);
  }

  /** The page that was open before, as it is now. */
  #again() {
    const { pages } = this.#state;
    this.#offerExports(this.#state.where(this.#entity));
    if (pages) this.#read(() => pages.load());
  }

  /** @param {'next' | 'previous'} way */
  #turn(way) {
    const { pages } = this.#state;
    const control = way === 'next' ? this.#next : this.#previous;
    if (pages && !control.hasAttribute('aria-disabled')) this.#read(() => pages[way](), 0, way);
  }

  /**
   * @param {() => Promise<void>} read
   * @param {number} [wait]
   * @param {'next' | 'previous'} [way]
   */
  async #read(read, wait = 0, way) {
    this.#body.setAttribute('aria-busy', 'true');
    for (const control of [this.#previous, this.#next]) control.setAttribute('aria-disabled', 'true');
    setText(this.#status, 'Loading…');
    try {
      const isDone = await this.#asking.ask(async (signal) => {
        this.#state.signal = signal;
        await read();
        return true;
      }, wait);
      if (!isDone) return;
      this.#show();
      if (way) this.#body.querySelector('table')?.closest('div')?.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      this.#failed(/** @type {any} */ (error));
    }
    this.#body.removeAttribute('aria-busy');
  }

  /** @param {{ code?: string, message: string }} error */
  #failed(error) {
    // In an order, a page begins behind an object, which may be deleted by now.
    if (error.code === 'unknownObject') {
      this.#panel.toasts.say('What this page began behind is deleted: here is the first page.');
      this.#begin();
      return;
    }
    setText(this.#status, '');
    for (const part of [this.#turning, this.#exports]) part.hidden = true;
    fill(this.#body, emptyState('table', 'Not loaded', error.message, button('Try again', () => this.#begin(), { class: 'primary' })));
  }

  #show() {
    const { pages } = this.#state;
    if (!pages) return;
    this.#showFooter(pages);
    if (pages.objects.length === 0 && !pages.hasPrevious && !pages.hasNext) {
      this.#panel.announce(this.#state.where(this.#entity).length > 0 ? 'Nothing found.' : 'No objects yet.');
      return fill(this.#body, this.#nothing());
    }
    fill(this.#body, objectTable({
      entity: this.#entity, objects: pages.objects, sort: this.#state.sort,
      label: (name, id) => this.#panel.labels.of(name === undefined ? undefined : this.#panel.entities.named(name), id),
      order: (column) => {
        this.#state.sort = nextSort(this.#state.sort, column);
        this.#focused = column;
        this.#begin();
      },
    }));
    if (this.#focused) /** @type {HTMLElement | null} */ (this.#body.querySelector(`[data-sort="${this.#focused}"]`))?.focus();
    this.#focused = undefined;
  }

  /** The column whose title was pressed: it keeps the focus in the new table. @type {string | undefined} */
  #focused;

  #nothing() {
    const isAsked = this.#state.where(this.#entity).length > 0;
    if (isAsked) return emptyState('search', 'Nothing found', 'No object is as you ask.');
    return emptyState('pin', 'No objects yet', 'Make one by hand, or bring in a file of them.',
      element('a', { class: 'button', href: `#/import/${this.#entity.name}` }, 'Import a file'));
  }

  /** @param {Pages} pages */
  #showFooter({ objects, offset, hasNext, hasPrevious, isPartial }) {
    const isAsked = this.#state.where(this.#entity).length > 0;
    const first = offset + 1;
    const range = objects.length === 0 ? 'None here' : objects.length === 1 ? `Object ${first}` : `Objects ${first} to ${offset + objects.length}`;
    const total = isAsked ? (hasNext ? ', and maybe more' : ` of ${offset + objects.length}`) : ` of ${numberText(this.#entity.count)}`;
    const isNothing = objects.length === 0 && !hasPrevious && !hasNext;
    for (const part of [this.#turning, this.#exports]) part.hidden = isNothing;
    setText(this.#status, isNothing ? '' : isPartial ? `${range}. The server looked at many: go on with Next.` : `${range}${total}.`);
    for (const [control, isOn] of /** @type {[HTMLButtonElement, boolean][]} */ ([[this.#previous, hasPrevious], [this.#next, hasNext]])) {
      // They keep the focus, so they are never really disabled.
      if (isOn) control.removeAttribute('aria-disabled');
      else control.setAttribute('aria-disabled', 'true');
    }
  }

  /** @param {string[]} where */
  #offerExports(where) {
    const what = where.length > 0 ? 'these' : 'all';
    fill(this.#exports, /** @type {const} */ (['csv', 'geojson']).map((format) => element('a', {
      class: 'button small', href: exportAddress(this.#entity.name, format, where), download: '',
    }, icon('export'), element('span', {}, `Export ${what} as ${format === 'csv' ? 'CSV' : 'GeoJSON'}`))));
  }
}
