// @ts-check
import { button, confirmed, whileBusy } from '../../app/page/controls.js';
import { element } from '../../app/page/dom.js';
import { viewHead, wayTo } from '../panel/headings.js';
import { notice } from '../panel/inputs.js';
import { beginsWith } from '../entities/schema.js';
import { objectName } from './cells.js';
import { dateText } from './dates.js';
import { fieldControl } from './field-control.js';
import { changeObject, createObject, deleteObject, readObject } from './objects.js';

/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').FieldControl} FieldControl */
/** @typedef {import('../control.d.ts').StoredObject} StoredObject */
/** @typedef {import('../panel/control-panel.js').ControlPanel} ControlPanel */

/**
 * A form that fits an entity, for one object or a new one.
 * @param {ControlPanel} panel
 * @param {Entity} entity
 * @param {string} id or `new`
 * @returns {Promise<import('../control.d.ts').View>}
 */
export async function objectView(panel, entity, id) {
  if (id === 'new') return new ObjectForm(panel, entity).view();
  const { object, raw } = await readObject(entity.name, id);
  return new ObjectForm(panel, entity, object, raw).view();
}

class ObjectForm {
  #panel;
  #entity;
  #object;
  /** @type {Map<string, FieldControl>} */
  #controls = new Map();
  #notice = notice();
  #submit = element('button', { class: 'primary' }, 'Save');

  /**
   * @param {ControlPanel} panel
   * @param {Entity} entity
   * @param {StoredObject} [object]
   * @param {Map<string, string>} [raw] its fields as they are written
   */
  constructor(panel, entity, object, raw) {
    this.#panel = panel;
    this.#entity = entity;
    this.#object = object;
    for (const field of entity.fields) {
      this.#controls.set(field.name, fieldControl(panel, field, object?.fields[field.name], raw?.get(field.name)));
    }
  }

  /** @returns {import('../control.d.ts').View} */
  view() {
    const { name, fields } = this.#entity;
    const object = this.#object;
    const title = object ? objectName(fields, object) : `New object in ${name}`;
    const legend = fields.some(({ required }) => required) && element('p', { class: 'hint' }, 'What has a star * is required.');
    const form = element('form', { class: 'stack', noValidate: true },
      element('section', { class: 'card stack object-fields', 'aria-label': 'Fields' }, legend, [...this.#controls.values()].map(({ root }) => root)),
      this.#notice.root,
      element('div', { class: 'footer actions' }, element('a', { class: 'button', href: `#/objects/${name}` }, 'Cancel'), this.#submit));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    });
    const head = viewHead(title, { way: wayTo(name), actions: object ? [button('Delete', () => this.#delete(object), { icon: 'remove' })] : [] });
    const about = object && element('p', { class: 'hint about' }, `Id ${object.id} · made ${dateText(object.created)} · changed ${dateText(object.updated)}`);
    return {
      title, root: element('div', { class: 'page' }, head, about, form),
      isChanged: () => [...this.#controls.values()].some((control) => control.isChanged()),
      close: () => { for (const control of this.#controls.values()) control.close?.(); },
    };
  }

  /** What is to be sent: JSON of the fields that differ; nothing if something is wrong, which is said beside it. */
  #read() {
    /** @type {string[]} */
    const members = [];
    /** @type {FieldControl | undefined} */
    let wrong;
    for (const { name, required } of this.#entity.fields) {
      const control = /** @type {FieldControl} */ (this.#controls.get(name));
      const isKept = this.#object?.fields[name] !== undefined && !control.isChanged();
      const { json, empty, problem } = isKept ? { empty: false } : control.read();
      const said = problem ?? (empty && required ? `${name} is required.` : '');
      control.refuse(said);
      if (said) wrong ??= control;
      if (json !== undefined && control.isChanged()) members.push(`${JSON.stringify(name)}:${json}`);
      if (empty && this.#object?.fields[name] !== undefined) members.push(`${JSON.stringify(name)}:null`);
    }
    wrong?.focus();
    return wrong ? undefined : `{${members.join(',')}}`;
  }

  async #save() {
    this.#notice.say();
    const fields = this.#read();
    if (fields === undefined) return;
    const { name } = this.#entity;
    try {
      await whileBusy(this.#submit, async () => {
        const object = this.#object;
        const saved = object ? await changeObject(name, object, fields) : await createObject(name, fields);
        this.#panel.labels.forget(name, saved.object.id);
        this.#leave(object ? 'Saved.' : 'Created.');
      });
    } catch (error) {
      this.#refused(/** @type {any} */ (error));
    }
  }

  /** @param {string} words */
  #leave(words) {
    this.#panel.settle();
    this.#panel.toasts.say(words);
    this.#panel.router.go('objects', this.#entity.name);
  }

  /** @param {{ code?: string, message: string }} refusal */
  #refused({ code, message }) {
    if (code === 'objectChanged') {
      this.#notice.say('Somebody has changed this object since you opened it. Nothing of yours is saved yet. Reload it to see theirs; what you changed here is lost then.',
        button('Reload it', () => this.#panel.reopen(), { class: 'primary' }));
      this.#notice.root.querySelector('button')?.focus();
      return;
    }
    const control = this.#concerned(message);
    if (!control) {
      this.#notice.say(message);
      return;
    }
    control.refuse(message);
    control.focus();
  }

  /**
   * The control that a refusal is about.
   * @param {string} message
   */
  #concerned(message) {
    const isPlace = /^(latitude|longitude|altitude|address)\b/.test(message);
    const field = this.#entity.fields.find(({ name }) => beginsWith(message, name)) ?? this.#entity.fields.find(({ type }) => isPlace && type === 'location');
    return field && this.#controls.get(field.name);
  }

  /** @param {StoredObject} object */
  async #delete(object) {
    const name = objectName(this.#entity.fields, object);
    if (!await confirmed(`Delete “${name}”?`, 'It is gone for everybody, at once.', 'Delete')) return;
    try {
      await deleteObject(this.#entity.name, object);
      this.#panel.labels.forget(this.#entity.name, object.id);
      this.#leave('Deleted.');
    } catch (error) {
      this.#refused(/** @type {any} */ (error));
    }
  }
}
