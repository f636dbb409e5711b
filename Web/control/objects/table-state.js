// @ts-check
import { conditionFields, conditionText } from './conditions.js';

/** @typedef {import('../control.d.ts').Condition} Condition */
/** @typedef {import('../control.d.ts').Entity} Entity */

/** What a table was asked: kept, so that who comes back from an object finds it as it was. */
export class TableState {
  /** The text searched for. */
  text = '';
  /** The field it is searched in. */
  field;
  /** @type {Condition[]} */
  conditions = [];
  /** @type {string | undefined} */
  sort;
  /** @type {import('./pages.js').Pages | undefined} */
  pages;
  /** Calls off what is asked now. @type {AbortSignal | undefined} */
  signal;

  /** @param {string | undefined} field */
  constructor(field) {
    this.field = field;
  }

  /** Many objects have come or gone: begin again with the first. */
  forgetPages() {
    this.pages = undefined;
  }

  /**
   * All of it as the wire has it.
   * @param {Entity} entity
   * @returns {string[]}
   */
  where(entity) {
    const fields = conditionFields(entity);
    const searched = this.text && this.field ? [{ field: this.field, operator: '~', value: this.text }] : [];
    return [...searched, ...this.conditions].flatMap((condition) => {
      const field = fields.find(({ name }) => name === condition.field);
      return (field && conditionText(field, condition).text) ?? [];
    });
  }
}
