// @ts-check
/** @typedef {import('../wire.d.ts').Fix} Fix */

/** How much older than it was asked for a position may be when the page is called, in milliseconds. */
const LATE_AT_MOST = 5_000;

/**
 * When a position was found, by the server's clock. The browser's time is the device's, which is moved by the offset, where the position
 * is as new by the device's clock as it was asked for. One that is as new by the server's clock alone has that time already.
 * @param {number} time as the browser said it
 * @param {{ offset: number, maximumAge: number, now?: number }} clock how far the server's clock is ahead, the greatest age that was asked
 *   for, and the device's time, in milliseconds
 */
export function serverTime(time, { offset, maximumAge, now = Date.now() }) {
  // Browsers round a position's time to milliseconds.
  const isNew = (/** @type {number} */ age) => age >= -1 && age <= maximumAge + LATE_AT_MOST;
  return !isNew(now - time) && isNew(now + offset - time) ? time : time + offset;
}

/**
 * A browser's position in the form that is sent. It has six decimals, the server's time, and no value that the device didn't give.
 * @param {GeolocationPosition} position
 * @param {{ offset: number, maximumAge: number, now?: number }} clock as of {@link serverTime}
 * @returns {Fix}
 */
export function fixFrom({ coords, timestamp }, clock) {
  /** @type {Fix} */
  const fix = { latitude: sixDecimals(coords.latitude), longitude: sixDecimals(coords.longitude), time: Math.round(serverTime(timestamp, clock)) };
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
