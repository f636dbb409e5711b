// @ts-check

/** Where the library is, from a module or from the bundle: both lie two folders below the assets. */
const FILES = { script: '../../vendor/maplibre-gl.js', style: '../../vendor/maplibre-gl.css' };

/**
 * Loads the map library while the page is used already: nothing waits for it but the map.
 * @returns {Promise<typeof maplibregl | undefined>} `undefined` where this server doesn't have it
 */
export async function mapLibrary() {
  if (!window.maplibregl) await Promise.allSettled([loaded(script()), loaded(style())]);
  return window.maplibregl;
}

function script() {
  const made = document.createElement('script');
  made.src = new URL(FILES.script, import.meta.url).href;
  return made;
}

function style() {
  const made = document.createElement('link');
  made.rel = 'stylesheet';
  made.href = new URL(FILES.style, import.meta.url).href;
  return made;
}

/**
 * @param {HTMLElement} made
 * @returns {Promise<void>}
 */
function loaded(made) {
  return new Promise((resolve, reject) => {
    made.onload = () => resolve();
    made.onerror = () => reject(new Error('It isn’t there.'));
    // Before the page's own style sheets, which override the library's.
    document.head.prepend(made);
  });
}
