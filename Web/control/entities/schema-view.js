// @ts-check
import { button, whileBusy } from '../../app/page/controls.js';
import { element, keyed } from '../../app/page/dom.js';
import { entityTabs, viewHead, wayTo } from '../panel/headings.js';
import { labelled, notice, select } from '../panel/inputs.js';
import { deletionDialog } from './deletion-dialog.js';
import { fieldEditor } from './field-editor.js';
import {
  READERS, definitionOf, draftOf, fieldRefused, isSameDraft, problemsOf, withField, withFieldChanged, withFieldMoved, withoutField,
} from './schema.js';

/** @typedef {import('../control.d.ts').Draft} Draft */
/** @typedef {import('../control.d.ts').Entity} Entity */

/**
 * Makes an entity, or changes what its objects hold.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @param {Entity} [entity]
 * @returns {import('../control.d.ts').View}
 */
export function schemaView(panel, entity) {
  return new SchemaEditor(panel, entity).view();
}

class SchemaEditor {
  #panel;
  #entity;
  #draft;
  #before;
  #name;
  #notice = notice();
  #list = element('ol', { class: 'fields', 'aria-label': 'Fields' });
  #submit = element('button', { class: 'primary' });

  /**
   * @param {import('../panel/control-panel.js').ControlPanel} panel
   * @param {Entity} [entity]
   */
  constructor(panel, entity) {
    this.#panel = panel;
    this.#entity = entity;
    this.#draft = draftOf(entity);
    // A new entity begins with what nearly all have.
    if (!entity) this.#draft = withFieldChanged(withField(this.#draft), '0', { name: 'name', required: true });
    this.#before = this.#draft;
    this.#submit.textContent = entity ? 'Save the schema' : 'Create the entity';
    this.#name = labelled('Name', element('input', {
      type: 'text', value: this.#draft.name, readOnly: entity !== undefined, autocomplete: 'off', autocapitalize: 'none', spellcheck: false,
      oninput: () => { this.#draft = { ...this.#draft, name: this.#name.input.value.trim() }; },
    }), { isRequired: !entity, hint: entity ? 'The name of an entity never changes.' : 'As in an address: a letter, then letters, digits, _ and -.' });
  }

  view() {
    const entity = this.#entity;
    const head = entity ? [viewHead(`${entity.name}: schema`, { way: wayTo(entity.name) }), entityTabs(entity.name, 'schema')]
      : [viewHead('New entity', { way: wayTo() })];
    const readers = labelled('Who reads its objects', select(READERS, this.#draft.readers, (value) => {
      this.#draft = { ...this.#draft, readers: /** @type {Draft['readers']} */ (value) };
    }), { hint: 'Only operators write.' });
    const form = element('form', { class: 'stack narrow', noValidate: true },
      element('section', { class: 'card stack' }, this.#name.root, readers.root),
      element('section', { class: 'card stack', 'aria-labelledby': 'fields-title' }, element('h2', { id: 'fields-title' }, 'Fields'),
        this.#hint(), this.#list, button('Add a field', () => this.#add(), { icon: 'add' })),
      this.#notice.root,
      element('div', { class: 'footer actions' }, element('a', { class: 'button', href: entity ? `#/objects/${entity.name}` : '#/' }, 'Cancel'), this.#submit));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    });
    this.#update();
    const root = element('div', { class: entity ? 'page wide' : 'page' }, head, form, entity && this.#danger(entity));
    return { title: entity ? `${entity.name}: schema` : 'New entity', root, isChanged: () => !isSameDraft(this.#draft, this.#before) };
  }

  #hint() {
    const isUsed = (this.#entity?.count ?? 0) > 0;
    return element('p', { class: 'hint' }, isUsed
      ? 'There are objects: fields may be added and moved, and needn’t stay required. What they have can’t be renamed, removed or get another type.'
      : 'Forms show them in this order.');
  }

  #update() {
    const hasObjects = (this.#entity?.count ?? 0) > 0;
    const { fields } = this.#draft;
    keyed(this.#list, fields, ({ key }) => key, (field) => fieldEditor(field, {
      hasObjects, targets: () => this.#targets(),
      change: (changes) => { this.#draft = withFieldChanged(this.#draft, field.key, changes); },
      move: (places) => this.#move(field.key, places),
      remove: () => this.#remove(field.key),
    }));
    fields.forEach((field, index) => this.#editor(field.key).place(index, fields.length));
  }

  /** What a reference may lead to: the others, and itself. */
  #targets() {
    const names = this.#panel.entities.all.map(({ name }) => name);
    const own = this.#draft.name;
    return own && !names.includes(own) ? [...names, own] : names;
  }

  /**
   * @param {string} key
   * @returns {import('./field-editor.js').FieldEditor}
   */
  #editor(key) {
    return /** @type {any} */ (this.#list.querySelector(`[data-key="${key}"]`));
  }

  #add() {
    this.#draft = withField(this.#draft);
    this.#update();
    this.#editor(this.#draft.fields[this.#draft.fields.length - 1].key).focusName();
  }

  /**
   * @param {string} key
   * @param {number} places
   */
  #move(key, places) {
    this.#draft = withFieldMoved(this.#draft, key, places);
    this.#update();
    this.#editor(key).focusMove(places);
    const index = this.#draft.fields.findIndex((field) => field.key === key);
    this.#panel.announce(`${this.#draft.fields[index].name || 'The field'} is now number ${index + 1} of ${this.#draft.fields.length}.`);
  }

  /** @param {string} key */
  #remove(key) {
    const index = this.#draft.fields.findIndex((field) => field.key === key);
    this.#draft = withoutField(this.#draft, key);
    this.#update();
    const next = this.#draft.fields[Math.min(index, this.#draft.fields.length - 1)];
    if (next) this.#editor(next.key).focusName();
    else /** @type {HTMLElement | null} */ (this.#list.parentElement?.querySelector('button'))?.focus();
    this.#panel.announce('The field is removed.');
  }

  /** Says beside each field what is wrong with it. @returns {boolean} whether nothing is */
  #check() {
    const others = this.#entity ? [] : this.#panel.entities.all.map(({ name }) => name);
    const problems = problemsOf(this.#draft, others);
    this.#name.refuse(problems.name);
    for (const { key } of this.#draft.fields) this.#editor(key).refuse(problems.fields.get(key));
    this.#notice.say(problems.whole);
    if (problems.name) this.#name.input.focus();
    else for (const key of [...problems.fields.keys()].slice(0, 1)) this.#editor(key).focusProblem();
    return !problems.name && !problems.whole && problems.fields.size === 0;
  }

  async #save() {
    if (!this.#check()) return;
    const entity = this.#entity;
    try {
      await whileBusy(this.#submit, async () => {
        const definition = definitionOf(this.#draft);
        const saved = entity ? await this.#panel.entities.change(entity.name, definition) : await this.#panel.entities.create(definition);
        this.#panel.settle();
        this.#panel.tables.delete(saved.name);
        this.#panel.toasts.say(entity ? 'The schema is saved.' : `${saved.name} is created.`);
        this.#panel.router.go('objects', saved.name);
      });
    } catch (error) {
      this.#refused(/** @type {any} */ (error));
    }
  }

  /** @param {{ code: string, message: string }} refusal */
  #refused(refusal) {
    const field = fieldRefused(this.#draft, refusal);
    if (field) {
      this.#editor(field.key).refuse(refusal.message);
      this.#editor(field.key).focusProblem();
    } else if (refusal.code === 'entityExists') {
      this.#name.refuse(refusal.message);
      this.#name.input.focus();
    } else {
      this.#notice.say(refusal.message);
    }
  }

  /** @param {Entity} entity */
  #danger(entity) {
    return element('section', { class: 'card stack narrow danger-zone' }, element('h2', {}, 'Delete this entity'),
      element('p', { class: 'hint' }, 'It goes with all its objects, for everybody who sees them on a map.'),
      element('div', { class: 'actions wrap' }, button('Delete…', () => deletionDialog(entity, async () => {
        await this.#panel.entities.delete(entity.name);
        this.#panel.settle();
        this.#panel.tables.delete(entity.name);
        this.#panel.toasts.say(`${entity.name} is deleted.`);
        this.#panel.router.go();
      }), { icon: 'remove', class: 'danger' })));
  }
}
