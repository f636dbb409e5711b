// @ts-check

/**
 * An action that runs at once and then at most so often, however often it is asked for; the last time it is asked for,
 * it runs.
 * @param {number} milliseconds
 * @param {() => void} action
 * @returns {{ run: () => void, cancel: () => void }}
 */
export function throttle(milliseconds, action) {
  let last = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const now = () => {
    timer = undefined;
    last = performance.now();
    action();
  };
  const run = () => {
    const wait = last + milliseconds - performance.now();
    if (wait <= 0 && timer === undefined) now();
    else timer ??= setTimeout(now, wait);
  };
  return { run, cancel: () => clearTimeout(timer) };
}
