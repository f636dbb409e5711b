// @ts-check

/**
 * What has to be done to turn one keyed set into another, so that what stays keeps its identity: a pin that moves is
 * the same pin, and stays selected.
 * @template T
 * @param {Map<string, T>} before
 * @param {Map<string, T>} after
 * @param {(a: T, b: T) => boolean} isSame
 * @returns {{ added: T[], changed: T[], removed: string[] }}
 */
export function keyedChanges(before, after, isSame) {
  /** @type {T[]} */
  const added = [];
  /** @type {T[]} */
  const changed = [];
  for (const [key, value] of after) {
    const old = before.get(key);
    if (old === undefined) added.push(value);
    else if (!isSame(old, value)) changed.push(value);
  }
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return { added, changed, removed };
}
