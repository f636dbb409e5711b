// @ts-check
import { rest } from '../../app/rest/rest.js';
import { objectName } from './cells.js';

/** @typedef {import('../control.d.ts').Entity} Entity */

/** How many names are asked for at once. */
const AT_ONCE = 4;

/** What the objects are called that others refer to. Asked for once each, a few at a time. */
export class Labels {
  /** @type {Map<string, Promise<string>>} */
  #known = new Map();
  /** @type {(() => void)[]} */
  #waiting = [];
  #running = 0;

  /**
   * @param {Entity | undefined} entity
   * @param {string} id
   * @returns {Promise<string>} the id if nothing else is to be had
   */
  of(entity, id) {
    if (!entity) return Promise.resolve(id);
    const key = `${entity.name}/${id}`;
    const label = this.#known.get(key) ?? this.#ask(entity, id);
    this.#known.set(key, label);
    return label;
  }

  /**
   * An object has changed or is gone: ask again.
   * @param {string} entity
   * @param {string} id
   */
  forget(entity, id) {
    this.#known.delete(`${entity}/${id}`);
  }

  /**
   * @param {Entity} entity
   * @param {string} id
   */
  async #ask({ name, fields }, id) {
    if (this.#running >= AT_ONCE) await new Promise((resolve) => { this.#waiting.push(() => resolve(undefined)); });
    this.#running += 1;
    try {
      return objectName(fields, (await rest('GET', `/objects/${name}/${id}`)).object);
    } catch {
      this.forget(name, id);
      return id;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
