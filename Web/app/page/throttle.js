// @ts-check

/**
 * An action that runs at once and then at most so often, however often it is asked for; the last time it is asked for,
 * it runs. What waits is dropped by `cancel`, after which it can be asked for again.
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
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { run, cancel };
}
