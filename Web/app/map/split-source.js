// @ts-check
import { keyedChanges } from './keyed-changes.js';

/** How many features the fresh part holds before they are joined to the old one. */
const FRESH_AT_MOST = 500;

/**
 * A map's features by key, where most stay as they are. MapLibre prepares all of a source anew at each change of it, so
 * what changed lately has a small source of its own, and thousands of old features are handed over once.
 * @template {{ key: string }} Item
 */
export class SplitSource {
  /** @type {Map<string, Item>} */
  items = new Map();

  /** @type {Set<string>} */
  #fresh = new Set();
  #rules;

  /**
   * @param {object} rules
   * @param {(a: Item, b: Item) => boolean} rules.isSame
   * @param {(item: Item) => any} rules.feature
   */
  constructor(rules) {
    this.#rules = rules;
  }

  /**
   * One part as a whole.
   * @param {'old' | 'fresh'} part
   */
  collection(part) {
    const items = [...this.items.values()].filter(({ key }) => this.#fresh.has(key) === (part === 'fresh'));
    return { type: 'FeatureCollection', features: items.map(this.#rules.feature) };
  }

  /**
   * @param {Map<string, Item>} wanted
   * @param {maplibregl.GeoJSONSource | undefined} old
   * @param {maplibregl.GeoJSONSource | undefined} fresh
   * @returns {{ added: Item[], changed: Item[], removed: Item[] }}
   */
  apply(wanted, old, fresh) {
    const before = this.items;
    const { added, changed, removed } = keyedChanges(before, wanted, this.#rules.isSame);
    const changes = { added, changed, removed: removed.flatMap((key) => before.get(key) ?? []) };
    this.items = new Map(wanted);
    if (added.length + changed.length + removed.length === 0) return changes;
    if (added.length > FRESH_AT_MOST || before.size === 0) return this.#replace([], old, fresh, changes);
    const isOldTouched = [...removed, ...changed.map(({ key }) => key)].some((key) => !this.#fresh.has(key));
    if (this.#fresh.size + added.length > FRESH_AT_MOST) return this.#replace(changed, old, fresh, changes);
    this.#update({ added, changed, removed }, fresh);
    if (isOldTouched) old?.setData(this.collection('old'));
    return changes;
  }

  /**
   * Everything is old from now on but for some.
   * @param {Item[]} stillFresh
   * @param {maplibregl.GeoJSONSource | undefined} old
   * @param {maplibregl.GeoJSONSource | undefined} fresh
   * @param {{ added: Item[], changed: Item[], removed: Item[] }} changes
   */
  #replace(stillFresh, old, fresh, changes) {
    this.#fresh = new Set(stillFresh.map(({ key }) => key));
    old?.setData(this.collection('old'));
    fresh?.setData(this.collection('fresh'));
    return changes;
  }

  /**
   * @param {{ added: Item[], changed: Item[], removed: string[] }} changes
   * @param {maplibregl.GeoJSONSource | undefined} source
   */
  #update({ added, changed, removed }, source) {
    const { feature } = this.#rules;
    const moved = changed.filter(({ key }) => !this.#fresh.has(key));
    const known = changed.filter(({ key }) => this.#fresh.has(key));
    const gone = removed.filter((key) => this.#fresh.delete(key));
    for (const { key } of [...added, ...moved]) this.#fresh.add(key);
    const update = known.map((item) => {
      const { geometry, properties } = feature(item);
      return { id: item.key, newGeometry: geometry, addOrUpdateProperties: Object.entries(properties).map(([key, value]) => ({ key, value })) };
    });
    // MapLibre loses features of one update that removes all and adds many.
    if (gone.length > 0) source?.setData(this.collection('fresh'));
    else source?.updateData({ add: [...added, ...moved].map(feature), update, remove: [] });
  }
}
