// @ts-check

/**
 * Coordinates for people: *59.91390° N, 10.75220° E*.
 * @param {{ latitude: number, longitude: number }} place
 */
export function placeText({ latitude, longitude }) {
  const north = latitude >= 0 ? 'N' : 'S';
  const east = longitude >= 0 ? 'E' : 'W';
  return `${Math.abs(latitude).toFixed(5)}° ${north}, ${Math.abs(longitude).toFixed(5)}° ${east}`;
}
