import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendPhoto } from '../../Web/app/images/image-upload.js';
import { jpegOrientation } from '../../Web/app/images/jpeg-orientation.js';

/** A JPEG's first bytes, with a block that says how it is turned. */
function jpeg(orientation, isLittle = true) {
  const bytes = new DataView(new ArrayBuffer(64));
  bytes.setUint16(0, 0xffd8);
  bytes.setUint16(2, 0xffe0);
  bytes.setUint16(4, 4);
  bytes.setUint16(8, 0xffe1);
  bytes.setUint16(10, 40);
  bytes.setUint32(12, 0x45786966);
  bytes.setUint16(18, isLittle ? 0x4949 : 0x4d4d);
  bytes.setUint32(22, 8, isLittle);
  bytes.setUint16(26, 1, isLittle);
  bytes.setUint16(28, 0x0112, isLittle);
  bytes.setUint16(36, orientation, isLittle);
  return bytes.buffer;
}

test('a JPEG says how it is turned, in both orders of bytes, and is upright where it says nothing', () => {
  assert.deepEqual([jpegOrientation(jpeg(6)), jpegOrientation(jpeg(8, false)), jpegOrientation(jpeg(1))], [6, 8, 1]);
  assert.equal(jpegOrientation(new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 2]).buffer), 1);
  for (let length = 0; length < 40; length += 1) assert.ok([1, 6].includes(jpegOrientation(jpeg(6).slice(0, length))));
});

/** A browser that gives one color for whatever was drawn, and a server that keeps what it is sent. */
function hardened(context) {
  const sent = [];
  globalThis.OffscreenCanvas = class {
    getContext() {
      return { fillRect() {}, drawImage() {}, getImageData: () => ({ data: new Uint8ClampedArray(8).fill(97) }) };
    }

    async convertToBlob() {
      return new Blob(['brown']);
    }
  };
  globalThis.createImageBitmap = async () => ({ width: 4, height: 3, close() {} });
  context.mock.method(globalThis, 'fetch', async (_, { body }) => {
    sent.push(body);
    return Response.json({ image: 'i', width: 4, height: 3 });
  });
  context.after(() => {
    delete globalThis.OffscreenCanvas;
    delete globalThis.createImageBitmap;
  });
  return sent;
}

test('where the browser hides what is drawn, an upright JPEG is sent as it was chosen', async (context) => {
  const sent = hardened(context);
  const file = new Blob([jpeg(1)], { type: 'image/jpeg' });
  await sendPhoto(file);
  assert.deepEqual(sent, [file]);
});

test('where the browser hides what is drawn, a picture that the server wouldn’t show is refused in words', async (context) => {
  const sent = hardened(context);
  for (const file of [new Blob([jpeg(6)], { type: 'image/jpeg' }), new Blob([jpeg(1)], { type: 'image/png' }), new Blob([new Uint8Array(3_000_000)], { type: 'image/jpeg' })]) {
    await assert.rejects(sendPhoto(file), /hides what is drawn/);
  }
  assert.deepEqual(sent, []);
});
