// @ts-check

/**
 * The smallest box around places, which may cross the antimeridian: then east is above 180.
 * @param {{ latitude: number, longitude: number }[]} places
 * @returns {{ west: number, south: number, east: number, north: number } | undefined} `undefined` without any
 */
export function extentOf(places) {
  if (places.length === 0) return undefined;
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude).sort((a, b) => a - b);
  const { west, east } = outsideWidestGap(longitudes);
  return { west, south: Math.min(...latitudes), east, north: Math.max(...latitudes) };
}

/**
 * What is left of the circle without its widest part where nobody is.
 * @param {number[]} sorted
 */
function outsideWidestGap(sorted) {
  let widest = sorted[0] + 360 - sorted[sorted.length - 1];
  let extent = { west: sorted[0], east: sorted[sorted.length - 1] };
  for (let index = 1; index < sorted.length; index += 1) {
    const gap = sorted[index] - sorted[index - 1];
    if (gap <= widest) continue;
    widest = gap;
    extent = { west: sorted[index], east: sorted[index - 1] + 360 };
  }
  return extent;
}
