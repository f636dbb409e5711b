// @ts-check

/** The markers and the tag that lead to the orientation (EXIF 2.3, 4.5.4 and 4.6.4). */
const [START, EXIF, SCAN] = [0xffd8, 0xffe1, 0xffda];
const ORIENTATION = 0x0112;
const UPRIGHT = 1;

/**
 * How a JPEG's pixels are to be turned and mirrored, from 1, which is not at all, to 8. Its bytes are of a file that anybody may have
 * made: whatever doesn't lie inside of it counts as not there.
 * @param {ArrayBuffer} bytes
 * @returns {number}
 */
export function jpegOrientation(bytes) {
  const view = new DataView(bytes);
  try {
    return view.getUint16(0) === START ? orientationIn(view) : UPRIGHT;
  } catch {
    return UPRIGHT;
  }
}

/** @param {DataView} view */
function orientationIn(view) {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker >> 8 !== 0xff || marker === SCAN) return UPRIGHT;
    if (marker === EXIF && view.getUint32(at + 4) === 0x45786966) return orientationInDirectory(view, at + 10);
  }
}

/**
 * @param {DataView} view
 * @param {number} start of the TIFF block
 */
function orientationInDirectory(view, start) {
  const isLittle = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, isLittle);
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + 12 * index;
    if (view.getUint16(entry, isLittle) === ORIENTATION) return view.getUint16(entry + 8, isLittle);
  }
  return UPRIGHT;
}
