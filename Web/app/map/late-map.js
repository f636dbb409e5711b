// @ts-check

/** @typedef {import('./map.js').PeopleMap} PeopleMap */

/**
 * A map that is there before its library is. Of each method the last call is kept and made again when the map has come, in
 * the order in which the methods were called first, but the padding before all others: so what is shown is there before the map is
 * moved to it, and no move is cut short by a change of the padding. Until then it shows nothing and answers `undefined`.
 * @param {Promise<PeopleMap>} making
 * @returns {PeopleMap}
 */
export function lateMap(making) {
  /** @type {any} */
  let map;
  /** @type {Map<string, unknown[]>} */
  const calls = new Map();
  making.then((made) => {
    map = made;
    const padding = calls.get('setPadding');
    if (padding) map.setPadding(...padding);
    calls.delete('setPadding');
    for (const [name, values] of calls) map[name](...values);
  });
  const keep = (/** @type {string} */ name) => (/** @type {unknown[]} */ ...values) => {
    calls.set(name, values);
  };
  return new Proxy(/** @type {any} */ ({}), {
    get: (_, /** @type {string} */ name) => {
      const found = map?.[name];
      if (map) return typeof found === 'function' ? found.bind(map) : found;
      return name === 'isText' ? false : keep(name);
    },
  });
}
