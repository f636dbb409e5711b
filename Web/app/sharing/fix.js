// @ts-check
/** @typedef {import('../wire.d.ts').Fix} Fix */

/**
 * A browser's position as it is sent: six decimals, and only what the device said.
 * @param {GeolocationPosition} position
 * @returns {Fix}
 */
export function fixFrom({ coords, timestamp }) {
  /** @type {Fix} */
  const fix = { latitude: sixDecimals(coords.latitude), longitude: sixDecimals(coords.longitude), time: Math.round(timestamp) };
  if (isNumber(coords.accuracy)) fix.accuracy = tenths(coords.accuracy);
  if (isNumber(coords.altitude)) fix.altitude = tenths(coords.altitude);
  if (isNumber(coords.altitudeAccuracy)) fix.altitudeAccuracy = tenths(coords.altitudeAccuracy);
  if (isNumber(coords.heading)) fix.course = tenths(coords.heading);
  if (isNumber(coords.speed)) fix.speed = tenths(coords.speed);
  return fix;
}

/** @param {number} degrees */
function sixDecimals(degrees) {
  const text = degrees.toFixed(6);
  return text === '-0.000000' ? '0.000000' : text;
}

/** @param {number} value */
function tenths(value) {
  return Math.round(value * 10) / 10;
}

/**
 * @param {number | null | undefined} value
 * @returns {value is number}
 */
function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value) && value >= -20_000;
}

/**
 * The `data` of a location message.
 * @param {Fix} fix
 */
export function locationData(fix) {
  const { latitude, longitude, time, accuracy, altitude, altitudeAccuracy, course, speed } = fix;
  return {
    latitude, longitude,
    ...(accuracy === undefined ? {} : { horizontalAccuracy: accuracy }),
    ...(altitude === undefined ? {} : { altitude }),
    ...(altitudeAccuracy === undefined ? {} : { verticalAccuracy: altitudeAccuracy }),
    ...(course === undefined ? {} : { course }),
    ...(speed === undefined ? {} : { speed }),
    timestamp: time,
  };
}

/**
 * What a heartbeat says of the newest fix, which is no message.
 * @param {Fix} fix
 */
export function heartbeatFix({ latitude, longitude, time, accuracy }) {
  return { time, latitude: Number(latitude), longitude: Number(longitude), ...(accuracy === undefined ? {} : { accuracy }) };
}
