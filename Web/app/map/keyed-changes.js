// @ts-check

/**
 * What has to be done to turn one keyed set into another, so that what stays keeps its identity: a pin that moves is
 * the same pin, and stays selected. What is the same isn't named.
 *
 * With `isMoved`, what differs by its place alone is told apart from what looks different too.
 * @template T
 * @param {Map<string, T>} before
 * @param {Map<string, T>} after
 * @param {(a: T, b: T) => boolean} isSame
 * @param {(a: T, b: T) => boolean} [isMoved] of two that aren't the same
 * @returns {{ added: T[], moved: T[], changed: T[], removed: string[] }}
 */
export function keyedChanges(before, after, isSame, isMoved = () => false) {
  /** @type {T[]} */
  const added = [];
  /** @type {T[]} */
  const moved = [];
  /** @type {T[]} */
  const changed = [];
  for (const [key, value] of after) {
    const old = before.get(key);
    if (old === undefined) added.push(value);
    else if (!isSame(old, value)) (isMoved(old, value) ? moved : changed).push(value);
  }
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return { added, moved, changed, removed };
}
