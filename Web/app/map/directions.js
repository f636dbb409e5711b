// @ts-check

const METERS_A_DEGREE = 111_320;

/**
 * An address that hands a place over to the device's maps: `geo:` where the system asks which program to use, else
 * OpenStreetMap's page.
 * @param {{ latitude: number, longitude: number }} place
 */
export function directionsLink({ latitude, longitude }) {
  const place = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const { userAgent } = navigator;
  if (/Android/u.test(userAgent)) return `geo:${place}?q=${place}`;
  if (/iPhone|iPad|Macintosh/u.test(userAgent)) return `https://maps.apple.com/?daddr=${place}`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(place)}`;
}

/**
 * About how far two places are apart, for distances that are read.
 * @param {{ latitude: number, longitude: number }} a
 * @param {{ latitude: number, longitude: number }} b
 */
export function metersBetween(a, b) {
  const middle = (((a.latitude + b.latitude) / 2) * Math.PI) / 180;
  const turn = Math.abs(a.longitude - b.longitude);
  return Math.hypot(Math.min(turn, 360 - turn) * Math.cos(middle), a.latitude - b.latitude) * METERS_A_DEGREE;
}
