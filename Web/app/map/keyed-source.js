// @ts-check
import { keyedChanges } from './keyed-changes.js';

/**
 * A map's source of features by key. Told what should be there, it changes only what differs.
 * @template {{ key: string }} Item
 */
export class KeyedSource {
  /** @type {Map<string, Item>} */
  items = new Map();

  #rules;

  /**
   * @param {object} rules
   * @param {(a: Item, b: Item) => boolean} rules.isSame
   * @param {(item: Item) => any} rules.feature
   */
  constructor(rules) {
    this.#rules = rules;
  }

  /** Everything, for a source that is new. */
  collection() {
    return { type: 'FeatureCollection', features: [...this.items.values()].map(this.#rules.feature) };
  }

  /**
   * @param {Map<string, Item>} wanted
   * @param {maplibregl.GeoJSONSource | undefined} source
   * @returns {{ added: Item[], changed: Item[], removed: Item[] }}
   */
  apply(wanted, source) {
    const before = this.items;
    const { added, changed, removed } = keyedChanges(before, wanted, this.#rules.isSame);
    this.items = new Map(wanted);
    const gone = removed.flatMap((key) => before.get(key) ?? []);
    if (added.length + changed.length + removed.length === 0) return { added, changed, removed: gone };
    // MapLibre 5.24 loses features of one update that removes all and adds many, so then the whole is replaced.
    const isNew = removed.length === before.size;
    if (isNew) source?.setData(this.collection());
    else source?.updateData({ add: added.map(this.#rules.feature), update: changed.map((item) => this.#update(item)), remove: removed });
    return { added, changed, removed: gone };
  }

  /**
   * Draws some again that look different now.
   * @param {(string | undefined)[]} keys
   * @param {maplibregl.GeoJSONSource | undefined} source
   */
  redraw(keys, source) {
    const items = keys.flatMap((key) => (key === undefined ? [] : this.items.get(key) ?? []));
    if (items.length > 0) source?.updateData({ update: items.map((item) => this.#update(item)) });
  }

  /** @param {Item} item */
  #update(item) {
    const { geometry, properties } = this.#rules.feature(item);
    const addOrUpdateProperties = Object.entries(properties).map(([key, value]) => ({ key, value }));
    return { id: item.key, newGeometry: geometry, addOrUpdateProperties };
  }
}
