// @ts-check
import { rest } from '../../app/rest/rest.js';

/** @typedef {import('../control.d.ts').Entity} Entity */

/** The kinds of objects there are, as the server said last. */
export class Entities {
  /** @type {Entity[]} */
  all = [];

  async load() {
    this.all = (await rest('GET', '/entities')).entities;
  }

  /** @param {string} name */
  named(name) {
    return this.all.find((entity) => entity.name === name);
  }

  /**
   * @param {object} definition
   * @returns {Promise<Entity>}
   */
  async create(definition) {
    return (await rest('POST', '/entities', definition)).entity;
  }

  /**
   * @param {string} name
   * @param {object} definition
   * @returns {Promise<Entity>}
   */
  async change(name, definition) {
    return (await rest('PATCH', `/entities/${name}`, definition)).entity;
  }

  /** @param {string} name */
  async delete(name) {
    await rest('DELETE', `/entities/${name}`);
  }
}
